//! A book from nothing but thought: from the start position along the moves that are worth it.

use std::ops::ControlFlow;

use super::{
    plan::BookPlan,
    studies::StudyError,
    thoughts::{Thoughts, Worth},
    tree::{BookNode, Tree},
    weight::weight,
};
use crate::{
    book::{Entry, Pages},
    position::Position,
};

/// Positions that are thought about before it is seen anew what is worth it.
const BATCH: usize = 32;

/// How it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Positions that are known.
    pub done: usize,
    /// Positions that there are to be; for a growing book the most there may be.
    pub wanted: usize,
}

/// Makes a book; `None` when `tell` called it off. What was thought by then stays thought.
///
/// A book serves either side, and has the positions that one comes to who plays by it himself. It
/// depends on the plan and on what the thoughts depend on, not on threads and stops.
///
/// # Errors
/// When thoughts cannot be kept.
///
/// # Panics
/// Never: searches think of legal moves.
pub fn grow(
    plan: &BookPlan,
    thoughts: &mut Thoughts,
    mut tell: impl FnMut(BuildProgress) -> ControlFlow<()>,
) -> Result<Option<Pages>, StudyError> {
    let (mut tree, root) = Tree::new(&Position::start());
    let reach = loop {
        let reach = tree.reach(root, plan, Some(thoughts));
        if reach.unknown.is_empty() {
            break reach;
        }
        let done = reach.known.iter().filter(|node| node.own).count();
        // Later ones may yet turn out not to matter.
        let (own, others): (Vec<_>, Vec<_>) =
            reach.unknown.into_iter().take(BATCH).partition(|node| node.own);
        let positions = |nodes: Vec<BookNode>| -> Vec<_> {
            nodes.iter().map(|node| tree.position(node.key).clone()).collect()
        };
        let (own, others) = (positions(own), positions(others));
        let mut tell = || tell(BuildProgress { done, wanted: plan.positions });
        if thoughts.think(&own, &others, &mut tell)?.is_break() {
            return Ok(None);
        }
    };
    tree.back_up(root, &reach.known);
    // What turned out to be no good is not gone into any more.
    let reach = tree.reach(root, &BookPlan { positions: usize::MAX, ..*plan }, None);
    let plan_text = toml::to_string(plan).expect("invariant: plain values can be written");
    let mut pages = Pages::new(thoughts.text() + &plan_text);
    for node in reach.known.into_iter().filter(|node| node.own) {
        let best = tree.value(node);
        for edge in tree.edges(node) {
            let Worth { mv, value, depth } = edge.worth;
            if let Some(weight) = weight(best.abs_diff(value).into(), plan.margin) {
                let entry = Entry { score: Some(value), depth, ..Entry::new(mv, weight) };
                let set = pages.set(tree.position(node.key), entry);
                set.expect("invariant: a search thinks of legal moves");
            }
        }
    }
    Ok(Some(pages))
}
