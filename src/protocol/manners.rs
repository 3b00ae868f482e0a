//! What is said beside a move: draws and resignation, in UCCI alone. A move resigns with a clock running only, which
//! is a game; some clients cannot read a longer `bestmove` when they ask for an analysis. A draw is agreed to by
//! whatever limit it was asked with, and never offered. Knows no board.

use super::task::Search;
use crate::{search::SearchResult, types::Score, wire::Offer};

/// So many moves in a row with a proven mate against the mover are enough to resign: the opponent
/// has shown that it knows how.
const HOPELESS_MOVES: u32 = 4;

/// How the game looked so far.
#[derive(Default)]
pub(super) struct Manners {
    /// How many moves in a row looked lost.
    hopeless: u32,
}

impl Manners {
    /// What is said with the move that ends a search; `agreed` tells whether a draw would be.
    pub(super) fn offer(
        &mut self,
        search: &Search,
        outcome: &SearchResult,
        agreed: impl FnOnce() -> bool,
    ) -> Option<Offer> {
        if !(search.game || search.asked) {
            return None;
        }
        // A search that was stopped may have been about a move that was not played after all.
        if search.game && !search.stopped {
            let lost = matches!(outcome.score, Score::Mate(plies) if plies < 0);
            self.hopeless = if lost { self.hopeless + 1 } else { 0 };
        }
        if search.game && self.hopeless >= HOPELESS_MOVES {
            return Some(Offer::Resign);
        }
        agreed().then_some(Offer::Draw)
    }
}
