//! From evaluations to words: what a move cost, which mark that earns, how accurate a side was.
//!
//! All thresholds are points of chances ([`super::expected`]), so that a pawn counts in a level game
//! and not in one that is won.

use super::{Evaluation, Mark, PlyReport, SideReport, expected};
use crate::types::Color;

/// A move that costs so much is an inaccuracy (`?!`).
pub const INACCURACY: f64 = 8.0;
/// A mistake (`?`): a sixth of a game.
pub const MISTAKE: f64 = 16.0;
/// A blunder (`??`): more than half the way from a win to a draw.
pub const BLUNDER: f64 = 28.0;

/// A move that costs so much counts half in the accuracy of its side.
const HALF: f64 = 12.0;

/// The mark of a move that costs so much, if it costs enough.
pub(super) fn error(loss: f64) -> Option<Mark> {
    match loss {
        loss if loss >= BLUNDER => Some(Mark::Blunder),
        loss if loss >= MISTAKE => Some(Mark::Mistake),
        loss if loss >= INACCURACY => Some(Mark::Inaccuracy),
        _ => None,
    }
}

/// What a side lost from one evaluation to the other.
pub(super) fn loss(before: &Evaluation, after: &Evaluation, side: Color) -> f64 {
    (expected(before.chances, side) - expected(after.chances, side)).max(0.0)
}

/// Whether every move but the best would have been a mistake, as far as two lines tell.
pub(super) fn only_one_is_good(before: &Evaluation, side: Color) -> bool {
    let mut worth = before.lines.iter().map(|line| expected(line.chances, side));
    match (worth.next(), worth.next()) {
        (Some(best), Some(second)) => best - second >= MISTAKE,
        _ => false,
    }
}

/// How a side played, by its moves.
pub(super) fn side<'a>(plies: impl Iterator<Item = &'a PlyReport>) -> SideReport {
    let (mut report, mut sum) = (SideReport::default(), 0.0);
    for ply in plies {
        match ply.mark {
            Some(Mark::Inaccuracy) => report.inaccuracies += 1,
            Some(Mark::Mistake) => report.mistakes += 1,
            Some(Mark::Blunder) => report.blunders += 1,
            Some(Mark::Good | Mark::Only) | None => {}
        }
        if !ply.book {
            report.moves += 1;
            sum += 100.0 * (-ply.loss / HALF).exp2();
        }
    }
    report.accuracy = (report.moves > 0).then(|| tenths(sum / report.moves as f64));
    report
}

/// Rounded as it is told.
pub(super) fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
