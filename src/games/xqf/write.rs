//! Writing XQF, in the last version that is not enciphered, which every program reads.

use super::{FROM_OFFSET, HEAD, LONGEST_TITLE, MAGIC, TEXTS, TO_OFFSET, at};
use crate::{
    games::{
        Game, Played, Variation,
        board::{ROSTER, man},
    },
    notation::{
        GameResult,
        text::{Encoding, encode},
    },
    types::{Color, Square},
};

/// Off the board.
const NOWHERE: u8 = 0xFF;
/// What the entry of the start has in the place of points.
const START: [u8; 2] = [0x18, 0x20];

/// Why a game is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum XqfError {
    /// Nobody writes comments that long.
    #[error("a comment of {0} bytes does not fit into XQF")]
    Comment(usize),
}

/// The game as a file has it: main line, comments and variations. [`lost`] tells what it has no place
/// for.
///
/// # Errors
/// When a comment is longer than XQF can tell.
pub fn write(game: &Game) -> Result<Vec<u8>, XqfError> {
    let mut bytes = head(game);
    put(&mut bytes, START, !game.moves.is_empty(), false, 0xFF, &game.preface)?;
    line(&mut bytes, &game.moves, false, "")?;
    Ok(bytes)
}

/// What of a game XQF has no place for, if there is anything.
pub fn lost(game: &Game) -> Option<String> {
    fn has_marks(moves: &[Played]) -> bool {
        let inner = |played: &Played| played.variations.iter().any(|inner| has_marks(&inner.moves));
        moves.iter().any(|played| !played.marks.is_empty() || inner(played))
    }
    let mut lost: Vec<String> = Vec::new();
    for (index, (name, value)) in game.tags.iter().enumerate() {
        let again = game.tags[..index].iter().any(|(known, _)| known == name);
        let room = TEXTS.iter().find(|(known, ..)| known == name && !again);
        match room.map(|&(name, _, width)| room_of(game, name, width)) {
            Some(room) if encoded(value, usize::MAX).len() <= room => {}
            Some(1..) => lost.push(format!("the end of {name}")),
            Some(0) | None => lost.push(name.clone()),
        }
    }
    if game.start.clock() > 0 {
        lost.push("the moves since the last capture before it begins".into());
    }
    if game.start.number() > 1 {
        lost.push("the number of its first move".into());
    }
    lost.extend(has_marks(&game.moves).then(|| "marks of moves".into()));
    (!lost.is_empty()).then(|| lost.join(", "))
}

/// The bytes that there are for a text of the head.
fn room_of(game: &Game, name: &str, width: usize) -> usize {
    let title = || encoded(game.tag("Title").unwrap_or_default(), LONGEST_TITLE).len();
    match name {
        "Title" => LONGEST_TITLE,
        "Title2" if title() > 63 => 0,
        _ => width - 1,
    }
}

fn head(game: &Game) -> Vec<u8> {
    let mut head = vec![0; HEAD];
    head[..2].copy_from_slice(MAGIC);
    head[at::VERSION] = super::LAST_PLAIN;
    let mut men = [NOWHERE; 32];
    for square in Square::ALL {
        let Some(piece) = game.start.piece_at(square) else { continue };
        let free = (0..ROSTER.len()).find(|&slot| man(slot) == Some(piece) && men[slot] == NOWHERE);
        if let Some(slot) = free {
            men[slot] = number(square);
        }
    }
    head[at::MEN..at::MEN + 32].copy_from_slice(&men);
    head[at::MOVER] = u8::from(game.start.side() == Color::Black);
    head[at::RESULT] = match game.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    for (name, at, width) in TEXTS {
        let most = room_of(game, name, width);
        if most == 0 {
            continue;
        }
        let text = encoded(game.tag(name).unwrap_or_default(), most);
        head[at] = text.len() as u8;
        head[at + 1..=at + text.len()].copy_from_slice(&text);
    }
    head
}

/// As much of a text as fits, in whole characters.
fn encoded(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for c in text.chars() {
        let encoded = encode(c.encode_utf8(&mut [0; 4]), Encoding::Gb18030).into_owned();
        if bytes.len() + encoded.len() > most {
            break;
        }
        bytes.extend(encoded);
    }
    bytes
}

fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// Writes a line of moves; `sibling`: its first move is not the last alternative.
fn line(
    bytes: &mut Vec<u8>,
    moves: &[Played],
    sibling: bool,
    preface: &str,
) -> Result<(), XqfError> {
    // Alternatives stand behind all that follows the move they replace.
    let mut waiting: Vec<&[Variation]> = Vec::new();
    for (ply, played) in moves.iter().enumerate() {
        let from = number(played.mv.from()).wrapping_add(FROM_OFFSET);
        let to = number(played.mv.to()).wrapping_add(TO_OFFSET);
        let mut comment = played.note.to_string();
        if ply == 0 && !preface.is_empty() {
            comment =
                if comment.is_empty() { preface.into() } else { format!("{preface}\n{comment}") };
        }
        let siblings = !played.variations.is_empty() || ply == 0 && sibling;
        put(bytes, [from, to], ply + 1 < moves.len(), siblings, 0, &comment)?;
        waiting.push(&played.variations);
    }
    for variations in waiting.into_iter().rev() {
        for (index, variation) in variations.iter().enumerate() {
            let more = index + 1 < variations.len();
            line(bytes, &variation.moves, more, &variation.preface)?;
        }
    }
    Ok(())
}

fn put(
    bytes: &mut Vec<u8>,
    points: [u8; 2],
    has_child: bool,
    has_sibling: bool,
    filler: u8,
    comment: &str,
) -> Result<(), XqfError> {
    let text = encode(&comment.replace('\n', "\r\n"), Encoding::Gb18030).into_owned();
    let length = u32::try_from(text.len()).map_err(|_| XqfError::Comment(text.len()))?;
    let flags = if has_child { 0xF0 } else { 0 } | if has_sibling { 0x0F } else { 0 };
    bytes.extend(points);
    bytes.extend([flags, filler]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(text);
    Ok(())
}
