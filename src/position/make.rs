//! Making and unmaking moves. Tells an observer what changed; does not know who watches.

use super::{Position, zobrist::Keys};
use crate::types::{Bitboard, Color, Move, Piece, Square};

/// Learns of every man put on or taken off a square while a move is made.
pub trait Observer {
    /// `piece` now stands on `at`.
    fn put(&mut self, piece: Piece, at: Square);
    /// `piece` stands on `at` no longer.
    fn take(&mut self, piece: Piece, at: Square);
}

/// Nobody watches: perft, the rules, tests.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn put(&mut self, _: Piece, _: Square) {}
    fn take(&mut self, _: Piece, _: Square) {}
}

/// What a move destroyed, kept to take it back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<Piece>,
    keys: Keys,
    clock: u16,
    number: u16,
}

impl Undo {
    /// The man the move captured.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        self.captured
    }
}

impl Position {
    /// Plays a move of the side to move.
    ///
    /// The move must be pseudo-legal: a man of the mover stands on its first square.
    ///
    /// # Panics
    /// When the first square is empty.
    #[inline]
    pub fn make(&mut self, mv: Move, observer: &mut impl Observer) -> Undo {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board[from as usize].expect("invariant: a man stands where a move starts");
        let captured = self.board[to as usize];
        let undo = Undo { captured, keys: self.keys, clock: self.clock, number: self.number };

        self.clock = self.clock.saturating_add(1);
        if let Some(victim) = captured {
            self.pieces[victim as usize] ^= Bitboard::of(to);
            self.colors[victim.color() as usize] ^= Bitboard::of(to);
            self.keys.toggle(victim, to);
            observer.take(victim, to);
            self.clock = 0;
        }
        self.shift(piece, from, to);
        self.keys.toggle(piece, from);
        self.keys.toggle(piece, to);
        observer.take(piece, from);
        observer.put(piece, to);

        self.number = self.number.saturating_add(self.side as u16);
        self.side = !self.side;
        self.keys.toggle_side();
        undo
    }

    /// Takes back the move that `make` just played.
    ///
    /// # Panics
    /// When no man stands where the move ended.
    #[inline]
    pub fn unmake(&mut self, mv: Move, undo: &Undo) {
        let (from, to) = (mv.from(), mv.to());
        let piece = self.board[to as usize].expect("invariant: a man stands where a move ended");
        self.side = !self.side;
        self.shift(piece, to, from);
        if let Some(victim) = undo.captured {
            self.board[to as usize] = Some(victim);
            self.pieces[victim as usize] |= Bitboard::of(to);
            self.colors[victim.color() as usize] |= Bitboard::of(to);
        }
        self.keys = undo.keys;
        self.clock = undo.clock;
        self.number = undo.number;
    }

    /// Passes the move to the other side; only out of check does that mean anything.
    pub fn make_null(&mut self) {
        self.side = !self.side;
        self.keys.toggle_side();
    }

    /// Takes the pass back; it is its own inverse.
    pub fn unmake_null(&mut self) {
        self.make_null();
    }

    /// The key after a move, without making it.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut keys = self.keys;
        keys.toggle_side();
        if let Some(victim) = self.piece_at(mv.to()) {
            keys.toggle(victim, mv.to());
        }
        if let Some(piece) = self.piece_at(mv.from()) {
            keys.toggle(piece, mv.from());
            keys.toggle(piece, mv.to());
        }
        keys.whole
    }

    /// The position with left and right exchanged, its counters as they are.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let mut mirror = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                mirror.place(piece, square.mirror());
            }
        }
        if self.side == Color::Black {
            mirror.make_null();
        }
        Self { clock: self.clock, number: self.number, ..mirror }
    }

    /// The position as if no game had led to it: its counters start afresh.
    #[must_use]
    pub fn without_history(self) -> Self {
        Self { clock: 0, number: 1, ..self }
    }

    /// Adds a man to an empty square while a position is set up.
    pub(super) fn place(&mut self, piece: Piece, at: Square) {
        self.board[at as usize] = Some(piece);
        self.pieces[piece as usize] |= Bitboard::of(at);
        self.colors[piece.color() as usize] |= Bitboard::of(at);
        self.keys.toggle(piece, at);
        self.note_king(piece, at);
    }

    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let both = Bitboard::of(from) ^ Bitboard::of(to);
        self.board[from as usize] = None;
        self.board[to as usize] = Some(piece);
        self.pieces[piece as usize] ^= both;
        self.colors[piece.color() as usize] ^= both;
        self.note_king(piece, to);
    }

    fn note_king(&mut self, piece: Piece, at: Square) {
        match piece {
            Piece::RedKing => self.kings[0] = at,
            Piece::BlackKing => self.kings[1] = at,
            _ => {}
        }
    }
}
