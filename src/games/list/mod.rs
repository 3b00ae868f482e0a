//! Games and positions without tags: a line each, as `FEN moves …`, `startpos moves …` or moves alone
//! in any notation, lists of EPD, and lists of moves that go on over several lines. Knows how to tell
//! a line that goes on from one that begins anew.
//!
//! A line goes on with the game before it if it begins with the number of a later round, or with a
//! move that can go on with this game and cannot begin another one, or could, but not with those after
//! it.

mod start;

use std::mem;

use self::start::Start;
use super::{
    Fault, Found, Game, GameError, fen,
    lines::{Lines, MOST, is_wide},
    pgn::{begins_game, best_reading, is_blank, read_moves},
    text::{Draft, lines_before},
};
use crate::{
    notation::{GameResult, MoveError, Ranks, first_move, parse, quote, text},
    position::{Position, Unobserved},
};

/// The games of a file.
pub(super) struct Games {
    lines: Lines,
    open: Option<Open>,
    number: usize,
    done: bool,
    /// Comments that belong to the next game.
    carried: String,
}

/// A game whose last line may not have come.
struct Open {
    game: Game,
    line: usize,
    /// Whether its FEN may name the wrong side.
    doubtful_side: bool,
    fault: Option<Fault>,
    /// Its moves so far, lines between them included.
    text: String,
    /// Ends of lines in that.
    lines: usize,
    /// Braces that are open.
    braces: i64,
    /// Where the text led to, as far as that was looked up: its bytes, and a position if there is one.
    reached: (usize, Option<Position>),
}

impl Open {
    fn new(line: usize) -> Self {
        let game = Game::new(Position::start());
        let (fault, text) = (None, String::new());
        Self {
            game,
            line,
            doubtful_side: false,
            fault,
            text,
            lines: 0,
            braces: 0,
            reached: (0, None),
        }
    }

    /// Adds a line, which has a number.
    fn add(&mut self, number: usize, text: &str) {
        if self.text.len() + text.len() > MOST {
            self.fault.get_or_insert(Fault::TooLong(MOST as u64));
            return;
        }
        for _ in self.line + self.lines..number {
            self.text.push('\n');
            self.lines += 1;
        }
        self.text += text;
        let count = |brace| text.matches(brace).count() as i64;
        self.braces += count('{') - count('}');
    }

    /// The position that its moves lead to, if they can be read and have not ended.
    fn position(&mut self) -> Option<&Position> {
        let (known, position) = mem::take(&mut self.reached);
        let start = if known == 0 { Some(self.game.start.clone()) } else { position };
        let position = start.and_then(|mut position| {
            let read = read_moves(&self.text, known, &position, Ranks::FromZero);
            if read.fault.is_some() || read.result.is_some() {
                return None;
            }
            for played in &read.moves {
                position.make(played.mv, &mut Unobserved);
            }
            Some(position)
        });
        self.reached = (self.text.len(), position);
        self.reached.1.as_ref()
    }

    fn finish(self) -> Draft {
        let Self { mut game, line, doubtful_side, fault, text, .. } = self;
        let mut draft_fault = fault.map(|fault| (line, fault));
        let mut remarks = Vec::new();
        if draft_fault.is_none() {
            let (mut moves, start) = best_reading(&text, 0, &game.start, doubtful_side);
            let line_of = |at: usize| line + lines_before(&text, at);
            if start.side() != game.start.side() {
                let what = format!(
                    "the FEN says that {} moves first, but {} does",
                    !start.side(),
                    start.side()
                );
                remarks.push((line, what));
                game.start = start;
            }
            if !moves.preface.is_empty() {
                if !game.preface.is_empty() {
                    game.preface.push('\n');
                }
                game.preface += &moves.preface;
            }
            game.moves = mem::take(&mut moves.moves);
            game.result = moves.result.unwrap_or_default();
            remarks.extend(moves.remarks.into_iter().map(|(at, what)| (line_of(at), what)));
            draft_fault = moves.fault.map(|(at, fault)| (line_of(at), fault));
            let left = text[moves.end..].trim_matches(is_blank);
            if draft_fault.is_none() && !left.is_empty() {
                let what = format!("after the result is left out: `{}`", quote(left));
                remarks.push((line_of(moves.end), what));
            }
        }
        Draft { game, line, fault: draft_fault, remarks }
    }
}

impl Games {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, open: None, number: 0, done: false, carried: String::new() }
    }

    /// Takes a line; gives the game that ended before it.
    fn take(&mut self, line: &[u8]) -> Option<Open> {
        let number = self.lines.number;
        if is_wide(line) {
            if self.open.as_ref().is_some_and(|open| matches!(open.fault, Some(Fault::Wide))) {
                return None;
            }
            let mut next = Open::new(number);
            next.fault = Some(Fault::Wide);
            return self.open.replace(next);
        }
        let text = decode(line, &mut self.lines.decoder);
        let text = text.trim_matches(is_blank);
        let code = without_remark(text);
        // `%` begins a remark in PGN.
        if code.is_empty() || code.starts_with('%') {
            return None;
        }
        let mut next = Open::new(number);
        if let Some(found) = Start::read(code) {
            match found {
                Ok(start) => start.put_into(&mut next),
                Err(fault) => next.fault = Some(fault),
            }
            next.game.preface = join(mem::take(&mut self.carried), &next.game.preface);
            return self.open.replace(next);
        }
        if let Some(open) = &mut self.open {
            if goes_on(open, code) {
                open.add(number, code);
                return None;
            }
        } else if code.starts_with([';', '{']) && comment_only(code) {
            let inside = code.trim_matches(['{', '}', ';']);
            self.carried = join(mem::take(&mut self.carried), inside.trim());
            return None;
        }
        next.add(number, code);
        next.game.preface = mem::take(&mut self.carried);
        self.open.replace(next)
    }
}

impl Iterator for Games {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            let ended = match self.lines.next() {
                Ok(Some(line)) if line.len() > MOST => {
                    let mut open = Open::new(self.lines.number);
                    open.fault = Some(Fault::TooLong(MOST as u64));
                    self.open.replace(open)
                }
                Ok(Some(line)) => self.take(&line),
                Ok(None) => {
                    self.done = true;
                    self.open.take()
                }
                Err(error) => {
                    self.done = true;
                    return Some(Err(self.lines.broken(self.number + 1, error)));
                }
            };
            if let Some(ended) = ended {
                self.number += 1;
                return Some(ended.finish().finish(self.number));
            }
        }
        None
    }
}

/// Whether any line may be one of a list, or a remark that tells nothing.
pub(super) fn has_game(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_matches(is_blank);
        let code = without_remark(line);
        let mut words = code.split(|c: char| c.is_whitespace() || "，,{(".contains(c));
        line.starts_with(['#', '%', ';', '{'])
            || Start::read(code).is_some()
            || words.any(|word| GameResult::from_token(word).is_some() || may_be_move(word))
    })
}

fn may_be_move(word: &str) -> bool {
    let readable =
        |text: &str| !matches!(parse(&Position::start(), text), Err(MoveError::Unreadable(_)));
    first_move(word).is_some_and(|found| readable(&found.text))
}

/// Reads one game of a FEN, or the start position, and of moves in any notation, just as they are
/// told: ranks count from 0, and whoever the FEN says is to move.
///
/// # Errors
/// When the FEN is none, or as far as the moves cannot be read.
pub fn read_game(fen: Option<&str>, moves: &str) -> Result<Found, GameError> {
    let fen = fen.map(str::trim).filter(|fen| *fen != "startpos");
    let start = fen.map_or_else(|| Ok(Position::start()), fen::read);
    let read = start.map(|start| (read_moves(moves, 0, &start, Ranks::FromZero), start));
    let (mut game, line) = (Game::new(Position::start()), 1);
    let (fault, remarks) = match read {
        Err(error) => (Some((line, error.into())), Vec::new()),
        Ok((read, start)) => {
            game.start = start;
            game.moves = read.moves;
            let remarks = read.remarks.into_iter().map(|(_, what)| (line, what));
            let mut remarks: Vec<_> = remarks.collect();
            let left = moves[read.end..].trim_matches(is_blank);
            if read.fault.is_none() && !left.is_empty() {
                remarks.push((line, format!("after the result is left out: `{}`", quote(left))));
            }
            (read.fault.map(|(_, fault)| (line, fault)), remarks)
        }
    };
    Draft { game, line, fault, remarks }.finish(1)
}

/// Whether a line belongs to the game before it.
fn goes_on(open: &mut Open, line: &str) -> bool {
    if open.fault.is_some() {
        return false;
    }
    if open.braces > 0 {
        return !begins_game(line);
    }
    // What a comment says tells nothing, but the moves after it on its line do.
    if let Some((_, after)) = line.strip_prefix('{').and_then(|inside| inside.split_once('}'))
        && !after.trim_matches(is_blank).is_empty()
    {
        return goes_on(open, after.trim_matches(is_blank));
    }
    let mut words = line
        .split(|c: char| c.is_whitespace() || "，,{(".contains(c))
        .filter(|word| !word.is_empty());
    let Some(word) = words.next() else { return true };
    if GameResult::from_token(word).is_some() || line.starts_with(['{', '(', ')', '}', ';', '$']) {
        return true;
    }
    let digits =
        word.chars().take_while(|c| c.is_ascii_digit() || ('０'..='９').contains(c)).count();
    let number: String = word.chars().take(digits).collect();
    let after = word.chars().nth(digits);
    if digits > 0 && after.is_none_or(|c| matches!(c, '.' | '．' | '、' | '…' | '。')) {
        let first = matches!(number.as_str(), "1" | "１");
        // `1. ... 马8进7` goes on with the first round.
        return !first || !begins_game(line) && !open.text.is_empty();
    }
    let Some(found) = first_move(word) else { return true };
    // 马8进7 is Black's, for Red counts in 一 to 九; so it can hardly begin a game.
    let of_black = !found.text.is_ascii() && found.text.contains(|c: char| c.is_ascii_digit());
    let reads = |from: &Position| read_moves(line, 0, from, Ranks::FromZero).fault.is_none();
    let start = Position::start();
    if !of_black && parse(&start, &found.text).is_ok() {
        return !reads(&start) && open.position().is_some_and(reads);
    }
    open.position().is_some_and(|position| parse(position, &found.text).is_ok())
}

fn comment_only(line: &str) -> bool {
    line.starts_with(';') || line.ends_with('}') && line.matches('{').count() == 1
}

/// A line without what follows a `#` that begins a word.
fn without_remark(line: &str) -> &str {
    let mut from = 0;
    while let Some(at) = line[from..].find('#').map(|at| from + at) {
        if line[..at].chars().next_back().is_none_or(char::is_whitespace) {
            return line[..at].trim_end();
        }
        from = at + 1;
    }
    line
}

/// The text of a line. Two names of a position may come in two encodings, with `|` between them.
fn decode(line: &[u8], decoder: &mut text::Decoder) -> String {
    if line.is_ascii() {
        return String::from_utf8_lossy(line).into_owned();
    }
    let mut at = 0;
    let mut bar = None;
    // Bytes after a lead byte are no bars.
    while at < line.len() && bar.is_none() && str::from_utf8(line).is_err() {
        match line[at] {
            b'|' => bar = Some(at),
            0x80.. => at += 2,
            _ => at += 1,
        }
    }
    match bar {
        Some(bar) => {
            let (first, second) = (decoder.decode(&line[..bar]), decoder.decode(&line[bar + 1..]));
            format!("{first}|{second}")
        }
        None => decoder.decode(line).into_owned(),
    }
}

fn join(first: String, second: &str) -> String {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second.into(),
        (_, true) => first,
        _ => first + "\n" + second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Reader;

    fn plies(text: &str) -> Vec<usize> {
        let games = Reader::from_bytes(text.into()).unwrap();
        games.map(|found| found.unwrap().game.moves.len()).collect()
    }

    #[test]
    fn a_list_may_go_on_over_several_lines() {
        for (text, wanted) in [
            ("1. 炮二平五 马8进7\n2. 马二进三 车9平8\n", &[4][..]),
            ("1. 炮二平五\n   马8进7\n\n2. 马二进三\n车9平8 1-0\n1. 兵七进一\n", &[4, 1]),
            ("1. h2e2\n1. ... h9g7\n2. h0g2\n1. b2e2\n", &[3, 1]),
            ("h2e2 h9g7 h0g2\ni9h9 i0h0\nb2e2\n", &[5, 1]),
            ("h2e2 h9g7\nb2e2 b9c7\n", &[2, 2]),
            ("h2e2 {a\nb} h9g7\n# none\n1-0\nb2e2 * # one\n", &[2, 1]),
            ("% head\n; to all\nh2e2 h9g7 (b9c7\n2. h0g2) h0g2\n", &[3]),
            ("炮二平五马8进7马二进三\nh2e2h9g7\n", &[3, 2]),
            ("炮二平五 马8进7\n马二进三 车9平8\n兵七进一 卒7进1\n", &[4, 2]),
            ("炮二平五 马8进7\n\n马二进三 车9平8 1-0\n炮八平五\n", &[4, 1]),
            ("h2e2 h9g7\n{two} c3c4 c6c5\n{three}\nh2e2\n", &[2, 2, 1]),
            ("h2e2 {more}\n{to come} h9g7\n", &[2]),
        ] {
            assert_eq!(plies(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_bad_line_costs_itself_alone() {
        let text = "h2e2 h9g7\nh2e2 a0a5\n4k4/9 w\nqwerty\nh2e2 { no end\n1. b2e2 *\n";
        let told: Vec<_> = Reader::from_bytes(text.into())
            .unwrap()
            .map(|found| {
                found.map_or_else(|error| error.to_string(), |found| found.place.to_string())
            })
            .collect();
        assert_eq!(
            told,
            [
                "game 1, line 1",
                "game 2, line 2, ply 2: `a0a5` is no legal move here",
                "game 3, line 3: bad FEN: board has 2 ranks, not 10",
                "game 4, line 4, ply 1: `qwerty` is a move in no notation",
                "game 5, line 5: a comment that begins here has no end",
                "game 6, line 6",
            ]
        );
    }

    #[test]
    fn operations_of_epd_are_kept() {
        let fen = "4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 0 1";
        let read =
            |text: String| Reader::from_bytes(text.into()).unwrap().next().unwrap().unwrap().game;
        let game = read(format!("{fen} bm d1d9; id \"mate 1\"; c0 \"x\";\n"));
        assert_eq!(game.tag("Title"), Some("mate 1"));
        assert_eq!((game.preface.as_str(), game.moves.len()), ("bm d1d9\nc0 \"x\"", 0));
        let game = read(format!("position fen {fen}, moves d1d2, e9e8, 1-0 ;said\n"));
        assert_eq!((game.preface.as_str(), game.moves.len()), ("said", 2));
        assert_eq!(game.result, GameResult::RedWins);
    }
}
