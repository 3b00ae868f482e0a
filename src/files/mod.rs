//! What every file of the program has in common: it is read whole and not without bounds, sealed
//! against damage, and written by one at a time. Knows bytes, not what they mean.

mod claim;
mod read;
mod seal;

pub use claim::claim;
pub use read::{ReadError, open, read, rest};
pub use seal::{Damaged, SEAL, checksum, seal, unseal};
