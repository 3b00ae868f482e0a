//! The plies that lead from a position back to itself, walked backwards. Knows no rules.

use crate::{
    position::Position,
    rules::{Line, Ply},
    types::Move,
};

/// The last plies of a line, taken back one by one on a position of its own.
pub(super) struct Window<'a> {
    plies: &'a [Ply],
    position: Position,
}

impl<'a> Window<'a> {
    /// The last `plies` plies, none of which is a null move.
    pub(super) fn new(line: &'a Line, plies: usize) -> Self {
        let history = line.history();
        Self { plies: &history[history.len() - plies..], position: line.position().clone() }
    }

    /// The next move backwards, the position before it and whether it gave check.
    pub(super) fn back(&mut self) -> Option<(&Position, Move, bool)> {
        let (last, rest) = self.plies.split_last()?;
        self.plies = rest;
        let mv = last.take_back(&mut self.position)?;
        Some((&self.position, mv, last.gave_check()))
    }
}
