//! Where games begin: a few random moves from the start, or with few men left. Knows chance and
//! what is legal.

use super::plan::SelfplayPlan;
use crate::{
    position::{Position, Unobserved},
    types::{Kind, Move, SplitMix64, Square},
};

/// Fewest and most men that a game with few men begins with, the kings among them.
const FEW: (usize, usize) = (5, 12);

/// A random start and the random moves that follow it; nothing where they lead to the end.
pub(super) fn draw(plan: &SelfplayPlan, rng: &mut SplitMix64) -> Option<(Position, Vec<Move>)> {
    let few = chance(plan.few_men, rng);
    let start = if few { thinned(rng)? } else { Position::start() };
    let plies = if few { 0 } else { plan.opening_plies + rng.below(2) };
    let mut position = start.clone();
    let mut opening = Vec::with_capacity(plies);
    for _ in 0..plies {
        let mv = random_move(&position, rng)?;
        position.make(mv, &mut Unobserved);
        opening.push(mv);
    }
    (!position.is_lost()).then_some((start, opening))
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

/// A position of many random moves with most men taken off, if it is a position then.
fn thinned(rng: &mut SplitMix64) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..40 + rng.below(60) {
        let mv = random_move(&position, rng)?;
        position.make(mv, &mut Unobserved);
    }
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
    Position::from_fen(&format!("{board}{side}")).ok().filter(Position::can_be_won)
}
