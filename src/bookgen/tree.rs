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
    grow::Plan,
    thoughts::{Thoughts, Worth},
};
use crate::{book::Key, position::Position, types::Color};

/// Positions that are known and what can be played in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    positions: HashMap<u64, Position>,
    nodes: HashMap<u64, Vec<Edge>>,
}

/// A move of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) worth: Worth,
    /// The position that it leads to.
    child: u64,
}

/// What a plan leads to.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Positions that are known, those that matter most first.
    pub(super) known: Vec<u64>,
    /// Those that a book's owner comes to and has the move in.
    pub(super) own: HashSet<u64>,
    /// Positions that are not known.
    pub(super) unknown: Vec<u64>,
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

    /// The moves of a known position.
    pub(super) fn edges(&self, key: u64) -> &[Edge] {
        self.nodes.get(&key).map_or(&[], Vec::as_slice)
    }

    /// What a position is worth for the side to move.
    pub(super) fn value(&self, key: u64) -> i16 {
        self.edges(key).iter().map(|edge| edge.worth.value).max().unwrap_or_else(lost)
    }

    /// Takes over what was thought of a position; tells whether anything was.
    fn learn(&mut self, key: u64, thoughts: Option<&Thoughts>) -> bool {
        let hash_map::Entry::Vacant(node) = self.nodes.entry(key) else { return true };
        let position = &self.positions[&key];
        let Some(worths) = thoughts.and_then(|thoughts| thoughts.get(position)) else {
            return false;
        };
        let edges = worths.into_iter().map(|worth| {
            let after = after(position, worth.mv);
            (Edge { worth, child: Key::of(&after).number }, after)
        });
        let edges: Vec<_> = edges.collect();
        node.insert(edges.iter().map(|&(edge, _)| edge).collect());
        for (Edge { child, .. }, after) in edges {
            self.positions.entry(child).or_insert_with(|| filed(&after));
        }
        true
    }

    /// Goes from the root to where a plan leads, the cheapest way first: it costs what each of its
    /// moves loses against the best, and a bit each ply. Where nothing was thought of a position, the
    /// way ends.
    ///
    /// A book serves either side. For its owner, moves within the margin are gone into; for the
    /// other side, all within the wider one.
    pub(super) fn reach(&mut self, root: u64, plan: &Plan, thoughts: Option<&Thoughts>) -> Reach {
        let mut reach = Reach::default();
        let mut seen = HashSet::new();
        let mut settled = HashSet::new();
        let mut ways: BinaryHeap<_> =
            Color::ALL.map(|owner| Reverse((0, 0, root, owner as usize))).into();
        while let Some(Reverse((cost, ply, key, owner))) = ways.pop() {
            if !settled.insert((key, owner)) {
                continue;
            }
            if !seen.contains(&key) {
                if seen.len() == plan.positions {
                    break;
                }
                seen.insert(key);
                let known = self.learn(key, thoughts);
                if known { &mut reach.known } else { &mut reach.unknown }.push(key);
            }
            let own = self.positions[&key].side() as usize == owner;
            if own {
                reach.own.insert(key);
            }
            if ply + 1 >= plan.plies {
                continue;
            }
            let margin = if own { plan.margin } else { plan.reply_margin };
            let best = self.value(key);
            for edge in self.edges(key) {
                let loss = u32::from(best.abs_diff(edge.worth.value));
                if loss <= margin {
                    let cost = cost + loss + plan.ply_cost;
                    ways.push(Reverse((cost, ply + 1, edge.child, owner)));
                }
            }
        }
        reach
    }

    /// Keeps these positions alone, and gives each move that leads to one of them what is known of
    /// it there, from the last plies up to the root.
    ///
    /// A move that leads back to what could be had sooner keeps its own value, which no circle can
    /// upset.
    pub(super) fn back_up(&mut self, root: u64, kept: &[u64]) {
        let kept: HashSet<_> = kept.iter().copied().collect();
        self.nodes.retain(|key, _| kept.contains(key));
        let mut plies = HashMap::from([(root, 0)]);
        let mut order = vec![root];
        let mut at = 0;
        while let Some(&key) = order.get(at) {
            let ply = plies[&key] + 1;
            for edge in self.edges(key) {
                if self.nodes.contains_key(&edge.child) && !plies.contains_key(&edge.child) {
                    plies.insert(edge.child, ply);
                    order.push(edge.child);
                }
            }
            at += 1;
        }
        for &key in order.iter().rev() {
            let mut edges = self.edges(key).to_vec();
            for edge in &mut edges {
                if plies.get(&edge.child) == Some(&(plies[&key] + 1)) {
                    edge.worth.value = -self.value(edge.child);
                }
            }
            self.nodes.insert(key, edges);
        }
    }
}
