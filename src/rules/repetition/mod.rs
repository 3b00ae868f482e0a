//! What a repetition amounts to (第24–26条). Knows which sides checked all along; a move's further
//! labels (杀, 捉, 闲) will enter at [`verdict`].

use super::{Line, Offence, Verdict};
use crate::types::Color;

/// The verdict when the position has occurred as often as the rules ask.
pub(super) fn on_the_board(line: &Line) -> Option<Verdict> {
    // However often they ask, the moves since the third-last occurrence are looked at.
    let count = line.ruleset().repetition_count.max(2);
    line.occurrences().nth(count - 2)?;
    let window = line.occurrences().nth(count.min(3) - 2)?;
    Some(verdict(line, window))
}

/// The verdict at a node `ply` plies below the root of a search.
#[cold]
pub(super) fn in_tree(line: &Line, ply: usize) -> Option<Verdict> {
    on_the_board(line).or_else(|| {
        let window = line.occurrences().next()?;
        (window < ply).then(|| verdict(line, window))
    })
}

/// Judges the last `window` plies, which lead from a position back to itself.
fn verdict(line: &Line, window: usize) -> Verdict {
    let perpetual_check =
        |offender| Verdict::Forbidden { offender, offence: Offence::PerpetualCheck };
    let checked = |side| line.checked_all_along(side, window);
    match (checked(Color::Red), checked(Color::Black)) {
        // 26.1: one-sided perpetual check loses, whatever the other side did.
        (true, false) => perpetual_check(Color::Red),
        (false, true) => perpetual_check(Color::Black),
        // 26.2, 26.3: both sides' moves allowed, or both sides' forbidden.
        _ => Verdict::Draw,
    }
}
