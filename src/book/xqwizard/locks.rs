//! The keys of `BOOK.DAT`: 32-bit words that RC4 gives for an empty password. Knows the board's
//! numbering there, no records.

use crate::{
    position::Position,
    types::{Color, Move, Piece, Square},
};

/// Words for each man on each point: the key of its program's hash table, and two locks. Books are
/// filed under the last one.
pub(super) type Words = [u32; 3];

/// The numbers that locks are made of.
pub(super) struct Locks {
    black_to_move: Words,
    men: Box<[[Words; Square::NUM]; Piece::NUM]>,
}

impl std::fmt::Debug for Locks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // There is one set of numbers, and it is long.
        f.write_str("Locks")
    }
}

impl Locks {
    pub(super) fn new() -> Self {
        let mut stream = Rc4::new([0; 4]);
        let black_to_move = stream.words();
        let mut men = Box::new([[[0; 3]; Square::NUM]; Piece::NUM]);
        for man in men.iter_mut() {
            for number in 0..=u8::MAX {
                let words = stream.words();
                if let Some(square) = square(number) {
                    man[square as usize] = words;
                }
            }
        }
        Self { black_to_move, men }
    }

    /// The words of a position and of its mirror image.
    pub(super) fn of(&self, position: &Position) -> [Words; 2] {
        let side = if position.side() == Color::Black { self.black_to_move } else { [0; 3] };
        let mut both = [side; 2];
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let man = &self.men[piece as usize];
                for (sum, square) in both.iter_mut().zip([square, square.mirror()]) {
                    let words = man[square as usize];
                    *sum = std::array::from_fn(|at| sum[at] ^ words[at]);
                }
            }
        }
        both
    }
}

/// A point by its number there: 16 to a rank, Black's back rank being the third, file a the third.
fn square(number: u8) -> Option<Square> {
    let (file, row) = (number & 15, number >> 4);
    Square::at(file as i8 - 3, 12 - row as i8)
}

/// The number of a point there.
pub(in crate::book) fn number(square: Square) -> u16 {
    u16::from((12 - square.rank()) << 4 | (square.file() + 3))
}

/// The move that a number stands for: where from in the low byte, where to in the high one.
pub(in crate::book) fn read_move(number: u16) -> Option<Move> {
    let [from, to] = number.to_le_bytes();
    Move::new(square(from)?, square(to)?)
}

/// The number of a move.
pub(super) fn move_number(mv: Move) -> u16 {
    number(mv.from()) | number(mv.to()) << 8
}

/// The stream cipher (Rivest's, as published in 1994) as a source of numbers.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new(password: [u8; 4]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
        let mut j = 0_u8;
        for i in 0..state.len() {
            j = j.wrapping_add(state[i]).wrapping_add(password[i % password.len()]);
            state.swap(i, usize::from(j));
        }
        Self { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        let here = self.state[usize::from(self.x)];
        self.y = self.y.wrapping_add(here);
        self.state.swap(usize::from(self.x), usize::from(self.y));
        let there = self.state[usize::from(self.x)];
        self.state[usize::from(here.wrapping_add(there))]
    }

    fn words(&mut self) -> Words {
        [(); 3].map(|()| u32::from_le_bytes([(); 4].map(|()| self.byte())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Line;

    /// The position after these moves from the start.
    fn after(moves: &[&str]) -> Position {
        let mut line = Line::new(Position::start());
        for mv in moves {
            line.play(mv.parse().unwrap()).unwrap();
        }
        line.position().clone()
    }

    #[test]
    fn the_stream_is_the_published_one() {
        let mut stream = Rc4::new(*b"Wiki");
        assert_eq!([(); 6].map(|()| stream.byte()), [0x60, 0x44, 0xDB, 0x6D, 0x41, 0xB7]);
    }

    #[test]
    fn words_are_those_that_books_were_made_with() {
        let locks = Locks::new();
        assert_eq!(locks.black_to_move, [0x4189_18de, 0x3a5d_37a3, 0x671e_068a]);
        let king = locks.men[Piece::RedKing as usize][Square::E0 as usize];
        assert_eq!(king, [0xbb99_fe32, 0x1690_781b, 0xffa2_bed5]);
        let [start, mirror] = locks.of(&Position::start());
        assert_eq!(start, [0xe6db_463e, 0x8f89_9c24, 0x0526_56d5]);
        assert_eq!(mirror, start);
        let locks_of = |moves: &[&str]| locks.of(&after(moves)).map(|[_, _, lock]| lock);
        assert_eq!(locks_of(&["h2e2"]), [0xeb50_5d7d, 0x5396_644f]);
        assert_eq!(locks_of(&["h2e2", "h9g7"])[0], 0xdf3a_d30d);
    }

    #[test]
    fn points_are_numbered_as_in_books() {
        for (square, wanted) in [(Square::A0, 0xC3), (Square::E0, 0xC7), (Square::A9, 0x33)] {
            assert_eq!(number(square), wanted);
        }
        for from in Square::ALL {
            assert_eq!(square(number(from) as u8), Some(from));
        }
        assert_eq!((0..=u8::MAX).filter_map(square).count(), Square::NUM);
        let mv = "h2e2".parse().unwrap();
        assert_eq!((move_number(mv), read_move(0xA7AA)), (0xA7AA, Some(mv)));
    }
}
