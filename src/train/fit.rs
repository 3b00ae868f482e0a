//! What values mean: how the games that reached them ended, by the men on the board. Knows records
//! and one formula, no network.

use crate::{
    records::Game,
    types::{Value, scale::Chances, score},
};

/// Values are counted in steps of so much.
const STEP: Value = 20;
/// How many steps there are on either side of zero; what is beyond is as good as decided.
const STEPS: Value = 150;
/// Men are counted in bands that begin at these numbers.
const BANDS: [usize; 7] = [2, 9, 13, 17, 21, 25, 29];
/// The formula has settled when a step changes it by no more than this.
const SETTLED: f64 = 1e-6;
const MOST_ROUNDS: usize = 200;

/// How games ended with values of one step.
type Ends = [u64; 3];

/// How many games ended in which way, by men and value.
#[derive(Clone, Debug)]
pub struct Tally {
    bands: Vec<Band>,
    /// Plies at the start of games that are passed over, as those up to the last random move are.
    skipped: usize,
}

#[derive(Clone, Debug)]
struct Band {
    men: u64,
    positions: u64,
    ends: Vec<Ends>,
}

/// The formula of one band of men.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// With the mean number of men of the band.
    pub chances: Chances,
    /// Positions that it was fitted to.
    pub positions: u64,
    /// How far the shares of games won are off by the formula, root of the mean square over values.
    pub error: f64,
}

impl Tally {
    /// Nothing yet. So many plies of each game will be passed over.
    pub fn new(skipped: usize) -> Self {
        let ends = vec![[0; 3]; 2 * STEPS as usize + 1];
        let band = Band { men: 0, positions: 0, ends };
        Self { bands: vec![band; BANDS.len()], skipped }
    }

    /// Counts a game.
    ///
    /// # Panics
    /// When a move is not one of its position.
    pub fn add(&mut self, game: &Game) {
        let random = game.plies.iter().rposition(|ply| ply.random).map_or(0, |last| last + 1);
        let skipped = self.skipped.max(random);
        let mut ply = 0;
        game.replay(|position, played| {
            ply += 1;
            let value = Value::from(played.score);
            if ply <= skipped || score::is_decisive(value) {
                return;
            }
            let step = (f64::from(value) / f64::from(STEP)).round() as Value;
            if step.abs() > STEPS {
                return;
            }
            let men = position.occupied().count() as usize;
            let band = &mut self.bands[BANDS.partition_point(|&first| first <= men) - 1];
            let end = match game.winner {
                Some(winner) if winner == position.side() => 0,
                None => 1,
                Some(_) => 2,
            };
            band.men += men as u64;
            band.positions += 1;
            band.ends[(step + STEPS) as usize][end] += 1;
        });
    }

    /// Counts what another one has counted.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        for (band, more) in self.bands.iter_mut().zip(&other.bands) {
            band.men += more.men;
            band.positions += more.positions;
            for (ends, more) in band.ends.iter_mut().zip(&more.ends) {
                for (count, more) in ends.iter_mut().zip(more) {
                    *count += more;
                }
            }
        }
        self
    }

    /// The formulas that make these games most likely, from few men to many. A band without games of
    /// all three ends has none.
    pub fn fit(&self) -> Vec<Fit> {
        self.bands.iter().filter_map(Band::fit).collect()
    }
}

impl Band {
    /// Each step's value and ends.
    fn steps(&self) -> impl Iterator<Item = (f64, [f64; 3])> {
        let value = |step: usize| f64::from((step as Value - STEPS) * STEP);
        let ends = self.ends.iter().enumerate().filter(|(_, ends)| **ends != [0; 3]);
        ends.map(move |(step, ends)| (value(step), ends.map(|count| count as f64)))
    }

    /// Fisher's scoring: Newton's method with the curvature that is to be expected.
    fn fit(&self) -> Option<Fit> {
        let met = |end: usize| self.ends.iter().any(|ends| ends[end] > 0);
        if !(0..3).all(met) {
            return None;
        }
        let men = self.men as f64 / self.positions as f64;
        let mut chances = Chances { men, even: 300.0, spread: 100.0 };
        for _ in 0..MOST_ROUNDS {
            let (mut slope, mut curvature) = ([0.0; 2], [0.0; 3]);
            for (value, ends) in self.steps() {
                let count: f64 = ends.iter().sum();
                for (end, (share, by)) in shares(chances, value).into_iter().enumerate() {
                    let share = share.max(1e-12);
                    for i in 0..2 {
                        slope[i] += ends[end] * by[i] / share;
                    }
                    curvature[0] += count * by[0] * by[0] / share;
                    curvature[1] += count * by[0] * by[1] / share;
                    curvature[2] += count * by[1] * by[1] / share;
                }
            }
            let [a, b, d] = curvature;
            let whole = a * d - b * b;
            let even = (d * slope[0] - b * slope[1]) / whole;
            let spread = (a * slope[1] - b * slope[0]) / whole;
            if !(even.is_finite() && spread.is_finite()) {
                return None;
            }
            // Never so far that the formula loses its sense.
            chances.even = (chances.even + even).clamp(chances.even / 2.0, chances.even * 2.0);
            chances.spread =
                (chances.spread + spread).clamp(chances.spread / 2.0, chances.spread * 2.0);
            if even.abs().max(spread.abs()) < SETTLED {
                break;
            }
        }
        let squares = self.steps().map(|(value, ends)| {
            let count: f64 = ends.iter().sum();
            count * (ends[0] / count - chances.win(value)).powi(2)
        });
        let error = (squares.sum::<f64>() / self.positions as f64).sqrt();
        Some(Fit { chances, positions: self.positions, error })
    }
}

/// The shares of wins, draws and losses with a value, and how each grows with `even` and `spread`.
fn shares(chances: Chances, value: f64) -> [(f64, [f64; 2]); 3] {
    let Chances { even, spread, .. } = chances;
    let side = |value: f64| {
        let share = chances.win(value);
        let steep = -share * (1.0 - share) / spread;
        (share, [steep, steep * (value - even) / spread])
    };
    let (win, loss) = (side(value), side(-value));
    let draw = 1.0 - win.0 - loss.0;
    [win, (draw, [0, 1].map(|i| -win.1[i] - loss.1[i])), loss]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        position::{Position, Unobserved},
        records::{EndReason, Ply},
        types::{Color, SplitMix64},
    };

    /// Games of the start position whose ends obey a formula.
    fn games(chances: Chances, count: usize) -> Vec<Game> {
        let mut rng = SplitMix64::new(5);
        let mut unit = || (rng.next() >> 11) as f64 / (1u64 << 53) as f64;
        let start = Position::start();
        let mv = start.legal_moves()[0];
        (0..count)
            .map(|_| {
                let score = (unit() * 1600.0 - 800.0) as i16;
                let [(win, _), (draw, _), _] = shares(chances, score.into());
                let drawn = unit();
                let winner = if drawn < win {
                    Some(Color::Red)
                } else {
                    (drawn >= win + draw).then_some(Color::Black)
                };
                Game {
                    start: start.clone(),
                    opening: Vec::new(),
                    plies: vec![Ply { mv, score, random: false }],
                    winner,
                    end: EndReason::NoMove,
                }
            })
            .collect()
    }

    #[test]
    fn a_formula_is_found_again_in_games_that_obey_it() {
        let truth = Chances { men: 32.0, even: 230.0, spread: 75.0 };
        let games = games(truth, 60_000);
        let (one, other) = games.split_at(20_000);
        let count = |games: &[Game]| {
            let mut tally = Tally::new(0);
            for game in games {
                tally.add(game);
            }
            tally
        };
        let fits = count(one).with(&count(other)).fit();
        let [fit] = fits[..] else { panic!("{fits:?}") };
        assert!((fit.chances.even - truth.even).abs() < 6.0, "{fit:?}");
        assert!((fit.chances.spread - truth.spread).abs() < 4.0, "{fit:?}");
        assert_eq!((fit.positions, fit.chances.men), (60_000, 32.0));
    }

    #[test]
    fn what_follows_random_moves_or_is_decided_is_not_counted() {
        let mut game = games(Chances { men: 32.0, even: 1.0, spread: 1.0 }, 1).remove(0);
        let mut position = Position::start();
        position.make(game.plies[0].mv, &mut Unobserved);
        let mv = position.legal_moves()[0];
        game.plies.push(Ply { mv, score: 0, random: false });
        let positions = |skipped: usize, game: &Game| {
            let mut tally = Tally::new(skipped);
            tally.add(game);
            tally.bands.iter().map(|band| band.positions).sum::<u64>()
        };
        assert_eq!([0, 1, 2].map(|skipped| positions(skipped, &game)), [2, 1, 0]);
        game.plies[0].random = true;
        assert_eq!(positions(0, &game), 1);
        game.plies[0].random = false;
        game.plies[0].score = score::mate_in(3) as i16;
        assert_eq!(positions(0, &game), 1);
    }

    #[test]
    fn where_no_game_was_drawn_there_is_no_formula() {
        let mut tally = Tally::new(0);
        let games = games(Chances { men: 32.0, even: 100.0, spread: 50.0 }, 500);
        for game in games.iter().filter(|game| game.winner.is_some()) {
            tally.add(game);
        }
        assert_eq!(tally.fit(), []);
    }
}
