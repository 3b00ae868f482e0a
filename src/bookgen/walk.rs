//! What there is to be found in a book from the start position on. Most books file positions under
//! numbers that do not tell which they are; going there is the only way to know.

use std::collections::{HashSet, VecDeque};

use super::after;
use crate::{
    book::{Book, BookError, Key, Pages},
    position::Position,
    types::Color,
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
struct Step {
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
    let mut walk = Walk { pages: Pages::new(book.description()), plies: Vec::new() };
    let mut seen = HashSet::new();
    let mut steps = VecDeque::from([Step { position: Position::start(), ply: 0, proposed: true }]);
    while let Some(Step { position, ply, proposed }) = steps.pop_front() {
        // What is not gone on from for want of a proposal may be later.
        let key = Key::of(&position).number;
        if !seen.insert((key, proposed)) || !walk.pages.entries(&position).is_empty() {
            continue;
        }
        let entries = book.entries(&position)?;
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
            let proposed = entries.iter().any(|entry| entry.mv == mv);
            steps.push_back(Step { position: after(&position, mv), ply: ply + 1, proposed });
        }
    }
    Ok(walk)
}

/// The positions of a book in the making that one comes to who plays by it, whatever the other side
/// plays, by their keys.
pub(super) fn of_use(pages: &Pages) -> HashSet<u64> {
    let mut of_use = HashSet::new();
    for owner in Color::ALL {
        let mut seen = HashSet::new();
        let mut steps = vec![Position::start()];
        while let Some(position) = steps.pop() {
            let key = Key::of(&position).number;
            if !seen.insert(key) {
                continue;
            }
            let moves: Vec<_> = if position.side() == owner {
                let entries = pages.entries(&position);
                entries.iter().filter(|entry| entry.weight > 0).map(|entry| entry.mv).collect()
            } else {
                position.legal_moves().into_iter().collect()
            };
            if position.side() == owner && !moves.is_empty() {
                of_use.insert(key);
            }
            steps.extend(moves.into_iter().map(|mv| after(&position, mv)));
        }
    }
    of_use
}

/// Strikes out the positions that were of use and are not any more.
pub(super) fn keep_of_use(pages: &mut Pages, before: &HashSet<u64>) {
    let after = of_use(pages);
    pages.retain(|position| {
        let key = Key::of(position).number;
        after.contains(&key) || !before.contains(&key)
    });
}
