//! A book from games: what was played from the start position, and how it went. Knows moves and
//! results; not where games come from.

use crate::{
    book::{Entry, Pages},
    position::{Position, Unobserved},
    rules::IllegalMove,
    types::{Color, Move},
};

/// Games that are being counted.
#[derive(Debug)]
pub struct Games {
    pages: Pages,
    plies: usize,
    counted: u64,
    passed_over: u64,
}

impl Games {
    /// None yet; of each, so many plies will be counted.
    pub fn new(plies: usize) -> Self {
        Self { pages: Pages::new(""), plies, counted: 0, passed_over: 0 }
    }

    /// Counts a game: its result for each of its moves, but for the first `unthought`, which nobody
    /// chose. It is passed over if it began elsewhere than other games do.
    ///
    /// # Errors
    /// When a move is not legal; those before it are counted.
    pub fn add(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        unthought: usize,
        winner: Option<Color>,
    ) -> Result<(), IllegalMove> {
        let mut position = Position::start();
        if start.key() != position.key() {
            self.pass_over();
            return Ok(());
        }
        self.counted += 1;
        for (ply, mv) in moves.into_iter().take(self.plies).enumerate() {
            if ply < unthought {
                if !position.is_legal(mv) {
                    return Err(IllegalMove(mv));
                }
            } else {
                let entry = self.pages.entry(&position, mv)?;
                let count = match winner {
                    Some(winner) if winner == position.side() => &mut entry.wins,
                    Some(_) => &mut entry.losses,
                    None => &mut entry.draws,
                };
                *count = count.saturating_add(1);
            }
            position.make(mv, &mut Unobserved);
        }
        Ok(())
    }

    /// Notes a game that cannot be counted.
    pub fn pass_over(&mut self) {
        self.passed_over += 1;
    }

    /// What was counted of the moves of a position.
    pub(super) fn entries(&self, position: &Position) -> Vec<Entry> {
        self.pages.entries(position)
    }

    /// How many games were counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// How many were passed over.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// The book of moves that were played in at least so many games: each weighs what its mover won
    /// with it, two for a game won and one for a draw.
    ///
    /// # Panics
    /// Never: what was played is legal.
    pub fn finish(self, least: u32) -> Pages {
        let (plies, games) = (self.plies, self.counted);
        let how = format!("from {games} games, {plies} plies, moves of at least {least} games");
        let mut book = Pages::new(how);
        for (position, entries) in self.pages.iter() {
            for mut entry in entries {
                let games = entry.wins.saturating_add(entry.draws).saturating_add(entry.losses);
                if games >= least.max(1) {
                    entry.weight = entry.wins.saturating_mul(2).saturating_add(entry.draws);
                    book.set(position, entry).expect("invariant: what was played is legal");
                }
            }
        }
        book
    }
}
