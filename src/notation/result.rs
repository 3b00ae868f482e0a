//! How a game ended, as PGN writes it and as others do.

use super::words::plain;
use crate::types::Color;

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

    /// Reads the token of PGN, or what stands in its place in other files.
    ///
    /// ```
    /// use chuhe::notation::GameResult;
    /// assert_eq!(GameResult::from_token("【红胜】"), Some(GameResult::RedWins));
    /// assert_eq!(GameResult::from_token("红方认负"), Some(GameResult::BlackWins));
    /// for draw in ["1/2-1/2", "1/2", "½-½", "0.5-0.5", "和棋", "和局", "红先和"] {
    ///     assert_eq!(GameResult::from_token(draw), Some(GameResult::Draw));
    /// }
    /// ```
    pub fn from_token(token: &str) -> Option<Self> {
        let token = plain(token);
        Some(match within_brackets(&token) {
            "1-0" | "1:0" | "2-0" => Self::RedWins,
            "0-1" | "0:1" | "0-2" => Self::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "1-1" => Self::Draw,
            "*" => Self::Unknown,
            word => Self::in_chinese(word)?,
        })
    }

    fn in_chinese(word: &str) -> Option<Self> {
        Some(match word {
            "黑认负" | "黑認輸" | "黑认输" | "黑方认负" | "黑方認輸" | "黑方认输" | "红胜"
            | "紅勝" | "红方胜" | "紅方勝" | "红先胜" | "紅先勝" | "先胜" | "先勝" | "红胜局" => {
                Self::RedWins
            }
            "红认负" | "紅認輸" | "红认输" | "红方认负" | "紅方認輸" | "红方认输" | "黑胜"
            | "黑勝" | "黑方胜" | "黑方勝" | "红先负" | "紅先負" | "先负" | "先負" => {
                Self::BlackWins
            }
            "和棋" | "和局" | "和" | "红先和" | "紅先和" | "先和" | "双方和" => {
                Self::Draw
            }
            "未知" | "不明" => Self::Unknown,
            _ => return None,
        })
    }
}

/// A token without the brackets that some put around it: 【红胜】, (1-0).
fn within_brackets(token: &str) -> &str {
    const PAIRS: [(char, char); 5] =
        [('【', '】'), ('[', ']'), ('(', ')'), ('〖', '〗'), ('《', '》')];
    let inside = |(open, close)| token.strip_prefix(open)?.strip_suffix(close);
    PAIRS.into_iter().find_map(inside).unwrap_or(token)
}
