//! Dialects that count ranks from 1, as chess does: `h3e3` for our `h2e2`, `a10a9` for `a9a8`.
//! Knows how squares are written, nothing else.

use std::{borrow::Cow, fmt::Write};

use crate::types::{Move, Square};

/// Where an engine begins to count ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranks {
    /// Red's back rank is 0.
    #[default]
    FromZero,
    /// Red's back rank is 1.
    FromOne,
}

impl Ranks {
    /// A move as the engine reads it.
    pub fn print(self, mv: Move) -> String {
        match self {
            Self::FromZero => mv.to_string(),
            Self::FromOne => [mv.from(), mv.to()].iter().fold(String::new(), |mut text, square| {
                let file = char::from(b'a' + square.file());
                write!(text, "{file}{}", square.rank() + 1).expect("invariant: strings grow");
                text
            }),
        }
    }

    /// A line of the engine with its moves as everybody else writes them.
    pub fn translate(self, line: &[u8]) -> Cow<'_, [u8]> {
        if self == Self::FromZero {
            return line.into();
        }
        let words: Vec<Cow<[u8]>> = line
            .split(|&byte| byte == b' ')
            .map(|word| match one_based(word) {
                Some(mv) => mv.to_string().into_bytes().into(),
                None => word.into(),
            })
            .collect();
        words.join(&b' ').into()
    }
}

/// Reads a move with ranks from 1; a line's end may stick to it.
fn one_based(word: &[u8]) -> Option<Move> {
    let word = word.trim_ascii_end();
    let second = 1 + word.iter().skip(1).position(u8::is_ascii_lowercase)?;
    let square = |text: &[u8]| {
        let (file, rank) = text.split_first()?;
        let rank: i8 = str::from_utf8(rank).ok()?.parse().ok()?;
        let canonical = text.len() == if rank == 10 { 3 } else { 2 };
        Square::at(file.wrapping_sub(b'a') as i8, rank - 1).filter(|_| canonical)
    };
    Move::new(square(&word[..second])?, square(&word[second..])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_read_back() {
        for from in Square::ALL {
            for to in Square::ALL {
                let Some(mv) = Move::new(from, to) else { continue };
                let text = format!("bestmove {}", Ranks::FromOne.print(mv));
                let back = Ranks::FromOne.translate(text.as_bytes()).into_owned();
                assert_eq!(String::from_utf8(back).unwrap(), format!("bestmove {mv}"));
                assert_eq!(Ranks::FromZero.print(mv), mv.to_string());
            }
        }
    }

    #[test]
    fn only_moves_are_translated() {
        let translate = |text: &str| {
            String::from_utf8(Ranks::FromOne.translate(text.as_bytes()).into_owned()).unwrap()
        };
        assert_eq!(
            translate("info depth 3 score cp 10 pv h3e3 h10g8 a1a10 i10i9\r"),
            "info depth 3 score cp 10 pv h2e2 h9g7 a0a9 i9i8"
        );
        for text in ["bestmove (none)", "a0a1", "a11a1", "h3", "j3a3", "a01a2", "id name a1b2c3"] {
            assert_eq!(translate(text), text);
        }
    }
}
