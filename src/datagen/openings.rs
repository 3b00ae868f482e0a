//! Where games begin: a few random moves from the start, or a position with most men taken off.
//! Knows chance and what is legal.

use crate::{
    position::{Position, Unobserved},
    types::{Kind, Move, SplitMix64, Square},
};

/// Fewest and most men that a game with few men begins with, the kings among them.
const FEW: (usize, usize) = (5, 12);

/// So many random moves from the start; nothing where they lead to the end.
pub(super) fn random_moves(plies: usize, rng: &mut SplitMix64) -> Option<Vec<Move>> {
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let mv = random_move(&position, rng)?;
        position.make(mv, &mut Unobserved);
        moves.push(mv);
    }
    (!position.is_lost()).then_some(moves)
}

/// Whether something happens that happens in this share of cases.
pub(super) fn chance(share: f64, rng: &mut SplitMix64) -> bool {
    (rng.next() >> 11) as f64 * 2_f64.powi(-53) < share
}

/// Any legal move.
pub(super) fn random_move(position: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    moves.get(rng.below(moves.len().max(1))).copied()
}

/// A position with most men taken off, if it is one then that can be won and is not lost.
pub(super) fn thinned(position: &Position, rng: &mut SplitMix64) -> Option<Position> {
    let is_man = |at: &Square| position.piece_at(*at).is_some_and(|man| man.kind() != Kind::King);
    let mut men: Vec<_> = position.occupied().into_iter().filter(is_man).collect();
    let left = FEW.0 + rng.below(FEW.1 - FEW.0 + 1) - 2;
    while men.len() > left {
        men.swap_remove(rng.below(men.len()));
    }
    let mut board = String::new();
    for rank in (0..10).rev() {
        for file in 0..9 {
            let at = Square::at(file, rank).expect("invariant: on the board");
            let man = position.piece_at(at).filter(|_| !is_man(&at) || men.contains(&at));
            board.push(man.map_or('1', crate::types::Piece::letter));
        }
        board.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = if rng.below(2) == 0 { 'w' } else { 'b' };
    let thinned = Position::from_fen(&format!("{board}{side}")).ok();
    thinned.filter(|position| position.can_be_won() && !position.is_lost())
}
