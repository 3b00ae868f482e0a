//! What positions are filed under. Knows nothing of what is said of them.

use super::Entry;
use crate::{
    position::Position,
    types::{Color, Move, Piece, SplitMix64, Square},
};

struct Numbers {
    pieces: [[u64; Square::NUM]; Piece::NUM],
    black_to_move: u64,
}

/// Apart from the numbers that searches use: those may change, what lies in files may not.
static NUMBERS: Numbers = {
    // 开局 opens the sequence. Another seed, or another order, is another version of the format.
    let mut rng = SplitMix64::new(0x5F00_5C40);
    let mut numbers = Numbers { pieces: [[0; Square::NUM]; Piece::NUM], black_to_move: rng.next() };
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < Square::NUM {
            numbers.pieces[piece][square] = rng.next();
            square += 1;
        }
        piece += 1;
    }
    numbers
};

/// The key of a position and its mirror image, and which of the two is the one on file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The lesser of both keys.
    pub number: u64,
    /// Whether the mirror image is on file; its moves are to be mirrored, too.
    pub mirrored: bool,
    /// Whether the position is its own mirror image; what is said of a move holds for the mirrored
    /// one as well, and the one of fewer bits is on file.
    pub symmetric: bool,
}

impl Key {
    /// The key of a position.
    pub fn of(position: &Position) -> Self {
        let side = if position.side() == Color::Black { NUMBERS.black_to_move } else { 0 };
        let (mut own, mut mirror) = (side, side);
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let numbers = &NUMBERS.pieces[piece as usize];
                own ^= numbers[square as usize];
                mirror ^= numbers[square.mirror() as usize];
            }
        }
        Self { number: own.min(mirror), mirrored: mirror < own, symmetric: own == mirror }
    }

    /// The move that is on file for one of the position's moves. In a position that is not its own
    /// mirror image this leads back as well.
    #[must_use]
    pub fn filed(&self, mv: Move) -> Move {
        let mirror = mv.mirror();
        let less = Move::to_bits(Some(mirror)) < Move::to_bits(Some(mv));
        if self.mirrored || self.symmetric && less { mirror } else { mv }
    }
    /// Adds what a filed entry says of the position's moves: one move, or two where it is its own
    /// mirror image.
    pub(super) fn unfile(&self, entry: Entry, entries: &mut Vec<Entry>) {
        entries.push(if self.mirrored { entry.mirror() } else { entry });
        if self.symmetric && entry.mirror() != entry {
            entries.push(entry.mirror());
        }
    }
}
