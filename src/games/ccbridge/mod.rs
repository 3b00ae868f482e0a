//! The formats of CCBridge (象棋桥): a record of one game (CBR), libraries of records (CBL) in the new
//! and in the old form, and games as XML (CBF).

mod library;
mod old_library;
mod record;
mod xml;

pub(super) use library::{Library, MAGIC as LIBRARY_MAGIC};
pub(super) use old_library::{OldLibrary, is_old_library};
pub(super) use record::{MAGIC as RECORD_MAGIC, read as read_record};
pub(super) use xml::{ROOT as XML_ROOT, read as read_xml};

use crate::notation::GameResult;

/// How all of these number results.
fn result(number: u32) -> GameResult {
    match number {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}
