//! Writes records, a block at a time; what is written is never changed. Knows files.

use std::{
    fs::{File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    Archive, BLOCK_HEAD, BLOCK_MAGIC, Game, MAGIC, RecordError, VERSION,
    coder::Encoder,
    game::{self, Models},
};
use crate::files::{self, ReadError, checksum, claim};

/// A file of records that is being written, by nobody else.
#[derive(Debug)]
pub struct Writer {
    file: File,
    next: u64,
}

impl Writer {
    /// Begins a file; `description` says how its games are made. It has its head or is not there.
    ///
    /// # Errors
    /// When the file exists and is not empty, or cannot be written.
    pub fn create(path: &Path, description: &str) -> io::Result<Self> {
        Ok(Self { file: files::begin(path, &head(description))?, next: 0 })
    }

    /// Goes on with a file where it ends. What follows its last sound block is cut off: it was
    /// being written when the program died.
    ///
    /// # Errors
    /// When the file cannot be read or written, is none of records, or has another writer.
    pub fn resume(path: &Path) -> Result<(Self, Archive), RecordError> {
        // What is no plain file is not opened for writing either.
        files::open(path)?;
        let open = || {
            let file = OpenOptions::new().read(true).write(true).open(path)?;
            claim(&file).map(|()| file)
        };
        let mut file = open().map_err(ReadError::Io)?;
        let archive = Archive::of_file(&file)?;
        if archive.version() != VERSION {
            return Err(RecordError::Older(archive.version()));
        }
        let cut = file.set_len(archive.sound_end());
        cut.and_then(|()| file.seek(SeekFrom::End(0))).map_err(ReadError::Io)?;
        Ok((Self { file, next: archive.next_game() }, archive))
    }

    /// The number of the next game: games are numbered through.
    pub fn next_game(&self) -> u64 {
        self.next
    }

    /// The next game has at least this number: a file may begin later than with the first.
    pub fn begin_at(&mut self, number: u64) {
        self.next = self.next.max(number);
    }

    /// Writes games as a block.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, games: &[Game]) -> io::Result<()> {
        self.file.write_all(&block(self.next, games))?;
        self.next += games.len() as u64;
        Ok(())
    }

    /// Waits until all of it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

fn head(description: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn block(first: u64, games: &[Game]) -> Vec<u8> {
    let (mut models, mut coder) = (Models::default(), Encoder::new());
    for game in games {
        game::write(game, &mut models, &mut coder);
    }
    let body = coder.finish();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();

    let mut bytes = BLOCK_MAGIC.to_vec();
    for number in [games.len(), plies, body.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(first.to_le_bytes());
    let sum = checksum(&bytes).rotate_left(1) ^ checksum(&body);
    bytes.extend(sum.to_le_bytes());
    debug_assert_eq!(bytes.len(), BLOCK_HEAD);
    bytes.extend(body);
    bytes
}
