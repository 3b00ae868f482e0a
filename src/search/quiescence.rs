//! Captures and evasions until the position is quiet. Knows that stalemate (困毙) loses.

use super::{params, picker::Picker, pvs::Node, tt::Bound, worker::Search};
use crate::{
    position::see::value,
    types::{Value, score},
};

impl Search<'_> {
    /// The value within (`alpha`, `beta`) once nothing is left to take.
    pub(super) fn quiesce<N: Node>(&mut self, mut alpha: Value, beta: Value, ply: usize) -> Value {
        if N::PV {
            self.worker.pv.clear(ply);
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(value) = self.verdict(ply) {
            return value;
        }
        let in_check = self.worker.line.in_check();
        if ply >= score::MAX_PLY - 1 {
            return if in_check { 0 } else { self.raw_eval() };
        }

        let key = self.position().key();
        let entry = self.shared.table.probe(key, ply);
        if let Some(entry) = entry
            && !N::PV
            && entry.bound.settles(entry.value, beta)
            && self.trusts(entry.value, ply)
        {
            return entry.value;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        let tt_move = entry.and_then(|entry| entry.mv).filter(|&mv| self.position().is_legal(mv));

        let cont = self.cont(ply);
        let danger = self.position().danger();
        let mut best = -score::INFINITE;
        let mut raw = None;
        if !in_check {
            // With this few men a side can run out of moves, and then standing pat is no option.
            if self.position().majors(self.position().side()).count() <= 2
                && self.position().is_lost()
            {
                return score::mated_in(ply);
            }
            let value = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.raw_eval());
            raw = Some(value);
            best = self.corrected(value, cont);
            if let Some(entry) = entry
                && entry.bound.improves(entry.value, best)
                && !score::is_decisive(entry.value)
            {
                best = entry.value;
            }
            if best >= beta {
                if !score::is_decisive(beta) {
                    best = i32::midpoint(best, beta);
                }
                if entry.is_none() {
                    self.shared.table.store(key, ply, None, best, raw, 0, Bound::Lower, was_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand = best;

        let mut picker = Picker::captures_only(tt_move, &danger);
        let mut best_move = None;
        let mut tried = 0;
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            tried += 1;
            if !in_check {
                let victim = self.position().piece_at(mv.to());
                let gain = victim.map_or(0, |piece| value(piece.kind()));
                let hope = stand + gain + params::DELTA;
                if hope <= alpha && !self.position().gives_check(mv) {
                    best = best.max(hope);
                    continue;
                }
                if !self.position().see_ge(mv, 0) {
                    continue;
                }
            } else if best > -score::RULE_BAND
                && tried > 1
                && self.position().piece_at(mv.to()).is_none()
            {
                // One evasion that does not lose is enough to know that the check was none.
                continue;
            }
            self.make(mv, ply);
            let value = -self.quiesce::<N>(-beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = self.raise::<N>(value, mv, ply);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if tried == 0 && (in_check || self.position().is_lost()) {
            return score::mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.shared.table.store(key, ply, best_move, best, raw, 0, bound, was_pv);
        best
    }
}
