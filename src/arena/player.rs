//! What a match asks of a player, wherever it lives: a move for a position, in time. Knows nothing
//! of results.

use std::{sync::atomic::AtomicBool, time::Duration};

use crate::{
    clock::Clock,
    rules::Line,
    types::{Color, Move},
    wire::Score,
};

/// A position to find a move in.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The game so far.
    pub line: &'a Line,
    /// Red's clock and Black's.
    pub clocks: [&'a Clock; 2],
    /// Whether the opponent has just offered a draw.
    pub draw_offered: bool,
    /// When to stop waiting for an answer.
    pub patience: Duration,
    /// Raised when nobody needs the answer any more.
    pub abort: &'a AtomicBool,
}

impl<'a> Turn<'a> {
    /// Whose move it is.
    pub fn mover(&self) -> Color {
        self.line.position().side()
    }

    /// The clock that runs.
    pub fn clock(&self) -> &'a Clock {
        self.clocks[self.mover() as usize]
    }
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; `None`: resigns.
    pub choice: Option<Move>,
    /// Whether it offers a draw with it, or agrees to one.
    pub draw: bool,
    /// How long it took.
    pub time: Duration,
    /// What it thinks of the position, in the points of UCI.
    pub score: Option<Score>,
    /// How deep it searched.
    pub depth: Option<u32>,
    /// How many positions it searched.
    pub nodes: Option<u64>,
}

/// Why a player has no answer. Whatever it was, the player is ready for another game after
/// [`Player::new_game`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its process cannot be started.
    #[error("cannot be started: {0}")]
    Start(String),
    /// Its process has ended, and with what, if that can be told.
    #[error("crashed: its process has ended{0}")]
    Crash(String),
    /// It does not say that it is ready.
    #[error("was not ready within {0:?}")]
    Unready(Duration),
    /// It does not answer.
    #[error("did not answer within {0:?}")]
    Silence(Duration),
    /// It answers what means nothing.
    #[error("answered `{0}`, which is no move")]
    Nonsense(String),
}

/// Somebody who plays.
pub trait Player: Send {
    /// Makes ready for another game, forgetting the last one, unless `abort` is raised.
    ///
    /// # Errors
    /// When there is no playing with it.
    fn new_game(&mut self, abort: &AtomicBool) -> Result<(), Fault>;

    /// Finds a move.
    ///
    /// # Errors
    /// When there is no answer that means anything.
    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault>;
}
