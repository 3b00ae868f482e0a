//! Why a move is illegal (第2条, 4.1.2, 4.1.6): what a referee says to the player who made it. Knows
//! one position and one move; says it in no language.

use crate::{
    position::{Position, Unobserved, attacks},
    types::{Color, Kind, Move, Piece, Square},
};

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegality {
    /// It is written in a way that names no man on the board.
    NobodyThere,
    /// No man stands where it starts.
    Empty(Square),
    /// It moves a man of the other side.
    NotOwn(Piece),
    /// It captures a man of its own side.
    OwnMan(Piece),
    /// Men of this kind do not move so far, or not that way.
    Way(Piece),
    /// A pawn steps back.
    Back(Piece),
    /// A pawn steps sideways on its own side of the river.
    Sideways(Piece),
    /// It leaves the palace (九宫).
    Palace(Piece),
    /// A bishop crosses the river.
    River(Piece),
    /// A horse's leg is hobbled by the man there (蹩马腿).
    Leg(Square),
    /// A bishop's eye is blocked by the man there (塞象眼).
    Eye(Square),
    /// The first man in a rook's or a cannon's way stands there.
    Obstructed(Square),
    /// A cannon captures over no man, or over several.
    Screen,
    /// The kings face each other afterwards (4.1.2).
    KingsFace,
    /// The king stood in check and still does.
    CheckNotParried,
    /// The king can be captured afterwards.
    IntoCheck,
}

impl Illegality {
    /// What is wrong with a move; nothing with a legal one.
    ///
    /// ```
    /// use chuhe::{position::Position, rules::Illegality};
    /// let wrong = |mv: &str| Illegality::of(&Position::start(), mv.parse().unwrap());
    /// assert_eq!(wrong("h2e2"), None);
    /// assert_eq!(wrong("h0f1"), Some(Illegality::Leg("g0".parse().unwrap())));
    /// ```
    pub fn of(position: &Position, mv: Move) -> Option<Self> {
        if position.is_legal(mv) {
            return None;
        }
        let (us, from, to) = (position.side(), mv.from(), mv.to());
        let Some(piece) = position.piece_at(from) else { return Some(Self::Empty(from)) };
        if piece.color() != us {
            return Some(Self::NotOwn(piece));
        }
        if let Some(own) = position.piece_at(to).filter(|man| man.color() == us) {
            return Some(Self::OwnMan(own));
        }
        if !position.targets(piece.kind(), from).has(to) {
            return Some(Self::of_way(position, piece, mv));
        }
        let mut after = position.clone();
        after.make(mv, &mut Unobserved);
        let [red, black] = Color::ALL.map(|color| after.king(color));
        let face = red.file() == black.file()
            && (attacks::between(red, black) & after.occupied()).is_empty();
        Some(match position.in_check() {
            _ if face => Self::KingsFace,
            true => Self::CheckNotParried,
            false => Self::IntoCheck,
        })
    }

    /// What keeps a man from getting there.
    fn of_way(position: &Position, piece: Piece, mv: Move) -> Self {
        let (us, from, to) = (piece.color(), mv.from(), mv.to());
        let occupied = position.occupied();
        let files = from.file().abs_diff(to.file());
        let ranks = from.rank().abs_diff(to.rank());
        let home = |square: Square| square.relative_to(us);
        match (piece.kind(), files, ranks) {
            (Kind::King, 0, 1) | (Kind::King, 1, 0) | (Kind::Advisor, 1, 1) => Self::Palace(piece),
            (Kind::Bishop, 2, 2) if !to.at_home(us) => Self::River(piece),
            (Kind::Bishop, 2, 2) => Self::Eye(halfway(from, to)),
            // The leg is the next point along the longer side of the way.
            (Kind::Knight, 1, 2) => Self::Leg(step(from, to, false)),
            (Kind::Knight, 2, 1) => Self::Leg(step(from, to, true)),
            (Kind::Pawn, 1, 0) => Self::Sideways(piece),
            (Kind::Pawn, 0, 1) if home(to).rank() < home(from).rank() => Self::Back(piece),
            (Kind::Rook | Kind::Cannon, _, 0) | (Kind::Rook | Kind::Cannon, 0, _) => {
                let mut men: Vec<_> = (attacks::between(from, to) & occupied).into_iter().collect();
                let distance = |man: Square| {
                    man.file().abs_diff(from.file()) + man.rank().abs_diff(from.rank())
                };
                men.sort_unstable_by_key(|&man| distance(man));
                match men.first() {
                    Some(&first) if piece.kind() == Kind::Rook || !occupied.has(to) => {
                        Self::Obstructed(first)
                    }
                    _ => Self::Screen,
                }
            }
            _ => Self::Way(piece),
        }
    }

    /// The articles by which whoever plays such a move has lost.
    pub const fn clauses(self) -> &'static [&'static str] {
        match self {
            Self::KingsFace => &["4.1.2"],
            _ => &["4.1.6"],
        }
    }
}

/// The point in the middle of two.
fn halfway(from: Square, to: Square) -> Square {
    at(from.file().midpoint(to.file()), from.rank().midpoint(to.rank()))
}

/// The next point towards another along the file, or along the rank.
fn step(from: Square, to: Square, along_rank: bool) -> Square {
    let towards = |from: u8, to: u8| if to > from { from + 1 } else { from - 1 };
    if along_rank {
        at(towards(from.file(), to.file()), from.rank())
    } else {
        at(from.file(), towards(from.rank(), to.rank()))
    }
}

fn at(file: u8, rank: u8) -> Square {
    Square::at(file as i8, rank as i8).expect("invariant: a point between two others")
}

#[cfg(test)]
mod tests {
    use super::*;

    use Illegality::*;

    fn wrong(fen: &str, mv: &str) -> Option<Illegality> {
        Illegality::of(&Position::from_fen(fen).unwrap(), mv.parse().unwrap())
    }

    fn at(square: &str) -> Square {
        square.parse().unwrap()
    }

    fn man(letter: char) -> Piece {
        Piece::from_letter(letter).unwrap()
    }

    #[test]
    fn each_rule_of_movement_is_named_when_it_is_broken() {
        let start = Position::start().fen();
        let few = "4k4/9/9/9/1P7/2B6/9/9/3rA4/2BAK4 w";
        for (fen, mv, told) in [
            (&*start, "h3h4", Empty(at("h3"))),
            (&start, "b9c7", NotOwn(man('n'))),
            (&start, "a0a3", OwnMan(man('P'))),
            (&start, "h2i4", Way(man('C'))),
            (&start, "i3h3", Sideways(man('P'))),
            (&start, "i3i2", Back(man('P'))),
            (&start, "i3i5", Way(man('P'))),
            (&start, "h0f1", Leg(at("g0"))),
            (&start, "b0d1", Leg(at("c0"))),
            (&start, "i0i5", Obstructed(at("i3"))),
            (&start, "a0a6", Obstructed(at("a3"))),
            (&start, "b2b8", Obstructed(at("b7"))),
            (&start, "b2b7", Screen),
            (&start, "h2h8", Obstructed(at("h7"))),
            (&start, "e0e2", Way(man('K'))),
            (few, "c4e6", River(man('B'))),
            (few, "c0e2", Eye(at("d1"))),
            (few, "d0c1", Palace(man('A'))),
            (few, "e1e2", Way(man('A'))),
            (few, "b5b4", Back(man('P'))),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0c0", Palace(man('K'))),
        ] {
            assert_eq!(wrong(fen, mv), Some(told), "{fen} {mv}");
        }
    }

    #[test]
    fn a_king_may_neither_stay_in_check_nor_walk_into_it_nor_face_the_other() {
        for (fen, mv, told, clause) in [
            ("3k5/9/9/9/9/9/4r4/9/9/4K4 w", "e0d0", KingsFace, "4.1.2"),
            ("4k4/9/9/9/4P4/9/9/9/9/4K4 w", "e5d5", KingsFace, "4.1.2"),
            ("5k3/9/9/9/9/9/4r4/9/9/4K4 w", "e0e1", CheckNotParried, "4.1.6"),
            ("5k3/9/9/9/9/9/3r5/9/9/4K4 w", "e0d0", IntoCheck, "4.1.6"),
            ("3k5/9/4r4/9/9/9/9/9/4A4/4K4 w", "e1f2", IntoCheck, "4.1.6"),
        ] {
            assert_eq!(wrong(fen, mv), Some(told), "{fen} {mv}");
            assert_eq!(told.clauses(), [clause]);
        }
    }
}
