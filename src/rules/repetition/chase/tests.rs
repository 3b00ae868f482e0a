//! Laws of the books beside the Chinese one, on small positions; each is judged four times, as it
//! stands, mirrored, and both with the colours exchanged.

use crate::{
    position::Position,
    rules::{self, Book, Label, Line, Offence, Ruleset, Verdict},
    types::{Color, Move},
};

fn ranks(fen: &str, change: impl Fn(Vec<&str>) -> Vec<String>) -> String {
    let (board, rest) = fen.split_once(' ').unwrap();
    change(board.split('/').collect()).join("/") + " " + rest
}

fn mirrored(fen: &str) -> String {
    ranks(fen, |ranks| ranks.into_iter().map(|rank| rank.chars().rev().collect()).collect())
}

fn exchanged(fen: &str) -> String {
    let swap = |ch: char| {
        if ch.is_uppercase() { ch.to_ascii_lowercase() } else { ch.to_ascii_uppercase() }
    };
    let fen = ranks(fen, |ranks| {
        ranks.into_iter().rev().map(|rank| rank.chars().map(swap).collect()).collect()
    });
    if fen.ends_with('w') { fen.replace(" w", " b") } else { fen.replace(" b", " w") }
}

/// Plays the cycle as often as the book asks for.
fn played(book: Book, fen: &str, cycle: &[Move]) -> Line {
    let mut line = Line::under(Ruleset::of(book), Position::from_fen(fen).unwrap());
    while rules::judge(&line) == Verdict::Ongoing && line.plies() < 200 {
        line.play(cycle[line.plies() % cycle.len()]).unwrap();
    }
    line
}

/// Who loses for what under a book; the twins must agree.
fn judged(book: Book, fen: &str, cycle: &str) -> Option<(Color, Offence)> {
    let cycle: Vec<Move> = cycle.split(' ').map(|mv| mv.parse().unwrap()).collect();
    let mirror = |moves: &[Move]| moves.iter().map(|mv| mv.mirror()).collect::<Vec<_>>();
    let flip = |moves: &[Move]| {
        moves.iter().map(|mv| Move::between(mv.from().flip(), mv.to().flip())).collect::<Vec<_>>()
    };
    let verdict = |fen: &str, moves: &[Move]| match rules::judge(&played(book, fen, moves)) {
        Verdict::Forbidden { offender, offence } => Some((offender, offence)),
        Verdict::Draw => None,
        Verdict::Ongoing => panic!("{fen}: nothing is repeated"),
    };
    let result = verdict(fen, &cycle);
    assert_eq!(verdict(&mirrored(fen), &mirror(&cycle)), result, "{fen} mirrored");
    let swapped = result.map(|(color, offence)| (!color, offence));
    assert_eq!(verdict(&exchanged(fen), &flip(&cycle)), swapped, "{fen} exchanged");
    let both = mirrored(&exchanged(fen));
    assert_eq!(verdict(&both, &mirror(&flip(&cycle))), swapped, "{fen} mirrored and exchanged");
    result
}

const CHASE: Option<(Color, Offence)> = Some((Color::Red, Offence::PerpetualChase));
const BLACK_CHASE: Option<(Color, Offence)> = Some((Color::Black, Offence::PerpetualChase));
const CHECK: Option<(Color, Offence)> = Some((Color::Red, Offence::PerpetualCheck));

/// The Asian and the computers' book agree on what an attack is.
fn both(fen: &str, cycle: &str, verdict: Option<(Color, Offence)>) {
    assert_eq!(judged(Book::Asian, fen, cycle), verdict, "Asian: {fen}");
    assert_eq!(judged(Book::Computer, fen, cycle), verdict, "Computer: {fen}");
}

const HORSE_HUNT: &str = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w";
const HUNT: &str = "a5a3 f3g5 a3a5 g5f3";

#[test]
fn who_attacks_one_man_with_every_move_loses() {
    both(HORSE_HUNT, HUNT, CHASE);
    assert_eq!(judged(Book::Simple, HORSE_HUNT, HUNT), CHASE);
    // The labels tell who did what.
    let cycle: Vec<Move> = HUNT.split(' ').map(|mv| mv.parse().unwrap()).collect();
    for (book, start) in [(Book::Asian, 0), (Book::Computer, 0), (Book::Simple, 4)] {
        let line = played(book, HORSE_HUNT, &cycle);
        let judgement = rules::judgement(&line).unwrap();
        assert_eq!((judgement.verdict, judgement.window_start), (rules::judge(&line), start));
        let labels: Vec<_> = judgement.labels.iter().map(|&(_, label)| label).collect();
        assert_eq!(labels, [Label::Chase, Label::Idle].repeat(4));
    }
}

#[test]
fn one_legal_recapture_protects() {
    both("4krr2/9/9/9/R8/9/5n3/9/9/3K5 w", HUNT, None);
    // Two cannons may as well bear on it: exchanges are not counted out.
    both("4krr2/9/9/9/R8/9/5n3/5PP2/5CC2/3K5 w", HUNT, None);
}

#[test]
fn a_rook_is_chased_by_cannons_whoever_protects_it() {
    let fen = "3k5/3n5/9/4r4/9/9/2P1P4/9/9/2C2K3 w";
    both(fen, "c0e0 e6c6 e0c0 c6e6", CHASE);
    assert_eq!(judged(Book::Simple, fen, "c0e0 e6c6 e0c0 c6e6"), CHASE);
    // A rook chasing a protected cannon gains nothing.
    both("3k5/3n5/9/4c4/9/9/9/9/9/2R2K3 w", "c0e0 e6c6 e0c0 c6e6", None);
}

#[test]
fn men_of_one_kind_offer_an_exchange_unless_the_other_is_pinned_or_hobbled() {
    both("4k4/9/9/9/R8/9/5r3/9/9/3K5 w", "a5a3 f3f5 a3a5 f5f3", None);
    let pinned = "4k4/4a4/4r4/9/R8/9/9/9/9/3KC4 w";
    both(pinned, "a5a7 e7e5 a7a5 e5e7", CHASE);
    assert_eq!(judged(Book::Simple, pinned, "a5a7 e7e5 a7a5 e5e7"), None);
    both("4k4/9/6n2/9/9/7N1/9/9/9/3K5 w", "h4f5 g7i6 f5h4 i6g7", None);
    both("4k4/9/6n2/6p2/8p/7N1/9/9/9/3K5 w", "h4f5 g7i6 f5h4 i6g7", CHASE);
}

#[test]
fn kings_and_pawns_may_chase_alone_but_not_open_lines_for_others() {
    both("4k4/9/9/9/9/9/4P4/9/5K3/4c4 w", "f1e1 e0f0 e1f1 f0e0", None);
    both("4k3c/7P1/9/9/9/9/9/9/3K5/9 w", "h8i8 i9h9 i8h8 h9i9", None);
    both("4k4/9/9/9/9/9/9/3NN4/3K5/4p4 w", "d1e1 e0d0 e1d1 d0e0", CHASE);
}

#[test]
fn pawns_are_chased_beyond_the_river_only() {
    both("4k4/9/9/9/9/9/6R2/7p1/9/3K5 w", "g3h3 h2g2 h3g3 g2h2", CHASE);
    assert_eq!(attacks("4k4/9/9/9/9/R8/8p/9/9/3K5 w", "a4a3"), "i3");
    assert_eq!(attacks("4k4/9/9/9/R7p/R8/9/9/9/3K5 w", "a4b4"), "");
    assert_eq!(attacks("4k4/9/9/9/8p/R8/9/9/9/3K5 w", "a4a5"), "");
}

/// The men a move newly attacks.
fn attacks(fen: &str, mv: &str) -> String {
    let mut position = Position::from_fen(fen).unwrap();
    let before = position.clone();
    let all = crate::types::Bitboard::BOARD;
    let men = super::super::threat::newly_attacked(&mut position, mv.parse().unwrap(), all);
    assert_eq!(position, before);
    men.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn men_attacked_in_turn_are_not_chased() {
    both("4k4/9/2c6/1n7/9/9/9/9/9/1R3K3 w", "b0c0 c7d7 c0b0 d7c7", None);
}

#[test]
fn an_attack_that_was_there_before_is_not_new() {
    both("4k4/9/9/9/9/9/R4n3/9/9/3K5 w", "a3b3 e9e8 b3a3 e8e9", None);
    // Another man's attack that comes and goes is new every other time only.
    both("3k5/9/9/9/4N4/9/R4c3/9/9/4K4 w", "e5c4 d9d8 c4e5 d8d9", None);
}

#[test]
fn several_men_that_attack_one_by_turns_chase_it() {
    // From the horse to the cannon, whose screen goes each time; from one cannon to the other.
    let fen = "2c1kab2/4a4/4b4/9/9/9/P1p5P/2r1N1cC1/4A4/3ACK3 w";
    both(fen, "e2d4 g2g1 d4e2 g1g2", CHASE);
    both("4k4/9/5a3/9/6b2/4CCB1p/9/9/4AK3/5A3 w", "f4f3 e9e8 f3f4 e8e9", CHASE);
    // A pawn's turn is no attack.
    both("3k5/9/5P1n1/9/9/9/9/9/9/4K1R2 w", "f7g7 h7g9 g7f7 g9h7", None);
}

#[test]
fn taking_a_protector_away_is_an_attack() {
    // Its line is cut, it is pinned, or what it would uncover is a check.
    both("2c2k3/9/4b4/2P6/9/9/9/9/2nR5/3K5 w", "c6b6 e7c5 b6c6 c5e7", CHASE);
    both("4k4/9/9/9/4n4/9/5C3/9/4N4/4K4 w", "e1g0 e9f9 g0e1 f9e9", BLACK_CHASE);
    both("3k5/9/9/9/9/9/3r5/9/9/3NK4 w", "d0c2 d3c3 c2d0 c3d3", BLACK_CHASE);
}

#[test]
fn cutting_off_a_root_hidden_behind_the_attacker_is_not() {
    // The horse takes the cannon's screens, which had kept b2 through its own attacker.
    both("4k4/9/9/9/9/9/9/1Cr1B1nC1/9/3K5 w", "e2g4 g2h4 g4e2 h4g2", CHASE);
}

#[test]
fn both_chasing_draws() {
    // Rook and horse go round each other.
    let fen = "4k4/7n1/9/6R2/9/9/9/9/9/3K5 w";
    both(fen, "g6h6 h8f7 h6h7 f7g5 h7g7 g5i6 g7g6 i6h8", None);
}

#[test]
fn a_check_may_be_part_of_a_chase_but_not_among_computers() {
    let fen = "5k3/9/9/5C3/5c3/5C3/9/9/5p3/4K4 w";
    assert_eq!(judged(Book::Asian, fen, "f4d4 f5d5 d4f4 d5f5"), CHASE);
    assert_eq!(judged(Book::Computer, fen, "f4d4 f5d5 d4f4 d5f5"), None);
}

#[test]
fn perpetual_check_is_graver_than_perpetual_chase() {
    for book in [Book::Asian, Book::Computer, Book::Simple] {
        let lone = "4k4/R8/9/9/9/9/9/9/9/3K5 w";
        assert_eq!(judged(book, lone, "a8a9 e9e8 a9a8 e8e9"), CHECK);
        let checked = "4k4/4ac3/9/9/9/9/5C3/4R4/5K3/9 w";
        assert_eq!(judged(book, checked, "f3e3 e8f7 e3f3 f7e8"), None);
    }
}

#[test]
fn the_league_sees_only_what_the_moved_man_attacks() {
    let cut = "2c2k3/9/4b4/2P6/9/9/9/9/2nR5/3K5 w";
    assert_eq!(judged(Book::Simple, cut, "c6b6 e7c5 b6c6 c5e7"), None);
    // It takes a pinned protector for a protector.
    let pinned = "3k5/9/9/9/9/9/3r5/9/9/3NK4 w";
    assert_eq!(judged(Book::Simple, pinned, "d0c2 d3c3 c2d0 c3d3"), None);
}
