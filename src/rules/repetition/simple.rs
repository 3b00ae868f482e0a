//! The rules of the engines' league: perpetual check, and perpetual chase by what the moved men
//! themselves attack. Pins are not looked at, and men of one kind never chase each other.

use super::{Line, Verdict, chase, threat};
use crate::{
    position::{Position, Unobserved},
    rules::Judgement,
    types::{Bitboard, Move, Piece, Square},
};

/// Judges the last `window` plies, which lead from a position back to itself.
pub(super) fn verdict(line: &Line, window: usize) -> Verdict {
    chase::verdict(line, window, |side| chase::perpetual(line, window, side, attacked_by_mover))
}

/// The verdict with its grounds.
pub(super) fn judgement(line: &Line, window: usize) -> Judgement {
    chase::judgement(line, window, verdict(line, window), attacked_by_mover)
}

/// Of the men among `candidates` those that the moved man attacks from its new place and did not
/// attack from its old one.
pub(super) fn attacked_by_mover(before: &mut Position, mv: Move, candidates: Bitboard) -> Bitboard {
    let old = attacked_from(before, mv.from(), candidates);
    let undo = before.make(mv, &mut Unobserved);
    before.make_null();
    let now = attacked_from(before, mv.to(), candidates & !old);
    before.unmake_null();
    before.unmake(mv, &undo);
    now
}

/// Of the men among `candidates` those that the man on `from`, of the side to move, threatens.
fn attacked_from(position: &mut Position, from: Square, candidates: Bitboard) -> Bitboard {
    let side = position.side();
    let candidates = candidates & threat::pieces(position, !side);
    let kind = |position: &Position, square| position.piece_at(square).map(Piece::kind);
    let threatened = |&prey: &Square| {
        let kinds = (kind(position, from), kind(position, prey));
        if kinds.0 == kinds.1 || !threat::officers_to(position, side, prey).has(from) {
            return false;
        }
        let capture = Move::between(from, prey);
        let undo = position.make(capture, &mut Unobserved);
        let won =
            threat::uneven(kinds.0, kinds.1) || threat::men_to(position, !side, prey).is_empty();
        position.unmake(capture, &undo);
        won
    };
    candidates.into_iter().filter(threatened).collect()
}
