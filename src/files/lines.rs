//! A file that is written line by line, read in the same way and not without bounds. Knows nothing of
//! what a line means.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek},
};

use super::ReadError;

/// No line that the program writes has more bytes.
const LONGEST: u64 = 32 << 20;

/// The lines of a file from its beginning on.
#[derive(Debug)]
pub struct Lines<'a> {
    input: BufReader<&'a File>,
    line: Vec<u8>,
    whole: u64,
}

impl<'a> Lines<'a> {
    /// Begins at the first.
    ///
    /// # Errors
    /// When the file cannot be read from there.
    pub fn of(mut file: &'a File) -> io::Result<Self> {
        file.rewind()?;
        Ok(Self { input: BufReader::new(file), line: Vec::new(), whole: 0 })
    }

    /// The next line with its end. The last one is without, where a kill or a full disk cut it short.
    ///
    /// # Errors
    /// When it cannot be read, or is longer than any.
    pub fn read(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.line.clear();
        (&mut self.input).take(LONGEST + 1).read_until(b'\n', &mut self.line)?;
        let length = self.line.len() as u64;
        if length > LONGEST {
            return Err(ReadError::LongLine(LONGEST));
        }
        if self.line.ends_with(b"\n") {
            self.whole += length;
        }
        Ok((length > 0).then_some(&self.line))
    }

    /// How many bytes the lines have that were read and have an end.
    pub fn whole(&self) -> u64 {
        self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_from_the_first_and_the_whole_ones_are_measured() {
        let path = std::env::temp_dir().join(format!("chuhe-lines-{}", std::process::id()));
        std::fs::write(&path, "one\n\ntw").unwrap();
        let file = File::open(&path).unwrap();
        for _ in 0..2 {
            let mut lines = Lines::of(&file).unwrap();
            for (line, whole) in [(&b"one\n"[..], 4), (b"\n", 5), (b"tw", 5)] {
                assert_eq!(lines.read().unwrap(), Some(line));
                assert_eq!(lines.whole(), whole);
            }
            assert_eq!(lines.read().unwrap(), None);
        }
        let endless = File::options().write(true).open(&path).unwrap();
        endless.set_len(LONGEST + 6).unwrap();
        let mut lines = Lines::of(&file).unwrap();
        let read =
            std::iter::from_fn(|| lines.read().map(|line| line.map(<[u8]>::len)).transpose());
        let read: Vec<_> = read.take(3).collect();
        assert!(matches!(read[..], [Ok(4), Ok(1), Err(ReadError::LongLine(LONGEST))]), "{read:?}");
        std::fs::remove_file(&path).unwrap();
    }
}
