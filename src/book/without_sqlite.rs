//! What stands in for databases where the program is built without their reader: there are none.

use std::path::Path;

use super::Entry;
use crate::position::Position;

/// Why a database is no book that can be used.
#[derive(Debug, thiserror::Error)]
#[error("this build reads no SQLite books, build with `--features obk`")]
pub struct SqliteError;

/// A book that stays in its file; nobody has one.
#[derive(Debug)]
pub(super) enum Database {}

impl Database {
    pub(super) fn open(_: &Path) -> Result<Self, SqliteError> {
        Err(SqliteError)
    }

    pub(super) fn entries(&self, _: &Position) -> Result<Vec<Entry>, SqliteError> {
        match *self {}
    }

    pub(super) fn positions(&self) -> Result<usize, SqliteError> {
        match *self {}
    }

    pub(super) fn moves(&self) -> Result<usize, SqliteError> {
        match *self {}
    }
}
