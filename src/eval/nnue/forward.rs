//! From the hidden layers of both sides to a value. Knows no positions but how many men they have.

use super::{
    Network,
    network::{INPUT_UNIT, OUTPUT_UNIT},
};
use crate::{
    simd::{Block, DOT_BLOCKS},
    types::{Value, score},
};

/// The value for the side that `own` is the hidden layer of, `men` being on the board.
///
/// Each neuron counts with the square of its sum, clamped to 0 up to 1.
#[inline]
pub(super) fn value(network: &Network, own: &[Block], other: &[Block], men: usize) -> Value {
    let output = network.shape().output_for(men);
    let [own_weights, other_weights] = network.output_rows(output);
    let sum = dot(network, own, own_weights) + dot(network, other, other_weights);
    // One clamped unit of the square remains above; the output's bias has none.
    let units = sum / i64::from(INPUT_UNIT) + i64::from(network.output_bias(output));
    let value = units * i64::from(network.shape().scale) / i64::from(INPUT_UNIT * OUTPUT_UNIT);
    let limit = i64::from(score::EVAL_LIMIT);
    value.clamp(-limit, limit) as Value
}

#[inline]
fn dot(network: &Network, row: &[Block], weights: &[Block]) -> i64 {
    let pieces = row.chunks(DOT_BLOCKS).zip(weights.chunks(DOT_BLOCKS));
    pieces.map(|(row, weights)| i64::from(network.kernels().dot(row, weights))).sum()
}
