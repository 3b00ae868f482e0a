//! `BOOK.DAT`, the books of `XQWizard` (象棋巫师) and `ElephantEye`: records of a lock, a move and a
//! weight, sorted. Locks of 32 bits may meet by chance, so a move found need not be legal.

pub(super) mod locks;

use super::{BookError, Entry};
use crate::{position::Position, types::Move};
use locks::{Locks, Words, move_number, read_move};

/// Lock, move, weight.
const RECORD: usize = 4 + 2 + 2;

#[derive(Clone, Copy, Debug)]
struct Record {
    lock: u32,
    mv: Move,
    weight: u16,
}

/// A book of this format.
#[derive(Debug)]
pub(super) struct Xqwizard {
    locks: Locks,
    records: Vec<Record>,
    positions: usize,
}

impl Xqwizard {
    /// Reads a file. It has no mark of its own: what does not look like records is foreign.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let (chunks, rest) = bytes.as_chunks::<RECORD>();
        let read = |&[a, b, c, d, e, f, g, h]: &[u8; RECORD]| {
            let mv = read_move(u16::from_le_bytes([e, f]))?;
            let weight = u16::from_le_bytes([g, h]);
            Some(Record { lock: u32::from_le_bytes([a, b, c, d]), mv, weight })
        };
        let records: Option<Vec<_>> = chunks.iter().map(read).collect();
        let records = records.filter(|records| !records.is_empty()).ok_or(BookError::Foreign)?;
        if let Some(at) = records.windows(2).position(|pair| pair[0].lock > pair[1].lock) {
            return Err(BookError::Unsorted(at + 2));
        }
        if !rest.is_empty() {
            let wanted = (chunks.len() + 1) * RECORD;
            return Err(BookError::Length { found: bytes.len(), wanted });
        }
        let positions = records.chunk_by(|one, other| one.lock == other.lock).count();
        Ok(Self { locks: Locks::new(), records, positions })
    }

    /// What is on file for a position and for its mirror image, as moves of the position.
    pub(super) fn entries(&self, position: &Position) -> Vec<Entry> {
        let [own, mirror] = self.locks.of(position).map(|[_, _, lock]| lock);
        let entry = |record: &Record| Entry::new(record.mv, record.weight.into());
        let mut entries: Vec<_> = self.filed(own).map(entry).collect();
        if mirror != own {
            entries.extend(self.filed(mirror).map(|record| entry(record).mirror()));
        }
        entries
    }

    fn filed(&self, lock: u32) -> impl Iterator<Item = &Record> {
        let first = self.records.partition_point(|record| record.lock < lock);
        self.records[first..].iter().take_while(move |record| record.lock == lock)
    }

    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    pub(super) fn moves(&self) -> usize {
        self.records.len()
    }
}

/// The file of some positions with their entries. Moves of weight 0 have no place in it; larger
/// weights than fit are reduced with the others of their position.
pub(super) fn write<'a>(pages: impl Iterator<Item = (&'a Position, Vec<Entry>)>) -> Vec<u8> {
    let locks = Locks::new();
    // Of a position and its mirror image the one of the lesser locks is filed.
    let order = |[_, second, first]: Words| (first, second);
    let mut records = Vec::new();
    for (position, entries) in pages {
        let [own, mirror] = locks.of(position).map(order);
        let most = entries.iter().map(|entry| entry.weight).max().unwrap_or(0);
        for entry in entries.iter().filter(|entry| entry.weight > 0) {
            let (lock, mv) =
                if mirror < own { (mirror.0, entry.mv.mirror()) } else { (own.0, entry.mv) };
            records.push((lock, move_number(mv), reduced(entry.weight, most)));
        }
    }
    records.sort_unstable();
    let fields = |(lock, mv, weight): (u32, u16, u16)| {
        let [mv, weight] = [mv, weight].map(u16::to_le_bytes);
        [&lock.to_le_bytes()[..], &mv, &weight].concat()
    };
    records.into_iter().flat_map(fields).collect()
}

/// A weight in 16 bits, where the greatest of its position is `most`.
fn reduced(weight: u32, most: u32) -> u16 {
    let room = u64::from(u16::MAX);
    let share = u64::from(weight) * room / u64::from(most).max(room);
    share.max(1) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        book::{Book, Pages},
        position::Unobserved,
    };

    /// Records of the book that comes with `XQWizard`, as far as they are known.
    const RECORDS: [(u32, &str, u16); 15] = [
        (0x0526_56d5, "b0c2", 89),
        (0x0526_56d5, "h0g2", 89),
        (0x0526_56d5, "b2e2", 1473),
        (0x0526_56d5, "c0e2", 311),
        (0x0526_56d5, "c3c4", 546),
        (0x0526_56d5, "g0e2", 311),
        (0x0526_56d5, "g3g4", 546),
        (0x0526_56d5, "h2e2", 1473),
        (0x5396_644f, "b7e7", 97),
        (0x5396_644f, "b9c7", 761),
        (0x5396_644f, "h7e7", 1),
        (0x5396_644f, "h9g7", 172),
        (0xdf3a_d30d, "c3c4", 3),
        (0xdf3a_d30d, "g3g4", 61),
        (0xdf3a_d30d, "h0g2", 955),
    ];

    /// The records as a file, sorted by lock and move.
    fn file() -> Vec<u8> {
        let mut records =
            RECORDS.map(|(lock, mv, weight)| (lock, move_number(mv.parse().unwrap()), weight));
        records.sort_unstable();
        let mut bytes = Vec::new();
        for (lock, mv, weight) in records {
            bytes.extend(lock.to_le_bytes());
            bytes.extend(mv.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        bytes
    }

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        for mv in moves {
            position.make(mv.parse().unwrap(), &mut Unobserved);
        }
        position
    }

    fn told(book: &Book, moves: &[&str]) -> Vec<(String, u32)> {
        let entries = book.entries(&after(moves)).unwrap();
        entries.iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
    }

    fn list(pairs: &[(&str, u32)]) -> Vec<(String, u32)> {
        pairs.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
    }

    #[test]
    fn the_known_book_is_read() {
        let book = Book::from_bytes("BOOK", file()).unwrap();
        assert_eq!((book.positions().unwrap(), book.moves().unwrap()), (3, 15));
        let start = [("b2e2", 1473), ("h2e2", 1473), ("c3c4", 546), ("g3g4", 546)];
        assert_eq!(told(&book, &[])[..4], list(&start));
        let mirrored = [("h9g7", 761), ("b9c7", 172), ("h7e7", 97), ("b7e7", 1)];
        assert_eq!(told(&book, &["h2e2"]), list(&mirrored));
        let own = [("h0g2", 955), ("g3g4", 61), ("c3c4", 3)];
        assert_eq!(told(&book, &["h2e2", "h9g7"]), list(&own));
        assert_eq!(told(&book, &["a0a1"]), []);
    }

    #[test]
    fn the_known_book_is_written_byte_by_byte() {
        let book = Book::from_bytes("BOOK", file()).unwrap();
        for twin in [false, true] {
            let mut pages = Pages::new("");
            for moves in [&[][..], &["h2e2"], &["h2e2", "h9g7"]] {
                let (mut here, mut mirror) = (Position::start(), Position::start());
                for mv in moves {
                    let mv: Move = mv.parse().unwrap();
                    here.make(mv, &mut Unobserved);
                    mirror.make(mv.mirror(), &mut Unobserved);
                }
                for entry in book.entries(&here).unwrap() {
                    let (position, entry) =
                        if twin { (&mirror, entry.mirror()) } else { (&here, entry) };
                    pages.set(position, entry).unwrap();
                }
            }
            let mut bytes = Vec::new();
            pages.write_xqwizard(&mut bytes).unwrap();
            assert_eq!(bytes, file());
        }
    }

    #[test]
    fn weights_keep_their_proportion_and_never_vanish() {
        assert_eq!([1, 500, 65_535].map(|weight| reduced(weight, 65_535)), [1, 500, 65_535]);
        assert_eq!([1, 65_536, 131_072].map(|w| reduced(w, 131_072)), [1, 32_767, 65_535]);
    }

    #[test]
    fn what_is_no_such_book_is_told_apart() {
        let told = |bytes: &[u8]| Xqwizard::read(bytes).unwrap_err().to_string();
        assert_eq!(told(&file()[..20]), "it has 20 bytes, not 24");
        assert_eq!(told(b"not at all a book"), "it is no opening book");
        assert_eq!(told(b"short"), "it is no opening book");
        let mut reversed = file();
        reversed.rotate_left(64);
        assert_eq!(told(&reversed), "it is not sorted: record 8 is out of order");
    }
}
