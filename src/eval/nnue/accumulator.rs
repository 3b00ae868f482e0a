//! The hidden layer of both sides, followed move by move and computed only when asked for. Knows
//! which men came and went, not what the numbers are good for.

use super::{
    Network,
    features::{ActiveFeatures, PERSPECTIVES, Perspective},
};
use crate::{
    position::Position,
    simd::I16x32,
    types::{Bitboard, Color, Kind, Piece, Square},
};

/// One position of the path.
#[derive(Clone, Copy, Debug)]
struct StackEntry {
    kings: [Square; Color::NUM],
    perspectives: [Perspective; Color::NUM],
    /// Whose hidden layer has been computed.
    computed: [bool; Color::NUM],
    /// What the move that led here changed.
    put: Option<(Piece, Square)>,
    moved: Option<(Piece, Square)>,
    victim: Option<(Piece, Square)>,
}

impl StackEntry {
    fn new(kings: [Square; Color::NUM]) -> Self {
        let perspectives = Color::ALL.map(|color| Perspective::of(color, kings));
        Self {
            kings,
            perspectives,
            computed: [false; Color::NUM],
            put: None,
            moved: None,
            victim: None,
        }
    }
}

/// An entry of the Finny (refresh) table: what a perspective was last computed for from nothing,
/// because most of it will be the same next time.
#[derive(Clone, Debug)]
struct FinnyEntry {
    pieces: [Bitboard; Piece::NUM],
    row: Vec<I16x32>,
}

/// The hidden layers along a path of moves.
#[derive(Clone, Debug)]
pub(super) struct AccumulatorStack {
    steps: Vec<StackEntry>,
    /// Red's and Black's row of each position, one after the other.
    accumulators: Vec<I16x32>,
    finny: Box<[FinnyEntry; PERSPECTIVES]>,
}

impl AccumulatorStack {
    /// Those of a path that has not begun.
    pub(super) fn new(network: &Network) -> Self {
        let finny = || FinnyEntry {
            pieces: [Bitboard::EMPTY; Piece::NUM],
            row: network.input_bias().to_vec(),
        };
        let mut new = Self {
            steps: Vec::new(),
            accumulators: Vec::new(),
            finny: Box::new(std::array::from_fn(|_| finny())),
        };
        new.reset([Square::E0, Square::E9], network);
        new
    }

    /// Begins a path where the kings, Red's first, stand here.
    pub(super) fn reset(&mut self, kings: [Square; Color::NUM], network: &Network) {
        self.steps.clear();
        self.add(StackEntry::new(kings), network);
    }

    /// A move is about to be made; `put` and `take` tell which.
    #[inline]
    pub(super) fn push(&mut self, network: &Network) {
        let computed = [false; Color::NUM];
        self.add(
            StackEntry { computed, put: None, moved: None, victim: None, ..*self.top() },
            network,
        );
    }

    /// The latest move has been taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    #[inline]
    pub(super) fn put(&mut self, piece: Piece, at: Square) {
        let step = self.top_mut();
        debug_assert!(step.put.is_none(), "a move puts one man");
        step.put = Some((piece, at));
        if piece.kind() == Kind::King {
            step.kings[piece.color() as usize] = at;
            step.perspectives = Color::ALL.map(|color| Perspective::of(color, step.kings));
        }
    }

    #[inline]
    pub(super) fn take(&mut self, piece: Piece, at: Square) {
        // The man that moves leaves last.
        let step = self.top_mut();
        step.victim = step.moved.replace((piece, at));
    }

    /// Red's and Black's hidden layer in the position reached, which is `position`.
    #[inline]
    pub(super) fn accumulators(
        &mut self,
        position: &Position,
        network: &Network,
    ) -> [&[I16x32]; 2] {
        let top = self.steps.len() - 1;
        for color in Color::ALL {
            if !self.steps[top].computed[color as usize] {
                match self.last_computed(color) {
                    Some(computed) => {
                        (computed..top).for_each(|at| self.update(at + 1, color, network));
                    }
                    None => self.refresh(color, position, network),
                }
            }
        }
        let blocks = network.row_vectors();
        let (red, black) = self.accumulators[2 * top * blocks..][..2 * blocks].split_at(blocks);
        [red, black]
    }

    /// The latest entry that `color` knows and has had the same perspective ever since.
    #[inline]
    fn last_computed(&self, color: Color) -> Option<usize> {
        let perspective = self.top().perspectives[color as usize];
        let mut at = self.steps.len() - 1;
        loop {
            let step = &self.steps[at];
            if step.perspectives[color as usize] != perspective {
                return None;
            }
            if step.computed[color as usize] {
                return Some(at);
            }
            at = at.checked_sub(1)?;
        }
    }

    /// Computes an entry from the one before.
    #[inline]
    fn update(&mut self, at: usize, color: Color, network: &Network) {
        let blocks = network.row_vectors();
        let step = &mut self.steps[at];
        step.computed[color as usize] = true;
        let perspective = step.perspectives[color as usize];
        let row = |(piece, at)| network.input_row(perspective.index(piece, at));
        let (before, now) = self.accumulators.split_at_mut(2 * at * blocks);
        let before = &before[(2 * (at - 1) + color as usize) * blocks..][..blocks];
        let now = &mut now[color as usize * blocks..][..blocks];
        let (put, moved) = (step.put.zip(step.moved)).expect("invariant: a move moves a man");
        let (put, moved) = (row(put), row(moved));
        match step.victim {
            None => network.kernels().add_sub(now, before, put, moved),
            Some(victim) => {
                network.kernels().add_sub_sub(now, before, put, [moved, row(victim)]);
            }
        }
    }

    /// Computes the last entry from what the Finny table has for its perspective.
    #[cold]
    fn refresh(&mut self, color: Color, position: &Position, network: &Network) {
        let blocks = network.row_vectors();
        let top = self.steps.len() - 1;
        let step = &mut self.steps[top];
        step.computed[color as usize] = true;
        let perspective = step.perspectives[color as usize];
        let finny = &mut self.finny[perspective.number()];
        let (mut adds, mut subs) = (ActiveFeatures::new(), ActiveFeatures::new());
        for piece in Piece::ALL {
            let now = position.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut finny.pieces[piece as usize], now);
            adds.extend((now & !before).into_iter().map(|at| perspective.index(piece, at)));
            subs.extend((before & !now).into_iter().map(|at| perspective.index(piece, at)));
        }
        network.kernels().update(&mut finny.row, network.input_weights(), &adds, &subs);
        let row = &mut self.accumulators[(2 * top + color as usize) * blocks..][..blocks];
        row.copy_from_slice(&finny.row);
    }

    #[inline]
    fn add(&mut self, step: StackEntry, network: &Network) {
        self.steps.push(step);
        let needed = 2 * self.steps.len() * network.row_vectors();
        if self.accumulators.len() < needed {
            self.accumulators.resize(needed, I16x32::ZERO);
        }
    }

    #[inline]
    fn top(&self) -> &StackEntry {
        self.steps.last().expect("invariant: the first step is never taken back")
    }

    #[inline]
    fn top_mut(&mut self) -> &mut StackEntry {
        self.steps.last_mut().expect("invariant: the first step is never taken back")
    }
}
