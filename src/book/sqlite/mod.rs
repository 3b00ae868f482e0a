//! Books that are `SQLite` databases: 兵河 `.obk`, 鹏飞 `.pfBook` and `.xqb`. Reads them and never
//! writes, not even a lock, so that a book is read that another program has open.

mod cells;
mod msvc;
#[cfg(test)]
mod tests;

use std::{
    fmt::Write,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Row, ToSql,
    types::{Value, ValueRef},
};

use super::{Entry, xqwizard::locks::read_move};
use crate::{position::Position, types::Move};

/// Why a database is no book that can be used.
#[derive(Debug, thiserror::Error)]
pub enum SqliteError {
    /// What the library says.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    /// A database of something else.
    #[error("it is a database without a table `bhobk`, `pfBook` or `book`")]
    NoTable,
    /// Of another time.
    #[error("its format is version {0}, not 1")]
    Version(String),
    /// Of another game.
    #[error("it is for `{0}`, not for xiangqi")]
    Game(String),
}

/// A book that stays in its file.
#[derive(Debug)]
pub(super) struct Database {
    connection: Mutex<Connection>,
    layout: Layout,
}

/// How a book is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// 兵河, and 鹏飞 in a table of another name.
    Numbers {
        /// The table.
        table: &'static str,
        /// Whether lookups find nothing by the index though it is there.
        scan: bool,
    },
    /// Boards as keys.
    Cells,
}

impl Database {
    /// Opens a book. Its file is taken for one that does not change.
    pub(super) fn open(path: &Path) -> Result<Self, SqliteError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(uri(path), flags)?;
        let layout = Layout::of(&connection)?;
        Ok(Self { connection: Mutex::new(connection), layout })
    }

    /// What is said of the moves of a position and, mirrored, of those of its mirror image.
    pub(super) fn entries(&self, position: &Position) -> Result<Vec<Entry>, SqliteError> {
        let connection = self.connection();
        match self.layout {
            Layout::Numbers { table, scan } => by_number(&connection, table, scan, position),
            Layout::Cells => by_cells(&connection, position),
        }
    }

    /// How many keys there are that anything valid is said of.
    pub(super) fn positions(&self) -> Result<usize, SqliteError> {
        self.count(|key| format!("count(DISTINCT {key})"))
    }

    /// How many moves anything valid is said of.
    pub(super) fn moves(&self) -> Result<usize, SqliteError> {
        self.count(|_| "count(*)".into())
    }

    fn count(&self, what: impl Fn(&str) -> String) -> Result<usize, SqliteError> {
        let (table, key, valid) = match self.layout {
            Layout::Numbers { table, .. } => (table, "vkey", "vvalid"),
            Layout::Cells => ("book", "key", "valid"),
        };
        let query = format!("SELECT {} FROM {table} WHERE {valid} = 1", what(key));
        let count: i64 = self.connection().query_row(&query, [], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Layout {
    fn of(connection: &Connection) -> Result<Self, SqliteError> {
        const TABLES: &str =
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND lower(name) = lower(?1)";
        let has = |table: &str| {
            connection.query_row(TABLES, [table], |row| row.get::<_, i64>(0)).map(|count| count > 0)
        };
        for table in ["bhobk", "pfBook"] {
            if has(table)? {
                return Ok(Self::Numbers { table, scan: !index_works(connection, table)? });
            }
        }
        if !has("book")? {
            return Err(SqliteError::NoTable);
        }
        if has("information")? {
            for (name, known) in [("version", "1"), ("type", "xiangqi")] {
                let query = "SELECT value FROM information WHERE name = ?1";
                let value: Option<Value> =
                    connection.query_row(query, [name], |row| row.get(0)).optional()?;
                match value.map(text) {
                    Some(value) if value != known && name == "type" => {
                        return Err(SqliteError::Game(value));
                    }
                    Some(value) if value != known => return Err(SqliteError::Version(value)),
                    _ => {}
                }
            }
        }
        Ok(Self::Cells)
    }
}

fn text(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Null | Value::Blob(_) => String::new(),
    }
}

/// The name by which the library opens a file as one that nobody changes.
fn uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(byte.into()),
            b'\\' | b':' if cfg!(windows) => uri.push(if byte == b'\\' { '/' } else { ':' }),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            byte => write!(uri, "%{byte:02X}").expect("invariant: a string takes what is written"),
        }
    }
    uri + "?immutable=1"
}

/// Whether rows that are there are found by their keys. Some books have an index made by a program
/// that stored other keys than it filed.
fn index_works(connection: &Connection, table: &str) -> Result<bool, SqliteError> {
    let ends = format!("SELECT min(rowid), max(rowid) FROM {table}");
    let ends: (Option<i64>, Option<i64>) =
        connection.query_row(&ends, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (Some(first), Some(last)) = ends else { return Ok(true) };
    let sample = format!("SELECT vkey FROM {table} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1");
    let found = format!("SELECT count(*) FROM {table} WHERE vkey = ?1");
    for row in [first, i64::midpoint(first, last), last] {
        let key: Value = connection.query_row(&sample, [row], |row| row.get(0))?;
        let count = connection.query_row(&found, [key], |row| row.get::<_, i64>(0));
        if !count.is_ok_and(|count| count > 0) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn by_number(
    connection: &Connection,
    table: &str,
    scan: bool,
    position: &Position,
) -> Result<Vec<Entry>, SqliteError> {
    // A sign that means nothing keeps the library from using an index.
    let plain = if scan { "+" } else { "" };
    let mut statement = connection.prepare(&format!(
        "SELECT vmove, vscore, vwin, vdraw, vlost FROM {table} WHERE {plain}vkey = ?1 AND vvalid = 1"
    ))?;
    let mut entries = Vec::new();
    for (key, mirrored) in msvc::keys(position).into_iter().zip([false, true]) {
        // What does not fit a signed number was stored as one that is negative, or as the number
        // with a fraction that has the same bits.
        let real = f64::from_bits(key);
        let forms: [Option<&dyn ToSql>; 2] =
            [Some(&(key as i64)), Some(&real as &dyn ToSql).filter(|_| real < 0.0)];
        for form in forms.into_iter().flatten() {
            let mut rows = statement.query([form])?;
            while let Some(row) = rows.next()? {
                let Ok(number) = u16::try_from(integer(row, 0)?) else { continue };
                // Where from and where to stand the other way round in BOOK.DAT.
                let Some(mv) = read_move(number.swap_bytes()) else { continue };
                let entry = entry(mv, row)?;
                entries.push(if mirrored { entry.mirror() } else { entry });
            }
        }
    }
    Ok(entries)
}

fn by_cells(connection: &Connection, position: &Position) -> Result<Vec<Entry>, SqliteError> {
    let key = cells::Key::of(position);
    let mut statement = connection
        .prepare("SELECT move, score, win, draw, lost FROM book WHERE key = ?1 AND valid = 1")?;
    let mut rows = statement.query([&key.bytes])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(mv) = key.read(integer(row, 0)?) else { continue };
        let entry = entry(mv, row)?;
        entries.push(entry);
        if key.symmetric {
            entries.push(entry.mirror());
        }
    }
    Ok(entries)
}

/// What a row says of its move: score, games won, drawn and lost. The score is how much the makers
/// of the book want the move played; none of it is a search's word.
fn entry(mv: Move, row: &Row) -> Result<Entry, rusqlite::Error> {
    let count = |column| {
        let number = integer(row, column)?;
        Ok::<_, rusqlite::Error>(u32::try_from(number.max(0)).unwrap_or(u32::MAX))
    };
    let entry = Entry::new(mv, count(1)?.max(1));
    Ok(Entry { wins: count(2)?, draws: count(3)?, losses: count(4)?, ..entry })
}

/// A number of a row, 0 for none; some programs store all numbers with a fraction.
fn integer(row: &Row, column: usize) -> Result<i64, rusqlite::Error> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(number) => number,
        ValueRef::Real(number) => number as i64,
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => 0,
    })
}
