//! Reading of files whose size and kind nobody vouches for.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    path::Path,
};

/// Nothing that the program reads has more bytes.
pub const LARGEST: u64 = 4 << 30;
/// Nothing that somebody has written by hand has more bytes.
const LARGEST_TEXT: u64 = 1 << 20;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a device or a pipe, which may never end or never begin.
    #[error("it is no plain file")]
    NotPlain,
    /// Larger than anything of its kind.
    #[error("it has more than {0} bytes")]
    TooLarge(u64),
    /// A line that goes on and on.
    #[error("a line of it has more than {0} bytes")]
    LongLine(u64),
    /// What was to be text.
    #[error("it is not UTF-8")]
    NotText,
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            error => Self::new(io::ErrorKind::InvalidInput, error),
        }
    }
}

/// Opens a plain file; nothing else is opened even to be looked at.
///
/// # Errors
/// When it is not there, not readable or none.
pub fn open(path: &Path) -> Result<File, ReadError> {
    ensure_plain(path)?;
    Ok(File::open(path)?)
}

/// Opens a plain file to read it and to add to it.
///
/// # Errors
/// As [`open`], and when it cannot be written.
pub fn reopen(path: &Path) -> Result<File, ReadError> {
    ensure_plain(path)?;
    Ok(File::options().read(true).append(true).open(path)?)
}

fn ensure_plain(path: &Path) -> Result<(), ReadError> {
    if fs::metadata(path)?.is_file() { Ok(()) } else { Err(ReadError::NotPlain) }
}

/// Whether an open file begins with these bytes; it is left at its beginning. What is something else
/// need not be read to find that out.
///
/// # Errors
/// When reading fails.
pub fn begins_with(mut file: &File, magic: &[u8]) -> Result<bool, ReadError> {
    let mut head = Vec::new();
    file.rewind()?;
    file.take(magic.len() as u64).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(head == magic)
}

/// The whole of a plain file of at most so many bytes.
///
/// # Errors
/// As [`open`], and when it is larger.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let file = open(path)?;
    // What is too large is not read to find that out.
    if file.metadata()?.len() > most { Err(ReadError::TooLarge(most)) } else { rest(&file, most) }
}

/// The whole of a plain file that somebody has written by hand.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn text(path: &Path) -> Result<String, ReadError> {
    String::from_utf8(read(path, LARGEST_TEXT)?).map_err(|_| ReadError::NotText)
}

/// What there is to be read of an open file, at most so many bytes.
///
/// # Errors
/// When reading fails, or there is more.
pub fn rest(file: &File, most: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadError::TooLarge(most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_within_bounds_are_read() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files/read.rs");
        let bytes = fs::read(&source).unwrap();
        let size = bytes.len() as u64;
        assert_eq!(read(&source, size).unwrap(), bytes);
        let told = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert_eq!(told(&source, size - 1), format!("it has more than {} bytes", size - 1));
        assert_eq!(told(source.parent().unwrap(), size), "it is no plain file");
        assert_eq!(text(&source).unwrap().as_bytes(), bytes);
        assert!(matches!(read(&source.with_extension("none"), 1), Err(ReadError::Io(_))));
        #[cfg(unix)]
        assert_eq!(told(Path::new("/dev/zero"), size), "it is no plain file");
    }
}
