//! What the engine reports, put into the words and numbers of a protocol. The one place that knows
//! both the units of the search and what clients take a point for.

use std::iter;

use crate::{
    engine::{OptionKind, OptionSpec},
    position::Position,
    search,
    types::{
        Bound, Score,
        scale::{self, Chances},
    },
    wire::{self, Dialect, HashBound, OptionLine, PopHash},
};

/// A score as a client of the protocol is shown it. UCI counts mates in moves.
pub(super) fn score(dialect: Dialect, score: Score, chances: Chances) -> wire::Score {
    match score {
        Score::Value(value) => wire::Score::Points(match dialect {
            Dialect::Ucci => scale::ucci(value),
            Dialect::Uci => chances.uci(value),
        }),
        Score::Mate(plies) if plies > 0 => wire::Score::Mate((plies + 1) / 2),
        Score::Mate(plies) => wire::Score::Mate(plies / 2),
    }
}

/// What scores of this position mean.
pub(super) fn chances(position: &Position) -> Chances {
    Chances::with(position.occupied().count())
}

/// One line for each iteration, with everything in it: some clients show no other. The number of
/// the line is left out in UCCI, which has no word for it, unless several were asked for.
pub(super) fn info(
    dialect: Dialect,
    info: &search::Info,
    chances: Chances,
    lines: usize,
    wdl: bool,
) -> wire::Info {
    let numbered = dialect == Dialect::Uci || lines > 1;
    wire::Info {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: numbered.then_some(info.multipv as u32),
        score: Some(score(dialect, info.score, chances)),
        bound: match info.bound {
            Bound::Lower => Some(wire::Bound::Lower),
            Bound::Upper => Some(wire::Bound::Upper),
            Bound::Exact | Bound::None => None,
        },
        wdl: wdl.then(|| chances.per_mille(info.score)),
        nodes: Some(info.nodes),
        nps: Some(info.nps),
        hashfull: Some(info.hashfull),
        time: Some(info.time),
        pv: info.pv.clone(),
        ..wire::Info::default()
    }
}

/// Where a long search is. In both protocols the same.
pub(super) fn progress(progress: &search::Progress) -> wire::Info {
    wire::Info {
        depth: Some(progress.depth),
        current: Some(progress.current),
        current_number: Some(progress.number),
        nodes: Some(progress.nodes),
        nps: Some(progress.nps),
        hashfull: Some(progress.hashfull),
        time: Some(progress.time),
        ..wire::Info::default()
    }
}

/// A score without a search.
pub(super) fn static_info(dialect: Dialect, value: Score, chances: Chances) -> wire::Info {
    let score = Some(score(dialect, value, chances));
    wire::Info { depth: Some(0), score, ..wire::Info::default() }
}

/// What the hash knows, in UCCI's points whatever the protocol, for the word is UCCI's.
pub(super) fn pop_hash(entry: Option<search::HashEntry>) -> PopHash {
    // UCCI's points are the same whatever men there are.
    let any = Chances::with(0);
    let bound =
        |(value, depth)| HashBound::new(score(Dialect::Ucci, Score::from_value(value), any), depth);
    entry.map_or_else(PopHash::default, |entry| PopHash {
        best: entry.best,
        lower: entry.lower.map(bound),
        upper: entry.upper.map(bound),
    })
}

/// How an option is offered in a protocol, if it is.
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
        OptionKind::Combo { default, values } => {
            // Some adapters take the first for the default, whatever is said of it.
            let others = values.iter().copied().filter(|&value| value != default);
            let values = iter::once(default).chain(others).map(Into::into).collect();
            wire::OptionKind::Combo { default: default.into(), values }
        }
        OptionKind::Text { default } => wire::OptionKind::Text { default: default.into() },
    };
    Some(OptionLine { name: name.into(), kind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::score::RULE_WIN;

    #[test]
    fn the_default_of_a_choice_is_offered_first() {
        let mut found = 0;
        for dialect in [Dialect::Ucci, Dialect::Uci] {
            for offered in crate::engine::Engine::options() {
                let Some(line) = option(dialect, offered) else { continue };
                if let (
                    wire::OptionKind::Combo { default, values },
                    OptionKind::Combo { values: all, .. },
                ) = (line.kind, offered.kind)
                {
                    assert_eq!((&values[0], values.len()), (&default, all.len()));
                    found += 1;
                }
            }
        }
        assert!(found > 4);
    }

    #[test]
    fn a_knight_is_a_hundred_points_in_ucci() {
        for (value, points) in [(scale::KNIGHT, 100), (-scale::KNIGHT, -100)] {
            let shown = score(Dialect::Ucci, Score::Value(value), Chances::with(20));
            assert_eq!(shown, wire::Score::Points(points));
        }
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for (plies, moves) in [(1, 1), (2, 1), (3, 2), (5, 3), (0, 0), (-2, -1), (-4, -2)] {
            let shown = score(Dialect::Uci, Score::Mate(plies), Chances::with(20));
            assert_eq!(shown, wire::Score::Mate(moves));
        }
    }

    #[test]
    fn a_verdict_of_the_rules_never_reads_as_a_mate() {
        for (value, men) in [(RULE_WIN, 3), (-RULE_WIN, 3), (RULE_WIN, 32), (-RULE_WIN, 32)] {
            for dialect in [Dialect::Ucci, Dialect::Uci] {
                let shown = score(dialect, Score::Value(value), Chances::with(men));
                let wire::Score::Points(points) = wire::Score::from_ucci(shown.to_ucci()) else {
                    panic!("{shown:?}")
                };
                assert_eq!(points.signum(), value.signum());
            }
        }
    }
}
