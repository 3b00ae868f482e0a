//! A file that is added to, and has its first part from the first moment. Knows nothing of what is
//! written.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use super::{ReadError, claim, reopen, replace::half};

/// Begins a file with these bytes, claimed and open for more. Until they are on disk it has another
/// name, so a full disk or a kill leaves no file that is neither there nor not. An empty file is
/// nobody's, and taken.
///
/// # Errors
/// When a file of this name is there ([`io::ErrorKind::AlreadyExists`]), somebody else is beginning
/// it, or it cannot be written.
pub fn begin(path: &Path, first: &[u8]) -> io::Result<File> {
    free(path)?;
    let half = half(path);
    let mut file = File::options().read(true).append(true).create(true).open(&half)?;
    claim(&file)?;
    let mut fill = || {
        // Whoever claimed it before may have finished it since it was opened here: then it has its
        // own name, and is not to be touched.
        free(path)?;
        file.set_len(0)?;
        file.write_all(first)?;
        file.sync_all()?;
        fs::rename(&half, path)
    };
    match fill() {
        Ok(()) => Ok(file),
        Err(error) => {
            // What stays claims nothing, and is written over next time.
            let _ = fs::remove_file(&half);
            Err(error)
        }
    }
}

/// Opens a file for adding, claimed; where there is none, it begins with these bytes.
///
/// # Errors
/// As [`reopen`] and [`begin`], and when somebody else is writing to it.
pub fn take_up(path: &Path, first: &[u8]) -> Result<File, ReadError> {
    if free(path).is_ok() {
        return Ok(begin(path, first)?);
    }
    let file = reopen(path)?;
    claim(&file)?;
    Ok(file)
}

/// Whether nothing of this name is there that anybody could miss.
///
/// # Errors
/// When there is, or it cannot be told.
pub fn free(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_file() && there.len() == 0 => Ok(()),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_begins_with_its_first_part_and_is_nobody_else_s() {
        let path = std::env::temp_dir().join(format!("chuhe-begin-{}", std::process::id()));
        fs::write(&path, "").unwrap();
        fs::write(half(&path), "what a kill has left").unwrap();
        let mut file = begin(&path, b"first").unwrap();
        assert!(!half(&path).exists());
        assert_eq!(begin(&path, b"other").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        file.write_all(b" and more").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first and more");
        let again = File::options().append(true).open(&path).unwrap();
        assert_eq!(claim(&again).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert!(take_up(&path, b"other").is_err(), "it has a writer");
        drop(file);
        let file = take_up(&path, b"other").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first and more");
        drop(file);
        fs::remove_file(&path).unwrap();
    }
}
