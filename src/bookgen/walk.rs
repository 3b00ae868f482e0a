//! What there is to be found in a book from the start position on. Most books file positions under
//! numbers that do not tell which they are; going there is the only way to know.

use std::{
    collections::{HashSet, VecDeque},
    convert::Infallible,
};

use crate::{
    book::{Book, BookError, Entry, Key, Pages},
    position::{Position, Unobserved},
};

/// What was found.
#[derive(Clone, Debug)]
pub struct Walk {
    /// All of it.
    pub pages: Pages,
    /// How many positions each ply of a game has; each counts where it comes first.
    pub plies: Vec<usize>,
}

/// A position that a way leads to.
struct Place {
    position: Position,
    ply: usize,
    /// Whether the book proposed the move to it.
    proposed: bool,
}

/// Goes from the start position to all positions that a book knows on the way. From a known position
/// any legal move may lead to another. Behind a move that the book proposes it need not know the
/// position, but may know those after the answers: a book may be for one side.
///
/// # Errors
/// When the book's file fails.
///
/// # Panics
/// Never: books tell of legal moves.
pub fn walk(book: &Book) -> Result<Walk, BookError> {
    let mut walk = go(|position| book.entries(position))?;
    book.description().clone_into(&mut walk.pages.description);
    Ok(walk)
}

/// The positions of a book in the making that such a way leads to, by their keys.
pub(super) fn reached(pages: &Pages) -> HashSet<u64> {
    let Ok(walk) = go(|position| Ok::<_, Infallible>(pages.entries(position)));
    walk.pages.iter().map(|(position, _)| Key::of(position).number).collect()
}

fn go<E>(ask: impl Fn(&Position) -> Result<Vec<Entry>, E>) -> Result<Walk, E> {
    let mut walk = Walk { pages: Pages::default(), plies: Vec::new() };
    let mut seen = HashSet::new();
    let mut places =
        VecDeque::from([Place { position: Position::start(), ply: 0, proposed: true }]);
    while let Some(Place { position, ply, proposed }) = places.pop_front() {
        // What is not gone on from for want of a proposal may be later.
        let key = Key::of(&position).number;
        if !seen.insert((key, proposed)) || !walk.pages.entries(&position).is_empty() {
            continue;
        }
        let entries = ask(&position)?;
        if entries.is_empty() {
            if !proposed {
                continue;
            }
        } else {
            walk.plies.resize(walk.plies.len().max(ply + 1), 0);
            walk.plies[ply] += 1;
        }
        for &entry in &entries {
            walk.pages.set(&position, entry).expect("invariant: books tell of legal moves");
        }
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.make(mv, &mut Unobserved);
            let proposed = entries.iter().any(|entry| entry.mv == mv);
            places.push_back(Place { position: after, ply: ply + 1, proposed });
        }
    }
    Ok(walk)
}
