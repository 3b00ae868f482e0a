//! From a score to chances: the one place where this module turns values into anything else.

use crate::{
    position::Position,
    types::{Color, Score, Value, score::UCI_HUNDRED},
};

/// How fast the chance to win grows around an even one.
const WIN_SLOPE: f64 = 90.0;

/// Per mille of games that Red wins, that are drawn and that Black wins with a score of the side to
/// move.
pub fn chances(position: &Position, score: Score) -> [u32; 3] {
    let win = |value: Value| {
        let odds = (f64::from(UCI_HUNDRED - value) / WIN_SLOPE).exp();
        (1000.0 / (1.0 + odds)).round() as u32
    };
    let (win, loss) = match score {
        Score::Value(value) => (win(value), win(-value)),
        Score::Mate(plies) if plies > 0 => (1000, 0),
        Score::Mate(_) => (0, 1000),
    };
    let draw = 1000 - win - loss;
    match position.side() {
        Color::Red => [win, draw, loss],
        Color::Black => [loss, draw, win],
    }
}

/// A value of the side to move in the points of UCI, for Red.
pub fn points(position: &Position, value: Value) -> i32 {
    let points = value * 100 / UCI_HUNDRED;
    if position.side() == Color::Red { points } else { -points }
}

/// What chances are worth to a side, in points of 100: a won game counts 100, a drawn one 50.
pub fn expected(chances: [u32; 3], side: Color) -> f64 {
    let [red, draw, black] = chances.map(f64::from);
    let won = if side == Color::Red { red } else { black };
    (won + draw / 2.0) / 10.0
}
