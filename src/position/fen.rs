//! Positions as text. Knows what a well-formed position is; refuses anything else with a reason.
//!
//! Reading is generous about everything but the board: programs disagree on side words and
//! counters and hang comments on the end. Printing always gives `board w - - clock number`.

use super::{Position, attacks};
use crate::types::{Color, Kind, Piece, Square};

/// Longest text worth reading, in bytes; a full board with counters needs less than 100.
const LONGEST: usize = 512;
/// Counters beyond this say nothing more; far below what the fields can hold.
const HIGHEST_COUNTER: u16 = 9_999;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Nobody writes positions that long.
    #[error("FEN of {0} bytes is too long (at most {LONGEST})")]
    TooLong(usize),
    /// Ranks are separated by `/`.
    #[error("board has {0} ranks, not 10")]
    Ranks(usize),
    /// Men and empty points of a rank do not add up.
    #[error("rank {rank} is {width} points wide, not 9")]
    Width {
        /// Which rank, 9 coming first.
        rank: u8,
        /// Men and empty points together.
        width: usize,
    },
    /// Neither a man nor a count of empty points.
    #[error("{letter:?} in rank {rank} is no man")]
    Letter {
        /// What stands there.
        letter: char,
        /// Which rank.
        rank: u8,
    },
    /// A side without a king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// More men than [`Kind::most`] allows.
    #[error("{count} `{}` on the board, at most {} can be", .piece.letter(), .piece.kind().most())]
    TooMany {
        /// The man there are too many of.
        piece: Piece,
        /// How many there are.
        count: u32,
    },
    /// The man is tied to a part of the board that the point is not in.
    #[error("`{}` can never stand on {square}", .piece.letter())]
    Misplaced {
        /// The man.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The word after the board.
    #[error("{0:?} is no side (w or b)")]
    Side(String),
    /// The side to move could capture the king, or the kings face each other.
    #[error("{0}'s king could be captured by the side to move")]
    KingExposed(Color),
}

impl Position {
    /// Reads a FEN.
    ///
    /// Only the board must be there: a missing side is Red, missing or unreadable counters are 0
    /// and 1, `-` fields may be absent, and whatever follows a `;` is a comment. A position is
    /// accepted only if the side *not* to move is safe. Kings that face each other along an empty
    /// file attack each other, so they are refused whoever is to move.
    ///
    /// # Errors
    /// The first thing that is wrong, by name.
    ///
    /// ```
    /// use chuhe::position::Position;
    /// let position = Position::from_fen("4k4/9/9/9/9/9/9/9/3R5/3K5 r ;rook against king").unwrap();
    /// assert_eq!(position.fen(), "4k4/9/9/9/9/9/9/9/3R5/3K5 w - - 0 1");
    /// let error = Position::from_fen("4k4/9/9/9/9/9/9/9/9/4K4 w").unwrap_err();
    /// assert_eq!(error.to_string(), "black's king could be captured by the side to move");
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        if text.len() > LONGEST {
            return Err(FenError::TooLong(text.len()));
        }
        let mut words = text.split(';').next().unwrap_or_default().split_whitespace();

        let mut position = Self::empty();
        position.read_board(words.next().unwrap_or_default())?;
        position.check_men()?;

        position.side = words.next().map_or(Ok(Color::Red), read_side)?;
        if position.side == Color::Black {
            position.keys.toggle_side();
        }
        let mut counters = words.filter(|word| *word != "-").map_while(read_counter);
        position.clock = counters.next().unwrap_or(0);
        position.number = counters.next().unwrap_or(1).max(1);

        let waiting = !position.side;
        let (king, occupied) = (position.king(waiting), position.occupied());
        if position.is_attacked(king, waiting, occupied, occupied) {
            return Err(FenError::KingExposed(waiting));
        }
        Ok(position)
    }

    fn read_board(&mut self, board: &str) -> Result<(), FenError> {
        let ranks = board.split('/').count();
        if ranks != 10 {
            return Err(FenError::Ranks(ranks));
        }
        for (rank, text) in (0..10).rev().zip(board.split('/')) {
            let mut width = 0;
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10).filter(|&gap| gap > 0) {
                    width += gap as usize;
                    continue;
                }
                let piece = Piece::from_letter(letter)
                    .ok_or(FenError::Letter { letter, rank: rank as u8 })?;
                // A man beyond the edge makes the rank too wide, which is told below.
                if let Some(square) =
                    i8::try_from(width).ok().and_then(|file| Square::at(file, rank))
                {
                    self.place(piece, square);
                }
                width += 1;
            }
            if width != 9 {
                return Err(FenError::Width { rank: rank as u8, width });
            }
        }
        Ok(())
    }

    fn check_men(&self) -> Result<(), FenError> {
        for piece in Piece::ALL {
            let men = self.pieces(piece.color(), piece.kind());
            if men.count() > piece.kind().most() {
                return Err(FenError::TooMany { piece, count: men.count() });
            }
            if let Some(square) = men.into_iter().find(|&square| !can_stand(piece, square)) {
                return Err(FenError::Misplaced { piece, square });
            }
        }
        let bare = |color: &Color| self.pieces(*color, Kind::King).is_empty();
        Color::ALL.into_iter().find(bare).map_or(Ok(()), |color| Err(FenError::NoKing(color)))
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in (0..10).rev() {
            let mut gap = 0;
            for file in 0..9 {
                match Square::at(file, rank).and_then(|square| self.piece_at(square)) {
                    Some(piece) => {
                        end_gap(&mut text, &mut gap);
                        text.push(piece.letter());
                    }
                    None => gap += 1,
                }
            }
            end_gap(&mut text, &mut gap);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let side = if self.side == Color::Red { 'w' } else { 'b' };
        format!("{text}{side} - - {} {}", self.clock, self.number)
    }
}

fn end_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push(char::from(b'0' + std::mem::take(gap)));
    }
}

fn can_stand(piece: Piece, square: Square) -> bool {
    let color = piece.color();
    match piece.kind() {
        Kind::King => attacks::king_points(color, square),
        Kind::Advisor => attacks::advisor_points(color, square),
        Kind::Bishop => attacks::bishop_points(color, square),
        // Composed endings put a pawn behind its first line, where no game could; it moves on.
        Kind::Pawn | Kind::Knight | Kind::Rook | Kind::Cannon => true,
    }
}

fn read_side(word: &str) -> Result<Color, FenError> {
    match word.to_ascii_lowercase().as_str() {
        "w" | "r" | "red" => Ok(Color::Red),
        "b" | "black" => Ok(Color::Black),
        _ => Err(FenError::Side(word.chars().take(12).collect())),
    }
}

/// A counter, clamped; `None` for anything but digits.
fn read_counter(word: &str) -> Option<u16> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(HIGHEST_COUNTER).min(HIGHEST_COUNTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn generous_about_the_tail() {
        for (tail, printed) in [
            ("", "w - - 0 1"),
            (" r", "w - - 0 1"),
            (" red - -", "w - - 0 1"),
            (" Black 7 9", "b - - 7 9"),
            (" b - - 3 0", "b - - 3 1"),
            (" w - - 99999999999 1", "w - - 9999 1"),
            (" w - - -3 x", "w - - 0 1"),
            (" w;comment - - 0 1", "w - - 0 1"),
            (";comment - - 0 1", "w - - 0 1"),
            (" b some junk 1 2 3", "b - - 0 1"),
        ] {
            let position = Position::from_fen(&format!("{BOARD}{tail}")).unwrap();
            assert_eq!(position.fen(), format!("{BOARD} {printed}"), "{tail}");
            position.validate().unwrap();
        }
        let elephants = BOARD.replace('B', "E").replace('b', "e").replace('n', "h");
        assert_eq!(Position::from_fen(&elephants).unwrap(), Position::start());
    }

    #[test]
    fn strict_about_the_board() {
        for (fen, error) in [
            ("", "board has 1 ranks, not 10"),
            ("4k4/9/9/9/9/9/9/9/9/8/4K4", "board has 11 ranks, not 10"),
            ("4k4/9/9/8/9/9/9/9/9/4K4", "rank 6 is 8 points wide, not 9"),
            ("4k4/9/9/9R/9/9/9/9/9/4K4", "rank 6 is 10 points wide, not 9"),
            ("4k4/9/9/4\u{1b}4/9/9/9/9/9/4K4", "'\\u{1b}' in rank 6 is no man"),
            ("4k4/9/9/045/9/9/9/9/9/4K4", "'0' in rank 6 is no man"),
            ("9/9/9/9/9/9/9/9/9/4K4", "black has no king"),
            ("4k4/9/9/9/9/9/9/9/9/3KK4", "2 `K` on the board, at most 1 can be"),
            ("4k4/9/9/9/9/9/9/9/9/3KRRR2", "3 `R` on the board, at most 2 can be"),
            ("4k4/9/9/9/9/9/9/P8/9/3K5", "`P` can never stand on a2"),
            ("4k4/9/9/9/9/9/9/9/9/3KB4", "`B` can never stand on e0"),
            ("4k4/9/9/9/9/9/9/9/4K4/3A1a3", "`a` can never stand on f0"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 sideways-and-more", "\"sideways-and\" is no side (w or b)"),
            ("4k4/9/9/9/9/9/9/9/4R4/4K4 b", ""),
            ("4k4/9/9/9/9/9/9/9/9/4K4 b", "red's king could be captured by the side to move"),
            ("3k5/9/9/9/9/9/9/9/3R5/4K4 w", "black's king could be captured by the side to move"),
        ] {
            let told =
                Position::from_fen(fen).err().map_or(String::new(), |error| error.to_string());
            assert_eq!(told, error, "{fen}");
        }
        assert_eq!(Position::from_fen(&"9/".repeat(300)), Err(FenError::TooLong(600)));
    }
}
