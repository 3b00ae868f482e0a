//! Laws of the judge, on small positions.

use super::*;
use crate::{
    position::{Position, Unobserved},
    types::{Color, Move, SplitMix64},
};

/// Red's rook may check for ever; Black's king only steps aside.
const LONE_KING: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1";
const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9";
/// Nobody checks: two rooks far from both kings.
const QUIET: &str = "4k4/4a4/9/r8/9/9/8R/9/4A4/4K4 w - - 0 1";
const SHUFFLE: &str = "i3h3 a6b6 h3i3 b6a6";

fn under(ruleset: Ruleset, fen: &str) -> Line {
    Line::under(ruleset, Position::from_fen(fen).unwrap())
}

fn line(fen: &str) -> Line {
    under(Ruleset::default(), fen)
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

fn push(line: &mut Line, text: &str) {
    for mv in moves(text) {
        line.play(mv).unwrap();
    }
}

/// After how many plies of a cycle a verdict falls, and which.
fn falls(line: &mut Line, cycle: &str) -> Option<(usize, Verdict)> {
    moves(cycle).into_iter().cycle().take(400).find_map(|mv| {
        line.play(mv).unwrap();
        let verdict = judge(line);
        (verdict != Verdict::Ongoing).then_some((line.plies(), verdict))
    })
}

const RED_LOSES: Verdict =
    Verdict::Forbidden { offender: Color::Red, offence: Offence::PerpetualCheck };

#[test]
fn third_occurrence_of_quiet_moves_draws() {
    assert_eq!(falls(&mut line(QUIET), SHUFFLE), Some((8, Verdict::Draw)));
    let ruleset = Ruleset { repetition_count: 4, ..Ruleset::default() };
    assert_eq!(falls(&mut under(ruleset, QUIET), SHUFFLE), Some((12, Verdict::Draw)));
}

#[test]
fn one_sided_perpetual_check_loses() {
    assert_eq!(falls(&mut line(LONE_KING), CHECKS), Some((8, RED_LOSES)));
    let twin = "3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 1";
    let loss = Verdict::Forbidden { offender: Color::Black, offence: Offence::PerpetualCheck };
    assert_eq!(falls(&mut line(twin), "a1a0 e0e1 a0a1 e1e0"), Some((8, loss)));
    // One quiet move in the cycle and it is allowed (数将一闲); two cycles may differ.
    let cycle = "a8a9 e9e8 a9a7 e8e9 a7a9 e9e8 a9a8 e8e9";
    assert_eq!(falls(&mut line(LONE_KING), cycle), Some((9, Verdict::Draw)));
}

#[test]
fn both_checking_all_along_draws() {
    // Each cannon's screen steps away to screen, or uncover, the other's line.
    let mut game = line("4k4/4ac3/9/9/9/9/5C3/4R4/5K3/9 w - - 0 1");
    assert!(game.in_check());
    assert_eq!(falls(&mut game, "f3e3 e8f7 e3f3 f7e8"), Some((8, Verdict::Draw)));
    assert!(game.history().iter().all(Ply::gave_check));
}

/// Repetitions are not looked at.
fn limit_only() -> Ruleset {
    Ruleset { repetition_count: usize::MAX, ..Ruleset::default() }
}

#[test]
fn natural_limit_counts_quiet_plies_and_ten_checks() {
    assert_eq!(falls(&mut under(limit_only(), QUIET), SHUFFLE), Some((120, Verdict::Draw)));
    let off = Ruleset { natural_limit: 0, ..limit_only() };
    assert_eq!(falls(&mut under(off, QUIET), SHUFFLE), None);
    // Ten checks and their answers, then nothing counts.
    let mut game = under(limit_only(), LONE_KING);
    assert_eq!(falls(&mut game, CHECKS), None);
    assert_eq!(game.counted(), 20);
    // Twelve checks among quiet moves: two of them and two answers are passed over.
    let mut game = under(limit_only(), "4k4/9/R8/9/9/9/9/9/9/3K5 w - - 0 1");
    push(&mut game, &"a7a9 e9e8 a9a7 e8e9 ".repeat(12));
    assert_eq!((game.plies(), game.counted()), (48, 44));
    assert_eq!(falls(&mut game, "a7b7 e9e8 b7a7 e8e9"), Some((124, Verdict::Draw)));
}

#[test]
fn the_clock_of_a_fen_counts_but_ends_nothing() {
    for clock in [119, 120, 900] {
        let fen = QUIET.replace("0 1", &format!("{clock} 60"));
        let mut game = line(&fen);
        assert_eq!(judge(&game), Verdict::Ongoing);
        push(&mut game, "i3h3");
        assert_eq!(judge(&game), Verdict::Draw);
    }
    // A mate on the last ply is a mate.
    let mut game = line("3k5/R8/9/9/9/9/9/9/7R1/4K4 w - - 119 60");
    push(&mut game, "h1h9");
    assert!(game.position().is_lost());
    assert_eq!(judge(&game), Verdict::Ongoing);
}

#[test]
fn a_capture_starts_everything_anew() {
    let mut game = line(QUIET);
    push(&mut game, SHUFFLE);
    push(&mut game, "i3i6 a6i6");
    assert_eq!(game.counted(), 0);
    assert_eq!(judge(&game), Verdict::Ongoing);
    push(&mut game, "e1d0 i6h6 d0e1 h6i6 e1d0 i6h6 d0e1");
    assert_eq!((judge(&game), game.counted()), (Verdict::Ongoing, 7));
    push(&mut game, "h6i6");
    assert_eq!(judge(&game), Verdict::Draw);
}

#[test]
fn without_a_man_to_cross_the_river_nobody_wins() {
    let mut game = line("4k4/9/9/9/9/9/9/3p5/3K5/9 w - - 0 1");
    assert_eq!(judge(&game), Verdict::Ongoing);
    push(&mut game, "d1d2");
    assert_eq!(judge(&game), Verdict::Draw);
    assert_eq!(game.verdict_in_tree(1, &mut LabelCache::default()), Verdict::Draw);
}

#[test]
fn in_the_tree_a_second_occurrence_below_the_root_decides() {
    let verdicts = |fen, cycle: &str, root: usize| -> Vec<_> {
        let mut game = line(fen);
        let mut decided = Vec::new();
        for mv in moves(cycle).into_iter().cycle().take(9) {
            game.play(mv).unwrap();
            if game.plies() > root {
                decided.push(game.verdict_in_tree(game.plies() - root, &mut LabelCache::default()));
            }
        }
        decided
    };
    // Coming back to the root itself, or to the game before it, decides nothing yet.
    let quiet = verdicts(QUIET, SHUFFLE, 0);
    assert_eq!(quiet[..4], [Verdict::Ongoing; 4]);
    assert_eq!(quiet[4..], [Verdict::Draw; 5]);
    assert_eq!(verdicts(LONE_KING, CHECKS, 0)[4..], [RED_LOSES; 5]);
    // With the first cycle already played the third occurrence comes before any other.
    assert_eq!(
        verdicts(LONE_KING, CHECKS, 4)[..4],
        [[Verdict::Ongoing; 3].as_slice(), &[RED_LOSES]].concat()
    );
}

#[test]
fn no_repetition_is_seen_across_a_pass() {
    let [out, back] = [moves("i3h3 a6b6"), moves("h3i3 b6a6")];
    for pass in [false, true] {
        let mut game = line(QUIET);
        push(&mut game, SHUFFLE);
        for &mv in &out {
            game.push(mv, &mut Unobserved);
        }
        if pass {
            game.push_null();
            game.push_null();
        }
        for &mv in &back {
            game.push(mv, &mut Unobserved);
        }
        let draw = game.verdict_in_tree(game.plies(), &mut LabelCache::default()) == Verdict::Draw;
        assert_eq!((draw, game.counted()), (!pass, 8));
    }
}

#[test]
fn what_is_taken_back_leaves_no_trace() {
    let mut rng = SplitMix64::new(24);
    for _ in 0..30 {
        let mut game = Line::new(Position::start());
        let mut before = Vec::new();
        for _ in 0..120 {
            let list = game.position().legal_moves();
            if list.is_empty() {
                break;
            }
            let pass = !game.in_check() && rng.below(10) == 0;
            before.push((pass, game.fingerprint()));
            if pass {
                game.push_null();
            } else {
                game.push(list[rng.below(list.len())], &mut Unobserved);
            }
            assert_eq!(game.in_check(), game.position().in_check());
        }
        for (pass, fingerprint) in before.into_iter().rev() {
            if pass {
                game.pop_null();
            } else {
                game.pop();
            }
            assert_eq!(game.fingerprint(), fingerprint);
        }
    }
}

#[test]
fn an_illegal_move_is_named_and_changes_nothing() {
    let mut game = Line::new(Position::start());
    let before = game.fingerprint();
    let error = game.play("h2i4".parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "illegal move h2i4");
    assert_eq!(game.fingerprint(), before);
}

#[test]
fn a_game_that_goes_on_past_the_limit_is_searched_past_it() {
    let start = Position::from_fen("3ak4/9/9/9/9/9/9/9/9/R2K5 w - - 118 60").unwrap();
    let mut line = Line::new(start);
    line.play("a0a1".parse().unwrap()).unwrap();
    line.push("e9e8".parse().unwrap(), &mut Unobserved);
    assert_eq!(judge_in_tree(&line, 1, &mut LabelCache::default()), Verdict::Draw);
    line.push("a1a2".parse().unwrap(), &mut Unobserved);
    assert_eq!(judge(&line), Verdict::Draw);
    assert_eq!(judge_in_tree(&line, 1, &mut LabelCache::default()), Verdict::Ongoing);
}
