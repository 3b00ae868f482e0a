//! A file that is there as a whole or not at all. Knows nothing of what is written.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::ReadError;

/// Writes a file under another name, and gives it its own once it is whole. One that was there stays
/// until then, and for good where writing fails.
///
/// # Errors
/// When the file cannot be written or is none, or `write` fails.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    plain(path)?;
    let half = half(path);
    let written = fill(&half, write).and_then(|()| Ok(fs::rename(&half, path)?));
    if written.is_err() {
        // It may never have been made.
        let _ = fs::remove_file(&half);
    }
    written
}

/// Finds out whether [`replace`] can write a file. Leaves nothing behind.
///
/// # Errors
/// When it cannot.
pub fn writable(path: &Path) -> io::Result<()> {
    plain(path)?;
    let half = half(path);
    match File::options().write(true).create_new(true).open(&half) {
        Ok(_) => fs::remove_file(&half),
        // A kill has left it, or somebody is writing it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            File::options().write(true).open(&half).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Fails where something is there that is no file, as a folder or a device is none.
fn plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Err(ReadError::NotPlain.into()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
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
        assert!(!half(&path).exists());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_can_be_written_is_known_before() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("chuhe-writable-{}", std::process::id()));
        writable(&path).unwrap();
        assert!(!path.exists() && !half(&path).exists());
        // Somebody's half file is left alone.
        fs::write(half(&path), "half").unwrap();
        writable(&path).unwrap();
        assert_eq!(fs::read(half(&path)).unwrap(), b"half");
        fs::remove_file(half(&path)).unwrap();
        assert_eq!(writable(&folder).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(writable(&path.join("x")).unwrap_err().kind(), io::ErrorKind::NotFound);
        #[cfg(unix)]
        assert!(writable(Path::new("/dev/null")).is_err());
    }
}
