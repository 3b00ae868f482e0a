//! `info` lines: how far a search is. Knows how scores are written, not what they are worth.

use std::{fmt::Write, time::Duration};

use super::{Dialect, words::Words};
use crate::types::Move;

/// UCCI has no word for a mate: one in `n` plies is this less `n` points, and nothing else comes
/// near.
const UCCI_MATE: i32 = 10_000;
/// From here on points tell a mate.
const UCCI_MATES: i32 = 9_500;

/// A score from the mover's view, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Points of whatever the protocol counts in.
    Points(i32),
    /// Mate in so many moves of the mover, or, below zero, of its opponent; zero: mated already.
    Mate(i32),
}

/// What a score that is not exact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

/// What an engine tells of its search. Everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// Plies searched at most.
    pub seldepth: Option<u32>,
    /// Which of the best lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score of the line.
    pub score: Option<Score>,
    /// What the score is, when it is not exact.
    pub bound: Option<Bound>,
    /// Chances per mille of the mover to win, draw and lose.
    pub wdl: Option<[u32; 3]>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched per second.
    pub nps: Option<u64>,
    /// How full the hash is, per mille.
    pub hashfull: Option<u32>,
    /// Time since the start, in whole milliseconds.
    pub time: Option<Duration>,
    /// The root move being searched.
    pub current: Option<Move>,
    /// Its number, from 1.
    pub current_number: Option<u32>,
    /// The line.
    pub pv: Vec<Move>,
}

impl Score {
    /// Reads `cp N`, `mate N`, or the bare number of UCCI.
    fn parse(words: &mut Words) -> Option<Self> {
        if words.eat("mate") {
            return words.i32().map(Self::Mate);
        }
        if words.eat("cp") {
            return words.i32().map(Self::Points);
        }
        words.i32().map(Self::from_ucci)
    }

    /// The number that UCCI writes for it.
    pub fn to_ucci(self) -> i32 {
        match self {
            Self::Points(points) => points.clamp(1 - UCCI_MATES, UCCI_MATES - 1),
            Self::Mate(moves) => {
                let plies = |moves: i32| moves.saturating_mul(2).min(UCCI_MATE - UCCI_MATES);
                if moves > 0 {
                    UCCI_MATE - plies(moves) + 1
                } else {
                    plies(moves.saturating_neg()) - UCCI_MATE
                }
            }
        }
    }

    /// What a number in UCCI says.
    pub fn from_ucci(points: i32) -> Self {
        let plies = UCCI_MATE.saturating_sub(points.saturating_abs()).max(0);
        if plies > UCCI_MATE - UCCI_MATES {
            Self::Points(points)
        } else if points > 0 {
            Self::Mate(i32::midpoint(plies, 1).max(1))
        } else {
            Self::Mate(-(plies / 2))
        }
    }
}

impl Info {
    /// Reads what stands after `info`, keys in any order; what is not known is passed over.
    pub(super) fn parse(mut words: Words) -> Self {
        let mut info = Self::default();
        while let Some(word) = words.keyword() {
            match word.as_str() {
                "depth" => info.depth = words.u32(),
                "seldepth" => info.seldepth = words.u32(),
                "multipv" => info.multipv = words.u32(),
                "score" => info.score = Score::parse(&mut words),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "wdl" => info.wdl = three(&mut words),
                "nodes" => info.nodes = words.u64(),
                "nps" => info.nps = words.u64(),
                "hashfull" => info.hashfull = words.u32(),
                "time" => info.time = words.u64().map(Duration::from_millis),
                "currmove" => info.current = words.a_move(),
                "currmovenumber" => info.current_number = words.u32(),
                "pv" => info.pv = words.moves(),
                "string" | "message" => break,
                _ => {}
            }
        }
        info
    }

    /// The line: each key once, the principal variation last.
    pub(super) fn print(&self, dialect: Dialect) -> String {
        let mut line = "info".to_owned();
        number(&mut line, "depth", self.depth.map(u64::from));
        number(&mut line, "seldepth", self.seldepth.map(u64::from));
        number(&mut line, "multipv", self.multipv.map(u64::from));
        match (self.score, dialect) {
            (None, _) => {}
            (Some(score), Dialect::Ucci) => {
                put(&mut line, format_args!(" score {}", score.to_ucci()));
            }
            (Some(Score::Points(points)), Dialect::Uci) => {
                put(&mut line, format_args!(" score cp {points}"));
            }
            (Some(Score::Mate(moves)), Dialect::Uci) => {
                put(&mut line, format_args!(" score mate {moves}"));
            }
        }
        match self.bound {
            None => {}
            Some(Bound::Lower) => line += " lowerbound",
            Some(Bound::Upper) => line += " upperbound",
        }
        if let Some([win, draw, loss]) = self.wdl {
            put(&mut line, format_args!(" wdl {win} {draw} {loss}"));
        }
        number(&mut line, "nodes", self.nodes);
        number(&mut line, "nps", self.nps);
        number(&mut line, "hashfull", self.hashfull.map(u64::from));
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        number(&mut line, "time", self.time.map(milliseconds));
        if let Some(mv) = self.current {
            put(&mut line, format_args!(" currmove {mv}"));
        }
        if let Some(number) = self.current_number {
            put(&mut line, format_args!(" currmovenumber {number}"));
        }
        if !self.pv.is_empty() {
            line += " pv";
            self.pv.iter().for_each(|mv| put(&mut line, format_args!(" {mv}")));
        }
        line
    }
}

fn three(words: &mut Words) -> Option<[u32; 3]> {
    Some([words.u32()?, words.u32()?, words.u32()?])
}

fn number(line: &mut String, key: &str, value: Option<u64>) {
    if let Some(value) = value {
        put(line, format_args!(" {key} {value}"));
    }
}

fn put(line: &mut String, what: std::fmt::Arguments) {
    line.write_fmt(what).expect("invariant: a String takes all text");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        Info::parse(Words::new(line.as_bytes()))
    }

    #[test]
    fn ucci_counts_mates_in_plies_below_ten_thousand() {
        for (score, points) in [
            (Score::Mate(1), 9_999),
            (Score::Mate(2), 9_997),
            (Score::Mate(0), -10_000),
            (Score::Mate(-1), -9_998),
            (Score::Mate(-3), -9_994),
            (Score::Points(0), 0),
            (Score::Points(-250), -250),
        ] {
            assert_eq!(score.to_ucci(), points);
            assert_eq!(Score::from_ucci(points), score);
        }
        assert_eq!(Score::from_ucci(9_998), Score::Mate(1));
        assert_eq!(Score::Points(123_456).to_ucci(), 9_499);
        for extreme in [i32::MIN, i32::MAX] {
            Score::from_ucci(Score::Points(extreme).to_ucci());
            Score::from_ucci(Score::Mate(extreme).to_ucci());
            Score::from_ucci(extreme);
        }
    }

    #[test]
    fn lines_of_other_engines_are_understood() {
        let ucci = info("depth 6 score 123 pv h2e2 h9g7");
        assert_eq!((ucci.depth, ucci.score), (Some(6), Some(Score::Points(123))));
        assert_eq!(ucci.pv.len(), 2);
        let uci = info(
            "depth 20 seldepth 31 multipv 1 score cp -35 upperbound wdl 90 700 210 nodes 5 nps 7 \
             hashfull 9 tbhits 0 time 1234 pv b2e2",
        );
        assert_eq!((uci.score, uci.bound), (Some(Score::Points(-35)), Some(Bound::Upper)));
        assert_eq!((uci.wdl, uci.time), (Some([90, 700, 210]), Some(Duration::from_millis(1234))));
        let turned = info("pv b2e2 time 3 score mate -2 depth 1");
        assert_eq!((turned.score, turned.depth), (Some(Score::Mate(-2)), Some(1)));
        assert_eq!(info("time 12 nodes 345").nodes, Some(345));
        assert_eq!(info("depth score cp").depth, None);
        assert_eq!(info("pv h3e3 a10a9"), info("pv h3e3"));
    }
}
