//! Who plays whom, from which opening and with which colours, decided before the first game: the
//! same on every machine. Knows players and openings by number only.

use std::{fmt, ops::Range, str::FromStr};

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first player plays everybody else.
    Gauntlet,
}

/// Why a text is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format: round-robin or gauntlet")]
pub struct FormatError(String);

/// A part of a match, for a machine of its own: the `index`-th of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

/// Why a text is no part of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a match (such as 1/4, the first of four)")]
pub struct ShardError(String);

/// One game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the whole match, from 0.
    pub game: usize,
    /// The player of the red men.
    pub red: usize,
    /// The player of the black men.
    pub black: usize,
    /// The opening.
    pub opening: usize,
}

/// All games of a match, two by two: each opening is played with both colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: Option<usize>,
    openings: Option<usize>,
    shard: Shard,
}

impl Schedule {
    /// A match of so many players, at least two; without `rounds` it goes on until somebody ends it. In
    /// each round every pairing plays one opening twice; after the last of so many openings comes the
    /// first again, and without a number none ever does.
    ///
    /// # Panics
    /// When there is no opening.
    pub fn new(
        format: Format,
        players: usize,
        rounds: Option<usize>,
        openings: Option<usize>,
    ) -> Self {
        assert!(openings != Some(0), "invariant: a game begins somewhere");
        let firsts = if format == Format::Gauntlet { 1 } else { players };
        let pairings =
            (0..firsts).flat_map(|one| (one + 1..players).map(move |other| (one, other))).collect();
        Self { pairings, rounds, openings, shard: Shard::WHOLE }
    }

    /// Only a part of it. The parts together are the whole, and none has a game of another.
    #[must_use]
    pub fn part(self, shard: Shard) -> Self {
        Self { shard, ..self }
    }

    /// Who plays whom: the first of each is the one whose lead is measured.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The games of this part, those of a pair next to each other.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + '_ {
        let mine = (self.shard.index - 1..self.pairs()).step_by(self.shard.of);
        mine.flat_map(|pair| [2 * pair, 2 * pair + 1]).map(|game| self.fixture(game))
    }

    /// How many games this part has; `None`: there is always another.
    pub fn games(&self) -> Option<usize> {
        self.rounds?;
        Some(2 * ((self.pairs() + self.shard.of - self.shard.index) / self.shard.of))
    }

    /// Pairs of games in all parts: no match comes to an end of the numbers.
    fn pairs(&self) -> usize {
        let rounds = self.rounds.unwrap_or(usize::MAX);
        rounds.saturating_mul(self.pairings.len()).min(usize::MAX / 4)
    }

    fn fixture(&self, game: usize) -> Fixture {
        let pair = game / 2;
        let (one, other) = self.pairings[pair % self.pairings.len()];
        let (red, black) = if game.is_multiple_of(2) { (one, other) } else { (other, one) };
        let round = pair / self.pairings.len();
        let opening = self.openings.map_or(round, |openings| round % openings);
        Fixture { game, red, black, opening }
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let known = [Self::RoundRobin, Self::Gauntlet];
        let known = known.into_iter().find(|format| format.to_string() == text);
        known.ok_or_else(|| FormatError(text.into()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// The numbers below `count` that are in this part, if each part has neighbours.
    pub fn stretch(self, count: u64) -> Range<u64> {
        let bound = |index: usize| (u128::from(count) * index as u128 / self.of as u128) as u64;
        bound(self.index - 1)..bound(self.index)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            Some(Self { index: index.trim().parse().ok()?, of: of.trim().parse().ok()? })
        });
        numbers.filter(|shard| (1..=shard.of).contains(&shard.index)).ok_or(ShardError(text.into()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(schedule: &Schedule) -> Vec<Fixture> {
        let games: Vec<_> = schedule.fixtures().collect();
        assert_eq!(Some(games.len()), schedule.games());
        games
    }

    #[test]
    fn every_opening_is_played_with_both_colours() {
        let schedule = Schedule::new(Format::RoundRobin, 3, Some(5), Some(4));
        let games = games(&schedule);
        assert_eq!(games.len(), 2 * 3 * 5);
        for (number, pair) in games.chunks(2).enumerate() {
            let [one, other] = pair else { panic!("an odd game") };
            assert_eq!((one.game, other.game), (2 * number, 2 * number + 1));
            assert_eq!((one.red, one.black), (other.black, other.red));
            assert_eq!(one.opening, other.opening);
            assert_eq!(one.opening, number / 3 % 4, "a round has one opening");
        }
    }

    #[test]
    fn pairings_are_those_of_the_format() {
        let pairings = |format| Schedule::new(format, 4, Some(1), Some(1)).pairings().to_vec();
        let all = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        assert_eq!(pairings(Format::RoundRobin), all);
        assert_eq!(pairings(Format::Gauntlet), all[..3]);
    }

    #[test]
    fn parts_make_up_the_whole_and_keep_pairs_together() {
        let whole = Schedule::new(Format::RoundRobin, 3, Some(7), Some(5));
        for of in [1, 2, 3, 20, 21, 50] {
            let mut parts = Vec::new();
            for index in 1..=of {
                let shard = format!("{index}/{of}").parse().unwrap();
                let part = games(&whole.clone().part(shard));
                assert!(part.chunks(2).all(|pair| pair[0].game / 2 == pair[1].game / 2));
                parts.extend(part);
            }
            parts.sort_by_key(|fixture| fixture.game);
            assert_eq!(parts, games(&whole), "{of} parts");
        }
    }

    #[test]
    fn without_rounds_there_is_always_another_game() {
        let endless = |openings| Schedule::new(Format::RoundRobin, 2, None, openings);
        let nth = |schedule: &Schedule, n| schedule.fixtures().nth(n).unwrap();
        assert_eq!(endless(None).games(), None);
        assert_eq!(nth(&endless(None), 100_001).opening, 50_000);
        assert_eq!(nth(&endless(Some(7)), 100_001).opening, 50_000 % 7);
    }

    #[test]
    fn parts_are_counted_from_one() {
        for text in ["0/4", "5/4", "1", "a/2", "1/0", "-1/2", "1/2/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
    }

    #[test]
    fn stretches_are_all_numbers_once_and_alike_in_length() {
        for (count, of) in [(10, 3), (7, 7), (2, 5), (u64::MAX, 4)] {
            let parts: Vec<_> = (1..=of).map(|index| Shard { index, of }.stretch(count)).collect();
            assert_eq!((parts[0].start, parts[of - 1].end), (0, count));
            assert!(parts.windows(2).all(|two| two[0].end == two[1].start));
            let lengths = || parts.iter().map(|part| part.end - part.start);
            assert!(lengths().max().unwrap() - lengths().min().unwrap() <= 1);
        }
    }
}
