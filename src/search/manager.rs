//! When to stop for time, nodes or a mate. Knows limits and how the search is going, no moves.

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use super::{Limits, Signals, params::Params};
use crate::{
    clock::Budget,
    types::{Value, score},
};

/// What the last iteration says about how settled the choice is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    pub(super) depth: i32,
    pub(super) value: Value,
    /// The value of the iteration before.
    pub(super) previous_value: Value,
    /// Iterations that the best move has been the same for.
    pub(super) stability: u32,
    /// The share of nodes spent on the best move, 0 to 1.
    pub(super) best_move_share: f64,
    /// Moves to choose from.
    pub(super) choices: usize,
    /// Whether the best move takes back what has just been taken.
    pub(super) recapture: bool,
}

/// Stops a search by its limits.
pub(super) struct Manager<'a> {
    limits: &'a Limits,
    signals: &'a Signals,
    ponder: bool,
    /// Thinking on the opponent's time has shown enough: its move, if it is the one expected, can
    /// be answered at once.
    ready: AtomicBool,
}

impl<'a> Manager<'a> {
    pub(super) fn new(limits: &'a Limits, signals: &'a Signals, ponder: bool) -> Self {
        Self { limits, signals, ponder, ready: AtomicBool::new(false) }
    }

    /// Whether the search thinks on the opponent's time.
    pub(super) fn pondering(&self) -> bool {
        self.ponder && !self.signals.was_hit()
    }

    /// Whether no answer is wanted yet, so that neither nodes nor time end the search.
    fn is_held(&self) -> bool {
        self.limits.infinite || self.pondering()
    }

    /// Whether so many nodes are too many.
    #[inline]
    pub(super) fn out_of_nodes(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit) && !self.is_held()
    }

    /// Whether the hard limit of time has passed.
    pub(super) fn out_of_time(&self) -> bool {
        !self.is_held()
            && self.limits.time.is_some_and(|budget| {
                self.ready.load(Relaxed) || self.signals.on_clock() >= budget.hard
            })
    }

    /// Whether another iteration should be begun.
    pub(super) fn wants_more(&self, iteration: &Iteration, params: &Params) -> bool {
        let Iteration { depth, value, .. } = *iteration;
        if self.limits.depth.is_some_and(|limit| depth >= limit as i32) {
            return false;
        }
        if let Some(moves) = self.limits.mate
            && value >= score::mate_in((2 * moves as usize).saturating_sub(1).min(score::MAX_PLY))
        {
            return false;
        }
        let Some(budget) = self.limits.time else { return true };
        let wants =
            wants_time(&budget, iteration, params, self.signals.elapsed(), self.signals.on_clock());
        if self.pondering() {
            self.ready.store(!wants, Relaxed);
            return true;
        }
        self.limits.infinite || wants && self.signals.on_clock() < budget.hard
    }
}

/// Whether a budget allows more than what was thought so far, on whosever time, and the part of it
/// on the own clock, as the search stands.
fn wants_time(
    budget: &Budget,
    iteration: &Iteration,
    params: &Params,
    thought: Duration,
    on_clock: Duration,
) -> bool {
    // A mate in sight earns nothing more, nor does a move without a choice. But a time given for
    // this move alone is for all of it.
    let settled = score::is_mate(iteration.value)
        && score::MATE - iteration.value.abs() <= iteration.depth
        || iteration.choices == 1;
    if settled && iteration.depth >= 6 && budget.free < budget.hard {
        return false;
    }
    on_clock < budget.free
        || thought < budget.soft.mul_f64(soft_scale(iteration, params)).min(budget.hard)
}

/// How much of the soft limit the position deserves.
fn soft_scale(iteration: &Iteration, params: &Params) -> f64 {
    let thousandths = |number: i32| f64::from(number) / 1000.0;
    let effort = thousandths(params.time_effort()) - iteration.best_move_share;
    let stability = thousandths(params.time_unstable())
        - thousandths(params.time_stable()) * f64::from(iteration.stability.min(9));
    let drop = f64::from((iteration.previous_value - iteration.value).clamp(-60, 150));
    // What takes back is often the only move; then nearly all nodes go into it.
    let easy = iteration.recapture && iteration.best_move_share > 0.8 && iteration.stability >= 6;
    effort
        * stability
        * (1.0 + drop / f64::from(params.time_drop()))
        * if easy { thousandths(params.time_recapture()) } else { 1.0 }
}

#[cfg(test)]
mod tests;
