//! A game to be judged, read from a line of text or JSON and played out. Knows where in it a fault
//! lies, not which file it came from.

use std::borrow::Cow;

use serde::Deserialize;

use crate::{
    position::{FenError, Position, Unobserved, attacks},
    rules::{Language, Line, Outcome, Ruleset, outcome, ruling},
    types::{Color, Move},
};

/// Quotations of faulty input are cut at so many characters.
const MOST_QUOTED: usize = 40;

/// A game as it was written down.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    /// `None`: the start position.
    start: Option<Cow<'a, str>>,
    moves: Vec<Cow<'a, str>>,
}

/// A game as it was played.
pub(super) struct Game {
    pub(super) line: Line,
    /// How it was decided first.
    pub(super) decided: Option<Decision>,
}

/// The end of a game.
pub(super) struct Decision {
    /// After how many plies.
    pub(super) plies: usize,
    /// How.
    pub(super) outcome: Outcome,
    /// The articles.
    pub(super) clauses: Vec<&'static str>,
}

/// Why a game cannot be judged.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GameError {
    #[error("longer than {0} bytes")]
    TooLong(usize),
    #[error("byte {0} is no UTF-8 text")]
    Encoding(usize),
    #[error("bad JSON: {0}")]
    Json(String),
    #[error("bad FEN {text:?}: {error}")]
    Fen { text: String, error: FenError },
    #[error("ply {ply}, {word:?}: not a move such as h2e2")]
    NoMove { ply: usize, word: String },
    #[error("ply {ply}, {mv}: {reason}")]
    Move { ply: usize, mv: Move, reason: String },
}

/// The fields of a JSON record that matter.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    moves: Moves<'a>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "`moves` must be a text or a list of texts")]
enum Moves<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    List(#[serde(borrow)] Vec<Cow<'a, str>>),
}

impl<'a> Written<'a> {
    /// A game of its two parts; the start position if the first is missing.
    pub(super) fn new(fen: Option<&'a str>, moves: &'a str) -> Self {
        let start = fen.map(str::trim).filter(|fen| *fen != "startpos").map(Cow::Borrowed);
        Self { start, moves: moves.split_whitespace().map(Cow::Borrowed).collect() }
    }

    /// Reads `[position] startpos|[fen] FEN [moves] m1 m2 …`; nothing of a blank line or a remark.
    pub(super) fn from_text(text: &'a str) -> Option<Self> {
        let text = text.split(['#', ';']).next().unwrap_or_default().trim();
        let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
        let text = text.strip_prefix("fen ").unwrap_or(text).trim_start();
        if text.is_empty() {
            return None;
        }
        let (fen, moves) = text.split_at(end_of_fen(text));
        let mut written = Self::new(Some(fen), moves);
        if written.moves.first().is_some_and(|word| word == "moves") {
            written.moves.remove(0);
        }
        Some(written)
    }

    /// Reads `{"fen": …, "moves": …}`; nothing of a blank line.
    pub(super) fn from_json(text: &'a str) -> Result<Option<Self>, GameError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        // A list would do for the fields in their order; it is more likely to be a mistake.
        if !text.starts_with('{') {
            return Err(GameError::Json("not an object".into()));
        }
        let record: Record = serde_json::from_str(text).map_err(|error| {
            // Its place is told as a line and a column; there is but one line.
            let text = error.to_string();
            GameError::Json(text.replace("at line 1 column", "at column"))
        })?;
        let moves = match record.moves {
            Moves::List(moves) => moves,
            Moves::Text(text) => text.split_whitespace().map(|mv| mv.to_owned().into()).collect(),
        };
        let start = (record.fen.trim() != "startpos").then_some(record.fen);
        Ok(Some(Self { start, moves }))
    }

    /// Plays the game out under some rules.
    pub(super) fn play(&self, ruleset: Ruleset) -> Result<Game, GameError> {
        let start = self.start.as_deref().map_or_else(
            || Ok(Position::start()),
            |fen| {
                Position::from_fen(fen)
                    .map_err(|error| GameError::Fen { text: shortened(fen), error })
            },
        )?;
        let mut line = Line::under(ruleset, start);
        let mut decided = None;
        for (ply, word) in (1..).zip(&self.moves) {
            decided = decided.or_else(|| over(&line));
            let mv: Move =
                word.parse().map_err(|_| GameError::NoMove { ply, word: shortened(word) })?;
            line.play(mv).map_err(|_| {
                let reason = why_illegal(&line, mv);
                GameError::Move { ply, mv, reason }
            })?;
        }
        let decided = decided.or_else(|| over(&line));
        Ok(Game { line, decided })
    }
}

/// Where the fields of a FEN end: the board, a side, then dashes and numbers.
fn end_of_fen(text: &str) -> usize {
    let mut end = 0;
    for (at, word) in text.split_whitespace().enumerate() {
        let field = match at {
            0 => true,
            1 => word != "moves" && word.parse::<Move>().is_err() || is_counter(word),
            _ => is_counter(word),
        };
        if !field || at > 0 && text[..end] == *"startpos" {
            break;
        }
        // `split_whitespace` yields slices of the text in their order.
        end += text[end..].find(word).unwrap_or_default() + word.len();
    }
    end
}

fn is_counter(word: &str) -> bool {
    word == "-" || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a game came to, if it is over.
fn over(line: &Line) -> Option<Decision> {
    let outcome = outcome(line);
    (outcome != Outcome::Ongoing).then(|| Decision {
        plies: line.plies(),
        outcome,
        clauses: ruling(line).clauses,
    })
}

/// What is wrong with a move that is not legal.
fn why_illegal(line: &Line, mv: Move) -> String {
    let (position, english) = (line.position(), Language::English);
    let (us, from, to) = (position.side(), mv.from(), mv.to());
    if position.is_lost() {
        return format!("the game is over, {}", english.outcome(outcome(line)));
    }
    let Some(piece) = position.piece_at(from) else {
        return format!("no man stands on {from}");
    };
    let man = english.man(piece);
    if piece.color() != us {
        return format!("the {man} on {from} is {}'s, and {us} is to move", !us);
    }
    if position.color(us).has(to) {
        return format!("a man of {us} stands on {to}");
    }
    if !position.targets(piece.kind(), from).has(to) {
        return format!("no {man} on {from} can go to {to}");
    }
    let mut after = position.clone();
    after.make(mv, &mut Unobserved);
    let kings = Color::ALL.map(|color| after.king(color));
    let face = kings[0].file() == kings[1].file()
        && (attacks::between(kings[0], kings[1]) & after.occupied()).is_empty();
    if face {
        "the kings would face each other".into()
    } else {
        format!("{us}'s king could be captured")
    }
}

/// A piece of input that is not too long to be shown.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 3 7";

    #[test]
    fn a_line_of_text_may_be_written_in_many_ways() {
        let game = Written::new(Some(FEN), "a8a9 e9e8");
        for text in [
            format!("{FEN} moves a8a9 e9e8"),
            format!("{FEN} a8a9\te9e8 \r\n"),
            format!("  position  fen {FEN}  moves a8a9 e9e8 # remark"),
            format!("fen {FEN} moves a8a9 e9e8 ;remark"),
        ] {
            assert_eq!(Written::from_text(&text).as_ref(), Some(&game), "{text}");
        }
        let game = Written::new(None, "h2e2");
        for text in ["startpos moves h2e2", "position startpos h2e2", "startpos h2e2"] {
            assert_eq!(Written::from_text(text).as_ref(), Some(&game), "{text}");
        }
        for text in ["", " \r\n", "# startpos moves h2e2", "  ; x"] {
            assert_eq!(Written::from_text(text), None, "{text}");
        }
        let bare = "4k4/R8/9/9/9/9/9/9/9/3K5";
        let sideless = format!("{bare} a8a9");
        assert_eq!(Written::from_text(&sideless), Some(Written::new(Some(bare), "a8a9")));
        assert_eq!(Written::from_text("startpos"), Some(Written::new(None, "")));
    }

    #[test]
    fn a_record_has_its_moves_as_text_or_list() {
        let game = Written::new(Some(FEN), "a8a9 e9e8");
        for moves in ["\"a8a9 e9e8\"", "[\"a8a9\", \"e9e8\"]"] {
            let text = format!("{{\"id\": [1], \"fen\": \"{FEN}\", \"moves\": {moves}}}\n");
            assert_eq!(Written::from_json(&text).unwrap().as_ref(), Some(&game), "{moves}");
        }
        let escaped = "{\"fen\": \"startpos\", \"moves\": \"h2\\u0065 2\"}";
        let game = Written::from_json(escaped).unwrap().unwrap();
        assert_eq!((game.start, game.moves.len()), (None, 2));
        assert_eq!(Written::from_json(" \n"), Ok(None));
    }

    #[test]
    fn a_record_without_a_field_is_none() {
        for (record, field) in
            [("{\"fen\": \"startpos\", \"Moves\": []}", "`moves`"), ("{\"moves\": []}", "`fen`")]
        {
            let told = Written::from_json(record).unwrap_err().to_string();
            assert!(told.contains("missing field") && told.contains(field), "{told}");
        }
    }

    #[test]
    fn a_faulty_game_says_what_is_wrong_where() {
        let fault = |fen, moves| {
            let game = Written::new(Some(fen), moves).play(Ruleset::default());
            game.err().expect("a fault").to_string()
        };
        let start = Position::start().fen();
        for (fen, moves, message) in [
            (&*start, "h2e2 i9", "ply 2, \"i9\": not a move such as h2e2"),
            (&start, "h2e2 h3h4", "ply 2, h3h4: no man stands on h3"),
            (&start, "b9c7", "ply 1, b9c7: the horse on b9 is black's, and red is to move"),
            (&start, "a0a3", "ply 1, a0a3: a man of red stands on a3"),
            (&start, "h2i4", "ply 1, h2i4: no cannon on h2 can go to i4"),
            (FEN, "a8a9 e9f9", "ply 2, e9f9: black's king could be captured"),
            (FEN, "a8a9 e9d9", "ply 2, e9d9: the kings would face each other"),
            (
                "4k4/9/R8/9/9/9/9/9/5R3/3K5 w",
                "a7a8 e9e8",
                "the game is over, black loses: stalemate",
            ),
            ("4k4/9 w", "", "bad FEN \"4k4/9 w\": board has 2 ranks, not 10"),
            ("\0\n", "", "bad FEN \"\\0\": board has 1 ranks, not 10"),
        ] {
            let told = fault(fen, moves);
            assert!(told.contains(message) && told.lines().count() == 1, "{told}");
        }
        let long = fault(&start, &"x".repeat(900));
        assert!(long.chars().count() < 100 && long.contains('…'), "{long}");
    }

    #[test]
    fn the_first_decision_of_a_game_is_kept() {
        let moves = "a8a9 e9e8 a9a8 e8e9 ".repeat(3);
        let game = Written::new(Some(FEN), &moves).play(Ruleset::default()).unwrap();
        assert_eq!(game.line.plies(), 12);
        let decided = game.decided.unwrap();
        assert_eq!((decided.plies, decided.outcome.is_by_repetition()), (8, true));
        assert!(decided.clauses.contains(&"24.1"));
    }
}
