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

/// What a legal capture comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It wins its victim.
    Wins,
    /// The victim is no 子力: a king, or a pawn on its own side of the river.
    Uncounted,
    /// This recapture avenges it: the victim has a root (有根子, 28.16).
    Rooted(Move),
    /// The victim could as well capture first: an exchange is offered (兑, 28.5).
    Exchange,
    /// The other side mates after it, beginning with this check (29.4).
    Fatal(Move),
}

/// Why a legal recapture is no root (28.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The avenger is captured in turn, and there are roots too few (少根).
    Recaptured(Move),
    /// Its side is mated, beginning with this check: the root is false (假根).
    Mated(Move),
    /// It leaves another man, which falls by this capture: one root for two men (少根).
    Overloaded(Move),
}

/// By what a check wins material when it is answered by some reply (抽).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reap {
    /// It captures something itself.
    ByItself,
    /// By this capture.
    Next(Move),
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
    /// The check by which the other side begins to mate after a capture, which then wins nothing
    /// (29.4).
    fn punishment(self, after: &Board) -> Option<Move> {
        if self.when == When::Before {
            return None;
        }
        kill::mating_check(after, self.checks)
    }

    /// Whether a legal capture wins its victim (29).
    pub(super) fn wins(self, board: &Board, capture: Move) -> bool {
        self.standing(board, capture) == Standing::Wins
    }

    /// What a legal capture comes to (29).
    pub(super) fn standing(self, board: &Board, capture: Move) -> Standing {
        if !counts(board, capture.to()) {
            return Standing::Uncounted;
        }
        // Of equals it is the exchange that is told, protected or not.
        if self.is_exchange_offer(board, capture) {
            return Standing::Exchange;
        }
        if let Some(root) = self.root(board, capture) {
            return Standing::Rooted(root);
        }
        self.punishment(&board.after(capture)).map_or(Standing::Wins, Standing::Fatal)
    }

    /// The recapture that leaves a capture without a gain.
    fn root(self, board: &Board, capture: Move) -> Option<Move> {
        if is_uneven(board, capture) {
            return None;
        }
        let taken = board.after(capture);
        let mut recaptures = taken.captures_on(capture.to()).into_iter();
        recaptures.find(|&recapture| self.flaw(board, &taken, capture, recapture).is_none())
    }

    /// The legal recaptures of a capture that wins, and why each is no root; none where it wins
    /// whatever the answer.
    pub(super) fn flaws(self, board: &Board, capture: Move) -> Vec<(Move, Flaw)> {
        if is_uneven(board, capture) {
            return Vec::new();
        }
        let taken = board.after(capture);
        let recaptures = taken.captures_on(capture.to()).into_iter();
        let flawed = |recapture| Some((recapture, self.flaw(board, &taken, capture, recapture)?));
        recaptures.filter_map(flawed).collect()
    }

    /// Why a recapture is no root. `taken` is the position after the capture.
    fn flaw(self, board: &Board, taken: &Board, capture: Move, recapture: Move) -> Option<Flaw> {
        let missing = missing(board, capture, least_gain(board, capture));
        let end = taken.after(recapture);
        self.falsity(&end, recapture, missing)
            .or_else(|| self.overload(board, &end, recapture, missing).map(Flaw::Overloaded))
    }

    /// Why a recapture is no root by itself, when the captor still lacks so much for a gain: it is
    /// captured in turn, or mated for. `end` is the position after it.
    fn falsity(self, end: &Board, recapture: Move, missing: i8) -> Option<Flaw> {
        paying(end, recapture.to(), missing)
            .map(Flaw::Recaptured)
            .or_else(|| kill::mating_check(end, self.checks).map(Flaw::Mated))
    }

    /// The capture of another man that was safe only while the recapturing man guarded it: one root
    /// is too few for two men (少根, 28.16).
    fn overload(self, board: &Board, end: &Board, recapture: Move, missing: i8) -> Option<Move> {
        end.captures().into_iter().find(|&second| {
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
            let suffices = self.suffices(board, check);
            let next = board.after(check);
            let replies = next.moves();
            !replies.is_empty()
                && replies
                    .into_iter()
                    .all(|reply| self.reap(board, check, suffices, &next, reply).is_some())
        })
    }

    /// What a winning check wins after each reply.
    pub(super) fn harvest(self, board: &Board, check: Move) -> Vec<(Move, Reap)> {
        let suffices = self.suffices(board, check);
        let next = board.after(check);
        let reap = |reply| Some((reply, self.reap(board, check, suffices, &next, reply)?));
        next.moves().into_iter().filter_map(reap).collect()
    }

    /// Whether what a check captures may be all that it wins.
    fn suffices(self, board: &Board, check: Move) -> bool {
        board.kind_at(check.from()).is_some_and(is_officer) && !self.is_exchange_offer(board, check)
    }

    /// By what a check wins material after a reply; `next` is the position between them.
    fn reap(
        self,
        board: &Board,
        check: Move,
        suffices: bool,
        next: &Board,
        reply: Move,
    ) -> Option<Reap> {
        let traded = reply.to() == check.to() && is_pawn_for_guard(board, check);
        let taken = if traded { 0 } else { worth_on(board, check.to()) };
        let balance = taken - worth_on(next, reply.to());
        if suffices && balance > 0 {
            return Some(Reap::ByItself);
        }
        let end = next.after(reply);
        let mut captures = end.captures().into_iter();
        captures.find(|&capture| self.collects_by(&end, capture, 1 - balance)).map(Reap::Next)
    }

    /// Whether a recapture on the square leaves a capture with less than `least`.
    fn is_avenged(self, board: &Board, capture: Move, least: i8) -> bool {
        let missing = missing(board, capture, least);
        missing > 0 && {
            let taken = board.after(capture);
            let real = |&recapture: &Move| {
                self.falsity(&taken.after(recapture), recapture, missing).is_none()
            };
            taken.captures_on(capture.to()).iter().any(real)
        }
    }

    /// Whether an officer's capture gains at least `least` in exchanges and is not answered by mate
    /// (29.4).
    fn collects_by(self, board: &Board, capture: Move, least: i8) -> bool {
        worth_on(board, capture.to()) >= least
            && board.kind_at(capture.from()).is_some_and(is_officer)
            && counts(board, capture.to())
            && !self.is_avenged(board, capture, least)
            && self.punishment(&board.after(capture)).is_none()
    }
}

/// Whether a pawn takes an advisor or a bishop: to give the one for the other is no gain (25.3).
fn is_pawn_for_guard(board: &Board, capture: Move) -> bool {
    board.kind_at(capture.from()) == Some(Kind::Pawn) && worth_on(board, capture.to()) == GUARD
}

/// The gain that a capture must have to win its victim.
fn least_gain(board: &Board, capture: Move) -> i8 {
    if is_pawn_for_guard(board, capture) { 1 + GUARD } else { 1 }
}

/// Whether a captor is worth so much less than its victim that a recapture does not matter.
pub(super) fn is_uneven(board: &Board, capture: Move) -> bool {
    missing(board, capture, least_gain(board, capture)) <= 0
}

/// What a captor still lacks for a gain of `least` when it is recaptured.
fn missing(board: &Board, capture: Move, least: i8) -> i8 {
    worth_on(board, capture.from()) - worth_on(board, capture.to()) + least
}

/// The capture on a square by which exchanges begin that gain at least `least`, either side free to
/// stop.
fn paying(board: &Board, square: Square, least: i8) -> Option<Move> {
    let stake = worth_on(board, square);
    if stake < least {
        return None;
    }
    let mut captures = board.captures_on(square).into_iter();
    captures.find(|&capture| paying(&board.after(capture), square, stake - least + 1).is_none())
}

#[cfg(test)]
mod tests;
