//! What may be wrong with a file of games or with one of its games, where, and what is nevertheless
//! known of it. Everything that is shown is cut and escaped.

use std::{fmt, io};

use super::{FileFormat, Game, MOST_MOVES};
use crate::{
    files::ReadError,
    notation::{MoveError, quote},
    position::FenError,
};

/// Where in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Which game, from 1, in the order of the file.
    pub game: usize,
    /// The line, from 1, where the format has lines.
    pub line: Option<usize>,
    /// The byte, from 0, where it has none.
    pub byte: Option<u64>,
    /// The ply of the game, from 1.
    pub ply: Option<usize>,
}

/// A game that was read, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it begins.
    pub place: Place,
    /// The game.
    pub game: Game,
    /// What of it was left out, or understood otherwise than it is written.
    pub remarks: Vec<Remark>,
}

/// A game that cannot be read, or not to its end.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct GameError {
    /// Where the fault is.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
    /// The game as far as it was read, if it was read that far.
    pub partial: Option<Box<Game>>,
    /// What of that was left out, or understood otherwise than it is written.
    pub remarks: Vec<Remark>,
}

/// Something that a reader did not take as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where it is.
    pub place: Place,
    /// What was done, in words.
    pub what: String,
}

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A line that starts like a tag is none.
    #[error("`{}` is no tag (such as [Event \"…\"])", quote(.0))]
    Tag(String),
    /// The start is no position.
    #[error("bad FEN: {0}")]
    Fen(#[from] FenError),
    /// A word among the moves is none.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A comment or a variation goes on to the end of the game.
    #[error("a {0} that begins here has no end")]
    Unclosed(&'static str),
    /// It ends in the middle of something.
    #[error("it is cut off here")]
    Truncated,
    /// It is made otherwise than its format says.
    #[error("{0}")]
    Damaged(String),
    /// It is stored otherwise than what came before it.
    #[error(
        "UTF-16 begins here, in a file of another encoding, and is left out: it is to be a file of its own"
    )]
    Wide,
    /// Nobody writes games that long.
    #[error("it has more than {0} bytes")]
    TooLong(u64),
    /// Nobody plays games that long.
    #[error("it has more than {MOST_MOVES} moves")]
    TooManyMoves,
    /// The file.
    #[error("the file cannot be read on: {0}")]
    Io(#[from] io::Error),
}

/// Why a file is not read at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file.
    #[error(transparent)]
    File(#[from] ReadError),
    /// It is something else.
    #[error("it is no file of games but seems to be {0}")]
    Foreign(&'static str),
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// Its first bytes are right and what follows is not.
    #[error("it seems to be {format}, but {what}")]
    Damaged {
        /// By its first bytes.
        format: FileFormat,
        /// What is wrong with it.
        what: String,
    },
}

impl Fault {
    /// The word that is at fault, if it is a move.
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Move(
                MoveError::Unreadable(text)
                | MoveError::Impossible { text, .. }
                | MoveError::Ambiguous { text, .. },
            ) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(byte) = self.byte {
            write!(f, ", byte {byte}")?;
        }
        self.ply.map_or(Ok(()), |ply| write!(f, ", ply {ply}"))
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}
