//! The keys of `.xqb` books: the board itself, packed into bits, seen by the side to move and from
//! the one of both sides that comes first. Knows positions, not what is said of them.

use crate::{
    position::Position,
    types::{Color, Kind, Move, Square},
};

const FILES: usize = 9;

/// How a position is seen that a key was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct View {
    /// By Black: turned by half a circle.
    turned: bool,
    /// Then with left and right exchanged.
    mirrored: bool,
}

/// The key of a position, and what its moves are called under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) bytes: Vec<u8>,
    view: View,
    /// Whether the position is its own mirror image.
    pub(super) symmetric: bool,
}

impl Key {
    pub(super) fn of(position: &Position) -> Self {
        let turned = position.side() == Color::Black;
        let code = |view: View, cell: usize| {
            let piece = position.piece_at(view.square(cell))?;
            let own = piece.color() == position.side();
            Some(letter(piece.kind()) + if own { 0 } else { 8 })
        };
        let straight = View { turned, mirrored: false };
        // The first pair that differs decides.
        let asymmetric = (0..Square::NUM).find_map(|cell| {
            let pair = [cell, opposite(cell)].map(|cell| code(straight, cell));
            (cell % FILES < FILES / 2 && pair[0] != pair[1]).then_some(pair)
        });
        let view = View { turned, mirrored: asymmetric.is_some_and(|[left, right]| right > left) };
        let mut bits = Bits::default();
        for cell in 0..Square::NUM {
            match code(view, cell) {
                None => bits.push(0, 1),
                Some(code) => bits.push(0b1_0000 | code, 5),
            }
        }
        Self { bytes: bits.bytes, view, symmetric: asymmetric.is_none() }
    }

    /// The move that a number under this key means, if it means any: where from, where to, each as
    /// row and column from Black's left.
    pub(super) fn read(&self, number: i64) -> Option<Move> {
        let number = u16::try_from(number).ok()?;
        let square = |byte: u16| {
            let (row, column) = (usize::from(byte >> 4), usize::from(byte & 15));
            let cell = row * FILES + column;
            (column < FILES && cell < Square::NUM).then(|| self.view.square(cell))
        };
        Move::new(square(number >> 8)?, square(number & 0xFF)?)
    }
}

impl View {
    /// The square that is seen as this cell, counted row by row from the far left.
    fn square(self, cell: usize) -> Square {
        let cell = if self.mirrored { opposite(cell) } else { cell };
        // Ranks are counted from below, cells from above.
        let square = Square::ALL[cell].flip();
        if self.turned { square.flip().mirror() } else { square }
    }
}

/// The cell on the other side of the middle.
fn opposite(cell: usize) -> usize {
    cell - cell % FILES + (FILES - 1 - cell % FILES)
}

fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::Rook => 1,
        Kind::Knight => 2,
        Kind::Bishop => 3,
        Kind::Advisor => 4,
        Kind::King => 5,
        Kind::Cannon => 6,
        Kind::Pawn => 7,
    }
}

/// Bytes that are filled from the highest bit down.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// Adds the lowest `count` bits.
    fn push(&mut self, bits: u8, count: u32) {
        for shift in (0..count).rev() {
            if self.used.is_multiple_of(u8::BITS) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (bits >> shift & 1) << (7 - self.used % u8::BITS);
            }
            self.used += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Unobserved;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::start();
        for mv in moves {
            position.make(mv.parse().unwrap(), &mut Unobserved);
        }
        position
    }

    #[test]
    fn the_key_of_the_start_is_the_published_one() {
        let key = Key::of(&Position::start());
        let published = [
            0xce, 0xb7, 0xce, 0xf3, 0x7a, 0xc8, 0x01, 0xe0, 0x79, 0xf7, 0xdf, 0x7d, 0xf0, 0x00,
            0x02, 0xeb, 0xae, 0xba, 0xeb, 0x02, 0xc0, 0x04, 0x65, 0x3a, 0x56, 0x93, 0x94, 0x40,
        ];
        assert_eq!(key.bytes, published);
        assert_eq!(key.read(0x7774).unwrap().to_string(), "h2e2");
        assert!(key.symmetric);
    }

    #[test]
    fn the_mirror_image_has_the_same_key_and_mirrored_moves() {
        let (one, other) = (after(&["h2e2", "h9g7"]), after(&["b2e2", "b9c7"]));
        let keys = [Key::of(&one), Key::of(&other)];
        assert_eq!(keys[0].bytes, keys[1].bytes);
        assert!(!keys[0].symmetric);
        let moves = [0x9776, 0x9674].map(|number| keys.each_ref().map(|key| key.read(number)));
        for [one, other] in moves {
            assert_eq!(one.unwrap().mirror(), other.unwrap());
        }
    }

    #[test]
    fn black_is_seen_as_red_would_be() {
        let black = after(&["a3a4"]);
        let turned = "rnbakabnr/9/1c5c1/p1p1p1p2/8p/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let red = Key::of(&Position::from_fen(turned).unwrap());
        let black = Key::of(&black);
        assert_eq!(red.bytes, black.bytes);
        // What is h2e2 for Red in the turned position is b7e7 for Black.
        let number = (0..=u16::MAX)
            .find(|&number| red.read(number.into()).is_some_and(|mv| mv.to_string() == "h2e2"));
        assert_eq!(black.read(number.unwrap().into()).unwrap().to_string(), "b7e7");
    }

    #[test]
    fn numbers_off_the_board_are_no_moves() {
        let key = Key::of(&Position::start());
        for number in [-1, 0x7777, 0x7974, 0xA074, 0x1_7774] {
            assert_eq!(key.read(number), None, "{number:#x}");
        }
    }
}
