//! The evaluation that a search uses: a network where there is one, else the handcrafted one.
//! Knows no more than that.

use std::sync::Arc;

use super::{
    Evaluator, Handcrafted, Network, Nnue,
    handcrafted::{self, Explanation},
};
use crate::{
    position::{Observer, Position},
    types::{Color, Piece, Square, Value},
};

/// Either evaluation. Which one is settled when it is made, so that asking costs next to nothing.
#[derive(Clone, Debug)]
pub enum Eval {
    /// What reasoning says.
    Handcrafted(Handcrafted),
    /// What games taught.
    Nnue(Nnue),
}

impl Eval {
    /// The evaluation by this network, or the handcrafted one without any.
    pub fn by(network: Option<&Arc<Network>>) -> Self {
        match network {
            Some(network) => Self::Nnue(Nnue::new(Arc::clone(network))),
            None => Self::Handcrafted(Handcrafted::default()),
        }
    }
}

/// Takes the evaluation of a position apart, as far as that can be done.
pub fn explain(position: &Position, network: Option<&Arc<Network>>) -> Explanation {
    let Some(network) = network else { return handcrafted::explain(position) };
    let (side, total) = (position.side(), Nnue::value(network, position));
    let red = if side == Color::Red { total } else { -total };
    Explanation { parts: vec![("network".to_owned(), red)], side, total }
}

impl Observer for Eval {
    #[inline]
    fn put(&mut self, piece: Piece, at: Square) {
        match self {
            Self::Handcrafted(eval) => eval.put(piece, at),
            Self::Nnue(eval) => eval.put(piece, at),
        }
    }

    #[inline]
    fn take(&mut self, piece: Piece, at: Square) {
        match self {
            Self::Handcrafted(eval) => eval.take(piece, at),
            Self::Nnue(eval) => eval.take(piece, at),
        }
    }
}

impl Evaluator for Eval {
    fn reset(&mut self, position: &Position) {
        match self {
            Self::Handcrafted(eval) => eval.reset(position),
            Self::Nnue(eval) => eval.reset(position),
        }
    }

    #[inline]
    fn push(&mut self) {
        match self {
            Self::Handcrafted(eval) => eval.push(),
            Self::Nnue(eval) => eval.push(),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::Handcrafted(eval) => eval.pop(),
            Self::Nnue(eval) => eval.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            Self::Handcrafted(eval) => eval.evaluate(position),
            Self::Nnue(eval) => eval.evaluate(position),
        }
    }
}
