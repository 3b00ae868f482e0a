//! What a judge may say, of a move and of a line of play. Says it in no language.

use crate::types::{Color, Move};

/// What a move does, as far as repetition is concerned (25.2); the heaviest counts (27.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// None of the others: exchanges offered, sacrifices, blocks, pursuit of protected men (闲, 28.9).
    Idle,
    /// A king threatens to capture, alone (帅捉): idle (27.1).
    KingChase,
    /// A pawn threatens to capture, alone (兵捉): idle unless the other side attacks all along (27.2).
    PawnChase,
    /// Threatens to win a man (捉, 28.3).
    Chase,
    /// Threatens to mate by checks (杀, 28.2).
    Kill,
    /// Gives check (将, 28.1).
    Check,
}

/// What a side did that it had to stop doing (24.3, 25.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offence {
    /// Nothing but checks (长将).
    PerpetualCheck,
    /// Nothing but threats to mate (长杀).
    PerpetualKill,
    /// Nothing but threats to capture (长捉).
    PerpetualChase,
    /// Checks and threats to mate (一将一杀).
    CheckAndKill,
    /// Checks and threats to capture (一将一捉).
    CheckAndChase,
    /// Threats to mate and to capture (一杀一捉).
    KillAndChase,
    /// All three kinds.
    CheckKillAndChase,
}

/// What the rules say of a line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on, as far as these rules are concerned.
    Ongoing,
    /// The game is drawn.
    Draw,
    /// The game repeats itself and `offender` had to deviate: it loses (4.1.7).
    Forbidden {
        /// Who loses.
        offender: Color,
        /// What for.
        offence: Offence,
    },
}

/// A verdict on a repetition with its grounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict; never [`Verdict::Ongoing`] where there is a window.
    pub verdict: Verdict,
    /// Whether the offender is first told to deviate, and the game goes on (24.3).
    pub is_warning: bool,
    /// The articles it rests on, such as `26.1`.
    pub clauses: Vec<&'static str>,
    /// The number of plies before the first one that was looked at.
    pub window_start: usize,
    /// The plies looked at, from there on, and what each does.
    pub labels: Vec<(Move, Label)>,
}
