//! How a match stands, from its records in whatever order they come. Knows counts, and leaves what
//! they say about strength to [`super::elo`] and [`super::sprt`].

use std::collections::{BTreeMap, HashMap};

use super::{Outcomes, Record, Termination};
use crate::notation::GameResult;

/// The score between two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games that the first one lost, drew and won.
    pub games: [u64; 3],
    /// Pairs of games by the points of the first one: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Score {
    /// The outcomes to judge strength by: pairs when there are any, for they tell more.
    pub fn outcomes(&self) -> Outcomes {
        if self.pairs.iter().sum::<u64>() > 0 {
            Outcomes::of_pairs(self.pairs)
        } else {
            Outcomes::of_games(self.games)
        }
    }

    /// Games played.
    pub fn total(&self) -> u64 {
        self.games.iter().sum()
    }
}

/// How a match stands.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// By pairing, the player of the lower number first.
    pub scores: BTreeMap<(usize, usize), Score>,
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games that each player lost by a fault.
    pub faults: BTreeMap<usize, u64>,
    /// Points of Red, in halves, over all games.
    pub red_half_points: u64,
    /// Half points of the one game of each pair that lacks the other.
    open: HashMap<usize, usize>,
}

impl Standings {
    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
        let red = match record.result() {
            GameResult::RedWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
            GameResult::Unknown => return,
        };
        let (pairing, first) = if record.red < record.black {
            ((record.red, record.black), red)
        } else {
            ((record.black, record.red), 2 - red)
        };
        let score = self.scores.entry(pairing).or_default();
        score.games[first] += 1;
        let pair = record.game / 2;
        match self.open.remove(&pair) {
            Some(other) => score.pairs[first + other] += 1,
            None => drop(self.open.insert(pair, first)),
        }
        *self.terminations.entry(record.termination).or_default() += 1;
        if let Some(offender) = record.offender() {
            *self.faults.entry(offender).or_default() += 1;
        }
        self.red_half_points += red as u64;
    }

    /// Games played.
    pub fn total(&self) -> u64 {
        self.scores.values().map(Score::total).sum()
    }

    /// All games of a player against everybody, as if against one.
    pub fn of_player(&self, player: usize) -> Score {
        let mut all = Score::default();
        for (&(first, second), score) in &self.scores {
            let (mut games, mut pairs) = (score.games, score.pairs);
            if second == player {
                games.reverse();
                pairs.reverse();
            } else if first != player {
                continue;
            }
            all.games.iter_mut().zip(games).for_each(|(sum, count)| *sum += count);
            all.pairs.iter_mut().zip(pairs).for_each(|(sum, count)| *sum += count);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: usize, red: usize, black: usize, result: &str) -> Record {
        Record {
            game,
            red,
            black,
            result: result.into(),
            termination: Termination::Time,
            reason: String::new(),
            fen: None,
            moves: String::new(),
            opening: 0,
            us: Vec::new(),
            clock_ms: Vec::new(),
            scores: Vec::new(),
            depths: Vec::new(),
            nodes: Vec::new(),
            begun: String::new(),
            wall_ms: 0,
        }
    }

    #[test]
    fn pairs_are_found_in_any_order() {
        let records = [
            record(0, 0, 1, "1-0"),
            record(1, 1, 0, "1/2-1/2"),
            record(2, 0, 1, "0-1"),
            record(3, 1, 0, "1-0"),
            record(4, 0, 1, "1/2-1/2"),
        ];
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [0, 2, 4, 1, 3]] {
            let mut standings = Standings::default();
            for index in order {
                standings.add(&records[index]);
            }
            let score = &standings.scores[&(0, 1)];
            assert_eq!(score.games, [2, 2, 1]);
            assert_eq!(score.pairs, [1, 0, 0, 1, 0]);
            assert_eq!(standings.faults, BTreeMap::from([(0, 2), (1, 1)]));
            assert_eq!((standings.total(), standings.red_half_points), (5, 6));
        }
    }

    #[test]
    fn a_player_s_own_score_is_seen_from_its_side() {
        let mut standings = Standings::default();
        standings.add(&record(0, 0, 1, "1-0"));
        standings.add(&record(1, 1, 0, "0-1"));
        standings.add(&record(2, 1, 2, "1-0"));
        standings.add(&record(4, 0, 2, "0-1"));
        assert_eq!(standings.of_player(1).games, [2, 0, 1]);
        assert_eq!(standings.of_player(1).pairs, [1, 0, 0, 0, 0]);
        assert_eq!(standings.of_player(2).games, [1, 0, 1]);
    }
}
