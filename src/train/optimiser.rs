//! AdamW (Kingma and Ba 2014, Loshchilov and Hutter 2017). Knows rows of numbers, not what they
//! mean.

use rayon::prelude::*;

use super::recipe::TrainingRecipe;

const EPSILON: f32 = 1e-8;
/// The largest weight: larger ones could not be stored as an `i8` in the output layer.
pub(super) const MAX_WEIGHT: f32 = 1.98;
/// Numbers of one piece of work. Sums of each are rounded by themselves, so that they do not depend
/// on the number of threads.
const CHUNK: usize = 1 << 13;

/// What the optimiser remembers of each number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AdamW {
    pub(super) first_moment: Vec<f32>,
    pub(super) second_moment: Vec<f32>,
    pub(super) steps: u64,
}

impl AdamW {
    pub(super) fn new(numbers: usize) -> Self {
        Self { first_moment: vec![0.0; numbers], second_moment: vec![0.0; numbers], steps: 0 }
    }

    /// Moves `numbers` against their gradient, the sum of `gradients` over `count` positions, and
    /// clears those. All but the last `free` numbers shrink and are kept within [`MAX_WEIGHT`].
    /// Returns how long the mean gradient was.
    pub(super) fn step(
        &mut self,
        numbers: &mut [f32],
        gradients: &mut [Vec<f32>],
        count: usize,
        rate: f32,
        recipe: &TrainingRecipe,
        free: usize,
    ) -> f32 {
        let (first, others) = gradients.split_first_mut().expect("invariant: a gradient");
        let share = (count.max(1) as f32).recip();
        let length = gather(first, others) * share;
        let share = if recipe.clip > 0.0 && length > recipe.clip {
            share * recipe.clip / length
        } else {
            share
        };

        self.steps += 1;
        let &TrainingRecipe { beta1, beta2, weight_decay, .. } = recipe;
        // Means that began at zero are too small at first.
        let steps = self.steps.min(100_000) as i32;
        let shrink = 1.0 - rate * weight_decay;
        let rate = rate / (1.0 - beta1.powi(steps));
        let unbias = (1.0 - beta2.powi(steps)).recip();
        let bound = numbers.len() - free;
        let moments =
            (self.first_moment.par_chunks_mut(CHUNK)).zip(self.second_moment.par_chunks_mut(CHUNK));
        let own = numbers.par_chunks_mut(CHUNK).zip(first.par_chunks_mut(CHUNK)).zip(moments);
        own.enumerate().for_each(|(chunk, ((numbers, gradient), (first, second)))| {
            let weights = bound.saturating_sub(chunk * CHUNK).min(numbers.len());
            for i in 0..numbers.len() {
                let slope = gradient[i] * share;
                first[i] = beta1 * first[i] + (1.0 - beta1) * slope;
                second[i] = beta2 * second[i] + (1.0 - beta2) * slope * slope;
                let step = rate * first[i] / ((second[i] * unbias).sqrt() + EPSILON);
                let shrink = if i < weights { shrink } else { 1.0 };
                numbers[i] = numbers[i] * shrink - step;
            }
            for number in &mut numbers[..weights] {
                *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
            gradient.fill(0.0);
        });
        length
    }
}

/// Adds all gradients to the first, clears the others and returns how long their sum is.
fn gather(first: &mut [f32], others: &mut [Vec<f32>]) -> f32 {
    let mut pieces: Vec<Vec<&mut [f32]>> =
        (0..first.len().div_ceil(CHUNK)).map(|_| Vec::new()).collect();
    for other in others {
        pieces.iter_mut().zip(other.chunks_mut(CHUNK)).for_each(|(to, one)| to.push(one));
    }
    let squares: Vec<f64> = first
        .par_chunks_mut(CHUNK)
        .zip(pieces)
        .map(|(first, others)| {
            for other in others {
                first.iter_mut().zip(other.iter()).for_each(|(sum, other)| *sum += other);
                other.fill(0.0);
            }
            // Eight sums side by side, which the processor can add at once.
            let mut sums = [0.0_f32; 8];
            for (at, number) in first.iter().enumerate() {
                sums[at % 8] += number * number;
            }
            sums.iter().copied().map(f64::from).sum()
        })
        .collect();
    squares.iter().sum::<f64>().sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near<const N: usize>(found: &[f32], wanted: [f32; N]) -> bool {
        found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5)
    }

    fn recipe(text: &str) -> TrainingRecipe {
        toml::from_str(&format!("epochs = 1\n{text}")).unwrap()
    }

    fn step(text: &str, numbers: &mut [f32], gradients: &mut [Vec<f32>], free: usize) -> f32 {
        AdamW::new(numbers.len()).step(numbers, gradients, 2, 0.1, &recipe(text), free)
    }

    #[test]
    fn the_first_step_is_the_learning_rate_long_whatever_the_gradient() {
        let mut numbers = [1.0, 1.0, 1.0, 1.0];
        let mut gradients = [vec![3.0, -0.5, 0.0, 1e-4], vec![1.0, -0.5, 0.0, 1e-4]];
        let length = step("weight_decay = 0\nclip = 0", &mut numbers, &mut gradients, 0);
        for (number, wanted) in numbers.into_iter().zip([0.9, 1.1, 1.0, 0.9]) {
            assert!((number - wanted).abs() < 1e-4, "{number} {wanted}");
        }
        assert!((length - 4.25_f32.sqrt()).abs() < 1e-5);
        assert!(gradients.iter().flatten().all(|&number| number == 0.0));
    }

    #[test]
    fn weights_shrink_by_the_rate_alone_and_free_numbers_do_not() {
        let mut numbers = [1.0, -1.0, 5.0];
        step("weight_decay = 0.5", &mut numbers, &mut [vec![0.0; 3]], 1);
        assert!(near(&numbers, [0.95, -0.95, 5.0]));
        let mut numbers = [1.95, 5.0];
        step("weight_decay = 0", &mut numbers, &mut [vec![-1.0; 2]], 1);
        assert!(near(&numbers, [MAX_WEIGHT, 5.1]));
    }

    #[test]
    fn long_gradients_are_shortened_and_keep_their_direction() {
        let moments = |clip: &str| {
            let mut adam = AdamW::new(2);
            let (mut numbers, mut gradients) = ([0.0; 2], [vec![6.0, 8.0]]);
            adam.step(&mut numbers, &mut gradients, 1, 0.1, &recipe(clip), 0);
            adam.first_moment
        };
        assert!(near(&moments("clip = 1.0"), [0.06, 0.08]));
        assert!(near(&moments("clip = 20.0"), [0.6, 0.8]));
    }
}
