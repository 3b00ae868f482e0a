//! Iterative deepening at the root, with aspiration windows and several lines. Knows root moves.

use super::{
    Bound, Info,
    manager::Progress,
    params,
    pvs::{NonPv, Pv},
    tt,
    worker::{RootMove, Search, of_position},
};
use crate::types::{Score, Value, score};

impl Search<'_> {
    /// Searches deeper and deeper until told to stop. The first worker tells `report`.
    pub(super) fn deepen(&mut self, report: &(dyn Fn(Info) + Sync)) {
        let lines = self.shared.multipv.min(self.worker.roots.len());
        let (mut stable, mut before) = (0, 0);
        let last = self.worker.line.last().filter(|ply| ply.captured().is_some());
        let taken = last.and_then(|ply| Some(ply.mv()?.to()));
        for depth in 1..score::MAX_PLY as i32 - 1 {
            self.worker.root_depth = depth;
            let previous = self.worker.roots[0].mv;
            for rank in 0..lines {
                self.worker.seldepth = 0;
                self.aspire(depth, rank, report);
                self.worker.roots[..=rank].sort_by_key(|root| -root.value);
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
            if self.worker.roots[0].value == -score::INFINITE {
                // Stopped before the first move was judged: what it looks like is all there is.
                self.worker.roots[0].value = self.worker.frames[0].eval.unwrap_or(0);
            }
            let best = &self.worker.roots[0];
            stable = if best.mv == previous { stable + 1 } else { 0 };
            let progress = Progress {
                depth,
                value: best.value,
                before: if depth > 1 { before } else { best.value },
                stable,
                share: best.nodes as f64 / self.worker.nodes.max(1) as f64,
                choices: self.worker.roots.len(),
                recapture: taken.is_some_and(|square| best.mv.to() == square),
            };
            before = best.value;
            if self.worker.id == 0 {
                let judged = |rank: &usize| self.worker.roots[*rank].value > -score::INFINITE;
                (0..lines).filter(judged).for_each(|rank| report(self.info(rank, depth, None)));
            }
            let more = self.shared.manager.wants_more(&progress);
            if self.stopped() || !more {
                return;
            }
        }
    }

    /// Searches the root for its line of this rank, in a window around the value it had.
    fn aspire(&mut self, depth: i32, rank: usize, report: &(dyn Fn(Info) + Sync)) {
        let guess = self.worker.roots[rank].value;
        let mut width = params::WINDOW + (self.worker.id % 4) as Value * 3;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        if depth >= params::WINDOW_DEPTH && !score::is_decisive(guess) {
            (alpha, beta) = (guess - width, guess + width);
        }
        let mut reduced = 0;
        loop {
            let value = self.search_root((depth - reduced).max(1), alpha, beta, rank);
            self.worker.roots[rank..].sort_by_key(|root| -root.value);
            if self.stopped() {
                return;
            }
            let bound = if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - width).max(-score::INFINITE);
                reduced = 0;
                Bound::Upper
            } else if value >= beta {
                beta = (value + width).min(score::INFINITE);
                reduced = (reduced + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            width += width / 2;
            if width > 600 {
                (alpha, beta) = (-score::INFINITE, score::INFINITE);
            }
            if self.worker.id == 0
                && self.shared.multipv == 1
                && self.shared.signals.elapsed().as_secs() >= 3
            {
                report(self.info(rank, depth, Some(bound)));
            }
        }
    }

    fn search_root(&mut self, depth: i32, mut alpha: Value, beta: Value, rank: usize) -> Value {
        let mut best = -score::INFINITE;
        let original_alpha = alpha;
        let raw = self.raw_eval();
        let cont = self.cont(0);
        self.frame(0).eval =
            if self.worker.line.in_check() { None } else { Some(self.corrected(raw, cont)) };
        self.frame(0).cutoffs = 0;
        self.frame(1).cutoffs = 0;
        for index in rank..self.worker.roots.len() {
            let mv = self.worker.roots[index].mv;
            let nodes = self.worker.nodes;
            let number = index - rank + 1;
            let quiet = self.position().piece_at(mv.to()).is_none();
            self.make(mv, 0);
            let mut value = 0;
            if number > 1 {
                let mut reduction = 0;
                if depth >= 3 && number > 3 && quiet && !self.worker.line.in_check() {
                    reduction = (self.reduction(depth, number) - 1024).max(0) / 1024;
                }
                value = -self.search::<NonPv>(depth - 1 - reduction, -alpha - 1, -alpha, 1, true);
                if value > alpha && reduction > 0 {
                    value = -self.search::<NonPv>(depth - 1, -alpha - 1, -alpha, 1, true);
                }
            }
            if number == 1 || value > alpha {
                value = -self.search::<Pv>(depth - 1, -beta, -alpha, 1, false);
            }
            self.unmake();
            if self.stopped() {
                return best;
            }
            let spent = self.worker.nodes - nodes;
            let worker = &mut *self.worker;
            let root = &mut worker.roots[index];
            root.nodes += spent;
            if number == 1 || value > alpha {
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
                self.worker.roots.iter().max_by_key(|root| root.value).map(|root| root.mv);
            let bound = if best >= beta {
                tt::Bound::Lower
            } else if best > original_alpha {
                tt::Bound::Exact
            } else {
                tt::Bound::Upper
            };
            let key = self.position().key();
            let value = of_position(best, self.shared.spared);
            self.shared.table.store(key, 0, best_move, value, Some(raw), depth, bound, true);
        }
        best
    }

    /// What is known of the line of this rank.
    pub(super) fn info(&self, rank: usize, depth: i32, bound: Option<Bound>) -> Info {
        let RootMove { value, line, seldepth, .. } = &self.worker.roots[rank];
        // The first line's score is that of the position.
        let value = of_position(*value, self.shared.spared && rank == 0);
        let (nodes, time) = (self.shared.nodes(), self.shared.signals.elapsed());
        Info {
            depth: depth as u32,
            seldepth: *seldepth as u32,
            multipv: rank + 1,
            score: Score::from_value(value),
            bound,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: self.shared.table.hashfull(),
            time,
            pv: line.to_vec(),
        }
    }
}
