//! Games of the engine against itself, on disk: the one format between those who play and those
//! who train. Knows positions and moves; nothing of how games are played or what they teach.

mod archive;
mod coder;
mod game;
#[cfg(test)]
mod tests;
mod writer;

pub use archive::{Archive, Block, Contents, Damage, RecordError};
pub use game::{EndReason, Game, GameError, MOST_PLIES, Ply, stored};
pub use writer::Writer;

/// What a file begins with.
pub const MAGIC: [u8; 8] = *b"CHUHEREC";
/// The version of the format that is written.
const VERSION: u32 = 2;
/// The format before, which is read: it does not mark what was played at random.
const UNMARKED: u32 = 1;
/// What each block begins with.
const BLOCK_MAGIC: [u8; 4] = *b"\xC3GAM";
/// Magic, games, plies, bytes, number of the first game, checksum.
const BLOCK_HEAD: usize = 4 + 3 * 4 + 2 * 8;
/// No block is larger: lengths beyond are damage.
const LARGEST_BLOCK: usize = 16 << 20;
/// Bytes before the description.
const HEAD: usize = MAGIC.len() + 2 * 4;

/// A number of four bytes that starts at `at`, if there are so many.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// A number of eight bytes that starts at `at`, if there are so many.
fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}
