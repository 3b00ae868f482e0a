//! What is thought of the moves of a position, and how far that can be trusted: one search tells its
//! best moves apart, and another, if there is one, looks deeper at what they lead to. Knows studies
//! and nothing of where the positions come from.

use std::ops::ControlFlow;

use super::{
    after, filed,
    studies::{Studies, StudyError},
};
use crate::{book::Key, position::Position, types::Move};

/// The thoughts that a book grows by.
pub struct Thoughts<'a> {
    /// Of each position.
    pub first: &'a mut Studies,
    /// Of what the moves of those that matter lead to, which is then what they are worth.
    pub again: Option<&'a mut Studies>,
    /// Points by which first thoughts may be wrong: moves that are worse by more are not looked at
    /// again.
    pub doubt: u32,
}

/// What is thought of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Worth {
    pub(super) mv: Move,
    /// Points for the mover.
    pub(super) value: i16,
    /// Plies that were searched for it.
    pub(super) depth: u8,
}

impl Thoughts<'_> {
    /// Whose thoughts they are and what they depend on, as TOML.
    pub(super) fn text(&self) -> String {
        let again = self.again.as_ref().map(|again| again.settings().nodes);
        self.first.text() + &again.map_or_else(String::new, |nodes| format!("again = {nodes}\n"))
    }

    /// What is thought of the moves of a position on file, if it is known: at second thoughts where
    /// it matters, by the first ones elsewhere.
    pub(super) fn get(&self, position: &Position, matters: bool) -> Option<Vec<Worth>> {
        let study = self.first.get(Key::of(position).number)?;
        let Some(again) = self.again.as_ref().filter(|_| matters) else {
            let depth = study.depth;
            let worth = |&(mv, value)| Worth { mv, value, depth };
            return Some(study.moves.iter().map(worth).collect());
        };
        let candidates = self.candidates(position)?.into_iter();
        let worth = candidates.map(|(mv, after)| {
            let study = again.get(Key::of(&after).number)?;
            let depth = study.depth.saturating_add(1);
            Some(Worth { mv, value: -study.value(), depth })
        });
        worth.collect()
    }

    /// Thinks about positions on file, those that matter and others. `tell` hears now and then that
    /// it goes on, and may call it off.
    pub(super) fn think(
        &mut self,
        that_matter: &[Position],
        others: &[Position],
        tell: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StudyError> {
        let mut tell = |_| tell();
        if self.first.think(&[that_matter, others].concat(), &mut tell)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let candidates = that_matter.iter().filter_map(|position| self.candidates(position));
        let mut after: Vec<_> = candidates.flatten().map(|(_, after)| after).collect();
        after.sort_by_key(|after| Key::of(after).number);
        after.dedup_by_key(|after| Key::of(after).number);
        match &mut self.again {
            Some(again) => again.think(&after, &mut tell),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    /// The moves of a position that may be the best, by first thoughts, and what is on file of the
    /// positions that they lead to.
    fn candidates(&self, position: &Position) -> Option<Vec<(Move, Position)>> {
        let study = self.first.get(Key::of(position).number)?;
        let best = study.value();
        let near = |value: i16| u32::from(best.abs_diff(value)) <= self.doubt;
        let moves = study.moves.iter().filter(|&&(_, value)| near(value));
        Some(moves.map(|&(mv, _)| (mv, filed(&after(position, mv)))).collect())
    }
}
