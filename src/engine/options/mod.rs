//! What is set now, by the names of the [`table`]. Knows no protocol's wording and does not carry
//! anything out.

mod table;

use std::time::Duration;

use super::strength::{Randomness, STRONGEST, elo_of_skill};
use crate::{
    book::Choice,
    clock::TimeControl,
    rules::{Book, RulesetChoice},
    simd,
    types::Color,
};
pub(super) use table::find;
use table::{EXAMPLES, Id, OPTIONS};

pub(super) use table::options;
pub use table::{MAX_THREADS, OptionKind, OptionSpec};

/// How much of the machine is left to other programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idle {
    /// Full load.
    #[default]
    None,
    /// A quarter of the threads rests.
    Small,
    /// Half of them rest.
    Medium,
    /// Three quarters of them rest.
    Large,
}

/// What is set now.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that a client can tick")]
pub struct Settings {
    /// Threads asked for; `None`: one for each processor.
    pub threads: Option<usize>,
    /// How many of these rest.
    pub idle: Idle,
    /// Megabytes asked for; `None`: by the memory that is free.
    pub hash_mb: Option<usize>,
    /// Lines to report.
    pub multipv: usize,
    /// What each move loses on its way to the clock.
    pub overhead: Duration,
    /// The time control that the client says the game is played at.
    pub scheme: Option<TimeControl>,
    /// Whether the client means to let the engine think in the opponent's time.
    pub ponder: bool,
    /// Whether scores carry the chances to win, draw and lose.
    pub show_wdl: bool,
    /// Whether UCCI clocks count milliseconds rather than seconds.
    pub milliseconds: bool,
    /// Whether nothing is read while thinking.
    pub batch: bool,
    /// Whether more messages are wanted.
    pub debug: bool,
    /// The rules of repetition and drawn games.
    pub rules: RulesetChoice,
    /// Whom a draw counts as a win for (和棋黑胜), if for anybody.
    pub draws_won_by: Option<Color>,
    /// File of the network to evaluate by; `None`: the one built in.
    pub eval_file: Option<String>,
    /// Whether to evaluate by a network, not by hand.
    pub use_network: bool,
    /// Whether to play from opening books.
    pub own_book: bool,
    /// Files of books to ask before the built-in one, as a list.
    pub book_files: Option<String>,
    /// How many plies of a game they are asked in; `None`: as long as they know a move.
    pub book_depth: Option<usize>,
    /// How to choose among a book's moves.
    pub book_choice: Choice,
    /// Whether the client analyses, and wants no book's moves for answers.
    pub analyse: bool,
    /// The numbers that the search goes by.
    #[cfg(feature = "tune")]
    pub params: crate::search::Params,
    /// Whether to play no better than [`Self::elo`].
    pub limit_strength: bool,
    /// The level to play at if strength is limited.
    pub elo: u32,
    /// The level to play at otherwise, from 0; the last one is full strength.
    pub skill: u32,
    /// How freely to choose among good moves.
    pub randomness: Randomness,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has the name.
    #[error("no such option: {0}")]
    Unknown(String),
    /// The option does not take the value.
    #[error("option {name} takes {expected}, not `{value}`")]
    BadValue {
        /// The option.
        name: String,
        /// What was given.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// The file that the option names is of no use.
    #[error("cannot use {file}: {error}; the evaluation stays as it was")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: String,
    },
}

/// What follows from a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// Nothing at once.
    Nothing,
    /// Threads or memory are no longer what is wanted.
    Resources,
    /// Everything learned is to be forgotten.
    NewGame,
    /// The position is to be judged by other rules.
    Rules,
    /// Another network is to be evaluated by.
    Network,
    /// Other books are to be asked.
    Books,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            threads: None,
            idle: Idle::None,
            hash_mb: None,
            multipv: 1,
            overhead: Duration::ZERO,
            scheme: None,
            ponder: false,
            show_wdl: false,
            milliseconds: false,
            batch: false,
            debug: false,
            rules: RulesetChoice::default(),
            draws_won_by: None,
            eval_file: None,
            use_network: false,
            own_book: false,
            book_files: None,
            book_depth: None,
            book_choice: Choice::default(),
            analyse: false,
            #[cfg(feature = "tune")]
            params: crate::search::Params::default(),
            limit_strength: false,
            elo: 0,
            skill: 0,
            randomness: Randomness::default(),
        };
        // The table is the one place that knows the defaults, but for what the rule books know.
        for option in OPTIONS {
            match option.kind {
                _ if option.id.is_of_the_rules() => {}
                OptionKind::Button | OptionKind::Text { .. } => {}
                OptionKind::Check { default } => settings.set_flag(option.id, default),
                OptionKind::Spin { default, .. } => settings.set_number(option.id, default),
                OptionKind::Combo { default, .. } => settings.set_word(option.id, default),
            }
        }
        settings
    }
}

impl Settings {
    /// Sets one option. Returns what follows from it, and a remark when the value was changed.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(Consequence, Option<String>), OptionError> {
        let option = find(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        let value = value.unwrap_or_default().trim();
        let bad = |expected: String| OptionError::BadValue {
            name: name.into(),
            value: value.into(),
            expected,
        };
        let mut remark = None;
        match option.kind {
            _ if option.id == Id::Nothing => {}
            OptionKind::Text { .. } if option.id == Id::TimeScheme => {
                self.scheme = match value {
                    "" | "<empty>" => None,
                    text => {
                        Some(text.parse().map_err(|error| bad(format!("{EXAMPLES}: {error}")))?)
                    }
                };
            }
            OptionKind::Button => {}
            OptionKind::Text { .. } => {
                // Some clients write so what is empty.
                let none = value.is_empty() || value == "<empty>";
                let text = (!none).then(|| value.into());
                match option.id {
                    Id::BookFiles => self.book_files = text,
                    _ => self.eval_file = text,
                }
            }
            OptionKind::Check { .. } => {
                let on = flag(value).ok_or_else(|| bad("true or false".into()))?;
                self.set_flag(option.id, on);
            }
            OptionKind::Spin { min, max, .. } => {
                let given = number(value).ok_or_else(|| bad(format!("{min} to {max}")))?;
                let number = match option.id {
                    // Nobody asks by a number below zero for what zero stands for.
                    id if given < 0 && id.has_a_special_zero() => min.max(1),
                    // Whoever wants as many threads as there can be wants those of this machine.
                    Id::Threads if given > i128::from(max) => simd::processors() as u64,
                    _ => given.clamp(i128::from(min), i128::from(max)) as u64,
                };
                if i128::from(number) != given {
                    remark = Some(format!("{name} {value} is out of range, using {number}"));
                }
                self.set_number(option.id, number);
            }
            // Rules may go by other programs' names under any name of the option.
            OptionKind::Combo { values, .. } => match (option.id, named(values, value)) {
                (Id::Ruleset | Id::OtherRuleset, _) => {
                    let (book, is_like) = book_of(value).ok_or_else(|| bad(values.join(", ")))?;
                    self.rules.book = book;
                    remark = (!is_like)
                        .then(|| format!("no {value} here, judging by the rules {}", book.name()));
                }
                (Id::OtherDrawWins, Some(word)) => {
                    self.draws_won_by = match word {
                        "DrawAsBlackWin" | "DrawRepAsBlackWin" => Some(Color::Black),
                        "DrawAsRedWin" | "DrawRepAsRedWin" => Some(Color::Red),
                        _ => None,
                    };
                    let of_all = || format!("no {word} here, counting every draw so");
                    remark = word.starts_with("DrawRep").then(of_all);
                }
                (id, Some(word)) => self.set_word(id, word),
                (_, None) => return Err(bad(values.join(", "))),
            },
        }
        let consequence = match option.id {
            Id::Threads | Id::Hash | Id::Idle | Id::LimitStrength | Id::Elo | Id::Skill => {
                Consequence::Resources
            }
            Id::NewGame => Consequence::NewGame,
            id if id.is_of_the_rules() => Consequence::Rules,
            Id::EvalFile => Consequence::Network,
            Id::BookFiles => Consequence::Books,
            _ => Consequence::Nothing,
        };
        Ok((consequence, remark))
    }

    fn set_flag(&mut self, id: Id, on: bool) {
        match id {
            Id::Ponder => self.ponder = on,
            Id::ShowWdl => self.show_wdl = on,
            Id::Milliseconds => self.milliseconds = on,
            Id::Batch => self.batch = on,
            Id::Debug => self.debug = on,
            Id::RepetitionWarning => self.rules.warning = on,
            Id::CheckGain => self.rules.check_gain = Some(on),
            Id::IsLimited => self.rules.natural_limit = (!on).then_some(0),
            Id::UseNetwork => self.use_network = on,
            Id::OwnBook => self.own_book = on,
            Id::Analyse => self.analyse = on,
            Id::LimitStrength => self.limit_strength = on,
            _ => {}
        }
    }

    fn set_number(&mut self, id: Id, number: u64) {
        let size = number as usize;
        match id {
            Id::Threads => self.threads = (size > 0).then_some(size),
            Id::Hash => self.hash_mb = (size > 0).then_some(size),
            Id::MultiPv => self.multipv = size,
            Id::Overhead => self.overhead = Duration::from_millis(number),
            Id::RepetitionCount => self.rules.repetition_count = Some(size),
            Id::KillDepth => self.rules.kill_depth = Some(number as u8),
            Id::NaturalLimit => self.rules.natural_limit = Some(number as u16),
            Id::PlyLimit => self.rules.natural_limit = Some(number as u16 / 2),
            Id::CheckCap => self.rules.check_cap = Some(number as u16),
            #[cfg(feature = "tune")]
            Id::Parameter(index) => {
                self.params.set(crate::search::Parameter::TABLE[index].name, number as i32);
            }
            Id::Elo => self.elo = number as u32,
            Id::Skill => self.skill = number as u32,
            Id::BookDepth => self.book_depth = (size > 0).then_some(size),
            _ => {}
        }
    }

    fn set_word(&mut self, id: Id, word: &str) {
        match id {
            Id::Idle => {
                self.idle = match word {
                    "small" => Idle::Small,
                    "medium" => Idle::Medium,
                    "large" => Idle::Large,
                    _ => Idle::None,
                }
            }
            Id::BookChoice => {
                self.book_choice = match word {
                    "best" => Choice::Best,
                    _ => Choice::Weighted,
                }
            }
            Id::Randomness => self.randomness = Randomness::named(word),
            Id::DrawWins => {
                self.draws_won_by = match word {
                    "red" => Some(Color::Red),
                    "black" => Some(Color::Black),
                    _ => None,
                }
            }
            _ => {}
        }
    }

    /// The level to play at in Elo, if strength is limited by whichever option.
    pub(super) fn level(&self) -> Option<u32> {
        if self.limit_strength {
            Some(self.elo).filter(|&elo| elo <= STRONGEST)
        } else {
            elo_of_skill(self.skill)
        }
    }

    /// The threads to search with on a machine of so many processors.
    pub(super) fn working_threads(&self, processors: usize) -> usize {
        let wanted = self.threads.unwrap_or(processors).clamp(1, MAX_THREADS);
        let quarters = match self.idle {
            Idle::None => 4,
            Idle::Small => 3,
            Idle::Medium => 2,
            Idle::Large => 1,
        };
        (wanted * quarters / 4).max(1)
    }
}

/// The word of a combo, in whatever case it is written.
fn named(values: &[&'static str], value: &str) -> Option<&'static str> {
    values.iter().find(|word| word.eq_ignore_ascii_case(value)).copied()
}

/// The rule book that goes by a name in whatever program, and whether it is quite the same there.
fn book_of(name: &str) -> Option<(Book, bool)> {
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "asianrule" => (Book::Asian, true),
        "chineserule" => (Book::Chinese, true),
        "computerrule" => (Book::Computer, true),
        "checkban" | "allowchase" => (Book::CheckBan, true),
        "alwaysdraw" | "nojudgement" => (Book::AlwaysDraw, true),
        // Rules of servers for games between people.
        "skyrule" | "yitianrule" => (Book::Asian, false),
        name => (Book::ALL.into_iter().find(|book| book.name().eq_ignore_ascii_case(name))?, true),
    })
}

fn flag(value: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(value));
    if is(&["true", "on", "yes", "1"]) {
        Some(true)
    } else {
        is(&["false", "off", "no", "0"]).then_some(false)
    }
}

/// A whole number; one too long for any type is as good as the greatest.
fn number(value: &str) -> Option<i128> {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let greatest = if value.starts_with('-') { i128::MIN } else { i128::MAX };
    Some(value.parse().unwrap_or(greatest))
}

#[cfg(test)]
mod tests;
