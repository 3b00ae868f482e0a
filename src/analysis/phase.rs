//! Which phase of a game a position belongs to, by the men that are left.

use super::Phase;
use crate::{
    position::Position,
    types::{Color, Kind},
};

/// An opening has not lasted longer than this.
const OPENING_PLIES: usize = 24;

/// The phase that a position belongs to after so many plies. Of the twelve rooks, cannons and
/// knights that a game begins with, an opening still has ten, an endgame no more than five.
pub(super) fn phase(position: &Position, plies: usize) -> Phase {
    let of = |color: Color| -> u32 {
        let kinds = [Kind::Rook, Kind::Cannon, Kind::Knight].into_iter();
        kinds.map(|kind| position.pieces(color, kind).count()).sum()
    };
    match of(Color::Red) + of(Color::Black) {
        0..=5 => Phase::Endgame,
        10.. if plies <= OPENING_PLIES => Phase::Opening,
        _ => Phase::Middlegame,
    }
}
