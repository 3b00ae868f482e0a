//! Moves as people write them: ICCS, Chinese (炮二平五), WXF, and the encodings that files come in. Knows positions and legal moves; knows no rules of a game and no engine.

mod annotation;
mod chinese;
mod guess;
mod iccs;
mod portrait;
mod quote;
mod result;
mod san;
mod spelling;
pub mod text;
mod words;
mod wxf;

use crate::{position::Position, types::Move};

pub use annotation::{Annotation, Eval};
pub use chinese::{Digits, Script, Style};
pub use quote::{escaped, one_line, quote};
pub use result::GameResult;
pub use words::{Word, first_move, lone_mark, resigns};

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

/// Which number the rank of Red's king has. Programs disagree, and only a whole game tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranks {
    /// ICCS, UCCI and nearly everybody.
    #[default]
    FromZero,
    /// Programs that play chess as well.
    FromOne,
}

impl Ranks {
    const fn first(self) -> u8 {
        self as u8
    }
}

/// Why a text is no move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// No notation writes moves like this.
    #[error("`{}` is a move in no notation", quote(.0))]
    Unreadable(String),
    /// It means something, but no legal move.
    #[error("`{}` is no legal move here", quote(.text))]
    Impossible {
        /// What was written.
        text: String,
        /// The moves that it may mean, none of which is legal; none where no man is meant.
        meant: Vec<Move>,
    },
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
/// for text in ["h2e2", "H2-E2", "炮二平五", "砲２平５", "C2.5", "Ｃ２＝５", "炮25", "Che2"] {
///     let mv = notation::parse(&Position::start(), text);
///     assert_eq!(mv.map(|mv| mv.to_string()), Ok("h2e2".into()));
/// }
/// ```
///
/// # Errors
/// When it is no move, no legal one, or may mean more than one.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    parse_ranked(position, text, Ranks::FromZero)
}

/// As [`parse`], where ranks are counted as told.
///
/// # Errors
/// As [`parse`].
pub fn parse_ranked(position: &Position, text: &str, ranks: Ranks) -> Result<Move, MoveError> {
    let plain = words::plain(text);
    if let Some(mv) = iccs::read(&plain, ranks) {
        if position.is_legal(mv) {
            return Ok(mv);
        }
        // `C2e3` may be a cannon of the second rank.
        let san = san::San::read(&plain, ranks).map(|san| san.resolve(position, text));
        return match san {
            None | Some(Err(MoveError::Impossible { .. })) => {
                Err(MoveError::Impossible { text: text.into(), meant: vec![mv] })
            }
            Some(read) => read,
        };
    }
    let spelt = spelling::Spelling::read(&plain).map(|spelling| spelling.resolve(position, text));
    match (spelt, san::San::read(&plain, ranks)) {
        (Some(Ok(mv)), _) => Ok(mv),
        (Some(Err(error)), None) => Err(error),
        (_, Some(san)) => san.resolve(position, text),
        (None, None) => Err(MoveError::Unreadable(text.into())),
    }
}

fn list(moves: &[Move]) -> String {
    let words: Vec<_> = moves.iter().map(Move::to_string).collect();
    words.join(" or ")
}

#[cfg(test)]
mod tests;
