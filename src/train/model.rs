//! The network in floating point: its numbers and its output for the positions of a run. Knows
//! no gradients.

use super::{
    data::{Label, Run},
    recipe::NetworkRecipe,
};
use crate::{
    eval::nnue::{
        BucketedBy, Shape, features,
        network::{QA, QB},
    },
    types::SplitMix64,
};

/// Numbers that are computed with at once; a hidden layer is a multiple of them wide.
pub(super) const LANES: usize = 32;

/// The numbers of a network, or something of each: a gradient, a mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(super) hidden: usize,
    pub(super) output_buckets: usize,
    pub(super) bucketed_by: BucketedBy,
    /// Input weights, hidden bias, output weights (the mover's half first), output bias.
    pub(super) numbers: Vec<f32>,
}

/// The parts of a model.
#[derive(Debug)]
pub(super) struct Layers<T> {
    pub(super) input: T,
    pub(super) bias: T,
    pub(super) output: T,
    pub(super) output_bias: T,
}

impl Model {
    /// All zeros.
    pub(super) fn zero(shape: &NetworkRecipe) -> Self {
        let (hidden, output_buckets) = (shape.hidden, shape.output_buckets);
        let numbers = (features::COUNT + 1) * hidden + (2 * hidden + 1) * output_buckets;
        let bucketed_by = shape.bucketed_by;
        Self { hidden, output_buckets, bucketed_by, numbers: vec![0.0; numbers] }
    }

    /// Numbers to begin with: small and random, all neurons a little awake.
    pub(super) fn random(shape: &NetworkRecipe, seed: u64) -> Self {
        let mut model = Self::zero(shape);
        let mut rng = SplitMix64::new(seed);
        let mut fill = |numbers: &mut [f32], size: f32| {
            for number in numbers {
                let unit = (rng.next() >> 40) as f32 / (1 << 24) as f32;
                *number = size * (2.0 * unit - 1.0);
            }
        };
        // About thirty inputs are on at once.
        let (input_size, output_size) =
            (30_f32.sqrt().recip(), (shape.hidden as f32).sqrt().recip());
        let parts = model.parts_mut();
        fill(parts.input, input_size);
        parts.bias.fill(0.3);
        fill(parts.output, output_size);
        model
    }

    /// What a network is in floating point.
    pub(super) fn of(parameters: &crate::eval::nnue::Parameters) -> Self {
        let (input, output) = (QA as f32, QB as f32);
        let numbers = (parameters.input_weights.iter().chain(&parameters.input_bias))
            .map(|&number| f32::from(number) / input)
            .chain(parameters.output_weights.iter().map(|&number| f32::from(number) / output))
            .chain(parameters.output_bias.iter().map(|&bias| bias as f32 / (input * output)));
        let Shape { hidden, output_buckets, bucketed_by, .. } = parameters.shape;
        Self { hidden, output_buckets, bucketed_by, numbers: numbers.collect() }
    }

    /// The same values in a network whose outputs are worth so much.
    pub(super) fn rescaled(mut self, from: i32, to: i32) -> Self {
        let factor = from as f32 / to as f32;
        let parts = self.parts_mut();
        parts.output.iter_mut().chain(parts.output_bias).for_each(|number| *number *= factor);
        self
    }

    pub(super) fn parts(&self) -> Layers<&[f32]> {
        let (input, rest) = self.numbers.split_at(features::COUNT * self.hidden);
        let (bias, rest) = rest.split_at(self.hidden);
        let (output, output_bias) = rest.split_at(2 * self.hidden * self.output_buckets);
        Layers { input, bias, output, output_bias }
    }

    pub(super) fn parts_mut(&mut self) -> Layers<&mut [f32]> {
        let (input, rest) = self.numbers.split_at_mut(features::COUNT * self.hidden);
        let (bias, rest) = rest.split_at_mut(self.hidden);
        let (output, output_bias) = rest.split_at_mut(2 * self.hidden * self.output_buckets);
        Layers { input, bias, output, output_bias }
    }

    /// The output bucket of a position.
    pub(super) fn output_bucket(&self, label: Label) -> usize {
        self.bucketed_by.bucket(self.output_buckets, label.census)
    }

    /// The output for each position of a run, for the side to move, and in `accumulators` both
    /// hidden layers before SCReLU: for each position Red's and then Black's.
    pub(super) fn forward(
        &self,
        run: Run<'_>,
        accumulators: &mut Vec<f32>,
        outputs: &mut Vec<f32>,
    ) {
        let (parts, hidden) = (self.parts(), self.hidden);
        accumulators.resize(2 * hidden * run.labels.len(), 0.0);
        outputs.clear();
        for (number, (changes, label)) in run.changes().zip(run.labels).enumerate() {
            let (before, now) = accumulators.split_at_mut(2 * number * hidden);
            for (color, [ons, offs]) in changes.into_iter().enumerate() {
                let now = &mut now[color * hidden..][..hidden];
                let before = match number {
                    0 => parts.bias,
                    _ => &before[(2 * (number - 1) + color) * hidden..][..hidden],
                };
                change(now, before, parts.input, ons, offs);
            }
            outputs.push(self.output(&now[..2 * hidden], *label));
        }
    }

    fn output(&self, accumulators: &[f32], label: Label) -> f32 {
        let (parts, hidden) = (self.parts(), self.hidden);
        let output = self.output_bucket(label);
        let weights = parts.output[2 * output * hidden..][..2 * hidden].split_at(hidden);
        let [own, other] = by_mover(accumulators, label);
        parts.output_bias[output] + screlu_dot(own, weights.0) + screlu_dot(other, weights.1)
    }
}

/// The mover's half of something and the other side's.
fn by_mover(accumulators: &[f32], label: Label) -> [&[f32]; 2] {
    let (red, black) = accumulators.split_at(accumulators.len() / 2);
    if label.side() == crate::types::Color::Red { [red, black] } else { [black, red] }
}

/// `now` = `before` + the rows of inputs that go on − those that go off.
fn change(now: &mut [f32], before: &[f32], table: &[f32], ons: &[u16], offs: &[u16]) {
    let width = now.len();
    let blocks = now.as_chunks_mut::<LANES>().0.iter_mut().zip(before.as_chunks::<LANES>().0);
    for (at, (now, before)) in blocks.enumerate() {
        let row = |input: u16| -> &[f32; LANES] {
            let start = usize::from(input) * width + at * LANES;
            table[start..].first_chunk().expect("invariant: every input has a row")
        };
        let mut sum = *before;
        for &on in ons {
            sum.iter_mut().zip(row(on)).for_each(|(sum, weight)| *sum += weight);
        }
        for &off in offs {
            sum.iter_mut().zip(row(off)).for_each(|(sum, weight)| *sum -= weight);
        }
        *now = sum;
    }
}

/// SCReLU and output weights: the sum of weights times the squares of clamped numbers. The order
/// of additions is fixed, so that every machine rounds alike.
fn screlu_dot(numbers: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    for (numbers, weights) in
        numbers.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0)
    {
        for lane in 0..LANES {
            let x = numbers[lane].clamp(0.0, 1.0);
            sums[lane] += x * x * weights[lane];
        }
    }
    sums.iter().sum()
}
