//! The moves of a game as text: numbers, moves in any notation, comments, variations, marks, a result.
//! Knows where each fault is; knows no tags.

use crate::{
    games::{
        DEEPEST, Fault, MOST_MOVES, Played, Variation,
        text::{MOST_REMARKS, trimmed},
    },
    notation::{
        Annotation, GameResult, MoveError, Ranks, first_move, lone_mark, parse_ranked, quote,
        resigns,
    },
    position::{Position, Undo, Unobserved},
    types::Move,
};

/// Words and comments that may stand before the first move of a variation.
const MOST_PEEKED: usize = 16;

/// Bytes of the longest words that say who gives up, and of what ends them.
const LONGEST_RESIGNATION: usize = 24;

/// What a text of moves says.
#[derive(Debug, Default)]
pub(in crate::games) struct Movetext {
    pub(in crate::games) preface: String,
    pub(in crate::games) moves: Vec<Played>,
    pub(in crate::games) result: Option<GameResult>,
    /// Where it cannot be read on, and why.
    pub(in crate::games) fault: Option<(usize, Fault)>,
    /// What was left out, and where.
    pub(in crate::games) remarks: Vec<(usize, String)>,
    /// How far it was read.
    pub(in crate::games) end: usize,
}

/// Reads moves from a position on, up to a result or what cannot belong to the game.
pub(in crate::games) fn read(text: &str, from: usize, start: &Position, ranks: Ranks) -> Movetext {
    let mut parser = Parser {
        text,
        at: from,
        ranks,
        frames: vec![Frame::new(start.clone(), from)],
        read: Movetext::default(),
        count: 0,
        nested_braces: true,
        closed_braces: true,
    };
    if let Err((at, fault)) = parser.run() {
        parser.read.fault = Some((at, fault));
    }
    parser.finish()
}

/// A line of play that is being read.
struct Frame {
    position: Position,
    last: Option<(Move, Undo)>,
    preface: String,
    moves: Vec<Played>,
    /// Comments since the last move.
    comments: Vec<String>,
    /// Where it begins.
    at: usize,
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    ranks: Ranks,
    /// The main line and the variations that are open.
    frames: Vec<Frame>,
    read: Movetext,
    /// Moves that were read.
    count: usize,
    /// Whether braces in comments still come in pairs.
    nested_braces: bool,
    /// Whether some brace still closes.
    closed_braces: bool,
}

impl Frame {
    fn new(position: Position, at: usize) -> Self {
        let (preface, moves, comments) = (String::new(), Vec::new(), Vec::new());
        Self { position, last: None, preface, moves, comments, at }
    }

    fn settle(&mut self) {
        if self.comments.is_empty() {
            return;
        }
        let text = trimmed(&self.comments.join("\n"));
        self.comments.clear();
        match self.moves.last_mut() {
            Some(played) => played.note = Annotation::read_of(!self.position.side(), &text),
            None => self.preface = text,
        }
    }

    fn play(&mut self, mv: Move) {
        self.settle();
        let undo = self.position.make(mv, &mut Unobserved);
        self.last = Some((mv, undo));
        self.moves.push(Played::new(mv));
    }

    /// The position before its last move.
    fn before(&self) -> Option<Position> {
        let (mv, undo) = self.last.as_ref()?;
        let mut position = self.position.clone();
        position.unmake(*mv, undo);
        Some(position)
    }
}

impl<'t> Parser<'t> {
    fn run(&mut self) -> Result<(), (usize, Fault)> {
        loop {
            self.skip_blank();
            let at = self.at;
            let Some(c) = self.rest().chars().next() else { return Ok(()) };
            match c {
                '{' => {
                    let text = self.braces().ok_or((at, Fault::Unclosed("comment")))?;
                    self.comment(text);
                }
                ';' => {
                    let line = self.take(line_length(self.rest()));
                    let line = line[1..].trim_end();
                    self.comment(line.strip_prefix(' ').unwrap_or(line));
                }
                '(' | '（' => self.open(),
                ')' | '）' => {
                    self.take(c.len_utf8());
                    if self.frames.len() > 1 {
                        self.close();
                    } else {
                        self.remark(at, "a `)` without a `(` is passed over".into());
                    }
                }
                '}' => {
                    self.take(1);
                    self.remark(at, "a `}` without a `{` is passed over".into());
                }
                '[' if at_line_start(self.text, at) || super::tags::begins(self.rest()) => {
                    return Ok(());
                }
                '$' => self.mark(),
                _ => {
                    if self.word()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Reads a word; true when it ends the game.
    fn word(&mut self) -> Result<bool, (usize, Fault)> {
        let at = self.at;
        let ends = |c: char| c.is_whitespace() || "{}();,，、。；（）".contains(c);
        let word = &self.rest()[..self.rest().find(ends).unwrap_or(self.rest().len())];
        if word.is_empty() {
            // One of the signs that end words, alone.
            self.take(self.rest().chars().next().map_or(1, char::len_utf8));
            return Ok(false);
        }
        if let Some(result) = GameResult::from_token(word) {
            self.take(word.len());
            if self.frames.len() == 1 {
                self.read.result = Some(result);
                return Ok(true);
            }
            return Ok(false);
        }
        if let Some(length) = self.resignation() {
            self.take(length);
            return Ok(self.frames.len() == 1);
        }
        if self.begins_another(word) {
            return Ok(true);
        }
        self.take(word.len());
        if let Some(mark) = lone_mark(word) {
            self.mark_move(at, word, mark);
            return Ok(false);
        }
        if word.chars().all(|c| "+#＋＃".contains(c)) {
            // It gives check or mate, which the moves tell.
            return Ok(false);
        }
        let mut rest = word;
        while let Some(next) = first_move(rest) {
            let Some(frame) = self.frames.last_mut() else { return Ok(true) };
            match parse_ranked(&frame.position, &next.text, self.ranks) {
                Ok(_) if self.count == MOST_MOVES => return Err((at, Fault::TooManyMoves)),
                Ok(mv) => {
                    self.count += 1;
                    frame.play(mv);
                    if let Some(mark) = next.mark {
                        self.mark_move(at, word, mark);
                    }
                }
                Err(error) => {
                    let at = at + (word.len() - rest.len());
                    return self.give_up(at, error).map(|()| false);
                }
            }
            rest = next.rest;
        }
        Ok(false)
    }

    /// A move that is none ends a variation, or the game.
    fn give_up(&mut self, at: usize, error: MoveError) -> Result<(), (usize, Fault)> {
        if self.frames.len() == 1 {
            return Err((at, error.into()));
        }
        self.remark(at, format!("a variation is left out from here on: {error}"));
        self.skip_to_close();
        self.close();
        Ok(())
    }

    /// Whether a word at the beginning of a line is the first of another game, which has no tags.
    fn begins_another(&self, word: &str) -> bool {
        self.frames.len() == 1
            && self.frames[0].moves.len() > 1
            && is_first_number(word)
            && at_line_start(self.text, self.at)
            && begins_game(self.rest())
            && self
                .peek_move(self.at)
                .is_some_and(|mv| parse_ranked(&self.frames[0].position, &mv, self.ranks).is_err())
    }

    /// A variation, or a remark in parentheses: it is a variation if it begins with a move.
    fn open(&mut self) {
        let at = self.at;
        let after = at + self.rest().chars().next().map_or(0, char::len_utf8);
        let before = self.frames.last().and_then(Frame::before);
        let first = before.as_ref().zip(self.peek_move(after));
        let first = first.map(|(before, word)| parse_ranked(before, &word, self.ranks));
        match (before, first) {
            (Some(before), Some(Ok(_))) => {
                self.at = after;
                if self.frames.len() > DEEPEST {
                    self.remark(at, format!("a variation more than {DEEPEST} deep is left out"));
                    self.skip_to_close();
                } else {
                    self.frames.push(Frame::new(before, at));
                }
            }
            (
                _,
                Some(Err(error @ (MoveError::Impossible { .. } | MoveError::Ambiguous { .. }))),
            ) => {
                self.at = after;
                self.remark(at, format!("a variation is left out: {error}"));
                self.skip_to_close();
            }
            _ => {
                self.at = after;
                let inside = self.skip_to_close();
                self.comment(inside.trim());
            }
        }
    }

    /// Ends the variation that is open.
    fn close(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        frame.settle();
        let Some(parent) = self.frames.last_mut() else { return };
        let Some(instead) = parent.moves.last_mut() else { return };
        if frame.moves.is_empty() {
            if !frame.preface.is_empty() {
                parent.comments.push(frame.preface);
            }
            return;
        }
        // What might replace its first move might as well replace the parent's.
        let others = std::mem::take(&mut frame.moves[0].variations);
        instead.variations.push(Variation { preface: frame.preface, moves: frame.moves });
        instead.variations.extend(others);
    }

    fn finish(mut self) -> Movetext {
        while self.frames.len() > 1 {
            let at = self.frames.last().map_or(0, |frame| frame.at);
            if self.read.fault.is_none() {
                self.remark(at, "a variation that begins here has no end".into());
            }
            self.close();
        }
        if let Some(mut main) = self.frames.pop() {
            main.settle();
            self.read.preface = main.preface;
            self.read.moves = main.moves;
        }
        self.read.end = self.at;
        self.read
    }

    fn comment(&mut self, text: &str) {
        if let Some(frame) = self.frames.last_mut() {
            frame.comments.push(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
    }

    /// A mark by its number.
    fn mark(&mut self) {
        let at = self.at;
        let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
        let word = self.take(1 + digits);
        match word[1..].parse() {
            Ok(mark) => self.mark_move(at, word, mark),
            Err(_) => self.leave_out_mark(at, word),
        }
    }

    /// Puts a mark to the last move, which may have it already in another spelling.
    fn mark_move(&mut self, at: usize, word: &str, mark: u8) {
        let played = self.frames.last_mut().and_then(|frame| frame.moves.last_mut());
        match played {
            Some(played) if played.marks.contains(&mark) => {}
            Some(played) if played.marks.len() < 8 => played.marks.push(mark),
            _ => self.leave_out_mark(at, word),
        }
    }

    fn leave_out_mark(&mut self, at: usize, word: &str) {
        self.remark(at, format!("the mark `{}` is left out", quote(word)));
    }

    /// The length of words that say who gives up, of which the result is taken.
    fn resignation(&mut self) -> Option<usize> {
        // No longer than such words are.
        let rest = self.rest();
        let near = &rest[..rest.floor_char_boundary(LONGEST_RESIGNATION)];
        let line = &near[..line_length(near)];
        let ends = |c: char| c.is_whitespace() || "{}();,，、。；（）".contains(c);
        let mut cuts = line.match_indices(ends).map(|(at, _)| at).chain([line.len()]);
        let (length, who) =
            cuts.by_ref().take(2).find_map(|cut| Some((cut, resigns(&line[..cut])?)))?;
        if let [main] = &self.frames[..] {
            let loser = who.unwrap_or(main.position.side());
            self.read.result = Some(GameResult::won_by(!loser));
        }
        Some(length)
    }

    /// Takes a comment in braces with them; other braces in it come in pairs, or the first that
    /// closes ends it.
    fn braces(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if !self.closed_braces {
            return None;
        }
        let end = self.paired(rest, '{', '}').or_else(|| rest.find('}'));
        self.closed_braces = end.is_some();
        let end = end?;
        Some(self.take(end + 1)[1..end].trim())
    }

    /// Where the brace that begins a text is closed again.
    fn paired(&mut self, text: &str, open: char, close: char) -> Option<usize> {
        if !self.nested_braces {
            return None;
        }
        let mut depth = 0_usize;
        for (at, c) in text.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        self.nested_braces = false;
        None
    }

    /// Passes over the rest of what is in parentheses, and over the one that closes it.
    fn skip_to_close(&mut self) -> &'t str {
        let from = self.at;
        let mut depth = 1_usize;
        while let Some(c) = self.rest().chars().next() {
            let here = self.at;
            match c {
                '(' | '（' => depth += 1,
                ')' | '）' => depth -= 1,
                '{' if self.braces().is_some() => continue,
                _ => {}
            }
            self.take(c.len_utf8());
            if depth == 0 {
                return &self.text[from..here];
            }
        }
        self.remark(from, "what begins with a `(` here has no end".into());
        &self.text[from..]
    }

    /// The first move that stands behind a place, numbers and comments before it passed over.
    fn peek_move(&self, from: usize) -> Option<String> {
        let mut rest = &self.text[from..];
        for _ in 0..MOST_PEEKED {
            rest = rest.trim_start_matches(is_blank);
            if rest.starts_with('{') {
                rest = &rest[rest.find('}')? + 1..];
                continue;
            }
            let ends = |c: char| c.is_whitespace() || "{}();,，、。；（）".contains(c);
            let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
            if word.is_empty() {
                let c = rest.chars().next()?;
                if "{}();（）".contains(c) {
                    return None;
                }
                rest = &rest[c.len_utf8()..];
                continue;
            }
            if let Some(found) = first_move(word) {
                return Some(found.text.into_owned());
            }
            rest = &rest[word.len()..];
        }
        None
    }

    fn remark(&mut self, at: usize, what: String) {
        if self.read.remarks.len() < MOST_REMARKS {
            self.read.remarks.push((at, what));
        }
    }

    /// Passes over blanks and over lines that are escaped with `%`.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            self.take(rest.find(|c| !is_blank(c)).unwrap_or(rest.len()));
            if !(self.rest().starts_with('%') && at_line_start(self.text, self.at)) {
                break;
            }
            self.take(line_length(self.rest()));
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let taken = &self.text[self.at..self.at + bytes];
        self.at += bytes;
        taken
    }
}

/// Whether a word is the number of the first round, perhaps with its move.
fn is_first_number(word: &str) -> bool {
    let rest = word.strip_prefix(['1', '１']);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '．', '、', '。']))
}

/// Whether a text begins like a game from the start position: with the number of the first round and
/// a move that is one there.
pub(in crate::games) fn begins_game(text: &str) -> bool {
    let text = text.trim_start_matches(is_blank);
    let word = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
    if !is_first_number(word) {
        return false;
    }
    let parser = Parser {
        text,
        at: 0,
        ranks: Ranks::default(),
        frames: Vec::new(),
        read: Movetext::default(),
        count: 0,
        nested_braces: true,
        closed_braces: true,
    };
    let start = Position::start();
    parser.peek_move(0).is_some_and(|word| {
        [Ranks::FromZero, Ranks::FromOne]
            .into_iter()
            .any(|ranks| parse_ranked(&start, &word, ranks).is_ok())
    })
}

/// A byte order mark is no text, wherever it stands.
pub(in crate::games) fn is_blank(c: char) -> bool {
    // The last one ends texts of DOS.
    c.is_whitespace() || matches!(c, '\u{feff}' | '\0' | '\u{1a}')
}

/// Whether nothing but blanks stands before a place in its line.
pub(super) fn at_line_start(text: &str, at: usize) -> bool {
    text[..at]
        .chars()
        .rev()
        .find(|&c| matches!(c, '\n' | '\r') || !is_blank(c))
        .is_none_or(|c| matches!(c, '\n' | '\r'))
}

/// Bytes of a line without its end.
pub(super) fn line_length(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}
