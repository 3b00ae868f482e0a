//! A file that is there as a whole or not at all. Knows nothing of what is written.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes a file under another name, and gives it its own once it is whole. One that was there stays
/// until then, and for good where writing fails.
///
/// # Errors
/// When the file cannot be written, or `write` fails.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let half = half(path);
    let written = fill(&half, write).and_then(|()| Ok(fs::rename(&half, path)?));
    if written.is_err() {
        // It may never have been made.
        let _ = fs::remove_file(&half);
    }
    written
}

/// What a file is called until it is whole.
pub(super) fn half(path: &Path) -> PathBuf {
    let mut half = OsString::from(path);
    half.push(".half");
    half.into()
}

fn fill<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    // A disk that is full says so here at the latest.
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(file.sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let path = std::env::temp_dir().join(format!("chuhe-replace-{}", std::process::id()));
        let write = |text: &'static str, fails: bool| {
            replace(&path, |file| {
                file.write_all(text.as_bytes())?;
                if fails { Err(io::Error::other("no")) } else { Ok(()) }
            })
        };
        write("first", false).unwrap();
        write("second", true).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        write("third", false).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "third");
        assert!(!path.with_extension("half").exists());
        fs::remove_file(&path).unwrap();
    }
}
