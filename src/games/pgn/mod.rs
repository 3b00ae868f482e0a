//! PGN, the usual text form of games, as it is really written: tags in any case, one a line or many,
//! moves in any notation, comments, variations, games of several encodings in one file. [`Game::write`]
//! writes it as other programs expect it.

mod movetext;
mod tags;
mod write;

use std::{collections::VecDeque, mem};

use super::{
    Fault, Found, Game, GameError, OpenError, Reader, fen,
    lines::{Chunk, Lines, MOST, is_wide},
    text::{Draft, lines_before, unknown_characters},
};
use crate::{
    notation::{GameResult, Ranks, quote, text},
    position::Position,
    types::Color,
};

pub(super) use movetext::{Movetext, begins_game, is_blank, read as read_moves};
pub(super) use tags::{begins_bytes as begins_tag, usual_name as tag_name};

/// The games of a text that is at hand. One that is bad is told of, and those after it are read.
pub fn read(text: &str) -> impl Iterator<Item = Result<Game, GameError>> + use<> {
    let reader: Result<Reader, OpenError> = Reader::from_bytes(text.into());
    reader.into_iter().flatten().map(|found| found.map(|found| found.game))
}

/// The games of a file.
pub(super) struct Games {
    lines: Lines,
    ready: VecDeque<Draft>,
    number: usize,
    /// Comments before the first tag.
    carried: String,
    done: bool,
}

impl Games {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, ready: VecDeque::new(), number: 0, carried: String::new(), done: false }
    }

    /// Reads on up to the tags of another game, or up to where UTF-16 begins or ends.
    fn next_chunk(&mut self) -> std::io::Result<Option<Chunk>> {
        let (mut has_body, mut within_wide) = (false, false);
        let mut names = Names::default();
        self.lines.chunk(|line, first| {
            let tag = begins_tag(line);
            if first {
                within_wide = is_wide(line);
            }
            if within_wide {
                return !is_wide(line) && (tag || begins_game(&text::decode(line).0));
            }
            if is_wide(line) {
                return true;
            }
            if tag && (has_body || names.begin_another(tags::name(line))) && !first {
                return true;
            }
            has_body |= if tag { tags::has_more(line) } else { !line.trim_ascii().is_empty() };
            false
        })
    }
}

impl Iterator for Games {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done && self.ready.is_empty() {
            match self.next_chunk() {
                Ok(Some(chunk)) => {
                    let text = self.lines.decoder.decode(&chunk.bytes);
                    let (drafts, carried) = read_chunk(&chunk, &text, mem::take(&mut self.carried));
                    self.ready.extend(drafts);
                    self.carried = carried;
                }
                Ok(None) => self.done = true,
                Err(error) => {
                    self.done = true;
                    self.number += 1;
                    return Some(Err(self.lines.broken(self.number, error)));
                }
            }
        }
        self.number += 1;
        self.ready.pop_front().map(|draft| draft.finish(self.number))
    }
}

/// The games of a part of a file that has tags at its beginning at most, and the comment that belongs
/// to those after it.
fn read_chunk(chunk: &Chunk, text: &str, carried: String) -> (Vec<Draft>, String) {
    if is_wide(&chunk.bytes) {
        let (game, fault) = (Game::new(Position::start()), Some((chunk.line, Fault::Wide)));
        return (vec![Draft { game, line: chunk.line, fault, remarks: Vec::new() }], carried);
    }
    let mut drafts: Vec<Draft> = Vec::new();
    let mut carried = carried;
    let mut at = 0;
    let line_of = |at: usize| chunk.line + lines_before(text, at);
    while !text[at..].trim_start_matches(is_blank).is_empty() {
        let read = read_game(text, at);
        let bare = read.game.moves.is_empty() && read.fault.is_none() && !read.tagged;
        if bare && read.game.result == GameResult::Unknown {
            carried = join(carried, &read.game.preface);
            if read.end <= at {
                break;
            }
            at = read.end;
            continue;
        }
        let mut game = read.game;
        game.preface = join(mem::take(&mut carried), &game.preface);
        let lines = |(at, what): (usize, String)| (line_of(at), what);
        let mut remarks: Vec<_> = read.remarks.into_iter().map(lines).collect();
        let begins = line_of(read.begins);
        let fault = read.fault.map(|(at, fault)| (line_of(at), fault));
        let failed = fault.is_some();
        let next = next_game(text, read.end, failed);
        let left = text[read.end..next].trim_matches(is_blank);
        if !failed && !left.is_empty() {
            let at = read.end + text[read.end..].find(left).unwrap_or(0);
            remarks.push((line_of(at), format!("after the result is left out: `{}`", quote(left))));
        }
        drafts.push(Draft { game, line: begins, fault, remarks });
        at = next;
    }
    if let (Some((line, what)), Some(draft)) = (unknown_characters(text), drafts.first_mut()) {
        draft.remarks.push((chunk.line + line, what));
    }
    if chunk.cut {
        let fault = Some((chunk.line, Fault::TooLong(MOST as u64)));
        let game = drafts.pop().map_or_else(|| Game::new(Position::start()), |draft| draft.game);
        drafts.push(Draft { game, line: chunk.line, fault, remarks: Vec::new() });
    }
    (drafts, carried)
}

fn join(first: String, second: &str) -> String {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second.into(),
        (_, true) => first,
        _ => first + "\n" + second,
    }
}

/// Where the next game of a text begins, after the end of one or after what could not be read.
fn next_game(text: &str, from: usize, failed: bool) -> usize {
    // What follows on the same line may be tags.
    let rest = text[from..].trim_start_matches(is_blank);
    if !failed && tags::begins(rest) {
        return text.len() - rest.len();
    }
    let mut at = from;
    // A line that could not be read does not begin a game.
    let mut whole_line = !failed && movetext::at_line_start(text, from);
    while at < text.len() {
        if whole_line && (begins_game(&text[at..]) || tags::begins(&text[at..])) {
            return at;
        }
        at += movetext::line_length(&text[at..]);
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        whole_line = true;
    }
    text.len()
}

/// The names of tags of a game, of which the first one again begins another game without moves
/// between them.
#[derive(Default)]
struct Names {
    first: Option<Vec<u8>>,
    several: bool,
}

impl Names {
    /// Whether the next name is that of another game's first tag.
    fn begin_another(&mut self, name: &[u8]) -> bool {
        match &self.first {
            None => self.first = Some(name.to_vec()),
            Some(first) if first.eq_ignore_ascii_case(name) => return self.several,
            Some(_) => self.several = true,
        }
        false
    }
}

/// What was read of a game, with places as bytes of the text.
struct Read {
    game: Game,
    tagged: bool,
    begins: usize,
    end: usize,
    fault: Option<(usize, Fault)>,
    remarks: Vec<(usize, String)>,
}

fn read_game(text: &str, from: usize) -> Read {
    let mut head = Head::read(text, from);
    if let Some(fault) = head.fault.take() {
        let end = fault.0;
        return Read {
            game: head.game,
            tagged: true,
            begins: head.begins,
            end,
            fault: Some(fault),
            remarks: head.remarks,
        };
    }
    let (mut moves, start) = best_reading(text, head.end, &head.game.start, head.has_fen);
    let mut game = head.game;
    if start.side() != game.start.side() {
        let told = format!(
            "the FEN says that {} moves first, but {} does",
            game.start.side(),
            start.side()
        );
        head.remarks.push((head.begins, told));
        game.start = start;
    }
    game.preface = join(game.preface, &moves.preface);
    game.moves = mem::take(&mut moves.moves);
    if let Some(result) = moves.result.filter(|&result| result != GameResult::Unknown) {
        if ![result, GameResult::Unknown].contains(&game.result) {
            let (tag, end) = (game.result.token(), result.token());
            let told =
                format!("its tag says {tag} and its moves end with {end}, which is believed");
            head.remarks.push((head.begins, told));
        }
        game.result = result;
    }
    head.remarks.append(&mut moves.remarks);
    let (begins, tagged) = (head.begins, head.tagged);
    Read { game, tagged, begins, end: moves.end, fault: moves.fault, remarks: head.remarks }
}

/// So many moves that can be read with ranks counted from 1, and not from 0, are counted so.
const SURE: usize = 4;

/// Reads moves as far as they can be read, with ranks counted either way and, where a FEN may have
/// named the wrong one, with either side to begin.
pub(super) fn best_reading(
    text: &str,
    from: usize,
    start: &Position,
    has_fen: bool,
) -> (Movetext, Position) {
    let mut best = (read_moves(text, from, start, Ranks::FromZero), start.clone());
    let mut try_another = |start: &Position, ranks| {
        if best.0.fault.is_some() {
            let other = read_moves(text, from, start, ranks);
            // A move or two may be legal by chance; a tenth rank tells.
            let sure = ranks == Ranks::FromZero
                || other.moves.len() >= SURE
                || text[from..other.end].contains("10");
            if sure && other.moves.len() > best.0.moves.len() {
                best = (other, start.clone());
            }
        }
    };
    try_another(start, Ranks::FromOne);
    if has_fen && let Some(turned) = turned(start) {
        try_another(&turned, Ranks::FromZero);
        try_another(&turned, Ranks::FromOne);
    }
    best
}

/// The same position with the other side to move, if there is one.
pub(super) fn turned(position: &Position) -> Option<Position> {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ')?;
    let side = if position.side() == Color::Red { 'b' } else { 'w' };
    Position::from_fen(&format!("{board} {side}{}", rest.get(1..)?)).ok()
}

/// What the tag Game says in any file of games of this kind.
const GAMES: [&str; 6] = ["", "Chinese Chess", "Xiangqi", "中国象棋", "中國象棋", "象棋"];

/// What stands before the moves.
struct Head {
    game: Game,
    begins: usize,
    end: usize,
    tagged: bool,
    has_fen: bool,
    fault: Option<(usize, Fault)>,
    remarks: Vec<(usize, String)>,
}

impl Head {
    fn read(text: &str, from: usize) -> Self {
        let blank = |at: usize| text.len() - text[at..].trim_start_matches(is_blank).len();
        let begins = blank(from);
        let mut head = Self {
            game: Game::new(Position::start()),
            begins,
            end: begins,
            tagged: false,
            has_fen: false,
            fault: None,
            remarks: Vec::new(),
        };
        let mut names = Names::default();
        while text[head.end..].starts_with('[') {
            let at = head.end;
            if names.begin_another(tags::name(&text.as_bytes()[at..])) {
                break;
            }
            let Some((name, value, length)) = tags::read(&text[at..]) else {
                if !tags::begins(&text[at..]) && !movetext::at_line_start(text, at) {
                    break;
                }
                let line = &text[at..][..movetext::line_length(&text[at..])];
                head.tagged = true;
                let position = ["fen", "setup"].iter().any(|name| {
                    line[1..]
                        .trim_start()
                        .get(..name.len())
                        .is_some_and(|it| it.eq_ignore_ascii_case(name))
                });
                if position {
                    head.fault.get_or_insert((at, Fault::Tag(line.into())));
                } else {
                    let what = format!("`{}` is no tag and is left out", quote(line));
                    head.remarks.push((at, what));
                }
                head.end = blank(at + line.len());
                continue;
            };
            head.tagged = true;
            head.tag(at, tags::canonical(name), &value);
            head.end = blank(at + length);
        }
        head
    }

    fn tag(&mut self, at: usize, name: &str, value: &str) {
        match name {
            "FEN" if !value.trim().is_empty() => match fen::read(value) {
                Ok(start) => {
                    self.game.start = start;
                    self.has_fen = true;
                }
                Err(error) => {
                    self.fault.get_or_insert((at, error.into()));
                }
            },
            "Result" => match GameResult::from_token(value.trim()) {
                Some(result) => self.game.result = result,
                None if value.trim().is_empty() => {}
                None => {
                    self.remarks.push((at, format!("the result `{}` is left out", quote(value))));
                }
            },
            // What other fields tell, and what is the same in every file.
            "FEN" | "SetUp" | "Format" => {}
            "Game" if GAMES.iter().any(|game| value.trim().eq_ignore_ascii_case(game)) => {}
            name if tags::usual_name(name).is_none() => {
                let tag = format!("{name} \"{value}\"");
                self.remarks.push((at, format!("the tag `{}` is left out", quote(&tag))));
            }
            name => self.game.add_tag(name, value),
        }
    }
}

#[cfg(test)]
mod tests;
