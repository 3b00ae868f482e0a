//! The two sides. Knows nothing of the board.

use std::{fmt, ops::Not};

/// A side: Red (红) moves first and owns ranks 0–4, Black (黑) owns ranks 5–9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// 红
    Red,
    /// 黑
    Black,
}

impl Color {
    /// How many there are.
    pub const NUM: usize = 2;
    /// Both sides, Red first.
    pub const ALL: [Self; Self::NUM] = [Self::Red, Self::Black];
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Black => "black",
        })
    }
}
