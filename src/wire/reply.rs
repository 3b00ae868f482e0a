//! What an engine says to its client. Knows the words, not when they are said.

use super::{
    Dialect, Info, OptionLine, ParseError,
    info::Score,
    words::{Words, one_line, read_move, text},
};
use crate::types::Move;

/// One line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id`: something about the engine.
    Id {
        /// What it is about: `name`, `author`, …
        key: String,
        /// What is said.
        text: String,
    },
    /// `option`.
    Option(OptionLine),
    /// `ucciok`, `uciok`.
    Ok(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `info`, with numbers.
    Info(Info),
    /// `info message`, `info string`: text for the user.
    Message(String),
    /// `bestmove`.
    BestMove {
        /// The move.
        best: Move,
        /// The reply that is expected to it.
        ponder: Option<Move>,
        /// What comes with it. Only UCCI has words for that.
        offer: Option<Offer>,
    },
    /// `nobestmove`, `bestmove (none)`.
    NoBestMove,
    /// `pophash`.
    PopHash(PopHash),
    /// `bye`.
    Bye,
}

/// What a player may say with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Offers a draw, or agrees to one.
    Draw,
    /// Gives up.
    Resign,
}

/// What is stored about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PopHash {
    /// The move to try first.
    pub best: Option<Move>,
    /// The score is this or higher.
    pub lower: Option<HashBound>,
    /// The score is this or lower.
    pub upper: Option<HashBound>,
}

/// A stored limit of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashBound {
    /// The score as UCCI counts it, mates and all.
    pub points: i32,
    /// How deep it was searched.
    pub depth: u32,
}

impl Reply {
    /// Reads a line of either protocol; `None` for a blank one.
    ///
    /// ```
    /// use chuhe::wire::Reply;
    /// let uci = Reply::parse(b"bestmove (none)\r\n");
    /// assert!(uci.is_ok() && uci == Reply::parse(b"nobestmove"));
    /// ```
    ///
    /// # Errors
    /// When the first word is unknown, or something indispensable is missing after it.
    pub fn parse(line: &[u8]) -> Result<Option<Self>, ParseError> {
        let mut words = Words::new(line);
        let Some(word) = words.next() else { return Ok(None) };
        let reply = match text(word).as_str() {
            "id" => {
                let key = words.next().map(text);
                let key = key.ok_or(ParseError::Lacks { word: "id", missing: "a key" })?;
                Self::Id { key, text: text(words.rest()) }
            }
            "option" => Self::Option(OptionLine::parse(words)?),
            "ucciok" => Self::Ok(Dialect::Ucci),
            "uciok" => Self::Ok(Dialect::Uci),
            "readyok" => Self::ReadyOk,
            "info" if words.eat("message") || words.eat("string") => {
                Self::Message(text(words.rest()))
            }
            "info" => Self::Info(Info::parse(words)),
            "bestmove" => best_move(words)?,
            "nobestmove" => Self::NoBestMove,
            "pophash" => Self::PopHash(PopHash::parse(words)),
            "bye" => Self::Bye,
            other => return Err(ParseError::Unknown(other.chars().take(60).collect())),
        };
        Ok(Some(reply))
    }

    /// The line that says it, without its end. [`Self::parse`] reads it back as it was, as far as
    /// the protocol has words for it.
    pub fn print(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Self::Id { key, text }, _) => format!("id {key} {}", one_line(text)),
            (Self::Option(option), dialect) => option.print(dialect),
            (Self::Ok(Dialect::Ucci), _) => "ucciok".into(),
            (Self::Ok(Dialect::Uci), _) => "uciok".into(),
            (Self::ReadyOk, _) => "readyok".into(),
            (Self::Info(info), dialect) => info.print(dialect),
            (Self::Message(text), Dialect::Ucci) => format!("info message {}", one_line(text)),
            (Self::Message(text), Dialect::Uci) => format!("info string {}", one_line(text)),
            (Self::BestMove { best, ponder, offer }, dialect) => {
                let ponder = ponder.map_or(String::new(), |ponder| format!(" ponder {ponder}"));
                let offer = match offer {
                    Some(Offer::Draw) if dialect == Dialect::Ucci => " draw",
                    Some(Offer::Resign) if dialect == Dialect::Ucci => " resign",
                    _ => "",
                };
                format!("bestmove {best}{ponder}{offer}")
            }
            (Self::NoBestMove, Dialect::Ucci) => "nobestmove".into(),
            (Self::NoBestMove, Dialect::Uci) => "bestmove (none)".into(),
            (Self::PopHash(entry), _) => entry.print(),
            (Self::Bye, _) => "bye".into(),
        }
    }
}

/// Reads what stands after `bestmove`. Engines have several words for having no move.
fn best_move(mut words: Words) -> Result<Reply, ParseError> {
    const NO_MOVE: [&str; 7] = ["(none)", "none", "null", "(null)", "0000", "a0a0", "resign"];
    let word = words.next().map(text);
    let word = word.ok_or(ParseError::Lacks { word: "bestmove", missing: "a move" })?;
    if NO_MOVE.contains(&word.as_str()) {
        return Ok(Reply::NoBestMove);
    }
    let best = word.parse()?;
    let (mut ponder, mut offer) = (None, None);
    while let Some(word) = words.keyword() {
        match word.as_str() {
            "ponder" => ponder = words.peek().and_then(read_move),
            "draw" => offer = Some(Offer::Draw),
            "resign" => offer = Some(Offer::Resign),
            _ => {}
        }
    }
    Ok(Reply::BestMove { best, ponder, offer })
}

impl PopHash {
    fn parse(mut words: Words) -> Self {
        let mut entry = Self::default();
        while let Some(word) = words.keyword() {
            match word.as_str() {
                "bestmove" => entry.best = words.a_move(),
                "lowerbound" => entry.lower = HashBound::parse(&mut words),
                "upperbound" => entry.upper = HashBound::parse(&mut words),
                _ => {}
            }
        }
        entry
    }

    fn print(&self) -> String {
        let best = self.best.map_or(String::new(), |best| format!(" bestmove {best}"));
        let limit = |word: &str, bound: Option<HashBound>| {
            bound.map_or(String::new(), |HashBound { points, depth }| {
                format!(" {word} {points} depth {depth}")
            })
        };
        let (lower, upper) = (limit("lowerbound", self.lower), limit("upperbound", self.upper));
        format!("pophash{best}{lower}{upper}")
    }
}

impl HashBound {
    fn parse(words: &mut Words) -> Option<Self> {
        let points = words.i32()?;
        words.eat("depth");
        Some(Self { points, depth: words.u32().unwrap_or(0) })
    }

    /// A limit by its score.
    pub fn new(score: Score, depth: u32) -> Self {
        Self { points: score.to_ucci(), depth }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::{collection::vec, option::of, prelude::*};

    use super::*;
    use crate::{
        types::Square,
        wire::{Bound, OptionKind},
    };

    fn parsed(line: &str) -> Reply {
        Reply::parse(line.as_bytes()).unwrap().unwrap()
    }

    #[test]
    fn engines_have_several_ways_to_move() {
        let (best, ponder) = ("h2e2".parse().unwrap(), "h9g7".parse().ok());
        for (line, ponder, offer) in [
            ("bestmove h2e2", None, None),
            ("bestmove h2e2 ponder h9g7", ponder, None),
            ("bestmove h2e2 ponder (none)", None, None),
            ("bestmove h2e2 draw\r", None, Some(Offer::Draw)),
            ("bestmove h2e2 ponder h9g7 resign", ponder, Some(Offer::Resign)),
        ] {
            assert_eq!(parsed(line), Reply::BestMove { best, ponder, offer }, "{line}");
        }
        for line in ["nobestmove", "bestmove (none)", "bestmove null", "bestmove 0000"] {
            assert_eq!(parsed(line), Reply::NoBestMove, "{line}");
        }
        assert!(Reply::parse(b"bestmove").is_err() && Reply::parse(b"bestmove xyz").is_err());
    }

    #[test]
    fn options_of_both_protocols_are_understood() {
        let spin = OptionKind::Spin { default: 16, min: 0, max: 1024 };
        let hash = |name: &str| Reply::Option(OptionLine { name: name.into(), kind: spin.clone() });
        let ucci = "option hashsize type spin min 0 max 1024 default 16";
        let uci = "option name Hash type spin default 16 min 0 max 1024";
        assert_eq!(parsed(ucci), hash("hashsize"));
        assert_eq!(parsed(uci), hash("Hash"));
        assert_eq!(hash("hashsize").print(Dialect::Ucci), ucci);
        assert_eq!(hash("Hash").print(Dialect::Uci), uci);

        let kind = |line| {
            let Reply::Option(option) = parsed(line) else { panic!("{line}") };
            option.kind
        };
        let text = |default: &str| OptionKind::Text { default: default.into() };
        assert_eq!(kind("option name Debug Log File type string default <empty>"), text(""));
        assert_eq!(kind("option bookfiles type string default C:\\a b.DAT"), text("C:\\a b.DAT"));
        assert_eq!(kind("option egtbpaths type string"), text(""));
        assert_eq!(kind("option newgame type button"), OptionKind::Button);
        assert_eq!(kind("option ponder type check"), OptionKind::Check { default: false });
        let combo = OptionKind::Combo {
            default: "Very Solid".into(),
            values: vec!["Very Solid".into(), "Risky".into()],
        };
        assert_eq!(kind("option S type combo default Very Solid var Very Solid var Risky"), combo);
        assert_eq!(kind("option S type combo var Very Solid var Risky default Very Solid"), combo);
        assert!(Reply::parse(b"option name X type").is_err());
        assert!(Reply::parse(b"option name X type wish").is_err());
    }

    #[test]
    fn each_protocol_has_its_own_words() {
        let both = |reply: Reply| (reply.print(Dialect::Ucci), reply.print(Dialect::Uci));
        assert_eq!(both(Reply::NoBestMove), ("nobestmove".into(), "bestmove (none)".into()));
        let message = Reply::Message("a\nb".into());
        assert_eq!(both(message), ("info message a b".into(), "info string a b".into()));
        let info = Info { score: Some(Score::Mate(-1)), depth: Some(2), ..Info::default() };
        let both = both(Reply::Info(info));
        assert_eq!(both, ("info depth 2 score -9998".into(), "info depth 2 score mate -1".into()));
    }

    fn any_move() -> impl Strategy<Value = Move> {
        let pair = (0..Square::NUM, 0..Square::NUM);
        pair.prop_filter_map("two points", |(from, to)| {
            Move::new(Square::ALL[from], Square::ALL[to])
        })
    }

    /// Text without blanks at its ends or control characters in it.
    fn line_text() -> impl Strategy<Value = String> {
        "[!-~棋é][ -~棋é]{0,20}[!-~]"
    }

    fn words(most: usize) -> impl Strategy<Value = String> {
        vec("[A-Za-z_][a-z0-9]{0,8}", 1..=most).prop_map(|words| words.join(" ")).prop_filter(
            "no keyword",
            |text| {
                let reserved = ["name", "type", "default", "min", "max", "var"];
                !text.split(' ').any(|word| reserved.iter().any(|r| r.eq_ignore_ascii_case(word)))
            },
        )
    }

    fn option(dialect: Dialect) -> impl Strategy<Value = OptionLine> {
        let text =
            prop_oneof![Just(String::new()), words(3), Just("C:\\default\\type min 3".to_owned())];
        let kind = prop_oneof![
            Just(OptionKind::Label),
            Just(OptionKind::Button),
            any::<bool>().prop_map(|default| OptionKind::Check { default }),
            any::<(i64, i64, i64)>().prop_map(|(default, min, max)| OptionKind::Spin {
                default,
                min,
                max
            }),
            (words(2), vec(words(2), 0..4))
                .prop_map(|(default, values)| OptionKind::Combo { default, values }),
            text.prop_map(|default| OptionKind::Text { default }),
        ];
        (words(if dialect == Dialect::Uci { 3 } else { 1 }), kind)
            .prop_map(|(name, kind)| OptionLine { name, kind })
    }

    /// Scores that UCCI can tell apart from mates too.
    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![(-9_499..=9_499).prop_map(Score::Points), (-250..=250).prop_map(Score::Mate),]
    }

    prop_compose! {
        fn info()(
            (depth, seldepth, multipv) in (of(any::<u32>()), of(any::<u32>()), of(any::<u32>())),
            score in of(score()),
            bound in of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]),
            wdl in of(any::<[u32; 3]>()),
            (nodes, nps, hashfull) in (of(any::<u64>()), of(any::<u64>()), of(any::<u32>())),
            time in of(any::<u64>().prop_map(Duration::from_millis)),
            (current, current_number) in (of(any_move()), of(any::<u32>())),
            pv in vec(any_move(), 0..6),
        ) -> Info {
            Info {
                depth, seldepth, multipv, score, bound, wdl, nodes, nps, hashfull, time, current,
                current_number, pv,
            }
        }
    }

    fn offer(dialect: Dialect) -> BoxedStrategy<Option<Offer>> {
        match dialect {
            Dialect::Ucci => of(prop_oneof![Just(Offer::Draw), Just(Offer::Resign)]).boxed(),
            Dialect::Uci => Just(None).boxed(),
        }
    }

    fn reply(dialect: Dialect) -> impl Strategy<Value = Reply> {
        let bound = || of((any::<i32>(), any::<u32>()));
        let bound =
            move || bound().prop_map(|b| b.map(|(points, depth)| HashBound { points, depth }));
        prop_oneof![
            ("[a-z]{1,9}", line_text()).prop_map(|(key, text)| Reply::Id { key, text }),
            option(dialect).prop_map(Reply::Option),
            Just(Reply::Ok(Dialect::Ucci)),
            Just(Reply::Ok(Dialect::Uci)),
            Just(Reply::ReadyOk),
            info().prop_map(Reply::Info),
            line_text().prop_map(Reply::Message),
            (any_move(), of(any_move()), offer(dialect))
                .prop_map(|(best, ponder, offer)| Reply::BestMove { best, ponder, offer }),
            Just(Reply::NoBestMove),
            (of(any_move()), bound(), bound())
                .prop_map(|(best, lower, upper)| Reply::PopHash(PopHash { best, lower, upper })),
            Just(Reply::Bye),
        ]
    }

    proptest! {
        #[test]
        fn what_is_printed_in_ucci_is_read_back(reply in reply(Dialect::Ucci)) {
            let line = reply.print(Dialect::Ucci);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Reply::parse(line.as_bytes()), Ok(Some(reply)));
        }

        #[test]
        fn what_is_printed_in_uci_is_read_back(reply in reply(Dialect::Uci)) {
            let line = reply.print(Dialect::Uci);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Reply::parse(line.as_bytes()), Ok(Some(reply)));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(line in vec(any::<u8>(), 0..200)) {
            let _ = Reply::parse(&line);
        }
    }
}
