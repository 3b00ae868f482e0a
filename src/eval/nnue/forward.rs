//! From the hidden layers of both sides to a value. Knows no positions.

use super::{
    Network,
    network::{QA, QB},
};
use crate::{
    simd::{DOT_VECTORS, I16x32},
    types::{Value, score},
};

/// The value for the side that `own` is the hidden layer of, by this output.
///
/// SCReLU: each neuron counts with the square of its sum, clamped to 0 up to 1.
#[inline]
pub(super) fn value(network: &Network, own: &[I16x32], other: &[I16x32], output: usize) -> Value {
    let [own_weights, other_weights] = network.output_rows(output);
    let sum = dot(network, own, own_weights) + dot(network, other, other_weights);
    // One clamped unit of the square remains above; the output's bias has none.
    let units = sum / i64::from(QA) + i64::from(network.output_bias(output));
    let value = units * i64::from(network.shape().scale) / i64::from(QA * QB);
    let limit = i64::from(score::EVAL_LIMIT);
    value.clamp(-limit, limit) as Value
}

#[inline]
fn dot(network: &Network, row: &[I16x32], weights: &[I16x32]) -> i64 {
    let pieces = row.chunks(DOT_VECTORS).zip(weights.chunks(DOT_VECTORS));
    pieces.map(|(row, weights)| i64::from(network.kernels().screlu_dot(row, weights))).sum()
}
