//! In which order to try the moves of a position, most of them found only when needed. Knows the
//! position and the histories; knows nothing of the search that asks.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "what was played is kept on the search's stack and may grow"
)]

use arrayvec::ArrayVec;

use super::{
    history::{ContKeys, Histories},
    params::Params,
};
use crate::{
    position::{CheckInfo, MoveKind, Position, attacks},
    types::{Bitboard, Kind, MAX_MOVES, Move, MoveList, Square, Value},
};

/// What the moves are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// All of them.
    Search,
    /// Captures, or every evasion of a check.
    Quiescence,
    /// Captures that win at least so much.
    ProbCut(Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    GoodQuiets,
    BadCaptures,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    Done,
}

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// Yields each wanted legal move once, the most promising first.
pub(super) struct Picker {
    goal: Goal,
    stage: Stage,
    /// The TT move, which comes first and not again.
    tt_move: Option<Move>,
    check_info: CheckInfo,
    quiets_skipped: bool,
    /// Bad captures, then moves already yielded, then moves to choose from.
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    bad_captures: usize,
    bad_captures_yielded: usize,
    at: usize,
}

/// Puts captures before all quiet moves.
const CAPTURE_FIRST: i32 = 1 << 20;

/// What a victim is worth in the order of captures.
#[inline]
fn victim_value(params: &Params, kind: Kind) -> i32 {
    match kind {
        Kind::King => 0,
        Kind::Advisor => params.victim_advisor(),
        Kind::Bishop => params.victim_bishop(),
        Kind::Knight => params.victim_knight(),
        Kind::Rook => params.victim_rook(),
        Kind::Cannon => params.victim_cannon(),
        Kind::Pawn => params.victim_pawn(),
    }
}

/// What it is worth to leave an attack by a lesser man, and costs to enter one.
#[inline]
fn threat_value(params: &Params, kind: Kind) -> i32 {
    match kind {
        Kind::King | Kind::Pawn => 0,
        Kind::Advisor | Kind::Bishop => params.threat_guard(),
        Kind::Knight | Kind::Cannon => params.threat_minor(),
        Kind::Rook => params.threat_rook(),
    }
}

impl Picker {
    /// For a search of every move; the TT move must be legal.
    pub(super) fn new(tt_move: Option<Move>, check_info: &CheckInfo) -> Self {
        Self::start(Goal::Search, tt_move, check_info)
    }

    /// For quiescence: captures, good or bad, or in check every evasion. The TT move must be
    /// legal and is used if it is one of them.
    pub(super) fn captures_only(tt_move: Option<Move>, check_info: &CheckInfo) -> Self {
        Self::start(Goal::Quiescence, tt_move, check_info)
    }

    /// For captures that win `threshold` or more by exchanges.
    pub(super) fn prob_cut(check_info: &CheckInfo, threshold: Value) -> Self {
        Self {
            stage: Stage::GenerateCaptures,
            ..Self::start(Goal::ProbCut(threshold), None, check_info)
        }
    }

    fn start(goal: Goal, tt_move: Option<Move>, check_info: &CheckInfo) -> Self {
        Self {
            goal,
            stage: Stage::TtMove,
            tt_move,
            check_info: *check_info,
            quiets_skipped: false,
            moves: ArrayVec::new(),
            bad_captures: 0,
            bad_captures_yielded: 0,
            at: 0,
        }
    }

    /// From now on, no quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets_skipped = true;
    }

    /// The next move.
    pub(super) fn next(
        &mut self,
        pos: &Position,
        hist: &Histories,
        cont: &ContKeys,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    let evading = self.check_info.in_check();
                    self.stage =
                        if evading { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    if self.goal == Goal::Quiescence && !evading {
                        self.tt_move = self.tt_move.filter(|mv| pos.piece_at(mv.to()).is_some());
                    }
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_scored(pos, MoveKind::Captures, |mv| {
                        capture_score(pos, hist, mv)
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    let Some(ScoredMove { mv, score }) = self.select_best() else {
                        self.stage = match self.goal {
                            Goal::Search => Stage::GenerateQuiets,
                            Goal::Quiescence | Goal::ProbCut(_) => Stage::Done,
                        };
                        continue;
                    };
                    match self.goal {
                        Goal::Search
                            if !pos.see_ge(mv, -score / hist.params.good_capture_divisor()) =>
                        {
                            self.keep_bad_capture();
                        }
                        Goal::ProbCut(threshold) if !pos.see_ge(mv, threshold) => {}
                        _ => return Some(mv),
                    }
                }
                Stage::GenerateQuiets => {
                    self.moves.truncate(self.bad_captures);
                    self.at = self.bad_captures;
                    if !self.quiets_skipped {
                        let (view, threats) = (hist.quiets(pos, cont), Threats::new(pos));
                        self.generate_scored(pos, MoveKind::Quiets, |mv| {
                            pos.piece_at(mv.from()).map_or(0, |piece| {
                                view.score(piece, mv)
                                    + threats.score(&hist.params, pos, piece.kind(), mv)
                            })
                        });
                    }
                    self.stage = Stage::GoodQuiets;
                }
                Stage::GoodQuiets => {
                    if !self.quiets_skipped
                        && let Some(best) = self.select_best()
                    {
                        if best.score >= -hist.params.bad_quiet() {
                            return Some(best.mv);
                        }
                        self.at -= 1;
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.bad_captures_yielded < self.bad_captures {
                        self.bad_captures_yielded += 1;
                        return Some(self.moves[self.bad_captures_yielded - 1].mv);
                    }
                    self.stage = Stage::BadQuiets;
                }
                Stage::BadQuiets => {
                    if !self.quiets_skipped
                        && let Some(best) = self.select_best()
                    {
                        return Some(best.mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    let view = hist.quiets(pos, cont);
                    self.generate_scored(pos, MoveKind::All, |mv| {
                        if pos.piece_at(mv.to()).is_some() {
                            CAPTURE_FIRST + capture_score(pos, hist, mv)
                        } else {
                            pos.piece_at(mv.from()).map_or(0, |piece| view.score(piece, mv))
                        }
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.select_best() {
                    Some(best) if !self.quiets_skipped || pos.piece_at(best.mv.to()).is_some() => {
                        return Some(best.mv);
                    }
                    _ => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Adds the legal moves that pass the filter, but not the TT move.
    #[inline]
    fn generate_scored(&mut self, pos: &Position, kind: MoveKind, score: impl Fn(Move) -> i32) {
        let mut list = MoveList::new();
        pos.generate(&self.check_info, kind, &mut list);
        for mv in list {
            if Some(mv) != self.tt_move {
                self.moves.push(ScoredMove { mv, score: score(mv) });
            }
        }
    }

    /// The best of the moves to choose from. Most nodes end after a few, so sorting is a waste.
    #[inline]
    fn select_best(&mut self) -> Option<ScoredMove> {
        let rest = self.moves.get_mut(self.at..)?;
        let mut best = 0;
        let mut top = rest.first()?.score;
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > top {
                (best, top) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.at += 1;
        Some(rest[0])
    }

    /// Keeps the move taken last among the bad captures.
    fn keep_bad_capture(&mut self) {
        self.moves.swap(self.bad_captures, self.at - 1);
        self.bad_captures += 1;
    }
}

#[inline]
fn capture_score(pos: &Position, hist: &Histories, mv: Move) -> i32 {
    let victim =
        pos.piece_at(mv.to()).map_or(0, |victim| victim_value(&hist.params, victim.kind()));
    victim + hist.capture(pos, mv) / 2
}

/// What the board says of quiet moves before any was tried: which give check, which put a man
/// where a lesser one takes it or bring it out of there.
struct Threats {
    /// The enemy king.
    king: Square,
    /// The nearest man each way from it.
    nearest: Bitboard,
    /// Where a man of each kind gives check.
    checks: [Bitboard; Kind::NUM],
    /// Where any man is the screen that a cannon of ours lacks.
    screens: Bitboard,
    /// Our men before a rook of ours, or one of the two before a cannon.
    covers: Bitboard,
    /// What lesser men of the enemy attack, for each of our kinds.
    attacked_by_lesser: [Bitboard; Kind::NUM],
}

/// What a cannon covers: it could take an enemy man on any of these points.
#[inline]
fn covered_by_cannon(square: Square, occupied: Bitboard) -> Bitboard {
    let reach = attacks::rook(square, occupied);
    attacks::rook(square, occupied & !reach) & !reach
}

impl Threats {
    fn new(pos: &Position) -> Self {
        let (us, them) = (pos.side(), !pos.side());
        let (king, occupied) = (pos.king(them), pos.occupied());

        let cross = attacks::Cross::new(king, occupied);
        let (reach, cannons) = (cross.reach(), pos.pieces(us, Kind::Cannon));
        let mut checks = [Bitboard::EMPTY; Kind::NUM];
        checks[Kind::Rook as usize] = reach;
        checks[Kind::Cannon as usize] = attacks::rook(king, occupied & !reach) & !reach;
        checks[Kind::Knight as usize] = attacks::knights_to(king, occupied);
        checks[Kind::Pawn as usize] = attacks::pawns_to(us, king);
        let lines = |sliders: Bitboard| {
            sliders.into_iter().fold(Bitboard::EMPTY, |all, at| all | attacks::between(king, at))
        };
        let screens = lines(reach & cannons);
        let covers = lines(cross.second() & pos.pieces(us, Kind::Rook) | cross.third() & cannons);

        let attacked = |kind: Kind, by: &dyn Fn(Square) -> Bitboard| {
            pos.pieces(them, kind).into_iter().fold(Bitboard::EMPTY, |all, at| all | by(at))
        };
        let pawns = attacked(Kind::Pawn, &|at| attacks::pawn(them, at));
        let guards = attacked(Kind::Advisor, &attacks::advisor)
            | attacked(Kind::Bishop, &|at| attacks::bishop(at, occupied));
        let minors = attacked(Kind::Knight, &|at| attacks::knight(at, occupied))
            | attacked(Kind::Cannon, &|at| covered_by_cannon(at, occupied));
        let mut attacked_by_lesser = [Bitboard::EMPTY; Kind::NUM];
        attacked_by_lesser[Kind::Advisor as usize] = pawns;
        attacked_by_lesser[Kind::Bishop as usize] = pawns;
        attacked_by_lesser[Kind::Knight as usize] = pawns | guards;
        attacked_by_lesser[Kind::Cannon as usize] = pawns | guards;
        attacked_by_lesser[Kind::Rook as usize] = pawns | guards | minors;

        Self { king, nearest: reach & occupied, checks, screens, covers, attacked_by_lesser }
    }

    /// Whether a quiet move gives check; a knight uncovered by its leg's leaving is not noticed.
    #[inline]
    fn gives_check(&self, kind: Kind, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        // A cannon that is itself the nearest man gets no screen by moving along its line.
        let aims = !(kind == Kind::Cannon && self.nearest.has(from));
        aims && (self.checks[kind as usize] | self.screens).has(to)
            || self.covers.has(from)
                && if from.file() == self.king.file() {
                    to.file() != self.king.file()
                } else {
                    to.rank() != self.king.rank()
                }
    }

    /// What to add to a quiet move's history.
    #[inline]
    fn score(&self, params: &Params, pos: &Position, kind: Kind, mv: Move) -> i32 {
        let (attacked, price) =
            (self.attacked_by_lesser[kind as usize], threat_value(params, kind));
        let mut score =
            price * (i32::from(attacked.has(mv.from())) - i32::from(attacked.has(mv.to())));
        if self.gives_check(kind, mv) && pos.see_ge(mv, 0) {
            score += params.check_bonus();
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{position::Unobserved, types::SplitMix64};

    /// Positions of random games.
    fn each_position(mut test: impl FnMut(&Position, &mut SplitMix64)) {
        let mut rng = SplitMix64::new(6);
        for _ in 0..40 {
            let mut pos = Position::start();
            for _ in 0..120 {
                test(&pos, &mut rng);
                let moves = pos.legal_moves();
                if moves.is_empty() {
                    break;
                }
                pos.make(moves[rng.below(moves.len())], &mut Unobserved);
            }
        }
    }

    fn drain(picker: &mut Picker, pos: &Position, hist: &Histories) -> Vec<Move> {
        std::iter::from_fn(|| picker.next(pos, hist, &ContKeys::default())).collect()
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut bits: Vec<_> = moves.into_iter().map(|mv| Move::to_bits(Some(mv))).collect();
        bits.sort_unstable();
        bits
    }

    #[test]
    fn yields_every_legal_move_once_the_known_one_first() {
        let mut hist = Histories::new().unwrap();
        each_position(|pos, rng| {
            let (check_info, all) = (pos.check_info(), pos.legal_moves());
            for &mv in &all {
                hist.update_quiet(pos, mv, &ContKeys::default(), rng.below(4000) as i32 - 2500);
                hist.update_capture(pos, mv, rng.below(4000) as i32 - 2000);
            }
            let tt_move = all.get(rng.below(all.len() + 1)).copied();
            let moves = drain(&mut Picker::new(tt_move, &check_info), pos, &hist);
            assert!(tt_move.is_none() || moves.first() == tt_move.as_ref());
            assert_eq!(sorted(moves), sorted(all.clone()));

            let captures = || all.iter().copied().filter(|mv| pos.piece_at(mv.to()).is_some());
            let moves = drain(&mut Picker::captures_only(tt_move, &check_info), pos, &hist);
            let want = if check_info.in_check() { sorted(all.clone()) } else { sorted(captures()) };
            assert_eq!(sorted(moves), want);

            let moves = drain(&mut Picker::prob_cut(&check_info, 100), pos, &hist);
            assert_eq!(sorted(moves), sorted(captures().filter(|&mv| pos.see_ge(mv, 100))));
        });
    }

    #[test]
    fn skips_quiets_and_tells_bad_captures() {
        let hist = Histories::new().unwrap();
        let mut bad_seen = 0;
        each_position(|pos, _| {
            let mut picker = Picker::new(None, &pos.check_info());
            picker.skip_quiets();
            while let Some(mv) = picker.next(pos, &hist, &ContKeys::default()) {
                assert!(pos.piece_at(mv.to()).is_some());
                if picker.stage == Stage::BadCaptures {
                    assert!(!pos.see_ge(mv, 0));
                    bad_seen += 1;
                }
            }
        });
        assert!(bad_seen > 100);
    }

    #[test]
    fn sees_checks_and_harm() {
        let mut missed = 0;
        let mut seen = 0;
        each_position(|pos, _| {
            let threats = Threats::new(pos);
            for mv in pos.legal_moves().into_iter().filter(|mv| pos.piece_at(mv.to()).is_none()) {
                let kind = pos.piece_at(mv.from()).unwrap().kind();
                let check = pos.gives_check(mv);
                assert!(check || !threats.gives_check(kind, mv), "{mv} in {}", pos.fen());
                seen += u32::from(check);
                missed += u32::from(check && !threats.gives_check(kind, mv));
            }
        });
        assert!(missed * 20 < seen, "{missed} of {seen}");
        let pos = Position::from_fen("4k4/9/9/9/2p6/2R6/9/9/9/3K5 w - - 0 1").unwrap();
        let threats = Threats::new(&pos);
        let params = Params::default();
        let score = |mv: &str| threats.score(&params, &pos, Kind::Rook, mv.parse().unwrap());
        assert!(score("c4d4") > 0);
        assert_eq!(score("c4c3"), params.threat_rook());
    }
}
