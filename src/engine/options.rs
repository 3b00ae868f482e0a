//! The table of options: every name that a client may set, in one place, and what is set now.
//! Knows no protocol's wording and does not carry anything out.

use std::time::Duration;

use super::memory::USUAL_MB;
use crate::{
    clock::TimeControl,
    rules::{Book, RulesetChoice},
    types::Color,
};

/// What an option's value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Something to do, without a value.
    Button,
    /// On or off.
    Check {
        /// Whether it is on at first.
        default: bool,
    },
    /// A number of a range.
    Spin {
        /// The number at first.
        default: u64,
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of a few words.
    Combo {
        /// The word at first.
        default: &'static str,
        /// All words.
        values: &'static [&'static str],
    },
    /// Any text.
    Text {
        /// The text at first.
        default: &'static str,
    },
}

/// One option: its names, what it takes and what it does.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name that is advertised to UCI clients, if it is.
    pub uci: Option<&'static str>,
    /// The name that is advertised to UCCI clients, if it is: one lower-case word.
    pub ucci: Option<&'static str>,
    /// Names that are taken without being advertised.
    pub also: &'static [&'static str],
    /// What it takes.
    pub kind: OptionKind,
    /// What it does, for the documentation.
    pub effect: &'static str,
    id: Id,
}

/// Which setting an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    Threads,
    Hash,
    NewGame,
    Ponder,
    MultiPv,
    Overhead,
    TimeScheme,
    ShowWdl,
    Milliseconds,
    Batch,
    Debug,
    Idle,
    Ruleset,
    LeagueRuleset,
    RepetitionCount,
    KillDepth,
    CheckGain,
    NaturalLimit,
    CheckCap,
    DrawWins,
    EvalFile,
    Nothing,
}

impl Id {
    /// Whether it chooses a book or a number of its own in place of the book's.
    fn is_of_the_rules(self) -> bool {
        matches!(
            self,
            Self::Ruleset
                | Self::LeagueRuleset
                | Self::RepetitionCount
                | Self::KillDepth
                | Self::CheckGain
                | Self::NaturalLimit
                | Self::CheckCap
        )
    }
}

/// The most threads: more are never of use to one search.
pub const MAX_THREADS: usize = 512;
/// The most memory for the transposition table in MB, whatever the machine has.
const MAX_HASH_MB: u64 = 1 << 20;

/// Time controls to go by.
const EXAMPLES: &str = "6.1 to 6.4, 6.5:60min, 40/90min:10/15min, 5min+3s and the like";
const AMOUNTS: &[&str] = &["none", "small", "medium", "large"];
const BOOKS: &[&str] =
    &[Book::Chinese.name(), Book::Asian.name(), Book::Computer.name(), Book::Simple.name()];
const LEAGUE_BOOKS: &[&str] = &["alwaysdraw", "checkban", "asianrule", "chineserule"];
const OFF: OptionKind = OptionKind::Check { default: false };
const NO_BOOK: &str = "nothing: there is no opening book";

const fn silent(
    also: &'static [&'static str],
    kind: OptionKind,
    effect: &'static str,
) -> OptionSpec {
    OptionSpec { uci: None, ucci: None, also, kind, effect, id: Id::Nothing }
}

const fn both(
    (uci, ucci): (&'static str, &'static str),
    id: Id,
    kind: OptionKind,
    effect: &'static str,
) -> OptionSpec {
    OptionSpec { uci: Some(uci), ucci: Some(ucci), also: &[], kind, effect, id }
}

const fn ucci(ucci: &'static str, id: Id, kind: OptionKind, effect: &'static str) -> OptionSpec {
    OptionSpec { uci: None, ucci: Some(ucci), also: &[], kind, effect, id }
}

/// Every option. What neither dialect advertises is taken quietly, since clients send it unasked.
pub(super) static OPTIONS: &[OptionSpec] = &[
    ucci(
        "usemillisec",
        Id::Milliseconds,
        OptionKind::Check { default: true },
        "unit of UCCI clocks: milliseconds, or seconds when off",
    ),
    both(
        ("Threads", "threads"),
        Id::Threads,
        OptionKind::Spin { default: 1, min: 0, max: MAX_THREADS as u64 },
        "threads that search; 0: one for each processor",
    ),
    both(
        ("Hash", "hashsize"),
        Id::Hash,
        OptionKind::Spin { default: USUAL_MB as u64, min: 0, max: MAX_HASH_MB },
        "megabytes of the transposition table; 0: by the memory that is free",
    ),
    OptionSpec {
        uci: Some("Clear Hash"),
        ucci: Some("newgame"),
        also: &[],
        kind: OptionKind::Button,
        effect: "forgets everything learned so far",
        id: Id::NewGame,
    },
    both(("Ponder", "ponder"), Id::Ponder, OFF, "plans the time for thinking in the opponent's"),
    both(
        ("MultiPV", "multipv"),
        Id::MultiPv,
        OptionKind::Spin { default: 1, min: 1, max: 128 },
        "lines to report, best first",
    ),
    both(
        ("Move Overhead", "moveoverhead"),
        Id::Overhead,
        OptionKind::Spin { default: 30, min: 0, max: 5000 },
        "milliseconds that each move loses on its way to the clock",
    ),
    both(
        ("TimeScheme", "timescheme"),
        Id::TimeScheme,
        OptionKind::Text { default: "" },
        "the time control of the game, for what a client cannot tell of it; empty: not known",
    ),
    OptionSpec {
        uci: Some("UCI_ShowWDL"),
        ucci: None,
        also: &[],
        kind: OFF,
        effect: "adds the chances to win, draw and lose to each score",
        id: Id::ShowWdl,
    },
    ucci("batch", Id::Batch, OFF, "reads no further line until the move is found"),
    ucci("debug", Id::Debug, OFF, "more messages"),
    ucci(
        "idle",
        Id::Idle,
        OptionKind::Combo { default: "none", values: AMOUNTS },
        "leaves none, a quarter, half or three quarters of the threads to other programs",
    ),
    both(
        ("Ruleset", "ruleset"),
        Id::Ruleset,
        OptionKind::Combo { default: BOOKS[0], values: BOOKS },
        "the rules of repetition; the numbers below are theirs unless they are set",
    ),
    both(
        ("RepetitionCount", "repetitioncount"),
        Id::RepetitionCount,
        OptionKind::Spin { default: 3, min: 3, max: 4 },
        "the occurrence of a position that is judged",
    ),
    both(
        ("KillDepth", "killdepth"),
        Id::KillDepth,
        OptionKind::Spin { default: 3, min: 0, max: 6 },
        "checks that a threatened mate may take to count as one; 0: no threat counts",
    ),
    both(
        ("CheckGain", "checkgain"),
        Id::CheckGain,
        OptionKind::Check { default: true },
        "a man to be won by way of a check is chased",
    ),
    OptionSpec {
        uci: Some("NaturalLimit"),
        ucci: Some("naturallimit"),
        also: &["drawmoves"],
        kind: OptionKind::Spin { default: 60, min: 0, max: 150 },
        effect: "rounds without a capture that make a draw; 0: none do",
        id: Id::NaturalLimit,
    },
    both(
        ("CheckCap", "checkcap"),
        Id::CheckCap,
        OptionKind::Spin { default: 10, min: 0, max: 60 },
        "checks of each side that count among these rounds",
    ),
    both(
        ("DrawWins", "drawwins"),
        Id::DrawWins,
        OptionKind::Combo { default: "none", values: &["none", "red", "black"] },
        "whom a draw counts as a win for",
    ),
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["repetition"],
        kind: OptionKind::Combo { default: "chineserule", values: LEAGUE_BOOKS },
        effect: "the ruleset by the names of older UCCI programs",
        id: Id::LeagueRuleset,
    },
    both(
        ("EvalFile", "evalfile"),
        Id::EvalFile,
        OptionKind::Text { default: "" },
        "file of the network to evaluate by; none: the one built in",
    ),
    silent(&["usebook", "OwnBook"], OFF, NO_BOOK),
    silent(&["bookfiles", "BookFile"], OptionKind::Text { default: "" }, NO_BOOK),
    silent(&["useegtb"], OFF, "nothing: no endgame tables are read"),
    silent(&["egtbpaths"], OptionKind::Text { default: "" }, "nothing: no endgame tables are read"),
    silent(
        &["evalapi"],
        OptionKind::Text { default: "" },
        "nothing: the evaluation is part of the program",
    ),
    silent(&["promotion"], OFF, "nothing: advisors and elephants never become pawns"),
    silent(
        &["pruning", "knowledge"],
        OptionKind::Combo { default: "large", values: AMOUNTS },
        "nothing: always large",
    ),
    silent(
        &["randomness", "selectivity"],
        OptionKind::Combo { default: "none", values: AMOUNTS },
        "nothing: always none",
    ),
    silent(
        &["style"],
        OptionKind::Combo { default: "normal", values: &["solid", "normal", "risky"] },
        "nothing: always normal",
    ),
    silent(
        &["UCI_Variant"],
        OptionKind::Combo { default: "xiangqi", values: &["xiangqi"] },
        "nothing: xiangqi is the only game played",
    ),
    silent(
        &["loadbook", "guiname", "usehash", "UCI_AnalyseMode"],
        OptionKind::Text { default: "" },
        "nothing: names that some clients send unasked",
    ),
];

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
                self.eval_file = (!none).then(|| value.into());
            }
            OptionKind::Check { .. } => {
                let on = flag(value).ok_or_else(|| bad("true or false".into()))?;
                self.set_flag(option.id, on);
            }
            OptionKind::Spin { min, max, .. } => {
                let given = number(value).ok_or_else(|| bad(format!("{min} to {max}")))?;
                let number = given.clamp(i128::from(min), i128::from(max)) as u64;
                if i128::from(number) != given {
                    remark = Some(format!("{name} {value} is out of range, using {number}"));
                }
                self.set_number(option.id, number);
            }
            OptionKind::Combo { values, .. } => {
                let word = values.iter().find(|word| word.eq_ignore_ascii_case(value));
                let word = word.ok_or_else(|| bad(values.join(", ")))?;
                self.set_word(option.id, word);
            }
        }
        let consequence = match option.id {
            Id::Threads | Id::Hash | Id::Idle => Consequence::Resources,
            Id::NewGame => Consequence::NewGame,
            id if id.is_of_the_rules() => Consequence::Rules,
            Id::EvalFile => Consequence::Network,
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
            Id::CheckGain => self.rules.check_gain = Some(on),
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
            Id::CheckCap => self.rules.check_cap = Some(number as u16),
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
            Id::Ruleset => self.rules.book = word.parse().unwrap_or_default(),
            Id::LeagueRuleset => {
                self.rules.book = match word {
                    "alwaysdraw" => Book::AlwaysDraw,
                    "checkban" => Book::CheckBan,
                    "asianrule" => Book::Asian,
                    _ => Book::Chinese,
                }
            }
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

/// The option of a name, in whatever case and with or without blanks, hyphens and underscores.
fn find(name: &str) -> Option<&'static OptionSpec> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = plain(name);
    OPTIONS.iter().find(|option| {
        let names = option.uci.iter().chain(&option.ucci).chain(option.also);
        names.into_iter().any(|known| plain(known) == wanted)
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
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn names_are_the_same_in_every_spelling() {
        for name in ["Hash", "hash", "HASHSIZE", "hashsize", "hash_size", "Hash Size"] {
            let mut settings = Settings::default();
            settings.set(name, Some("128")).unwrap();
            assert_eq!(settings.hash_mb, Some(128), "{name}");
        }
        for name in ["Move Overhead", "move_overhead", "moveoverhead", "MoveOverhead"] {
            let mut settings = Settings::default();
            settings.set(name, Some("77")).unwrap();
            assert_eq!(settings.overhead, Duration::from_millis(77), "{name}");
        }
    }

    #[test]
    fn no_two_options_share_a_name() {
        let names = OPTIONS.iter().flat_map(|option| {
            let names = option.uci.iter().chain(&option.ucci).chain(option.also);
            names.map(move |name| (option, name))
        });
        for (option, name) in names {
            assert!(std::ptr::eq(find(name).unwrap(), option), "{name}");
        }
    }

    #[test]
    fn ucci_names_are_single_lower_case_words() {
        for name in OPTIONS.iter().filter_map(|option| option.ucci) {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name}");
        }
    }

    #[test]
    fn defaults_lie_in_their_range() {
        for option in OPTIONS {
            match option.kind {
                OptionKind::Spin { default, min, max } => {
                    assert!((min..=max).contains(&default), "{option:?}");
                }
                OptionKind::Combo { default, values } => {
                    assert!(values.contains(&default), "{option:?}");
                }
                _ => {}
            }
        }
        let settings = Settings::default();
        assert_eq!((settings.threads, settings.multipv), (Some(1), 1));
        assert!(settings.milliseconds && !settings.ponder);
    }

    #[test]
    fn numbers_out_of_range_are_clamped_with_a_remark() {
        for (value, threads) in [
            ("-1", None),
            ("0", None),
            ("7", Some(7)),
            ("99999999999999999999999999999999999999999", Some(MAX_THREADS)),
        ] {
            let mut settings = Settings::default();
            let (consequence, remark) = settings.set("Threads", Some(value)).unwrap();
            assert_eq!(settings.threads, threads);
            assert_eq!(consequence, Consequence::Resources);
            assert_eq!(remark.is_some(), value.len() > 1, "{value}");
        }
    }

    #[test]
    fn bad_values_change_nothing_and_say_what_is_taken() {
        for (name, value) in [
            ("Threads", Some("many")),
            ("Threads", None),
            ("Hash", Some("1.5")),
            ("ponder", Some("maybe")),
            ("idle", Some("huge")),
            ("Ruleset", Some("Korean")),
            ("CheckGain", Some("2")),
        ] {
            let mut settings = Settings::default();
            let error = settings.set(name, value).unwrap_err();
            assert!(matches!(error, OptionError::BadValue { .. }), "{name}");
            assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::default()), "{name}");
        }
        let error = Settings::default().set("idle", Some("huge")).unwrap_err();
        assert_eq!(error.to_string(), "option idle takes none, small, medium, large, not `huge`");
    }

    #[test]
    fn a_time_scheme_is_read_forgotten_and_refused() {
        let mut settings = Settings::default();
        settings.set("timescheme", Some("6.3/60")).unwrap();
        assert_eq!(settings.scheme, Some("6.3/60".parse().unwrap()));
        let error = settings.set("TimeScheme", Some("40/ninety")).unwrap_err().to_string();
        assert!(error.contains("`ninety`") && error.contains("6.1"), "{error}");
        assert!(settings.scheme.is_some());
        for nothing in [None, Some(""), Some("<empty>")] {
            settings.set("Time Scheme", nothing).unwrap();
            assert_eq!(settings.scheme, None);
        }
    }

    #[test]
    fn options_without_effect_take_anything() {
        for name in ["promotion", "usebook", "bookfiles", "style", "selectivity", "guiname"] {
            for value in [None, Some(""), Some("true"), Some("c:\\象棋\\BOOK.DAT;x")] {
                let (consequence, remark) = Settings::default().set(name, value).unwrap();
                assert_eq!((consequence, remark), (Consequence::Nothing, None), "{name}");
            }
        }
        assert!(Settings::default().set("No Such", Some("1")).is_err());
    }

    fn set(options: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in options {
            settings.set(name, Some(value)).unwrap();
        }
        settings
    }

    #[test]
    fn the_rules_at_first_are_those_advertised() {
        let advertised = set(&[
            ("Ruleset", "Chinese"),
            ("RepetitionCount", "3"),
            ("KillDepth", "3"),
            ("CheckGain", "true"),
            ("NaturalLimit", "60"),
            ("CheckCap", "10"),
        ]);
        assert_eq!(advertised.rules.ruleset(), Settings::default().rules.ruleset());
        for option in OPTIONS.iter().filter(|option| option.id.is_of_the_rules()) {
            let default = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } => default.into(),
                _ => unreachable!("{option:?}"),
            };
            let name = option.uci.unwrap_or_else(|| option.also[0]);
            assert_eq!(set(&[(name, &default)]).rules.ruleset(), Ruleset::default(), "{name}");
        }
    }

    #[test]
    fn a_number_once_set_outlives_the_book() {
        let book = ("ruleset", "simple");
        assert_eq!(set(&[book]).rules.ruleset(), Ruleset::of(Book::Simple));
        let own = Ruleset { natural_limit: 80, kill_depth: 2, ..Ruleset::of(Book::Simple) };
        let [limit, depth] = [("naturallimit", "40"), ("killdepth", "2")];
        for order in [[book, limit, depth], [limit, book, depth], [limit, depth, book]] {
            assert_eq!(set(&order).rules.ruleset(), own, "{order:?}");
        }
    }

    #[test]
    fn older_names_of_the_rules_are_understood() {
        for (word, book) in [
            ("alwaysdraw", Book::AlwaysDraw),
            ("checkban", Book::CheckBan),
            ("asianrule", Book::Asian),
            ("ChineseRule", Book::Chinese),
        ] {
            assert_eq!(set(&[("repetition", word)]).rules.book, book);
        }
        assert_eq!(set(&[("drawmoves", "50")]).rules.ruleset().natural_limit, 100);
    }

    #[test]
    fn draws_count_for_whom_they_are_said_to() {
        let winner = |word| set(&[("DrawWins", word)]).draws_won_by;
        assert_eq!(winner("Black"), Some(Color::Black));
        assert_eq!((winner("red"), winner("none")), (Some(Color::Red), None));
    }

    #[test]
    fn idle_rests_a_share_of_the_threads() {
        let mut settings = Settings::default();
        settings.set("threads", Some("0")).unwrap();
        for (word, threads) in [("none", 8), ("small", 6), ("medium", 4), ("large", 2)] {
            settings.set("idle", Some(word)).unwrap();
            assert_eq!(settings.working_threads(8), threads);
            assert!(settings.working_threads(1) == 1);
        }
    }
}
