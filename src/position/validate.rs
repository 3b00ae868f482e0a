//! The slow, obvious recomputation of everything a position keeps up to date. Knows no moves.

use super::{Keys, Position};
use crate::types::{Bitboard, Color, Piece, Square};

/// What a position keeps that is not what its board says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inconsistency {
    /// The set of one piece.
    #[error("the set of `{}` is not where they stand", .0.letter())]
    Pieces(Piece),
    /// The set of one side's men.
    #[error("the set of {0}'s men is not where they stand")]
    Men(Color),
    /// The square noted for a king.
    #[error("the king of {0} is not where it is noted")]
    King(Color),
    /// One of the keys.
    #[error("the keys are not those of the men and the side to move")]
    Keys,
}

impl Position {
    /// Compares all incremental state with the board; meant for tests.
    ///
    /// # Errors
    /// The first thing that differs.
    pub fn validate(&self) -> Result<(), Inconsistency> {
        let check = |holds, error| if holds { Ok(()) } else { Err(error) };
        let standing = |wanted: &dyn Fn(Piece) -> bool| {
            let here = |square: &Square| self.piece_at(*square).is_some_and(wanted);
            Square::ALL.into_iter().filter(here).collect::<Bitboard>()
        };

        for piece in Piece::ALL {
            let set = standing(&|other| other == piece);
            check(self.pieces[piece as usize] == set, Inconsistency::Pieces(piece))?;
        }
        for (color, king) in Color::ALL.into_iter().zip([Piece::RedKing, Piece::BlackKing]) {
            let set = standing(&|piece| piece.color() == color);
            check(self.colors[color as usize] == set, Inconsistency::Men(color))?;
            check(self.piece_at(self.king(color)) == Some(king), Inconsistency::King(color))?;
        }

        let mut keys = Keys::default();
        for square in Square::ALL {
            if let Some(piece) = self.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        if self.side == Color::Black {
            keys.toggle_side();
        }
        check(self.keys == keys, Inconsistency::Keys)
    }
}
