//! How much stronger one player is, by the points it made, and how sure that is. Knows counts only.

use std::f64::consts::{LN_10, SQRT_2};

use super::Outcomes;

/// 95 % of a normal distribution lie within so many standard deviations.
const SIGMAS_95: f64 = 1.959_963_984_540_054;

/// Turns a lead in standard deviations of a game into normalised Elo, which is Elo itself where
/// no game is drawn.
pub(super) const NELO: f64 = 800.0 / LN_10;

/// The expected share of the points at a lead of so many Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The lead in Elo at which that share of the points is expected; infinite when it is all or none.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// A measure and the range that holds the truth in 95 cases of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The measure.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What games say about two players' strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The lead in Elo, by the logistic curve.
    pub elo: Interval,
    /// The lead in normalised Elo: in units of how much games scatter, so that it does not shrink
    /// with the share of draws.
    pub nelo: Interval,
    /// How likely the leader is the stronger one (LOS), 0 to 1.
    pub superiority: f64,
}

impl Estimate {
    /// What these outcomes say; `None` when there are none.
    pub fn of(outcomes: &Outcomes) -> Option<Self> {
        if outcomes.total() == 0 {
            return None;
        }
        let mean = outcomes.mean();
        let variance = outcomes.variance().max(least_variance(outcomes));
        let error = (variance / outcomes.total() as f64).sqrt();
        let range = SIGMAS_95 * error;
        let deviation = (variance * f64::from(outcomes.games_each())).sqrt();
        let nelo = NELO * (mean - 0.5) / deviation;
        let nelo_range = range * NELO / deviation;
        Some(Self {
            elo: Interval {
                value: elo_of(mean),
                low: elo_of(mean - range),
                high: elo_of(mean + range),
            },
            nelo: Interval { value: nelo, low: nelo - nelo_range, high: nelo + nelo_range },
            superiority: normal_below((mean - 0.5) / error),
        })
    }
}

/// Outcomes that do not scatter may be few rather than sure. Whatever was not seen in `n` of them may
/// still come about `3/n` of the time (the rule of three, for 95 cases of 100), which moves the mean
/// by so much of the way to the farther end of the scale; a variance is at least what gives that range.
fn least_variance(outcomes: &Outcomes) -> f64 {
    /// No share of points spreads more.
    const MOST: f64 = 0.25;
    let (mean, total) = (outcomes.mean(), outcomes.total() as f64);
    let unseen = 3.0 / total * mean.max(1.0 - mean);
    ((unseen / SIGMAS_95).powi(2) * total).min(MOST)
}

/// The share of a normal distribution below so many standard deviations.
fn normal_below(x: f64) -> f64 {
    0.5 * complementary_error(-x / SQRT_2)
}

/// The complementary error function, to about 13 digits: the series near zero, the continued
/// fraction (evaluated from its tail) away from it.
fn complementary_error(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - complementary_error(-x);
    }
    let scale = std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp();
    if x < 2.0 {
        // erf x = scale · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·5…(2n+1))
        let mut term = x;
        let mut sum = x;
        for n in 1..60 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 1.0 - scale * sum;
    }
    // erfc x = scale / 2 / (x + ½/(x + 1/(x + 3⁄2/(x + …))))
    let tail = (1..80).rev().fold(x, |tail, n| x + 0.5 * f64::from(n) / tail);
    scale / 2.0 / tail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, wanted: f64, digits: f64) {
        assert!((value - wanted).abs() < 10f64.powf(-digits), "{value} is not {wanted}");
    }

    #[test]
    fn elo_and_score_are_each_other_s_inverse() {
        // The usual table: 64 % for 100 points, 76 % for 200, ten to one for 400.
        for (elo, score) in [(0.0, 0.5), (100.0, 0.640_065), (200.0, 0.759_747), (400.0, 0.909_091)]
        {
            close(expected_score(elo), score, 6.0);
            close(elo_of(expected_score(-elo)), -elo, 9.0);
        }
        close(elo_of(0.75), 190.848_5, 4.0);
        assert_eq!((elo_of(1.0), elo_of(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn the_error_function_is_the_tabulated_one() {
        // Near zero, on either side of where the method changes, and in the far tail.
        for (x, value) in [
            (0.0, 1.0),
            (0.5, 0.479_500_122_187),
            (1.0, 0.157_299_207_050),
            (1.99, 0.004_888_586_800_38),
            (2.01, 0.004_475_150_644_75),
            (3.0, 2.209_049_7e-5),
            (5.0, 1.537_459_8e-12),
        ] {
            let error = (complementary_error(x) - value).abs() / value;
            assert!(error < 2e-8, "erfc {x} is {}", complementary_error(x));
            close(complementary_error(-x), 2.0 - complementary_error(x), 12.0);
        }
        close(normal_below(SIGMAS_95), 0.975, 12.0);
    }

    /// Against the same sums in a few lines of Python, with its `math.erf`:
    /// `m = Σ nᵢaᵢ/N`, `se = √(Σ nᵢ(aᵢ-m)²/N/N)`, Elo of `m` and of `m ± 1.96 se`.
    #[test]
    fn estimates_are_those_of_an_independent_computation() {
        for (pairs, elo, low, high, superiority, nelo, nelo_range) in [
            (
                [10, 50, 100, 60, 20],
                21.743_065,
                0.375_656,
                43.276_221,
                0.976_950,
                31.628_649,
                31.081_486,
            ),
            (
                [34, 54, 31, 64, 75],
                62.615_089,
                31.907_139,
                94.325_134,
                0.999_972,
                61.636_455,
                29.977_647,
            ),
            (
                [500, 2000, 4000, 2300, 700],
                12.806_055,
                9.393_325,
                16.221_256,
                1.0,
                18.548_515,
                4.940_212,
            ),
        ] {
            let estimate = Estimate::of(&Outcomes::of_pairs(pairs)).unwrap();
            close(estimate.elo.value, elo, 5.0);
            close(estimate.elo.low, low, 5.0);
            close(estimate.elo.high, high, 5.0);
            close(estimate.superiority, superiority, 5.0);
            close(estimate.nelo.value, nelo, 5.0);
            close(estimate.nelo.high - nelo, nelo_range, 5.0);
        }
    }

    #[test]
    fn pairs_without_correlation_say_what_their_games_do() {
        // Won, drawn and lost with 1/4, 1/2, 1/4 in independent games.
        let games = Outcomes::of_games([250, 500, 250]);
        let pairs = Outcomes::of_pairs([62, 250, 375, 250, 62]);
        close(games.game_deviation(), pairs.game_deviation(), 3.0);
    }

    #[test]
    fn games_that_do_not_scatter_tell_what_the_rule_of_three_does() {
        assert_eq!(Estimate::of(&Outcomes::of_games([0, 0, 0])), None);
        // Not one of 80 won: at most 3.75 % are, and 400 log10(0.0375 / 0.9625) = -563.8.
        let lost = Estimate::of(&Outcomes::of_games([80, 0, 0])).unwrap();
        assert_eq!((lost.elo.value, lost.elo.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        close(lost.elo.high, -563.76, 1.0);
        assert!(lost.superiority < 1e-10 && lost.nelo.high < -100.0);
        // All of 100 drawn: half of 3 % either way, 400 log10(0.515 / 0.485) = 10.4.
        let drawn = Estimate::of(&Outcomes::of_games([0, 100, 0])).unwrap();
        close(drawn.elo.high, 10.43, 1.0);
        close(drawn.elo.low, -10.43, 1.0);
        close(drawn.superiority, 0.5, 9.0);
        // One game says next to nothing.
        let one = Estimate::of(&Outcomes::of_games([0, 0, 1])).unwrap();
        assert!(one.elo.low < 0.0 && one.superiority < 0.9, "{one:?}");
    }
}
