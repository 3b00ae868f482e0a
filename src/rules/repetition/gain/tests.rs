//! Laws of winning a man, a paragraph of 第25, 28 and 29条 each, on a few men.

use super::*;
use crate::position::Position;

/// Whether a legal capture wins its victim, mates being looked for so many checks deep.
fn wins_within(checks: u8, fen: &str, capture: &str) -> bool {
    let board = Board::new(&Position::from_fen(fen).unwrap());
    let capture = capture.parse().unwrap();
    assert!(board.is_legal(capture) && board.kind_at(capture.to()).is_some(), "{fen} {capture}");
    Trial { checks, when: When::Now }.wins(&board, capture)
}

/// Each capture wins its victim, or none does.
fn assert_wins(expected: bool, captures: &[(&str, &str)]) {
    for (fen, capture) in captures {
        assert_eq!(wins_within(3, fen, capture), expected, "{fen} {capture}");
    }
}

#[test]
fn article_25_3_officers_and_crossed_pawns_are_won() {
    assert_wins(
        true,
        &[
            ("3k5/9/9/9/9/R3p4/9/9/9/5K3 w", "a4e4"),
            ("3k5/9/9/9/9/R3n4/9/9/9/5K3 w", "a4e4"),
            ("3k5/9/b8/9/9/9/9/R8/9/5K3 w", "a2a7"),
            ("4k4/9/3a5/9/9/9/9/9/3R5/5K3 w", "d1d7"),
        ],
    );
    // A pawn on its own side of the river is not.
    assert_wins(false, &[("3k5/9/9/9/R3p4/9/9/9/9/5K3 w", "a5e5")]);
}

#[test]
fn article_29_1_an_exchange_that_gains_wins_a_guarded_man() {
    assert_wins(
        true,
        &[("5k3/4r4/9/4r4/9/3N5/9/9/9/3K5 w", "d4e6"), ("3k5/4r4/9/9/9/9/9/9/4n4/3A1K3 w", "d0e1")],
    );
    // Rook for knight, knight for cannon: the guarded man is merely followed (跟).
    assert_wins(
        false,
        &[("3k5/4r4/9/9/9/R3n4/9/9/9/5K3 w", "a4e4"), ("3k5/4r4/9/4c4/9/3N5/9/9/9/5K3 w", "d4e6")],
    );
}

#[test]
fn article_28_16_too_few_roots_are_none() {
    // Knight for cannon, rook for knight, and the second attacker has the last word.
    assert_wins(true, &[("3k5/4r4/9/4c4/9/3N5/9/9/9/4RK3 w", "d4e6")]);
    // A second root makes up for it.
    assert_wins(false, &[("3k5/4r4/6n2/4c4/9/3N5/9/9/9/4RK3 w", "d4e6")]);
}

#[test]
fn article_28_16_a_pinned_root_is_false() {
    assert_wins(true, &[("4k4/9/n3r4/9/9/9/9/9/R3R4/3K5 w", "a1a7")]);
    assert_wins(false, &[("4k4/9/n3r4/9/9/9/9/9/R8/3K5 w", "a1a7")]);
}

#[test]
fn article_28_16_a_root_is_false_if_recapturing_leads_to_mate() {
    // The rook must not leave the back rank.
    assert_wins(true, &[("r3k4/8R/n8/9/9/9/P8/9/CR7/3K5 w", "a1a7")]);
    assert_wins(false, &[("r3k4/9/n8/9/9/9/P8/9/CR7/3K5 w", "a1a7")]);
}

#[test]
fn article_28_16_a_root_need_not_bite_before_the_capture() {
    // The captor stands in the way of the rook behind it.
    assert_wins(false, &[("3k5/9/9/9/r1R1n4/9/9/9/9/5K3 w", "c5e5")]);
    // The advisor stood on the leg of the knight.
    let pawn = "3k5/9/9/9/9/9/3n5/3A5/4p4/5K3 w";
    assert_wins(false, &[(pawn, "d2e1")]);
    assert_wins(true, &[(&pawn.replace('n', "1"), "d2e1")]);
}

#[test]
fn article_28_16_a_root_must_bite_after_the_capture() {
    // The captor itself is the cannon's screen.
    assert_wins(true, &[("3k5/9/9/9/c1R1n4/9/9/9/9/5K3 w", "c5e5")]);
    assert_wins(false, &[("3k5/9/9/9/cnR1n4/9/9/9/9/5K3 w", "c5e5")]);
    // A hobbled knight guards nothing.
    assert_wins(true, &[("3k5/9/9/3n5/3P5/R3c4/9/9/9/5K3 w", "a4e4")]);
    assert_wins(false, &[("3k5/9/9/3n5/9/R3c4/9/9/9/5K3 w", "a4e4")]);
}

#[test]
fn article_28_5_men_of_a_kind_offer_an_exchange() {
    assert_wins(
        false,
        &[
            ("3k5/9/9/9/r3R4/9/9/9/9/5K3 w", "e5a5"),
            ("3k5/9/9/2n6/9/3N5/9/9/9/5K3 w", "d4c6"),
            ("3k5/9/9/9/c1P1C4/9/9/9/9/5K3 w", "e5a5"),
            ("3k5/9/9/9/9/2p6/2P6/9/9/5K3 w", "c3c4"),
        ],
    );
}

#[test]
fn article_28_5_who_cannot_capture_first_offers_nothing() {
    assert_wins(
        true,
        &[
            // Pinned; hobbled; mated for it.
            ("3k5/9/9/9/3rR4/9/9/9/3R5/5K3 w", "e5d5"),
            ("3k5/9/9/2n6/2p6/3N5/9/9/9/5K3 w", "d4c6"),
            ("r3k4/9/4P4/9/9/9/9/1R7/R8/3K5 w", "a1a9"),
        ],
    );
    // The pinned rook may take its pinner; without the pawn there is no mate.
    assert_wins(
        false,
        &[("3k5/9/9/9/3rR4/9/9/9/3R5/5K3 w", "d1d5"), ("r3k4/9/9/9/9/9/9/1R7/R8/3K5 w", "a1a9")],
    );
}

#[test]
fn article_25_3_a_crossed_pawn_is_won_where_recapturing_costs() {
    assert_wins(true, &[("3k5/4r4/9/9/9/9/4p4/9/3N5/4RK3 w", "d1e3")]);
    assert_wins(
        false,
        &[
            // The recapture gains, or is even.
            ("3k5/4r4/9/9/9/9/4p4/9/3N5/5K3 w", "d1e3"),
            ("3k5/9/9/9/3n5/9/4p4/9/3N5/4RK3 w", "d1e3"),
        ],
    );
}

#[test]
fn article_29_4_a_capture_that_gets_its_side_mated_wins_nothing() {
    let ladder = "3k5/9/9/n8/1r7/9/9/9/8r/R3K4 w";
    assert!(!wins_within(1, ladder, "a0a6"));
    // A longer mate counts within the bound only.
    let longer = "3k5/9/9/n8/1r7/9/6P1r/9/9/R3K4 w";
    assert!(!wins_within(3, longer, "a0a6"));
    assert!(wins_within(2, longer, "a0a6"));
}
