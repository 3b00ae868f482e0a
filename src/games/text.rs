//! What the readers of text have in common: lines of places, comments without the blanks around them.

use super::{Fault, Found, Game, GameError, Place, Remark};
use crate::notation::{GameResult, MoveError, text::UNKNOWN};

/// Remarks on one game beyond which no further ones are made.
pub(super) const MOST_REMARKS: usize = 20;

/// A comment without blanks around it and before its lines' ends, empty lines at its ends and control
/// characters left out.
pub(super) fn trimmed(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.trim().into();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim().into()
}

/// How many lines end before a place in a text.
pub(super) fn lines_before(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at.min(text.len())];
    let ends = |(at, byte): (usize, &u8)| {
        *byte == b'\n' || *byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n')
    };
    before.iter().enumerate().filter(|&end| ends(end)).count()
}

/// A game of a text, as its reader has it.
pub(super) struct Draft {
    pub(super) game: Game,
    /// Where it begins.
    pub(super) line: usize,
    pub(super) fault: Option<(usize, Fault)>,
    /// Lines and words.
    pub(super) remarks: Vec<(usize, String)>,
}

impl Draft {
    /// The game under its number.
    pub(super) fn finish(self, number: usize) -> Result<Found, GameError> {
        let Self { mut game, line, fault, remarks } = self;
        let place = Place { game: number, line: Some(line), ..Place::default() };
        let remark = |(line, what)| Remark { place: Place { line: Some(line), ..place }, what };
        let remarks = remarks.into_iter().map(remark).collect();
        match fault {
            None => Ok(Found { place, game, remarks }),
            Some((line, fault)) => {
                let ply = fault.word().map(|_| game.moves.len() + 1);
                let place = Place { line: Some(line), ply, ..place };
                // Nothing is known of a game whose start is not. One that nobody can make out may
                // be no game at all.
                let unknown = matches!(fault, Fault::Fen(_) | Fault::Tag(_))
                    || game.tags.is_empty()
                        && !matches!(fault, Fault::Move(MoveError::Impossible { .. }));
                if game.moves.is_empty() && unknown {
                    return Err(GameError { place, fault, partial: None, remarks });
                }
                // How it ended after moves that nobody can read is not how this part ends.
                game.result = GameResult::Unknown;
                Err(GameError { place, fault, partial: Some(Box::new(game)), remarks })
            }
        }
    }
}

/// What to say of text with bytes that are no character of its encoding.
pub(super) fn unknown_characters(text: &str) -> Option<(usize, String)> {
    let at = text.find(UNKNOWN)?;
    let count = text.matches(UNKNOWN).count();
    Some((lines_before(text, at), format!("{count} bytes are no characters and were replaced")))
}
