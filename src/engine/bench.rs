//! The signature: how many positions a fixed suite takes at a fixed depth. Equal numbers mean that
//! nothing changed in what the search finds. Knows no output.

use std::time::{Duration, Instant};

use crate::{
    position::Position,
    rules::Line,
    search::{Limits, Outcome, Pool, Signals},
};

/// The depth of the recorded signature, low enough for a few seconds in all.
pub const DEPTH: u32 = 8;

const HASH_MB: usize = 16;

/// Openings, middlegames, endings and short fights.
pub const SUITE: [&str; 2] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1",
];

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions searched: the signature, if the depth was [`DEPTH`].
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

impl Tally {
    /// Positions in a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches every position of the suite by one thread, each as a new game, and tells of each.
///
/// # Panics
/// Only if a search does.
pub fn run(depth: u32, mut tell: impl FnMut(&str, &Outcome)) -> Tally {
    let mut pool = Pool::new(1, HASH_MB);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let started = Instant::now();
    let mut nodes = 0;
    for fen in SUITE {
        let position = Position::from_fen(fen).expect("invariant: the suite is legal");
        pool.new_game();
        let signals = Signals::new();
        let outcome = pool.think(&Line::new(position), &limits, false, 1, &signals, &|_| {});
        nodes += outcome.nodes;
        tell(fen, &outcome);
    }
    Tally { nodes, time: started.elapsed() }
}
