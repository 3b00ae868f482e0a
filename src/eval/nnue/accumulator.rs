//! The hidden layer of both sides, followed move by move and computed only when asked for. Knows
//! which men came and went, not what the numbers are good for.

use super::{
    Network,
    features::{Active, VIEWS, View},
};
use crate::{
    position::Position,
    simd::Block,
    types::{Bitboard, Color, Kind, Piece, Square},
};

/// One position of the path.
#[derive(Clone, Copy, Debug)]
struct Step {
    kings: [Square; Color::NUM],
    views: [View; Color::NUM],
    /// Whose hidden layer has been computed.
    known: [bool; Color::NUM],
    /// What the move that led here changed.
    put: Option<(Piece, Square)>,
    moved: Option<(Piece, Square)>,
    victim: Option<(Piece, Square)>,
}

impl Step {
    fn new(kings: [Square; Color::NUM]) -> Self {
        let views = Color::ALL.map(|color| View::of(color, kings));
        Self { kings, views, known: [false; Color::NUM], put: None, moved: None, victim: None }
    }
}

/// What a view last saw from nothing: most of it will be the same next time.
#[derive(Clone, Debug)]
struct Seen {
    pieces: [Bitboard; Piece::NUM],
    row: Vec<Block>,
}

/// The hidden layers along a path of moves.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    steps: Vec<Step>,
    /// Red's and Black's row of each step, one after the other.
    rows: Vec<Block>,
    seen: Box<[Seen; VIEWS]>,
}

impl Accumulators {
    /// Those of a path that has not begun.
    pub(super) fn new(network: &Network) -> Self {
        let seen =
            || Seen { pieces: [Bitboard::EMPTY; Piece::NUM], row: network.input_bias().to_vec() };
        let mut new = Self {
            steps: Vec::new(),
            rows: Vec::new(),
            seen: Box::new(std::array::from_fn(|_| seen())),
        };
        new.reset([Square::E0, Square::E9], network);
        new
    }

    /// Begins a path where the kings, Red's first, stand here.
    pub(super) fn reset(&mut self, kings: [Square; Color::NUM], network: &Network) {
        self.steps.clear();
        self.add(Step::new(kings), network);
    }

    /// A move is about to be made; `put` and `take` tell which.
    #[inline]
    pub(super) fn push(&mut self, network: &Network) {
        let known = [false; Color::NUM];
        self.add(Step { known, put: None, moved: None, victim: None, ..*self.top() }, network);
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
            step.views = Color::ALL.map(|color| View::of(color, step.kings));
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
    pub(super) fn rows(&mut self, position: &Position, network: &Network) -> [&[Block]; 2] {
        let top = self.steps.len() - 1;
        for color in Color::ALL {
            if !self.steps[top].known[color as usize] {
                match self.nearest(color) {
                    Some(known) => (known..top).for_each(|at| self.follow(at + 1, color, network)),
                    None => self.look_afresh(color, position, network),
                }
            }
        }
        let blocks = network.row_blocks();
        let (red, black) = self.rows[2 * top * blocks..][..2 * blocks].split_at(blocks);
        [red, black]
    }

    /// The latest step that `color` knows and has seen in the same view ever since.
    #[inline]
    fn nearest(&self, color: Color) -> Option<usize> {
        let view = self.top().views[color as usize];
        let mut at = self.steps.len() - 1;
        loop {
            let step = &self.steps[at];
            if step.views[color as usize] != view {
                return None;
            }
            if step.known[color as usize] {
                return Some(at);
            }
            at = at.checked_sub(1)?;
        }
    }

    /// Computes a step from the one before.
    #[inline]
    fn follow(&mut self, at: usize, color: Color, network: &Network) {
        let blocks = network.row_blocks();
        let step = &mut self.steps[at];
        step.known[color as usize] = true;
        let view = step.views[color as usize];
        let row = |(piece, at)| network.input_row(view.index(piece, at));
        let (before, now) = self.rows.split_at_mut(2 * at * blocks);
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

    /// Computes the last step from what its view saw last.
    #[cold]
    fn look_afresh(&mut self, color: Color, position: &Position, network: &Network) {
        let blocks = network.row_blocks();
        let top = self.steps.len() - 1;
        let step = &mut self.steps[top];
        step.known[color as usize] = true;
        let view = step.views[color as usize];
        let seen = &mut self.seen[view.number()];
        let (mut adds, mut subs) = (Active::new(), Active::new());
        for piece in Piece::ALL {
            let now = position.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut seen.pieces[piece as usize], now);
            adds.extend((now & !before).into_iter().map(|at| view.index(piece, at)));
            subs.extend((before & !now).into_iter().map(|at| view.index(piece, at)));
        }
        network.kernels().update(&mut seen.row, network.input_weights(), &adds, &subs);
        let row = &mut self.rows[(2 * top + color as usize) * blocks..][..blocks];
        row.copy_from_slice(&seen.row);
    }

    #[inline]
    fn add(&mut self, step: Step, network: &Network) {
        self.steps.push(step);
        let needed = 2 * self.steps.len() * network.row_blocks();
        if self.rows.len() < needed {
            self.rows.resize(needed, Block::ZERO);
        }
    }

    #[inline]
    fn top(&self) -> &Step {
        self.steps.last().expect("invariant: the first step is never taken back")
    }

    #[inline]
    fn top_mut(&mut self) -> &mut Step {
        self.steps.last_mut().expect("invariant: the first step is never taken back")
    }
}
