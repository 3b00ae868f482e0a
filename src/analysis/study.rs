//! One position searched afresh: nothing that was searched before makes a difference, so that the
//! result is the same in whatever order and by however many threads.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{Evaluation, Variation, chances, points};
use crate::{
    clock::Budget,
    eval::Network,
    position::Position,
    rules::{Line, Outcome, outcome},
    search::{Info, Limits, Pool, Report, Signals},
    types::{Bound, Color, Move, Score},
};

/// How long each position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// So many plies deep.
    Depth(u32),
    /// So many milliseconds.
    Time(u64),
    /// As long as it takes for a game to last so many milliseconds on all threads.
    Game(u64),
}

/// What an analysis depends on, but for the program and its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How long each position is searched.
    pub effort: Effort,
    /// How many lines of each position are told, at least two for the only moves to be found.
    pub lines: usize,
    /// Megabytes of each thread's table.
    pub hash_mb: usize,
}

/// The shortest and the longest search of a position where a game has a time.
const SHARES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(10));

impl Effort {
    /// The limits of a search in a game of so many positions.
    pub(super) fn limits(self, positions: usize, threads: usize) -> Limits {
        let timed = |time| Some(Budget::fixed(time));
        match self {
            Self::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            Self::Depth(depth) => Limits { depth: Some(depth), ..Limits::default() },
            Self::Time(ms) => {
                Limits { time: timed(Duration::from_millis(ms)), ..Limits::default() }
            }
            Self::Game(ms) => {
                let whole = Duration::from_millis(ms) * threads as u32;
                let share = whole / positions.max(1) as u32;
                Limits { time: timed(share.clamp(SHARES.0, SHARES.1)), ..Limits::default() }
            }
        }
    }

    /// As many megabytes as such a search fills.
    pub fn hash_mb(self) -> usize {
        match self {
            // An entry for each node, and room between them.
            Self::Nodes(nodes) => {
                (nodes / 32_768).next_power_of_two().clamp(1, 64).try_into().unwrap_or(64)
            }
            Self::Depth(_) | Self::Time(_) | Self::Game(_) => 64,
        }
    }
}

/// Somebody who searches positions, on one thread.
pub(super) struct Student {
    pool: Pool,
    lines: usize,
}

impl Student {
    /// One who evaluates by a network, or by hand without any.
    ///
    /// # Panics
    /// When the system gives neither a thread nor the memory.
    pub(super) fn new(settings: Settings, network: Option<Arc<Network>>) -> Self {
        let mut pool = Pool::new(1, settings.hash_mb);
        pool.set_network(network);
        Self { pool, lines: settings.lines }
    }

    /// Searches where a line of play has got to.
    pub(super) fn study(&mut self, line: &Line, limits: &Limits, signals: &Signals) -> Evaluation {
        let lines = self.lines;
        let told: Mutex<Vec<Option<Info>>> = Mutex::new(vec![None; lines]);
        let note = |report: Report| {
            let Some(info) = report.line() else { return };
            if info.bound != Bound::Exact || info.pv.is_empty() {
                return;
            }
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = told.get_mut(info.multipv - 1) {
                *place = Some(info);
            }
        };
        let result = self.pool.on_its_thread(|pool| {
            pool.new_game();
            pool.think(line, limits, false, lines, signals, &note)
        });
        let position = line.position();
        let mut told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        // What was chosen in the end may not have been told as a whole line.
        if let Some(best) = result.best {
            let whole = told.iter().flatten().find(|info| info.pv.first() == Some(&best));
            let moves = whole.map_or_else(|| vec![best], |info| info.pv.clone());
            for place in &mut told {
                place.take_if(|info| info.pv.first() == Some(&best));
            }
            let mut lines = vec![variation(position, moves, result.score)];
            for info in told.into_iter().flatten() {
                let new = lines.iter().all(|line| line.moves.first() != info.pv.first());
                if new {
                    lines.push(variation(position, info.pv, info.score));
                }
            }
            let best = &lines[0];
            return Evaluation {
                chances: best.chances,
                points: best.points,
                mate: best.mate,
                depth: result.depth,
                nodes: result.nodes,
                lines,
            };
        }
        finished(line).unwrap_or_default()
    }
}

fn variation(position: &Position, moves: Vec<Move>, score: Score) -> Variation {
    let red = position.side() == Color::Red;
    let (points, mate) = match score {
        Score::Value(value) => (Some(points(position, value)), None),
        Score::Mate(plies) => {
            let moves = if plies > 0 { (plies + 1) / 2 } else { plies / 2 };
            (None, Some(if red { moves } else { -moves }))
        }
    };
    Variation { moves, chances: chances(position, score), points, mate }
}

/// What a position is worth where the game is over by the rules or on the board.
pub(super) fn finished(line: &Line) -> Option<Evaluation> {
    let won = |winner| if winner == Color::Red { [1000, 0, 0] } else { [0, 0, 1000] };
    match outcome(line) {
        Outcome::Ongoing => None,
        Outcome::Won { winner, .. } => {
            let mate = line.position().is_lost().then_some(0);
            Some(Evaluation { chances: won(winner), mate, ..Evaluation::default() })
        }
        Outcome::Drawn(_) => {
            Some(Evaluation { chances: [0, 1000, 0], points: Some(0), ..Evaluation::default() })
        }
    }
}
