//! The principal variation, one line a ply while the search goes.

use arrayvec::ArrayVec;

use crate::types::{Move, score::MAX_PLY};

/// A line of moves.
pub(super) type Variation = ArrayVec<Move, MAX_PLY>;

/// The best line from each ply of the current path.
pub(super) struct PvTable(Vec<Variation>);

impl PvTable {
    pub(super) fn new() -> Self {
        Self(vec![Variation::new(); MAX_PLY + 2])
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line from `ply` is now `mv` and what follows it.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (line, rest) = self.0.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(mv);
        line[ply].extend(rest[0].iter().copied().take(MAX_PLY - 1));
    }

    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
