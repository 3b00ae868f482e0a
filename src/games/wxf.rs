//! Files of the World Xiangqi Federation, as PlayOK and XieXie write them: words in capitals before
//! each value, moves between `START{` and `}END`.

use super::{
    Fault, Found, GameError,
    board::{Board, point},
    fen,
    lines::{Chunk, Lines, MOST},
    pgn::best_reading,
    text::{Draft, lines_before, trimmed, unknown_characters},
};
use crate::{
    games::Game,
    notation::{GameResult, quote},
    position::Position,
    types::{Color, Piece},
};

/// What begins the moves.
pub(super) const START: &str = "START{";
const END: &str = "}END";
/// The word that begins a game.
const FORMAT: &[u8] = b"FORMAT";

/// Whether a line begins a game.
pub(super) fn begins(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.strip_prefix(FORMAT).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// The games of a file.
pub(super) struct Games {
    lines: Lines,
    number: usize,
    done: bool,
}

impl Games {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, number: 0, done: false }
    }
}

impl Iterator for Games {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.lines.chunk(|line, _| begins(line)) {
                Ok(Some(chunk)) => {
                    let text = self.lines.decoder.decode(&chunk.bytes);
                    if let Some(draft) = read(&chunk, &text) {
                        self.number += 1;
                        return Some(draft.finish(self.number));
                    }
                }
                Ok(None) => self.done = true,
                Err(error) => {
                    self.done = true;
                    return Some(Err(self.lines.broken(self.number + 1, error)));
                }
            }
        }
        None
    }
}

fn read(chunk: &Chunk, text: &str) -> Option<Draft> {
    // Comments in braces, of the same length, so that places stay.
    let text = text.replace("/*", "{ ").replace("*/", " }");
    let line_of = |at: usize| chunk.line + lines_before(&text, at);
    if text.trim().is_empty() {
        return None;
    }
    let moves_at = text.find(START);
    let mut draft = Draft {
        game: Game::new(Position::start()),
        line: line_of(text.len() - text.trim_start().len()),
        fault: None,
        remarks: Vec::new(),
    };
    let head = &text[..moves_at.unwrap_or(text.len())];
    if let Err((at, fault)) = read_head(head, &mut draft) {
        draft.fault = Some((line_of(at), fault));
        return Some(draft);
    }
    let Some(moves_at) = moves_at else {
        draft.fault = Some((line_of(text.len()), Fault::Truncated));
        return Some(draft);
    };
    let from = moves_at + START.len();
    let rest = &text[from..];
    let (end, closed) = match rest.find(END) {
        Some(end) => (end, true),
        None => match rest.trim_end().strip_suffix('}') {
            Some(body) => (body.len(), true),
            None => (rest.len(), false),
        },
    };
    let has_fen = draft.game.start != Position::start();
    let (mut moves, start) = best_reading(&text[..from + end], from, &draft.game.start, has_fen);
    if start.side() != draft.game.start.side() {
        let what =
            format!("the file says that {} moves first, but {} does", !start.side(), start.side());
        draft.remarks.push((draft.line, what));
        draft.game.start = start;
    }
    if !moves.preface.is_empty() {
        if !draft.game.preface.is_empty() {
            draft.game.preface.push('\n');
        }
        draft.game.preface += &moves.preface;
    }
    draft.game.moves = std::mem::take(&mut moves.moves);
    if let Some(result) = moves.result {
        draft.game.result = result;
    }
    draft.remarks.extend(moves.remarks.into_iter().map(|(at, what)| (line_of(at), what)));
    draft.fault = moves.fault.map(|(at, fault)| (line_of(at), fault));
    if draft.fault.is_none() && !closed {
        draft.fault = Some((line_of(text.len()), Fault::Truncated));
    }
    if chunk.cut {
        draft.fault = Some((chunk.line, Fault::TooLong(MOST as u64)));
    }
    if let Some((line, what)) = unknown_characters(&text) {
        draft.remarks.push((chunk.line + line, what));
    }
    Some(draft)
}

fn read_head(head: &str, draft: &mut Draft) -> Result<(), (usize, Fault)> {
    let mut plain = head.to_owned();
    // Comments, and the list of men of a position.
    let mut setup = None;
    while let Some(open) = plain.find('{') {
        let length = plain[open..].find('}').ok_or((open, Fault::Unclosed("comment")))?;
        let inside = plain[open + 1..open + length].to_owned();
        let word_at = plain[..open].trim_end().len();
        if plain[..word_at].ends_with("SETUP") {
            setup = Some((open, inside));
            blank_out(&mut plain, word_at - "SETUP".len(), open + length + 1);
        } else {
            let comment = trimmed(&inside);
            let preface = &mut draft.game.preface;
            if !preface.is_empty() && !comment.is_empty() {
                preface.push('\n');
            }
            *preface += &comment;
            blank_out(&mut plain, open, open + length + 1);
        }
    }
    let game = &mut draft.game;
    if let Some((at, men)) = setup {
        game.start = read_setup(&men).map_err(|fault| (at, fault))?;
    }
    let mut at = 0;
    for line in plain.split_inclusive(['\n', '\r']) {
        let here = at;
        at += line.len();
        let line = line.trim();
        let (word, value) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
        let value = value.trim();
        match word.to_ascii_uppercase().as_str() {
            "" | "FORMAT" => {}
            side @ ("RED" | "BLACK") => {
                let names = if side == "RED" {
                    ["Red", "RedElo", "RedTeam"]
                } else {
                    ["Black", "BlackElo", "BlackTeam"]
                };
                for (name, value) in names.into_iter().zip(value.split(';')) {
                    game.add_tag(name, value);
                }
            }
            "FEN" if !value.is_empty() => {
                game.start = fen::read(value).map_err(|error| (here, error.into()))?;
            }
            "RESULT" => game.result = GameResult::from_token(value).unwrap_or_default(),
            word if !word.bytes().all(|byte| byte.is_ascii_uppercase()) => {
                let line = draft.line + lines_before(head, here);
                draft.remarks.push((line, format!("`{}` is left out", quote(word))));
            }
            "GAME" => game.add_tag("Title", value),
            word => game.add_tag(&(word[..1].to_owned() + &word[1..].to_ascii_lowercase()), value),
        }
    }
    Ok(())
}

/// Men as `Ke1`, a letter in capitals for Red, and who is to move.
fn read_setup(text: &str) -> Result<Position, Fault> {
    let mut board = Board::new();
    let mut side = Color::Red;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "RED" => side = Color::Red,
            "BLACK" => side = Color::Black,
            "MOVE" => {
                words.next();
            }
            word => {
                let bad = || Fault::Damaged(format!("`{}` is no man on a point", quote(word)));
                let &[man, file, rank] = word.as_bytes() else { return Err(bad()) };
                let man = Piece::from_letter(char::from(man)).ok_or_else(bad)?;
                let square = point(file.wrapping_sub(b'a'), rank.wrapping_sub(b'0'));
                board.put(man, square.ok_or_else(bad)?);
            }
        }
    }
    Ok(board.position(side, 1)?)
}

/// Puts blanks in the place of everything but the ends of lines.
fn blank_out(text: &mut String, from: usize, to: usize) {
    let blanks: String = text[from..to]
        .bytes()
        .map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' })
        .collect();
    text.replace_range(from..to, &blanks);
}
