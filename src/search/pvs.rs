//! Principal variation search below the root: one node, in named steps. The one long function.

use super::{history::ContKeys, picker::Picker, worker::Search};
use crate::types::{Bound, Move, MoveList, Value, score};

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

impl Search<'_> {
    /// The value of the node at `ply` within (`alpha`, `beta`), searched `depth` plies deep.
    /// `cut_node` says that a cutoff is expected.
    #[expect(clippy::too_many_lines, reason = "the steps share the node's state")]
    pub(super) fn search<N: Node>(
        &mut self,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
        ply: usize,
        cut_node: bool,
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
        let tt_entry = if excluded.is_some() { None } else { self.shared.table.probe(key, ply) };
        let tt_move =
            tt_entry.and_then(|tt_entry| tt_entry.mv).filter(|&mv| self.position().is_legal(mv));
        let tt_capture = tt_move.is_some_and(|mv| self.position().piece_at(mv.to()).is_some());
        let tt_pv = N::PV || tt_entry.is_some_and(|tt_entry| tt_entry.tt_pv);
        let cont = self.cont(ply);
        if let Some(tt_entry) = tt_entry
            && !N::PV
            && tt_entry.depth >= depth + i32::from(tt_entry.value < beta)
            && tt_entry.bound.settles(tt_entry.value, beta)
            && self.trusts(tt_entry.value, ply)
        {
            if let Some(mv) = tt_move
                && tt_entry.value >= beta
                && !tt_capture
            {
                let bonus = self.params().bonus(depth);
                let worker = &mut *self.worker;
                let position = worker.line.position();
                worker.histories.update_quiet(position, mv, &cont, bonus);
            }
            return tt_entry.value;
        }

        // Static evaluation, corrected by experience and by the table's value.
        let check_info = self.position().check_info();
        let mut raw_eval = None;
        let mut eval = -score::INFINITE;
        let mut static_eval = -score::INFINITE;
        if !in_check {
            let value =
                tt_entry.and_then(|tt_entry| tt_entry.eval).unwrap_or_else(|| self.raw_eval());
            raw_eval = Some(value);
            static_eval = self.corrected(value, cont);
            eval = static_eval;
            if let Some(tt_entry) = tt_entry
                && tt_entry.bound.improves(tt_entry.value, eval)
                && !score::is_decisive(tt_entry.value)
            {
                eval = tt_entry.value;
            }
            if tt_entry.is_none() && excluded.is_none() {
                self.shared.table.store(key, ply, None, 0, raw_eval, 0, Bound::None, tt_pv);
            }
        }
        self.frame(ply).static_eval = raw_eval.map(|_| static_eval);
        self.frame(ply + 2).cutoffs = 0;
        let previous_eval = ply.checked_sub(2).and_then(|ply| self.worker.frames[ply].static_eval);
        let improving =
            !in_check && previous_eval.is_none_or(|previous_eval| static_eval > previous_eval);
        let us = self.position().side();
        let has_majors = !self.position().majors(us).is_empty();

        if !N::PV && !in_check && excluded.is_none() && !score::is_decisive(beta) {
            // Reverse futility pruning (RFP): so far above beta that the opponent will not get there.
            let margin = self.params().rfp_margin() * (depth - i32::from(improving)).max(0);
            if depth <= self.params().rfp_depth()
                && has_majors
                && !tt_pv
                && eval - margin >= beta
                && !score::is_decisive(eval)
                && (tt_move.is_none() || tt_capture)
            {
                return i32::midpoint(eval, beta);
            }

            // Razoring: so far below alpha that only captures could help.
            if depth <= self.params().razor_depth()
                && eval + self.params().razor_base() + self.params().razor_square() * depth * depth
                    < alpha
            {
                let value = self.quiesce::<NonPv>(alpha, beta, ply);
                if value <= alpha || self.stopped() {
                    return value;
                }
            }

            // Null move pruning (NMP): even passing holds beta. Without major men passing may be the best move.
            let after_null = self.worker.line.last().is_some_and(|ply| ply.mv().is_none());
            if depth >= self.params().nmp_depth()
                && cut_node
                && has_majors
                && !after_null
                && eval >= beta
                && static_eval
                    >= beta - self.params().nmp_eval_slope() * depth + self.params().nmp_eval_base()
                && self.worker.no_null.is_none_or(|(side, until)| side != us || ply >= until)
            {
                let reduction = self.params().nmp_base()
                    + depth / self.params().nmp_divisor()
                    + ((eval - beta) / self.params().nmp_margin())
                        .min(self.params().nmp_margin_most());
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
                    if depth < self.params().nmp_verify_depth() || self.worker.no_null.is_some() {
                        return value;
                    }
                    let until = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                    self.worker.no_null = Some((us, until));
                    let verification =
                        self.search::<NonPv>(depth - reduction, beta - 1, beta, ply, false);
                    self.worker.no_null = None;
                    if verification >= beta || self.stopped() {
                        return value;
                    }
                }
            }

            // ProbCut: a capture that beats beta by a margin in a shallow search would in a deep one.
            let probcut_beta = beta + self.params().probcut_margin();
            if depth >= self.params().probcut_depth()
                && !score::is_decisive(probcut_beta)
                && tt_entry.is_none_or(|tt_entry| {
                    tt_entry.depth <= depth - self.params().probcut_reduction()
                        || tt_entry.value >= probcut_beta
                        || tt_entry.bound == Bound::Lower
                })
                && let Some(value) = self.prob_cut(
                    depth,
                    probcut_beta,
                    static_eval,
                    ply,
                    cut_node,
                    &check_info,
                    cont,
                )
            {
                return value;
            }
        }

        // Internal iterative reduction (IIR): without a TT move look less deep, and come back with one.
        if depth >= self.params().iir_depth()
            && tt_move.is_none()
            && (N::PV || cut_node)
            && excluded.is_none()
        {
            depth -= 1;
        }

        let mut best = -score::INFINITE;
        let mut best_move = None;
        let original_alpha = alpha;
        let (mut quiets, mut captures) = (MoveList::new(), MoveList::new());
        let mut move_count = 0;
        let mut only_evasion = None;
        let mut picker = Picker::new(tt_move, &check_info);
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            if Some(mv) == excluded {
                continue;
            }
            move_count += 1;
            let quiet = self.position().piece_at(mv.to()).is_none();
            let history = if quiet {
                self.worker.histories.quiet(self.worker.line.position(), mv, &cont)
            } else {
                4 * self.worker.histories.capture(self.worker.line.position(), mv)
            };
            let gives_check = self.position().gives_check(mv);

            // Moves that cannot matter, once one that does not lose is known: late move pruning (LMP),
            // futility, history and SEE pruning.
            let base_reduction = self.reduction(depth, move_count);
            if best > -score::RULE_BAND && has_majors {
                let lmr_depth = (depth - base_reduction / 1024).max(0);
                if quiet {
                    let lmp_limit =
                        (self.params().lmp_base() + depth * depth) / (2 - i32::from(improving));
                    if move_count as i32 > lmp_limit && !gives_check {
                        picker.skip_quiets();
                        continue;
                    }
                    let futility_value = static_eval
                        + self.params().futility_base()
                        + self.params().futility_margin() * lmr_depth
                        + history / self.params().futility_history();
                    if !in_check
                        && !gives_check
                        && lmr_depth <= self.params().futility_depth()
                        && futility_value <= alpha
                    {
                        if !score::is_decisive(futility_value) {
                            best = best.max(futility_value);
                        }
                        picker.skip_quiets();
                        continue;
                    }
                    if depth <= self.params().history_pruning_depth()
                        && !gives_check
                        && history < -self.params().history_pruning_margin() * depth
                    {
                        continue;
                    }
                    if lmr_depth <= self.params().see_depth()
                        && !gives_check
                        && !self
                            .position()
                            .see_ge(mv, -self.params().see_quiet() * lmr_depth * lmr_depth)
                    {
                        continue;
                    }
                } else if depth <= self.params().see_depth()
                    && !gives_check
                    && !self.position().see_ge(mv, -self.params().see_capture() * depth)
                {
                    continue;
                }
            }

            // Singular extension: the only move that holds is searched deeper, unless others beat beta too.
            let mut extension = 0;
            if Some(mv) == tt_move
                && excluded.is_none()
                && depth >= self.params().singular_depth()
                && ply < 2 * self.worker.root_depth as usize
                && let Some(tt_entry) = tt_entry
                && tt_entry.depth >= depth - self.params().singular_tt_depth()
                && matches!(tt_entry.bound, Bound::Lower | Bound::Exact)
                && !score::is_decisive(tt_entry.value)
            {
                let singular_beta = tt_entry.value - self.params().singular_margin() * depth / 16;
                self.frame(ply).excluded = Some(mv);
                let value = self.search::<NonPv>(
                    (depth - 1) / 2,
                    singular_beta - 1,
                    singular_beta,
                    ply,
                    cut_node,
                );
                self.frame(ply).excluded = None;
                if self.stopped() {
                    return 0;
                }
                if value < singular_beta {
                    extension = 1 + i32::from(
                        !N::PV && value < singular_beta - self.params().double_margin(),
                    );
                } else if value >= beta && !score::is_decisive(value) {
                    return value;
                } else if tt_entry.value >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // A forced reply decides nothing by itself, so it costs no depth: mates are made of these.
            if in_check
                && extension == 0
                && ply < 2 * self.worker.root_depth as usize
                && *only_evasion.get_or_insert_with(|| self.position().count_moves() == 1)
            {
                extension = 1;
            }

            let new_depth = depth - 1 + extension;
            self.make(mv, ply);
            let mut value = 0;
            if move_count > 1 && depth >= 2 {
                // Late move reductions (LMR): what surprises is searched again.
                let mut reduction = base_reduction;
                reduction += if cut_node { self.params().lmr_cut_node() } else { 0 };
                reduction += if improving { 0 } else { self.params().lmr_not_improving() };
                reduction += if tt_capture { self.params().lmr_tt_capture() } else { 0 };
                let cutoffs = self.frame(ply + 1).cutoffs;
                reduction += if cutoffs as i32 > self.params().lmr_cutoffs_many() {
                    self.params().lmr_cutoffs()
                } else {
                    0
                };
                reduction -= if N::PV { self.params().lmr_pv() } else { 0 };
                reduction -= if tt_pv { self.params().lmr_tt_pv() } else { 0 };
                reduction += if best_move.is_some() { self.params().lmr_raised() } else { 0 };
                reduction -= history * 1024 / self.params().lmr_history();
                if !quiet {
                    reduction = reduction * self.params().lmr_capture() / 3000;
                }
                if gives_check {
                    reduction = reduction.min(0);
                }
                let reduced_depth =
                    (new_depth - reduction / 1024).clamp(1.min(new_depth), new_depth);
                value = -self.search::<NonPv>(reduced_depth, -alpha - 1, -alpha, ply + 1, true);
                if value > alpha && reduced_depth < new_depth {
                    let deeper = i32::from(
                        value
                            > best
                                + self.params().deeper_base()
                                + self.params().deeper_slope() * depth,
                    );
                    let shallower = i32::from(value < best + self.params().shallower_margin());
                    let research_depth = new_depth + deeper - shallower;
                    if research_depth > reduced_depth {
                        value = -self.search::<NonPv>(
                            research_depth,
                            -alpha - 1,
                            -alpha,
                            ply + 1,
                            !cut_node,
                        );
                    }
                }
            } else if !N::PV || move_count > 1 {
                value = -self.search::<NonPv>(new_depth, -alpha - 1, -alpha, ply + 1, !cut_node);
            }
            if N::PV && (move_count == 1 || value > alpha) {
                value = -self.search::<Pv>(new_depth, -beta, -alpha, ply + 1, false);
            }
            self.unmake();
            if self.stopped() {
                return 0;
            }

            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = self.update_pv::<N>(value, mv, ply);
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
        if move_count == 0 {
            return if excluded.is_some() { alpha } else { score::mated_in(ply) };
        }
        if best == -score::INFINITE {
            best = original_alpha;
        }
        if let Some(mv) = best_move {
            self.update_histories(
                mv,
                &quiets,
                &captures,
                depth + i32::from(best > beta + self.params().bonus_margin()),
                cont,
            );
        }
        if excluded.is_none() {
            let bound = if best >= beta {
                Bound::Lower
            } else if N::PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.shared.table.store(key, ply, best_move, best, raw_eval, depth, bound, tt_pv);
            let quiet = best_move.is_none_or(|mv| self.position().piece_at(mv.to()).is_none());
            if !in_check && quiet && !score::is_decisive(best) && bound.improves(best, static_eval)
            {
                let worker = &mut *self.worker;
                let position = worker.line.position();
                worker.histories.update_correction(position, &cont, best - static_eval, depth);
            }
        }
        best
    }

    /// A move's value is above alpha: its line is the best one from `ply`. The new alpha and move.
    #[inline]
    pub(super) fn update_pv<N: Node>(
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

    /// The value of a capture that beats `probcut_beta` in a shallow search, if there is one.
    #[expect(clippy::too_many_arguments, reason = "the node's state, used once")]
    fn prob_cut(
        &mut self,
        depth: i32,
        probcut_beta: Value,
        static_eval: Value,
        ply: usize,
        cut_node: bool,
        check_info: &crate::position::CheckInfo,
        cont: ContKeys,
    ) -> Option<Value> {
        let mut picker = Picker::prob_cut(check_info, probcut_beta - static_eval);
        while let Some(mv) = picker.next(self.worker.line.position(), &self.worker.histories, &cont)
        {
            self.make(mv, ply);
            let mut value = -self.quiesce::<NonPv>(-probcut_beta, 1 - probcut_beta, ply + 1);
            if value >= probcut_beta && depth > self.params().probcut_reduction() {
                value = -self.search::<NonPv>(
                    depth - self.params().probcut_reduction(),
                    -probcut_beta,
                    1 - probcut_beta,
                    ply + 1,
                    !cut_node,
                );
            }
            self.unmake();
            if self.stopped() {
                return Some(0);
            }
            if value >= probcut_beta && !score::is_decisive(value) {
                let key = self.position().key();
                let bound = Bound::Lower;
                self.shared.table.store(
                    key,
                    ply,
                    Some(mv),
                    value,
                    None,
                    depth - self.params().probcut_reduction() + 1,
                    bound,
                    false,
                );
                return Some(value);
            }
        }
        None
    }

    /// Teaches the histories which move was best and which were not.
    fn update_histories(
        &mut self,
        best: Move,
        quiets: &[Move],
        captures: &[Move],
        depth: i32,
        cont: ContKeys,
    ) {
        let (bonus, malus) = (self.params().bonus(depth), self.params().malus(depth));
        let worker = &mut *self.worker;
        let position = worker.line.position();
        if position.piece_at(best.to()).is_none() {
            worker.histories.update_quiet(position, best, &cont, bonus);
            for &mv in quiets {
                worker.histories.update_quiet(position, mv, &cont, -malus);
            }
        } else {
            worker.histories.update_capture(position, best, bonus);
        }
        for &mv in captures {
            worker.histories.update_capture(position, mv, -malus);
        }
    }

    /// The base of late move reductions, in 1/1024 ply.
    pub(super) fn reduction(&self, depth: i32, move_count: usize) -> i32 {
        self.worker.reductions[depth.clamp(0, 63) as usize][move_count.min(63)]
    }
}
