//! Tables of geometry against the plain predicates, on random crowds.

use crate::common::slow::{Board, Point, at_home, in_palace, points};
use chuhe::{
    position::attacks,
    types::{Bitboard, Color, SplitMix64, Square},
};

const CROWDS: u64 = if cfg!(debug_assertions) { 20 } else { 3000 };

fn square((file, rank): Point) -> Square {
    Square::at(file as i8, rank as i8).expect("a point of the board")
}

/// Points chosen at random, few in one crowd and many in another, and the board they make.
fn crowd(rng: &mut SplitMix64) -> (Bitboard, Board) {
    let (mut occupied, mut board) = (Bitboard::EMPTY, Board::empty());
    let density = rng.below(100);
    for point in points() {
        if rng.below(100) < density {
            occupied |= Bitboard::of(square(point));
            board.put(point, 'p');
        }
    }
    (occupied, board)
}

/// Where `man` goes from a point of a board according to the slow rule book.
fn slow(board: &Board, from: Point, man: char, wanted: impl Fn(Point) -> bool) -> Bitboard {
    let mut board = board.clone();
    board.put(from, man);
    let to = points().filter(|&to| to != from && wanted(to) && board.reaches(from, to));
    to.map(square).collect()
}

#[test]
fn sliders_and_leapers_reach_what_the_predicates_reach() {
    let mut rng = SplitMix64::new(90);
    for _ in 0..CROWDS {
        let (occupied, board) = crowd(&mut rng);
        for from in points() {
            let at = square(from);
            let taken = |to| board.at(to) != '.';
            let about = || format!("{at} in {}", board.fen());
            let all = |_| true;
            assert_eq!(attacks::rook(at, occupied), slow(&board, from, 'R', all), "{}", about());
            assert_eq!(
                attacks::cannon(at, occupied),
                slow(&board, from, 'C', taken),
                "{}",
                about()
            );
            assert_eq!(attacks::knight(at, occupied), slow(&board, from, 'N', all), "{}", about());
            let bishop = if at_home(from, true) { 'B' } else { 'b' };
            let bishops = slow(&board, from, bishop, all);
            assert_eq!(attacks::bishop(at, occupied), bishops, "{}", about());
        }
    }
}

#[test]
fn knights_attack_a_point_from_where_they_reach_it() {
    let mut rng = SplitMix64::new(91);
    for _ in 0..CROWDS {
        let (occupied, board) = crowd(&mut rng);
        let mut reached = vec![Bitboard::EMPTY; Square::NUM];
        for from in points() {
            for to in slow(&board, from, 'N', |_| true) {
                reached[to as usize] |= Bitboard::of(square(from));
            }
        }
        for at in Square::ALL {
            let found = attacks::knights_to(at, occupied);
            assert_eq!(found, reached[at as usize], "{at} in {}", board.fen());
        }
    }
}

#[test]
fn kings_advisors_and_pawns_step_as_the_articles_say() {
    let board = Board::empty();
    for from in points() {
        let at = square(from);
        if in_palace(from, true) || in_palace(from, false) {
            let red = in_palace(from, true);
            let [king, advisor] = if red { ['K', 'A'] } else { ['k', 'a'] };
            assert_eq!(attacks::king(at), slow(&board, from, king, |_| true), "{at}");
            assert_eq!(attacks::advisor(at), slow(&board, from, advisor, |_| true), "{at}");
        }
        for (color, man) in [(Color::Red, 'P'), (Color::Black, 'p')] {
            let steps = slow(&board, from, man, |_| true);
            assert_eq!(attacks::pawn(color, at), steps, "{color} {at}");
            let back: Bitboard = Square::ALL
                .into_iter()
                .filter(|&other| attacks::pawn(color, other).has(at))
                .collect();
            assert_eq!(attacks::pawns_to(color, at), back, "{color} {at}");
        }
    }
}

#[test]
fn between_lie_the_points_whose_men_would_block_a_rook() {
    for from in points() {
        for to in points().filter(|&to| to != from) {
            let mut board = Board::empty();
            board.put(from, 'R');
            let open = board.reaches(from, to);
            let blocks = |&point: &Point| {
                let mut board = board.clone();
                board.put(point, 'p');
                open && point != from && point != to && !board.reaches(from, to)
            };
            let slow: Bitboard = points().filter(blocks).map(square).collect();
            let (from, to) = (square(from), square(to));
            assert_eq!(attacks::between(from, to), slow, "{from} {to}");
        }
    }
}
