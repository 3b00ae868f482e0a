//! Which inputs of the network a position switches on. The one place that maps men to numbers:
//! the engine and the trainer both ask here. Knows no weights.

use arrayvec::ArrayVec;

use crate::{
    position::Position,
    types::{Color, Kind, Piece, Square},
};

/// How many inputs there are for each perspective: one for every man on every point where it can
/// come to stand, own and enemy, the own king on its half of the palace.
pub const COUNT: usize = 689;

/// The most men on a board, and so the most inputs that are on at once.
pub const MOST_MEN: usize = {
    let mut most = 0;
    let mut kind = 0;
    while kind < Kind::NUM {
        most += 2 * Kind::ALL[kind].most() as usize;
        kind += 1;
    }
    most
};

/// The inputs that a position switches on.
pub type ActiveFeatures = ArrayVec<u16, MOST_MEN>;

/// How many different perspectives there are.
pub const PERSPECTIVES: usize = 4;

/// How one side looks at the board: from its own back rank, and left and right exchanged where
/// that brings its king to the files d and e. While it stands on e, the enemy king decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
}

impl Perspective {
    /// The perspective of `color` with the kings, Red's first, where they are.
    #[inline]
    pub fn of(color: Color, kings: [Square; Color::NUM]) -> Self {
        const CENTRE: u8 = 4;
        let [own, enemy] = [color, !color].map(|side| kings[side as usize].file());
        Self { color, mirrored: own > CENTRE || own == CENTRE && enemy > CENTRE }
    }

    /// Its number, below [`PERSPECTIVES`].
    #[inline]
    pub fn number(self) -> usize {
        2 * self.color as usize + usize::from(self.mirrored)
    }

    /// The input for a man on a point. The own king must stand where the perspective has it stand.
    #[inline]
    pub fn index(self, piece: Piece, at: Square) -> u16 {
        INDEX[self.number()][piece as usize][at as usize]
    }
}

/// The inputs that a position switches on in the perspective of `color`, in no particular order.
pub fn active(position: &Position, color: Color) -> ActiveFeatures {
    let perspective = Perspective::of(color, Color::ALL.map(|side| position.king(side)));
    let men = position.occupied().into_iter();
    men.filter_map(|at| position.piece_at(at).map(|piece| perspective.index(piece, at))).collect()
}

/// No input: the own king where no perspective has it, or a man where it can never stand.
const NONE: u16 = u16::MAX;

/// A man as its perspective knows it.
#[derive(Clone, Copy)]
struct Man {
    kind: Kind,
    own: bool,
}

/// Whether the man has an input of its own for this point, seen from the perspective's back rank.
const fn has_input(man: Man, at: Square) -> bool {
    // As the man's owner sees the point.
    let (file, rank) = (at.file(), if man.own { at.rank() } else { 9 - at.rank() });
    match man.kind {
        Kind::King => rank <= 2 && file >= 3 && file <= if man.own { 4 } else { 5 },
        Kind::Advisor => match rank {
            0 | 2 => file == 3 || file == 5,
            1 => file == 4,
            _ => false,
        },
        Kind::Bishop => match rank {
            0 | 4 => file == 2 || file == 6,
            2 => file == 0 || file == 4 || file == 8,
            _ => false,
        },
        Kind::Knight | Kind::Rook | Kind::Cannon => true,
        Kind::Pawn => rank > 4 || rank > 2 && file.is_multiple_of(2),
    }
}

/// The point whose input stands for this one. Composed endings put men where no game could: a pawn
/// behind its first points counts as one on the nearest that games know, towards the centre, and an
/// advisor off the diagonals of its palace as one in the middle.
const fn stand_in(man: Man, at: Square) -> Square {
    let own_rank = if man.own { at.rank() } else { 9 - at.rank() };
    let (file, rank) = match man.kind {
        Kind::Pawn if own_rank <= 4 => {
            let file = match at.file() {
                file if file.is_multiple_of(2) => file,
                file if file < 4 => file + 1,
                file => file - 1,
            };
            (file, if own_rank < 3 { 3 } else { own_rank })
        }
        Kind::Advisor
            if own_rank <= 2
                && 3 <= at.file()
                && at.file() <= 5
                && (at.file() + own_rank).is_multiple_of(2) =>
        {
            (4, 1)
        }
        _ => return at,
    };
    let rank = if man.own { rank } else { 9 - rank };
    Square::at(file as i8, rank as i8).expect("invariant: both are on the board")
}

/// The inputs by man, own ones first, and point, numbered through.
const SLOTS: [[u16; Square::NUM]; Piece::NUM] = {
    let mut slots = [[NONE; Square::NUM]; Piece::NUM];
    let (mut next, mut i) = (0, 0);
    while i < Piece::NUM * Square::NUM {
        let (piece, at) = (i / Square::NUM, i % Square::NUM);
        let man = Man { kind: Kind::ALL[piece % Kind::NUM], own: piece < Kind::NUM };
        if has_input(man, Square::ALL[at]) {
            slots[piece][at] = next;
            next += 1;
        }
        i += 1;
    }
    assert!(next as usize == COUNT);
    slots
};

static INDEX: [[[u16; Square::NUM]; Piece::NUM]; PERSPECTIVES] = {
    let mut index = [[[NONE; Square::NUM]; Piece::NUM]; PERSPECTIVES];
    let mut i = 0;
    while i < PERSPECTIVES * Piece::NUM * Square::NUM {
        let (perspective, piece) = (i / Square::NUM / Piece::NUM, i / Square::NUM % Piece::NUM);
        let at = Square::ALL[i % Square::NUM];
        let color = Color::ALL[perspective / 2];
        let own = matches!(Piece::ALL[piece].color(), Color::Red) == matches!(color, Color::Red);
        let man = Man { kind: Piece::ALL[piece].kind(), own };
        let seen = at.relative_to(color);
        let seen = stand_in(man, if perspective % 2 == 1 { seen.mirror() } else { seen });
        let slot = man.kind as usize + if own { 0 } else { Kind::NUM };
        index[perspective][piece][at as usize] = SLOTS[slot][seen as usize];
        i += 1;
    }
    index
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::attacks;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn sorted(position: &Position, color: Color) -> Vec<u16> {
        let mut active = active(position, color).to_vec();
        active.sort_unstable();
        active
    }

    /// Left and right exchanged, by the text alone.
    fn mirrored(fen: &str) -> String {
        let (board, rest) = fen.split_once(' ').unwrap();
        let ranks = board.split('/').map(|rank| rank.chars().rev().collect::<String>());
        format!("{} {rest}", ranks.collect::<Vec<_>>().join("/"))
    }

    /// Sides exchanged, by the text alone.
    fn swapped(fen: &str) -> String {
        let (board, side) = fen.split_once(' ').unwrap();
        let swap = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        let board = board.chars().map(swap).collect::<String>();
        let ranks = board.split('/').rev().collect::<Vec<_>>().join("/");
        format!("{ranks} {}", if side == "w" { "b" } else { "w" })
    }

    const BOARDS: [&str; 5] = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "2bak4/4a4/4b4/9/2n6/9/4P4/4B3N/4A4/2BA1K3 b",
        "3k5/9/9/9/4C4/9/9/4C4/4K4/9 w",
        "4ka3/4a4/9/9/9/9/9/9/4p4/3K5 w",
        "2bakr3/3n5/b8/p3C4/9/6N2/2p5P/B8/4A4/5K3 w",
    ];

    #[test]
    fn every_input_is_used_and_every_man_that_can_stand_has_one() {
        let mut used = [false; COUNT];
        for (color, king, at) in
            [(Color::Red, Piece::RedKing, Square::D0), (Color::Black, Piece::BlackKing, Square::F9)]
        {
            let kings = if color == Color::Red { [at, Square::E9] } else { [Square::E0, at] };
            let perspective = Perspective::of(color, kings);
            assert_eq!(perspective.mirrored, color == Color::Black);
            for piece in Piece::ALL {
                for at in Square::ALL {
                    let index = perspective.index(piece, at);
                    // The own king stands where the perspective is the one of its file.
                    let may_stand = match piece.kind() {
                        Kind::King => piece.color() != color && attacks::king_points(!color, at),
                        Kind::Advisor => attacks::advisor_points(piece.color(), at),
                        Kind::Bishop => attacks::bishop_points(piece.color(), at),
                        Kind::Knight | Kind::Rook | Kind::Cannon | Kind::Pawn => true,
                    };
                    assert!(index != NONE || !may_stand, "{piece:?} {at}");
                    if index != NONE {
                        used[usize::from(index)] = true;
                    }
                }
            }
            assert_ne!(perspective.index(king, at), NONE);
        }
        assert!(used.iter().all(|&used| used));
    }

    #[test]
    fn left_and_right_are_one() {
        // Where both kings stand on the central file, nothing says which side to look from.
        for fen in &BOARDS[1..] {
            let (one, other) = (position(fen), position(&mirrored(fen)));
            for color in Color::ALL {
                assert_eq!(sorted(&one, color), sorted(&other, color), "{fen}");
            }
        }
    }

    #[test]
    fn both_sides_look_at_the_board_in_the_same_way() {
        for fen in BOARDS {
            let (one, other) = (position(fen), position(&swapped(fen)));
            for color in Color::ALL {
                assert_eq!(sorted(&one, color), sorted(&other, !color), "{fen}");
            }
        }
    }

    #[test]
    fn different_men_have_different_inputs() {
        for fen in BOARDS {
            for color in Color::ALL {
                let mut active = sorted(&position(fen), color);
                active.dedup();
                assert_eq!(active.len(), position(fen).occupied().count() as usize, "{fen}");
            }
        }
    }

    #[test]
    fn men_of_composed_endings_count_as_ones_nearby() {
        for (composed, usual) in [
            ("3k5/9/9/9/9/9/9/5P3/9/4K3P w", "3k5/9/9/9/9/9/4P3P/9/9/4K4 w"),
            ("4k4/3a5/9/9/9/9/9/9/9/3KA4 w", "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w"),
            ("4k4/9/4a4/9/9/9/9/9/5A3/3K5 w", "4k4/4a4/9/9/9/9/9/9/4A4/3K5 w"),
        ] {
            for color in Color::ALL {
                assert_eq!(sorted(&position(composed), color), sorted(&position(usual), color));
            }
        }
    }
}
