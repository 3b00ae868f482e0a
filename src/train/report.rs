//! What a network that is trained is like: how far it is off by the men on the board, what a point
//! is worth in games, and how wide its values spread. Knows labels and outputs, not how they came.

use rayon::prelude::*;

use super::{
    data::{Dataset, Label},
    gradient::sigmoid,
    model::Model,
    packed::Unpacked,
};

/// The most men of each phase.
const PHASES: [u8; 5] = [8, 14, 20, 26, u8::MAX];
/// Values are spread as widely as others where the score is within this: those that a search
/// compares with its margins.
const SPREAD_WITHIN: i16 = 600;

/// How far a network is off on the games held out.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// From few men to many.
    pub phases: Vec<Phase>,
    /// What a score must be for odds of e to 1, by the results of the games: a fit.
    pub points_per_logit: f64,
    /// By what the scale was multiplied so that values spread as widely as another network's.
    pub spread_factor: f64,
}

/// The positions with so many men.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phase {
    /// The fewest men.
    pub least: u8,
    /// The most men.
    pub most: u8,
    /// How many positions.
    pub positions: u64,
    /// And how many of them a result says something of.
    pub with_result: u64,
    /// The root of the mean square by which the chance to win is off from the score's.
    pub off_scores: f64,
    /// And from the result's.
    pub off_results: f64,
}

impl Report {
    /// Looks at a model by the games held out.
    pub(super) fn new(model: &Model, held_out: &Dataset, scale: f32) -> Self {
        let sums = over_runs(model, held_out, |label, output| {
            let (predicted, score) = (sigmoid(output), sigmoid(f32::from(label.score) / scale));
            let phase = PHASES.iter().position(|&most| label.census.men <= most).unwrap_or(0);
            let off = |truth: f32| f64::from(predicted - truth).powi(2);
            let (result, counted) = label.result().map_or((0.0, 0.0), |truth| (off(truth), 1.0));
            (phase, [1.0, off(score), counted, result])
        });
        let phases =
            sums.into_iter().enumerate().map(|(at, [count, scores, counted, results])| Phase {
                least: at.checked_sub(1).map_or(2, |before| PHASES[before] + 1),
                most: PHASES[at],
                positions: count as u64,
                with_result: counted as u64,
                off_scores: (scores / count.max(1.0)).sqrt(),
                off_results: (results / counted.max(1.0)).sqrt(),
            });
        let points_per_logit = points_per_logit(&results_by_score(held_out));
        Self { phases: phases.collect(), points_per_logit, spread_factor: 1.0 }
    }
}

/// By what one model's outputs are to be multiplied to spread as widely as another's.
pub(super) fn spread_factor(model: &Model, like: (&Model, i32), ours: i32, set: &Dataset) -> f64 {
    let spread = |model: &Model| {
        let [[count, sum, ..], ..] = over_runs(model, set, |label, output| {
            let counts = label.score.abs() <= SPREAD_WITHIN;
            (0, if counts { [1.0, f64::from(output.abs()), 0.0, 0.0] } else { [0.0; 4] })
        });
        sum / count.max(1.0)
    };
    let (wanted, found) = (spread(like.0) * f64::from(like.1), spread(model) * f64::from(ours));
    if found > 0.0 && wanted > 0.0 { wanted / found } else { 1.0 }
}

/// Adds up what `of` says of each position, phase by phase. Run by run and in their order, so that
/// sums do not depend on threads.
fn over_runs(
    model: &Model,
    set: &Dataset,
    of: impl Fn(Label, f32) -> (usize, [f64; 4]) + Sync,
) -> [[f64; 4]; PHASES.len()] {
    let add = |mut sums: [[f64; 4]; PHASES.len()], (phase, numbers): (usize, [f64; 4])| {
        sums[phase].iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        sums
    };
    let each: Vec<_> = (0..set.runs())
        .into_par_iter()
        .map_init(
            <(Vec<f32>, Vec<f32>, Unpacked)>::default,
            |(accumulators, outputs, room), index| {
                let run = set.run(index, room);
                model.forward(run, accumulators, outputs);
                let positions = run.labels.iter().zip(outputs.iter());
                positions.map(|(&label, &output)| of(label, output)).fold(Default::default(), add)
            },
        )
        .collect();
    each.into_iter().fold(Default::default(), |sums, run: [[f64; 4]; PHASES.len()]| {
        run.into_iter().enumerate().fold(sums, add)
    })
}

/// Beyond, games are decided and scores no longer mean chances.
const CLEAR: i16 = 1_500;

/// How many positions have each score from −[`CLEAR`] to +[`CLEAR`], and how many half points their
/// games brought.
fn results_by_score(set: &Dataset) -> Vec<[u64; 2]> {
    let mut room = Unpacked::default();
    let mut sums = vec![[0; 2]; 2 * CLEAR as usize + 1];
    for index in 0..set.runs() {
        for label in set.run(index, &mut room).labels {
            if let Some(result) = label.result().filter(|_| label.score.abs() <= CLEAR) {
                let [count, halves] = &mut sums[(label.score + CLEAR) as usize];
                *count += 1;
                *halves += (2.0 * result) as u64;
            }
        }
    }
    sums
}

/// The number of points that makes the logistic function of scores fit results best (likelihood,
/// by Newton's method). The usual scale where nothing can be told.
fn points_per_logit(results: &[[u64; 2]]) -> f64 {
    let mut slope = 1.0 / 400.0;
    for _ in 0..30 {
        let (mut first, mut second) = (0.0, 0.0);
        for (&[count, halves], score) in results.iter().zip(-CLEAR..) {
            let (count, score) = (count as f64, f64::from(score));
            let chance = 1.0 / (1.0 + (-score * slope).exp());
            first += (halves as f64 / 2.0 - count * chance) * score;
            second += count * chance * (1.0 - chance) * score * score;
        }
        if second <= 0.0 {
            break;
        }
        let step = first / second;
        // Results that contradict the scores have no fit.
        slope = (slope + step).clamp(1e-5, 0.1);
        if step.abs() < 1e-9 {
            break;
        }
    }
    1.0 / slope
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SplitMix64;

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut rng = SplitMix64::new(1);
        for points in [150.0, 300.0, 700.0] {
            let mut results = vec![[0; 2]; 2 * CLEAR as usize + 1];
            for _ in 0..60_000 {
                let score = rng.below(2_001) as i16 - 1_000;
                let chance = 1.0 / (1.0 + (-f64::from(score) / points).exp());
                let won = (rng.next() >> 11) as f64 * 2_f64.powi(-53) < chance;
                let [count, halves] = &mut results[(score + CLEAR) as usize];
                (*count, *halves) = (*count + 1, *halves + 2 * u64::from(won));
            }
            let fitted = points_per_logit(&results);
            assert!((fitted / points - 1.0).abs() < 0.03, "{points}: {fitted}");
        }
    }
}
