//! Where the games of a match begin: read from a file, or made at random and kept when they are
//! balanced. Knows positions and legal moves; leaves the judgement of balance to the caller.

use std::collections::HashSet;

use crate::{
    games::{FileFormat, GameError, OpenError, Place, Reader, Remark},
    position::{Position, Unobserved},
    rules::Line,
    types::{Move, SplitMix64},
};

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position that the moves start from.
    pub start: Position,
    /// What was played before the players think for themselves.
    pub moves: Vec<Move>,
}

/// Why there are no openings to be had of a file.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file.
    #[error(transparent)]
    File(#[from] OpenError),
    /// One of its games.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The side to move has lost already.
    #[error("{0}: the side to move has no legal move")]
    Over(Place),
    /// There is nothing in it.
    #[error("there is no opening in it")]
    Empty,
}

impl Opening {
    /// The start of every game.
    pub fn initial() -> Self {
        Self { start: Position::start(), moves: Vec::new() }
    }

    /// The position in which the players take over.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.make(mv, &mut Unobserved);
        }
        position
    }
}

/// Reads the openings of a text: games of any kind, of which the first `plies` moves are taken, or
/// lines of positions and moves.
///
/// ```
/// use chuhe::arena::openings;
/// let lines = "# a comment\nh2e2 h9g7\n4k4/9/9/9/9/9/9/9/9/3K5 w ;bare\n炮二平五 马8进7\n";
/// let openings = openings::read(lines, usize::MAX).unwrap();
/// assert_eq!(openings.len(), 3);
/// assert_eq!(openings[0], openings[2]);
/// ```
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn read(text: &str, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    from_games(Reader::from_bytes(text.into())?, plies, |_| ())
}

/// As [`read`], from a file that is open; what its reader left out is told.
///
/// # Errors
/// As [`read`].
pub fn from_games(
    games: Reader,
    plies: usize,
    mut tell: impl FnMut(&Remark),
) -> Result<Vec<Opening>, OpeningError> {
    let listed = games.format() == FileFormat::List;
    let mut openings = Vec::new();
    for found in games {
        let found = found?;
        found.remarks.iter().for_each(&mut tell);
        let moves = found.game.main_line().take(plies).collect();
        let opening = Opening { start: found.game.start, moves };
        if !opening.position().legal_moves().is_empty() {
            openings.push(opening);
        } else if listed {
            return Err(OpeningError::Over(found.place));
        }
        // A game that is over at once teaches nothing, but is no reason to refuse the others.
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

/// Puts the openings into an order that depends on the seed alone.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for last in (1..openings.len()).rev() {
        openings.swap(last, rng.below(last + 1));
    }
}

/// Where the games of a match begin, by number from 0.
#[derive(Clone, Debug)]
pub enum Openings {
    /// At these, of which there is one at least.
    Listed(Vec<Opening>),
    /// Wherever chance leads. There is always another.
    Random(RandomOpenings),
}

/// How openings are made at random: each from its number alone, so that none need be kept or made
/// twice to have the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomOpenings {
    /// What chance starts from.
    pub seed: u64,
    /// Plies from the start.
    pub plies: usize,
    /// By how many points they may favour either side, a knight 100 …
    pub band: u32,
    /// … as a search of so many positions judges.
    pub nodes: u64,
}

impl Openings {
    /// How many there are; `None`: no end of them.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Listed(openings) => Some(openings.len()),
            Self::Random(_) => None,
        }
    }
}

impl RandomOpenings {
    /// The opening of a number, if this is how positions are judged, in points for the side to move.
    pub fn make(&self, number: usize, mut judge: impl FnMut(&Line) -> i32) -> Opening {
        const TRIES: usize = 1000;
        // Seeds that are neighbours have nothing else in common.
        let seed = SplitMix64::new(self.seed).next().wrapping_add(number as u64);
        let mut most_even: Option<(u32, Position)> = None;
        let even = Generator::new(seed, self.plies).next(self.band, TRIES, |line| {
            let points = judge(line);
            let off = points.unsigned_abs();
            if most_even.as_ref().is_none_or(|&(least, _)| off < least) {
                most_even = Some((off, line.position().clone()));
            }
            points
        });
        // A judge whom nothing pleases is no reason not to play.
        let start = even.or(most_even.map(|(_, position)| position));
        Opening { start: start.unwrap_or_else(Position::start), moves: Vec::new() }
    }
}

/// A number that tells these openings, in this order, from others (FNV-1a).
pub fn checksum(openings: &[Opening]) -> u64 {
    const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01B3;
    let mut sum = BASIS;
    for Opening { start, moves } in openings {
        let bits = moves.iter().map(|&mv| u64::from(Move::to_bits(Some(mv))));
        // Where one opening ends and the next begins matters, too.
        for word in [start.key(), moves.len() as u64].into_iter().chain(bits) {
            sum = (sum ^ word).wrapping_mul(PRIME);
        }
    }
    sum
}

/// Random play from the start position.
pub struct Generator {
    rng: SplitMix64,
    plies: usize,
    known: HashSet<u64>,
}

impl Generator {
    /// Plays so many plies each time; the seed decides which.
    pub fn new(seed: u64, plies: usize) -> Self {
        Self { rng: SplitMix64::new(seed), plies, known: HashSet::new() }
    }

    /// The next position that was not made before and that `judge`, points for the side to move,
    /// finds within the band either way. `None` when `tries` were all in vain.
    pub fn next(
        &mut self,
        band: u32,
        tries: usize,
        mut judge: impl FnMut(&Line) -> i32,
    ) -> Option<Position> {
        (0..tries).find_map(|_| {
            let line = self.play()?;
            let position = line.position();
            let fresh = !position.in_check() && self.known.insert(position.key());
            (fresh && judge(&line).unsigned_abs() <= band).then(|| position.clone())
        })
    }

    fn play(&mut self) -> Option<Line> {
        let mut line = Line::new(Position::start());
        for _ in 0..self.plies {
            let moves = line.position().legal_moves();
            if moves.is_empty() {
                return None;
            }
            line.push(moves[self.rng.below(moves.len())], &mut Unobserved);
        }
        (!line.position().legal_moves().is_empty()).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind_are_read() {
        let text = "\u{feff}\n  # none\n1. 炮二平五 马8进7 2. 马二进三\n\
                    4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1 moves e9e8 d0d1\n\
                    4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1; eval 3\nC2=5\n";
        let openings = read(text.trim_start_matches('\u{feff}'), 8).unwrap();
        let plies: Vec<_> = openings.iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(plies, [3, 2, 0, 1]);
        assert_eq!(openings[1].position().fen(), "9/4k4/9/9/9/9/9/9/3K5/9 b - - 2 2");
    }

    #[test]
    fn a_line_may_end_with_a_result() {
        let moves = read("h2e2 h9g7\n", 8).unwrap();
        for result in ["1-0", "0-1", "1/2-1/2", "1/2", "*"] {
            assert_eq!(read(&format!("1. h2e2 h9g7 {result}\n"), 8).unwrap(), moves, "{result}");
        }
        let mut told = Vec::new();
        let games = Reader::from_bytes("h2e2 1-0 h9g7".into()).unwrap();
        assert_eq!(from_games(games, 8, |remark| told.push(remark.what.clone())).unwrap().len(), 1);
        assert_eq!(told, ["after the result is left out: `h9g7`"]);
    }

    #[test]
    fn comments_may_stand_before_the_first_game() {
        let games = "[Event \"a\"]\n1. h2e2 h9g7 1-0\n\n[Event \"b\"]\n1. b2e2 *\n";
        let plain = read(games, 8).unwrap();
        assert_eq!(plain.len(), 2);
        for head in ["% by a program\n%\n", "{two\nlines}\n", "; a line\n\n% x\n{y}\n", "\u{feff}"]
        {
            assert_eq!(read(&format!("{head}{games}"), 8).unwrap(), plain, "{head}");
        }
        let told = read(&format!("{{ no end\n{games}"), 8).unwrap_err().to_string();
        assert_eq!(told, "game 1, line 1: a comment that begins here has no end");
    }

    #[test]
    fn games_are_cut_at_the_plies_wanted() {
        let text = "[Event \"a\"]\n1. h2e2 h9g7 2. h0g2 1-0\n\n[Event \"b\"]\n1. b2e2 *\n";
        let plies: Vec<_> =
            read(text, 2).unwrap().iter().map(|opening| opening.moves.len()).collect();
        assert_eq!(plies, [2, 1]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("\nh2e2 h2e2", "game 1, line 2, ply 2: `h2e2` is no legal move here"),
            ("h2e2 #\n4k4/9 w", "game 2, line 2: bad FEN: board has 2 ranks, not 10"),
            ("h2e2\nqwerty", "game 2, line 2, ply 1: `qwerty` is a move in no notation"),
            ("[Event \"x\"]\n1. e9e8 *", "game 1, line 2, ply 1: `e9e8` is no legal move here"),
            ("3k5/9/9/9/9/9/9/9/3R1R3/4K4 b", "game 1, line 1: the side to move has no legal move"),
            ("# nothing\n", "there is no opening in it"),
        ] {
            assert_eq!(read(text, 8).unwrap_err().to_string(), told, "{text}");
        }
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone_and_differ() {
        let some = |seed| -> Vec<String> {
            let mut generator = Generator::new(seed, 6);
            (0..20).map(|_| generator.next(1, 100, |_| 0).unwrap().fen()).collect()
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        let distinct: HashSet<_> = some(1).into_iter().collect();
        assert_eq!(distinct.len(), 20);
    }

    #[test]
    fn what_leaves_the_band_is_not_kept() {
        let mut generator = Generator::new(5, 4);
        let mut asked = 0;
        let kept = generator.next(50, 10, |_| {
            asked += 1;
            [-51, 51, 400, -50][asked - 1]
        });
        assert!(kept.is_some() && asked == 4);
        assert_eq!(generator.next(50, 10, |_| 51), None);
    }

    #[test]
    fn random_openings_depend_on_seed_and_number_alone() {
        let random = |seed| RandomOpenings { seed, plies: 6, band: 50, nodes: 1 };
        let made = |seed, number| random(seed).make(number, |_| 0).start.fen();
        let all: HashSet<_> = (0..40).flat_map(|n| [made(1, n), made(2, n)]).collect();
        assert_eq!(all.len(), 80);
        assert_eq!(made(1, 7), made(1, 7));
        // Where none is even, it is the most even one that was found.
        let mut points = 1000_i32;
        let off = random(1).make(0, |_| {
            points -= 1;
            100 + (points - 500).abs()
        });
        let mut judged = 0;
        random(1).make(0, |line| {
            judged += 1;
            if judged == 500 {
                assert_eq!(line.position().fen(), off.start.fen());
            }
            i32::MAX
        });
        assert!(judged >= 500);
    }

    #[test]
    fn shuffling_keeps_every_opening() {
        let mut openings = read("h2e2\nb2e2\nc3c4\ng3g4\nh0g2\n", 8).unwrap();
        let before = openings.clone();
        shuffle(&mut openings, 9);
        assert_ne!(openings, before);
        assert!(before.iter().all(|opening| openings.contains(opening)));
    }
}
