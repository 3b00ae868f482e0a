//! Laws of the mate by checks, on a few men.

use super::*;
use crate::position::Position;

/// How many checks the mate takes, if it takes at most three.
fn checks_needed(fen: &str) -> Option<u8> {
    let board = Board::new(&Position::from_fen(fen).unwrap());
    (1..=3).find(|&checks| mates(&board, checks))
}

#[test]
fn a_ladder_of_two_rooks_takes_a_check_a_rank() {
    for (fen, needed) in [
        ("4k4/R8/9/9/9/1R7/9/9/9/3K5 w", 1),
        ("9/4k4/9/R8/9/1R7/9/9/9/3K5 w", 2),
        ("4k4/9/9/R1P6/9/1R7/9/9/9/3K5 w", 3),
    ] {
        assert_eq!(checks_needed(fen), Some(needed), "{fen}");
    }
}

#[test]
fn a_bound_of_no_checks_mates_nobody() {
    let board = Board::new(&Position::from_fen("4k4/R8/9/9/9/1R7/9/9/9/3K5 w").unwrap());
    assert_eq!(mating_check(&board, 0), None);
    assert_eq!(mating_check(&board, 1), Some("b4b9".parse().unwrap()));
}

#[test]
fn article_28_2_a_stalemate_is_no_mate() {
    // The pawn's step to d7 leaves the king without a move, but unchecked.
    assert_eq!(checks_needed("3k5/9/2P6/9/9/9/9/9/9/4K4 w"), None);
}

#[test]
fn what_parries_one_of_the_checks_parries_the_mate() {
    let mate = "4k4/R8/9/9/9/1R7/9/9/9/3K5 w";
    assert_eq!(checks_needed(mate), Some(1));
    // The rook is taken; it is blocked; the king has a way out.
    for fen in [
        "r3k4/R8/9/9/9/1R7/9/9/9/3K5 w",
        "4k4/R8/3n5/9/9/1R7/9/9/9/3K5 w",
        "4k4/9/9/9/9/1R7/9/9/9/3K5 w",
    ] {
        assert_ne!(checks_needed(fen), Some(1), "{fen}");
    }
}
