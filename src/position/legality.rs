//! What threatens a king, and whether a move leaves it safe. Knows one position.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Move, Square};

/// What the side to move must mind: who gives check, and which moves could expose the king.
///
/// Most moves touch none of it and are legal as they stand; the rest are tried on the occupancy.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckInfo {
    /// The men that give check.
    pub checkers: Bitboard,
    /// Men whose leaving might expose the king: lone men before an enemy rook or king, either of
    /// the two men before a cannon, and men at the legs of knights.
    pub(super) pinned: Bitboard,
    /// Points where any landing man would be a cannon's screen (空头炮, nothing in between).
    pub(super) forbidden: Bitboard,
}

impl CheckInfo {
    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }
}

impl Position {
    /// The men that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.check_info().checkers
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side), self.side, self.occupied(), Bitboard::BOARD)
    }

    /// Looks along the lines and legs of the king of the side to move.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        let (us, them) = (self.side, !self.side);
        let (king, occupied) = (self.king(us), self.occupied());
        let straight = self.pieces(them, Kind::Rook) | self.pieces(them, Kind::King);
        let cannons = self.pieces(them, Kind::Cannon);
        let knights = self.pieces(them, Kind::Knight);

        let cross = attacks::Cross::new(king, occupied);
        let (first, second, third) = (cross.reach() & occupied, cross.second(), cross.third());
        let checkers = first & straight
            | second & cannons
            | attacks::knights_to(king, occupied) & knights
            | attacks::pawns_to(them, king) & self.pieces(them, Kind::Pawn);

        let mut check_info = CheckInfo { checkers, ..CheckInfo::default() };
        for pinner in second & straight | third & cannons {
            check_info.pinned |= attacks::between(king, pinner);
        }
        for cannon in first & cannons {
            check_info.forbidden |= attacks::between(king, cannon);
        }
        if attacks::knights_to(king, Bitboard::EMPTY).meets(knights) {
            check_info.pinned |= attacks::corners(king);
        }
        check_info
    }

    /// Whether men of the other side among `alive` attack a king of `color` on `square`, were
    /// `occupied` the occupancy.
    #[inline]
    pub fn is_attacked(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
        alive: Bitboard,
    ) -> bool {
        let them = !color;
        let cross = attacks::Cross::new(square, occupied);
        let straight = self.pieces(them, Kind::Rook) | self.pieces(them, Kind::King);
        let attackers = cross.reach() & straight
            | cross.second() & self.pieces(them, Kind::Cannon)
            | attacks::knights_to(square, occupied) & self.pieces(them, Kind::Knight)
            | attacks::pawns_to(them, square) & self.pieces(them, Kind::Pawn);
        attackers.meets(alive)
    }

    /// Whether a pseudo-legal move of the man on `from` leaves its king safe, tried in full.
    #[inline]
    pub(super) fn leaves_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.side);
        let king = if from == king { to } else { king };
        let occupied = self.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        !self.is_attacked(king, self.side, occupied, !Bitboard::of(to))
    }

    /// Whether a move, any move, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_king_safe(mv.from(), mv.to())
    }

    /// Whether a man of the side to move stands on the first square and moves like this.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.piece_at(mv.from()).is_some_and(|piece| {
            piece.color() == self.side
                && self.targets(piece.kind(), mv.from()).has(mv.to())
                && !self.color(self.side).has(mv.to())
        })
    }

    /// Whether a legal move attacks the enemy king, by itself or by what it uncovers.
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let (us, them) = (self.side, !self.side);
        let king = self.king(them);
        let Some(piece) = self.piece_at(from) else { return false };
        let occupied = self.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        let direct = match piece.kind() {
            Kind::Rook => attacks::rook(king, occupied).has(to),
            Kind::Cannon => attacks::cannon(king, occupied).has(to),
            Kind::Knight => attacks::knights_to(king, occupied).has(to),
            Kind::Pawn => attacks::pawns_to(us, king).has(to),
            Kind::King | Kind::Advisor | Kind::Bishop => false,
        };
        // What stays where it was: the mover's old square no longer holds an attacker.
        direct || self.is_attacked(king, them, occupied, !Bitboard::of(from))
    }
}
