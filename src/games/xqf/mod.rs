//! XQF, the format of XQStudio (象棋演播室): one game a file, with comments and variations, its points
//! and texts enciphered since version 11. Knows the layout; `keys` knows the cipher.

mod keys;
mod read;
mod write;

pub(super) use read::read;
pub use write::{XqfError, lost, write};

/// The first two bytes.
pub(super) const MAGIC: &[u8; 2] = b"XQ";
/// Bytes before the moves.
const HEAD: usize = 0x400;
/// The last version that is not enciphered.
const LAST_PLAIN: u8 = 10;
/// The first version that moves the 32 men round in their list.
const FIRST_ROTATED: u8 = 12;
/// What is added to the points of a move.
const FROM_OFFSET: u8 = 0x18;
const TO_OFFSET: u8 = 0x20;

/// Where things stand in the head.
mod at {
    pub(super) const VERSION: usize = 2;
    pub(super) const MASK: usize = 3;
    pub(super) const OR_BYTES: usize = 8;
    pub(super) const SUM: usize = 12;
    pub(super) const MEN: usize = 16;
    pub(super) const MOVER: usize = 0x32;
    pub(super) const RESULT: usize = 0x33;
    pub(super) const TITLE: usize = 0x50;
}

/// Texts of the head: name of the tag, place, bytes with the one that counts them.
const TEXTS: [(&str, usize, usize); 12] = [
    ("Title", at::TITLE, 64),
    ("Title2", 0x90, 64),
    ("Event", 0xD0, 64),
    ("Date", 0x110, 16),
    ("Site", 0x120, 16),
    ("Red", 0x130, 16),
    ("Black", 0x140, 16),
    ("TimeRule", 0x150, 64),
    ("RedTime", 0x190, 16),
    ("BlackTime", 0x1A0, 16),
    ("Annotator", 0x1D0, 16),
    ("Author", 0x1E0, 16),
];
/// A title may run over the text after it.
const LONGEST_TITLE: usize = 127;
