//! What every file of the program has in common: it is read whole or line by line and not without
//! bounds, sealed
//! against damage, and written by one at a time. Knows bytes, not what they mean.

mod begin;
mod claim;
mod lines;
mod read;
mod replace;
mod seal;

pub use begin::{begin, free, take_up};
pub use claim::claim;
pub use lines::Lines;
pub use read::{LARGEST, ReadError, begins_with, open, read, reopen, rest, text};
pub use replace::{replace, writable};
pub use seal::{Damaged, SEAL, checksum, seal, unseal};
