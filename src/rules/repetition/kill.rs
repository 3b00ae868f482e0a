//! Mate by an unbroken run of checks (连续照将而将死, 28.2). Knows legal moves, no values.

use super::board::Board;
use crate::types::Move;

/// The first of at most `checks` checks with which the side to move mates, whatever the replies.
/// A stalemate (困毙) is no mate.
pub(super) fn mating_check(board: &Board, checks: u8) -> Option<Move> {
    if checks == 0 {
        return None;
    }
    let list = board.checks();
    // Most mates that exist are short.
    let mate = list.iter().copied().find(|&mv| board.after(mv).is_lost());
    if mate.is_some() || checks == 1 {
        return mate;
    }
    list.into_iter().find(|&mv| {
        let next = board.after(mv);
        next.moves().into_iter().all(|reply| mates(&next.after(reply), checks - 1))
    })
}

/// Whether the side to move mates with at most so many checks.
pub(super) fn mates(board: &Board, checks: u8) -> bool {
    mating_check(board, checks).is_some()
}

#[cfg(test)]
mod tests;
