//! All legal moves, as sets of targets a man. Knows one position.

use super::{CheckInfo, Position, attacks};
use crate::types::{Bitboard, Kind, Move, MoveList, Square};

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// Every move.
    All,
    /// Moves onto an enemy man.
    Captures,
    /// Moves onto an empty point.
    Quiets,
}

impl Position {
    /// Where a man of this kind of the side to move goes from `square`; own men are not excluded.
    #[inline]
    pub fn targets(&self, kind: Kind, square: Square) -> Bitboard {
        let occupied = self.occupied();
        match kind {
            Kind::King => attacks::king(square),
            Kind::Advisor => attacks::advisor(square),
            Kind::Bishop => attacks::bishop(square, occupied),
            Kind::Knight => attacks::knight(square, occupied),
            Kind::Rook => attacks::rook(square, occupied),
            Kind::Cannon => {
                let cross = attacks::Cross::new(square, occupied);
                cross.reach() & !occupied | cross.second()
            }
            Kind::Pawn => attacks::pawn(self.side, square),
        }
    }

    /// Tells `visit` every man of the side to move with the set of its legal targets in `wanted`, as
    /// long as it wants to go on.
    #[inline]
    fn visit(
        &self,
        check_info: &CheckInfo,
        wanted: Bitboard,
        mut visit: impl FnMut(Square, Bitboard) -> bool,
    ) {
        let us = self.side;
        let allowed = wanted & !self.color(us) & !check_info.forbidden;
        let (mask, tried) = self.evasions(check_info);
        let plain = allowed & mask;

        for kind in
            [Kind::Rook, Kind::Cannon, Kind::Knight, Kind::Pawn, Kind::Advisor, Kind::Bishop]
        {
            for from in self.pieces(us, kind) {
                let set = self.targets(kind, from);
                let legal =
                    if tried.has(from) { self.safe(from, set & allowed) } else { set & plain };
                if !visit(from, legal) {
                    return;
                }
            }
        }
        let king = self.king(us);
        visit(king, self.safe(king, attacks::king(king) & wanted & !self.color(us)));
    }

    /// Those targets where a man's move leaves the king safe, tried one by one.
    fn safe(&self, from: Square, targets: Bitboard) -> Bitboard {
        targets.into_iter().filter(|&to| self.leaves_king_safe(from, to)).collect()
    }

    /// Where men may go that are not tied to the king, and which men must be tried move by move.
    #[inline]
    fn evasions(&self, check_info: &CheckInfo) -> (Bitboard, Bitboard) {
        let Some(checker) = check_info.checkers.first() else {
            return (Bitboard::BOARD, check_info.pinned);
        };
        if check_info.checkers.several() {
            return (Bitboard::BOARD, Bitboard::BOARD);
        }
        let king = self.king(self.side);
        let there = Bitboard::of(checker);
        match self.piece_at(checker).map(super::Piece::kind) {
            Some(Kind::Rook | Kind::King) => {
                (attacks::between(king, checker) | there, check_info.pinned)
            }
            // A second man in between stops a cannon, and so does its screen's leaving.
            Some(Kind::Cannon) => {
                let line = attacks::between(king, checker);
                let screen = line & self.occupied();
                (line & !screen | there, check_info.pinned | screen)
            }
            Some(Kind::Knight) => {
                (attacks::corners(king) & attacks::legs(checker) | there, check_info.pinned)
            }
            _ => (there, check_info.pinned),
        }
    }

    /// Appends the legal moves that pass the filter, given this position's own [`CheckInfo`].
    pub fn generate(&self, check_info: &CheckInfo, kind: MoveKind, list: &mut MoveList) {
        let wanted = match kind {
            MoveKind::All => Bitboard::BOARD,
            MoveKind::Captures => self.color(!self.side),
            MoveKind::Quiets => !self.occupied(),
        };
        self.visit(check_info, wanted, |from, targets| {
            for to in targets {
                list.push(Move::between(from, to));
            }
            true
        });
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.check_info(), MoveKind::All, &mut list);
        list
    }

    /// How many legal moves there are, without writing them down.
    #[inline]
    pub fn count_moves(&self) -> u32 {
        let mut count = 0;
        self.visit(&self.check_info(), Bitboard::BOARD, |_, targets| {
            count += targets.count();
            true
        });
        count
    }

    /// Whether the side to move has no legal move: mated (将死) or stalemated (困毙); both lose.
    ///
    /// Looks for one and stops there.
    pub fn is_lost(&self) -> bool {
        let mut lost = true;
        self.visit(&self.check_info(), Bitboard::BOARD, |_, targets| {
            lost = targets.is_empty();
            lost
        });
        lost
    }
}
