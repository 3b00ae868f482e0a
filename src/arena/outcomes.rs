//! How often each score came about, in single games or in pairs of them. Knows means and spreads,
//! not what follows from them.

/// Counts of equally spaced scores, none of the points first and all of them last, as one of two
/// players made them.
///
/// A pair is the two games of one opening with colours exchanged. What the opening gives to one
/// side cancels out within a pair, so pairs spread less than their games would, and tell more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    counts: Vec<u64>,
    games_each: u32,
}

impl Outcomes {
    /// Single games: lost, drawn, won.
    pub fn of_games(counts: [u64; 3]) -> Self {
        Self { counts: counts.into(), games_each: 1 }
    }

    /// Pairs of games by their points: 0, ½, 1, 1½, 2.
    pub fn of_pairs(counts: [u64; 5]) -> Self {
        Self { counts: counts.into(), games_each: 2 }
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many games make up one of them.
    pub fn games_each(&self) -> u32 {
        self.games_each
    }

    /// Each score, as a share of the points, with how often it came about.
    pub fn scores(&self) -> impl Iterator<Item = (f64, u64)> + Clone {
        let most = self.counts.len() as f64 - 1.0;
        self.counts.iter().enumerate().map(move |(points, &count)| (points as f64 / most, count))
    }

    /// The share of the points, 0 to 1; one half when there are no games.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.scores().map(|(score, count)| score * count as f64).sum();
        if self.total() == 0 { 0.5 } else { sum / self.total() as f64 }
    }

    /// The spread of a single one about the mean, squared.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let sum: f64 =
            self.scores().map(|(score, count)| (score - mean).powi(2) * count as f64).sum();
        if self.total() == 0 { 0.0 } else { sum / self.total() as f64 }
    }

    /// The spread of a single game's score about the mean, as far as these tell it.
    pub fn game_deviation(&self) -> f64 {
        (self.variance() * f64::from(self.games_each)).sqrt()
    }
}
