//! A game as files hold it: where it starts, its moves with variations and comments, how it ended
//! and what is told about it. Every reader makes one, every writer takes one; knows no file format.

use super::pgn::tag_name;
use crate::{
    notation::{Annotation, GameResult},
    position::{Position, Unobserved},
    types::Move,
};

/// A game from its start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// What is told about it, by name, in the order of the file and without what the other fields
    /// tell. Whatever the format calls them, the usual things have the names of PGN: `Event`, `Site`,
    /// `Date` (`2026.12.02`), `Round`, `Red`, `Black`, `RedTeam`, `RedElo`, `Title`, `Annotator`,
    /// `Opening`, `ECCO`, `TimeControl`. Nothing that is empty is among them.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Position,
    /// What is said before the first move.
    pub preface: String,
    /// The moves that were played.
    pub moves: Vec<Played>,
    /// How it ended.
    pub result: GameResult,
}

/// A move and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What is noted after it: text, evaluation, clock.
    pub note: Annotation,
    /// Its marks by their numbers in PGN ($1 is `!`, $2 `?`, $3 `!!`, $4 `??`, $5 `!?`, $6 `?!`).
    pub marks: Vec<u8>,
    /// What else might have been played in its place. The first move of a variation has none of its
    /// own: what might replace it might replace this one.
    pub variations: Vec<Variation>,
}

/// Moves that were not played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// What is said before its first move.
    pub preface: String,
    /// Its moves, at least one.
    pub moves: Vec<Played>,
}

/// Variations within variations that a game may have. Deeper ones are left out, with a word.
pub const DEEPEST: usize = 128;

/// Moves that a game may have, variations included. What goes beyond is told as a fault.
pub const MOST_MOVES: usize = 1 << 17;

impl Game {
    /// A game of no moves yet.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            preface: String::new(),
            moves: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag, whose name may be written in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The moves that were played, alone.
    pub fn main_line(&self) -> impl ExactSizeIterator<Item = Move> + Clone {
        self.moves.iter().map(|played| played.mv)
    }

    /// The position after so many plies, or after the last.
    pub fn position(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        for mv in self.main_line().take(plies) {
            position.make(mv, &mut Unobserved);
        }
        position
    }

    /// Adds a tag under its usual name, with blanks in the place of control characters; nothing if
    /// the value is empty, the name is none that PGN can have, or another field tells the same.
    pub fn add_tag(&mut self, name: &str, value: &str) {
        let Some(name) = tag_name(name) else { return };
        let value = value.replace(char::is_control, " ");
        let value = value.trim();
        if !value.is_empty() {
            self.tags.push((name.into(), value.into()));
        }
    }
}

impl Played {
    /// A move of which nothing is said.
    pub fn new(mv: Move) -> Self {
        Self { mv, note: Annotation::default(), marks: Vec::new(), variations: Vec::new() }
    }
}
