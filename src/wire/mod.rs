//! The grammars of UCCI and UCI: lines of text to values and back, for both ends of the pipe.
//!
//! Reading takes both protocols at any time, since clients mix them; writing keeps to one
//! [`Dialect`]. What is printed in either is read back as the same value. Knows nothing of engines,
//! positions and units of score: numbers come here as they are to be shown.

mod command;
mod go;
mod info;
mod option;
mod reply;
mod words;

pub use command::{Command, Setup, Start};
pub use go::{Go, SideClock, Unit};
pub use info::{Bound, Info, Score};
pub use option::{OptionKind, OptionLine};
pub use reply::{HashBound, Offer, PopHash, Reply};

/// A protocol that engines and their clients speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chinese Chess Interface.
    Ucci,
    /// The Universal Chess Interface, squares counted as in UCCI.
    Uci,
}

/// Why a line means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// It begins with a word of no protocol.
    #[error("unknown word `{0}`")]
    Unknown(String),
    /// It ends too early.
    #[error("`{word}` without {missing}")]
    Lacks {
        /// The word that wants something after it.
        word: &'static str,
        /// What it wants.
        missing: &'static str,
    },
    /// A move was to stand here.
    #[error(transparent)]
    Move(#[from] crate::types::ParseError),
}
