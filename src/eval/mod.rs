//! What a position is worth. Knows positions, nothing of rules or search.

mod choice;
pub mod handcrafted;
pub mod nnue;

pub use choice::{Eval, explain};
pub use handcrafted::{Explanation, Handcrafted};
pub use nnue::{Network, Nnue};

use crate::{
    position::{Observer, Position},
    types::Value,
};

/// A judge of positions that follows a game move by move, so that it need not start afresh.
///
/// As an [`Observer`] it learns of the men that a move puts and takes. Nobody tells it when a move
/// is taken back: it keeps what it knew before each move.
pub trait Evaluator: Observer {
    /// Takes up a position from nothing.
    fn reset(&mut self, position: &Position);
    /// A move is about to be made.
    fn push(&mut self);
    /// The latest move has been taken back.
    fn pop(&mut self);
    /// The worth of the position reached, for the side to move, within
    /// [`EVAL_LIMIT`](crate::types::score::EVAL_LIMIT) either way.
    fn evaluate(&mut self, position: &Position) -> Value;
}
