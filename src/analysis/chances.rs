//! From a score to chances: the one place where this module turns values into anything else.

use crate::{
    position::Position,
    types::{Color, Score, Value, scale::Chances},
};

/// Per mille of games that Red wins, that are drawn and that Black wins with a score of the side to
/// move.
pub fn chances(position: &Position, score: Score) -> [u32; 3] {
    let [win, draw, loss] = meaning(position).per_mille(score);
    match position.side() {
        Color::Red => [win, draw, loss],
        Color::Black => [loss, draw, win],
    }
}

/// A value of the side to move in the points of UCI, for Red.
pub fn points(position: &Position, value: Value) -> i32 {
    let points = meaning(position).uci(value);
    if position.side() == Color::Red { points } else { -points }
}

fn meaning(position: &Position) -> Chances {
    Chances::with(position.occupied().count())
}

/// What chances are worth to a side, in points of 100: a won game counts 100, a drawn one 50.
pub fn expected(chances: [u32; 3], side: Color) -> f64 {
    let [red, draw, black] = chances.map(f64::from);
    let won = if side == Color::Red { red } else { black };
    (won + draw / 2.0) / 10.0
}
