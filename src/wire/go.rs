//! `go` with every limit of both protocols. Knows how limits are written, not what to do with them.

use std::{fmt, time::Duration};

use super::{
    Dialect,
    words::{Words, is, text},
};
use crate::{
    clock::{Clock, ClockView},
    types::{Color, Move},
};

/// What a UCCI clock counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `usemillisec false`.
    Second,
    /// `usemillisec true`.
    Millisecond,
}

impl Unit {
    /// So many of it.
    pub fn times(self, count: u64) -> Duration {
        match self {
            Self::Second => Duration::from_secs(count),
            Self::Millisecond => Duration::from_millis(count),
        }
    }

    /// How many whole ones a time has.
    pub fn count(self, time: Duration) -> u64 {
        match self {
            Self::Second => time.as_secs(),
            Self::Millisecond => u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// One side's clock, as far as it was told, in the protocol's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// What is left. A clock below zero is told as zero.
    pub time: Option<u64>,
    /// What each move adds.
    pub increment: Option<u64>,
}

impl SideClock {
    /// What a clock shows, as far as time counts.
    fn of(clock: &Clock, unit: Unit) -> Self {
        let Some(view) = clock.view() else { return Self::default() };
        let free = view.countdown.filter(|_| clock.left().is_some());
        let free = free.map_or(Duration::ZERO, |countdown| countdown.time);
        let increment = unit.count(view.increment.max(free));
        Self {
            time: Some(unit.count(view.left)),
            increment: Some(increment).filter(|&increment| increment > 0),
        }
    }
}

/// What a search is to be, and when it is to end. All limits may stand together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The opponent is still to move.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Until `stop`.
    pub infinite: bool,
    /// The mover's clock as UCCI tells it: `time`, `increment`.
    pub own: SideClock,
    /// The other clock as UCCI tells it: `opptime`, `oppincrement`.
    pub opponent: SideClock,
    /// Red's clock as UCI tells it: `wtime`, `winc`, in milliseconds.
    pub red: SideClock,
    /// Black's clock as UCI tells it: `btime`, `binc`, in milliseconds.
    pub black: SideClock,
    /// Moves of the mover until more time is granted.
    pub moves_to_go: Option<u32>,
    /// Moves of the opponent until more time is granted.
    pub opponent_moves_to_go: Option<u32>,
    /// Milliseconds for this move alone. The word is UCI's, and so is its unit, always.
    pub move_time: Option<u64>,
    /// So many plies.
    pub depth: Option<u32>,
    /// So many positions.
    pub nodes: Option<u64>,
    /// A mate in at most so many moves.
    pub mate: Option<u32>,
    /// No search: the number of lines of so many plies.
    pub perft: Option<u32>,
    /// Only these moves; none: all.
    pub search_moves: Vec<Move>,
    /// Limits whose number could not be read, with what stood in its place.
    pub unread: Vec<(&'static str, String)>,
}

impl Go {
    /// What tells a player its clock and its limits, the unit being that of a UCCI clock.
    ///
    /// Neither protocol has a word for a countdown (读秒): it is told as an increment, which it is to
    /// a player that spends no more than that on a move. Nor has UCCI one for a time of the move's
    /// own, which is the time of a period of one move there.
    ///
    /// ```
    /// use chuhe::{clock::{Clock, TimeControl}, types::Color, wire::{Dialect, Go, Unit}};
    /// let control: TimeControl = "6.3/60".parse().unwrap();
    /// let (red, black) = (Clock::new(control.red()), Clock::new(control.black()));
    /// let go = |dialect| Go::on_clock(dialect, Unit::Millisecond, Color::Red, &red, &black);
    /// assert_eq!(go(Dialect::Uci).to_string(), "go movestogo 40 wtime 10000 btime 10000");
    /// assert_eq!(
    ///     go(Dialect::Ucci).to_string(),
    ///     "go time 10000 movestogo 40 opptime 10000 oppmovestogo 40"
    /// );
    /// ```
    pub fn on_clock(
        dialect: Dialect,
        unit: Unit,
        mover: Color,
        red: &Clock,
        black: &Clock,
    ) -> Self {
        let (own, other) = match mover {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        let limits = own.allowance();
        let mut go = Self { nodes: limits.nodes, depth: limits.depth, ..Self::default() };
        // A time that is not kept is that of a period of one move.
        let to_go = |clock: &Clock| {
            let alone = clock.allowance().move_time.map(|_| 1);
            clock.left().map_or(alone, |_| clock.moves_to_go())
        };
        match dialect {
            Dialect::Uci if own.left().is_none() => {
                let each = limits.move_time;
                go.move_time = each.map(|time| Unit::Millisecond.count(time));
            }
            Dialect::Uci => {
                go.red = SideClock::of(red, Unit::Millisecond);
                go.black = SideClock::of(black, Unit::Millisecond);
                go.moves_to_go = to_go(own);
            }
            Dialect::Ucci => {
                go.own = SideClock::of(own, unit);
                go.moves_to_go = to_go(own);
                if go.own.time.is_some() {
                    go.opponent = SideClock::of(other, unit);
                    go.opponent_moves_to_go = to_go(other);
                }
                // Some engines take a time alone for that of a single move.
                for (clock, moves) in
                    [(&mut go.own, go.moves_to_go), (&mut go.opponent, go.opponent_moves_to_go)]
                {
                    if clock.time.is_some() && moves.is_none() {
                        clock.increment.get_or_insert(0);
                    }
                }
            }
        }
        go
    }

    /// Reads what stands after `go`. Words that mean nothing here are passed over. A limit without its
    /// number is none, and is remembered as [`Self::unread`]; `depth infinite` just says `infinite`.
    pub(super) fn parse(mut words: Words) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.keyword() {
            match word.as_str() {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                "infinite" => go.infinite = true,
                "searchmoves" => go.search_moves = words.moves(),
                word => go.limit(word, &mut words),
            }
        }
        go
    }

    /// Reads the number of a limit, if the word is one.
    fn limit(&mut self, word: &str, words: &mut Words) {
        let large: [(&'static str, &mut Option<u64>); 10] = [
            ("time", &mut self.own.time),
            ("increment", &mut self.own.increment),
            ("opptime", &mut self.opponent.time),
            ("oppincrement", &mut self.opponent.increment),
            ("wtime", &mut self.red.time),
            ("winc", &mut self.red.increment),
            ("btime", &mut self.black.time),
            ("binc", &mut self.black.increment),
            ("movetime", &mut self.move_time),
            ("nodes", &mut self.nodes),
        ];
        let small: [(&'static str, &mut Option<u32>); 5] = [
            ("movestogo", &mut self.moves_to_go),
            ("oppmovestogo", &mut self.opponent_moves_to_go),
            ("depth", &mut self.depth),
            ("mate", &mut self.mate),
            ("perft", &mut self.perft),
        ];
        // Zero plies ask for no move at all; a negative depth surely does not mean that.
        let negative = words.clone().number(i128::MIN, 0).is_some_and(|number| number < 0);
        let least = u32::from(word == "depth" && negative);
        let named = |known: &str| known == word;
        let (known, is_read) =
            if let Some((known, field)) = large.into_iter().find(|(known, _)| named(known)) {
                (known, words.u64().map(|number| *field = Some(number)))
            } else if let Some((known, field)) = small.into_iter().find(|(known, _)| named(known)) {
                (known, words.u32().map(|number| *field = Some(number.max(least))))
            } else {
                return;
            };
        match (is_read, words.peek()) {
            (Some(()), _) => {}
            (None, Some(word)) if is(word, "infinite") => {}
            (None, other) => self.unread.push((known, other.map(text).unwrap_or_default())),
        }
    }

    /// Whether anything says when the search is to end.
    pub fn is_limited(&self) -> bool {
        let clocks = [self.own, self.opponent, self.red, self.black];
        clocks.iter().any(|clock| clock.time.is_some())
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
    }

    /// What the clock of the side to move shows, if any clock was told.
    ///
    /// ```
    /// use chuhe::{types::Color, wire::{Command, Unit}};
    /// let Ok(Some(Command::Go(go))) = Command::parse(b"go time 60 increment 1") else { panic!() };
    /// let clock = go.clock(Color::Red, Unit::Second).unwrap();
    /// assert_eq!((clock.left.as_millis(), clock.increment.as_millis()), (60_000, 1_000));
    /// ```
    pub fn clock(&self, mover: Color, unit: Unit) -> Option<ClockView> {
        let (own, other) = match mover {
            Color::Red => (self.red, self.black),
            Color::Black => (self.black, self.red),
        };
        // A client that tells one clock only means the one that runs, whatever it calls it.
        let told = [
            (self.own, unit, self.moves_to_go),
            (own, Unit::Millisecond, self.moves_to_go),
            (other, Unit::Millisecond, self.moves_to_go),
            (self.opponent, unit, self.moves_to_go.or(self.opponent_moves_to_go)),
        ];
        told.into_iter().find_map(|(clock, unit, moves_to_go)| {
            Some(ClockView {
                left: unit.times(clock.time?),
                increment: unit.times(clock.increment.unwrap_or(0)),
                moves_to_go,
                ..ClockView::default()
            })
        })
    }
}

impl fmt::Display for Go {
    /// In the order of the UCCI text, which some engines insist on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "go")?;
        for (word, is_set) in [("ponder", self.ponder), ("draw", self.draw)] {
            if is_set {
                write!(f, " {word}")?;
            }
        }
        let small = |number: Option<u32>| number.map(u64::from);
        for (word, number) in [
            ("time", self.own.time),
            ("movestogo", small(self.moves_to_go)),
            ("increment", self.own.increment),
            ("opptime", self.opponent.time),
            ("oppmovestogo", small(self.opponent_moves_to_go)),
            ("oppincrement", self.opponent.increment),
            ("wtime", self.red.time),
            ("btime", self.black.time),
            ("winc", self.red.increment),
            ("binc", self.black.increment),
            ("movetime", self.move_time),
            ("depth", small(self.depth)),
            ("nodes", self.nodes),
            ("mate", small(self.mate)),
            ("perft", small(self.perft)),
        ] {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        if self.infinite {
            write!(f, " infinite")?;
        }
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves")?;
            self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;

    fn go(text: &str) -> Go {
        Go::parse(Words::new(text.as_bytes()))
    }

    #[test]
    fn clocks_of_both_protocols_are_seen_by_the_mover() {
        let uci = go("wtime 1000 btime 2000 winc 10 binc 20 movestogo 5");
        let red = uci.clock(Color::Red, Unit::Second).unwrap();
        assert_eq!((red.left.as_millis(), red.increment.as_millis()), (1000, 10));
        assert_eq!(red.moves_to_go, Some(5));
        let black = uci.clock(Color::Black, Unit::Second).unwrap();
        assert_eq!((black.left.as_millis(), black.increment.as_millis()), (2000, 20));

        let ucci = go("time 10 opptime 20 movestogo 3 increment 1 oppincrement 2");
        for color in [Color::Red, Color::Black] {
            let clock = ucci.clock(color, Unit::Second).unwrap();
            assert_eq!((clock.left.as_secs(), clock.increment.as_secs()), (10, 1));
        }
        let clock = ucci.clock(Color::Red, Unit::Millisecond).unwrap();
        assert_eq!(clock.left.as_millis(), 10);
    }

    #[test]
    fn a_clock_that_is_told_alone_is_the_one_that_runs() {
        for text in ["time 900", "opptime 900", "wtime 900", "btime 900"] {
            let clock = go(text).clock(Color::Red, Unit::Millisecond).unwrap();
            assert_eq!(clock.left, Duration::from_millis(900), "{text}");
        }
        let clock = go("opptime 9 oppmovestogo 4").clock(Color::Red, Unit::Second).unwrap();
        assert_eq!(clock.moves_to_go, Some(4));
    }

    fn told(control: &str, dialect: Dialect) -> String {
        let control: TimeControl = control.parse().unwrap();
        let (red, black) = (Clock::new(control.red()), Clock::new(control.black()));
        Go::on_clock(dialect, Unit::Millisecond, Color::Black, &red, &black).to_string()
    }

    #[test]
    fn every_control_is_told_in_either_protocol() {
        for (control, uci, ucci) in [
            (
                "1+0.01",
                "go wtime 1000 btime 1000 winc 10 binc 10",
                "go time 1000 increment 10 opptime 1000 oppincrement 10",
            ),
            (
                "red=80s,black=40s",
                "go wtime 80000 btime 40000",
                "go time 40000 increment 0 opptime 80000 oppincrement 0",
            ),
            (
                "9s,countdown=2x3s",
                "go wtime 15000 btime 15000 winc 3000 binc 3000",
                "go time 15000 increment 3000 opptime 15000 oppincrement 3000",
            ),
            ("move=100ms", "go movetime 100", "go time 100 movestogo 1 opptime 100 oppmovestogo 1"),
            ("nodes=5000", "go nodes 5000", "go nodes 5000"),
            ("depth=6", "go depth 6", "go depth 6"),
        ] {
            assert_eq!(told(control, Dialect::Uci), uci);
            assert_eq!(told(control, Dialect::Ucci), ucci);
        }
    }

    #[test]
    fn odd_numbers_are_made_the_best_of() {
        assert_eq!(go("time -5").own.time, Some(0));
        assert_eq!(go("wtime 99999999999999999999999").red.time, Some(u64::MAX));
        assert_eq!(go("depth -1").depth, Some(1));
        assert_eq!(go("depth 0").depth, Some(0));
        assert_eq!(go("depth 5000000000").depth, Some(u32::MAX));
        assert_eq!(go("time 5 time soon").own.time, Some(5));
        let far = go("time 18446744073709551615").clock(Color::Red, Unit::Second).unwrap();
        assert_eq!(far.left, Duration::from_secs(u64::MAX));
    }

    #[test]
    fn what_is_no_number_is_remembered_and_limits_nothing() {
        for (text, word, in_its_place, rest) in [
            ("movetime abc", "movetime", "abc", ""),
            ("movetime", "movetime", "", ""),
            ("depth 3 movetime soon", "movetime", "soon", "depth 3"),
            ("movetime depth 3", "movetime", "depth", "depth 3"),
            ("nodes 1e6", "nodes", "1e6", ""),
            ("movestogo x time 900", "movestogo", "x", "time 900"),
            ("perft all", "perft", "all", ""),
        ] {
            let unread = vec![(word, in_its_place.to_owned())];
            assert_eq!(go(text), Go { unread, ..go(rest) }, "{text}");
            assert_eq!(go(text).is_limited(), !rest.is_empty(), "{text}");
        }
    }

    #[test]
    fn endless_is_said_in_several_ways() {
        assert!(go("infinite").infinite);
        assert!(go("depth infinite").infinite && go("depth infinite").depth.is_none());
        assert_eq!(go(""), Go::default());
    }

    #[test]
    fn search_moves_end_where_moves_end() {
        let both = go("searchmoves h2e2 b2e2 movetime 30");
        assert_eq!((both.search_moves.len(), both.move_time), (2, Some(30)));
        assert_eq!(both, go("movetime 30 searchmoves h2e2 b2e2"));
    }
}
