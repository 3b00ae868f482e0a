//! One writer to a file at a time. Knows nothing of what is written.

use std::{
    fs::{File, TryLockError},
    io,
};

/// Claims a file that is to be written for as long as it is open. Where the file system has no locks,
/// whoever asks is believed.
///
/// # Errors
/// When somebody else is writing to it.
pub fn claim(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let reason = "somebody else is writing to it at this time";
            Err(io::Error::new(io::ErrorKind::ResourceBusy, reason))
        }
        Err(TryLockError::Error(error)) => {
            log::warn!("a file cannot be claimed: {error}");
            Ok(())
        }
    }
}
