//! What notations may say of a move: who moves by file or by place among its likes, which way and
//! how far, all from the mover's own side. Knows no glyph.

use crate::{
    position::Position,
    types::{Bitboard, Color, Kind, Move, Square},
};

/// Which way a man moves, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// 进
    Forward,
    /// 退
    Back,
    /// 平
    Across,
}

/// The place of a man among those of its kind on its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tandem {
    /// 0: nearest to the enemy.
    pub(super) index: u8,
    /// How many there are, at least two.
    pub(super) of: u8,
}

/// A move as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portrait {
    pub(super) mv: Move,
    pub(super) kind: Kind,
    /// 1–9 from the owner's right.
    pub(super) file: u8,
    /// Set when others of its kind stand on its file.
    pub(super) tandem: Option<Tandem>,
    /// A pawn's number from 1 when two files hold several pawns: files from the owner's right,
    /// front to back on each.
    pub(super) number: Option<u8>,
    pub(super) action: Action,
    /// Points moved, by men that move straight ahead; else the file that is reached.
    pub(super) target: u8,
}

impl Portrait {
    /// Looks at a move of the side to move.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        let piece = position.piece_at(mv.from()).expect("invariant: a man moves");
        let (us, kind) = (piece.color(), piece.kind());
        let (action, target) = way(us, mv);
        let men = position.pieces(us, kind);
        Self {
            mv,
            kind,
            file: file(us, mv.from()),
            tandem: tandem(us, men, mv.from()),
            number: if kind == Kind::Pawn { number(us, men, mv.from()) } else { None },
            action,
            target,
        }
    }

    /// Whether the file alone names the man: it is the only one there, or its direction tells
    /// (advisors and bishops on one file never go the same way).
    pub(super) fn is_plain(&self) -> bool {
        self.tandem.is_none() || matches!(self.kind, Kind::Advisor | Kind::Bishop)
    }
}

impl Tandem {
    /// Whether as many stand before it as behind it.
    pub(super) fn is_middle(self) -> bool {
        2 * self.index + 1 == self.of
    }
}

/// Which way a move goes, and its points or the file that it reaches.
pub(super) fn way(us: Color, mv: Move) -> (Action, u8) {
    let (from, to) = (mv.from().relative_to(us), mv.to().relative_to(us));
    let (action, steps) = match to.rank().checked_sub(from.rank()) {
        Some(0) => (Action::Across, 0),
        Some(steps) => (Action::Forward, steps),
        None => (Action::Back, from.rank() - to.rank()),
    };
    let straight = action != Action::Across && from.file() == to.file();
    (action, if straight { steps } else { file(us, mv.to()) })
}

/// Whether a kind of man moves so far each way, wherever it stands and whatever stands around.
pub(super) fn strides(kind: Kind, mv: Move) -> bool {
    let files = mv.from().file().abs_diff(mv.to().file());
    let ranks = mv.from().rank().abs_diff(mv.to().rank());
    match kind {
        Kind::Knight => matches!((files, ranks), (1, 2) | (2, 1)),
        Kind::Bishop => (files, ranks) == (2, 2),
        Kind::Advisor => (files, ranks) == (1, 1),
        Kind::King | Kind::Pawn | Kind::Rook | Kind::Cannon => files == 0 || ranks == 0,
    }
}

/// The number of a file from the owner's right.
fn file(us: Color, square: Square) -> u8 {
    match us {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

fn tandem(us: Color, men: Bitboard, at: Square) -> Option<Tandem> {
    let on_file = || men.into_iter().filter(|square| square.file() == at.file());
    let of = on_file().count() as u8;
    let depth = |square: Square| square.relative_to(us).rank();
    let index = on_file().filter(|&square| depth(square) > depth(at)).count() as u8;
    (of > 1).then_some(Tandem { index, of })
}

fn number(us: Color, pawns: Bitboard, at: Square) -> Option<u8> {
    let crowd: Vec<_> =
        pawns.into_iter().filter(|&square| tandem(us, pawns, square).is_some()).collect();
    let elsewhere = crowd.iter().any(|square| square.file() != at.file());
    if !elsewhere || !crowd.contains(&at) {
        return None;
    }
    let order = |square: Square| (file(us, square), 9 - square.relative_to(us).rank());
    let before = crowd.iter().filter(|&&square| order(square) < order(at)).count();
    Some(before as u8 + 1)
}
