//! Which rules a game is played by: a rule book and the numbers an event may set for itself. One
//! object for engine and referee, so that both decide the same. Decides nothing itself.

use crate::types::Color;

/// A family of repetition rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Book {
    /// The Chinese rules of competition (棋例, 第24–29条): every move of the cycle is looked at.
    #[default]
    Chinese,
    /// The Asian rules: perpetual check, and perpetual chase of one and the same man.
    Asian,
    /// What today's computer referees use: Asian without the rank in between.
    Computer,
    /// The league of engines: only the moved man's own attacks on one man.
    Simple,
    /// Nothing but perpetual check is forbidden (禁止长将).
    CheckBan,
    /// Nothing is forbidden: whoever repeats, it is a draw.
    AlwaysDraw,
}

/// A rule book and its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// The rule book.
    pub book: Book,
    /// The occurrence of a position that is judged: the third, or the fourth (24).
    pub repetition_count: usize,
    /// Whether an offender is first told to deviate and loses by the next occurrence (24.3). Whoever
    /// alone checks perpetually loses at once all the same, and draws are given at once (24.1, 24.2).
    pub warning: bool,
    /// Plies without a capture that make a draw (4.2.4); 0 never does.
    pub natural_limit: u16,
    /// How many checks of a side count towards that limit (23.3).
    pub check_cap: u16,
    /// Who claims the draw, so that only this side's checks are capped; nobody: both sides' are,
    /// and the limit draws by itself.
    pub claimant: Option<Color>,
    /// How many checks a threatened mate (杀, 28.2) may take; 0: no move is such a threat.
    pub kill_depth: u8,
    /// Whether a man won by way of a check is chased (28.3).
    pub check_gain: bool,
}

impl Default for Ruleset {
    fn default() -> Self {
        Self::of(Book::Chinese)
    }
}

impl Ruleset {
    /// The rules of a book with its own numbers.
    pub const fn of(book: Book) -> Self {
        let chinese = Self {
            book,
            repetition_count: 3,
            warning: false,
            natural_limit: 120,
            check_cap: 10,
            claimant: None,
            kill_depth: 3,
            check_gain: true,
        };
        match book {
            Book::Chinese => chinese,
            Book::Asian | Book::Computer | Book::CheckBan | Book::AlwaysDraw => {
                Self { kill_depth: 0, check_gain: false, ..chinese }
            }
            Book::Simple => Self {
                repetition_count: 4,
                warning: false,
                natural_limit: 100,
                check_cap: u16::MAX,
                claimant: None,
                kill_depth: 0,
                check_gain: false,
                book,
            },
        }
    }
}
