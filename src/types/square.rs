//! The ninety points of the board. Knows coordinates, not what stands on them.

use std::{fmt, str::FromStr};

use super::{Color, ParseError};

/// A point of the board: file a–i from Red's left, rank 0–9 from Red's back rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each name is its file and rank")]
pub enum Square {
    A0, B0, C0, D0, E0, F0, G0, H0, I0,
    A1, B1, C1, D1, E1, F1, G1, H1, I1,
    A2, B2, C2, D2, E2, F2, G2, H2, I2,
    A3, B3, C3, D3, E3, F3, G3, H3, I3,
    A4, B4, C4, D4, E4, F4, G4, H4, I4,
    A5, B5, C5, D5, E5, F5, G5, H5, I5,
    A6, B6, C6, D6, E6, F6, G6, H6, I6,
    A7, B7, C7, D7, E7, F7, G7, H7, I7,
    A8, B8, C8, D8, E8, F8, G8, H8, I8,
    A9, B9, C9, D9, E9, F9, G9, H9, I9,
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many there are.
    pub const NUM: usize = 90;
    /// Every point, rank by rank from Red's back rank.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::NUM] = [
        Self::A0, Self::B0, Self::C0, Self::D0, Self::E0, Self::F0, Self::G0, Self::H0, Self::I0,
        Self::A1, Self::B1, Self::C1, Self::D1, Self::E1, Self::F1, Self::G1, Self::H1, Self::I1,
        Self::A2, Self::B2, Self::C2, Self::D2, Self::E2, Self::F2, Self::G2, Self::H2, Self::I2,
        Self::A3, Self::B3, Self::C3, Self::D3, Self::E3, Self::F3, Self::G3, Self::H3, Self::I3,
        Self::A4, Self::B4, Self::C4, Self::D4, Self::E4, Self::F4, Self::G4, Self::H4, Self::I4,
        Self::A5, Self::B5, Self::C5, Self::D5, Self::E5, Self::F5, Self::G5, Self::H5, Self::I5,
        Self::A6, Self::B6, Self::C6, Self::D6, Self::E6, Self::F6, Self::G6, Self::H6, Self::I6,
        Self::A7, Self::B7, Self::C7, Self::D7, Self::E7, Self::F7, Self::G7, Self::H7, Self::I7,
        Self::A8, Self::B8, Self::C8, Self::D8, Self::E8, Self::F8, Self::G8, Self::H8, Self::I8,
        Self::A9, Self::B9, Self::C9, Self::D9, Self::E9, Self::F9, Self::G9, Self::H9, Self::I9,
    ];

    /// The point of a file (0–8) and rank (0–9), if both are on the board.
    ///
    /// ```
    /// use chuhe::types::Square;
    /// assert_eq!(Square::at(4, 0), Some(Square::E0));
    /// assert_eq!(Square::at(9, 0), None);
    /// ```
    pub const fn at(file: i8, rank: i8) -> Option<Self> {
        if file >= 0 && file < 9 && rank >= 0 && rank < 10 {
            Some(Self::ALL[(rank * 9 + file) as usize])
        } else {
            None
        }
    }

    /// 0 (a, Red's left) to 8 (i).
    pub const fn file(self) -> u8 {
        self as u8 % 9
    }

    /// 0 (Red's back rank) to 9 (Black's).
    pub const fn rank(self) -> u8 {
        self as u8 / 9
    }

    /// The point so many files and ranks away, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        Self::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// The same point seen by the other side: ranks reversed, files kept.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self::ALL[(9 - self.rank() as usize) * 9 + self.file() as usize]
    }

    /// Left and right exchanged.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self::ALL[self.rank() as usize * 9 + 8 - self.file() as usize]
    }

    /// The point as `color` would number it from its own back rank.
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::Red => self,
            Color::Black => self.flip(),
        }
    }

    /// Whether the point lies on `color`'s own side of the river.
    pub const fn at_home(self, color: Color) -> bool {
        (self.rank() < 5) == matches!(color, Color::Red)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank())
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let [file, rank] = text.as_bytes() else { return Err(ParseError::Square(text.into())) };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'0');
        if file < 9 && rank < 10 {
            Ok(Self::ALL[rank as usize * 9 + file as usize])
        } else {
            Err(ParseError::Square(text.into()))
        }
    }
}
