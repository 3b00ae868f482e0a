//! A book in the making: positions, and what is to be said of their moves, in memory. Knows who
//! stands on the board, which finished books have forgotten; makes no judgement of its own.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use super::{Entry, Key, own, xqwizard};
use crate::{position::Position, rules::IllegalMove, types::Move};

/// A book that can be changed. A position and its mirror image are one page.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// How the book was made, for people.
    pub description: String,
    pages: BTreeMap<u64, Page>,
}

/// One position.
#[derive(Clone, Debug)]
struct Page {
    /// Whichever of the position and its mirror image came first.
    position: Position,
    /// By the move on file.
    entries: BTreeMap<u16, Entry>,
}

impl Pages {
    /// No pages yet.
    pub fn new(description: impl Into<String>) -> Self {
        Self { description: description.into(), pages: BTreeMap::new() }
    }

    /// What is to be said of a move, for reading and changing; a new entry of weight 0 where nothing
    /// was said yet. The move's mirror image shares it where the position is its own. The entry's
    /// own move is not to be changed.
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn entry(&mut self, position: &Position, mv: Move) -> Result<&mut Entry, IllegalMove> {
        if !position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let key = Key::of(position);
        let filed = key.filed(mv);
        let page = self
            .pages
            .entry(key.number)
            .or_insert_with(|| Page { position: position.clone(), entries: BTreeMap::new() });
        let bits = Move::to_bits(Some(filed));
        Ok(page.entries.entry(bits).or_insert_with(|| Entry::new(filed, 0)))
    }

    /// Says this of the entry's move, whatever was said before.
    ///
    /// # Errors
    /// When the move is not legal.
    pub fn set(&mut self, position: &Position, entry: Entry) -> Result<(), IllegalMove> {
        let place = self.entry(position, entry.mv)?;
        *place = Entry { mv: place.mv, ..entry };
        Ok(())
    }

    /// Strikes a move out, and the page with its last one.
    pub fn remove(&mut self, position: &Position, mv: Move) {
        let key = Key::of(position);
        if let Some(page) = self.pages.get_mut(&key.number) {
            page.entries.remove(&Move::to_bits(Some(key.filed(mv))));
            if page.entries.is_empty() {
                self.pages.remove(&key.number);
            }
        }
    }

    /// Strikes out the positions that are not to be kept.
    pub fn retain(&mut self, mut keep: impl FnMut(&Position) -> bool) {
        self.pages.retain(|_, page| keep(&page.position));
    }

    /// The same without the moves that are not to be played, which some formats have no place for.
    #[must_use]
    pub fn played(&self) -> Self {
        let mut book = self.clone();
        for page in book.pages.values_mut() {
            page.entries.retain(|_, entry| entry.weight > 0);
        }
        book.pages.retain(|_, page| !page.entries.is_empty());
        book
    }

    /// What is said of the moves of a position, best first, as the finished book will say it.
    pub fn entries(&self, position: &Position) -> Vec<Entry> {
        let key = Key::of(position);
        let page = self.pages.get(&key.number);
        page.map_or_else(Vec::new, |page| page.entries_of(key))
    }

    /// Every position that something is said of, in the order of their keys, with its entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Position, Vec<Entry>)> {
        self.pages.values().map(|page| (&page.position, page.entries_of(Key::of(&page.position))))
    }

    /// How many positions something is said of.
    pub fn positions(&self) -> usize {
        self.pages.len()
    }

    /// How many moves something is said of.
    pub fn moves(&self) -> usize {
        self.pages.values().map(|page| page.entries.len()).sum()
    }

    /// Writes a book of the program's own format.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write_own(&self, out: &mut impl Write) -> io::Result<()> {
        let mut records = Vec::with_capacity(self.moves());
        for (&key, page) in &self.pages {
            records.extend(page.entries.values().map(|&entry| (key, entry)));
        }
        out.write_all(&own::write(&self.description, &records))
    }

    /// Writes a `BOOK.DAT`, which keeps nothing but moves and weights; weights of 0 are left out.
    ///
    /// # Errors
    /// When the output fails.
    pub fn write_xqwizard(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&xqwizard::write(self.iter()))
    }
}

impl Page {
    /// The entries as moves of the one of its positions that has this key.
    fn entries_of(&self, key: Key) -> Vec<Entry> {
        let mut entries = Vec::new();
        for &entry in self.entries.values() {
            key.unfile(entry, &mut entries);
        }
        super::rank(&mut entries);
        entries
    }
}
