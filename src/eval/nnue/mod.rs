//! The evaluation by a network: two perspectives of the board, one hidden layer with SCReLU, and
//! output buckets. Knows how to follow a game; the search decides when to ask.

mod accumulator;
pub mod buckets;
pub mod features;
mod forward;
pub mod network;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use buckets::BucketedBy;
pub use network::{Network, NetworkError, Parameters, Shape};

use super::Evaluator;
use crate::{
    position::{Observer, Position},
    types::{Color, Piece, Square, Value},
};
use accumulator::AccumulatorStack;

/// A network following a game.
#[derive(Clone, Debug)]
pub struct Nnue {
    network: Arc<Network>,
    stack: AccumulatorStack,
}

impl Nnue {
    /// A network that has seen no position yet.
    pub fn new(network: Arc<Network>) -> Self {
        Self { stack: AccumulatorStack::new(&network), network }
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
        self.stack.put(piece, at);
    }

    #[inline]
    fn take(&mut self, piece: Piece, at: Square) {
        self.stack.take(piece, at);
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, position: &Position) {
        self.stack.reset(Color::ALL.map(|side| position.king(side)), &self.network);
    }

    #[inline]
    fn push(&mut self) {
        self.stack.push(&self.network);
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        let accumulators = self.stack.accumulators(position, &self.network);
        let [own, other] = match position.side() {
            Color::Red => accumulators,
            Color::Black => [accumulators[1], accumulators[0]],
        };
        forward::value(&self.network, own, other, self.network.shape().bucket_of(position))
    }
}
