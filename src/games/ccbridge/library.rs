//! CBL: a library of records with an index before them. The index is read at once, records when they
//! are asked for.

use std::io::{self, Read, Seek, SeekFrom};

use super::record;
use crate::{
    games::{
        Fault, Found, GameError, Place,
        bytes::{long_at, wide_text},
        lines::MOST,
        tree::Draft,
    },
    position::Position,
};

/// The first bytes.
pub(in crate::games) const MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";
/// Bytes before the index.
const HEAD: usize = 66_624;
/// Where the head tells how many entries the index has.
const CAPACITY: usize = 60;
/// Where the head has the name of the library, and its bytes.
const NAME: std::ops::Range<usize> = 64..576;
/// Bytes of an entry of the index.
const ENTRY: usize = 276;
/// Records begin at multiples of so many bytes after the index.
const BLOCK: u64 = 4096;
/// Flags of an entry: it is used; it holds a record; it was not deleted.
const USED: u32 = 1;
const LIVE: u32 = 7;
/// Entries beyond which no index is believed.
const MOST_ENTRIES: u32 = 1 << 21;

/// A record as the index has it.
struct Entry {
    /// Its place in the order of display.
    order: u32,
    at: u64,
    blocks: u32,
    used: u32,
}

/// A library that is read record by record.
pub(in crate::games) struct Library<R> {
    input: R,
    entries: std::vec::IntoIter<Entry>,
    number: usize,
    /// What is wrong with the index.
    fault: Option<(u64, Fault)>,
    name: String,
}

impl<R: Read + Seek> Library<R> {
    /// Reads the index.
    pub(in crate::games) fn open(mut input: R) -> io::Result<Self> {
        let size = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(0))?;
        let mut head = Vec::with_capacity(HEAD);
        input.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let name = head.get(NAME).map(wide_text).unwrap_or_default();
        let capacity = long_at(&head, CAPACITY).filter(|&capacity| capacity <= MOST_ENTRIES);
        let mut library =
            Self { input, entries: Vec::new().into_iter(), number: 0, fault: None, name };
        let index = u64::from(capacity.unwrap_or(0)) * ENTRY as u64;
        let first = HEAD as u64 + index;
        if head.len() < HEAD || capacity.is_none() || first > size {
            let what = "its index is damaged, and records are looked for block by block";
            library.fault = Some((CAPACITY as u64, Fault::Damaged(what.into())));
            // Records may be there all the same: each begins a block, wherever the first is.
            library.entries = library.records(size)?.into_iter();
            return Ok(library);
        }
        library.entries = library.index(first, size)?.into_iter();
        Ok(library)
    }

    /// The name of the library.
    pub(in crate::games) fn name(&self) -> &str {
        &self.name
    }

    fn index(&mut self, first: u64, size: u64) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut at = first;
        let mut buffer = [0; ENTRY];
        let mut input = io::BufReader::new(&mut self.input);
        for number in 0..(first - HEAD as u64) / ENTRY as u64 {
            input.read_exact(&mut buffer)?;
            let field = |index: usize| long_at(&buffer, 4 * index).unwrap_or(0);
            let [flags, order, blocks, used] = [0, 1, 2, 3].map(field);
            let end = at + u64::from(blocks) * BLOCK;
            let live = flags & LIVE == LIVE;
            if blocks > 0 && end > size {
                let entry = HEAD as u64 + number * ENTRY as u64;
                if live {
                    let what = "a record of the library reaches beyond its end".into();
                    self.fault.get_or_insert((entry, Fault::Damaged(what)));
                    if at < size {
                        entries.push(Entry { order, at, blocks, used });
                    }
                }
                break;
            }
            if flags & USED != 0 && live {
                entries.push(Entry { order, at, blocks, used });
            }
            at = end;
        }
        entries.sort_by_key(|entry| entry.order);
        Ok(entries)
    }

    /// Records without an index: wherever one begins.
    fn records(&mut self, size: u64) -> io::Result<Vec<Entry>> {
        let mut found: Vec<u64> = Vec::new();
        self.input.seek(SeekFrom::Start(0))?;
        let mut window = Vec::new();
        let mut base = 0_u64;
        loop {
            let kept = window.len();
            let read = self.input.by_ref().take(1 << 20).read_to_end(&mut window)?;
            let hits = window.windows(record::MAGIC.len()).enumerate();
            let hits = hits.filter(|(_, bytes)| bytes == record::MAGIC);
            found.extend(hits.map(|(at, _)| base + at as u64));
            if read == 0 || window.len() < record::MAGIC.len() {
                break;
            }
            let _ = kept;
            let keep = record::MAGIC.len() - 1;
            base += (window.len() - keep) as u64;
            window.drain(..window.len() - keep);
        }
        let ends = found.iter().skip(1).copied().chain([size]);
        Ok(found
            .iter()
            .zip(ends)
            .enumerate()
            .map(|(order, (&at, end))| {
                let blocks = (end - at).div_ceil(BLOCK) as u32;
                Entry {
                    order: order as u32,
                    at,
                    blocks,
                    used: (end - at).min(u64::from(u32::MAX)) as u32,
                }
            })
            .collect())
    }

    fn record(&mut self, entry: &Entry) -> io::Result<Draft> {
        let whole = u64::from(entry.blocks) * BLOCK;
        let length = match u64::from(entry.used) {
            used if used > 0 && used <= whole => used,
            _ => whole,
        };
        let broken = |fault| {
            let mut draft = Draft::new(Position::start(), entry.at);
            draft.fault = Some((entry.at, fault));
            draft
        };
        if length > MOST as u64 {
            return Ok(broken(Fault::TooLong(MOST as u64)));
        }
        self.input.seek(SeekFrom::Start(entry.at))?;
        let mut bytes = Vec::new();
        self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        Ok(record::read(&bytes, entry.at))
    }
}

impl<R: Read + Seek> Iterator for Library<R> {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(entry) = self.entries.next() else {
            // Told last, so that games keep their numbers.
            let (byte, fault) = self.fault.take()?;
            let place = Place { game: self.number + 1, byte: Some(byte), ..Place::default() };
            return Some(Err(GameError { place, fault, partial: None, remarks: Vec::new() }));
        };
        self.number += 1;
        Some(match self.record(&entry) {
            Ok(draft) => draft.finish(self.number),
            Err(error) => {
                self.entries = Vec::new().into_iter();
                let place = Place { game: self.number, byte: Some(entry.at), ..Place::default() };
                Err(GameError { place, fault: error.into(), partial: None, remarks: Vec::new() })
            }
        })
    }
}
