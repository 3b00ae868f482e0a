//! Endings that nobody can win (4.2.1): a search through all of their positions.

use crate::common::{
    cycles::may_stand,
    games::position,
    slow::{Board, points},
};
use chuhe::position::Position;

/// The men beside the kings in the endings that are drawn by their men alone. What captures make of
/// one of them is one of them, too.
const DEAD: [&str; 36] = [
    "", "A", "B", "AB", "Ab", "C", "CB", "CBB", "Cb", "Cbb", "CBb", "CBbb", "CBBb", "CBBbb", "Cc",
    "P", "PP", "PPP", "PPPP", "PPPPP", "Pp", "PPp", "PPpp", "PA", "PAA", "PB", "PBB", "PAB",
    "PAAB", "PABB", "PAABB", "Pb", "Pbb", "AA", "Bb", "BB",
];

/// Shows `visit` every lawful arrangement of these men and the kings, either side to move. Pawns
/// stand on their last rank, the red king on the left half or in the middle: the rest is a mirror.
fn arrangements(men: &str, visit: &mut impl FnMut(&Board)) {
    fn place(board: &mut Board, men: &[char], from: usize, visit: &mut impl FnMut(&Board)) {
        let Some((&man, rest)) = men.split_first() else {
            for red in [true, false] {
                board.red_to_move = red;
                if !board.in_check(!red) {
                    visit(board);
                }
            }
            return;
        };
        let last = if man == 'P' { 9 } else { 0 };
        for (number, point) in points().enumerate().skip(from) {
            let fits = match man {
                'P' | 'p' => point.1 == last,
                'K' => point.0 <= 4 && may_stand(man, point),
                _ => may_stand(man, point),
            };
            if fits && board.at(point) == '.' {
                board.put(point, man);
                // Men that are alike stand in the order of their points.
                let next = if rest.first() == Some(&man) { number + 1 } else { 0 };
                place(board, rest, next, visit);
                board.put(point, '.');
            }
        }
    }
    let men: Vec<_> = "Kk".chars().chain(men.chars()).collect();
    place(&mut Board::empty(), &men, 0, visit);
}

/// Unoptimised code must be content with some of each ending.
const STRIDE: usize = if cfg!(debug_assertions) { 97 } else { 1 };

#[test]
fn article_4_2_1_no_position_of_a_dead_ending_leaves_a_side_without_a_move() {
    for men in DEAD {
        let (mut seen, mut looked) = (0_usize, 0);
        arrangements(men, &mut |board| {
            seen += 1;
            if seen % STRIDE != 0 && seen > 2000 {
                return;
            }
            looked += 1;
            let position = position(&board.fen());
            assert!(!position.can_be_won(), "{men}: {}", board.fen());
            assert!(!position.is_lost(), "{men}: {}", board.fen());
            let twin = position_of(&board.flipped());
            assert!(!twin.can_be_won(), "{men} exchanged: {}", board.fen());
        });
        assert!(looked > 40, "{men}: {looked} of {seen}");
    }
}

fn position_of(board: &Board) -> Position {
    position(&board.fen())
}

#[test]
fn article_4_2_1_captures_in_a_dead_ending_lead_to_dead_endings() {
    let known: Vec<String> =
        DEAD.iter().flat_map(|men| [sorted(men), sorted(&swapped(men))]).collect();
    for men in DEAD {
        for (at, _) in men.char_indices() {
            let left = sorted(&format!("{}{}", &men[..at], &men[at + 1..]));
            assert!(known.contains(&left) || guards_only(&left), "{men} becomes {left}");
        }
    }
}

fn guards_only(men: &str) -> bool {
    men.chars().all(|man| "ABab".contains(man))
}

fn sorted(men: &str) -> String {
    let mut men: Vec<_> = men.chars().collect();
    men.sort_unstable();
    men.into_iter().collect()
}

fn swapped(men: &str) -> String {
    let swap = |man: char| {
        if man.is_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() }
    };
    men.chars().map(swap).collect()
}

#[test]
fn endings_in_which_somebody_can_be_left_without_a_move_are_not_dead() {
    // Each is lost for the side to move: it is mated or stalemated.
    for fen in [
        "9/4a4/C2ak4/9/9/9/9/9/9/3K5 b",
        "9/9/4ka3/9/9/9/9/4B4/9/3KC4 b",
        "2P1ka3/4a4/9/9/9/9/9/9/9/4K4 b",
        "2P1k1P2/4a4/9/9/9/9/9/9/9/4K4 b",
        "9/9/4kc3/9/9/9/9/4B4/9/3KC4 b",
    ] {
        let position = position(fen);
        assert!(position.is_lost() && position.can_be_won(), "{fen}");
    }
    // Pawns that may still advance, rooks, horses.
    for men in ["9/4P4", "4R4/9", "4N4/9", "4n4/9"] {
        assert!(position(&format!("3k5/{men}/9/9/9/9/9/9/5K3 w")).can_be_won(), "{men}");
    }
}
