//! What the engine reports, put into the words and numbers of a tongue. The one place that knows
//! both the units of the search and what clients take a point for.

use crate::{
    engine::{OptionKind, OptionSpec},
    search,
    types::{
        Bound, Score, Value,
        score::{UCCI_HUNDRED, UCI_HUNDRED},
    },
    wire::{self, Dialect, HashBound, OptionLine, PopHash},
};

/// How fast the chance to win grows around an even one. Provisional: not yet measured on games.
const WIN_SLOPE: f64 = 90.0;

/// A score as a client of the tongue is shown it. UCI counts mates in moves.
pub(super) fn score(dialect: Dialect, score: Score) -> wire::Score {
    let hundred = match dialect {
        Dialect::Ucci => UCCI_HUNDRED,
        Dialect::Uci => UCI_HUNDRED,
    };
    match score {
        Score::Value(value) => wire::Score::Points(value * 100 / hundred),
        Score::Mate(plies) if plies > 0 => wire::Score::Mate((plies + 1) / 2),
        Score::Mate(plies) => wire::Score::Mate(plies / 2),
    }
}

/// The chances per mille to win, draw and lose with a score.
pub(super) fn chances(score: Score) -> [u32; 3] {
    let win = |value: Value| {
        let odds = (f64::from(UCI_HUNDRED - value) / WIN_SLOPE).exp();
        (1000.0 / (1.0 + odds)).round() as u32
    };
    let (win, loss) = match score {
        Score::Value(value) => (win(value), win(-value)),
        Score::Mate(plies) if plies > 0 => (1000, 0),
        Score::Mate(_) => (0, 1000),
    };
    [win, 1000 - win - loss, loss]
}

/// One line for each iteration, with everything in it: some clients show no other. The number of
/// the line is left out in UCCI, which has no word for it, unless several were asked for.
pub(super) fn info(dialect: Dialect, info: &search::Info, lines: usize, wdl: bool) -> wire::Info {
    let numbered = dialect == Dialect::Uci || lines > 1;
    wire::Info {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: numbered.then_some(info.multipv as u32),
        score: Some(score(dialect, info.score)),
        bound: match info.bound {
            Bound::Lower => Some(wire::Bound::Lower),
            Bound::Upper => Some(wire::Bound::Upper),
            Bound::Exact | Bound::None => None,
        },
        wdl: wdl.then(|| chances(info.score)),
        nodes: Some(info.nodes),
        nps: Some(info.nps),
        hashfull: Some(info.hashfull),
        time: Some(info.time),
        pv: info.pv.clone(),
        ..wire::Info::default()
    }
}

/// A score without a search.
pub(super) fn static_info(dialect: Dialect, value: Score) -> wire::Info {
    wire::Info { depth: Some(0), score: Some(score(dialect, value)), ..wire::Info::default() }
}

/// What the hash knows, in UCCI's points whatever the tongue, for the word is UCCI's.
pub(super) fn pop_hash(entry: Option<search::HashEntry>) -> PopHash {
    let bound =
        |(value, depth)| HashBound::new(score(Dialect::Ucci, Score::from_value(value)), depth);
    entry.map_or_else(PopHash::default, |entry| PopHash {
        best: entry.best,
        lower: entry.lower.map(bound),
        upper: entry.upper.map(bound),
    })
}

/// How an option is offered in a tongue, if it is.
pub(super) fn option(dialect: Dialect, option: &OptionSpec) -> Option<OptionLine> {
    let name = match dialect {
        Dialect::Ucci => option.ucci,
        Dialect::Uci => option.uci,
    }?;
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let kind = match option.kind {
        OptionKind::Button => wire::OptionKind::Button,
        OptionKind::Check { default } => wire::OptionKind::Check { default },
        OptionKind::Spin { default, min, max } => {
            wire::OptionKind::Spin { default: number(default), min: number(min), max: number(max) }
        }
        OptionKind::Combo { default, values } => wire::OptionKind::Combo {
            default: default.into(),
            values: values.iter().map(|&value| value.into()).collect(),
        },
        OptionKind::Text { default } => wire::OptionKind::Text { default: default.into() },
    };
    Some(OptionLine { name: name.into(), kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::RULE_WIN;

    #[test]
    fn a_knight_is_a_hundred_points_in_ucci() {
        assert_eq!(score(Dialect::Ucci, Score::Value(450)), wire::Score::Points(100));
        assert_eq!(score(Dialect::Ucci, Score::Value(-450)), wire::Score::Points(-100));
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (5, 3), (0, 0), (-2, -1), (-4, -2)] {
            assert_eq!(score(Dialect::Uci, Score::Mate(plies)), wire::Score::Mate(moves));
        }
    }

    #[test]
    fn a_verdict_of_the_rules_never_reads_as_a_mate() {
        for value in [RULE_WIN, -RULE_WIN] {
            for dialect in [Dialect::Ucci, Dialect::Uci] {
                let shown = score(dialect, Score::Value(value));
                let wire::Score::Points(points) = wire::Score::from_ucci(shown.to_ucci()) else {
                    panic!("{shown:?}")
                };
                assert_eq!(points.signum(), value.signum());
            }
        }
    }

    #[test]
    fn chances_sum_up_and_are_even_at_a_hundred_points() {
        for value in (-32_000..=32_000).step_by(50) {
            let [win, draw, loss] = chances(Score::Value(value));
            assert!(win + draw + loss == 1000 && draw <= 1000, "{value}");
        }
        assert_eq!(chances(Score::Value(UCI_HUNDRED))[0], 500);
        assert_eq!(chances(Score::Mate(3)), [1000, 0, 0]);
        assert_eq!(chances(Score::Mate(0)), [0, 0, 1000]);
    }
}
