//! The numbers that keys are made of. Knows pieces and points only.

use crate::types::{Color, Kind, Piece, SplitMix64, Square};

/// A number for each man on each point, and one for Black to move. A key is the exclusive or of those
/// that a position has.
pub struct Numbers {
    men: [[u64; Square::NUM]; Piece::NUM],
    black_to_move: u64,
}

impl Numbers {
    /// The numbers that follow from a seed: Black's move first, then the men in their order, each on
    /// the points in theirs.
    pub const fn from_seed(seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut numbers = Self { men: [[0; Square::NUM]; Piece::NUM], black_to_move: rng.next() };
        let mut man = 0;
        while man < Piece::NUM {
            let mut square = 0;
            while square < Square::NUM {
                numbers.men[man][square] = rng.next();
                square += 1;
            }
            man += 1;
        }
        numbers
    }

    /// The number of a man on a point.
    #[inline]
    pub fn man(&self, man: Piece, square: Square) -> u64 {
        self.men[man as usize][square as usize]
    }

    /// The number of a side to move.
    #[inline]
    pub fn side(&self, side: Color) -> u64 {
        if side == Color::Black { self.black_to_move } else { 0 }
    }
}

/// Those of the search. 楚河汉界 opens the sequence; any seed would do.
static NUMBERS: Numbers = Numbers::from_seed(0x695A_6CB3_6C49_754C);

/// The number of a piece on a square.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.man(piece, square)
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
        self.whole ^= NUMBERS.side(Color::Black);
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
