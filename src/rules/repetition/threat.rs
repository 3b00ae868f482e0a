//! Attacks as the Asian and the computers' book know them: a man that could be captured at once and
//! that nobody could avenge. Knows one move, no windows; exchanges are not counted out.

use crate::{
    position::{Position, Unobserved, attacks},
    types::{Bitboard, Color, Kind, Move, MoveList, Piece, Square},
};

/// Of the men among `candidates` those that the move attacks anew: one of the mover's men threatens
/// to capture them that did not before. Whether others did, and still do, does not matter: several
/// men that attack one by turns chase it as a single one would.
pub(super) fn newly_attacked(before: &mut Position, mv: Move, candidates: Bitboard) -> Bitboard {
    new_threats(before, mv, candidates).iter().map(|threat| threat.to()).collect()
}

/// The captures by which it does: those that their man did not threaten in plain sight before.
pub(super) fn new_threats(before: &mut Position, mv: Move, candidates: Bitboard) -> MoveList {
    let undo = before.make(mv, &mut Unobserved);
    before.make_null();
    let mut threats = threats(before, candidates);
    before.unmake_null();
    before.unmake(mv, &undo);

    let suspended = checkers(before);
    threats.retain(|threat| {
        let from = if threat.from() == mv.to() { mv.from() } else { threat.from() };
        !threatens(before, suspended, Move::between(from, threat.to()), Roots::Visible)
    });
    threats
}

/// The captures of men among `candidates` that the side to move threatens: by men that are neither
/// king nor pawns.
fn threats(position: &mut Position, candidates: Bitboard) -> MoveList {
    let side = position.side();
    let suspended = checkers(position);
    let mut threats = MoveList::new();
    for prey in candidates & pieces(position, !side) {
        for hunter in officers_to(position, side, prey) {
            let capture = Move::between(hunter, prey);
            if threatens(position, suspended, capture, Roots::All) {
                threats.push(capture);
            }
        }
    }
    threats
}

/// The men of `color` that can be chased at all: not the king, and pawns only beyond the river.
pub(super) fn pieces(position: &Position, color: Color) -> Bitboard {
    let home = if color == Color::Red { Bitboard::SOUTH } else { Bitboard::NORTH };
    let spared = position.pieces(color, Kind::Pawn) & home | Bitboard::of(position.king(color));
    position.color(color) & !spared
}

/// The men of `side` that could move to an enemy man on `square`, but for its king and pawns.
pub(super) fn officers_to(position: &Position, side: Color, square: Square) -> Bitboard {
    let occupied = position.occupied();
    attacks::rook(square, occupied) & position.pieces(side, Kind::Rook)
        | attacks::cannon(square, occupied) & position.pieces(side, Kind::Cannon)
        | attacks::knights_to(square, occupied) & position.pieces(side, Kind::Knight)
        | attacks::bishop(square, occupied) & position.pieces(side, Kind::Bishop)
        | attacks::advisor(square) & position.pieces(side, Kind::Advisor)
}

/// All men of `side` that could move to an enemy man on `square`.
pub(super) fn men_to(position: &Position, side: Color, square: Square) -> Bitboard {
    officers_to(position, side, square)
        | attacks::king(square) & Bitboard::of(position.king(side))
        | attacks::pawns_to(side, square) & position.pieces(side, Kind::Pawn)
}

/// Which protectors (根) count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Roots {
    /// Whoever can recapture.
    All,
    /// Not those whose line only the capture opens. When such a hidden root (暗根) is cut off, the
    /// attack that was there in plain sight is no new one.
    Visible,
}

/// Whether a capture would win its man. One legal recapture protects, unless the trade is uneven.
fn threatens(position: &mut Position, suspended: Bitboard, capture: Move, roots: Roots) -> bool {
    let (from, to) = (capture.from(), capture.to());
    let side = position.side();
    if !officers_to(position, side, to).has(from) {
        return false;
    }
    let kind = |square| position.piece_at(square).map(Piece::kind);
    let (hunter, prey) = (kind(from), kind(to));
    // Between equals it is an exchange that is offered, unless the other cannot accept: it is
    // pinned, or a horse is hobbled on its side.
    if hunter == prey {
        position.make_null();
        let accepts = officers_to(position, !side, from).has(to)
            && keeps_king_safe(position, suspended, Move::between(to, from));
        position.unmake_null();
        if accepts {
            return false;
        }
    }
    let counted = match roots {
        Roots::All => Bitboard::BOARD,
        Roots::Visible => men_to(position, !side, to),
    };
    keeps_king_safe(position, suspended, capture)
        && (uneven(hunter, prey) || {
            let undo = position.make(capture, &mut Unobserved);
            let mut roots = (men_to(position, !side, to) & counted).into_iter();
            let recaptured =
                roots.any(|root| keeps_king_safe(position, suspended, Move::between(root, to)));
            position.unmake(capture, &undo);
            !recaptured
        })
}

/// The men that give check to either king.
fn checkers(position: &mut Position) -> Bitboard {
    let checkers = position.checkers();
    position.make_null();
    let checkers = checkers | position.checkers();
    position.unmake_null();
    checkers
}

/// Whether a move exposes its king to no other men than those `suspended` ones that give check as
/// it is: a check suspends attack and defence for a move, it neither ends them nor makes new ones.
fn keeps_king_safe(position: &mut Position, suspended: Bitboard, mv: Move) -> bool {
    let undo = position.make(mv, &mut Unobserved);
    position.make_null();
    let safe = (position.checkers() & !suspended).is_empty();
    position.unmake_null();
    position.unmake(mv, &undo);
    safe
}

/// Whether the capture by the one of the other is worth a recapture.
pub(super) fn uneven(hunter: Option<Kind>, prey: Option<Kind>) -> bool {
    use Kind::{Advisor, Bishop, Cannon, Knight, Rook};
    match hunter {
        Some(Knight | Cannon) => prey == Some(Rook),
        Some(Advisor | Bishop) => matches!(prey, Some(Rook | Knight | Cannon)),
        _ => false,
    }
}
