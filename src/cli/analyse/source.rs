//! Where the games of an analysis come from: a file, or standard input, which can be read more than
//! once all the same. Knows no formats.

use std::{
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::ensure;

use crate::{
    files,
    games::{OpenError, Reader},
};

/// Standard input is kept in memory; larger files are to be named.
const LARGEST_INPUT: u64 = 256 << 20;

/// What is read.
pub(super) enum Source {
    File(PathBuf),
    Memory(Arc<[u8]>),
}

impl Source {
    /// The file of this name; `-`: standard input, which is read here.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        if path != Path::new("-") {
            return Ok(Self::File(path.into()));
        }
        let mut bytes = Vec::new();
        io::stdin().lock().take(LARGEST_INPUT + 1).read_to_end(&mut bytes)?;
        ensure!(
            bytes.len() as u64 <= LARGEST_INPUT,
            "it has more than {LARGEST_INPUT} bytes: put it into a file"
        );
        Ok(Self::Memory(bytes.into()))
    }

    /// Its games, from the first on.
    pub(super) fn games(&self) -> Result<Reader, OpenError> {
        match self {
            Self::File(path) => Reader::open(path),
            Self::Memory(bytes) => Reader::from_reader(Cursor::new(Arc::clone(bytes))),
        }
    }

    /// A number that tells it from others.
    pub(super) fn digest(&self) -> io::Result<u64> {
        match self {
            Self::File(path) => digest(files::open(path)?),
            Self::Memory(bytes) => digest(&bytes[..]),
        }
    }
}

/// FNV-1a: it tells files apart that nobody made alike on purpose, today and in other versions.
fn digest(mut input: impl Read) -> io::Result<u64> {
    let (mut buffer, mut digest) = (vec![0; 1 << 16], 0xcbf2_9ce4_8422_2325_u64);
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(digest);
        }
        for &byte in &buffer[..count] {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
