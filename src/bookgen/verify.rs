//! What a book's moves are worth to a search that goes deeper, and a book without the bad ones. Knows
//! pages and thoughts.

use std::{collections::HashSet, ops::ControlFlow};

use super::{
    BuildProgress, after, filed,
    studies::{Studies, StudyError},
    walk::{keep_of_use, of_use},
    weight::weight,
};
use crate::{
    book::{Entry, Key, Pages},
    position::Position,
    types::Move,
};

/// What a move of a book loses.
#[derive(Clone, Debug)]
pub struct Loss {
    /// Where it is played.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// Points that it is worse by than the best, which the book need not know.
    pub points: u32,
    /// What it is worth in points for the mover.
    pub value: i16,
    /// Plies that were searched for that.
    pub depth: u8,
}

/// Thinks about each position of a book and about each that its moves lead to, and tells what the
/// moves lose, the worst first; `None` when `tell` called it off.
///
/// A move is worth what the position after it is. So is the one that the search would play, for it
/// is not fair to compare searches that begin at different plies.
///
/// # Errors
/// When thoughts cannot be kept.
pub fn verify(
    pages: &Pages,
    studies: &mut Studies,
    mut tell: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<Option<Vec<Loss>>, StudyError> {
    let mut places = Places::default();
    for (position, entries) in pages.iter() {
        places.add(position);
        for entry in entries {
            places.add(&after(position, entry.mv));
        }
    }
    let whole = places.positions.len();
    let first =
        studies.think(&places.positions, &mut |done| tell(BuildProgress { done, wanted: whole }));
    if first?.is_break() {
        return Ok(None);
    }
    // What the search would play and the book does not know.
    let mut others = Places { positions: Vec::new(), ..places };
    for (position, _) in pages.iter() {
        let position = filed(position);
        if let Some(mv) = best(&position, studies) {
            others.add(&after(&position, mv));
        }
    }
    let wanted = whole + others.positions.len();
    let second = &mut |done| tell(BuildProgress { done: whole + done, wanted });
    if studies.think(&others.positions, second)?.is_break() {
        return Ok(None);
    }
    let mut losses = Vec::new();
    for (position, entries) in pages.iter() {
        let key = Key::of(position);
        let moves: Vec<_> =
            entries.iter().map(|entry| entry.mv).filter(|&mv| key.tells_of(mv)).collect();
        losses.extend(of_position(position, &moves, studies));
    }
    losses.sort_by_key(|loss| std::cmp::Reverse(loss.points));
    Ok(Some(losses))
}

/// Strikes out the moves that lose more points, and what they alone led to. The others take over what
/// the deeper search made of them, those that weigh by what a search made of them before their weight
/// as well; other weights are somebody's choice. Returns the losses of those that stay.
///
/// # Panics
/// When the losses are not of these pages.
pub fn strike(pages: &mut Pages, mut losses: Vec<Loss>, most: u32) -> Vec<Loss> {
    let before = of_use(pages);
    for &Loss { ref position, mv, points, value, depth } in &losses {
        let Some(weight) = weight(points, most) else {
            pages.remove(position, mv);
            continue;
        };
        let entry = pages.entry(position, mv).expect("invariant: a loss is of a legal move");
        if entry.score.is_some() {
            *entry = Entry { weight, score: Some(value), depth, ..*entry };
        }
    }
    keep_of_use(pages, &before);
    losses.retain(|loss| pages.entries(&loss.position).iter().any(|entry| entry.mv == loss.mv));
    losses
}

/// Positions on file, each once.
#[derive(Default)]
struct Places {
    keys: HashSet<u64>,
    positions: Vec<Position>,
}

impl Places {
    fn add(&mut self, position: &Position) {
        if self.keys.insert(Key::of(position).number) {
            self.positions.push(filed(position));
        }
    }
}

/// What the moves of a position lose against the best of them and of what the search would play.
fn of_position(position: &Position, moves: &[Move], studies: &Studies) -> Vec<Loss> {
    let filed = filed(position);
    let worth = |position: &Position, mv| {
        let study = studies.get(Key::of(&after(position, mv)).number);
        let study = study.expect("invariant: it was thought about");
        (-study.value(), study.depth.saturating_add(1))
    };
    let worths: Vec<_> = moves.iter().map(|&mv| worth(position, mv)).collect();
    let choice = best(&filed, studies).map(|mv| worth(&filed, mv));
    let Some((best, _)) = worths.iter().copied().chain(choice).max() else { return Vec::new() };
    let loss = |(&mv, (value, depth))| {
        let points = u32::from(best.abs_diff(value));
        Loss { position: position.clone(), mv, points, value, depth }
    };
    moves.iter().zip(worths).map(loss).collect()
}

/// The move that the search would play in a position on file.
fn best(position: &Position, studies: &Studies) -> Option<Move> {
    studies.get(Key::of(position).number)?.moves.first().map(|&(mv, _)| mv)
}
