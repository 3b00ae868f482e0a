//! Opening books: what they say of the moves in a position, whatever format they are kept in.
//! Knows no search, no clock and no options.

mod choice;
mod key;
mod own;
mod pages;
#[cfg_attr(not(feature = "obk"), path = "without_sqlite.rs")]
mod sqlite;
mod xqwizard;

use std::{borrow::Cow, cmp::Reverse, collections::HashSet, io::Read, path::Path};

use crate::{
    files::{self, Damaged, ReadError},
    position::Position,
    types::{Move, Value},
};
use own::Own;
use sqlite::Database;
use xqwizard::Xqwizard;

pub use choice::Choice;
pub use key::Key;
pub use pages::Pages;
pub use sqlite::SqliteError;

/// The book that belongs to the program.
static BUILT_IN: &[u8] = include_bytes!("../../book/chuhe.book");
/// Its name, and the names of books that were read from no file.
const BUILT_IN_NAME: &str = "chuhe";
/// No book that is held in memory is larger; whatever is, is not read.
const LARGEST_FILE: u64 = 1 << 30;
/// What a database begins with.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A hundred points of books in the units of a search. Unlike the points that clients are told this
/// is part of the formats and never fitted anew, so that books keep saying what they said.
pub const HUNDRED: Value = 450;

/// What a book says of one move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move.
    pub mv: Move,
    /// How often it is to be played in proportion to the others; 0: known, but not to be played.
    pub weight: u32,
    /// Games that the mover won with it.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that the mover lost with it.
    pub losses: u32,
    /// What a search made of it: points of books from the mover's view, 100 being
    /// [`HUNDRED`] units.
    pub score: Option<i16>,
    /// How many plies deep that search went; 0 where there is no score.
    pub depth: u8,
}

impl Entry {
    /// A move to be played by this weight, with nothing else known of it.
    pub const fn new(mv: Move, weight: u32) -> Self {
        Self { mv, weight, wins: 0, draws: 0, losses: 0, score: None, depth: 0 }
    }

    /// The same said of the mirror image.
    #[must_use]
    pub const fn mirror(self) -> Self {
        Self { mv: self.mv.mirror(), ..self }
    }

    /// The score in the units of a search.
    pub fn value(&self) -> Option<Value> {
        self.score.map(|points| Value::from(points) * HUNDRED / 100)
    }

    /// A search's value as points, the nearest there are.
    pub fn points(value: Value) -> i16 {
        let most = Value::from(i16::MAX);
        (value * 100 / HUNDRED).clamp(-most, most) as i16
    }
}

/// Why a file is no book that can be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file.
    #[error(transparent)]
    File(#[from] ReadError),
    /// No byte at all.
    #[error("it is empty")]
    Empty,
    /// None of the formats.
    #[error("it is no opening book")]
    Foreign,
    /// Of another time.
    #[error("its format is version {0}, not {version}", version = own::VERSION)]
    Version(u16),
    /// The end is missing, or something follows it.
    #[error("it has {found} bytes, not {wanted}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        wanted: usize,
    },
    /// Some bytes have changed.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The description is no text.
    #[error("its description is not UTF-8")]
    Description,
    /// A record, from 1, that belongs before the one it follows.
    #[error("it is not sorted: record {0} is out of order")]
    Unsorted(usize),
    /// A record, from 1, without a move.
    #[error("record {0} holds no move")]
    NoMove(usize),
    /// A database.
    #[error(transparent)]
    Database(#[from] SqliteError),
}

/// A book that can be asked.
#[derive(Debug)]
pub struct Book {
    name: String,
    kind: Kind,
}

/// The formats.
#[derive(Debug)]
enum Kind {
    Own(Own),
    Xqwizard(Xqwizard),
    Database(Database),
}

impl Book {
    /// The book built into the program.
    ///
    /// # Panics
    /// When the program was built with a damaged one.
    pub fn built_in() -> Self {
        let own = Own::read(Cow::Borrowed(BUILT_IN));
        let kind = Kind::Own(own.expect("invariant: the built-in book is sound"));
        Self { name: BUILT_IN_NAME.into(), kind }
    }

    /// Opens a file, whose format its content tells, not its name.
    ///
    /// # Errors
    /// When it cannot be read or is no sound book.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let mut bytes = Vec::new();
        let file = files::open(path)?;
        let size = file.metadata().map_err(ReadError::Io)?.len();
        let head = (&file).take(DATABASE.len() as u64).read_to_end(&mut bytes);
        head.map_err(ReadError::Io)?;
        if bytes == DATABASE {
            return Ok(Self { name: name.into(), kind: Kind::Database(Database::open(path)?) });
        }
        // What is too large is not read to find that out.
        if size > LARGEST_FILE {
            return Err(ReadError::TooLarge(LARGEST_FILE).into());
        }
        // Nor is what its first records show to be something else.
        let foreign = matches!(Xqwizard::read(&bytes), Err(BookError::Foreign));
        if foreign && !bytes.is_empty() && !own::is_own(&bytes) {
            return Err(BookError::Foreign);
        }
        (&file).take(LARGEST_FILE).read_to_end(&mut bytes).map_err(ReadError::Io)?;
        Self::from_bytes(&name, bytes)
    }

    /// Reads a book that is in memory already, as [`Self::open`] does; databases stay in their
    /// files.
    ///
    /// # Errors
    /// When it is no sound book.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        let kind = if own::is_own(&bytes) {
            Kind::Own(Own::read(Cow::Owned(bytes))?)
        } else {
            Kind::Xqwizard(Xqwizard::read(&bytes)?)
        };
        Ok(Self { name: name.into(), kind })
    }

    /// What the book says of the legal moves of a position, best first; it makes no difference
    /// whether it knows the position or its mirror image.
    ///
    /// # Errors
    /// When the book is not held in memory and its file fails.
    pub fn entries(&self, position: &Position) -> Result<Vec<Entry>, BookError> {
        let mut entries = match &self.kind {
            Kind::Own(book) => book.entries(position),
            Kind::Xqwizard(book) => book.entries(position),
            Kind::Database(book) => book.entries(position)?,
        };
        entries.retain(|entry| position.is_legal(entry.mv));
        rank(&mut entries);
        Ok(entries)
    }

    /// Its name: that of its file without the ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it was made, as far as it tells.
    pub fn description(&self) -> &str {
        match &self.kind {
            Kind::Own(book) => book.description(),
            Kind::Xqwizard(_) | Kind::Database(_) => "",
        }
    }

    /// How many positions it knows, a position and its mirror image being one.
    ///
    /// # Errors
    /// As [`Self::entries`].
    pub fn positions(&self) -> Result<usize, BookError> {
        Ok(match &self.kind {
            Kind::Own(book) => book.positions(),
            Kind::Xqwizard(book) => book.positions(),
            Kind::Database(book) => book.positions()?,
        })
    }

    /// How many moves it knows in them.
    ///
    /// # Errors
    /// As [`Self::entries`].
    pub fn moves(&self) -> Result<usize, BookError> {
        Ok(match &self.kind {
            Kind::Own(book) => book.moves(),
            Kind::Xqwizard(book) => book.moves(),
            Kind::Database(book) => book.moves()?,
        })
    }
}

/// Puts entries in order, best first, and of several for one move keeps the best.
fn rank(entries: &mut Vec<Entry>) {
    entries.sort_by_key(|entry| {
        let games = i64::from(entry.wins) - i64::from(entry.losses);
        let bits = Move::to_bits(Some(entry.mv));
        (Reverse((entry.weight, entry.score, games)), bits)
    });
    let mut seen = HashSet::new();
    entries.retain(|entry| seen.insert(entry.mv));
}

#[cfg(test)]
mod tests;
