//! Which captures win a man (得子, 28.5, 28.16, 29). Knows values in exchanges and false roots, not
//! whether a threat is new.

use super::{board::Board, kill};
use crate::types::{Kind, Move, Square};

/// What a man counts for in an exchange (25.3): a rook two knights or cannons, an advisor a bishop.
/// A pawn's value floats, so that exchanging one is never a gain.
const fn worth(kind: Kind) -> i8 {
    match kind {
        Kind::Rook => 4,
        Kind::Knight | Kind::Cannon => 2,
        Kind::Advisor | Kind::Bishop => 1,
        Kind::Pawn | Kind::King => 0,
    }
}

/// What the man on a square is worth; an empty square nothing.
fn worth_on(board: &Board, square: Square) -> i8 {
    board.kind_at(square).map_or(0, worth)
}

/// Whether a kind is neither king nor pawn, whose own attacks are excused (27.1, 27.2).
pub(super) fn is_officer(kind: Kind) -> bool {
    !matches!(kind, Kind::King | Kind::Pawn)
}

/// Whether the man on a square is 子力 (25.3): no king, no pawn on its own side of the river.
fn counts(board: &Board, square: Square) -> bool {
    board.position().piece_at(square).is_some_and(|piece| match piece.kind() {
        Kind::King => false,
        Kind::Pawn => !square.at_home(piece.color()),
        _ => true,
    })
}

/// Whether a legal capture wins its victim (29), mates being looked for `checks` checks deep.
pub(super) fn wins(board: &Board, capture: Move, checks: u8) -> bool {
    let to = capture.to();
    if !counts(board, to) {
        return false;
    }
    !is_refuted(board, capture, 1, checks)
        && !is_exchange_offer(board, capture, checks)
        && !kill::mates(&board.after(capture), checks)
}

/// Whether a real recapture leaves a capture with less than `least`. A root is false (假根) if its
/// recapture can be answered by mate.
fn is_refuted(board: &Board, capture: Move, least: i8, checks: u8) -> bool {
    let to = capture.to();
    let (ours, theirs) = (worth_on(board, capture.from()), worth_on(board, to));
    let next = board.after(capture);
    ours - theirs + least > 0
        && next.captures_on(to).into_iter().any(|recapture| {
            let end = next.after(recapture);
            !pays(&end, to, ours - theirs + least) && !kill::mates(&end, checks)
        })
}

/// Whether capturing on a square gains at least `least` in exchanges, either side free to stop.
fn pays(board: &Board, square: Square, least: i8) -> bool {
    let stake = worth_on(board, square);
    stake >= least
        && board
            .captures_on(square)
            .into_iter()
            .any(|capture| !pays(&board.after(capture), square, stake - least + 1))
}

/// Whether the victim, being of the captor's kind, may itself capture first (兑, 28.5).
fn is_exchange_offer(board: &Board, capture: Move, checks: u8) -> bool {
    let (from, to) = (capture.from(), capture.to());
    board.kind_at(from) == board.kind_at(to) && {
        let (theirs, first) = (board.passed(), Move::between(to, from));
        theirs.is_legal(first) && !kill::mates(&theirs.after(first), checks)
    }
}

/// A check after which the side to move wins material, whatever the reply (抽, 28.3, 29.1). The
/// check may win it by itself, but not as a pawn's, a king's (27.1, 27.2) or in exchange (28.5).
pub(super) fn winning_check(board: &Board, checks: u8) -> Option<Move> {
    board.checks().into_iter().find(|&check| {
        let taken = worth_on(board, check.to());
        let suffices = board.kind_at(check.from()).is_some_and(is_officer)
            && !is_exchange_offer(board, check, checks);
        let next = board.after(check);
        let replies = next.moves();
        !replies.is_empty()
            && replies.into_iter().all(|reply| {
                let balance = taken - worth_on(&next, reply.to());
                suffices && balance > 0 || collects(&next.after(reply), 1 - balance, checks)
            })
    })
}

/// Whether an officer's capture gains at least `least` in exchanges and is not answered by mate
/// (29.4).
fn collects(board: &Board, least: i8, checks: u8) -> bool {
    board.captures().into_iter().any(|capture| {
        worth_on(board, capture.to()) >= least
            && board.kind_at(capture.from()).is_some_and(is_officer)
            && counts(board, capture.to())
            && !is_refuted(board, capture, least, checks)
            && !kill::mates(&board.after(capture), checks)
    })
}

#[cfg(test)]
mod tests;
