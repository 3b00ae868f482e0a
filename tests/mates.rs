//! Mates that are asked for: every stated one is found and proven the shortest, what is no mate is
//! proven to be none, and what cannot be known in time is said to be unknown.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Mutex;

use chuhe::{
    position::Position,
    rules::Line,
    search::{Info, Limits, MateVerdict, Pool, Report, SearchResult, Signals},
    types::Score,
};

const PROBLEMS: &str = include_str!("data/mates.txt");

fn seek(
    pool: &mut Pool,
    fen: &str,
    limits: &Limits,
    signals: &Signals,
) -> (SearchResult, Option<MateVerdict>, Vec<Info>) {
    let line = Line::new(Position::from_fen(fen).unwrap());
    let said = Mutex::new(Vec::new());
    let report = |report: Report| said.lock().unwrap().extend(report.line());
    let (result, verdict) = pool.seek_mate(&line, limits, false, 1, signals, &report);
    (result, verdict, said.into_inner().unwrap())
}

fn limits(moves: u32) -> Limits {
    Limits { mate: Some(moves), ..Limits::default() }
}

#[test]
fn every_stated_mate_is_found_and_is_the_shortest() {
    let mut pool = Pool::new(1, 4);
    let rows: Vec<_> = PROBLEMS.lines().filter(|row| !row.starts_with('#')).collect();
    assert_eq!(rows.len(), 60);
    for row in rows {
        let (moves, fen) = row.split_once(' ').unwrap();
        let moves: u32 = moves.parse().unwrap();
        // One more than is needed is asked for, and the shortest is found all the same.
        let (result, verdict, said) = seek(&mut pool, fen, &limits(moves + 1), &Signals::new());
        assert_eq!(verdict, Some(MateVerdict::Mate { moves, shortest: true }), "{fen}");
        let mate = Score::Mate(2 * moves as i32 - 1);
        let last = said.last().unwrap();
        assert_eq!((result.score, last.score), (mate, mate), "{fen}");
        assert_eq!(result.best.as_ref(), last.pv.first(), "{fen}");
    }
}

#[test]
fn what_is_no_mate_is_proven_to_be_none_and_a_move_is_played() {
    let mut pool = Pool::new(1, 4);
    let start = Position::START_FEN;
    let (result, verdict, said) = seek(&mut pool, start, &limits(2), &Signals::new());
    assert_eq!(verdict, Some(MateVerdict::NoMate { moves: 2 }));
    assert!(result.best.is_some() && !said.is_empty());
    assert!(matches!(result.score, Score::Value(_)));
}

#[test]
fn what_is_not_known_in_time_is_said_to_be_unknown() {
    let mut pool = Pool::new(1, 4);
    let start = Position::START_FEN;
    let few = Limits { nodes: Some(50_000), ..limits(20) };
    let (result, verdict, _) = seek(&mut pool, start, &few, &Signals::new());
    assert!(matches!(verdict, Some(MateVerdict::Unknown { refuted }) if refuted < 20));
    assert!(result.best.is_some());
    assert!(result.nodes <= 50_000 + 1_000, "{}", result.nodes);

    let stopped = Signals::new();
    stopped.stop();
    let (result, verdict, _) = seek(&mut pool, start, &limits(20), &stopped);
    assert_eq!(verdict, Some(MateVerdict::Unknown { refuted: 0 }));
    assert!(result.best.is_some());
    assert!(result.nodes <= 1_000, "{}", result.nodes);
}

#[test]
fn only_the_moves_that_are_asked_for_are_looked_at() {
    let row = PROBLEMS.lines().find(|row| !row.starts_with('#')).unwrap();
    let (moves, fen) = row.split_once(' ').unwrap();
    let moves = moves.parse().unwrap();
    let mut pool = Pool::new(1, 4);
    let mut found = [0, 0];
    for mv in Position::from_fen(fen).unwrap().legal_moves() {
        let only = Limits { only: vec![mv], ..limits(moves) };
        let (result, verdict, _) = seek(&mut pool, fen, &only, &Signals::new());
        assert_eq!(result.best, Some(mv));
        let mates = verdict == Some(MateVerdict::Mate { moves, shortest: true });
        assert!(mates || verdict == Some(MateVerdict::NoMate { moves }), "{mv}: {verdict:?}");
        found[usize::from(mates)] += 1;
    }
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}
