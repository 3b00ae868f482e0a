//! The tables against a slow walk over the board that knows only coordinates.

use super::*;
use crate::types::SplitMix64;

/// What a walk from a point meets one way, nearest first.
fn walk(square: Square, step: (i8, i8)) -> impl Iterator<Item = Square> {
    std::iter::successors(square.offset(step.0, step.1), move |at| at.offset(step.0, step.1))
}

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The `n`th man each way.
fn nth(square: Square, occupied: Bitboard, n: usize) -> Bitboard {
    let men = |step| walk(square, step).filter(|&at| occupied.has(at)).nth(n);
    STRAIGHT.into_iter().filter_map(men).collect()
}

fn slow_reach(square: Square, occupied: Bitboard) -> Bitboard {
    let free = |step| walk(square, step).take_while(|&at| !occupied.has(at));
    STRAIGHT.into_iter().flat_map(free).collect::<Bitboard>() | nth(square, occupied, 0)
}

fn slow_knight(square: Square, occupied: Bitboard) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for (files, ranks) in STRAIGHT {
        let Some(leg) = square.offset(files, ranks).filter(|&leg| !occupied.has(leg)) else {
            continue;
        };
        for (f, r) in SLANTED {
            // Outward: the diagonal step goes on in the leg's direction.
            if f * files + r * ranks > 0 {
                set = leg.offset(f, r).map_or(set, |end| set.with(end));
            }
        }
    }
    set
}

fn slow_bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let leap = |(files, ranks)| {
        let eye = square.offset(files, ranks)?;
        let end = eye.offset(files, ranks)?;
        (!occupied.has(eye) && end.at_home(Color::Red) == square.at_home(Color::Red)).then_some(end)
    };
    SLANTED.into_iter().filter_map(leap).collect()
}

#[test]
fn sliders_and_hobbled_men_on_random_boards() {
    let mut rng = SplitMix64::new(7);
    for round in 0..400 {
        let density = 1 + round % 60;
        let occupied: Bitboard =
            Square::ALL.into_iter().filter(|_| rng.below(100) < density).collect();
        for square in Square::ALL {
            let context = || format!("{square} among {occupied:?}");
            let cross = Cross::new(square, occupied);
            assert_eq!(cross.reach(), slow_reach(square, occupied), "{}", context());
            assert_eq!(cross.second(), nth(square, occupied, 1), "{}", context());
            assert_eq!(cross.third(), nth(square, occupied, 2), "{}", context());
            assert_eq!(knight(square, occupied), slow_knight(square, occupied), "{}", context());
            assert_eq!(bishop(square, occupied), slow_bishop(square, occupied), "{}", context());
            let attackers: Bitboard = Square::ALL
                .into_iter()
                .filter(|&from| slow_knight(from, occupied).has(square))
                .collect();
            assert_eq!(knights_to(square, occupied), attackers, "{}", context());
        }
    }
}

#[test]
fn men_stay_on_the_points_they_can_reach() {
    for color in Color::ALL {
        for square in Square::ALL {
            let can = |points: fn(Color, Square) -> bool| points(color, square);
            let stays = |points: fn(Color, Square) -> bool, steps: Bitboard| {
                !points(color, square) || steps.into_iter().all(|end| points(color, end))
            };
            assert!(stays(king_points, king(square)), "{square}");
            assert!(stays(advisor_points, advisor(square)), "{square}");
            assert!(stays(bishop_points, bishop(square, Bitboard::EMPTY)), "{square}");
            assert!(!can(advisor_points) || can(king_points), "{square}");
            for end in pawn(color, square) {
                assert!(pawns_to(color, end).has(square), "{square}{end}");
            }
        }
        let count = |points: fn(Color, Square) -> bool| {
            Square::ALL.into_iter().filter(|&square| points(color, square)).count()
        };
        let counts = [king_points, advisor_points, bishop_points].map(count);
        assert_eq!(counts, [9, 9, 7], "{color}");
    }
}

#[test]
fn between_is_what_a_walk_passes() {
    for a in Square::ALL {
        for b in Square::ALL {
            let passed = STRAIGHT.into_iter().find(|&step| walk(a, step).any(|at| at == b));
            let passed =
                passed.into_iter().flat_map(|step| walk(a, step).take_while(|&at| at != b));
            assert_eq!(between(a, b), passed.collect(), "{a}{b}");
        }
    }
}
