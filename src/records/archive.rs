//! Reads records. Damage costs the block that it is in and no other.

use std::{fs::File, ops::Range, path::Path};

use super::{
    BLOCK_HEAD, BLOCK_MAGIC, Game, GameError, HEAD, LARGEST_BLOCK, MAGIC, UNMARKED, VERSION,
    coder::Decoder,
    game::{self, Models},
    long, word,
};
use crate::files::{self, ReadError, checksum};

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file.
    #[error(transparent)]
    File(#[from] ReadError),
    /// The first bytes.
    #[error("it holds no records")]
    Magic,
    /// Of another time.
    #[error("its format is version {0}, not {VERSION}")]
    Version(u32),
    /// Of another time, and nothing can be added to it.
    #[error("its format is version {0}: it can be read, but not gone on with")]
    Older(u32),
    /// The beginning of the file.
    #[error("its head is damaged")]
    Head,
}

/// A part of a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes {} to {} are damaged", .0.start, .0.end)]
pub struct Damage(pub Range<usize>);

/// A sound block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of its first game.
    pub first: u64,
    /// How many games it has.
    pub games: usize,
    /// How many positions were thought about in these.
    pub plies: usize,
    body: Range<usize>,
}

/// A file of records in memory.
#[derive(Debug)]
pub struct Archive {
    bytes: Vec<u8>,
    version: u32,
    contents: Contents,
    damage: Vec<Damage>,
}

/// What a file holds, without the games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    description: String,
    blocks: Vec<Block>,
}

impl Contents {
    /// Whether some of the games are in another file, too: made in the same way and of the same
    /// number.
    pub fn shares_games_with(&self, other: &Self) -> bool {
        let range = |block: &Block| block.first..block.first + block.games as u64;
        let meets = |block: &Block| {
            let own = range(block);
            // Blocks stand in the order of their games.
            let at = other.blocks.partition_point(|block| range(block).end <= own.start);
            other.blocks.get(at).is_some_and(|block| block.first < own.end)
        };
        self.description == other.description && self.blocks.iter().any(meets)
    }
}

impl Archive {
    /// Reads a file and checks it, but decodes nothing yet.
    ///
    /// # Errors
    /// When nothing can be read. Damage further on is told by [`Self::damage`].
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Self::of_file(&files::open(path)?)
    }

    /// As [`Self::open`], of an open file, which is read to its end.
    pub(super) fn of_file(file: &File) -> Result<Self, RecordError> {
        // A library of other games may be large, and is not to be read for its first bytes.
        if !files::begins_with(file, &MAGIC)? {
            return Err(RecordError::Magic);
        }
        Self::from_bytes(files::rest(file, files::LARGEST)?)
    }

    /// As [`Self::open`], from what the file holds.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, RecordError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(RecordError::Magic);
        }
        let version = word(&bytes, MAGIC.len()).ok_or(RecordError::Head)?;
        if ![UNMARKED, VERSION].contains(&version) {
            return Err(RecordError::Version(version));
        }
        let length = word(&bytes, MAGIC.len() + 4).ok_or(RecordError::Head)?;
        let end = HEAD + length as usize;
        let stored = long(&bytes, end).ok_or(RecordError::Head)?;
        if checksum(&bytes[..end]) != stored {
            return Err(RecordError::Head);
        }
        let description = String::from_utf8_lossy(&bytes[HEAD..end]).into_owned();

        let (mut blocks, mut damage) = (Vec::new(), Vec::new());
        let mut at = end + size_of::<u64>();
        while at < bytes.len() {
            if let Some(block) = block_at(&bytes, at) {
                at = block.body.end;
                blocks.push(block);
            } else {
                let next = (at + 1..bytes.len()).find(|&at| block_at(&bytes, at).is_some());
                let next = next.unwrap_or(bytes.len());
                damage.push(Damage(at..next));
                at = next;
            }
        }
        Ok(Self { bytes, version, contents: Contents { description, blocks }, damage })
    }

    /// How its games were made.
    pub fn description(&self) -> &str {
        &self.contents.description
    }

    /// The version of its format.
    pub(super) fn version(&self) -> u32 {
        self.version
    }

    /// Within so many plies of each game there may be random moves that are not marked, because the
    /// format had no mark yet. The description says how the games were played.
    pub fn unmarked_plies(&self) -> usize {
        let of = |key: &str| {
            let value = |line: &str| line.strip_prefix(key)?.trim().parse::<f64>().ok();
            self.contents.description.lines().find_map(value)
        };
        match (self.version, of("stray ="), of("stray_plies =")) {
            (UNMARKED, Some(share), Some(plies)) if share > 0.0 => plies as usize,
            // Of games that were thought about anew.
            _ => of("rescored_unmarked_plies =").map_or(0, |plies| plies as usize),
        }
    }

    /// Its sound blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.contents.blocks
    }

    /// What cannot be read.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Identifies all that it holds.
    pub fn checksum(&self) -> u64 {
        checksum(&self.bytes)
    }

    /// What it holds.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// How many positions were thought about in all sound blocks.
    pub fn plies(&self) -> usize {
        self.contents.blocks.iter().map(|block| block.plies).sum()
    }

    /// The games of one of its blocks.
    ///
    /// # Errors
    /// When a game makes no sense, though no byte is damaged: it was written by other rules.
    pub fn games(&self, block: &Block) -> Result<Vec<Game>, GameError> {
        let mut models = Models::default();
        let mut coder = Decoder::new(&self.bytes[block.body.clone()]);
        let marked = self.version != UNMARKED;
        (0..block.games).map(|_| game::read(&mut models, &mut coder, marked)).collect()
    }

    /// The number of the game after the last.
    pub(super) fn next_game(&self) -> u64 {
        self.contents.blocks.last().map_or(0, |block| block.first + block.games as u64)
    }

    /// Where the last sound block ends.
    pub(super) fn sound_end(&self) -> u64 {
        let head = HEAD + self.contents.description.len() + size_of::<u64>();
        self.contents.blocks.last().map_or(head, |block| block.body.end) as u64
    }
}

/// The block that begins at `at`, if there is one and all of it is sound.
fn block_at(bytes: &[u8], at: usize) -> Option<Block> {
    let head = bytes.get(at..at + BLOCK_HEAD)?;
    if !head.starts_with(&BLOCK_MAGIC) {
        return None;
    }
    let [games, plies, length] = [4, 8, 12].map(|at| word(head, at).unwrap_or(0) as usize);
    if length > LARGEST_BLOCK {
        return None;
    }
    let body = at + BLOCK_HEAD..at + BLOCK_HEAD + length;
    let sum_at = BLOCK_HEAD - size_of::<u64>();
    let sum = checksum(&head[..sum_at]).rotate_left(1) ^ checksum(bytes.get(body.clone())?);
    let sound = long(head, sum_at) == Some(sum);
    sound.then(|| Block { first: long(head, 16).unwrap_or(0), games, plies, body })
}
