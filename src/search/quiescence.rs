//! Captures and evasions until the position is quiet. Knows that stalemate (困毙) loses.

use super::{picker::Picker, pvs::Node, worker::Search};
use crate::{
    position::see::value,
    types::{Bound, Value, score},
};

impl Search<'_> {
    /// The value within (`alpha`, `beta`) once nothing is left to take.
    #[expect(clippy::too_many_lines, reason = "the steps share the node's state")]
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
        let tt_entry = self.shared.table.probe(key, ply);
        if let Some(tt_entry) = tt_entry
            && !N::PV
            && tt_entry.bound.settles(tt_entry.value, beta)
            && self.trusts(tt_entry.value, ply)
        {
            return tt_entry.value;
        }
        let tt_pv = N::PV || tt_entry.is_some_and(|tt_entry| tt_entry.tt_pv);
        let tt_move =
            tt_entry.and_then(|tt_entry| tt_entry.mv).filter(|&mv| self.position().is_legal(mv));

        let cont = self.cont(ply);
        let check_info = self.position().check_info();
        let mut best = -score::INFINITE;
        let mut raw_eval = None;
        if !in_check {
            // With this few men a side can run out of moves, and then standing pat is no option.
            if self.position().majors(self.position().side()).count() <= 2
                && self.position().is_lost()
            {
                return score::mated_in(ply);
            }
            let value =
                tt_entry.and_then(|tt_entry| tt_entry.eval).unwrap_or_else(|| self.raw_eval());
            raw_eval = Some(value);
            best = self.corrected(value, cont);
            if let Some(tt_entry) = tt_entry
                && tt_entry.bound.improves(tt_entry.value, best)
                && !score::is_decisive(tt_entry.value)
            {
                best = tt_entry.value;
            }
            if best >= beta {
                if !score::is_decisive(beta) {
                    best = i32::midpoint(best, beta);
                }
                if tt_entry.is_none() {
                    self.shared.table.store(key, ply, None, best, raw_eval, 0, Bound::Lower, tt_pv);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let stand_pat = best;

        let mut picker = Picker::captures_only(tt_move, &check_info);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            move_count += 1;
            if !in_check {
                let victim = self.position().piece_at(mv.to());
                let gain = victim.map_or(0, |piece| value(piece.kind()));
                let futility_value = stand_pat + gain + self.params().delta_margin();
                if futility_value <= alpha && !self.position().gives_check(mv) {
                    best = best.max(futility_value);
                    continue;
                }
                if !self.position().see_ge(mv, 0) {
                    continue;
                }
            } else if best > -score::RULE_BAND
                && move_count > 1
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
                    (alpha, best_move) = self.update_pv::<N>(value, mv, ply);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if move_count == 0 && (in_check || self.position().is_lost()) {
            return score::mated_in(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.shared.table.store(key, ply, best_move, best, raw_eval, 0, bound, tt_pv);
        best
    }
}
