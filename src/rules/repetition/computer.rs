//! The rules of today's computer referees: perpetual check, and perpetual chase of one man where
//! nobody gives check in the whole cycle. Attacks are those of the Asian rules.

use super::{Line, Verdict, chase, threat};
use crate::rules::{Judgement, Ply};

/// Judges the last `window` plies, which lead from a position back to itself.
pub(super) fn verdict(line: &Line, window: usize) -> Verdict {
    let quiet = !line.history()[line.plies() - window..].iter().any(Ply::gave_check);
    chase::verdict(line, window, |side| {
        quiet && chase::perpetual(line, window, side, threat::newly_attacked)
    })
}

/// The verdict with its grounds.
pub(super) fn judgement(line: &Line, window: usize) -> Judgement {
    chase::judgement(line, window, verdict(line, window), threat::newly_attacked)
}
