//! From floating point to the whole numbers that the engine computes with. Knows both networks.

use super::model::Model;
use crate::eval::nnue::{
    NetworkError, Parameters, Shape,
    network::{QA, QB},
};

/// Why a model cannot be made a network.
#[derive(Debug, thiserror::Error)]
pub enum QuantisationError {
    /// A number that is none, or too large.
    #[error("number {index} of the model is {number}, which no network holds")]
    Number {
        /// Which one.
        index: usize,
        /// The number.
        number: f32,
    },
    /// The network as a whole.
    #[error("the model makes no network: {0}")]
    Network(#[from] NetworkError),
}

/// Rounds a model to the numbers of a network.
///
/// # Errors
/// When it does not fit.
pub fn quantise(
    model: &Model,
    scale: i32,
    description: &str,
) -> Result<Parameters, QuantisationError> {
    if let Some(index) = model.numbers.iter().position(|number| !number.is_finite()) {
        return Err(QuantisationError::Number { index, number: model.numbers[index] });
    }
    let parts = model.parts();
    let (input, output) = (QA as f32, QB as f32);
    // Saturating where it does not fit 16 bits; whether sums do is asked below.
    let wide = |number: &f32| (number * input).round() as i16;
    let parts = Parameters {
        shape: Shape {
            hidden: model.hidden,
            output_buckets: model.output_buckets,
            bucketed_by: model.bucketed_by,
            scale,
        },
        description: description.into(),
        input_weights: parts.input.iter().map(wide).collect(),
        input_bias: parts.bias.iter().map(wide).collect(),
        output_weights: parts.output.iter().map(|number| (number * output).round() as i8).collect(),
        output_bias: parts
            .output_bias
            .iter()
            .map(|number| (number * input * output).round() as i32)
            .collect(),
    };
    crate::eval::Network::new(&parts)?;
    Ok(parts)
}
