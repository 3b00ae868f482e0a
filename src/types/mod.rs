//! The vocabulary: pure values that every other module speaks in. Knows no rules and no state.

mod bitboard;
mod color;
mod list;
mod moves;
mod piece;
mod rng;
pub mod scale;
pub mod score;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use list::{MAX_MOVES, MoveList};
pub use moves::Move;
pub use piece::{Kind, Piece};
pub use rng::SplitMix64;
pub use score::{Bound, Score, Value};
pub use square::Square;

/// A word that does not name what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Not a file a–i and a rank 0–9.
    #[error("`{0}` is not a square (a0 to i9)")]
    Square(String),
    /// Not two different squares.
    #[error("`{0}` is not a move (such as h2e2)")]
    Move(String),
}
