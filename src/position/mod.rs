//! An arrangement of men and how it changes. Knows the laws of movement; has no history, knows no
//! rules of repetition and no values.

pub mod attacks;
mod dead;
mod fen;
mod legality;
mod make;
mod movegen;
pub mod perft;
pub mod see;
#[cfg(test)]
mod tests;
mod validate;
mod zobrist;

use std::fmt;

use crate::types::{Bitboard, Color, Kind, Piece, Square};

pub use fen::FenError;
pub use legality::CheckInfo;
pub use make::{Observer, Undo, Unobserved};
pub use movegen::MoveKind;
pub use validate::Inconsistency;
pub use zobrist::{Keys, Numbers};

/// The men on the board and whose move it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: [Option<Piece>; Square::NUM],
    pieces: [Bitboard; Piece::NUM],
    colors: [Bitboard; Color::NUM],
    kings: [Square; Color::NUM],
    side: Color,
    keys: Keys,
    clock: u16,
    number: u16,
}

impl Position {
    /// Where every game begins.
    pub const START_FEN: &str =
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    /// The start position.
    ///
    /// ```
    /// use chuhe::position::Position;
    /// assert_eq!(Position::start().legal_moves().len(), 44);
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "the start position is well formed")]
    pub fn start() -> Self {
        Self::from_fen(Self::START_FEN).expect("invariant: the start position is well formed")
    }

    /// Whose move it is.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Identifies the placement and the side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.whole
    }

    /// The keys of groups of men.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Plies since the last capture, as far as the FEN and the moves since tell.
    #[inline]
    pub fn clock(&self) -> u32 {
        u32::from(self.clock)
    }

    /// The number of the coming move, counted as in a FEN.
    pub fn number(&self) -> u32 {
        u32::from(self.number)
    }

    /// The man on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square as usize]
    }

    /// Where the king of `color` stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color as usize]
    }

    /// The men of one colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.pieces[Piece::new(color, kind) as usize]
    }

    /// The men of one kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.pieces(Color::Red, kind) | self.pieces(Color::Black, kind)
    }

    /// The men of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// Whether a pawn, of either side, stands on a square.
    #[inline]
    pub fn is_pawn(&self, square: Square) -> bool {
        self.piece_at(square).is_some_and(|piece| piece.kind() == Kind::Pawn)
    }

    /// All men.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Rooks, knights and cannons of `color`.
    #[inline]
    pub fn majors(&self, color: Color) -> Bitboard {
        self.pieces(color, Kind::Rook)
            | self.pieces(color, Kind::Knight)
            | self.pieces(color, Kind::Cannon)
    }

    fn empty() -> Self {
        Self {
            board: [None; Square::NUM],
            pieces: [Bitboard::EMPTY; Piece::NUM],
            colors: [Bitboard::EMPTY; Color::NUM],
            kings: [Square::E0, Square::E9],
            side: Color::Red,
            keys: Keys::default(),
            clock: 0,
            number: 1,
        }
    }
}

impl fmt::Display for Position {
    /// The board as a person sees it, Black on top, the river drawn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..10).rev() {
            write!(f, "{rank} ")?;
            for file in 0..9 {
                let piece = Square::at(file, rank).and_then(|square| self.piece_at(square));
                write!(f, " {}", piece.map_or('.', Piece::letter))?;
            }
            writeln!(f)?;
            if rank == 5 {
                writeln!(f, "   ~~~~~~~~~~~~~~~~~")?;
            }
        }
        writeln!(f, "   a b c d e f g h i")
    }
}
