//! A position as the judge tries captures and checks on it: either side may pass, and men whose
//! check is suspended attack no king. Knows what is legal, not what it is worth.

use crate::{
    position::{Position, Unobserved, attacks},
    types::{Bitboard, Color, Kind, Move, MoveList, Piece, Square},
};

/// A position to try moves on.
#[derive(Clone)]
pub(super) struct Board {
    position: Position,
    /// Men that gave check to the side to move when the trial began: they may go on standing there.
    excused: Bitboard,
}

impl Board {
    /// A position as it is.
    pub(super) fn new(position: &Position) -> Self {
        Self { position: position.clone(), excused: Bitboard::EMPTY }
    }

    /// A position in which the side to move need not parry the check it stands in: what it attacks
    /// it would attack without that check.
    pub(super) fn without_checks(position: &Position) -> Self {
        Self { position: position.clone(), excused: position.checkers() }
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn kind_at(&self, square: Square) -> Option<Kind> {
        self.position.piece_at(square).map(Piece::kind)
    }

    /// The same men with the other side to move.
    pub(super) fn passed(&self) -> Self {
        let mut next = self.clone();
        next.position.make_null();
        next
    }

    /// The board after a legal move.
    pub(super) fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.position.make(mv, &mut Unobserved);
        next.excused &= !(Bitboard::of(mv.from()) | Bitboard::of(mv.to()));
        next
    }

    /// Whether the king of `color` is attacked.
    pub(super) fn is_checked(&self, color: Color) -> bool {
        let king = self.position.king(color);
        self.position.is_attacked(king, color, self.position.occupied(), !self.excused)
    }

    /// Whether a move, any move, is legal.
    pub(super) fn is_legal(&self, mv: Move) -> bool {
        self.position.is_pseudo_legal(mv) && self.is_safe(mv)
    }

    /// Whether a pseudo-legal move leaves its king safe and the other king alive.
    fn is_safe(&self, mv: Move) -> bool {
        let (us, from, to) = (self.position.side(), mv.from(), mv.to());
        let king = self.position.king(us);
        let king = if from == king { to } else { king };
        let occupied = self.position.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        let alive = !(self.excused | Bitboard::of(to));
        to != self.position.king(!us) && !self.position.is_attacked(king, us, occupied, alive)
    }

    /// The legal moves.
    pub(super) fn moves(&self) -> MoveList {
        if self.excused.is_empty() {
            return self.position.legal_moves();
        }
        self.moves_onto(Bitboard::BOARD)
    }

    /// Whether the side to move has no legal move.
    pub(super) fn is_lost(&self) -> bool {
        if self.excused.is_empty() { self.position.is_lost() } else { self.moves().is_empty() }
    }

    /// The legal captures.
    pub(super) fn captures(&self) -> MoveList {
        self.moves_onto(self.position.color(!self.position.side()))
    }

    /// The legal moves that give check.
    pub(super) fn checks(&self) -> MoveList {
        let mut list = self.moves();
        if self.excused.is_empty() {
            list.retain(|mv| self.position.gives_check(*mv));
        } else {
            let them = !self.position.side();
            list.retain(|mv| self.after(*mv).is_checked(them));
        }
        list
    }

    /// Whether a move is one that its man makes, safe for its king or not.
    pub(super) fn reaches(&self, mv: Move) -> bool {
        self.position.is_pseudo_legal(mv)
    }

    /// The captures of all men but kings, safe for their own king or not.
    pub(super) fn attacks(&self) -> MoveList {
        let us = self.position.side();
        let prey = self.position.color(!us) & !Bitboard::of(self.position.king(!us));
        let mut list = MoveList::new();
        for from in self.position.color(us) {
            let Some(kind) = self.kind_at(from) else { continue };
            let targets = self.position.targets(kind, from) & prey;
            list.extend(targets.into_iter().map(|to| Move::between(from, to)));
        }
        list
    }

    /// The legal captures of the enemy man on `square`, the least valuable captor first.
    pub(super) fn captures_on(&self, square: Square) -> MoveList {
        let mut list = self.attacks_on(square);
        list.retain(|mv| self.is_safe(*mv));
        list
    }

    /// The same, safe for the king or not.
    pub(super) fn attacks_on(&self, square: Square) -> MoveList {
        let occupied = self.position.occupied();
        let us = self.position.side();
        let from = |kind, points| points & self.position.pieces(us, kind);
        let mut list = MoveList::new();
        for men in [
            from(Kind::Pawn, attacks::pawns_to(us, square)),
            from(Kind::Advisor, attacks::advisor(square)),
            from(Kind::Bishop, attacks::bishop(square, occupied)),
            from(Kind::Knight, attacks::knights_to(square, occupied)),
            from(Kind::Cannon, attacks::cannon(square, occupied)),
            from(Kind::Rook, attacks::rook(square, occupied)),
            from(Kind::King, attacks::king(square)),
        ] {
            list.extend(men.into_iter().map(|from| Move::between(from, square)));
        }
        list
    }

    fn moves_onto(&self, points: Bitboard) -> MoveList {
        let own = self.position.color(self.position.side());
        let mut list = MoveList::new();
        for from in own {
            let Some(kind) = self.kind_at(from) else { continue };
            let targets = self.position.targets(kind, from) & points & !own;
            let moves = targets.into_iter().map(|to| Move::between(from, to));
            list.extend(moves.filter(|&mv| self.is_safe(mv)));
        }
        list
    }
}
