//! The table of options: every name that a client may set, in one place. Knows no protocol's
//! wording and not what is set.

use crate::engine::memory::USUAL_MB;
use crate::engine::strength::{FULL_SKILL, Randomness, STRONGEST, WEAKEST};
use crate::rules::Book;

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
#[derive(Clone, Copy, Debug)]
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
    pub(super) id: Id,
}

/// Which setting an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
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
    OtherRuleset,
    RepetitionCount,
    RepetitionWarning,
    KillDepth,
    CheckGain,
    NaturalLimit,
    CheckCap,
    IsLimited,
    PlyLimit,
    DrawWins,
    OtherDrawWins,
    EvalFile,
    UseNetwork,
    OwnBook,
    BookFiles,
    BookDepth,
    BookChoice,
    Analyse,
    /// A number of the search, by its place in the table of those.
    #[cfg(feature = "tune")]
    Parameter(usize),
    LimitStrength,
    Elo,
    Skill,
    Randomness,
    Nothing,
}

impl Id {
    /// Whether it chooses a book or a number of its own in place of the book's.
    pub(super) fn is_of_the_rules(self) -> bool {
        matches!(
            self,
            Self::Ruleset
                | Self::OtherRuleset
                | Self::RepetitionCount
                | Self::RepetitionWarning
                | Self::KillDepth
                | Self::CheckGain
                | Self::NaturalLimit
                | Self::CheckCap
                | Self::IsLimited
                | Self::PlyLimit
        )
    }

    /// Whether zero is no number of the range but a word for something else, such as whatever suits
    /// the machine.
    pub(super) fn has_a_special_zero(self) -> bool {
        matches!(self, Self::Threads | Self::Hash | Self::BookDepth)
    }
}

/// The most threads: more are never of use to one search.
pub const MAX_THREADS: usize = 512;
/// The largest Elo that can be asked for.
const TOP_ELO: u64 = STRONGEST as u64 + 200;
/// The most memory for the transposition table in MB, whatever the machine has.
const MAX_HASH_MB: u64 = 1 << 20;

/// Time controls to go by.
pub(super) const EXAMPLES: &str = "6.1 to 6.4, 6.5:60min, 40/90min:10/15min, 5min+3s and the like";
const AMOUNTS: &[&str] = &["none", "small", "medium", "large"];
const BOOKS: &[&str] =
    &[Book::Chinese.name(), Book::Asian.name(), Book::Computer.name(), Book::Simple.name()];
const LEAGUE_BOOKS: &[&str] = &["alwaysdraw", "checkban", "asianrule", "chineserule"];
/// Books by the names that programs for the leading UCI engines send.
const OTHER_BOOKS: &[&str] = &[
    "AsianRule",
    "ChineseRule",
    "ComputerRule",
    "SkyRule",
    "YitianRule",
    "AllowChase",
    "NoJudgement",
];
const OTHER_DRAWS: &[&str] =
    &["None", "DrawAsBlackWin", "DrawAsRedWin", "DrawRepAsBlackWin", "DrawRepAsRedWin"];
const OFF: OptionKind = OptionKind::Check { default: false };

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
pub(in crate::engine) static OPTIONS: &[OptionSpec] = &[
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
    ucci("debug", Id::Debug, OFF, "tells what is passed over without a word otherwise"),
    ucci(
        "idle",
        Id::Idle,
        OptionKind::Combo { default: "none", values: AMOUNTS },
        "leaves none, a quarter, half or three quarters of the threads to other programs",
    ),
    OptionSpec {
        uci: Some("UCI_LimitStrength"),
        ucci: None,
        also: &[],
        kind: OFF,
        effect: "plays no better than UCI_Elo says",
        id: Id::LimitStrength,
    },
    OptionSpec {
        uci: Some("UCI_Elo"),
        ucci: None,
        also: &[],
        kind: OptionKind::Spin { default: 2_000, min: WEAKEST as u64, max: TOP_ELO },
        effect: "the level when UCI_LimitStrength is on; above 2800: full strength",
        id: Id::Elo,
    },
    both(
        ("Skill Level", "skilllevel"),
        Id::Skill,
        OptionKind::Spin { default: FULL_SKILL as u64, min: 0, max: FULL_SKILL as u64 },
        "the level when UCI_LimitStrength is off: 0 to 19 are UCI_Elo 1000 to 2800; 20: full strength",
    ),
    ucci(
        "randomness",
        Id::Randomness,
        OptionKind::Combo { default: Randomness::NAMES[0], values: &Randomness::NAMES },
        "plays one of several good moves by chance, the more of them the more of it",
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
        ("RepetitionWarning", "repetitionwarning"),
        Id::RepetitionWarning,
        OFF,
        "an offender is told to deviate first, and loses when the position occurs once more",
    ),
    OptionSpec {
        uci: Some("KillDepth"),
        ucci: Some("killdepth"),
        also: &["Mate Threat Depth"],
        kind: OptionKind::Spin { default: 3, min: 0, max: 6 },
        effect: "checks that a threatened mate may take to count as one; 0: no threat counts",
        id: Id::KillDepth,
    },
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
    OptionSpec {
        uci: Some("CheckCap"),
        ucci: Some("checkcap"),
        also: &["MaxCheckCount"],
        kind: OptionKind::Spin { default: 10, min: 0, max: 60 },
        effect: "checks of each side that count among these rounds",
        id: Id::CheckCap,
    },
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["Sixty Move Rule"],
        kind: OptionKind::Check { default: true },
        effect: "these rounds as in the rules, or none",
        id: Id::IsLimited,
    },
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["Rule60MaxPly"],
        kind: OptionKind::Spin { default: 120, min: 0, max: 300 },
        effect: "these rounds, two plies each",
        id: Id::PlyLimit,
    },
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
        id: Id::OtherRuleset,
    },
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["Repetition Rule"],
        kind: OptionKind::Combo { default: "ChineseRule", values: OTHER_BOOKS },
        effect: "the ruleset by the names of other UCI programs",
        id: Id::OtherRuleset,
    },
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["Draw Rule"],
        kind: OptionKind::Combo { default: "None", values: OTHER_DRAWS },
        effect: "whom a draw counts as a win for by the names of other UCI programs",
        id: Id::OtherDrawWins,
    },
    both(
        ("EvalFile", "evalfile"),
        Id::EvalFile,
        OptionKind::Text { default: "" },
        "file of the network to evaluate by; none: the one built in",
    ),
    both(
        ("UseNNUE", "usennue"),
        Id::UseNetwork,
        OptionKind::Check { default: true },
        "evaluates by the network; off: by hand",
    ),
    // The two are one, but for what it is at first.
    ucci(
        "usebook",
        Id::OwnBook,
        OptionKind::Check { default: true },
        "plays from opening books in games",
    ),
    OptionSpec {
        uci: Some("OwnBook"),
        ucci: None,
        also: &[],
        kind: OFF,
        effect: "plays from opening books in games",
        id: Id::OwnBook,
    },
    both(
        ("BookFile", "bookfiles"),
        Id::BookFiles,
        OptionKind::Text { default: "" },
        "files of books, with `;` between them, to ask before the one built in",
    ),
    both(
        ("BookDepth", "bookdepth"),
        Id::BookDepth,
        OptionKind::Spin { default: 0, min: 0, max: 400 },
        "plies of a game that books are asked in; 0: as many as they know",
    ),
    both(
        ("BookChoice", "bookchoice"),
        Id::BookChoice,
        OptionKind::Combo { default: "weighted", values: &["best", "weighted"] },
        "the best of a book's moves, or any, as often as they weigh",
    ),
    OptionSpec {
        uci: None,
        ucci: None,
        also: &["UCI_AnalyseMode"],
        kind: OFF,
        effect: "asks no book",
        id: Id::Analyse,
    },
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
        &["selectivity"],
        OptionKind::Combo { default: "none", values: AMOUNTS },
        "nothing: always none",
    ),
    silent(
        &["style"],
        OptionKind::Combo { default: "normal", values: &["solid", "normal", "risky"] },
        "nothing: always normal",
    ),
    OptionSpec {
        uci: Some("UCI_Variant"),
        ucci: None,
        also: &[],
        kind: OptionKind::Combo { default: "xiangqi", values: &["xiangqi"] },
        effect: "nothing: xiangqi is the only game played",
        id: Id::Nothing,
    },
    silent(
        &[
            "loadbook",
            "guiname",
            "usehash",
            "ScoreType",
            "LU_Output",
            "NumaPolicy",
            "nodestime",
            "Debug Log File",
        ],
        OptionKind::Text { default: "" },
        "nothing: names that some clients send unasked",
    ),
];

/// Every option there is.
#[cfg(not(feature = "tune"))]
pub(in crate::engine) fn options() -> &'static [OptionSpec] {
    OPTIONS
}

/// Every option there is, with the numbers of the search among them.
#[cfg(feature = "tune")]
pub(in crate::engine) fn options() -> &'static [OptionSpec] {
    use crate::search::Parameter;
    static ALL: std::sync::LazyLock<Vec<OptionSpec>> = std::sync::LazyLock::new(|| {
        let parameters = Parameter::TABLE.iter().enumerate().map(|(index, parameter)| {
            let [default, min, max] = [parameter.value, parameter.least, parameter.greatest]
                .map(|number| u64::try_from(number).unwrap_or_default());
            OptionSpec {
                uci: Some(parameter.name),
                ucci: None,
                also: &[],
                kind: OptionKind::Spin { default, min, max },
                effect: "a number of the search",
                id: Id::Parameter(index),
            }
        });
        OPTIONS.iter().copied().chain(parameters).collect()
    });
    &ALL
}

/// The option of a name, in whatever case and with or without blanks, hyphens and underscores.
pub(in crate::engine) fn find(name: &str) -> Option<&'static OptionSpec> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let wanted = plain(name);
    options().iter().find(|option| {
        let names = option.uci.iter().chain(&option.ucci).chain(option.also);
        names.into_iter().any(|known| plain(known) == wanted)
    })
}
