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

/// The shortest such mate against the longest defence; empty where there is none.
pub(super) fn mating_line(board: &Board, checks: u8) -> Vec<Move> {
    let shortest =
        |board: &Board| (1..=checks).find_map(|depth| Some((depth, mating_check(board, depth)?)));
    let Some((depth, check)) = shortest(board) else { return Vec::new() };
    let next = board.after(check);
    let resistance = |reply: &Move| shortest(&next.after(*reply)).map(|(depth, _)| depth);
    let mut line = vec![check];
    if let Some(reply) = next.moves().into_iter().max_by_key(resistance) {
        line.push(reply);
        line.extend(mating_line(&next.after(reply), depth - 1));
    }
    line
}

/// Whether the side to move mates with at most so many checks.
pub(super) fn mates(board: &Board, checks: u8) -> bool {
    mating_check(board, checks).is_some()
}

#[cfg(test)]
mod tests;
