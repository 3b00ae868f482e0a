//! One position thought about: its best moves and what they are worth. Knows the search and what its
//! result depends on; remembers nothing.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::{
    book::{Entry, Key},
    eval::Network,
    position::Position,
    rules::Line,
    search::{Limits, Pool, Report, Signals},
    types::{Bound, Move, Score, score},
};

/// What the thoughts about a position depend on, but for the program and its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Positions searched for each one.
    pub nodes: u64,
    /// How many of its moves are told apart.
    pub lines: usize,
    /// Megabytes of the table, which is empty each time.
    pub hash_mb: usize,
}

/// What was thought of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Study {
    /// Its best moves, the best one first, and their worth in points of books for the side to move.
    /// Of two moves that mirror each other in a position that mirrors itself there is one.
    /// None where no move is legal.
    pub(super) moves: Vec<(Move, i16)>,
    /// How many plies deep.
    pub(super) depth: u8,
}

impl Study {
    /// What the position is worth.
    pub(super) fn value(&self) -> i16 {
        self.moves.first().map_or_else(lost, |&(_, value)| value)
    }
}

/// What a position is worth in which no move is legal.
pub(super) fn lost() -> i16 {
    Entry::points(score::mated_in(0))
}

/// Somebody who thinks about positions.
pub(super) struct Analyst {
    pool: Pool,
    settings: Settings,
}

impl Analyst {
    /// One who evaluates by a network, or by hand without any.
    ///
    /// # Panics
    /// When the system gives neither a thread nor the memory.
    pub(super) fn new(settings: Settings, network: Option<Arc<Network>>) -> Self {
        let mut pool = Pool::new(1, settings.hash_mb);
        pool.set_network(network);
        Self { pool, settings }
    }

    /// Thinks about a position afresh: nothing that was thought before makes a difference.
    pub(super) fn study(&mut self, position: &Position) -> Study {
        let Settings { nodes, lines, .. } = self.settings;
        let key = Key::of(position);
        let mut only = Vec::new();
        if key.symmetric {
            only.extend(position.legal_moves().into_iter().filter(|&mv| key.tells_of(mv)));
        }
        let limits = Limits { nodes: Some(nodes), only, ..Limits::default() };
        let line = Line::new(position.clone());
        let latest = Mutex::new(Study { moves: Vec::new(), depth: 0 });
        let note = |report: Report| {
            let Some(info) = report.line() else { return };
            let (Bound::Exact, Some(&mv)) = (info.bound, info.pv.first()) else { return };
            let mut study = latest.lock().unwrap_or_else(PoisonError::into_inner);
            if info.multipv == 1 {
                study.moves.clear();
                study.depth = u8::try_from(info.depth).unwrap_or(u8::MAX);
            }
            study.moves.push((mv, points(info.score)));
        };
        self.pool.on_its_thread(|pool| {
            pool.new_game();
            pool.think(&line, &limits, false, lines, &Signals::new(), &note);
        });
        let mut study = latest.into_inner().unwrap_or_else(PoisonError::into_inner);
        study.moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        study
    }
}

fn points(score: Score) -> i16 {
    Entry::points(score.to_value())
}
