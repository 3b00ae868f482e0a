//! How a match stands, from its records in whatever order they come. Knows counts, and leaves what
//! they say about strength to [`super::elo`] and [`super::sprt`].

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{Outcomes, Record, Termination};
use crate::notation::GameResult;

/// The score between two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games that the first one lost, drew and won.
    pub games: [u64; 3],
    /// Pairs of games by the points of the first one: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// As [`Self::games`], but each game once, however often it was played.
    pub distinct_games: [u64; 3],
    /// As [`Self::pairs`], but each pair once.
    pub distinct_pairs: [u64; 5],
}

impl Score {
    /// The outcomes to judge strength by: pairs when there are any, for they tell more. A copy of
    /// what was played before tells nothing, and is left out.
    pub fn outcomes(&self) -> Outcomes {
        if self.distinct_pairs.iter().sum::<u64>() > 0 {
            Outcomes::of_pairs(self.distinct_pairs)
        } else {
            Outcomes::of_games(self.distinct_games)
        }
    }

    /// Games that are no copies.
    pub fn distinct(&self) -> u64 {
        self.distinct_games.iter().sum()
    }

    /// Another one's counts besides, which are seen from the second player's side if so `reversed`.
    fn add(&mut self, mut other: Self, reversed: bool) {
        fn sum(to: &mut [u64], from: &mut [u64], reversed: bool) {
            if reversed {
                from.reverse();
            }
            to.iter_mut().zip(from).for_each(|(sum, count)| *sum += *count);
        }
        sum(&mut self.games, &mut other.games, reversed);
        sum(&mut self.pairs, &mut other.pairs, reversed);
        sum(&mut self.distinct_games, &mut other.distinct_games, reversed);
        sum(&mut self.distinct_pairs, &mut other.distinct_pairs, reversed);
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
    /// The one game of each pair that lacks the other, and its half points.
    open: HashMap<usize, (u64, usize)>,
    /// The games there were, and the pairs.
    games: HashSet<u64>,
    pairs: HashSet<[u64; 2]>,
}

/// A number that only copies of a game share: the same players with the same men made the same moves
/// from the same start.
fn fingerprint(record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Record { red, black, fen, moves, result, .. } = record;
    (red, black, fen, moves, result).hash(&mut hasher);
    hasher.finish()
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
        let game = fingerprint(record);
        score.distinct_games[first] += u64::from(self.games.insert(game));
        let pair = record.game / 2;
        if let Some((twin, points)) = self.open.remove(&pair) {
            let points = first + points;
            score.pairs[points] += 1;
            let fresh = self.pairs.insert([game.min(twin), game.max(twin)]);
            score.distinct_pairs[points] += u64::from(fresh);
        } else {
            self.open.insert(pair, (game, first));
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
        for (&(first, second), &score) in &self.scores {
            if first == player || second == player {
                all.add(score, second == player);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game like no other.
    fn record(game: usize, red: usize, black: usize, result: &str) -> Record {
        Record {
            game,
            red,
            black,
            result: result.into(),
            termination: Termination::Time,
            reason: String::new(),
            fen: None,
            moves: game.to_string(),
            opening: 0,
            us: Vec::new(),
            clock_ms: Vec::new(),
            scores: Vec::new(),
            depths: Vec::new(),
            nodes: Vec::new(),
            warnings: Vec::new(),
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
    fn a_copy_of_a_game_counts_once_in_any_order() {
        let like = |game: usize, pattern: &str, result: &str| Record {
            moves: pattern.into(),
            ..record(game, game % 2, 1 - game % 2, result)
        };
        // Two copies of a pair, one of whose games is in a third, other one.
        let records = [
            like(0, "a", "1-0"),
            like(1, "b", "1-0"),
            like(2, "a", "1-0"),
            like(3, "b", "1-0"),
            like(4, "a", "1-0"),
            like(5, "c", "0-1"),
        ];
        for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [4, 1, 3, 5, 0, 2]] {
            let mut standings = Standings::default();
            for index in order {
                standings.add(&records[index]);
            }
            let score = standings.scores[&(0, 1)];
            assert_eq!((score.games, score.pairs), ([2, 0, 4], [0, 0, 2, 0, 1]));
            assert_eq!((score.distinct_games, score.distinct_pairs), ([1, 0, 2], [0, 0, 1, 0, 1]));
            assert_eq!((score.total(), score.distinct()), (6, 3));
            assert_eq!(score.outcomes(), Outcomes::of_pairs([0, 0, 1, 0, 1]));
            assert_eq!(standings.of_player(1).distinct_games, [2, 0, 1]);
        }
        // The same moves with the men exchanged are another game.
        let mut standings = Standings::default();
        standings.add(&like(0, "a", "1-0"));
        standings.add(&like(1, "a", "1-0"));
        assert_eq!(standings.scores[&(0, 1)].distinct(), 2);
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
