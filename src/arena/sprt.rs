//! The sequential test of two hypotheses on a player's strength (SPRT): how much likelier the games
//! are under the one than under the other, and whether that decides. Knows counts only.
//!
//! The ratio is the generalised one: under each hypothesis the distribution of scores is the
//! likeliest among those with the strength it claims. With observed shares `q` and scores `a`,
//! maximising `Σ q ln p` under a constraint that is linear in `p`, say `Σ p φ = 0`, gives by
//! Lagrange's method `p = q / (1 + θφ)`, with `θ` from the constraint. For a given mean `s`, `φ` is
//! `a - s`. For a given lead `(mean - ½) / deviation = t`, the constraint is linearised about the
//! last `p` and that repeated until it stands still.

use std::{fmt, str::FromStr};

use super::{
    Outcomes,
    elo::{NELO, expected_score},
};

/// A score that never came about is counted as this much of once, for no hypothesis rules it out.
const UNSEEN: f64 = 1e-3;

/// What the hypotheses are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Elo by the logistic curve.
    #[default]
    Logistic,
    /// Normalised Elo, which does not depend on the share of draws.
    Normalised,
}

/// The test: `elo0` against `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The lead that is rejected when the test is passed.
    pub elo0: f64,
    /// The lead that is rejected when the test fails; more than `elo0`.
    pub elo1: f64,
    /// How likely a lead of `elo0` passes.
    pub alpha: f64,
    /// How likely a lead of `elo1` fails.
    pub beta: f64,
    /// What the leads are measured in.
    pub model: Model,
}

/// A strength this far outside both hypotheses, in Elo, is told by games far fewer than would tell
/// these apart …
const OUTSIDE: f64 = 400.0;
/// … and at this chance of error, which adds next to nothing to that of the test.
const SURELY: f64 = 1e-3;
/// Leads by which the players are as good as one.
const MOST: f64 = 1000.0;

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Undecided,
    /// `elo1` is accepted.
    Passed,
    /// `elo0` is accepted.
    Failed,
}

/// Why a text is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// Not two numbers in order.
    #[error("`{0}` is no test: two different numbers, such as 0,5, the lower one first")]
    Numbers(String),
    /// A number that no match can tell from others.
    #[error("`{0}` is no test: its numbers are leads from -{MOST} to {MOST}")]
    Range(String),
}

impl Sprt {
    /// The test with the usual chances of error, one in twenty either way.
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Logistic }
    }

    /// Where the logarithm of the ratio decides: below the first the test fails, above the second
    /// it is passed (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the outcomes are under `elo1` than under `elo0`.
    pub fn llr(&self, outcomes: &Outcomes) -> f64 {
        if outcomes.total() == 0 {
            return 0.0;
        }
        let seen = Seen::new(outcomes);
        let likelihood = |elo: f64| match self.model {
            Model::Logistic => seen.likelihood(&seen.with_mean(expected_score(elo))),
            Model::Normalised => {
                // The deviation of a pair's share is that of a game's by √2.
                let lead = elo / NELO * f64::from(outcomes.games_each()).sqrt();
                seen.likelihood(&seen.with_lead(lead))
            }
        };
        likelihood(self.elo1) - likelihood(self.elo0)
    }

    /// What the outcomes decide. Both hypotheses say nearly the same of a player that loses all its
    /// games, and the ratio of the two takes hundreds of these; what is as unlikely under the one
    /// nearer to it as under none is decided besides.
    pub fn decision(&self, outcomes: &Outcomes) -> Decision {
        let (llr, (low, high)) = (self.llr(outcomes), self.bounds());
        match self.far_outside(outcomes) {
            Decision::Undecided if llr >= high => Decision::Passed,
            Decision::Undecided if llr <= low => Decision::Failed,
            decision => decision,
        }
    }

    /// What is decided because the strength is far above or below what both hypotheses say, whatever
    /// their ratio is.
    pub fn far_outside(&self, outcomes: &Outcomes) -> Decision {
        if outcomes.total() == 0 {
            return Decision::Undecided;
        }
        let seen = Seen::new(outcomes);
        let likelihood = |elo: f64| seen.likelihood(&seen.with_mean(expected_score(elo)));
        // For this, an Elo is an Elo: the models agree on who is far stronger.
        let surely = (1.0 / SURELY).ln();
        if likelihood(self.elo1 + OUTSIDE) - likelihood(self.elo1) >= surely {
            Decision::Passed
        } else if likelihood(self.elo0 - OUTSIDE) - likelihood(self.elo0) >= surely {
            Decision::Failed
        } else {
            Decision::Undecided
        }
    }

    /// All of it, as the settings of a match have it.
    pub fn record(&self) -> String {
        format!("{self} {} {}", self.alpha, self.beta)
    }

    /// Reads what [`Self::record`] wrote.
    pub fn recorded(text: &str) -> Option<Self> {
        let (bounds, rest) = text.strip_prefix('[')?.split_once(']')?;
        let mut words: Vec<_> = rest.split_whitespace().collect();
        let model = match words.first() {
            Some(&"nElo") => Model::Normalised,
            _ => Model::Logistic,
        };
        words.drain(..usize::from(model == Model::Normalised));
        let [alpha, beta] = words[..] else { return None };
        let share = |word: &str| word.parse().ok().filter(|share| (0.0..0.5).contains(share));
        let (alpha, beta) = share(alpha).zip(share(beta))?;
        Some(Self { alpha, beta, model, ..bounds.parse().ok()? })
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0,elo1`.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let bad = || SprtError::Numbers(text.into());
        let (elo0, elo1) = text.split_once(',').ok_or_else(bad)?;
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let (elo0, elo1) = number(elo0).zip(number(elo1)).ok_or_else(bad)?;
        if [elo0, elo1].iter().any(|elo| elo.abs() > MOST) {
            return Err(SprtError::Range(text.into()));
        }
        if elo0 < elo1 { Ok(Self::new(elo0, elo1)) } else { Err(bad()) }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.model == Model::Normalised { " nElo" } else { "" };
        write!(f, "[{}, {}]{unit}", self.elo0, self.elo1)
    }
}

/// Scores, with the shares they were seen in.
struct Seen {
    total: f64,
    scores: Vec<f64>,
    shares: Vec<f64>,
}

impl Seen {
    fn new(outcomes: &Outcomes) -> Self {
        let (scores, counts): (Vec<_>, Vec<_>) = outcomes
            .scores()
            .map(|(score, count)| (score, if count == 0 { UNSEEN } else { count as f64 }))
            .unzip();
        let total: f64 = counts.iter().sum();
        Self { total, scores, shares: counts.iter().map(|count| count / total).collect() }
    }

    /// The logarithm of the likelihood of what was seen.
    fn likelihood(&self, shares: &[f64]) -> f64 {
        let terms = self.shares.iter().zip(shares).map(|(seen, share)| seen * share.ln());
        self.total * terms.sum::<f64>()
    }

    /// The likeliest shares with this mean.
    fn with_mean(&self, mean: f64) -> Vec<f64> {
        self.balanced(&self.scores.iter().map(|score| score - mean).collect::<Vec<_>>())
    }

    /// The likeliest shares whose mean is above one half by `lead` deviations.
    fn with_lead(&self, lead: f64) -> Vec<f64> {
        const TOLERANCE: f64 = 1e-12;
        // From even shares it gets there however lopsided the ones that were seen are.
        let mut shares = vec![1.0 / self.shares.len() as f64; self.shares.len()];
        for _ in 0..100 {
            let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                shares.iter().zip(&self.scores).map(|(share, &score)| share * f(score)).sum()
            };
            let mean = sum(&|score| score);
            let deviation = sum(&|score| (score - mean).powi(2)).sqrt();
            let slopes: Vec<_> = self
                .scores
                .iter()
                .map(|score| {
                    let sigmas = (score - mean) / deviation;
                    score - 0.5 - lead * deviation * f64::midpoint(1.0, sigmas * sigmas)
                })
                .collect();
            let next = self.balanced(&slopes);
            let change = shares.iter().zip(&next).map(|(old, new)| (old - new).abs());
            let settled = change.fold(0.0, f64::max) < TOLERANCE;
            shares = next;
            if settled {
                break;
            }
        }
        shares
    }

    /// The likeliest shares under which the slopes balance. Some slope is below zero, some above.
    fn balanced(&self, slopes: &[f64]) -> Vec<f64> {
        let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Between its poles the sum falls from +∞ to -∞, so halving finds its only zero.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let share = |theta: f64, seen: f64, slope: f64| seen / (1.0 + theta * slope);
        let pairs = || self.shares.iter().zip(slopes);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            let sum: f64 = pairs().map(|(&seen, &slope)| slope * share(middle, seen, slope)).sum();
            if sum > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let theta = f64::midpoint(low, high);
        pairs().map(|(&seen, &slope)| share(theta, seen, slope)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::SplitMix64;

    /// The second row is the example that fastchess tests itself by; the others were computed in
    /// Python by other means: the logistic ratio straight from its definition, the normalised one
    /// by maximising over mean and variance at once, and both by a program that pools matches.
    #[test]
    fn ratios_are_those_of_independent_computations() {
        for (pairs, elo0, elo1, logistic, normalised) in [
            ([10, 50, 100, 60, 20], 0.0, 5.0, 0.805_131, 0.576_758),
            ([34, 54, 31, 64, 75], 0.0, 10.0, 2.292_833, 2.354_990),
            ([39, 8843, 26675, 9240, 74], 0.0, 2.0, 5.818_418, 4.429_182),
            ([0, 3, 10, 5, 1], -5.0, 0.0, 0.217_613, 0.112_075),
            ([120, 400, 700, 410, 130], -5.0, 0.0, 1.547_648, 0.966_528),
            ([500, 2000, 4000, 2300, 700], 0.5, 2.5, 7.440_280, 5.353_725),
        ] {
            let outcomes = Outcomes::of_pairs(pairs);
            let test = Sprt::new(elo0, elo1);
            let llr = test.llr(&outcomes);
            assert!((llr - logistic).abs() < 2e-6, "{pairs:?}: {llr}");
            let llr = Sprt { model: Model::Normalised, ..test }.llr(&outcomes);
            assert!((llr - normalised).abs() < 2e-6, "{pairs:?}: {llr}");
        }
    }

    #[test]
    fn usual_errors_give_the_usual_bounds() {
        let (low, high) = Sprt::new(0.0, 5.0).bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        let (low, high) = Sprt { alpha: 0.05, beta: 0.10, ..Sprt::new(0.0, 3.0) }.bounds();
        assert!((low + 2.251_292).abs() < 1e-6 && (high - 2.890_372).abs() < 1e-6);
    }

    #[test]
    fn exchanging_the_players_exchanges_the_hypotheses() {
        for model in [Model::Logistic, Model::Normalised] {
            let there = Sprt { model, ..Sprt::new(-3.0, 7.0) };
            let back = Sprt { model, ..Sprt::new(-7.0, 3.0) };
            let one = there.llr(&Outcomes::of_pairs([3, 40, 71, 50, 9]));
            let other = back.llr(&Outcomes::of_pairs([9, 50, 71, 40, 3]));
            assert!((one + other).abs() < 1e-9);
        }
    }

    #[test]
    fn no_games_and_one_sided_ones_are_no_trouble() {
        let test = Sprt::new(0.0, 10.0);
        assert!(test.llr(&Outcomes::of_games([0, 0, 0])).abs() < 1e-9);
        for model in [Model::Logistic, Model::Normalised] {
            let test = Sprt { model, ..test };
            assert!(test.llr(&Outcomes::of_pairs([0, 0, 0, 0, 60])) > 1.5, "{model:?}");
            assert!(test.llr(&Outcomes::of_pairs([60, 0, 0, 0, 0])) < -1.5, "{model:?}");
            assert!(test.llr(&Outcomes::of_games([0, 60, 0])).abs() < 2.0, "{model:?}");
        }
    }

    /// Simulated matches at either hypothesis: errors are near the one in twenty that was asked
    /// for, a little below since the last pair oversteps the bound.
    #[test]
    fn errors_are_as_rare_as_asked_for() {
        let test = Sprt::new(0.0, 80.0);
        let matches = if cfg!(debug_assertions) { 200 } else { 2000 };
        let mut rng = SplitMix64::new(3);
        for (elo, wrong) in [(0.0, Decision::Passed), (80.0, Decision::Failed)] {
            let draws = 0.4;
            let win = expected_score(elo) - draws / 2.0;
            let mut errors = 0u32;
            for _ in 0..matches {
                let mut pairs = [0; 5];
                let decision = loop {
                    let mut points = 0;
                    for _ in 0..2 {
                        let chance = rng.below(1_000_000) as f64 / 1e6;
                        points += if chance < win { 2 } else { usize::from(chance < win + draws) };
                    }
                    pairs[points] += 1;
                    match test.decision(&Outcomes::of_pairs(pairs)) {
                        Decision::Undecided => {}
                        decision => break decision,
                    }
                };
                errors += u32::from(decision == wrong);
            }
            let share = f64::from(errors) / matches as f64;
            assert!((0.015..=0.065).contains(&share), "{share} errors at {elo}");
        }
    }

    #[test]
    fn a_player_that_loses_everything_fails_within_thirty_games() {
        for model in [Model::Logistic, Model::Normalised] {
            for test in [Sprt::new(0.0, 5.0), Sprt::new(-5.0, 0.0), Sprt::new(0.0, 1.0)] {
                let test = Sprt { model, ..test };
                let lost = |pairs| test.decision(&Outcomes::of_pairs([pairs, 0, 0, 0, 0]));
                let won = |pairs| test.decision(&Outcomes::of_pairs([0, 0, 0, 0, pairs]));
                assert_eq!((lost(15), won(15)), (Decision::Failed, Decision::Passed), "{test}");
                assert_eq!((lost(5), won(5)), (Decision::Undecided, Decision::Undecided), "{test}");
                // Draws are no reason to hurry.
                let drawn = test.decision(&Outcomes::of_pairs([0, 0, 15, 0, 0]));
                assert_eq!(drawn, Decision::Undecided, "{test}");
            }
        }
    }

    #[test]
    fn leads_that_no_match_tells_apart_are_refused_by_their_bound() {
        let told = |text: &str| text.parse::<Sprt>().unwrap_err().to_string();
        for text in ["-1500,-500", "0,1001", "0,inf"] {
            assert!(told(text).ends_with("its numbers are leads from -1000 to 1000"), "{text}");
        }
        assert!(told("nan,1").ends_with("the lower one first"));
    }

    #[test]
    fn tests_are_read_from_two_numbers() {
        assert_eq!("0, 5".parse(), Ok(Sprt::new(0.0, 5.0)));
        assert_eq!("-2.5,0".parse(), Ok(Sprt::new(-2.5, 0.0)));
        for text in ["", "5", "5,0", "0,0", "0,x", "0,5,9", "nan,1", "0,inf"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
