//! The opening books that an engine plays from: where their files are, and which of them knows a
//! move. Knows no options by name and no search.

use std::{fmt, time::Duration};

use super::place::{NOWHERE, locate};
use crate::{
    book::{Book, Choice, Entry},
    position::Unobserved,
    rules::Line,
    search::{Info, SearchResult},
    types::{Bound, Color, Move, Score, SplitMix64, Value, scale},
};

/// What stands between two files of a list.
const SEPARATOR: char = ';';

/// Books in the order in which they are asked.
#[derive(Debug)]
pub(super) struct Books(Vec<Book>);

/// What a book says to play.
#[derive(Debug)]
pub(super) struct Found {
    /// The book's name.
    name: String,
    entry: Entry,
    /// What some book would reply.
    reply: Option<Move>,
    value: Value,
}

impl Books {
    /// The books of a list of files that can be used, and the built-in one after them. Whatever cannot
    /// be used is told.
    pub(super) fn open(list: &str, tell: &dyn Fn(String)) -> Self {
        let mut books = Vec::new();
        for file in list.split(SEPARATOR).map(str::trim).filter(|file| !file.is_empty()) {
            match locate(file).map(|path| Book::open(&path)) {
                Some(Ok(book)) => books.push(book),
                Some(Err(error)) => tell(format!("cannot use {file}: {error}")),
                None => tell(format!("cannot use {file}: {NOWHERE}")),
            }
        }
        books.push(Book::built_in());
        Self(books)
    }

    /// No book at all.
    pub(super) fn closed() -> Self {
        Self(Vec::new())
    }

    /// What the first book says that knows a move to play, and what the position is worth: at sight,
    /// where the book does not tell.
    pub(super) fn find(
        &self,
        line: &Line,
        choice: Choice,
        rng: &mut SplitMix64,
        tell: &dyn Fn(String),
        at_sight: impl FnOnce() -> Value,
    ) -> Option<Found> {
        let (name, entry) = self.choose(line, choice, rng, tell)?;
        let mut next = line.clone();
        next.push(entry.mv, &mut Unobserved);
        let reply = self.choose(&next, Choice::Best, rng, tell).map(|(_, entry)| entry.mv);
        Some(Found { name, entry, reply, value: entry.value().unwrap_or_else(at_sight) })
    }

    fn choose(
        &self,
        line: &Line,
        choice: Choice,
        rng: &mut SplitMix64,
        tell: &dyn Fn(String),
    ) -> Option<(String, Entry)> {
        self.0.iter().find_map(|book| match book.choose(line, choice, rng) {
            Ok(entry) => entry.map(|entry| (book.name().to_owned(), entry)),
            Err(error) => {
                tell(format!("cannot use {}: {error}", book.name()));
                None
            }
        })
    }
}

impl fmt::Display for Found {
    /// What is known of the move, in a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { mv, weight, wins, draws, losses, depth, .. } = self.entry;
        write!(f, "book {}: {mv}, weight {weight}", self.name)?;
        if [wins, draws, losses] != [0; 3] {
            write!(f, ", {wins} won, {draws} drawn, {losses} lost")?;
        }
        let value = self.entry.value();
        value.map_or(Ok(()), |value| write!(f, ", score {} at depth {depth}", scale::ucci(value)))
    }
}

impl Found {
    /// The move and the reply as a line of play.
    pub(super) fn info(&self) -> Info {
        Info {
            depth: self.entry.depth.into(),
            seldepth: self.entry.depth.into(),
            multipv: 1,
            score: Score::from_value(self.value),
            bound: Bound::Exact,
            nodes: 0,
            nps: 0,
            hashfull: 0,
            time: Duration::ZERO,
            pv: [Some(self.entry.mv), self.reply].into_iter().flatten().collect(),
        }
    }

    /// The answer to a search that need not be made.
    pub(super) fn outcome(&self) -> SearchResult {
        SearchResult {
            best: Some(self.entry.mv),
            ponder: self.reply,
            score: Score::from_value(self.value),
            depth: self.entry.depth.into(),
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}

/// How many plies the game has had, as far as the line or the number of its move tells.
pub(super) fn plies_played(line: &Line) -> usize {
    let position = line.position();
    let rounds = position.number().saturating_sub(1) as usize;
    let by_number = 2 * rounds + usize::from(position.side() == Color::Black);
    by_number.max(line.plies())
}
