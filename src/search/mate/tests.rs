use super::*;
use crate::rules::{self, Verdict};

const PROBLEMS: &str = include_str!("../../../tests/data/mates.txt");

/// The stated number of moves and the position of each problem.
fn problems() -> impl Iterator<Item = (u32, Position)> {
    PROBLEMS.lines().filter(|row| !row.starts_with('#')).map(|row| {
        let (moves, fen) = row.split_once(' ').unwrap();
        (moves.parse().unwrap(), Position::from_fen(fen).unwrap())
    })
}

/// What a search with a table of a megabyte answers.
fn ask(line: &Line, moves: u32, attack: Attack) -> Answer {
    let list = line.position().legal_moves();
    let mut prover = Prover::new(line, &list, 1, &|| false).unwrap();
    prover.search(moves, attack, 3_000_000)
}

fn mate(position: &Position, moves: u32) -> Option<Vec<Move>> {
    match ask(&Line::new(position.clone()), moves, Attack::All) {
        Answer::Mate(line) => Some(line),
        Answer::Escape => None,
        Answer::Unknown => panic!("too hard"),
    }
}

/// The slow and obvious twin: every move, every defence.
fn mates(position: &mut Position, moves: u32) -> bool {
    let behind = |position: &mut Position, mv, ask: &mut dyn FnMut(&mut Position) -> bool| {
        let undo = position.make(mv, &mut Unobserved);
        let answer = ask(position);
        position.unmake(mv, &undo);
        answer
    };
    position.legal_moves().into_iter().any(|mv| {
        behind(position, mv, &mut |position| {
            position.is_lost()
                || moves > 1
                    && position.can_be_won()
                    && position
                        .legal_moves()
                        .into_iter()
                        .all(|mv| behind(position, mv, &mut |position| mates(position, moves - 1)))
        })
    })
}

#[test]
fn agrees_with_exhaustive_search() {
    let mut rng = SplitMix64::new(16);
    let mut found = [0, 0];
    for (_, mut position) in problems() {
        for _ in 0..12 {
            for moves in 1..=2 {
                let expected = mates(&mut position, moves);
                let fen = position.fen();
                assert_eq!(mate(&position, moves).is_some(), expected, "{moves}: {fen}");
                found[usize::from(expected)] += 1;
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Often one that forces matters, so that there are mates to be found.
            let checks: Vec<_> =
                moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
            let from = if checks.is_empty() { &moves[..] } else { &checks };
            position.make(from[rng.below(from.len())], &mut Unobserved);
        }
    }
    assert!(found.iter().all(|&times| times > 50), "{found:?}");
}

/// Plays the mate against every defence, asking anew after each.
fn plays_out(position: &Position, moves: u32) {
    let line = mate(position, moves).unwrap_or_else(|| panic!("{moves}: {}", position.fen()));
    let mut after = position.clone();
    assert!(after.is_legal(line[0]));
    after.make(line[0], &mut Unobserved);
    for defence in after.legal_moves() {
        assert!(moves > 1, "no mate: {}", position.fen());
        let mut next = after.clone();
        next.make(defence, &mut Unobserved);
        plays_out(&next, moves - 1);
    }
}

#[test]
fn every_mate_holds_against_every_defence() {
    for (moves, position) in problems().filter(|&(moves, _)| moves <= 4) {
        plays_out(&position, moves);
    }
}

#[test]
fn the_line_takes_as_long_as_the_mate_and_ends_in_it() {
    for (moves, mut position) in problems() {
        let line = mate(&position, moves).unwrap();
        assert_eq!(line.len() as u32, 2 * moves - 1, "{}", position.fen());
        for mv in line {
            assert!(position.is_legal(mv));
            position.make(mv, &mut Unobserved);
        }
        assert!(position.is_lost());
    }
}

#[test]
fn what_checks_prove_all_moves_prove() {
    let mut by_checks = 0;
    for (moves, position) in problems() {
        let line = Line::new(position);
        if let Answer::Mate(line_by_checks) = ask(&line, moves, Attack::Checks) {
            by_checks += 1;
            assert_eq!(line_by_checks.len() as u32, 2 * moves - 1);
            assert!(matches!(ask(&line, moves, Attack::All), Answer::Mate(_)));
        }
    }
    assert!(by_checks > 20, "{by_checks}");
}

/// The move that takes a move back, and the line with it.
fn and_back(line: &mut Line, mv: Move) -> bool {
    line.play(Move::between(mv.to(), mv.from())).is_ok()
}

#[test]
fn a_check_that_completes_a_repetition_is_no_mate() {
    let mut cases = 0;
    for (moves, start) in problems() {
        let first = mate(&start, moves).unwrap()[0];
        let mut attacked = start.clone();
        if attacked.make(first, &mut Unobserved).captured().is_some() {
            continue;
        }
        for defence in attacked.legal_moves() {
            // The position after the first move has occurred twice, and nothing is decided yet.
            let mut line = Line::new(attacked.clone());
            let round = |line: &mut Line| {
                line.play(defence).is_ok() && and_back(line, first) && and_back(line, defence)
            };
            let ready = round(&mut line) && line.play(first).is_ok() && round(&mut line);
            let again = line.position().key() == start.key();
            if !(ready && again) || rules::judge(&line) != Verdict::Ongoing {
                continue;
            }
            let list = [first];
            let mut prover = Prover::new(&line, &list, 1, &|| false).unwrap();
            assert_eq!(prover.search(moves, Attack::All, 1_000_000), Answer::Escape);
            assert!(prover.rule_met());
            cases += 1;
        }
    }
    assert!(cases > 0);
}

#[test]
fn a_mate_comes_before_the_natural_limit_or_not_at_all() {
    for (moves, position) in problems().take(4) {
        let fen = position.fen();
        let (men, _) = fen.split_once(" - - ").unwrap();
        let with_clock =
            |plies: u32| Line::new(Position::from_fen(&format!("{men} - - {plies} 70")).unwrap());
        let limit = u32::from(with_clock(0).ruleset().natural_limit);
        // The mating move itself may be the last that counts.
        let in_time = with_clock(limit - (2 * moves - 1));
        assert!(matches!(ask(&in_time, moves, Attack::All), Answer::Mate(_)), "{fen}");
        let list = in_time.position().legal_moves();
        let late = with_clock(limit - 1);
        let mut prover = Prover::new(&late, &list, 1, &|| false).unwrap();
        let answer = prover.search(moves, Attack::All, 3_000_000);
        assert!(matches!(answer, Answer::Mate(_)) || prover.rule_met(), "{fen}");
    }
}

#[test]
fn a_search_broken_off_goes_on_where_it_was() {
    let (moves, position) = problems().find(|&(moves, _)| moves == 4).unwrap();
    let line = Line::new(position);
    let list = line.position().legal_moves();
    let mut prover = Prover::new(&line, &list, 1, &|| false).unwrap();
    let mut turns = 0;
    while prover.search(moves - 1, Attack::All, 50) == Answer::Unknown {
        turns += 1;
        assert!(turns < 1000);
    }
    assert!(turns > 0);
    assert_eq!(prover.search(moves - 1, Attack::All, 50), Answer::Escape);
    let line = Line::new(Position::start());
    let list = line.position().legal_moves();
    let mut stopped = Prover::new(&line, &list, 1, &|| true).unwrap();
    assert_eq!(stopped.search(5, Attack::All, u64::MAX / 2), Answer::Unknown);
    assert!(stopped.nodes <= LOOK_INTERVAL + 1);
}
