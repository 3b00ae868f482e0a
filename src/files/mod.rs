//! What every file of the program has in common: it is read whole and not without bounds, sealed
//! against damage, and written by one at a time. Knows bytes, not what they mean.

mod begin;
mod claim;
mod read;
mod replace;
mod seal;

pub use begin::{begin, free};
pub use claim::claim;
pub use read::{LARGEST, ReadError, open, read, rest, text};
pub use replace::replace;
pub use seal::{Damaged, SEAL, checksum, seal, unseal};
