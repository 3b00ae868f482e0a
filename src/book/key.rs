//! What positions are filed under. Knows nothing of what is said of them.

use super::Entry;
use crate::{
    position::{Numbers, Position},
    types::Move,
};

/// Apart from the numbers that searches use: those may change, what lies in files may not. 开局 opens
/// the sequence; another seed, or another order, is another version of the format.
static NUMBERS: Numbers = Numbers::from_seed(0x5F00_5C40);

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
        let side = NUMBERS.side(position.side());
        let (mut own, mut mirror) = (side, side);
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                own ^= NUMBERS.man(piece, square);
                mirror ^= NUMBERS.man(piece, square.mirror());
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

    #[cfg(feature = "tools")]
    /// Whether the move is told of itself and not by its mirror image, which is as good in a position
    /// that is its own.
    pub(crate) fn tells_of(&self, mv: Move) -> bool {
        !self.symmetric || self.filed(mv) == mv
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_that_lie_in_files() {
        // Reckoned by a program apart, from what book/README.md says.
        for (fen, number) in [
            (Position::START_FEN, 0x9257_6955_26CF_34EE),
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b",
                0x49BB_1079_803A_8BC0,
            ),
        ] {
            assert_eq!(Key::of(&Position::from_fen(fen).unwrap()).number, number, "{fen}");
        }
    }
}
