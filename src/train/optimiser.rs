//! Adam (Kingma and Ba 2014) and the learning rate. Knows rows of numbers, not what they mean.

use std::f32::consts::PI;

use rayon::prelude::*;

use super::recipe::TrainingRecipe;

/// How much of the old mean of slopes, and of their squares, each step keeps.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The largest weight: larger ones could not be stored as an `i8` in the output layer.
pub(super) const MAX_WEIGHT: f32 = 1.98;
/// Numbers of one piece of work.
const CHUNK: usize = 1 << 13;

/// What the optimiser remembers of each number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adam {
    pub(super) first_moment: Vec<f32>,
    pub(super) second_moment: Vec<f32>,
    pub(super) steps: u64,
}

impl Adam {
    pub(super) fn new(numbers: usize) -> Self {
        Self { first_moment: vec![0.0; numbers], second_moment: vec![0.0; numbers], steps: 0 }
    }

    /// Moves `numbers` against their slope, the sum of `gradients` over `count` positions, and
    /// clears those. All but the last `free` numbers are kept within [`MAX_WEIGHT`].
    pub(super) fn step(
        &mut self,
        numbers: &mut [f32],
        gradients: &mut [Vec<f32>],
        count: usize,
        rate: f32,
        free: usize,
    ) {
        self.steps += 1;
        // Means that began at zero are too small at first.
        let steps = self.steps.min(100_000) as i32;
        let rate = rate / (1.0 - BETA_1.powi(steps));
        let unbias = (1.0 - BETA_2.powi(steps)).recip();
        let share = (count.max(1) as f32).recip();
        let bound = numbers.len() - free;

        let mut pieces: Vec<Vec<&mut [f32]>> =
            (0..numbers.len().div_ceil(CHUNK)).map(|_| Vec::new()).collect();
        for gradient in gradients {
            pieces.iter_mut().zip(gradient.chunks_mut(CHUNK)).for_each(|(to, one)| to.push(one));
        }
        let own = numbers.par_chunks_mut(CHUNK).zip(self.first_moment.par_chunks_mut(CHUNK));
        let own = own.zip(self.second_moment.par_chunks_mut(CHUNK)).zip(pieces).enumerate();
        own.for_each(|(chunk, (((numbers, first_moment), second_moment), mut gradients))| {
            let (first, others) = gradients.split_first_mut().expect("invariant: a gradient");
            for other in others {
                first.iter_mut().zip(other.iter()).for_each(|(sum, other)| *sum += other);
                other.fill(0.0);
            }
            for i in 0..numbers.len() {
                let slope = first[i] * share;
                first_moment[i] = BETA_1 * first_moment[i] + (1.0 - BETA_1) * slope;
                second_moment[i] = BETA_2 * second_moment[i] + (1.0 - BETA_2) * slope * slope;
                let number = numbers[i]
                    - rate * first_moment[i] / ((second_moment[i] * unbias).sqrt() + EPSILON);
                let limit = if chunk * CHUNK + i < bound { MAX_WEIGHT } else { f32::MAX };
                numbers[i] = number.clamp(-limit, limit);
            }
            first.fill(0.0);
        });
    }
}

/// The learning rate after a part of the whole, 0 to 1.
pub(super) fn rate(training: &TrainingRecipe, part: f32) -> f32 {
    let fall = f32::midpoint(1.0, (PI * part.clamp(0.0, 1.0)).cos());
    training.final_learning_rate + (training.learning_rate - training.final_learning_rate) * fall
}
