//! The method itself. Knows numbers and results, nothing of what they mean.

use crate::types::SplitMix64;

/// A number that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    /// Its name.
    pub name: String,
    /// What it was at first.
    pub start: f64,
    /// The least that it may be.
    pub least: f64,
    /// The greatest that it may be.
    pub greatest: f64,
    /// By how much it is varied in the last iteration (c).
    pub step: f64,
}

/// How the numbers stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    tunables: Vec<Tunable>,
    values: Vec<f64>,
    schedule: Schedule,
    iteration: u64,
}

/// How steps shrink. The defaults are those of the literature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Iterations in all.
    pub iterations: u64,
    /// The exponent that learning slows down by.
    pub alpha: f64,
    /// The exponent that variations shrink by.
    pub gamma: f64,
    /// Iterations that learning starts as if there had been (A), as a part of all.
    pub stability: f64,
    /// The part of a variation that one point won or lost moves a number by, at the end (r).
    pub rate: f64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self { iterations: 10_000, alpha: 0.602, gamma: 0.101, stability: 0.1, rate: 0.002 }
    }
}

/// The two ways that one iteration compares, as whole numbers, and what it learns by.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// One way.
    pub plus: Vec<i32>,
    /// The other.
    pub minus: Vec<i32>,
    signs: Vec<f64>,
}

impl Spsa {
    /// At its beginning.
    pub fn new(tunables: Vec<Tunable>, schedule: Schedule) -> Self {
        let values = tunables.iter().map(|tunable| tunable.start).collect();
        Self { tunables, values, schedule, iteration: 0 }
    }

    /// What is tuned.
    pub fn tunables(&self) -> &[Tunable] {
        &self.tunables
    }

    /// How the numbers stand now.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Iterations done.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// Iterations in all.
    pub fn iterations(&self) -> u64 {
        self.schedule.iterations
    }

    /// Goes on from where it was after so many iterations.
    pub fn resume(&mut self, iteration: u64, values: Vec<f64>) {
        (self.iteration, self.values) = (iteration, values);
    }

    /// By how much a number is varied now.
    fn variation(&self, tunable: &Tunable) -> f64 {
        let Schedule { iterations, gamma, .. } = self.schedule;
        let left = iterations as f64 / (self.iteration + 1) as f64;
        tunable.step * left.powf(gamma)
    }

    /// What the coming iteration is to compare. It depends on the seed, the iteration and the values.
    ///
    /// Numbers are rounded by chance, so that on the mean both ways are as far away as they shall be,
    /// be it less than one.
    pub fn perturb(&self, seed: u64) -> Perturbation {
        let mut rng =
            SplitMix64::new(seed ^ (self.iteration + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut way = Perturbation { plus: Vec::new(), minus: Vec::new(), signs: Vec::new() };
        for (tunable, &value) in self.tunables.iter().zip(&self.values) {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            let variation = sign * self.variation(tunable);
            let fraction = rng.below(1 << 30) as f64 / f64::from(1 << 30);
            let whole = |value: f64| {
                (value.clamp(tunable.least, tunable.greatest) + fraction).floor() as i32
            };
            way.plus.push(whole(value + variation));
            way.minus.push(whole(value - variation));
            way.signs.push(sign);
        }
        way
    }

    /// Learns from one iteration: by how many points, of one a game, the first way was better.
    pub fn learn(&mut self, perturbation: &Perturbation, points: f64) {
        let Schedule { iterations, alpha, stability, rate, .. } = self.schedule;
        let warm = stability * iterations as f64;
        let slow = ((warm + iterations as f64) / (warm + self.iteration as f64 + 1.0)).powf(alpha);
        for (index, tunable) in self.tunables.iter().enumerate() {
            let gain = rate * tunable.step * tunable.step * slow / self.variation(tunable);
            let moved = self.values[index] + gain * points * perturbation.signs[index];
            self.values[index] = moved.clamp(tunable.least, tunable.greatest);
        }
        self.iteration += 1;
    }
}
