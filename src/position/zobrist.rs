//! The numbers that keys are made of. Knows pieces and points only.

use crate::types::{Color, Kind, Piece, SplitMix64, Square};

struct Numbers {
    pieces: [[u64; Square::NUM]; Piece::NUM],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    // 楚河汉界 opens the sequence; any seed would do, but it must never change: books store keys.
    let mut rng = SplitMix64::new(0x695A_6CB3_6C49_754C);
    let mut numbers = Numbers { pieces: [[0; Square::NUM]; Piece::NUM], black_to_move: rng.next() };
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < Square::NUM {
            numbers.pieces[piece][square] = rng.next();
            square += 1;
        }
        piece += 1;
    }
    numbers
};

/// The number of a piece on a square.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece as usize][square as usize]
}

/// Keys of an arrangement: of the whole, and of the groups that histories are indexed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Keys {
    /// Placement and side to move.
    pub(super) whole: u64,
    groups: [[u64; 3]; Color::NUM],
}

const PAWNS: usize = 0;
const MINORS: usize = 1;
const OTHERS: usize = 2;

const fn group(kind: Kind) -> usize {
    match kind {
        Kind::Pawn => PAWNS,
        Kind::Knight | Kind::Cannon => MINORS,
        Kind::King | Kind::Advisor | Kind::Bishop | Kind::Rook => OTHERS,
    }
}

impl Keys {
    /// Puts a piece on a square, or takes it away again.
    #[inline]
    pub(super) fn toggle(&mut self, man: Piece, square: Square) {
        let number = piece(man, square);
        self.whole ^= number;
        self.groups[man.color() as usize][group(man.kind())] ^= number;
    }

    /// Passes the move to the other side.
    #[inline]
    pub(super) fn toggle_side(&mut self) {
        self.whole ^= NUMBERS.black_to_move;
    }

    /// Of both sides' pawns.
    pub fn pawns(&self) -> u64 {
        self.groups[0][PAWNS] ^ self.groups[1][PAWNS]
    }

    /// Of both sides' knights and cannons.
    pub fn minors(&self) -> u64 {
        self.groups[0][MINORS] ^ self.groups[1][MINORS]
    }

    /// Of everything but pawns that `color` owns.
    pub fn men(&self, color: Color) -> u64 {
        let groups = &self.groups[color as usize];
        groups[MINORS] ^ groups[OTHERS]
    }
}
