//! Moves as people write them: ICCS, Chinese (炮二平五), WXF, and the encodings that files come in. Knows positions and legal moves; knows no rules of a game and no engine.

mod annotation;
mod chinese;
mod iccs;
mod portrait;
mod quote;
mod spelling;
pub mod text;
mod wxf;

use crate::{
    position::Position,
    types::{Color, Move},
};

pub use annotation::{Annotation, Eval};
pub use chinese::{Digits, Script, Style};
pub use quote::quote;

/// How a move is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// `H2-E2`: from where to where, Red's left being a and Red's back rank 0.
    #[default]
    Iccs,
    /// 炮二平五 (第7条).
    Chinese(Style),
    /// `C2=5`: the Chinese form in letters.
    Wxf,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`
    RedWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: it goes on, or nobody wrote it down.
    #[default]
    Unknown,
}

/// Why a text is no move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// No notation writes moves like this.
    #[error("`{}` is a move in no notation", quote(.0))]
    Unreadable(String),
    /// It means something, but no legal move.
    #[error("`{}` is no legal move here", quote(.0))]
    Impossible(String),
    /// It may mean several moves.
    #[error("`{}` may mean {}", quote(.text), list(.moves))]
    Ambiguous {
        /// What was written.
        text: String,
        /// What it may mean.
        moves: Vec<Move>,
    },
}

/// Writes a legal move of a position.
///
/// ```
/// use chuhe::{notation::{self, Format, Style}, position::Position};
/// let (start, mv) = (Position::start(), "h2e2".parse().unwrap());
/// assert_eq!(notation::print(&start, mv, Format::Iccs), "H2-E2");
/// assert_eq!(notation::print(&start, mv, Format::Wxf), "C2=5");
/// assert_eq!(notation::print(&start, mv, Format::Chinese(Style::default())), "炮二平五");
/// ```
///
/// # Panics
/// When no man of the side to move stands where the move starts.
pub fn print(position: &Position, mv: Move, format: Format) -> String {
    match format {
        Format::Iccs => iccs::print(mv),
        Format::Chinese(style) => chinese::print(position, mv, style),
        Format::Wxf => wxf::print(position, mv),
    }
}

/// Reads a legal move of a position in whichever notation it is written, short forms (炮25)
/// included.
///
/// ```
/// use chuhe::{notation, position::Position};
/// for text in ["h2e2", "H2-E2", "炮二平五", "砲２平５", "C2.5", "炮25"] {
///     let mv = notation::parse(&Position::start(), text).unwrap();
///     assert_eq!(mv.to_string(), "h2e2");
/// }
/// ```
///
/// # Errors
/// When it is no move, no legal one, or may mean more than one.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    match text.parse::<Move>() {
        Ok(mv) if position.is_legal(mv) => Ok(mv),
        Ok(_) => Err(MoveError::Impossible(text.into())),
        Err(_) => spelling::Spelling::read(text)
            .ok_or_else(|| MoveError::Unreadable(text.into()))?
            .resolve(position, text),
    }
}

impl GameResult {
    /// Who won, if anybody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::RedWins => Some(Color::Red),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// `winner` has won.
    pub const fn won_by(winner: Color) -> Self {
        match winner {
            Color::Red => Self::RedWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The token of PGN.
    pub const fn token(self) -> &'static str {
        match self {
            Self::RedWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Reads the token of PGN.
    pub fn from_token(token: &str) -> Option<Self> {
        let all = [Self::RedWins, Self::BlackWins, Self::Draw, Self::Unknown];
        let known = all.into_iter().find(|result| result.token() == token);
        known.or_else(|| (token == "1/2").then_some(Self::Draw))
    }
}

/// The move in a word, without a number before it; `None` when nothing else is there.
pub fn move_text(word: &str) -> Option<&str> {
    if word.starts_with('$') {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = digits.trim_start_matches(['.', '…', '、', '．']);
    let numbered = rest.len() < digits.len() || digits.is_empty();
    // `33.4` is a pawn's move in WXF.
    let bare_digit = rest.len() == 1 && rest.starts_with(|c: char| c.is_ascii_digit());
    let rest = if numbered && !bare_digit { rest } else { word };
    (!rest.is_empty()).then_some(rest)
}

fn list(moves: &[Move]) -> String {
    let words: Vec<_> = moves.iter().map(Move::to_string).collect();
    words.join(" or ")
}

#[cfg(test)]
mod tests;
