//! The keys of 兵河 and 鹏飞 books: Zobrist numbers from the random numbers of a well-known C
//! library. Knows positions, not what is said of them.

use crate::{
    book::xqwizard::locks,
    position::Position,
    types::{Color, Piece, Square},
};

/// Squares that a piece has numbers for, most of them off the board.
const SQUARES: usize = 256;

struct Numbers {
    pieces: [[u64; SQUARES]; Piece::NUM],
    red_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut source = Source(0);
    let mut numbers = Numbers { pieces: [[0; SQUARES]; Piece::NUM], red_to_move: 0 };
    let mut piece = 0;
    while piece < Piece::NUM {
        let mut square = 0;
        while square < SQUARES {
            numbers.pieces[piece][square] = source.long();
            square += 1;
        }
        piece += 1;
    }
    numbers.red_to_move = source.long();
    numbers
};

/// The generator, from its first state on.
struct Source(u32);

impl Source {
    /// Fifteen bits.
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(214_013).wrapping_add(2_531_011);
        (self.0 >> 16 & 0x7FFF) as u64
    }

    /// Five of them, of which the last gives four bits.
    const fn long(&mut self) -> u64 {
        let (mut long, mut shift) = (0, 0);
        while shift < u64::BITS {
            long ^= self.next() << shift;
            shift += 15;
        }
        long
    }
}

/// The keys of a position and of its mirror image.
pub(super) fn keys(position: &Position) -> [u64; 2] {
    let side = if position.side() == Color::Red { NUMBERS.red_to_move } else { 0 };
    let key = |seen: fn(Square) -> Square| {
        position.occupied().into_iter().fold(side, |key, square| {
            let at = usize::from(locks::number(seen(square)));
            let number = |piece: Piece| NUMBERS.pieces[piece as usize][at];
            key ^ position.piece_at(square).map_or(0, number)
        })
    };
    [key(|square| square), key(Square::mirror)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Unobserved;

    #[test]
    fn numbers_are_the_published_ones() {
        assert_eq!(NUMBERS.pieces[0][..2], [0x7130_b4bd_8f13_8026, 0x451a_5f87_5056_ae15]);
        assert_eq!(NUMBERS.red_to_move, 0xa0ce_2af9_0c45_2f58);
    }

    #[test]
    fn keys_are_the_published_ones() {
        let mut position = Position::start();
        assert_eq!(keys(&position)[0] as i64, 7_101_337_512_282_506_414);
        position.make("h2e2".parse().unwrap(), &mut Unobserved);
        assert_eq!(keys(&position)[0] as i64, -6_779_375_433_368_598_546);
    }

    #[test]
    fn the_mirror_image_has_the_same_keys_exchanged() {
        let mut one = Position::start();
        let mut other = one.clone();
        assert_eq!(keys(&one)[0], keys(&one)[1]);
        for mv in ["h2e2", "b9c7", "g3g4"] {
            let mv: crate::types::Move = mv.parse().unwrap();
            one.make(mv, &mut Unobserved);
            other.make(mv.mirror(), &mut Unobserved);
        }
        let [own, mirror] = keys(&one);
        assert_ne!(own, mirror);
        assert_eq!(keys(&other), [mirror, own]);
    }
}
