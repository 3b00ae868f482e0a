//! What every book and every format owes.

use proptest::{collection::vec, prelude::*, sample::Index};

use super::*;
use crate::{files::seal, position::Unobserved, types::SplitMix64};

/// A position and its mirror image.
fn mirrored(position: &Position) -> Position {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {rest}", ranks.join("/"))).unwrap()
}

/// Positions that random play from the start comes to.
fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = SplitMix64::new(seed);
    let mut position = Position::start();
    let mut positions = Vec::new();
    while positions.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || rng.below(40) == 0 {
            position = Position::start();
            continue;
        }
        position.make(moves[rng.below(moves.len())], &mut Unobserved);
        positions.push(position.clone());
    }
    positions
}

/// Pages with some moves of the start and of random positions.
fn made_up(seed: u64, positions: usize) -> Pages {
    let mut rng = SplitMix64::new(seed);
    let mut pages = Pages::new(format!("made up from {seed}"));
    for position in random_positions(seed, positions).into_iter().chain([Position::start()]) {
        for mv in position.legal_moves() {
            if rng.below(10) == 0 {
                let mut number = |bound| rng.below(bound) as u32;
                let entry = Entry {
                    mv,
                    weight: number(1000),
                    wins: number(9),
                    draws: number(9),
                    losses: number(9),
                    score: Some(number(500) as i16 - 250).filter(|score| score % 7 != 0),
                    depth: number(30) as u8,
                };
                pages.set(&position, entry).unwrap();
            }
        }
    }
    pages
}

fn own_file(pages: &Pages) -> Vec<u8> {
    let mut bytes = Vec::new();
    pages.write_own(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_built_in_book_is_sound_and_its_moves_are_legal() {
    let book = Book::built_in();
    let entries = book.entries(&Position::start()).unwrap();
    assert!(entries.iter().all(|entry| Position::start().is_legal(entry.mv)));
    assert!(book.positions().unwrap() <= book.moves().unwrap());
}

#[test]
fn a_book_says_what_its_pages_say() {
    let pages = made_up(1, 300);
    let book = Book::from_bytes("made up", own_file(&pages)).unwrap();
    assert_eq!(book.description(), "made up from 1");
    assert_eq!(book.positions().unwrap(), pages.positions());
    assert_eq!(book.moves().unwrap(), pages.moves());
    for (position, entries) in pages.iter() {
        assert!(!entries.is_empty());
        assert_eq!(book.entries(position).unwrap(), entries, "{}", position.fen());
    }
}

#[test]
fn a_mirror_image_is_answered_in_mirror_writing() {
    let pages = made_up(2, 300);
    let book = Book::from_bytes("made up", own_file(&pages)).unwrap();
    for (position, entries) in pages.iter() {
        let mut twin = book.entries(&mirrored(position)).unwrap();
        for entry in &mut twin {
            *entry = entry.mirror();
        }
        let known = |list: &[Entry]| {
            let mut list: Vec<_> = list.iter().map(|entry| format!("{entry:?}")).collect();
            list.sort();
            list
        };
        assert_eq!(known(&twin), known(&entries), "{}", position.fen());
    }
}

#[test]
fn a_symmetric_position_says_the_same_of_both_moves() {
    let (start, mut pages) = (Position::start(), Pages::new(""));
    pages.set(&start, Entry::new("h2e2".parse().unwrap(), 5)).unwrap();
    let moves = |pages: &Pages| -> Vec<_> {
        pages.entries(&start).iter().map(|entry| entry.mv.to_string()).collect()
    };
    assert_eq!(moves(&pages), ["b2e2", "h2e2"]);
    assert_eq!((pages.positions(), pages.moves()), (1, 1));
    pages.remove(&start, "b2e2".parse().unwrap());
    assert_eq!((moves(&pages).len(), pages.positions()), (0, 0));
    assert!(pages.set(&start, Entry::new("h2e3".parse().unwrap(), 5)).is_err());
}

#[test]
fn every_change_of_a_file_is_noticed() {
    let bytes = own_file(&made_up(3, 5));
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert!(Book::from_bytes("", other).is_err(), "byte {at}");
        assert!(Book::from_bytes("", bytes[..at].to_vec()).is_err(), "cut at {at}");
    }
}

/// A BOOK.DAT of the same pages.
fn xqwizard_file(pages: &Pages) -> Vec<u8> {
    let mut bytes = Vec::new();
    pages.write_xqwizard(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_book_dat_keeps_moves_and_weights() {
    let pages = made_up(4, 300);
    let book = Book::from_bytes("made up", xqwizard_file(&pages)).unwrap();
    for (position, mut entries) in pages.iter() {
        entries.retain(|entry| entry.weight > 0);
        let mut kept: Vec<_> =
            entries.iter().map(|entry| Entry::new(entry.mv, entry.weight)).collect();
        rank(&mut kept);
        assert_eq!(book.entries(position).unwrap(), kept, "{}", position.fen());
    }
}

#[test]
fn nothing_but_legal_moves_is_ever_told() {
    let pages = made_up(5, 200);
    // Every move of the book, under the key of every other position.
    let mut entries: Vec<_> = pages.iter().flat_map(|(_, entries)| entries).collect();
    entries.sort_by_key(|entry| Move::to_bits(Some(entry.mv)));
    entries.dedup_by_key(|entry| entry.mv);
    for position in random_positions(6, 100) {
        let number = Key::of(&position).number;
        let records: Vec<_> = entries.iter().map(|&entry| (number, entry)).collect();
        let book = Book::from_bytes("", own::write("", &records)).unwrap();
        let told = book.entries(&position).unwrap();
        assert!(told.iter().all(|entry| position.is_legal(entry.mv)));
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let pages = made_up(7, 5);
    let own = own_file(&pages);
    let told = |bytes: &[u8]| match Book::from_bytes("", bytes.to_vec()) {
        Ok(book) => panic!("{book:?} is taken"),
        Err(error) => error.to_string(),
    };
    assert_eq!(told(b""), "it is empty");
    assert_eq!(told(b"[Game \"Chinese Chess\"]\n"), "it is no opening book");
    assert_eq!(told(&[0; 64]), "it is no opening book");
    assert_eq!(told(&own[..10]), "it has 10 bytes, not 24");
    let length = own.len();
    assert_eq!(told(&own[..length - 1]), format!("it has {} bytes, not {length}", length - 1));
    let sealed = |mut bytes: Vec<u8>| {
        bytes.truncate(length - 8);
        told(&seal(bytes))
    };
    let text = pages.description.len();
    let mut newer = own.clone();
    newer[8] = 2;
    assert_eq!(sealed(newer), "its format is version 2, not 1");
    let mut damaged = own.clone();
    damaged[20] ^= 1;
    assert!(told(&damaged).starts_with("it is damaged: its checksum is "));
    let mut unsorted = own.clone();
    unsorted[16 + text..length - 8].rotate_left(29);
    assert!(sealed(unsorted).starts_with("it is not sorted: record "));
    let mut lost = own.clone();
    lost[16 + text + 8..][..2].fill(0xFF);
    assert_eq!(sealed(lost), "record 1 holds no move");
    let mut garbled = own;
    garbled[16] = 0xFF;
    assert_eq!(sealed(garbled), "its description is not UTF-8");
}

#[test]
fn a_file_that_cannot_be_read_is_told() {
    let folder = std::env::temp_dir();
    assert!(matches!(Book::open(&folder), Err(BookError::File(_))));
    let nothing = folder.join("chuhe-no-such.book");
    assert!(matches!(Book::open(&nothing), Err(BookError::File(_))));
}

#[test]
fn a_format_is_known_by_content_and_not_by_name() {
    let pages = made_up(8, 20);
    let folder = std::env::temp_dir().join(format!("chuhe-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, bytes) in [("own.DAT", own_file(&pages)), ("old.book", xqwizard_file(&pages))] {
        let path = folder.join(file);
        std::fs::write(&path, bytes).unwrap();
        let book = Book::open(&path).unwrap();
        assert_eq!(Some(book.name()), file.split('.').next());
        assert!(!book.entries(&Position::start()).unwrap().is_empty());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_file_whatever_does_harm(seed: u64, cut: Index, changes in vec((any::<Index>(), any::<u8>()), 0..4)) {
        let pages = made_up(seed % 8, 3);
        for (mut bytes, sealed) in [(own_file(&pages), true), (xqwizard_file(&pages), false)] {
            for (at, byte) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            if seed % 2 == 0 {
                bytes.truncate(cut.index(bytes.len()));
            }
            // Only what carries the right sum is looked at closely.
            if sealed && bytes.len() > 8 {
                bytes.truncate(bytes.len() - 8);
                bytes = seal(bytes);
            }
            if let Ok(book) = Book::from_bytes("", bytes) {
                for (position, _) in pages.iter() {
                    let told = book.entries(position).unwrap();
                    prop_assert!(told.iter().all(|entry| position.is_legal(entry.mv)));
                }
            }
        }
    }

    #[test]
    fn bytes_from_nowhere_do_no_harm(bytes in vec(any::<u8>(), 0..200)) {
        if let Ok(book) = Book::from_bytes("", bytes) {
            prop_assert!(book.entries(&Position::start()).is_ok());
        }
    }
}
