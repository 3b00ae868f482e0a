//! Laws that tie the parts together, on positions of random games.

use super::*;
use crate::types::{Move, MoveList, SplitMix64};

/// Calls `look` with the positions of some random games.
fn random_games(games: u64, mut look: impl FnMut(&Position)) {
    for seed in 0..games {
        let (mut rng, mut position) = (SplitMix64::new(seed), Position::start());
        for _ in 0..120 {
            look(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[rng.below(moves.len())], &mut Unobserved);
        }
    }
}

/// Makes the move and asks whether the mover's king can be captured.
fn slowly_safe(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv, &mut Unobserved);
    let us = position.side();
    !after.is_attacked(after.king(us), us, after.occupied(), Bitboard::BOARD)
}

#[test]
fn generated_moves_are_the_legal_ones() {
    random_games(3, |position| {
        let moves = position.legal_moves();
        let from_to = |from| Square::ALL.into_iter().filter_map(move |to| Move::new(from, to));
        for mv in Square::ALL.into_iter().flat_map(from_to) {
            let legal = position.is_pseudo_legal(mv) && slowly_safe(position, mv);
            assert_eq!(moves.contains(&mv), legal, "{mv} in {}", position.fen());
            assert_eq!(position.is_legal(mv), legal, "{mv} in {}", position.fen());
        }
        assert_eq!(position.count_moves() as usize, moves.len());

        let mut parts = MoveList::new();
        position.generate(&position.check_info(), MoveKind::Captures, &mut parts);
        assert!(parts.iter().all(|mv| position.piece_at(mv.to()).is_some()));
        position.generate(&position.check_info(), MoveKind::Quiets, &mut parts);
        assert!(parts.len() == moves.len() && moves.iter().all(|mv| parts.contains(mv)));
    });
}

#[test]
fn moves_are_taken_back_and_foretold() {
    random_games(5, |position| {
        let mut copy = position.clone();
        for mv in position.legal_moves() {
            let undo = copy.make(mv, &mut Unobserved);
            copy.validate().unwrap();
            assert_eq!(copy.key(), position.key_after(mv), "{mv} in {}", position.fen());
            assert_eq!(copy.in_check(), position.gives_check(mv), "{mv} in {}", position.fen());
            assert_eq!(copy.in_check(), !copy.checkers().is_empty(), "{}", copy.fen());
            assert_eq!(undo.captured(), position.piece_at(mv.to()));
            copy.unmake(mv, &undo);
            assert_eq!(&copy, position, "{mv}");
        }
    });
}

#[test]
fn text_gives_the_position_back() {
    random_games(20, |position| {
        assert_eq!(Position::from_fen(&position.fen()).as_ref(), Ok(position));
    });
}

#[test]
fn observers_hear_everything() {
    struct Board([Option<Piece>; Square::NUM]);
    impl Observer for Board {
        fn put(&mut self, piece: Piece, at: Square) {
            assert_eq!(self.0[at as usize].replace(piece), None);
        }
        fn take(&mut self, piece: Piece, at: Square) {
            assert_eq!(self.0[at as usize].take(), Some(piece));
        }
    }
    random_games(5, |position| {
        for mv in position.legal_moves() {
            let (mut after, mut board) = (position.clone(), Board(position.board));
            after.make(mv, &mut board);
            assert_eq!(after.board, board.0);
        }
    });
}

#[test]
fn a_mirror_image_has_the_mirrored_moves_and_is_mirrored_back() {
    let sorted = |moves: Vec<Move>| {
        let mut bits: Vec<_> = moves.into_iter().map(|mv| Move::to_bits(Some(mv))).collect();
        bits.sort_unstable();
        bits
    };
    random_games(20, |position| {
        let mirror = position.mirror();
        assert_eq!(mirror.mirror(), *position);
        assert_eq!(Position::from_fen(&mirror.fen()).unwrap(), mirror);
        let moves = position.legal_moves().into_iter().map(Move::mirror).collect();
        assert_eq!(sorted(mirror.legal_moves().into_iter().collect()), sorted(moves));
        assert_eq!((mirror.clock(), mirror.number()), (position.clock(), position.number()));
        let fresh = mirror.without_history();
        assert_eq!((fresh.clock(), fresh.number(), fresh.key()), (0, 1, position.mirror().key()));
    });
}

#[test]
fn a_position_is_lost_when_it_has_no_move() {
    random_games(50, |position| {
        assert_eq!(position.is_lost(), position.count_moves() == 0);
    });
    let mated = Position::from_fen("4k4/3PPP3/9/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
    assert!(mated.is_lost());
}
