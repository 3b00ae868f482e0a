//! Sets of points as 128 bits, split at the river. Knows where each point's bit is; nobody else does.
//!
//! Ranks 0–4 are bits 0–44 and ranks 5–9 are bits 64–108: every rank lies in one machine word,
//! both words have the same file pattern, and each side's half of the board is a word of its own.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use super::Square;

/// A set of points. Bits that stand for no point are never set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(u128);

const HALF: u128 = (1 << 45) - 1;

/// Square by bit number, total so that a bit scan needs no check; the gaps are never reached.
const SCAN: [Square; 128] = {
    let mut squares = [Square::A0; 128];
    let mut i = 0;
    while i < Square::NUM {
        squares[bit(Square::ALL[i]) as usize] = Square::ALL[i];
        i += 1;
    }
    squares
};

static BITS: [Bitboard; Square::NUM] = {
    let mut bits = [Bitboard::EMPTY; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        bits[i] = Bitboard(1 << bit(Square::ALL[i]));
        i += 1;
    }
    bits
};

const fn bit(square: Square) -> u32 {
    let index = square as u32;
    if index < 45 { index } else { index + 19 }
}

impl Bitboard {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// All ninety points.
    pub const BOARD: Self = Self(HALF | HALF << 64);
    /// Ranks 0–4, Red's side of the river.
    pub const SOUTH: Self = Self(HALF);
    /// Ranks 5–9, Black's side of the river.
    pub const NORTH: Self = Self(HALF << 64);

    /// The set of one point.
    #[inline]
    pub fn of(square: Square) -> Self {
        BITS[square as usize]
    }

    /// The set with `square` added; usable in constants.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << bit(square))
    }

    /// The set of a low word (ranks 0–4) and a high word (ranks 5–9).
    pub(crate) const fn from_words(south: u64, north: u64) -> Self {
        Self(south as u128 | (north as u128) << 64)
    }

    /// Ranks 0–4: bit 9 × rank + file.
    #[inline]
    pub(crate) const fn south(self) -> u64 {
        self.0 as u64
    }

    /// Ranks 5–9: bit 9 × (rank − 5) + file.
    #[inline]
    pub(crate) const fn north(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        self.meets(Self::of(square))
    }

    /// Whether the set shares a point with another.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no point in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many points.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are two points or more.
    #[inline]
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The first point, Red's back rank first.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(SCAN[(self.0.trailing_zeros() & 127) as usize]) }
    }

    /// One rank further from Red's side; what leaves the board is lost.
    #[must_use]
    pub const fn up(self) -> Self {
        Self::from_words(
            self.south() << 9 & HALF as u64,
            (self.north() << 9 & HALF as u64) | self.south() >> 36,
        )
    }

    /// One rank nearer to Red's side; what leaves the board is lost.
    #[must_use]
    pub const fn down(self) -> Self {
        Self::from_words(self.south() >> 9 | (self.north() & 511) << 36, self.north() >> 9)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0 ^ Self::BOARD.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// The points of a set, Red's back rank first.
pub struct Squares {
    south: u64,
    north: u64,
}

impl Iterator for Squares {
    type Item = Square;

    // Two 64-bit scans: clearing the lowest of 128 bits would carry through both words.
    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.south != 0 {
            let bit = self.south.trailing_zeros();
            self.south &= self.south - 1;
            Some(SCAN[(bit & 63) as usize])
        } else if self.north != 0 {
            let bit = self.north.trailing_zeros();
            self.north &= self.north - 1;
            Some(SCAN[(64 + (bit & 63)) as usize])
        } else {
            None
        }
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares { south: self.south(), north: self.north() }
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(|square| square.to_string())).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_gives_back_every_point_once() {
        assert!(Bitboard::BOARD.into_iter().eq(Square::ALL));
        assert_eq!(Bitboard::BOARD.count(), 90);
        assert_eq!(!Bitboard::BOARD, Bitboard::EMPTY);
    }

    #[test]
    fn shifts_cross_the_river_and_stop_at_the_edge() {
        for square in Square::ALL {
            let set = Bitboard::of(square);
            assert_eq!(set.up().first(), square.offset(0, 1), "{square} up");
            assert_eq!(set.down().first(), square.offset(0, -1), "{square} down");
        }
    }
}
