//! What every book and every format owes.

use super::*;
use crate::{position::Unobserved, types::SplitMix64};

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
