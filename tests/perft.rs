//! The move generator counts what is known, and finds what the slow rule book finds.

use std::collections::BTreeSet;

use crate::common::{
    games::{after, position},
    rows::rows,
    slow::{Board, START},
};
use chuhe::position::{
    Position,
    perft::{divide, perft},
};

#[test]
fn every_row_counts_what_is_known_to_depth_4() {
    let deepest = if cfg!(debug_assertions) { 3 } else { 4 };
    for row in rows() {
        let mut position = position(&row.fen);
        for (depth, &count) in (1..=deepest).zip(&row.counts) {
            let found = perft(&mut position, depth);
            assert_eq!(found, count, "{} at depth {depth}: {}", row.id, row.fen);
        }
    }
}

#[test]
fn the_start_counts_133312995_at_depth_5() {
    if cfg!(debug_assertions) {
        assert_eq!(perft(&mut Position::start(), 4), 3_290_240);
    } else {
        assert_eq!(perft(&mut Position::start(), 5), 133_312_995);
    }
}

#[test]
fn depth_0_is_the_position_itself() {
    assert_eq!(perft(&mut Position::start(), 0), 1);
}

#[test]
fn the_parts_of_a_division_are_the_legal_moves_and_sum_to_the_whole() {
    for row in rows() {
        let mut position = position(&row.fen);
        let before = position.fen();
        for (depth, &count) in (1..=3).zip(&row.counts) {
            let parts = divide(&mut position, depth);
            let sum: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(sum, count, "{} at depth {depth}: {}", row.id, row.fen);
            let moves: BTreeSet<_> = parts.iter().map(|(mv, _)| mv.to_string()).collect();
            let legal = position.legal_moves();
            let legal: BTreeSet<_> = legal.iter().map(ToString::to_string).collect();
            assert_eq!(moves, legal, "{} at depth {depth}: {}", row.id, row.fen);
            assert_eq!(parts.len(), legal.len(), "a move twice: {}", row.fen);
        }
        assert_eq!(position.fen(), before, "counting changed {}", row.id);
    }
}

#[test]
fn a_division_agrees_with_the_slow_rule_book_move_by_move() {
    for row in rows() {
        let board = Board::parse(&row.fen);
        let mut slow: Vec<_> = board
            .legal()
            .into_iter()
            .map(|step| (step.to_string(), board.after(step).perft(1)))
            .collect();
        slow.sort();
        let mut fast: Vec<_> = divide(&mut position(&row.fen), 2)
            .into_iter()
            .map(|(mv, nodes)| (mv.to_string(), nodes))
            .collect();
        fast.sort();
        assert_eq!(fast, slow, "{}: {}", row.id, row.fen);
    }
}

#[test]
fn a_bulk_count_is_the_count_one_by_one() {
    fn one_by_one(position: &mut Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        for mv in position.legal_moves() {
            nodes += after(position, mv, |position| one_by_one(position, depth - 1));
        }
        nodes
    }
    for row in rows() {
        let mut position = position(&row.fen);
        assert_eq!(one_by_one(&mut position, 3), row.counts[2], "{}: {}", row.id, row.fen);
    }
}

#[test]
fn counts_do_not_know_left_from_right_nor_red_from_black() {
    for row in rows() {
        let board = Board::parse(&row.fen);
        for twin in [board.mirrored(), board.flipped(), board.mirrored().flipped()] {
            let fen = twin.fen();
            assert_eq!(perft(&mut position(&fen), 3), row.counts[2], "{} as {fen}", row.id);
        }
    }
}

#[test]
fn the_start_is_the_start() {
    assert_eq!(Position::start().fen(), position(START).fen());
    assert_eq!(Position::start().key(), position(START).key());
}
