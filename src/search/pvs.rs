//! Principal variation search below the root: one node, in named steps. The one long function.

use super::{history::ContKeys, params, picker::Picker, tt::Bound, worker::Search};
use crate::types::{Move, MoveList, Value, score};

/// What kind of node is searched, known at compile time.
pub(super) trait Node {
    /// Whether the window is open and the line is wanted.
    const PV: bool;
}

/// On the principal variation.
pub(super) struct Pv;
/// In a null window.
pub(super) struct NonPv;

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

impl Bound {
    /// Whether a value of this bound decides against `beta` in a null window.
    pub(super) fn settles(self, value: Value, beta: Value) -> bool {
        match self {
            Self::None => false,
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value < beta,
        }
    }

    /// Whether a value of this bound is nearer the truth than an estimate.
    pub(super) fn improves(self, value: Value, estimate: Value) -> bool {
        match self {
            Self::None => false,
            Self::Exact => true,
            Self::Lower => value > estimate,
            Self::Upper => value < estimate,
        }
    }
}

impl Search<'_> {
    /// The value of the node at `ply` within (`alpha`, `beta`), searched `depth` plies deep.
    /// `cut` says that a cutoff is expected.
    #[expect(clippy::too_many_lines, reason = "the steps share the node's state")]
    pub(super) fn search<N: Node>(
        &mut self,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
        ply: usize,
        cut: bool,
    ) -> Value {
        // Quiet positions are handed on; in check one more ply is always searched.
        let in_check = self.worker.line.in_check();
        if depth <= 0 {
            if !in_check {
                return self.quiesce::<N>(alpha, beta, ply);
            }
            depth = 1;
        }
        if N::PV {
            self.worker.pv.clear(ply);
        }
        if self.enter(ply) {
            return 0;
        }
        let excluded = self.frame(ply).excluded;

        // The rules, the end of the stack, and mates already found nearer the root.
        if excluded.is_none()
            && let Some(value) = self.verdict(ply)
        {
            return value;
        }
        if ply >= score::MAX_PLY - 1 {
            return if in_check { 0 } else { self.raw_eval() };
        }
        alpha = alpha.max(score::mated_in(ply));
        beta = beta.min(score::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // What the table knows. A position near the natural limit is not what it was.
        let key = self.position().key();
        let entry = if excluded.is_some() { None } else { self.shared.table.probe(key, ply) };
        let tt_move = entry.and_then(|entry| entry.mv).filter(|&mv| self.position().is_legal(mv));
        let tt_capture = tt_move.is_some_and(|mv| self.position().piece_at(mv.to()).is_some());
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);
        let cont = self.cont(ply);
        if let Some(entry) = entry
            && !N::PV
            && entry.depth >= depth + i32::from(entry.value < beta)
            && entry.bound.settles(entry.value, beta)
            && self.trusts(entry.value, ply)
        {
            if let Some(mv) = tt_move
                && entry.value >= beta
                && !tt_capture
            {
                let worker = &mut *self.worker;
                let position = worker.line.position();
                worker.histories.reward_quiet(position, mv, &cont, params::bonus(depth));
            }
            return entry.value;
        }

        // Static evaluation, corrected by experience and by the table's value.
        let danger = self.position().danger();
        let mut raw = None;
        let mut eval = -score::INFINITE;
        let mut fixed = -score::INFINITE;
        if !in_check {
            let value = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.raw_eval());
            raw = Some(value);
            fixed = self.corrected(value, cont);
            eval = fixed;
            if let Some(entry) = entry
                && entry.bound.improves(entry.value, eval)
                && !score::is_decisive(entry.value)
            {
                eval = entry.value;
            }
            if entry.is_none() && excluded.is_none() {
                self.shared.table.store(key, ply, None, 0, raw, 0, Bound::None, was_pv);
            }
        }
        self.frame(ply).eval = raw.map(|_| fixed);
        self.frame(ply + 2).cutoffs = 0;
        let earlier = ply.checked_sub(2).and_then(|ply| self.worker.frames[ply].eval);
        let improving = !in_check && earlier.is_none_or(|earlier| fixed > earlier);
        let us = self.position().side();
        let majors = !self.position().majors(us).is_empty();

        if !N::PV && !in_check && excluded.is_none() && !score::is_decisive(beta) {
            // Reverse futility: so far above beta that the opponent will not get there.
            let margin = params::REVERSE_MARGIN * (depth - i32::from(improving)).max(0);
            if depth <= params::REVERSE_DEPTH
                && majors
                && !was_pv
                && eval - margin >= beta
                && !score::is_decisive(eval)
                && (tt_move.is_none() || tt_capture)
            {
                return i32::midpoint(eval, beta);
            }

            // Razoring: so far below alpha that only captures could help.
            if depth <= params::RAZOR_DEPTH
                && eval + params::RAZOR_BASE + params::RAZOR_SQUARE * depth * depth < alpha
            {
                let value = self.quiesce::<NonPv>(alpha, beta, ply);
                if value <= alpha || self.stopped() {
                    return value;
                }
            }

            // Null move: even passing holds beta. Without major men passing may be the best move.
            let passed = self.worker.line.last().is_some_and(|ply| ply.mv().is_none());
            if depth >= params::NULL_DEPTH
                && cut
                && majors
                && !passed
                && eval >= beta
                && fixed >= beta - 20 * depth + 130
                && self.worker.no_null.is_none_or(|(side, until)| side != us || ply >= until)
            {
                let reduction = params::NULL_BASE
                    + depth / params::NULL_DIVISOR
                    + ((eval - beta) / params::NULL_MARGIN).min(3);
                self.frame(ply).played = None;
                self.worker.line.push_null();
                let value =
                    -self.search::<NonPv>(depth - reduction, -beta, 1 - beta, ply + 1, false);
                self.worker.line.pop_null();
                if self.stopped() {
                    return 0;
                }
                if value >= beta {
                    // What a pass proves is no mate.
                    let value = if score::is_decisive(value) { beta } else { value };
                    if depth < params::VERIFY_DEPTH || self.worker.no_null.is_some() {
                        return value;
                    }
                    let until = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                    self.worker.no_null = Some((us, until));
                    let proof = self.search::<NonPv>(depth - reduction, beta - 1, beta, ply, false);
                    self.worker.no_null = None;
                    if proof >= beta || self.stopped() {
                        return value;
                    }
                }
            }

            // ProbCut: a capture that beats beta by a margin in a shallow search would in a deep one.
            let high = beta + params::PROBCUT_MARGIN;
            if depth >= params::PROBCUT_DEPTH
                && !score::is_decisive(high)
                && entry.is_none_or(|entry| {
                    entry.depth < depth - 3 || entry.value >= high || entry.bound == Bound::Lower
                })
                && let Some(value) = self.prob_cut(depth, high, fixed, ply, cut, &danger, cont)
            {
                return value;
            }
        }

        // No idea where to look: look less deep, and come back with one.
        if depth >= params::IIR_DEPTH && tt_move.is_none() && (N::PV || cut) && excluded.is_none() {
            depth -= 1;
        }

        let mut best = -score::INFINITE;
        let mut best_move = None;
        let original_alpha = alpha;
        let (mut quiets, mut captures) = (MoveList::new(), MoveList::new());
        let mut number = 0;
        let mut picker = Picker::new(tt_move, &danger);
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let quiet = self.position().piece_at(mv.to()).is_none();
            let history = if quiet {
                self.worker.histories.quiet(self.worker.line.position(), mv, &cont)
            } else {
                4 * self.worker.histories.capture(self.worker.line.position(), mv)
            };
            let checks = self.position().gives_check(mv);

            // Moves that cannot matter, once one that does not lose is known.
            let base = self.reduction(depth, number);
            if best > -score::RULE_BAND && majors {
                let left = (depth - base / 1024).max(0);
                if quiet {
                    let enough = (4 + depth * depth) / (2 - i32::from(improving));
                    if number as i32 > enough && !checks {
                        picker.skip_quiets();
                        continue;
                    }
                    let hope = fixed
                        + params::FUTILITY_BASE
                        + params::FUTILITY_MARGIN * left
                        + history / 128;
                    if !in_check && !checks && left <= params::FUTILITY_DEPTH && hope <= alpha {
                        if !score::is_decisive(hope) {
                            best = best.max(hope);
                        }
                        picker.skip_quiets();
                        continue;
                    }
                    if depth <= params::HISTORY_DEPTH
                        && !checks
                        && history < -params::HISTORY_MARGIN * depth
                    {
                        continue;
                    }
                    if left <= params::SEE_DEPTH
                        && !checks
                        && !self.position().see_ge(mv, -params::SEE_QUIET * left * left)
                    {
                        continue;
                    }
                } else if depth <= params::SEE_DEPTH
                    && !checks
                    && !self.position().see_ge(mv, -params::SEE_CAPTURE * depth)
                {
                    continue;
                }
            }

            // Singular: the only move that holds is searched deeper, unless others beat beta too.
            let mut extension = 0;
            if Some(mv) == tt_move
                && excluded.is_none()
                && depth >= params::SINGULAR_DEPTH
                && ply < 2 * self.worker.root_depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - 3
                && matches!(entry.bound, Bound::Lower | Bound::Exact)
                && !score::is_decisive(entry.value)
            {
                let bar = entry.value - params::SINGULAR_MARGIN * depth;
                self.frame(ply).excluded = Some(mv);
                let value = self.search::<NonPv>((depth - 1) / 2, bar - 1, bar, ply, cut);
                self.frame(ply).excluded = None;
                if self.stopped() {
                    return 0;
                }
                if value < bar {
                    extension = 1 + i32::from(!N::PV && value < bar - params::DOUBLE_MARGIN);
                } else if value >= beta && !score::is_decisive(value) {
                    return value;
                } else if entry.value >= beta {
                    extension = -2;
                } else if cut {
                    extension = -1;
                }
            }

            // A forced reply decides nothing by itself, so it costs no depth: mates are made of these.
            if in_check
                && extension == 0
                && ply < 2 * self.worker.root_depth as usize
                && self.position().count_moves() == 1
            {
                extension = 1;
            }

            let nodes_deep = depth - 1 + extension;
            self.make(mv, ply);
            let mut value = 0;
            if number > 1 && depth >= 2 {
                // Late moves are searched less deep; what surprises is searched again.
                let mut reduction = base;
                reduction += if cut { params::REDUCE_CUT } else { 0 };
                reduction += if improving { 0 } else { params::REDUCE_NOT_IMPROVING };
                reduction += if tt_capture { params::REDUCE_TT_CAPTURE } else { 0 };
                let cutoffs = self.frame(ply + 1).cutoffs;
                reduction += if cutoffs > 3 { params::REDUCE_CUTOFFS } else { 0 };
                reduction -= if N::PV { params::REDUCE_PV } else { 0 };
                reduction -= if was_pv { params::REDUCE_WAS_PV } else { 0 };
                reduction -= history * 1024 / params::REDUCE_HISTORY;
                if !quiet {
                    reduction = reduction * 2 / 3;
                }
                if checks {
                    reduction = reduction.min(0);
                }
                let less = (nodes_deep - reduction / 1024).clamp(1.min(nodes_deep), nodes_deep);
                value = -self.search::<NonPv>(less, -alpha - 1, -alpha, ply + 1, true);
                if value > alpha && less < nodes_deep {
                    let deeper = i32::from(value > best + 45 + 4 * depth);
                    let shallower = i32::from(value < best + 8);
                    let again = nodes_deep + deeper - shallower;
                    if again > less {
                        value = -self.search::<NonPv>(again, -alpha - 1, -alpha, ply + 1, !cut);
                    }
                }
            } else if !N::PV || number > 1 {
                value = -self.search::<NonPv>(nodes_deep, -alpha - 1, -alpha, ply + 1, !cut);
            }
            if N::PV && (number == 1 || value > alpha) {
                value = -self.search::<Pv>(nodes_deep, -beta, -alpha, ply + 1, false);
            }
            self.unmake();
            if self.stopped() {
                return 0;
            }

            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = self.raise::<N>(value, mv, ply);
                    if value >= beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                }
            }
            if Some(mv) != best_move && !(if quiet { &quiets } else { &captures }).is_full() {
                (if quiet { &mut quiets } else { &mut captures }).push(mv);
            }
        }

        // No move at all loses, mate or stalemate (困毙); with one left out nothing is proven.
        if number == 0 {
            return if excluded.is_some() { alpha } else { score::mated_in(ply) };
        }
        if best == -score::INFINITE {
            best = original_alpha;
        }
        if let Some(mv) = best_move {
            self.learn(mv, &quiets, &captures, depth + i32::from(best > beta + 60), cont);
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.shared.table.store(key, ply, best_move, best, raw, depth, bound, was_pv);
            let quiet = best_move.is_none_or(|mv| self.position().piece_at(mv.to()).is_none());
            if !in_check && quiet && !score::is_decisive(best) && bound.improves(best, fixed) {
                let worker = &mut *self.worker;
                let position = worker.line.position();
                worker.histories.correct(position, &cont, best - fixed, depth);
            }
        }
        best
    }

    /// A move's value is above alpha: its line is the best one from `ply`. The new alpha and move.
    #[inline]
    pub(super) fn raise<N: Node>(
        &mut self,
        value: Value,
        mv: Move,
        ply: usize,
    ) -> (Value, Option<Move>) {
        if N::PV {
            self.worker.pv.extend(ply, mv);
        }
        (value, Some(mv))
    }

    /// The value of a capture that beats `high` in a shallow search, if there is one.
    #[expect(clippy::too_many_arguments, reason = "the node's state, used once")]
    fn prob_cut(
        &mut self,
        depth: i32,
        high: Value,
        fixed: Value,
        ply: usize,
        cut: bool,
        danger: &crate::position::Danger,
        cont: ContKeys,
    ) -> Option<Value> {
        let mut picker = Picker::prob_cut(danger, high - fixed);
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            self.make(mv, ply);
            let mut value = -self.quiesce::<NonPv>(-high, 1 - high, ply + 1);
            if value >= high && depth > 4 {
                value = -self.search::<NonPv>(depth - 4, -high, 1 - high, ply + 1, !cut);
            }
            self.unmake();
            if self.stopped() {
                return Some(0);
            }
            if value >= high && !score::is_decisive(value) {
                let key = self.position().key();
                let bound = Bound::Lower;
                self.shared.table.store(key, ply, Some(mv), value, None, depth - 3, bound, false);
                return Some(value);
            }
        }
        None
    }

    /// Teaches the histories which move was best and which were not.
    fn learn(
        &mut self,
        best: Move,
        quiets: &[Move],
        captures: &[Move],
        depth: i32,
        cont: ContKeys,
    ) {
        let bonus = params::bonus(depth);
        let worker = &mut *self.worker;
        let position = worker.line.position();
        if position.piece_at(best.to()).is_none() {
            worker.histories.reward_quiet(position, best, &cont, bonus);
            for &mv in quiets {
                worker.histories.reward_quiet(position, mv, &cont, -bonus);
            }
        } else {
            worker.histories.reward_capture(position, best, bonus);
        }
        for &mv in captures {
            worker.histories.reward_capture(position, mv, -bonus);
        }
    }

    /// How much less deep the move of this number is searched, in 1/1024 ply.
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        self.worker.reductions[depth.clamp(0, 63) as usize][number.min(63)]
    }
}
