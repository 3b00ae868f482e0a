//! What moves were found to do, so that a loop met again is judged by look-ups. Holds labels under
//! one ruleset at a time; knows not how they are found.

use super::label::classify;
use crate::{
    position::Position,
    rules::{Label, Ruleset},
    types::Move,
};

const SLOTS: usize = 4096;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// Nothing in a slot that was never filled.
    mv: Option<Move>,
    label: Label,
}

/// A direct-mapped table of labels by position and move: one for each searching thread.
///
/// It takes no memory before its first use.
#[derive(Clone, Default)]
pub struct LabelCache {
    ruleset: Ruleset,
    slots: Vec<Slot>,
}

impl LabelCache {
    /// The label of a legal move, as [`classify`] finds it.
    pub(super) fn label(&mut self, ruleset: &Ruleset, position: &Position, mv: Move) -> Label {
        if self.slots.is_empty() || self.ruleset != *ruleset {
            self.ruleset = *ruleset;
            self.slots.clear();
            self.slots.resize(SLOTS, Slot { key: 0, mv: None, label: Label::Idle });
        }
        let key = position.key();
        // The moves of one position lie apart.
        let at = key.wrapping_add(u64::from(Move::to_bits(Some(mv))) * 0x9E37) as usize % SLOTS;
        let slot = &mut self.slots[at];
        if slot.key != key || slot.mv != Some(mv) {
            *slot = Slot { key, mv: Some(mv), label: classify(position, mv, ruleset) };
        }
        slot.label
    }
}
