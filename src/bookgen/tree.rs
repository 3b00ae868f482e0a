//! What the moves that are worth it lead to, and what the moves are worth when that is known. Knows
//! no search: what it needs to know of a position it asks for.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet, hash_map},
};

use super::{
    after,
    analyst::lost,
    filed,
    plan::BookPlan,
    thoughts::{Thoughts, Worth},
};
use crate::{book::Key, position::Position};

/// Positions that are known and what can be played in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    positions: HashMap<u64, Position>,
    nodes: HashMap<BookNode, Vec<Edge>>,
}

/// A position by its key, and whose move it is: one may be the owner's turn in a book for Red and the
/// other side's in a book for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BookNode {
    pub(super) key: u64,
    /// Whether the book's owner has the move.
    pub(super) own: bool,
}

impl BookNode {
    /// The position that all else begins from, as either side's book has it.
    fn roots(root: u64) -> [Self; 2] {
        [true, false].map(|own| Self { key: root, own })
    }
}

/// A move of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) worth: Worth,
    /// Where it leads.
    child: BookNode,
}

/// What a plan leads to, those that matter most first.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) known: Vec<BookNode>,
    pub(super) unknown: Vec<BookNode>,
}

impl Tree {
    /// A tree of the position that all else begins from.
    pub(super) fn new(root: &Position) -> (Self, u64) {
        let root = filed(root);
        let key = Key::of(&root).number;
        (Self { positions: HashMap::from([(key, root)]), nodes: HashMap::new() }, key)
    }

    /// A position that was reached.
    pub(super) fn position(&self, key: u64) -> &Position {
        &self.positions[&key]
    }

    /// The moves of a known node.
    pub(super) fn edges(&self, node: BookNode) -> &[Edge] {
        self.nodes.get(&node).map_or(&[], Vec::as_slice)
    }

    /// What a node is worth for the side to move.
    pub(super) fn value(&self, node: BookNode) -> i16 {
        self.edges(node).iter().map(|edge| edge.worth.value).max().unwrap_or_else(lost)
    }

    /// Takes over what was thought of a node; tells whether anything was.
    fn learn(&mut self, node: BookNode, thoughts: Option<&Thoughts>) -> bool {
        let hash_map::Entry::Vacant(vacant) = self.nodes.entry(node) else { return true };
        let position = &self.positions[&node.key];
        let Some(worths) = thoughts.and_then(|thoughts| thoughts.get(position, node.own)) else {
            return false;
        };
        let edges = worths.into_iter().map(|worth| {
            let after = after(position, worth.mv);
            let child = BookNode { key: Key::of(&after).number, own: !node.own };
            (Edge { worth, child }, after)
        });
        let edges: Vec<_> = edges.collect();
        vacant.insert(edges.iter().map(|&(edge, _)| edge).collect());
        for (edge, after) in edges {
            self.positions.entry(edge.child.key).or_insert_with(|| filed(&after));
        }
        true
    }

    /// Goes from the root to where a plan leads, the cheapest way first: it costs what each of its
    /// moves loses against the best, and a bit each ply. Where nothing was thought of a position, the
    /// way ends.
    ///
    /// A book serves either side. For its owner, moves within the margin are gone into; for the
    /// other side, all within the wider one.
    pub(super) fn reach(
        &mut self,
        root: u64,
        plan: &BookPlan,
        thoughts: Option<&Thoughts>,
    ) -> Reach {
        let mut reach = Reach::default();
        let mut settled = HashSet::new();
        let mut own = 0;
        let mut ways: BinaryHeap<_> =
            BookNode::roots(root).map(|node| Reverse((0, 0, node))).into();
        while let Some(Reverse((cost, ply, node))) = ways.pop() {
            if !settled.insert(node) {
                continue;
            }
            own += usize::from(node.own);
            if own > plan.positions {
                break;
            }
            let known = self.learn(node, thoughts);
            if known { &mut reach.known } else { &mut reach.unknown }.push(node);
            if ply + 1 >= plan.plies {
                continue;
            }
            let margin = if node.own { plan.margin } else { plan.reply_margin };
            let best = self.value(node);
            for edge in self.edges(node) {
                let loss = u32::from(best.abs_diff(edge.worth.value));
                if loss <= margin {
                    let cost = cost + loss + plan.ply_cost;
                    ways.push(Reverse((cost, ply + 1, edge.child)));
                }
            }
        }
        reach
    }

    /// Keeps these nodes alone, and takes each move that leads to one of them for the mean of what
    /// was thought of it and of what its best line comes to: each errs in its own way, and the mean
    /// least.
    ///
    /// Lines end where a move leads back to what could be had sooner, so that no circle upsets them.
    pub(super) fn back_up(&mut self, root: u64, kept: &[BookNode]) {
        let kept: HashSet<_> = kept.iter().copied().collect();
        self.nodes.retain(|node, _| kept.contains(node));
        let mut order = BookNode::roots(root).to_vec();
        let mut plies: HashMap<_, _> = order.iter().map(|&node| (node, 0)).collect();
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            let ply = plies[&node] + 1;
            for edge in self.edges(node) {
                if self.nodes.contains_key(&edge.child) && !plies.contains_key(&edge.child) {
                    plies.insert(edge.child, ply);
                    order.push(edge.child);
                }
            }
            at += 1;
        }
        let mut lines: HashMap<BookNode, i16> = HashMap::new();
        for &node in order.iter().rev() {
            let ply = plies[&node] + 1;
            let mut best = lost();
            for edge in self.nodes.get_mut(&node).into_iter().flatten() {
                let value = &mut edge.worth.value;
                let further = plies.get(&edge.child) == Some(&ply);
                let line = if further { -lines[&edge.child] } else { *value };
                best = best.max(line);
                *value = value.midpoint(line);
            }
            lines.insert(node, best);
        }
    }
}
