//! The Asian rules of repetition: perpetual check, then perpetual chase of a rook pinned by a
//! horse, then any other perpetual chase. Threats of mate (杀) are allowed and not looked at.

use super::{Line, Verdict, chase, threat};
use crate::{
    position::{Position, Unobserved, attacks},
    rules::Judgement,
    types::{Bitboard, Color, Kind, Move},
};

/// How grave a side's chasing is.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Chase {
    /// It attacks no man with every move.
    None,
    /// It attacks one man with every move.
    Man,
    /// And that man is each time a rook that cannot leave, for it hobbles a horse.
    PinnedRook,
}

/// Judges the last `window` plies, which lead from a position back to itself.
pub(super) fn verdict(line: &Line, window: usize) -> Verdict {
    chase::verdict(line, window, |side| gravity(line, window, side))
}

/// The verdict with its grounds.
pub(super) fn judgement(line: &Line, window: usize) -> Judgement {
    chase::judgement(line, window, verdict(line, window), threat::newly_attacked)
}

fn gravity(line: &Line, window: usize, side: Color) -> Chase {
    if !chase::perpetual(line, window, side, threat::newly_attacked) {
        Chase::None
    } else if chase::perpetual(line, window, side, newly_attacked_pinned_rooks) {
        Chase::PinnedRook
    } else {
        Chase::Man
    }
}

fn newly_attacked_pinned_rooks(before: &mut Position, mv: Move, candidates: Bitboard) -> Bitboard {
    let (hunter, victim) = (before.side(), !before.side());
    let undo = before.make(mv, &mut Unobserved);
    // A horse's leg is a corner of the point it attacks: who stands there holds the check up.
    let knights_without = |leg| {
        attacks::knights_to(before.king(victim), before.occupied() & !Bitboard::of(leg))
            & before.pieces(hunter, Kind::Knight)
    };
    let rooks = candidates & before.pieces(victim, Kind::Rook);
    let pinned = rooks.into_iter().filter(|&rook| !knights_without(rook).is_empty()).collect();
    before.unmake(mv, &undo);
    threat::newly_attacked(before, mv, pinned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Book, Ruleset};

    fn red_chases(fen: &str) -> Chase {
        let start = Position::from_fen(fen).unwrap();
        let mut line = Line::under(Ruleset::of(Book::Asian), start);
        for mv in ["b6b8", "f9e8", "b8b6", "e8f9"].repeat(2) {
            line.play(mv.parse().unwrap()).unwrap();
        }
        gravity(&line, 8, Color::Red)
    }

    #[test]
    fn chasing_a_rook_that_hobbles_a_horse_before_its_king_is_graver() {
        assert_eq!(red_chases("4ka3/C4rN2/9/1R7/9/9/9/9/9/3K5 w"), Chase::PinnedRook);
        assert_eq!(red_chases("4ka3/C4rP2/9/1R7/9/9/9/9/9/3K5 w"), Chase::Man);
        assert_eq!(red_chases("4ka3/C5P1r/9/1R7/9/9/9/9/9/3K5 w"), Chase::None);
        assert!(Chase::None < Chase::Man && Chase::Man < Chase::PinnedRook);
    }
}
