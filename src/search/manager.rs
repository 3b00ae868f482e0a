//! When to stop for time, nodes or a mate. Knows limits and how the search is going, no moves.

use super::{Limits, Signals};
use crate::types::{Value, score};

/// What the last iteration says about how settled the choice is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    pub(super) depth: i32,
    pub(super) value: Value,
    /// The value of the iteration before.
    pub(super) before: Value,
    /// Iterations that the best move has been the same for.
    pub(super) stable: u32,
    /// The share of nodes spent on the best move, 0 to 1.
    pub(super) share: f64,
    /// Moves to choose from.
    pub(super) choices: usize,
}

/// Stops a search by its limits.
pub(super) struct Manager<'a> {
    limits: &'a Limits,
    signals: &'a Signals,
    ponder: bool,
}

impl<'a> Manager<'a> {
    pub(super) fn new(limits: &'a Limits, signals: &'a Signals, ponder: bool) -> Self {
        Self { limits, signals, ponder }
    }

    /// Whether the search thinks on the opponent's time.
    pub(super) fn pondering(&self) -> bool {
        self.ponder && !self.signals.was_hit()
    }

    /// Whether so many nodes are too many.
    #[inline]
    pub(super) fn out_of_nodes(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }

    /// Whether the hard limit of time has passed.
    pub(super) fn out_of_time(&self) -> bool {
        !self.pondering()
            && self.limits.time.is_some_and(|budget| self.signals.on_clock() >= budget.hard)
    }

    /// Whether another iteration should be begun.
    pub(super) fn wants_more(&self, progress: &Progress) -> bool {
        let Progress { depth, value, .. } = *progress;
        if self.limits.depth.is_some_and(|limit| depth >= limit as i32) {
            return false;
        }
        if let Some(moves) = self.limits.mate
            && value >= score::mate_in((2 * moves as usize).saturating_sub(1).min(score::MAX_PLY))
        {
            return false;
        }
        let Some(budget) = self.limits.time else { return true };
        if self.pondering() {
            return true;
        }
        // A time given for this move is for all of it; a share of a clock is worth what it earns,
        // which is nothing for a mate in sight or when there is no choice.
        let fixed = budget.soft == budget.hard;
        let settled = score::is_mate(value) && score::MATE - value.abs() <= depth;
        if (settled || progress.choices == 1) && depth >= 6 && !fixed && !self.limits.infinite {
            return false;
        }
        let stretch = if fixed { 1.0 } else { Self::stretch(progress) };
        self.signals.on_clock() < budget.soft.mul_f64(stretch).min(budget.hard)
    }

    /// How much of the soft limit the position deserves.
    fn stretch(progress: &Progress) -> f64 {
        let effort = 1.75 - 1.15 * progress.share;
        let stability = 1.25 - 0.06 * f64::from(progress.stable.min(9));
        let drop = f64::from((progress.before - progress.value).clamp(-60, 150));
        effort * stability * (1.0 + drop / 200.0)
    }
}
