//! A move: from where to where, in 14 bits. Knows nothing of what moves or whether it may.

use std::{fmt, num::NonZeroU16, str::FromStr};

use super::{ParseError, Square};

/// A move of the man on `from` to `to`, two different points. "No move" is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// Square by 7-bit number, total so that decoding needs no check; the unused tail is never reached.
const DECODE: [Square; 128] = {
    let mut squares = [Square::A0; 128];
    let mut i = 0;
    while i < Square::NUM {
        squares[i] = Square::ALL[i];
        i += 1;
    }
    squares
};

impl Move {
    /// The move between two points; `None` when they are the same.
    pub const fn new(from: Square, to: Square) -> Option<Self> {
        if from as u8 == to as u8 {
            return None;
        }
        match NonZeroU16::new((from as u16) << 7 | to as u16) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move between two points that the caller knows to differ.
    ///
    /// # Panics
    /// When they are the same.
    pub const fn between(from: Square, to: Square) -> Self {
        Self::new(from, to).expect("invariant: a move goes somewhere")
    }

    /// Where it starts.
    pub const fn from(self) -> Square {
        DECODE[(self.0.get() >> 7 & 127) as usize]
    }

    /// Where it ends.
    pub const fn to(self) -> Square {
        DECODE[(self.0.get() & 127) as usize]
    }

    /// The 14 bits of a possible move, 0 for none: from × 128 + to.
    pub fn to_bits(mv: Option<Self>) -> u16 {
        mv.map_or(0, |mv| mv.0.get())
    }

    /// Reads what [`Self::to_bits`] wrote; any other number gives `None`.
    pub fn from_bits(bits: u16) -> Option<Self> {
        let (from, to) = (usize::from(bits >> 7), usize::from(bits & 127));
        Self::new(*Square::ALL.get(from)?, *Square::ALL.get(to)?)
    }

    /// Left and right exchanged.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self::between(self.from().mirror(), self.to().mirror())
    }
}

impl fmt::Display for Move {
    /// ICCS without the hyphen, as UCCI and UCI write it: `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    /// Reads `h2e2`, in either case, with or without a hyphen in the middle.
    ///
    /// ```
    /// use chuhe::types::Move;
    /// assert_eq!("H2-E2".parse::<Move>().unwrap().to_string(), "h2e2");
    /// assert!("h2h2".parse::<Move>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let bad = || ParseError::Move(text.into());
        let (from, to) = match text.len() {
            4 => (text.get(..2), text.get(2..)),
            5 if text.as_bytes()[2] == b'-' => (text.get(..2), text.get(3..)),
            _ => return Err(bad()),
        };
        let square = |part: Option<&str>| part.and_then(|part| part.parse().ok()).ok_or_else(bad);
        Self::new(square(from)?, square(to)?).ok_or_else(bad)
    }
}
