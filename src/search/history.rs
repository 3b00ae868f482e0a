//! What moves and evaluations turned out to be worth in the search so far: one worker's memory.
//! Knows moves and keys; knows nothing of the tree or of who asks.

#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "what was played is kept on the search's stack and may grow"
)]

use super::params::Params;
use crate::{
    position::Position,
    simd::Zeros,
    types::{Color, Kind, Move, Piece, Square, Value},
};

/// A move as the moves after it see it: which piece went where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo {
    /// The man that moved.
    pub(super) piece: Piece,
    /// Where it stands now.
    pub(super) to: Square,
}

/// The pieces moved one, two and four plies ago; nothing where the line starts or was passed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContKeys {
    /// The opponent's last move.
    pub(super) one: Option<PieceTo>,
    /// Our own last move.
    pub(super) two: Option<PieceTo>,
    /// Our own move before that.
    pub(super) four: Option<PieceTo>,
}

const HISTORY_LIMIT: i32 = 8192;
const CONTINUATION_LIMIT: i32 = 16384;
const CORRECTION_LIMIT: i32 = 1024;

/// Kinds of arrival: a piece and where it goes.
const PIECE_TO: usize = Piece::NUM * Square::NUM;
const PAWN_HISTORY_SIZE: usize = 1024;
const CORRECTION_SIZE: usize = 1 << 14;

type PieceToTable = [i16; PIECE_TO];

/// One worker's histories, about 9 MB on the heap.
pub(super) struct Histories {
    /// By what numbers the histories are weighed and the worker searches.
    pub(super) params: Params,
    /// By colour, from, to.
    butterfly: Zeros<[[i16; Square::NUM]; Square::NUM]>,
    /// By pawn structure and arrival.
    pawn_history: Zeros<PieceToTable>,
    /// By an earlier arrival and this one. One table serves all distances: the colours tell an
    /// answer from a follow-up.
    continuation: Zeros<PieceToTable>,
    /// By arrival and victim.
    capture_history: Zeros<[i16; Kind::NUM]>,
    /// Of evaluations, by side to move and key, for each group of men.
    correction_history: Zeros<[i16; CORRECTION_KINDS]>,
    /// Of evaluations, by the last two arrivals.
    continuation_correction: Zeros<PieceToTable>,
}

const fn piece_to(piece: Piece, to: Square) -> usize {
    piece as usize * Square::NUM + to as usize
}

impl PieceTo {
    fn index(self) -> usize {
        piece_to(self.piece, self.to)
    }
}

/// Moves a value towards the sign of a bonus, the less the nearer it is to its limit.
#[inline]
fn apply_bonus<const LIMIT: i32>(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// The tables that judge the quiet moves of one position, their rows already found.
pub(super) struct QuietHistory<'a> {
    params: &'a Params,
    butterfly: &'a [[i16; Square::NUM]; Square::NUM],
    pawn: &'a PieceToTable,
    one: &'a PieceToTable,
    two: &'a PieceToTable,
    four: &'a PieceToTable,
}

/// The row of a move that was not played.
static EMPTY_ROW: PieceToTable = [0; PIECE_TO];

impl QuietHistory<'_> {
    /// What a quiet move by `piece` is worth.
    #[inline]
    pub(super) fn score(&self, piece: Piece, mv: Move) -> i32 {
        let at = piece_to(piece, mv.to());
        let of = |row: &PieceToTable| i32::from(row[at]);
        let butterfly = i32::from(self.butterfly[mv.from() as usize][mv.to() as usize]);
        butterfly * self.params.butterfly_weight() / 64
            + of(self.pawn) * self.params.pawn_history_weight() / 64
            + of(self.one) * self.params.continuation_one_weight() / 64
            + of(self.two) * self.params.continuation_two_weight() / 64
            + of(self.four) * self.params.continuation_four_weight() / 64
    }
}

impl Histories {
    /// Blank histories. `None`: there is no memory for them.
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            params: Params::default(),
            butterfly: Zeros::new(Color::NUM)?,
            pawn_history: Zeros::new(PAWN_HISTORY_SIZE)?,
            continuation: Zeros::new(PIECE_TO)?,
            capture_history: Zeros::new(PIECE_TO)?,
            correction_history: Zeros::new(CORRECTION_SIZE * Color::NUM)?,
            continuation_correction: Zeros::new(PIECE_TO)?,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill([[0; Square::NUM]; Square::NUM]);
        self.pawn_history.fill([0; PIECE_TO]);
        self.continuation.fill([0; PIECE_TO]);
        self.capture_history.fill([0; Kind::NUM]);
        self.correction_history.fill([0; CORRECTION_KINDS]);
        self.continuation_correction.fill([0; PIECE_TO]);
    }

    /// The tables for the quiet moves of one position.
    #[inline]
    pub(super) fn quiets(&self, pos: &Position, cont: &ContKeys) -> QuietHistory<'_> {
        let row = |played: Option<PieceTo>| {
            played.map_or(&EMPTY_ROW, |played| &self.continuation[played.index()])
        };
        QuietHistory {
            params: &self.params,
            butterfly: &self.butterfly[pos.side() as usize],
            pawn: &self.pawn_history[pawn_index(pos)],
            one: row(cont.one),
            two: row(cont.two),
            four: row(cont.four),
        }
    }

    /// What a quiet move is worth, within ±71 808.
    pub(super) fn quiet(&self, pos: &Position, mv: Move, cont: &ContKeys) -> i32 {
        pos.piece_at(mv.from()).map_or(0, |piece| self.quiets(pos, cont).score(piece, mv))
    }

    /// What a capture is worth beyond its victim, within ±8192.
    #[inline]
    pub(super) fn capture(&self, pos: &Position, mv: Move) -> i32 {
        capture(pos, mv).map_or(0, |(at, victim)| i32::from(self.capture_history[at][victim]))
    }

    /// Learns that a quiet move was good (or bad, if `bonus` is negative) in this position.
    pub(super) fn update_quiet(&mut self, pos: &Position, mv: Move, cont: &ContKeys, bonus: i32) {
        let Some(piece) = pos.piece_at(mv.from()) else { return };
        let at = piece_to(piece, mv.to());
        let butterfly = &mut self.butterfly[pos.side() as usize];
        apply_bonus::<HISTORY_LIMIT>(&mut butterfly[mv.from() as usize][mv.to() as usize], bonus);
        apply_bonus::<HISTORY_LIMIT>(&mut self.pawn_history[pawn_index(pos)][at], bonus);
        for (played, bonus) in [(cont.one, bonus), (cont.two, bonus), (cont.four, bonus / 2)] {
            if let Some(played) = played {
                apply_bonus::<CONTINUATION_LIMIT>(
                    &mut self.continuation[played.index()][at],
                    bonus,
                );
            }
        }
    }

    /// Learns that a capture was good (or bad) in this position.
    pub(super) fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        if let Some((at, victim)) = capture(pos, mv) {
            apply_bonus::<HISTORY_LIMIT>(&mut self.capture_history[at][victim], bonus);
        }
    }

    /// What each kind of correction weighs.
    #[inline]
    fn correction_weights(&self) -> [i32; CORRECTION_KINDS] {
        let params = &self.params;
        let men = params.non_pawn_correction();
        [params.pawn_correction(), params.minor_correction(), men, men]
    }

    /// By how much evaluations of positions like this one have been too low, within ±120.
    pub(super) fn correction(&self, pos: &Position, cont: &ContKeys) -> Value {
        let correction_indices =
            correction_indices(pos).into_iter().zip(self.correction_weights()).enumerate();
        let mut sum: i32 = correction_indices
            .map(|(kind, (at, weight))| weight * i32::from(self.correction_history[at][kind]))
            .sum();
        if let (Some(one), Some(two)) = (cont.one, cont.two) {
            sum += self.params.continuation_correction()
                * i32::from(self.continuation_correction[two.index()][one.index()]);
        }
        (sum / CORRECTION_UNIT).clamp(-self.params.correction_most(), self.params.correction_most())
    }

    /// Learns that a search of `depth` found the position better than its corrected evaluation by
    /// `error`. The corrected one matters: what is corrected already must not add up for ever.
    pub(super) fn update_correction(
        &mut self,
        pos: &Position,
        cont: &ContKeys,
        error: Value,
        depth: i32,
    ) {
        let most = CORRECTION_LIMIT / 4;
        let bonus =
            (error.saturating_mul(depth.max(1)).saturating_mul(self.params.correction_rate()) / 64)
                .clamp(-most, most);
        for (kind, at) in correction_indices(pos).into_iter().enumerate() {
            apply_bonus::<CORRECTION_LIMIT>(&mut self.correction_history[at][kind], bonus);
        }
        if let (Some(one), Some(two)) = (cont.one, cont.two) {
            apply_bonus::<CORRECTION_LIMIT>(
                &mut self.continuation_correction[two.index()][one.index()],
                bonus,
            );
        }
    }
}

/// Groups of men that evaluations are corrected by: pawns, knights and cannons, Red's, Black's.
const CORRECTION_KINDS: usize = 4;
/// A table at its limit alone corrects by its weight × 1024 / this.
const CORRECTION_UNIT: i32 = 64;

/// Where each group's correction is kept.
#[inline]
fn correction_indices(pos: &Position) -> [usize; CORRECTION_KINDS] {
    let (keys, side) = (pos.keys(), pos.side() as usize * CORRECTION_SIZE);
    [keys.pawns(), keys.minors(), keys.men(Color::Red), keys.men(Color::Black)]
        .map(|key| side + key as usize % CORRECTION_SIZE)
}

#[inline]
fn pawn_index(pos: &Position) -> usize {
    pos.keys().pawns() as usize % PAWN_HISTORY_SIZE
}

#[inline]
fn capture(pos: &Position, mv: Move) -> Option<(usize, usize)> {
    let victim = pos.piece_at(mv.to())?.kind() as usize;
    Some((piece_to(pos.piece_at(mv.from())?, mv.to()), victim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{position::Unobserved, types::SplitMix64};

    #[test]
    fn stay_within_their_range_whatever_is_learnt() {
        let mut histories = Histories::new().unwrap();
        let mut rng = SplitMix64::new(5);
        let mut pos = Position::start();
        let mut played = [None; 4];
        for _ in 0..300 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            let cont = ContKeys { one: played[0], two: played[1], four: played[3] };
            for &mv in &moves {
                for _ in 0..20 {
                    let bonus = rng.below(100_000) as i32 - 20_000;
                    histories.update_quiet(&pos, mv, &cont, bonus);
                    histories.update_capture(&pos, mv, -bonus);
                    histories.update_correction(&pos, &cont, bonus, 30);
                }
                assert!(histories.quiet(&pos, mv, &cont).abs() <= 71_808);
                assert!(histories.capture(&pos, mv).abs() <= HISTORY_LIMIT);
            }
            assert!(histories.correction(&pos, &cont).abs() <= histories.params.correction_most());
            let mv = moves[rng.below(moves.len())];
            let piece = pos.piece_at(mv.from()).unwrap();
            played = [Some(PieceTo { piece, to: mv.to() }), played[0], played[1], played[2]];
            pos.make(mv, &mut Unobserved);
        }
    }

    #[test]
    fn learn_and_forget() {
        let mut histories = Histories::new().unwrap();
        let (pos, cont) = (Position::start(), ContKeys::default());
        let (good, bad) = ("h2e2".parse().unwrap(), "e0e1".parse().unwrap());
        let take = "h2h9".parse().unwrap();
        histories.update_quiet(&pos, good, &cont, 500);
        histories.update_quiet(&pos, bad, &cont, -500);
        histories.update_capture(&pos, take, 300);
        let params = Params::default();
        let learnt = 500 * params.butterfly_weight() / 64 + 500 * params.pawn_history_weight() / 64;
        assert_eq!(histories.quiet(&pos, good, &cont), learnt);
        assert_eq!(histories.quiet(&pos, bad, &cont), -learnt);
        assert_eq!(histories.capture(&pos, take), 300);
        histories.clear();
        assert_eq!(histories.quiet(&pos, good, &cont), 0);
        assert_eq!(histories.capture(&pos, take), 0);
    }

    #[test]
    fn corrections_converge_on_the_error() {
        let mut histories = Histories::new().unwrap();
        let (pos, cont) = (Position::start(), ContKeys::default());
        for _ in 0..40 {
            let error = 60 - histories.correction(&pos, &cont);
            histories.update_correction(&pos, &cont, error, 8);
        }
        let corrected = histories.correction(&pos, &cont);
        assert!((50..=60).contains(&corrected), "{corrected}");
    }
}
