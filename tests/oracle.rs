//! The slow rule book must itself be right before it may judge the crate.

use crate::common::{
    rows::rows,
    slow::{Board, START},
};

#[test]
fn slow_perft_gives_the_known_counts_to_depth_3() {
    let depth = if cfg!(debug_assertions) { 2 } else { 3 };
    for row in rows() {
        let board = Board::parse(&row.fen);
        for (depth, &count) in (1..=depth).zip(&row.counts) {
            assert_eq!(board.perft(depth), count, "{} at depth {depth}: {}", row.id, row.fen);
        }
    }
}

#[test]
fn slow_perft_of_the_start_is_known_to_depth_4() {
    let board = Board::parse(START);
    let known = [44, 1920, 79_666, 3_290_240];
    for (depth, count) in (1..).zip(known).take(if cfg!(debug_assertions) { 3 } else { 4 }) {
        assert_eq!(board.perft(depth), count, "depth {depth}");
    }
}

#[test]
fn slow_perft_does_not_know_left_from_right_nor_red_from_black() {
    for row in rows() {
        let board = Board::parse(&row.fen);
        for twin in [board.mirrored(), board.flipped(), board.mirrored().flipped()] {
            assert_eq!(twin.perft(2), row.counts[1], "{} as {}", row.id, twin.fen());
        }
        assert_eq!(board.mirrored().mirrored(), board, "{}", row.id);
        assert_eq!(board.flipped().flipped(), board, "{}", row.id);
    }
}

#[test]
fn slow_boards_print_what_they_read() {
    for row in rows() {
        let board = Board::parse(&row.fen);
        assert_eq!(board.fen(), row.fen.split_inclusive(' ').take(2).collect::<String>().trim());
        assert_eq!(Board::parse(&board.fen()), board, "{}", row.fen);
    }
}
