//! Iterative deepening at the root, with aspiration windows and several lines. Knows root moves.

use std::time::Duration;

use super::{
    Info, Report,
    manager::Iteration,
    pvs::{NonPv, Pv},
    worker::{RootMove, Search, root_value},
};
use crate::types::{Bound, Score, Value, score};

/// Plies beyond twice the length of a mate that are searched for a shorter one.
const SOLVED_MARGIN: i32 = 6;
/// From then on values outside the window are told as the bounds that they are.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

impl Search<'_> {
    /// Searches deeper and deeper until told to stop. The first worker reports.
    pub(super) fn deepen(&mut self) {
        let lines = self.shared.multipv.min(self.worker.root_moves.len());
        let (mut stability, mut previous_value) = (0, 0);
        let last = self.worker.line.last().filter(|ply| ply.captured().is_some());
        let taken = last.and_then(|ply| Some(ply.mv()?.to()));
        for depth in 1..score::MAX_PLY as i32 - 1 {
            self.worker.root_depth = depth;
            for root in &mut self.worker.root_moves {
                root.previous_value = root.value;
            }
            let previous = self.worker.root_moves[0].mv;
            for rank in 0..lines {
                self.worker.seldepth = 0;
                self.aspiration_window(depth, rank);
                self.worker.root_moves[..=rank].sort_by_key(|root| -root.value);
                if self.stopped() {
                    break;
                }
            }
            if self.stopped() && self.worker.completed > 0 {
                // Only the line of the last finished iteration, or one found since, is reported.
                return;
            }
            // A helper that was stopped before it judged a move has no vote.
            self.worker.completed = if self.stopped() && self.worker.id > 0 { 0 } else { depth };
            if self.worker.root_moves[0].value == -score::INFINITE {
                // Stopped before the first move was judged: what it looks like is all there is.
                self.worker.root_moves[0].value = self.worker.frames[0].static_eval.unwrap_or(0);
            }
            let best = &self.worker.root_moves[0];
            stability = if best.mv == previous { stability + 1 } else { 0 };
            let iteration = Iteration {
                depth,
                value: best.value,
                previous_value: if depth > 1 { previous_value } else { best.value },
                stability,
                best_move_share: best.nodes as f64 / self.worker.nodes.max(1) as f64,
                choices: self.worker.root_moves.len(),
                recapture: taken.is_some_and(|square| best.mv.to() == square),
            };
            previous_value = best.value;
            if self.worker.id == 0 {
                let judged = |rank: &usize| self.worker.root_moves[*rank].value > -score::INFINITE;
                (0..lines).filter(judged).for_each(|rank| self.report(rank, depth, Bound::Exact));
            }
            // The others go on until the first one stops them all.
            let more = self.worker.id > 0
                || self.shared.manager.wants_more(&iteration, self.params())
                    && !self.is_solved(lines, depth);
            if self.stopped() || !more {
                return;
            }
        }
    }

    /// Whether no deeper search can change anything: nobody can win, or all lines end in mates that
    /// twice their depth has found no shorter way to.
    fn is_solved(&self, lines: usize, depth: i32) -> bool {
        let is_shortest = |root: &RootMove| {
            score::is_mate(root.value)
                && depth >= 2 * (score::MATE - root.value.abs()) + SOLVED_MARGIN
        };
        !self.position().can_be_won() || self.worker.root_moves[..lines].iter().all(is_shortest)
    }

    /// Searches the root for its line of this rank, in a window around the value it had.
    fn aspiration_window(&mut self, depth: i32, rank: usize) {
        let previous_value = self.worker.root_moves[rank].previous_value;
        let mut delta = self.params().aspiration_window() + (self.worker.id % 4) as Value * 3;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        if depth >= self.params().aspiration_depth() && !score::is_decisive(previous_value) {
            (alpha, beta) = (previous_value - delta, previous_value + delta);
        }
        let mut fail_highs = 0;
        loop {
            let value = self.search_root((depth - fail_highs).max(1), alpha, beta, rank);
            self.worker.root_moves[rank..].sort_by_key(|root| -root.value);
            if self.stopped() {
                return;
            }
            let bound = if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - delta).max(-score::INFINITE);
                fail_highs = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + delta).min(score::INFINITE);
                fail_highs = (fail_highs + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            delta += delta * self.params().aspiration_growth() / 16;
            if delta > self.params().aspiration_most() {
                (alpha, beta) = (-score::INFINITE, score::INFINITE);
            }
            if self.worker.id == 0
                && self.shared.multipv == 1
                && self.shared.signals.elapsed() >= BOUNDS_AFTER
            {
                self.report(rank, depth, bound);
            }
        }
    }

    fn search_root(&mut self, depth: i32, mut alpha: Value, beta: Value, rank: usize) -> Value {
        let mut best = -score::INFINITE;
        let original_alpha = alpha;
        let raw_eval = self.raw_eval();
        let cont = self.cont(0);
        self.frame(0).static_eval =
            if self.worker.line.in_check() { None } else { Some(self.corrected(raw_eval, cont)) };
        self.frame(0).cutoffs = 0;
        self.frame(1).cutoffs = 0;
        for index in rank..self.worker.root_moves.len() {
            let mv = self.worker.root_moves[index].mv;
            let nodes = self.worker.nodes;
            let move_count = index - rank + 1;
            let quiet = self.position().piece_at(mv.to()).is_none();
            self.worker.current = (index, move_count as u32 - 1);
            self.make(mv, 0);
            let mut value = 0;
            if move_count > 1 {
                let mut reduction = 0;
                if depth >= 3 && move_count > 3 && quiet && !self.worker.line.in_check() {
                    reduction = (self.reduction(depth, move_count) - 1024).max(0) / 1024;
                }
                value = -self.search::<NonPv>(depth - 1 - reduction, -alpha - 1, -alpha, 1, true);
                if value > alpha && reduction > 0 {
                    value = -self.search::<NonPv>(depth - 1, -alpha - 1, -alpha, 1, true);
                }
            }
            if move_count == 1 || value > alpha {
                value = -self.search::<Pv>(depth - 1, -beta, -alpha, 1, false);
            }
            self.unmake();
            if self.stopped() {
                return best;
            }
            let spent = self.worker.nodes - nodes;
            let worker = &mut *self.worker;
            let root = &mut worker.root_moves[index];
            root.nodes += spent;
            if move_count == 1 || value > alpha {
                root.value = value;
                root.seldepth = worker.seldepth;
                root.line.clear();
                root.line.push(mv);
                root.line.extend(worker.pv.at(1).iter().copied().take(score::MAX_PLY - 1));
            } else {
                root.value = -score::INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        if rank == 0 {
            let best_move =
                self.worker.root_moves.iter().max_by_key(|root| root.value).map(|root| root.mv);
            let bound = if best >= beta {
                Bound::Lower
            } else if best > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let key = self.position().key();
            let value = root_value(best, self.shared.rule_losers_left_out);
            self.shared.table.store(key, 0, best_move, value, Some(raw_eval), depth, bound, true);
        }
        best
    }

    fn report(&self, rank: usize, depth: i32, bound: Bound) {
        (self.shared.report)(Report::Line(self.info(rank, depth, bound)));
    }

    /// What is known of the line of this rank.
    fn info(&self, rank: usize, depth: i32, bound: Bound) -> Info {
        let RootMove { value, line, seldepth, .. } = &self.worker.root_moves[rank];
        // The first line's score is that of the position.
        let value = root_value(*value, self.shared.rule_losers_left_out && rank == 0);
        let (nodes, time) = (self.shared.nodes(), self.shared.signals.elapsed());
        Info {
            depth: depth as u32,
            seldepth: *seldepth as u32,
            multipv: rank + 1,
            score: Score::from_value(value),
            bound,
            nodes,
            nps: self.shared.nps(nodes),
            hashfull: self.shared.table.hashfull(),
            time,
            pv: line.to_vec(),
        }
    }
}
