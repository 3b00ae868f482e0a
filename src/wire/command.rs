//! What a client says to an engine. Knows the words, not what they set in motion.

use super::{
    Dialect, Go, ParseError,
    words::{Words, is, joined, one_line, read_move, text},
};
use crate::types::Move;

/// Names in error values and logs are cut at this length.
const MOST_SHOWN: usize = 60;

/// One line from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ucci` or `uci`: the protocol to answer in.
    Hello(Dialect),
    /// `isready`.
    IsReady,
    /// `setoption`, except for `newgame`.
    SetOption {
        /// The option, in whatever spelling.
        name: String,
        /// What follows, empty for buttons. It may be a file name in the encoding of the client's
        /// system, so it stays as the bytes it came as until somebody needs to know.
        value: Vec<u8>,
    },
    /// `position`.
    Position(Setup),
    /// `banmoves`: not to be chosen until the next position.
    BanMoves(Vec<Move>),
    /// `go`.
    Go(Box<Go>),
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit {
        /// And offers a draw with it.
        draw: bool,
    },
    /// `stop`.
    Stop,
    /// `probe`: what is stored about a position; `None`: about the one on the board.
    Probe(Option<Setup>),
    /// `setoption newgame`, `ucinewgame`.
    NewGame,
    /// `quit`.
    Quit,
    /// `d`: show the board.
    Show,
    /// `eval`: explain the static score.
    Eval,
    /// `bench`: search a fixed suite, to the given depth or the usual one.
    Bench(Option<u32>),
    /// `help`.
    Help,
}

/// A position by where it starts and what was played since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The start.
    pub start: Start,
    /// The moves, unread: whoever plays them can say which one is wrong.
    pub moves: Vec<String>,
}

/// Where a list of moves starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// `startpos`: where every game starts.
    Initial,
    /// `fen`: what follows, up to `moves`.
    Fen(String),
}

impl Command {
    /// Reads a line, which may be any bytes in any of the protocols; `None` for a blank line and for
    /// a comment.
    ///
    /// ```
    /// use chuhe::wire::Command;
    /// let ucci = Command::parse(b"setoption hashsize 64\r\n");
    /// let uci = Command::parse(b"setoption name hashsize value 64");
    /// assert!(ucci.is_ok() && ucci == uci);
    /// ```
    ///
    /// # Errors
    /// When the first word is unknown, or something indispensable is missing after it.
    pub fn parse(line: &[u8]) -> Result<Option<Self>, ParseError> {
        let mut words = Words::new(line);
        let start = words.clone();
        let Some(word) = words.keyword() else { return Ok(None) };
        let command = match word.as_str() {
            comment if comment.starts_with('#') => return Ok(None),
            "ucci" => Self::Hello(Dialect::Ucci),
            "uci" => Self::Hello(Dialect::Uci),
            "isready" => Self::IsReady,
            "setoption" => set_option(words)?,
            "position" => Self::Position(
                Setup::parse(words)
                    .ok_or(ParseError::Lacks { word: "position", missing: "startpos or fen" })?,
            ),
            // The Cyclone flavour of UCI leaves the word out.
            "fen" | "startpos" => Setup::parse(start)
                .map(Self::Position)
                .ok_or(ParseError::Lacks { word: "fen", missing: "a board" })?,
            "banmoves" => Self::BanMoves(words.filter_map(read_move).collect()),
            "go" => Self::Go(Box::new(Go::parse(words))),
            "ponderhit" => Self::PonderHit { draw: words.eat("draw") },
            "stop" => Self::Stop,
            "probe" => Self::Probe(Setup::parse(words)),
            "ucinewgame" | "uccinewgame" | "newgame" => Self::NewGame,
            "quit" => Self::Quit,
            "d" => Self::Show,
            "eval" => Self::Eval,
            "bench" => Self::Bench(words.u32()),
            "help" | "?" => Self::Help,
            other => return Err(ParseError::Unknown(other.chars().take(MOST_SHOWN).collect())),
        };
        Ok(Some(command))
    }

    /// The line that says it, without its end. [`Self::parse`] reads it back as it was.
    pub fn print(&self, dialect: Dialect) -> Vec<u8> {
        let line = match self {
            Self::Hello(Dialect::Ucci) => "ucci".into(),
            Self::Hello(Dialect::Uci) => "uci".into(),
            Self::IsReady => "isready".into(),
            Self::SetOption { name, value } => return print_option(dialect, name, value),
            Self::Position(setup) => format!("position {}", setup.print()),
            Self::BanMoves(moves) => {
                moves.iter().fold("banmoves".into(), |line, mv| format!("{line} {mv}"))
            }
            Self::Go(go) => go.to_string(),
            Self::PonderHit { draw: false } => "ponderhit".into(),
            Self::PonderHit { draw: true } => "ponderhit draw".into(),
            Self::Stop => "stop".into(),
            Self::Probe(None) => "probe".into(),
            Self::Probe(Some(setup)) => format!("probe {}", setup.print()),
            Self::NewGame => match dialect {
                Dialect::Ucci => "setoption newgame".into(),
                Dialect::Uci => "ucinewgame".into(),
            },
            Self::Quit => "quit".into(),
            Self::Show => "d".into(),
            Self::Eval => "eval".into(),
            Self::Bench(None) => "bench".into(),
            Self::Bench(Some(depth)) => format!("bench {depth}"),
            Self::Help => "help".into(),
        };
        line.into_bytes()
    }
}

impl Setup {
    /// Reads `startpos` or `fen …`, and `moves …`. A board without `fen` before it is one, too.
    fn parse(mut words: Words) -> Option<Self> {
        let start = if words.eat("startpos") {
            Start::Initial
        } else {
            words.eat("fen");
            let fen = words.until(|word| is(word, "moves"));
            if fen.is_empty() {
                return None;
            }
            Start::Fen(joined(&fen))
        };
        words.until(|word| is(word, "moves"));
        Some(Self { start, moves: words.skip(1).map(text).collect() })
    }

    /// The FEN, unless it is the initial position, and the moves.
    pub fn parts(&self) -> (Option<&str>, Vec<&str>) {
        let fen = match &self.start {
            Start::Initial => None,
            Start::Fen(fen) => Some(fen.as_str()),
        };
        (fen, self.moves.iter().map(String::as_str).collect())
    }

    fn print(&self) -> String {
        let mut line = match &self.start {
            Start::Initial => "startpos".into(),
            Start::Fen(fen) => format!("fen {}", one_line(fen)),
        };
        if !self.moves.is_empty() {
            line += " moves";
        }
        self.moves.iter().fold(line, |line, mv| line + " " + mv)
    }
}

/// Reads `<name> [<value>]`, or `name <name> [value <value>]` where the name may have blanks.
fn set_option(mut words: Words) -> Result<Command, ParseError> {
    let missing = ParseError::Lacks { word: "setoption", missing: "a name" };
    let name = if words.eat("name") {
        let name = words.until(|word| is(word, "value"));
        words.next();
        joined(&name)
    } else {
        words.next().map(text).unwrap_or_default()
    };
    match name.as_str() {
        "" => Err(missing),
        name if name.eq_ignore_ascii_case("newgame") => Ok(Command::NewGame),
        _ => Ok(Command::SetOption { name, value: words.rest().to_vec() }),
    }
}

/// UCCI names are one word, and names are the same with and without their blanks.
fn print_option(dialect: Dialect, name: &str, value: &[u8]) -> Vec<u8> {
    let mut line = match dialect {
        Dialect::Ucci => format!("setoption {}", name.replace(' ', "")),
        Dialect::Uci => format!("setoption name {name}"),
    }
    .into_bytes();
    if !value.is_empty() {
        line.extend_from_slice(if dialect == Dialect::Uci { b" value " } else { b" " });
        // A line break would be a second command.
        line.extend(value.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
    }
    line
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, option::of, prelude::*};

    use super::*;
    use crate::{types::Square, wire::SideClock};

    fn parsed(line: &str) -> Command {
        Command::parse(line.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn both_spellings_of_an_option_are_one() {
        let hash = Command::SetOption { name: "Hash".into(), value: b"64".into() };
        assert_eq!(parsed("setoption Hash 64"), hash);
        assert_eq!(parsed("setoption name Hash value 64"), hash);
        let overhead = Command::SetOption { name: "Move Overhead".into(), value: b"9".into() };
        assert_eq!(parsed("setoption name Move  Overhead value 9\r"), overhead);
        let clear = Command::SetOption { name: "Clear Hash".into(), value: b"".into() };
        assert_eq!(parsed("setoption name Clear Hash"), clear);
        assert_eq!(parsed("setoption name Clear Hash value"), clear);
        assert_eq!(parsed("setoption newgame"), Command::NewGame);
        assert!(Command::parse(b"setoption").is_err());
        assert!(Command::parse(b"setoption name value 3").is_err());
    }

    #[test]
    fn a_file_name_in_gbk_is_kept_as_it_is() {
        let line = b"setoption bookfiles C:\\\xcf\xf3\xc6\xe5 \xc7\xed\\BOOK.DAT;b\r\n";
        let Ok(Some(Command::SetOption { value, .. })) = Command::parse(line) else { panic!() };
        assert_eq!(value, b"C:\\\xcf\xf3\xc6\xe5 \xc7\xed\\BOOK.DAT;b");
    }

    #[test]
    fn positions_come_in_every_client_s_shape() {
        let fen = |fen: &str, moves: &[&str]| {
            Command::Position(Setup {
                start: Start::Fen(fen.into()),
                moves: moves.iter().map(|&mv| mv.into()).collect(),
            })
        };
        assert_eq!(parsed("position fen 4k4/9 w - - 0 1 moves "), fen("4k4/9 w - - 0 1", &[]));
        assert_eq!(parsed("fen 4k4/9 r moves h2e2"), fen("4k4/9 r", &["h2e2"]));
        assert_eq!(parsed("position 4k4/9 b"), fen("4k4/9 b", &[]));
        let initial = Setup { start: Start::Initial, moves: vec!["h2e2".into()] };
        for line in ["position startpos moves h2e2", "startpos moves h2e2"] {
            assert_eq!(parsed(line), Command::Position(initial.clone()));
        }
        for line in ["position", "position fen", "position fen moves h2e2", "fen"] {
            assert!(Command::parse(line.as_bytes()).is_err(), "{line}");
        }
    }

    #[test]
    fn nothing_is_said_by_blanks_and_comments() {
        for line in ["", "  \t\r\n", "# a remark", "#go"] {
            assert_eq!(Command::parse(line.as_bytes()), Ok(None), "{line}");
        }
        assert_eq!(Command::parse(b"xyzzy 1"), Err(ParseError::Unknown("xyzzy".into())));
        assert!(Command::parse(b"\xff\xfe\x00go").is_err());
        assert_eq!(parsed("\u{feff}ucci"), Command::Hello(Dialect::Ucci));
    }

    fn any_move() -> impl Strategy<Value = Move> {
        let pair = (0..Square::NUM, 0..Square::NUM);
        pair.prop_filter_map("two points", |(from, to)| {
            Move::new(Square::ALL[from], Square::ALL[to])
        })
    }

    fn setup() -> impl Strategy<Value = Setup> {
        let word = || "[a-zA-Z0-9/é;-]{1,12}";
        let fen = vec(word().prop_filter("not a keyword", |w| !is_reserved(w)), 1..7);
        let start =
            prop_oneof![Just(Start::Initial), fen.prop_map(|words| Start::Fen(words.join(" ")))];
        (start, vec(word(), 0..5)).prop_map(|(start, moves)| Setup { start, moves })
    }

    fn is_reserved(word: &str) -> bool {
        ["moves", "fen", "startpos"].iter().any(|name| name.eq_ignore_ascii_case(word))
    }

    fn side() -> impl Strategy<Value = SideClock> {
        of((of(any::<u64>()), of(any::<u64>())))
            .prop_map(Option::unwrap_or_default)
            .prop_map(|(time, increment)| SideClock { time, increment })
    }

    prop_compose! {
        fn go()(
            (ponder, draw, infinite) in any::<(bool, bool, bool)>(),
            (own, opponent, red, black) in (side(), side(), side(), side()),
            (moves_to_go, opponent_moves_to_go) in (of(any::<u32>()), of(any::<u32>())),
            (move_time, depth, nodes) in (of(any::<u64>()), of(any::<u32>()), of(any::<u64>())),
            (mate, perft) in (of(any::<u32>()), of(any::<u32>())),
            search_moves in vec(any_move(), 0..4),
        ) -> Go {
            Go {
                ponder, draw, infinite, own, opponent, red, black, moves_to_go,
                opponent_moves_to_go, move_time, depth, nodes, mate, perft, search_moves,
                unread: Vec::new(),
            }
        }
    }

    /// A name that both protocols can write: in UCI it may have blanks, in UCCI it is one word.
    fn name(blanks: bool) -> impl Strategy<Value = String> {
        let words = vec("[A-Za-z_][A-Za-z0-9_]{0,9}", 1..=if blanks { 3 } else { 1 });
        words.prop_map(|words| words.join(" ")).prop_filter("no keyword", |name| {
            let reserved = ["name", "value", "newgame"];
            !name.split(' ').any(|word| reserved.iter().any(|r| r.eq_ignore_ascii_case(word)))
        })
    }

    /// Any bytes of one line, without blanks at the ends.
    fn value() -> impl Strategy<Value = Vec<u8>> {
        vec(any::<u8>().prop_filter("one line", |&byte| byte != b'\n'), 0..20)
            .prop_map(|bytes| Words::new(&[b" ", &*bytes].concat()).rest().to_vec())
    }

    fn command(dialect: Dialect) -> impl Strategy<Value = Command> {
        prop_oneof![
            2 => prop_oneof![
                Just(Command::Hello(Dialect::Ucci)),
                Just(Command::Hello(Dialect::Uci)),
                Just(Command::IsReady),
                Just(Command::Stop),
                Just(Command::NewGame),
                Just(Command::Quit),
                Just(Command::Show),
                Just(Command::Eval),
                Just(Command::Help),
                any::<bool>().prop_map(|draw| Command::PonderHit { draw }),
                of(any::<u32>()).prop_map(Command::Bench),
                vec(any_move(), 0..5).prop_map(Command::BanMoves),
            ],
            1 => setup().prop_map(Command::Position),
            1 => of(setup()).prop_map(Command::Probe),
            2 => (name(dialect == Dialect::Uci), value())
                .prop_map(|(name, value)| Command::SetOption { name, value }),
            2 => go().prop_map(|go| Command::Go(Box::new(go))),
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_in_ucci_is_read_back(command in command(Dialect::Ucci)) {
            let line = command.print(Dialect::Ucci);
            prop_assert_eq!(Command::parse(&line), Ok(Some(command)));
        }

        #[test]
        fn what_is_printed_in_uci_is_read_back(command in command(Dialect::Uci)) {
            let line = command.print(Dialect::Uci);
            prop_assert_eq!(Command::parse(&line), Ok(Some(command)));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(line in vec(any::<u8>(), 0..200)) {
            let _ = Command::parse(&line);
        }

        #[test]
        fn any_words_of_the_protocols_are_read_without_a_panic(
            words in vec(prop::sample::select(vec![
                "go", "position", "fen", "startpos", "moves", "setoption", "name", "value", "time",
                "depth", "searchmoves", "h2e2", "-1", "99999999999999999999", "infinite", "probe",
                "banmoves", "ponder", "draw", "perft", "é", "h2", "bench", "#",
            ]), 0..12),
        ) {
            let _ = Command::parse(words.join(" ").as_bytes());
        }
    }
}
