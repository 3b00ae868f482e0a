//! The men: seven kinds, fourteen pieces, and their FEN letters.

use super::Color;

/// What a man is, whoever owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// 帅/将: one step inside the palace.
    King,
    /// 仕/士: one diagonal step inside the palace.
    Advisor,
    /// 相/象: two diagonal steps on its own side of the river.
    Bishop,
    /// 马: one step and one diagonal step outward.
    Knight,
    /// 车: any distance along a rank or file.
    Rook,
    /// 炮: moves like a rook, captures over exactly one man.
    Cannon,
    /// 兵/卒: one step forward; after the river also sideways.
    Pawn,
}

impl Kind {
    /// How many there are.
    pub const NUM: usize = 7;
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; Self::NUM] = [
        Self::King,
        Self::Advisor,
        Self::Bishop,
        Self::Knight,
        Self::Rook,
        Self::Cannon,
        Self::Pawn,
    ];

    /// How many men of this kind a side may have: what it starts with, but up to five guards, for
    /// composed positions have them and they leave the number of moves within its bound.
    pub const fn most(self) -> u32 {
        match self {
            Self::King => 1,
            Self::Knight | Self::Rook | Self::Cannon => 2,
            Self::Advisor | Self::Bishop | Self::Pawn => 5,
        }
    }
}

/// A man with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "each name is a colour and a documented kind")]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedBishop,
    RedKnight,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackBishop,
    BlackKnight,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

impl Piece {
    /// How many there are.
    pub const NUM: usize = 14;
    /// Every piece, Red's first, each in the order of [`Kind::ALL`].
    pub const ALL: [Self; Self::NUM] = [
        Self::RedKing,
        Self::RedAdvisor,
        Self::RedBishop,
        Self::RedKnight,
        Self::RedRook,
        Self::RedCannon,
        Self::RedPawn,
        Self::BlackKing,
        Self::BlackAdvisor,
        Self::BlackBishop,
        Self::BlackKnight,
        Self::BlackRook,
        Self::BlackCannon,
        Self::BlackPawn,
    ];

    const LETTERS: [u8; Self::NUM] = *b"KABNRCPkabnrcp";
    const KINDS: [Kind; Self::NUM] = {
        let mut kinds = [Kind::King; Self::NUM];
        let mut i = 0;
        while i < Self::NUM {
            kinds[i] = Kind::ALL[i % Kind::NUM];
            i += 1;
        }
        kinds
    };

    /// The piece of a side and kind.
    pub const fn new(color: Color, kind: Kind) -> Self {
        Self::ALL[color as usize * Kind::NUM + kind as usize]
    }

    /// Whose it is.
    pub const fn color(self) -> Color {
        if (self as usize) < Kind::NUM { Color::Red } else { Color::Black }
    }

    /// What it is.
    pub const fn kind(self) -> Kind {
        Self::KINDS[self as usize]
    }

    /// The FEN letter: upper case for Red.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize] as char
    }

    /// Reads a FEN letter; `E` is taken for a bishop (elephant) and `H` for a knight (horse).
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = match letter {
            'E' => 'B',
            'e' => 'b',
            'H' => 'N',
            'h' => 'n',
            other => other,
        };
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}
