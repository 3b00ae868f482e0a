//! ICCS, `H2-E2`: points of the board, whatever stands on them; and its relatives that count ranks
//! from 1, `h3-e3`, `b10c8`.

use super::Ranks;
use crate::types::{Move, Square};

/// Writes a move as PGN does, in capitals and with a hyphen.
pub(super) fn print(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Reads a move in either case, with or without `-`, `x` or `:` in the middle.
pub(super) fn read(text: &str, ranks: Ranks) -> Option<Move> {
    let (from, rest) = point(text.as_bytes(), ranks)?;
    let between = |byte: &u8| matches!(byte, b'-' | b'x' | b'X' | b':');
    let rest = if rest.first().is_some_and(between) { &rest[1..] } else { rest };
    let (to, rest) = point(rest, ranks)?;
    if rest.is_empty() { Move::new(from, to) } else { None }
}

fn point(text: &[u8], ranks: Ranks) -> Option<(Square, &[u8])> {
    let [file @ (b'a'..=b'i' | b'A'..=b'I'), rest @ ..] = text else { return None };
    let (rank, rest) = match rest {
        [b'1', b'0', rest @ ..] if ranks == Ranks::FromOne => (10, rest),
        [digit @ b'0'..=b'9', rest @ ..] => (digit - b'0', rest),
        _ => return None,
    };
    let file = file.to_ascii_lowercase() - b'a';
    let rank = rank.checked_sub(ranks.first())?;
    Some((Square::at(file as i8, rank as i8)?, rest))
}
