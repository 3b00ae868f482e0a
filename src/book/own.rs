//! The program's own format: sorted records under a fixed key, with a checksum. `book/README.md`
//! has it byte by byte.

use std::{borrow::Cow, ops::Range};

use super::{BookError, Entry, Key};
use crate::{
    files::{SEAL, seal, unseal},
    position::Position,
    types::Move,
};

/// What a file begins with.
const MAGIC: [u8; 8] = *b"CHUHEBOK";
/// The version of the format, keys included.
pub(super) const VERSION: u16 = 1;
/// Bytes before the description: magic, version, length of the description, number of records.
const HEAD: usize = MAGIC.len() + 2 + 2 + 4;
/// Bytes of a record: key, move, weight, games won, drawn and lost, score, depth.
const RECORD: usize = 8 + 2 + 4 + 3 * 4 + 2 + 1;
/// The score that stands for none.
const NO_SCORE: i16 = i16::MIN;

/// One move of one position, as it is filed.
pub(super) type Record = (u64, Entry);

/// Whether a file claims to be of this format.
pub(super) fn is_own(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A book of this format, whose records stay the bytes they are.
#[derive(Debug)]
pub(super) struct Own {
    bytes: Cow<'static, [u8]>,
    records: Range<usize>,
    description: String,
    positions: usize,
}

impl Own {
    /// Takes a file over, if every record of it is sound.
    pub(super) fn read(bytes: Cow<'static, [u8]>) -> Result<Self, BookError> {
        if !is_own(&bytes) {
            return Err(BookError::Foreign);
        }
        let short = |wanted| BookError::Length { found: bytes.len(), wanted };
        let head = bytes.get(..HEAD).ok_or_else(|| short(HEAD + SEAL))?;
        let mut head = Fields(&head[MAGIC.len()..]);
        let version = u16::from_le_bytes(head.take());
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let text = usize::from(u16::from_le_bytes(head.take()));
        let count = u32::from_le_bytes(head.take()) as usize;
        let records = HEAD + text..HEAD + text + count * RECORD;
        let wanted = records.end + SEAL;
        if bytes.len() != wanted {
            return Err(short(wanted));
        }
        unseal(&bytes)?;
        let description = str::from_utf8(&bytes[HEAD..records.start]);
        let description = description.map_err(|_| BookError::Description)?.to_owned();

        let mut book = Self { bytes, records, description, positions: 0 };
        let mut before = None;
        for at in 0..count {
            let (key, entry) = book.record(at).ok_or(BookError::NoMove(at + 1))?;
            let place = (key, Move::to_bits(Some(entry.mv)));
            if before.is_some_and(|before| before >= place) {
                return Err(BookError::Unsorted(at + 1));
            }
            book.positions += usize::from(before.is_none_or(|(last, _)| last != key));
            before = Some(place);
        }
        Ok(book)
    }

    /// What is on file for a position or its mirror image, as moves of the position.
    pub(super) fn entries(&self, position: &Position) -> Vec<Entry> {
        let key = Key::of(position);
        let mut entries = Vec::new();
        for (_, entry) in (self.first(key.number)..self.moves())
            .map_while(|at| self.record(at))
            .take_while(|&(found, _)| found == key.number)
        {
            key.unfile(entry, &mut entries);
        }
        entries
    }

    pub(super) fn description(&self) -> &str {
        &self.description
    }

    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    pub(super) fn moves(&self) -> usize {
        self.records.len() / RECORD
    }

    /// The first record whose key is not less.
    fn first(&self, key: u64) -> usize {
        let (mut low, mut high) = (0, self.moves());
        while low < high {
            let middle = usize::midpoint(low, high);
            if u64::from_le_bytes(self.fields(middle).take()) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn fields(&self, at: usize) -> Fields<'_> {
        Fields(&self.bytes[self.records.start + at * RECORD..][..RECORD])
    }

    /// A record, if it holds a move.
    fn record(&self, at: usize) -> Option<Record> {
        let mut fields = self.fields(at);
        let key = u64::from_le_bytes(fields.take());
        let mv = Move::from_bits(u16::from_le_bytes(fields.take()))?;
        let weight = u32::from_le_bytes(fields.take());
        let [wins, draws, losses] = [(); 3].map(|()| u32::from_le_bytes(fields.take()));
        let score = Some(i16::from_le_bytes(fields.take())).filter(|&score| score != NO_SCORE);
        let [depth] = fields.take();
        Some((key, Entry { mv, weight, wins, draws, losses, score, depth }))
    }
}

/// Bytes to be read from the front. Whoever reads knows that there are enough.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) =
            self.0.split_first_chunk().expect("invariant: a field lies in what was measured");
        self.0 = rest;
        *first
    }
}

/// The file of some records, which must be in order: by key, then by move.
pub(super) fn write(description: &str, records: &[Record]) -> Vec<u8> {
    // Longer descriptions end where two bytes can no longer count them.
    let description = &description[..description.floor_char_boundary(usize::from(u16::MAX))];
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((description.len() as u16).to_le_bytes());
    bytes.extend((records.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    for (key, entry) in records {
        bytes.extend(key.to_le_bytes());
        bytes.extend(Move::to_bits(Some(entry.mv)).to_le_bytes());
        for number in [entry.weight, entry.wins, entry.draws, entry.losses] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(entry.score.unwrap_or(NO_SCORE).to_le_bytes());
        bytes.push(entry.depth);
    }
    seal(bytes)
}
