//! In random games the position knows what the slow rule book knows, and forgets nothing.

use std::collections::BTreeSet;

use crate::common::{
    games::{after, mv, nonsense, play, position, step},
    slow::{Board, in_palace, points},
};
use chuhe::{
    position::{MoveKind, Observer, Position},
    types::{Color, MAX_MOVES, Move, MoveList, Piece, SplitMix64, Square},
};

/// Games from the start in each test.
const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 200 };

fn set(moves: impl IntoIterator<Item = Move>) -> BTreeSet<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

fn slow_set(board: &Board) -> BTreeSet<String> {
    board.legal().iter().map(ToString::to_string).collect()
}

#[test]
fn the_men_stand_where_the_moves_put_them() {
    play(1, ROUNDS, |position, board, _| {
        for square in Square::ALL {
            let point = (i32::from(square.file()), i32::from(square.rank()));
            let letter = position.piece_at(square).map_or('.', Piece::letter);
            assert_eq!(letter, board.at(point), "{square} in {}", board.fen());
        }
        assert_eq!(position.side() == Color::Red, board.red_to_move, "{}", board.fen());
    });
}

#[test]
fn legal_moves_are_those_of_the_slow_rule_book() {
    play(2, ROUNDS, |position, board, _| {
        let moves = position.legal_moves();
        let found = set(moves.iter().copied());
        assert_eq!(found, slow_set(board), "{}", board.fen());
        assert_eq!(found.len(), moves.len(), "a move twice: {}", board.fen());
    });
}

#[test]
fn checkers_are_the_men_that_could_take_the_king() {
    play(3, ROUNDS, |position, board, _| {
        let king = board.king(board.red_to_move);
        let slow: Vec<_> = points()
            .filter(|&from| board.owned(from, !board.red_to_move) && board.reaches(from, king))
            .collect();
        let mut fast: Vec<_> = position
            .checkers()
            .into_iter()
            .map(|square| (i32::from(square.file()), i32::from(square.rank())))
            .collect();
        fast.sort_by_key(|&(file, rank)| (rank, file));
        assert_eq!(fast, slow, "{}", board.fen());
        let check = board.in_check(board.red_to_move);
        assert_eq!(!fast.is_empty(), check, "{}", board.fen());
        assert_eq!(position.in_check(), check, "{}", board.fen());
        assert_eq!(position.check_info().in_check(), check, "{}", board.fen());
    });
}

#[test]
fn any_move_at_all_is_legal_only_when_it_is_among_the_legal_moves() {
    let mut remembered: Vec<Move> = Vec::new();
    play(4, ROUNDS, |position, board, rng| {
        let legal = slow_set(board);
        let mut asked: Vec<_> = (0..40).map(|_| nonsense(rng)).collect();
        asked.extend(board.pseudo_legal().into_iter().map(mv));
        // Moves of other positions, as a hash collision would bring them.
        asked.extend(remembered.iter().copied());
        // Own men to anywhere, as a damaged record would bring them.
        for from in points().filter(|&from| board.owned(from, board.red_to_move)) {
            let mut to = from;
            while to == from {
                to = (rng.below(9) as i32, rng.below(10) as i32);
            }
            asked.push(mv(crate::common::slow::Step { from, to }));
        }
        for mv in asked {
            assert_eq!(
                position.is_legal(mv),
                legal.contains(&mv.to_string()),
                "{mv} in {}",
                board.fen()
            );
        }
        let moves = position.legal_moves();
        if !moves.is_empty() {
            remembered.push(moves[rng.below(moves.len())]);
        }
        if remembered.len() > 50 {
            remembered.swap_remove(rng.below(50));
        }
    });
}

#[test]
fn a_move_gives_check_when_the_board_after_it_says_so() {
    play(5, ROUNDS, |position, board, _| {
        for mv in position.legal_moves() {
            let after = board.after(step(mv));
            assert_eq!(
                position.gives_check(mv),
                after.in_check(after.red_to_move),
                "{mv} in {}",
                board.fen()
            );
        }
    });
}

#[test]
fn taking_a_move_back_restores_everything() {
    play(6, ROUNDS, |position, board, _| {
        let before = position.clone();
        for mv in position.legal_moves() {
            let valid = after(position, mv, |position| position.validate());
            assert_eq!(valid, Ok(()), "after {mv} in {}", board.fen());
            assert_eq!(*position, before, "{mv} in {}", board.fen());
            assert_eq!(position.validate(), Ok(()), "{mv} taken back in {}", board.fen());
        }
    });
}

#[test]
fn a_position_reached_is_the_position_read() {
    play(7, ROUNDS, |reached, board, _| {
        let fen = reached.fen();
        assert_eq!(position(&fen), *reached, "{fen}");
        assert_eq!(position(&board.fen()).key(), reached.key(), "{fen}");
        assert_eq!(position(&board.fen()).keys(), reached.keys(), "{fen}");
        assert!(fen.starts_with(&board.fen()), "{fen} for {}", board.fen());
    });
}

#[test]
fn the_key_after_a_move_is_foreseen() {
    play(11, ROUNDS, |position, board, _| {
        for mv in position.legal_moves() {
            let foreseen = position.key_after(mv);
            let key = after(position, mv, |position| position.key());
            assert_eq!(foreseen, key, "{mv} in {}", board.fen());
        }
    });
}

#[test]
fn an_observer_who_writes_down_what_it_is_told_holds_the_board() {
    struct Scribe([Option<Piece>; Square::NUM]);
    impl Observer for Scribe {
        fn put(&mut self, piece: Piece, at: Square) {
            assert_eq!(self.0[at as usize], None, "{piece:?} put on an occupied {at}");
            self.0[at as usize] = Some(piece);
        }
        fn take(&mut self, piece: Piece, at: Square) {
            assert_eq!(self.0[at as usize], Some(piece), "taken from {at}");
            self.0[at as usize] = None;
        }
    }
    play(12, ROUNDS, |position, board, _| {
        for mv in position.legal_moves() {
            let mut scribe = Scribe(Square::ALL.map(|square| position.piece_at(square)));
            let undo = position.make(mv, &mut scribe);
            let there = Square::ALL.map(|square| position.piece_at(square));
            assert_eq!(scribe.0, there, "{mv} in {}", board.fen());
            position.unmake(mv, &undo);
            let victim = position.piece_at(mv.to());
            assert_eq!(undo.captured(), victim, "{mv} in {}", board.fen());
        }
    });
}

#[test]
fn captures_and_quiets_part_the_legal_moves() {
    play(13, ROUNDS, |position, board, _| {
        let filtered = |filter| {
            let mut list = MoveList::new();
            position.generate(&position.check_info(), filter, &mut list);
            list
        };
        let all = filtered(MoveKind::All);
        let (captures, quiets) = (filtered(MoveKind::Captures), filtered(MoveKind::Quiets));
        let taken = |mv: Move| board.at(step(mv).to) != '.';
        assert!(captures.iter().all(|&mv| taken(mv)), "{captures:?} in {}", board.fen());
        assert!(!quiets.iter().any(|&mv| taken(mv)), "{quiets:?} in {}", board.fen());
        assert_eq!(captures.len() + quiets.len(), all.len(), "{}", board.fen());
        assert_eq!(set(captures.into_iter().chain(quiets)), slow_set(board), "{}", board.fen());
        assert_eq!(position.count_moves() as usize, all.len(), "{}", board.fen());
        assert_eq!(position.is_lost(), all.is_empty(), "{}", board.fen());
    });
}

#[test]
fn passing_changes_the_turn_and_nothing_else() {
    play(14, ROUNDS, |position, board, _| {
        if position.in_check() {
            return;
        }
        let before = position.clone();
        position.make_null();
        let mut passed = board.clone();
        passed.red_to_move = !passed.red_to_move;
        assert_eq!(position.validate(), Ok(()), "{}", board.fen());
        assert_eq!(set(position.legal_moves()), slow_set(&passed), "{}", passed.fen());
        assert_eq!(position.key(), self::position(&passed.fen()).key(), "{}", passed.fen());
        position.unmake_null();
        assert_eq!(*position, before, "{}", board.fen());
    });
}

#[test]
fn the_clock_counts_the_plies_since_the_last_capture() {
    play(8, ROUNDS, |position, board, rng| {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len())];
        let capture = board.at(step(mv).to) != '.';
        let expected = if capture { 0 } else { position.clock() + 1 };
        let clock = after(position, mv, |position| position.clock());
        assert_eq!(clock, expected, "{mv} in {}", position.fen());
    });
}

#[test]
fn keys_of_different_positions_differ() {
    let mut keys = std::collections::HashMap::new();
    play(9, ROUNDS, |position, board, _| {
        let fen = board.fen();
        let known = keys.entry(position.key()).or_insert_with(|| fen.clone());
        assert_eq!(*known, fen);
    });
    assert!(keys.len() > 1000);
}

#[test]
fn symmetric_positions_have_symmetric_moves() {
    play(10, ROUNDS, |fast, board, _| {
        let legal = set(fast.legal_moves());
        let mirrored = position(&board.mirrored().fen()).legal_moves();
        let back = set(mirrored.into_iter().map(Move::mirror));
        assert_eq!(back, legal, "mirrored {}", board.fen());
        let flipped = position(&board.flipped().fen()).legal_moves();
        let flip = |mv: Move| Move::between(mv.from().flip(), mv.to().flip());
        assert_eq!(set(flipped.into_iter().map(flip)), legal, "flipped {}", board.fen());
    });
}

/// A board with every man a side may have, shaken until it reads as a position.
fn crowd(rng: &mut SplitMix64) -> Position {
    loop {
        let mut board = Board::empty();
        board.put((4, 9), 'k');
        for man in "KAAAAABBBBBNNRRCCPPPPP".chars() {
            let free = points().filter(|&(file, rank)| {
                board.at((file, rank)) == '.'
                    && match man {
                        'K' | 'A' => in_palace((file, rank), true),
                        'B' => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
                        'P' => rank > 4,
                        _ => true,
                    }
            });
            let free: Vec<_> = free.collect();
            if !free.is_empty() {
                board.put(free[rng.below(free.len())], man);
            }
        }
        if let Ok(position) = Position::from_fen(&board.fen()) {
            return position;
        }
    }
}

#[test]
fn the_most_men_have_fewer_moves_than_a_list_has_room() {
    let mut rng = SplitMix64::new(15);
    let mut most = 0;
    for _ in 0..if cfg!(debug_assertions) { 500 } else { 20_000 } {
        most = most.max(crowd(&mut rng).legal_moves().len());
    }
    assert!((70..=MAX_MOVES).contains(&most), "{most} moves at most");
}
