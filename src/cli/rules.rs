//! The rules of a game as arguments, for every command that has a referee.

use crate::rules::{Book, RulesetChoice};

/// Which rules to judge by. What is not given is as in the rule book.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Args {
    /// The rule book: chinese, asian, computer, simple, checkban or alwaysdraw.
    #[arg(long, value_name = "BOOK", default_value = Book::Chinese.name())]
    ruleset: Book,
    /// The occurrence of a position that is judged: 3 or 4.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=4))]
    repetition_count: Option<u8>,
    /// Tell an offender to deviate first (24.3): it loses when the position occurs once more. Who
    /// checks perpetually loses at once all the same.
    #[arg(long)]
    warn: bool,
    /// Checks that a threatened mate may take, up to 6; 0: no move is such a threat.
    #[arg(long, value_name = "CHECKS", value_parser = clap::value_parser!(u8).range(0..=6))]
    kill_depth: Option<u8>,
    /// Whether a man to be won by way of a check is chased: true or false.
    #[arg(long, value_name = "BOOL")]
    check_gain: Option<bool>,
    /// Rounds without a capture that make a draw, up to 150; 0: none do.
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u16).range(0..=150))]
    natural_limit: Option<u16>,
    /// Checks of each side that count among these rounds, up to 60.
    #[arg(long, value_name = "CHECKS", value_parser = clap::value_parser!(u16).range(0..=60))]
    check_cap: Option<u16>,
}

impl Args {
    pub(super) fn choice(&self) -> RulesetChoice {
        RulesetChoice {
            book: self.ruleset,
            repetition_count: self.repetition_count.map(usize::from),
            warning: self.warn,
            claimant: None,
            natural_limit: self.natural_limit,
            check_cap: self.check_cap,
            kill_depth: self.kill_depth,
            check_gain: self.check_gain,
        }
    }
}
