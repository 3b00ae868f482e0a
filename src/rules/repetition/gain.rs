//! Which captures win a man (得子, 28.5, 28.16, 29). Knows values in exchanges and false roots, not
//! whether a threat is new.

use super::{board::Board, kill};
use crate::types::{Kind, Move, Square};

/// What an advisor or a bishop counts for.
const GUARD: i8 = 1;

/// What a man counts for in an exchange (25.3): a rook two knights or cannons, an advisor a bishop.
/// A pawn's value floats, so that exchanging one is never a gain.
const fn worth(kind: Kind) -> i8 {
    match kind {
        Kind::Rook => 4,
        Kind::Knight | Kind::Cannon => 2,
        Kind::Advisor | Kind::Bishop => GUARD,
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

/// Which of the positions that a move lies between is asked for its threats (29.2).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// The one before the move. What only a threat of mate kept from being carried out was
    /// attacked all the same: 29.4 suspends an attack as a check does, it does not end it.
    Before,
    /// The one after it, where an attack that costs the game is none (29.4).
    Now,
}

/// How captures are tried.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// Mates are looked for so many checks deep.
    pub(super) checks: u8,
    /// Before the move or after it.
    pub(super) when: When,
}

impl Trial {
    /// Whether the other side mates after a capture, so that it wins nothing (29.4).
    fn is_fatal(self, after: &Board) -> bool {
        self.when == When::Now && kill::mates(after, self.checks)
    }

    /// Whether a legal capture wins its victim (29).
    pub(super) fn wins(self, board: &Board, capture: Move) -> bool {
        let to = capture.to();
        if !counts(board, to) {
            return false;
        }
        let least = if is_pawn_for_guard(board, capture) { 1 + GUARD } else { 1 };
        !self.has_root(board, capture, least)
            && !self.is_exchange_offer(board, capture)
            && !self.is_fatal(&board.after(capture))
    }

    /// Whether a real recapture leaves a capture with less than `least`.
    fn has_root(self, board: &Board, capture: Move, least: i8) -> bool {
        let missing = missing(board, capture, least);
        missing > 0 && {
            let taken = board.after(capture);
            taken.captures_on(capture.to()).into_iter().any(|recapture| {
                let end = taken.after(recapture);
                !self.is_false(&end, recapture, missing)
                    && !self.is_overloaded(board, &end, recapture, missing)
            })
        }
    }

    /// Whether a recapture is no root (假根, 28.16), when the captor still lacks so much for a gain:
    /// it is captured in turn, or mated for. `end` is the position after it.
    fn is_false(self, end: &Board, recapture: Move, missing: i8) -> bool {
        pays(end, recapture.to(), missing) || kill::mates(end, self.checks)
    }

    /// Whether the recapturing man leaves another attacked man that was safe only while it guarded
    /// it: one root is too few for two men (少根, 28.16).
    fn is_overloaded(self, board: &Board, end: &Board, recapture: Move, missing: i8) -> bool {
        end.captures().into_iter().any(|second| {
            second.to() != recapture.to()
                && board.is_legal(second)
                && board.after(second).is_legal(Move::between(recapture.from(), second.to()))
                && self.collects_by(end, second, missing)
                && !self.collects_by(board, second, 1)
        })
    }

    /// Whether the victim, being of the captor's kind, may itself capture first (兑, 28.5).
    fn is_exchange_offer(self, board: &Board, capture: Move) -> bool {
        let (from, to) = (capture.from(), capture.to());
        board.kind_at(from) == board.kind_at(to) && {
            let (theirs, first) = (board.passed(), Move::between(to, from));
            theirs.is_legal(first) && !kill::mates(&theirs.after(first), self.checks)
        }
    }

    /// A check after which the side to move wins material, whatever the reply (抽, 28.3, 29.1). The
    /// check may win it by itself, but not as a pawn's, a king's (27.1, 27.2) or in exchange (28.5).
    /// Checks that `old` excuses do not count.
    pub(super) fn winning_check(self, board: &Board, old: impl Fn(Move) -> bool) -> Option<Move> {
        board.checks().into_iter().filter(|&check| !old(check)).find(|&check| {
            let suffices = board.kind_at(check.from()).is_some_and(is_officer)
                && !self.is_exchange_offer(board, check);
            let next = board.after(check);
            let replies = next.moves();
            !replies.is_empty()
                && replies.into_iter().all(|reply| {
                    let traded = reply.to() == check.to() && is_pawn_for_guard(board, check);
                    let taken = if traded { 0 } else { worth_on(board, check.to()) };
                    let balance = taken - worth_on(&next, reply.to());
                    suffices && balance > 0 || self.collects(&next.after(reply), 1 - balance)
                })
        })
    }

    /// Whether an officer's capture gains at least `least` in exchanges and is not answered by mate
    /// (29.4).
    fn collects(self, board: &Board, least: i8) -> bool {
        board.captures().into_iter().any(|capture| self.collects_by(board, capture, least))
    }

    /// Whether a recapture on the square leaves a capture with less than `least`.
    fn is_avenged(self, board: &Board, capture: Move, least: i8) -> bool {
        let missing = missing(board, capture, least);
        missing > 0 && {
            let taken = board.after(capture);
            let real =
                |&recapture: &Move| !self.is_false(&taken.after(recapture), recapture, missing);
            taken.captures_on(capture.to()).iter().any(real)
        }
    }

    /// Whether this capture does.
    fn collects_by(self, board: &Board, capture: Move, least: i8) -> bool {
        worth_on(board, capture.to()) >= least
            && board.kind_at(capture.from()).is_some_and(is_officer)
            && counts(board, capture.to())
            && !self.is_avenged(board, capture, least)
            && !self.is_fatal(&board.after(capture))
    }
}

/// Whether a pawn takes an advisor or a bishop: to give the one for the other is no gain (25.3).
fn is_pawn_for_guard(board: &Board, capture: Move) -> bool {
    board.kind_at(capture.from()) == Some(Kind::Pawn) && worth_on(board, capture.to()) == GUARD
}

/// What a captor still lacks for a gain of `least` when it is recaptured.
fn missing(board: &Board, capture: Move, least: i8) -> i8 {
    worth_on(board, capture.from()) - worth_on(board, capture.to()) + least
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

#[cfg(test)]
mod tests;
