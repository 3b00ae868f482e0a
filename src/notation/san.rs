//! Reading the notation of international chess, `Chg2`, `cxd6`, `Rh10`, which programs for many games
//! write: the man's letter, as much of where it comes from as is needed, where it goes.
//!
//! Pawns have no letter or a `P`. Ranks are counted from 0 (XBoard) or from 1 (PyChess), which only
//! the whole game tells.

use super::{MoveError, Ranks};
use crate::{
    position::Position,
    types::{Kind, Move, Square},
};

/// A move as it is written, without check marks.
pub(super) struct San {
    kind: Kind,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
}

impl San {
    pub(super) fn read(text: &str, ranks: Ranks) -> Option<Self> {
        let mut rest = text.as_bytes();
        let kind = match rest.first()? {
            b'K' => Some(Kind::King),
            b'A' => Some(Kind::Advisor),
            b'B' | b'E' | b'M' => Some(Kind::Bishop),
            b'N' | b'H' => Some(Kind::Knight),
            b'R' => Some(Kind::Rook),
            b'C' => Some(Kind::Cannon),
            b'P' | b'S' => Some(Kind::Pawn),
            _ => None,
        };
        if kind.is_some() {
            rest = &rest[1..];
        }
        let to_rank = take_rank(&mut rest, ranks)?;
        let to_file = take_file(&mut rest)?;
        if let [before @ .., b'x' | b':' | b'-'] = rest {
            rest = before;
        }
        let rank = take_rank(&mut rest, ranks);
        let file = take_file(&mut rest);
        let to = Square::at(to_file as i8, to_rank as i8)?;
        rest.is_empty().then_some(Self { kind: kind.unwrap_or(Kind::Pawn), file, rank, to })
    }

    /// The one legal move that is meant.
    pub(super) fn resolve(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let men = position.pieces(position.side(), self.kind).into_iter();
        let meant: Vec<_> = men
            .filter(|from| self.file.is_none_or(|file| from.file() == file))
            .filter(|from| self.rank.is_none_or(|rank| from.rank() == rank))
            .filter_map(|from| Move::new(from, self.to))
            .collect();
        let moves: Vec<_> = meant.iter().copied().filter(|&mv| position.is_legal(mv)).collect();
        match moves[..] {
            [mv] => Ok(mv),
            [] => Err(MoveError::Impossible { text: text.into(), meant }),
            _ => Err(MoveError::Ambiguous { text: text.into(), moves }),
        }
    }
}

/// Takes the number of a rank from the end.
fn take_rank(rest: &mut &[u8], ranks: Ranks) -> Option<u8> {
    let (number, before) = match *rest {
        [before @ .., b'1', b'0'] if ranks == Ranks::FromOne => (10, before),
        [before @ .., digit @ b'0'..=b'9'] => (digit - b'0', before),
        _ => return None,
    };
    // A rank that does not exist is left, so that nothing is read of a move with one.
    let rank = number.checked_sub(ranks.first())?;
    *rest = before;
    Some(rank)
}

/// Takes the letter of a file from the end.
fn take_file(rest: &mut &[u8]) -> Option<u8> {
    let [before @ .., letter @ b'a'..=b'i'] = *rest else { return None };
    *rest = before;
    Some(letter - b'a')
}
