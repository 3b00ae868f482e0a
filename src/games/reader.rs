//! The one reader of game files. Finds out what a file is and leaves its games to the reader of that
//! format.

use std::{
    fmt,
    io::Read,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::{Found, GameError, OpenError, pgn};
use crate::{
    files::{self, ReadError},
    notation::text,
};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Text with tags and moves, the usual form.
    Pgn,
}

/// The games of a file, in its order. A game that is bad is told of, and those after it are read.
pub struct Reader {
    format: FileFormat,
    games: Box<dyn Iterator<Item = Result<Found, GameError>> + Send>,
    progress: Progress,
}

/// How much of a file has been read.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    done: Arc<AtomicU64>,
    whole: Option<u64>,
}

impl Progress {
    /// From 0 to 1; `None` where nobody knows how long the file is.
    pub fn part(&self) -> Option<f64> {
        let whole = self.whole?.max(1);
        Some((self.done.load(Relaxed) as f64 / whole as f64).min(1.0))
    }
}

impl Reader {
    /// Opens a plain file.
    ///
    /// # Errors
    /// When it cannot be read, or is no file of games.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = files::open(path)?;
        let whole = file.metadata().map_err(ReadError::from)?.len();
        let mut reader = Self::from_reader(file)?;
        reader.progress.whole = Some(whole);
        Ok(reader)
    }

    /// Reads from standard input or anything else of unknown length.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_reader(mut input: impl Read + Send + 'static) -> Result<Self, OpenError> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(ReadError::from)?;
        Self::from_bytes(bytes)
    }

    /// Reads what a file holds.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(OpenError::Empty);
        }
        let games: Vec<_> = pgn::found(&text::decode(&bytes).0).collect();
        drop(bytes);
        Ok(Self {
            format: FileFormat::Pgn,
            games: Box::new(games.into_iter()),
            progress: Progress::default(),
        })
    }

    /// What the file is.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// To be looked at while games are read.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

impl Iterator for Reader {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("format", &self.format).finish_non_exhaustive()
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pgn => "PGN",
        })
    }
}
