//! How the loss changes with each number of the network. Knows the model's arithmetic backwards.

use super::{
    data::Run,
    model::{LANES, Model},
};
use crate::types::Color;

/// What a prediction is to be measured by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objective {
    /// How much the result counts against the score.
    pub(super) wdl: f32,
    /// What a score of 1 is in units of scores.
    pub(super) scale: f32,
    /// The power of the error that is the loss.
    pub(super) power: Power,
}

/// The powers of the error that the loss can be: those that every machine computes alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Power {
    /// Squares.
    Two,
    /// Five halves.
    TwoAndHalf,
    /// Cubes.
    Three,
}

impl Power {
    /// The power of this exponent, if it is one.
    pub(super) fn of(exponent: f32) -> Option<Self> {
        let is = |power: f32| (exponent - power).abs() < 1e-6;
        [(2.0, Self::Two), (2.5, Self::TwoAndHalf), (3.0, Self::Three)]
            .into_iter()
            .find_map(|(power, name)| is(power).then_some(name))
    }

    /// The loss of an error, and how it changes with the error.
    fn loss(self, error: f32) -> (f32, f32) {
        let size = error.abs();
        match self {
            Self::Two => (error * error, 2.0 * error),
            Self::TwoAndHalf => (error * error * size.sqrt(), 2.5 * error * size.sqrt()),
            Self::Three => (error * error * size, 3.0 * error * size),
        }
    }
}

/// Room to compute in, kept from run to run.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    accumulators: Vec<f32>,
    outputs: Vec<f32>,
    /// The slopes after the last position.
    none: Vec<f32>,
}

/// The chance to win that a value means.
pub(super) fn sigmoid(value: f32) -> f32 {
    // One exponential function for all machines: the library's may differ by a bit.
    (1.0 + exp(-value)).recip()
}

/// eˣ to nearly all digits, by arithmetic that rounds alike everywhere.
fn exp(x: f32) -> f32 {
    let x = f64::from(x.clamp(-80.0, 80.0));
    let powers = (x / std::f64::consts::LN_2).round();
    let rest = x - powers * std::f64::consts::LN_2;
    // |rest| < 0.35, so that the ninth term is below 10⁻⁹.
    let series = (1..=9).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    let power = f64::from_bits(((powers as i64 + 1023) as u64) << 52);
    (series * power) as f32
}

impl Objective {
    /// What a position should have been thought of, as a chance.
    fn target(self, label: super::data::Label) -> f32 {
        let score = sigmoid(f32::from(label.score) / self.scale);
        label.result().map_or(score, |result| self.wdl * result + (1.0 - self.wdl) * score)
    }
}

/// The loss of a run: the sum of its positions' losses.
pub(super) fn loss(
    model: &Model,
    run: Run<'_>,
    objective: Objective,
    scratch: &mut Scratch,
) -> f64 {
    model.forward(run, &mut scratch.accumulators, &mut scratch.outputs);
    let loss = |(&output, &label)| {
        f64::from(objective.power.loss(sigmoid(output) - objective.target(label)).0)
    };
    scratch.outputs.iter().zip(run.labels).map(loss).sum()
}

/// As [`loss`], and adds how it changes with each number to `gradient`.
pub(super) fn learn(
    model: &Model,
    run: Run<'_>,
    objective: Objective,
    gradient: &mut Model,
    scratch: &mut Scratch,
) -> f64 {
    model.forward(run, &mut scratch.accumulators, &mut scratch.outputs);
    let hidden = model.hidden;
    scratch.none.resize(2 * hidden, 0.0);
    let (numbers, changes) = (model.parts(), gradient.parts_mut());
    let mut loss = 0.0;
    // From the last position to the first, so that slopes can be summed up from the end: an input
    // that is on for some positions has the sum of their slopes.
    for (number, (&output, &label)) in scratch.outputs.iter().zip(run.labels).enumerate().rev() {
        let predicted = sigmoid(output);
        let (error, slope) = objective.power.loss(predicted - objective.target(label));
        loss += f64::from(error);
        let slope = slope * predicted * (1.0 - predicted);

        let bucket = model.output_bucket(label);
        let range = 2 * bucket * hidden..2 * (bucket + 1) * hidden;
        let weights = numbers.output[range.clone()].split_at(hidden);
        let changed = changes.output[range].split_at_mut(hidden);
        changes.output_bias[bucket] += slope;
        let (now, later) = scratch.accumulators.split_at_mut(2 * (number + 1) * hidden);
        let later = later.get(..2 * hidden).unwrap_or(&scratch.none).split_at(hidden);
        let now = now[2 * number * hidden..].split_at_mut(hidden);
        let (red, black) = match label.side() {
            Color::Red => ((weights.0, changed.0), (weights.1, changed.1)),
            Color::Black => ((weights.1, changed.1), (weights.0, changed.0)),
        };
        back(slope, red.0, red.1, now.0, later.0);
        back(slope, black.0, black.1, now.1, later.1);
    }
    for (number, inputs) in run.changes().enumerate() {
        for (color, [ons, offs]) in inputs.into_iter().enumerate() {
            let slopes = &scratch.accumulators[(2 * number + color) * hidden..][..hidden];
            if number == 0 {
                add(changes.bias, slopes, 1.0);
            }
            for &on in ons {
                add(&mut changes.input[usize::from(on) * hidden..][..hidden], slopes, 1.0);
            }
            for &off in offs {
                add(&mut changes.input[usize::from(off) * hidden..][..hidden], slopes, -1.0);
            }
        }
    }
    loss
}

/// Through one half of an output: how it changes with its weights is added to `changed`, and the
/// sums of the hidden layer make way for their slopes, those of all later positions included.
fn back(slope: f32, weights: &[f32], changed: &mut [f32], sums: &mut [f32], later: &[f32]) {
    let weights = weights.as_chunks::<LANES>().0.iter();
    let weights = weights.zip(changed.as_chunks_mut::<LANES>().0);
    let sums = sums.as_chunks_mut::<LANES>().0.iter_mut().zip(later.as_chunks::<LANES>().0);
    for ((weights, changed), (sums, later)) in weights.zip(sums) {
        for lane in 0..LANES {
            let x = sums[lane].clamp(0.0, 1.0);
            changed[lane] += slope * x * x;
            // Beyond the clamp nothing changes.
            let derivative = if sums[lane] > 0.0 && sums[lane] < 1.0 { 2.0 * x } else { 0.0 };
            sums[lane] = later[lane] + slope * weights[lane] * derivative;
        }
    }
}

fn add(to: &mut [f32], what: &[f32], sign: f32) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += sign * what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_logistic_function() {
        for i in -8_000_i16..=8_000 {
            let x = f32::from(i) / 400.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 1e-7, "{x}");
        }
        assert!(sigmoid(1e9) >= 1.0 && sigmoid(-1e9) >= 0.0);
    }
}
