//! One scale for every score that is shown: what a value is worth in men and in games. All numbers
//! here are printed by `chuhe net fit`; nnue/README.md tells from which games.

use super::{Score, Value};

/// What a knight more is worth at the start of a game: a hundred points of UCCI.
pub const KNIGHT: Value = 281;

/// How games end by value and by the men on the board. Between two of these it is interpolated.
const KNOTS: [Chances; 7] = [
    Chances { men: 6.8, even: 372.0, spread: 116.0 },
    Chances { men: 10.5, even: 379.4, spread: 170.5 },
    Chances { men: 14.4, even: 252.0, spread: 238.7 },
    Chances { men: 18.5, even: 157.1, spread: 288.0 },
    Chances { men: 22.5, even: 118.5, spread: 316.5 },
    Chances { men: 26.3, even: 97.3, spread: 328.5 },
    Chances { men: 29.7, even: 83.2, spread: 334.9 },
];

/// How games end where so many men are on the board. With a value of `v` the side to move wins
/// `1 / (1 + exp((even - v) / spread))` of them, and loses as many as the other side wins with `-v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Men on the board, the kings among them.
    pub men: f64,
    /// The value that wins half of the games: a hundred points of UCI.
    pub even: f64,
    /// The value that the odds of winning grow e-fold with.
    pub spread: f64,
}

impl Chances {
    /// The chances with so many men on the board.
    pub fn with(men: u32) -> Self {
        let men = f64::from(men).clamp(KNOTS[0].men, KNOTS[KNOTS.len() - 1].men);
        let at = KNOTS.partition_point(|knot| knot.men < men).clamp(1, KNOTS.len() - 1);
        let (low, high) = (KNOTS[at - 1], KNOTS[at]);
        let part = (men - low.men) / (high.men - low.men);
        let between = |low: f64, high: f64| low + (high - low) * part;
        Self { men, even: between(low.even, high.even), spread: between(low.spread, high.spread) }
    }

    /// The share of games that are won with a value, for the side that the value is for.
    pub fn win(self, value: f64) -> f64 {
        1.0 / (1.0 + ((self.even - value) / self.spread).exp())
    }

    /// Per mille of games won, drawn and lost with a score.
    pub fn per_mille(self, score: Score) -> [u32; 3] {
        let share = |value: Value| (1000.0 * self.win(value.into())).round() as u32;
        let (win, loss) = match score {
            Score::Value(value) => (share(value), share(-value)),
            Score::Mate(plies) if plies > 0 => (1000, 0),
            Score::Mate(_) => (0, 1000),
        };
        [win, 1000 - win - loss, loss]
    }

    /// A value in points of UCI.
    pub fn uci(self, value: Value) -> i32 {
        (f64::from(value) * 100.0 / self.even).round() as i32
    }

    /// Points of UCI as a value.
    pub fn from_uci(self, points: i32) -> Value {
        (f64::from(points) * self.even / 100.0).round() as Value
    }
}

/// A value in points of UCCI.
pub fn ucci(value: Value) -> i32 {
    (f64::from(value) * 100.0 / f64::from(KNIGHT)).round() as i32
}

/// Points of UCCI as a value.
pub fn from_ucci(points: i32) -> Value {
    (f64::from(points) * f64::from(KNIGHT) / 100.0).round() as Value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_up_and_are_even_at_a_hundred_points() {
        for men in 2..=32 {
            let chances = Chances::with(men);
            for value in (-32_000..=32_000).step_by(50) {
                let [win, draw, loss] = chances.per_mille(Score::Value(value));
                assert!(win + draw + loss == 1000 && draw <= 1000, "{men} men, {value}");
            }
            let even = chances.even.round() as Value;
            assert_eq!(chances.uci(even), 100, "{men} men");
            assert_eq!(chances.from_uci(100), even, "{men} men");
            assert!(chances.per_mille(Score::Value(even))[0].abs_diff(500) <= 2, "{men} men");
            assert_eq!(chances.per_mille(Score::Mate(3)), [1000, 0, 0]);
            assert_eq!(chances.per_mille(Score::Mate(0)), [0, 0, 1000]);
        }
    }

    #[test]
    fn the_knots_go_up_by_men_and_what_lies_between_them_lies_between_them() {
        assert!(KNOTS.is_sorted_by(|low, high| low.men < high.men));
        for pair in KNOTS.windows(2) {
            let middle = Chances::with(f64::midpoint(pair[0].men, pair[1].men).round() as u32);
            for (low, middle, high) in [
                (pair[0].even, middle.even, pair[1].even),
                (pair[0].spread, middle.spread, pair[1].spread),
            ] {
                assert!((low.min(high)..=low.max(high)).contains(&middle));
            }
        }
        assert_eq!(Chances::with(0), KNOTS[0]);
        assert_eq!(Chances::with(90), KNOTS[KNOTS.len() - 1]);
    }

    #[test]
    fn a_knight_is_a_hundred_points_of_ucci_there_and_back() {
        assert_eq!((ucci(KNIGHT), ucci(-KNIGHT), from_ucci(100)), (100, -100, KNIGHT));
        for points in -9_000..=9_000 {
            assert_eq!(ucci(from_ucci(points)), points);
        }
    }
}
