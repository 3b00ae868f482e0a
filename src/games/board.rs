//! Boards that files store man by man.

use std::fmt::Write;

use crate::{
    position::{FenError, Position},
    types::{Color, Piece, Square},
};

/// Men on points, of which there may be too many, anywhere.
#[derive(Clone, Debug)]
pub(super) struct Board {
    men: [Option<Piece>; 90],
}

impl Board {
    pub(super) fn new() -> Self {
        Self { men: [None; 90] }
    }

    pub(super) fn put(&mut self, man: Piece, at: Square) {
        self.men[usize::from(at.rank()) * 9 + usize::from(at.file())] = Some(man);
    }

    /// The position, if it is one; whoever is to move.
    pub(super) fn position(&self, side: Color, number: u32) -> Result<Position, FenError> {
        let mut fen = String::new();
        for (index, rank) in self.men.chunks(9).rev().enumerate() {
            if index > 0 {
                fen.push('/');
            }
            for man in rank {
                fen.push(man.map_or('1', Piece::letter));
            }
        }
        let side = if side == Color::Red { 'w' } else { 'b' };
        let _ = write!(fen, " {side} - - 0 {number}");
        Position::from_fen(&fen)
    }
}

/// The men in the order in which several formats list them: rooks, knights, bishops, advisors and the
/// king from one side to the other, cannons, pawns; Red's first.
pub(super) const ROSTER: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// The man with a number in [`ROSTER`].
pub(super) fn man(index: usize) -> Option<Piece> {
    ROSTER.get(index).and_then(|&letter| Piece::from_letter(char::from(letter)))
}

/// The point of a file from Red's left and a rank from Red's side.
pub(super) fn point(file: u8, rank: u8) -> Option<Square> {
    if file > 8 || rank > 9 { None } else { Square::at(file as i8, rank as i8) }
}
