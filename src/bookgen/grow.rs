//! A book from nothing but thought: from the start position along the moves that are worth it.

use std::ops::ControlFlow;

use serde::Serialize;

use super::{
    studies::{Studies, StudyError},
    tree::Tree,
};
use crate::{
    book::{Entry, Pages},
    position::Position,
};

/// The most a move weighs: the best one of a position.
const HEAVIEST: u32 = 100;
/// Positions that are thought about before it is seen anew what is worth it.
const BATCH: usize = 32;

/// How far a book goes. Points are those of [`Entry::score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// So many plies have a move in the book.
    pub plies: u32,
    /// The book has at most so many positions, those that the least is lost on the way to.
    pub positions: usize,
    /// Points that an own move may be worse than the best by.
    pub margin: u32,
    /// Points that a move of the other side may be worse by and still find an answer.
    pub reply_margin: u32,
    /// Points that each ply counts for in comparing ways: the more, the broader; the fewer, the
    /// deeper.
    pub ply_cost: u32,
}

/// How it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions that are known.
    pub done: usize,
    /// Positions that there are to be; for a growing book the most there may be.
    pub wanted: usize,
}

/// Makes a book; `None` when `tell` called it off. What was thought by then stays thought.
///
/// The book depends on the plan and on what the studies depend on, not on threads and stops.
///
/// # Errors
/// When thoughts cannot be kept.
///
/// # Panics
/// Never: searches think of legal moves.
pub fn grow(
    plan: &Plan,
    studies: &mut Studies,
    mut tell: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<Pages>, StudyError> {
    let (mut tree, root) = Tree::new(&Position::start());
    let known = loop {
        let reach = tree.reach(root, plan, |key| studies.get(key));
        if reach.unknown.is_empty() {
            break reach.known;
        }
        // Later ones may yet turn out not to matter.
        let next = reach.unknown.iter().take(BATCH);
        let positions: Vec<_> = next.map(|&key| tree.position(key).clone()).collect();
        let mut tell =
            |done| tell(Progress { done: reach.known.len() + done, wanted: plan.positions });
        if studies.think(&positions, &mut tell)?.is_break() {
            return Ok(None);
        }
    };
    tree.back_up(root, &known);
    // What turned out to be no good is not gone into any more.
    let kept = tree.reach(root, &Plan { positions: usize::MAX, ..*plan }, |_| None).known;
    let plan_text = toml::to_string(plan).expect("invariant: plain values can be written");
    let mut pages = Pages::new(studies.text() + &plan_text);
    for key in kept {
        let depth = studies.get(key).map_or(0, |study| study.depth);
        let best = tree.value(key);
        for edge in tree.edges(key) {
            let loss = u32::from(best.abs_diff(edge.value));
            if let Some(weight) = weight(loss, plan.margin) {
                let entry = Entry { score: Some(edge.value), depth, ..Entry::new(edge.mv, weight) };
                let set = pages.set(tree.position(key), entry);
                set.expect("invariant: a search thinks of legal moves");
            }
        }
    }
    Ok(Some(pages))
}

/// What a move weighs that loses so much against the best: less in proportion, and nothing beyond
/// the margin.
fn weight(loss: u32, margin: u32) -> Option<u32> {
    let left = (margin + 1).checked_sub(loss).filter(|&left| left > 0)?;
    Some((HEAVIEST * left / (margin + 1)).max(1))
}
