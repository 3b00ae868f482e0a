//! What is asked of a search and what it tells. Values only.

use std::{fmt, time::Duration};

use crate::{
    clock::Budget,
    types::{Bound, Color, Move, Score},
};

/// When to stop, which moves count and what a draw does. The default has no limit; all combine, the first hit stops.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Complete this many plies.
    pub depth: Option<u32>,
    /// Visit at most this many nodes, all threads together.
    pub nodes: Option<u64>,
    /// Stop once a mate in at most so many own moves is proven.
    pub mate: Option<u32>,
    /// Time for this move.
    pub time: Option<Budget>,
    /// Give no move before `stop`, even when the search is finished.
    pub infinite: bool,
    /// Consider only these root moves; empty means all.
    pub only: Vec<Move>,
    /// Consider none of these root moves, unless nothing else is left.
    pub never: Vec<Move>,
    /// The side for which a draw counts as a win (和棋黑胜); none: for neither.
    pub draws_won_by: Option<Color>,
}

/// What a search tells while it runs.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line that was found.
    Line(Info),
    /// Where a long search is, once a second.
    Progress(Progress),
}

impl Report {
    /// The line, if it tells one.
    pub fn line(self) -> Option<Info> {
        match self {
            Self::Line(info) => Some(info),
            Self::Progress(_) => None,
        }
    }
}

/// Where a search is that has taken a second or more.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The plies of the iteration that runs.
    pub depth: u32,
    /// The root move being searched.
    pub current: Move,
    /// Which of the root moves it is, from 1.
    pub number: u32,
    /// All threads together.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Use of the transposition table, per mille.
    pub hashfull: u32,
    /// Since the search began.
    pub time: Duration,
}

/// What a finished iteration found, for one of the best lines.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies completed.
    pub depth: u32,
    /// The deepest ply any line reached.
    pub seldepth: u32,
    /// The rank of this line, from 1.
    pub multipv: usize,
    /// From the mover's view.
    pub score: Score,
    /// Which side of the true score this one lies on.
    pub bound: Bound,
    /// All threads together.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Use of the transposition table, per mille.
    pub hashfull: u32,
    /// Since the search began.
    pub time: Duration,
    /// The line, the first move being the move proposed.
    pub pv: Vec<Move>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move to play; none only when there is no legal move.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// From the mover's view.
    pub score: Score,
    /// Plies completed.
    pub depth: u32,
    /// All threads together.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
}

/// What is known of a mate that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateVerdict {
    /// The mover mates in so many own moves.
    Mate {
        /// How many.
        moves: u32,
        /// Whether it is proven that fewer are not enough.
        shortest: bool,
    },
    /// It is proven that so many own moves are not enough, of those that were to be considered.
    NoMate {
        /// How many.
        moves: u32,
    },
    /// The search ended before it knew.
    Unknown {
        /// So many own moves are proven not to be enough.
        refuted: u32,
    },
}

impl fmt::Display for MateVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate { moves, shortest: true } => {
                write!(f, "mate in {moves}, proven the shortest")
            }
            Self::Mate { moves, shortest: false } => {
                write!(f, "mate in {moves}, not proven the shortest")
            }
            Self::NoMate { moves } => write!(f, "no mate in {moves}: proven"),
            Self::Unknown { refuted: 0 } => f.write_str("no mate found, and none ruled out"),
            Self::Unknown { refuted } => {
                write!(f, "no mate found; none in {refuted} is proven, longer ones are unknown")
            }
        }
    }
}
