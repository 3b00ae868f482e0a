//! What a line of a list says of where its game starts: a FEN with or without moves behind it, an EPD
//! with its operations, `position startpos moves` of a log.

use std::mem;

use super::{
    super::{Fault, fen, text::trimmed},
    Open, join,
};
use crate::{notation::GameResult, position::Position};
/// What a line says of where its game starts.
pub(super) struct Start {
    position: Position,
    doubtful_side: bool,
    moves: String,
    title: Option<String>,
    other_title: Option<String>,
    preface: String,
}

impl Start {
    /// Reads a line that begins with a position, if it does.
    pub(super) fn read(line: &str) -> Option<Result<Self, Fault>> {
        let mut rest = line;
        let mut told = false;
        for word in ["position", "fen"] {
            if let Some(after) = strip_word(rest, word) {
                (rest, told) = (after, true);
            }
        }
        if let Some(after) = strip_word(rest, "startpos") {
            let moves = strip_word(after, "moves").unwrap_or(after);
            return Some(Ok(Self::new(Position::start(), false, moves)));
        }
        let board = rest.split_whitespace().next().unwrap_or_default();
        let men = |c: char| {
            c == '/'
                || c == '*'
                || c.is_ascii_digit()
                || "rnbakcpehmgs[]".contains(c.to_ascii_lowercase())
        };
        let like_board = board.contains('/') && board.trim_end_matches(',').chars().all(men);
        if !told
            && (!like_board || GameResult::from_token(board).is_some())
            && board.matches('/').count() < 9
        {
            return None;
        }
        let end = end_of_fen(rest);
        Some(match fen::read(rest[..end].trim_end_matches([',', ' '])) {
            Err(error) => Err(error.into()),
            Ok(position) => {
                let after = rest[end..].trim_start_matches([',', ' ', '\t']);
                // What has been written for a program says who is to move.
                Ok(match strip_word(after, "moves") {
                    Some(moves) => Self::new(position, false, moves),
                    None => Self::new(position, true, after),
                })
            }
        })
    }

    fn new(position: Position, doubtful_side: bool, rest: &str) -> Self {
        let (moves, remark) =
            rest.split_once(';').map_or((rest, None), |(moves, it)| (moves, Some(it)));
        let mut start = Self {
            position,
            doubtful_side,
            moves: moves.trim().into(),
            title: None,
            other_title: None,
            preface: String::new(),
        };
        if is_operation(&start.moves) {
            // EPD: what follows the position are operations, `bm h2e2; id "x";`.
            let mut quoted = false;
            let ends = |c: char| {
                quoted ^= c == '"';
                c == ';' && !quoted
            };
            for operation in rest.split(ends).map(str::trim).filter(|it| !it.is_empty()) {
                match strip_word(operation, "id") {
                    Some(name) => start.title = Some(name.trim_matches('"').into()),
                    None => start.preface = join(mem::take(&mut start.preface), operation),
                }
            }
            start.moves.clear();
        } else if let Some(remark) = remark.map(str::trim).filter(|remark| !remark.is_empty()) {
            let (title, other) =
                remark.split_once('|').map_or((remark, None), |(a, b)| (a, Some(b)));
            if start.moves.is_empty() {
                start.title = Some(title.trim().into());
                start.other_title = other.map(|other| other.trim().into());
            } else {
                start.preface = remark.into();
            }
        }
        start
    }

    pub(super) fn put_into(self, open: &mut Open) {
        open.game.start = self.position;
        open.doubtful_side = self.doubtful_side;
        open.add(open.line, &self.moves);
        open.game.preface = trimmed(&self.preface);
        open.game.add_tag("Title", &self.title.unwrap_or_default());
        open.game.add_tag("TitleTraditional", &self.other_title.unwrap_or_default());
    }
}

/// Whether a text begins with an operation of EPD rather than with a move.
fn is_operation(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    matches!(
        word,
        "bm" | "am" | "id" | "dm" | "ce" | "acd" | "acn" | "pv" | "eco" | "hmvc" | "fmvn"
    ) || word.len() == 2
        && word.starts_with('c')
        && word.as_bytes()[1].is_ascii_digit()
        && text.contains('"')
}

/// Where the fields of a FEN end: the board, a side, then dashes and numbers. A comma ends them.
fn end_of_fen(text: &str) -> usize {
    let mut end = 0;
    for (index, word) in text.split([' ', '\t']).enumerate() {
        let bare = word.trim_end_matches([',', ';']);
        let counter =
            bare == "-" || !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        let side =
            ["w", "b", "r", "red", "black"].iter().any(|side| bare.eq_ignore_ascii_case(side));
        let field = index == 0 || word.is_empty() || counter || side && index < 4;
        if !field {
            break;
        }
        let start = end;
        end += word.len();
        if bare.len() < word.len() {
            return start + bare.len();
        }
        // The blank after it.
        end = (end + 1).min(text.len());
    }
    // Several fields stuck to a remark.
    let found = text[..end].find(';').unwrap_or(end);
    found.min(end)
}

fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let head = text.get(..word.len())?;
    let rest = &text[word.len()..];
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (head.eq_ignore_ascii_case(word) && ends).then(|| rest.trim_start())
}
