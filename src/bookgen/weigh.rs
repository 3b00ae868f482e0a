//! What games make of a book: its moves weighed by how they did. Knows no search and no files.

use super::{
    Games,
    walk::{keep_of_use, of_use},
    weight::weight,
};
use crate::book::{Entry, Key, Pages};

/// Games that the score of a search stands for beside those that were played.
const PRIOR: f64 = 10.0;
/// Points that make winning e times as likely as losing. With Red and no book the engine scored 59 in
/// 100 against itself with one, and its searches of 1,000,000 nodes find the start worth 13 points.
const ODDS: f64 = 36.0;

/// How much was weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weighed {
    /// Moves that some game was played with.
    pub played: usize,
    /// Moves that did worse than the margin allows.
    pub refused: usize,
}

/// Counts games for the moves of a book and weighs each of them by what its mover may expect: by the
/// games, and by the score where there are few. The best of a position weighs most, and those that
/// expect less by more than the margin, in hundredths of a game, nothing: they are known but not to
/// be played, and what they alone led to goes.
///
/// # Panics
/// Never: the book has its own moves.
pub fn weigh(pages: &mut Pages, games: &Games, margin: u32) -> Weighed {
    let mut weighed = Weighed::default();
    let before = of_use(pages);
    let positions: Vec<_> = pages.iter().map(|(position, _)| position.clone()).collect();
    for position in positions {
        let counts = games.entries(&position);
        let mut entries = pages.entries(&position);
        let key = Key::of(&position);
        entries.retain(|entry| key.tells_of(entry.mv));
        for entry in &mut entries {
            if let Some(count) = counts.iter().find(|count| count.mv == entry.mv) {
                let Entry { wins, draws, losses, .. } = *count;
                *entry = Entry { wins, draws, losses, ..*entry };
                weighed.played += 1;
            }
        }
        let best = entries.iter().map(expected).fold(0.0, f64::max);
        for mut entry in entries {
            let loss = ((best - expected(&entry)) * 100.0).round() as u32;
            entry.weight = weight(loss, margin).unwrap_or(0);
            weighed.refused += usize::from(entry.weight == 0);
            pages.set(&position, entry).expect("invariant: the book has the move");
        }
    }
    keep_of_use(pages, &before);
    weighed
}

/// What the mover may expect of a game, from 0 to 1.
fn expected(entry: &Entry) -> f64 {
    let [wins, draws, losses] = [entry.wins, entry.draws, entry.losses].map(f64::from);
    let chance = 1.0 / (1.0 + (-f64::from(entry.score.unwrap_or(0)) / ODDS).exp());
    (wins + draws / 2.0 + PRIOR * chance) / (wins + draws + losses + PRIOR)
}
