//! The evaluation by a network: two views of the board, one hidden layer, and outputs by the
//! number of men. Knows how to follow a game; the search decides when to ask.

mod accumulator;
pub mod features;
mod forward;
pub mod network;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use network::{Network, NetworkError, Parts, Shape};

use super::Evaluator;
use crate::{
    position::{Observer, Position},
    types::{Color, Piece, Square, Value},
};
use accumulator::Accumulators;

/// A network following a game.
#[derive(Clone, Debug)]
pub struct Nnue {
    network: Arc<Network>,
    accumulators: Accumulators,
}

impl Nnue {
    /// A network that has seen no position yet.
    pub fn new(network: Arc<Network>) -> Self {
        Self { accumulators: Accumulators::new(&network), network }
    }

    /// The value of a single position for the side to move.
    pub fn value(network: &Arc<Network>, position: &Position) -> Value {
        let mut nnue = Self::new(Arc::clone(network));
        nnue.reset(position);
        nnue.evaluate(position)
    }
}

impl Observer for Nnue {
    #[inline]
    fn put(&mut self, piece: Piece, at: Square) {
        self.accumulators.put(piece, at);
    }

    #[inline]
    fn take(&mut self, piece: Piece, at: Square) {
        self.accumulators.take(piece, at);
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, position: &Position) {
        self.accumulators.reset(Color::ALL.map(|side| position.king(side)), &self.network);
    }

    #[inline]
    fn push(&mut self) {
        self.accumulators.push(&self.network);
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        let rows = self.accumulators.rows(position, &self.network);
        let [own, other] = match position.side() {
            Color::Red => rows,
            Color::Black => [rows[1], rows[0]],
        };
        forward::value(&self.network, own, other, position.occupied().count() as usize)
    }
}
