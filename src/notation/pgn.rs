//! Games as PGN files have them, in the flavour of Chinese chess programs: tags, moves in any
//! notation, comments, result. Knows legal moves; leaves the result to whoever wrote it.

use std::fmt::Write;

use super::{Annotation, Digits, Format, GameResult, MoveError, Style, parse, print};
use crate::{
    position::{FenError, Position, Unobserved},
    types::{Color, Move},
};

/// Tags that say what other parts of a [`Game`] say, too.
const DERIVED: [&str; 5] = ["Game", "Result", "Format", "SetUp", "FEN"];

/// A game from its start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// What is told about it, by name, in order; without what the other fields tell.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Position,
    /// What is said before the first move.
    pub preface: String,
    /// The moves.
    pub moves: Vec<Played>,
    /// How it ended.
    pub result: GameResult,
}

/// A move and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The comment after it.
    pub note: Annotation,
}

/// What is wrong with a game, and in which line of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A line that starts like a tag is none.
    #[error("`{0}` is no tag (such as [Event \"…\"])")]
    Tag(String),
    /// The start is no position.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// A word among the moves is none.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// A comment goes on to the end of the text.
    #[error("a comment that begins here has no end")]
    Unclosed,
}

impl Game {
    /// A game of no moves yet.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            preface: String::new(),
            moves: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The game as a file has it, one line a round; a blank line ends it. Chinese moves have wide
    /// digits, as other programs expect them.
    pub fn write(&self, format: Format) -> String {
        let mut text = String::new();
        let (name, format) = match format {
            Format::Iccs => ("ICCS", format),
            Format::Wxf => ("WXF", format),
            Format::Chinese(style) => {
                ("Chinese", Format::Chinese(Style { digits: Digits::Wide, ..style }))
            }
        };
        tag(&mut text, "Game", "Chinese Chess");
        self.tags.iter().for_each(|(name, value)| tag(&mut text, name, value));
        tag(&mut text, "Result", self.result.token());
        tag(&mut text, "Format", name);
        if self.start != Position::start() {
            tag(&mut text, "SetUp", "1");
            tag(&mut text, "FEN", &self.start.fen());
        }
        text.push('\n');
        if !self.preface.is_empty() {
            comment(&mut text, &self.preface);
            text.push('\n');
        }
        self.write_moves(&mut text, format);
        text + self.result.token() + "\n\n"
    }

    fn write_moves(&self, text: &mut String, format: Format) {
        let mut position = self.start.clone();
        for (ply, Played { mv, note }) in self.moves.iter().enumerate() {
            let black = position.side() == Color::Black;
            match (ply, black) {
                (0, true) => put(text, format_args!("{}. ... ", position.number())),
                (_, false) => put(text, format_args!("{}. ", position.number())),
                (_, true) => {}
            }
            *text += &print(&position, *mv, format);
            let note = note.to_string();
            if !note.is_empty() {
                text.push(' ');
                comment(text, &note);
            }
            text.push(if black || ply + 1 == self.moves.len() { '\n' } else { ' ' });
            position.make(*mv, &mut Unobserved);
        }
    }
}

/// The games of a text. One that is bad is told of and left out; those after it are read.
///
/// Variations are passed over, as is whatever follows a result up to the next tag.
pub fn read(text: &str) -> impl Iterator<Item = Result<Game, PgnError>> {
    let mut reader = Reader { rest: text, line: 1, line_start: true };
    std::iter::from_fn(move || {
        reader.blank();
        (!reader.rest.is_empty()).then(|| {
            let game = reader.game();
            reader.skip_to_tag();
            game
        })
    })
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("invariant: a string takes whatever is written to it");
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
    put(text, format_args!("[{name} \"{value}\"]\n"));
}

fn comment(text: &mut String, comment: &str) {
    put(text, format_args!("{{{}}}", comment.replace('{', "(").replace('}', ")")));
}

/// Where in a text we are.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    line_start: bool,
}

impl<'a> Reader<'a> {
    fn game(&mut self) -> Result<Game, PgnError> {
        let mut game = Game::new(Position::start());
        let mut claimed = GameResult::Unknown;
        let mut comments = Vec::new();
        self.blank();
        while let Some(text) = self.comment()? {
            comments.push(text);
            self.blank();
        }
        while self.at_tag() {
            let line = self.line;
            let (name, value) = self.tag()?;
            match name {
                "FEN" => {
                    let start = Position::from_fen(&value);
                    game.start = start.map_err(|error| PgnError { line, fault: error.into() })?;
                }
                "Result" => claimed = GameResult::from_token(&value).unwrap_or(claimed),
                name if DERIVED.contains(&name) => {}
                name => game.tags.push((name.into(), value)),
            }
            self.blank();
        }
        self.moves(&mut game, comments)?;
        if game.result == GameResult::Unknown {
            game.result = claimed;
        }
        Ok(game)
    }

    /// Reads moves up to a result or the next tag. The comments at hand are those before the first
    /// move or after the latest.
    fn moves(&mut self, game: &mut Game, mut comments: Vec<String>) -> Result<(), PgnError> {
        let mut position = game.start.clone();
        let settle = |game: &mut Game, comments: &mut Vec<String>| {
            let text = std::mem::take(comments).join(" ");
            match game.moves.last_mut() {
                Some(played) => played.note = Annotation::read(&text),
                None => game.preface = text,
            }
        };
        loop {
            self.blank();
            let line = self.line;
            if let Some(text) = self.comment()? {
                comments.push(text);
                continue;
            }
            match self.rest.chars().next() {
                None => break,
                Some('[') if self.line_start => break,
                Some('(') => {
                    self.variation().ok_or(PgnError { line, fault: Fault::Unclosed })?;
                }
                Some(_) => {
                    let word = self.word();
                    if let Some(result) = GameResult::from_token(word) {
                        game.result = result;
                        break;
                    }
                    let Some(word) = move_text(word) else { continue };
                    let mv = parse(&position, word);
                    let mv = mv.map_err(|error| PgnError { line, fault: error.into() })?;
                    settle(game, &mut comments);
                    position.make(mv, &mut Unobserved);
                    game.moves.push(Played { mv, note: Annotation::default() });
                }
            }
        }
        settle(game, &mut comments);
        Ok(())
    }

    /// A comment of either kind, if one begins here.
    fn comment(&mut self) -> Result<Option<String>, PgnError> {
        if self.rest.starts_with(';') {
            return Ok(Some(self.rest_of_line()[1..].trim().into()));
        }
        if !self.rest.starts_with('{') {
            return Ok(None);
        }
        let unclosed = PgnError { line: self.line, fault: Fault::Unclosed };
        let end = self.rest.find('}').ok_or(unclosed)?;
        let words = self.take(end + 1)[1..end].split_whitespace();
        Ok(Some(words.collect::<Vec<_>>().join(" ")))
    }

    fn at_tag(&self) -> bool {
        self.line_start && self.rest.starts_with('[')
    }

    fn tag(&mut self) -> Result<(&'a str, String), PgnError> {
        let line = self.line;
        let text = self.rest_of_line();
        let bad = || {
            let shown = text.trim().chars().take(60).collect();
            PgnError { line, fault: Fault::Tag(shown) }
        };
        let (name, quoted) = text[1..].split_once('"').ok_or_else(bad)?;
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if quoted[at + 1..].trim_start().starts_with(']') => {
                    return Ok((name.trim(), value));
                }
                // Programs that know no escapes write a backslash as it is.
                '\\' if quoted[at + 1..].starts_with(['"', '\\']) => {
                    value.extend(chars.next().map(|(_, escaped)| escaped));
                }
                c => value.push(c),
            }
        }
        Err(bad())
    }

    /// Passes over a variation with all in it.
    fn variation(&mut self) -> Option<()> {
        let mut depth = 0;
        for (at, c) in self.rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.take(at + 1);
                return Some(());
            }
        }
        None
    }

    fn word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{(;".contains(c);
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    fn skip_to_tag(&mut self) {
        self.blank();
        while !self.rest.is_empty() && !self.at_tag() {
            self.rest_of_line();
            self.blank();
        }
    }

    /// Passes over blanks and over lines that are escaped with `%`.
    fn blank(&mut self) {
        loop {
            self.take(self.rest.find(|c| !is_blank(c)).unwrap_or(self.rest.len()));
            if !(self.line_start && self.rest.starts_with('%')) {
                break;
            }
            self.rest_of_line();
        }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        let after_break = taken.rsplit('\n').next().unwrap_or_default();
        if !taken.is_empty() {
            let fresh = taken.len() > after_break.len() || self.line_start;
            self.line_start = fresh && after_break.chars().all(is_blank);
        }
        taken
    }
}

/// A byte order mark is no text, wherever it stands.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// The move in a word, without a number before it; `None` when nothing else is there.
pub(crate) fn move_text(word: &str) -> Option<&str> {
    if word.starts_with('$') {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = digits.trim_start_matches(['.', '…', '、', '．']);
    let numbered = rest.len() < digits.len() || digits.is_empty();
    // `33.4` is a pawn's move in WXF.
    let bare_digit = rest.len() == 1 && rest.starts_with(|c: char| c.is_ascii_digit());
    let rest = if numbered && !bare_digit { rest } else { word };
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::Eval;
    use std::time::Duration;

    fn all(text: &str) -> Vec<Result<Game, PgnError>> {
        read(text).collect()
    }

    fn one(text: &str) -> Game {
        let mut games = all(text);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap()
    }

    #[test]
    fn a_game_of_a_chinese_program_is_read() {
        let text = "[Game \"Chinese Chess\"]\r\n[Event \"C:\\杯\"]\r\n[Red \"甲 \\\"乙\\\"\"]\r\n\
                    [Result \"1-0\"]\r\n[Opening \"五七炮\"]\r\n{开局 注}\r\n\
                    \x20 1. 炮二平五 馬８進７ {好\r\n棋}\r\n  2. 马二进三 (2. 炮八平七 (略)) 车９平８ ;remark\r\n\
                    3.车一平二 $1 *\r\n=====\r\n{ no comment\r\nwww.example.org\r\n\r\n\
                    [Game \"Chinese Chess\"]\r\n1. H2-E2 1... H9-G7 0-1\r\n";
        let games: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        let game = &games[0];
        assert_eq!(game.tag("Event"), Some("C:\\杯"));
        assert_eq!(game.tag("Red"), Some("甲 \"乙\""));
        assert_eq!(game.tag("Result"), None);
        let moves: Vec<_> = game.moves.iter().map(|played| played.mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]);
        assert_eq!((game.preface.as_str(), game.result), ("开局 注", GameResult::RedWins));
        assert_eq!(game.moves[1].note.text, "好 棋");
        assert_eq!(game.moves[3].note.text, "remark");
        assert_eq!((games[1].moves.len(), games[1].result), (2, GameResult::BlackWins));
    }

    #[test]
    fn a_number_stands_alone_or_before_its_move() {
        for (word, rest) in [
            ("1.", None),
            ("12", None),
            ("3...", None),
            ("1…", None),
            ("...", None),
            ("$3", None),
            ("1.炮二平五", Some("炮二平五")),
            ("1...H9-G7", Some("H9-G7")),
            ("33.4", Some("33.4")),
            ("7.33.4", Some("33.4")),
            ("3+.4", Some("3+.4")),
            ("C2.5", Some("C2.5")),
        ] {
            assert_eq!(move_text(word), rest, "{word}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_the_rest_is_read() {
        let text = "[Event \"a\"]\n\n1. 炮二平五\n   车一平二 *\n[Event b]\n1. x\n\
                    [FEN \"9 w\"]\n\n[Event \"c\"]\n1. h2e2 {ever\n";
        let told: Vec<_> =
            all(text).into_iter().map(|game| game.unwrap_err().to_string()).collect();
        assert_eq!(
            told,
            [
                "line 4: `车一平二` is no legal move here",
                "line 5: `[Event b]` is no tag (such as [Event \"…\"])",
                "line 7: bad FEN: board has 1 ranks, not 10",
                "line 10: a comment that begins here has no end",
            ]
        );
        assert_eq!(all(" \n\t\n"), []);
    }

    #[test]
    fn black_may_begin() {
        let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 5 30").unwrap());
        for mv in ["e9e8", "d0d1", "e8e9"] {
            game.moves.push(Played { mv: mv.parse().unwrap(), note: Annotation::default() });
        }
        let text = game.write(Format::Iccs);
        assert!(text.ends_with("\n30. ... E9-E8\n31. D0-D1 E8-E9\n*\n\n"), "{text}");
        assert_eq!(one(&text), game);
    }

    fn format() -> impl Strategy<Value = Format> {
        use crate::notation::Script;
        let script = prop_oneof![Just(Script::Simplified), Just(Script::Traditional)];
        prop_oneof![
            Just(Format::Iccs),
            Just(Format::Wxf),
            script.prop_map(|script| Format::Chinese(Style { script, digits: Digits::Narrow })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_written_is_read_back(
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..120),
            format in format(),
            value in "[ -~棋é]{0,12}",
            note in "[a-z(棋]{0,6}",
        ) {
            let mut game = Game::new(Position::start());
            game.tags.push(("Event".into(), value));
            game.result = GameResult::Draw;
            let mut position = game.start.clone();
            for (ply, choice) in choices.iter().enumerate() {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = *choice.get(&moves);
                position.make(mv, &mut Unobserved);
                let time = Duration::from_millis(ply as u64 * 777);
                let note = Annotation {
                    eval: Some(Eval::Points(35 - ply as i32)),
                    depth: Some(9),
                    spent: Some(time),
                    clock: None,
                    text: note.clone(),
                };
                game.moves.push(Played { mv, note });
            }
            prop_assert_eq!(one(&game.write(format)), game);
        }
    }
}
