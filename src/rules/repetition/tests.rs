//! Laws of whole repetitions: window, count, and that the quick way and the full one agree.

use super::*;
use crate::{
    position::Position,
    rules::{Label, Offence, Ruleset, judge},
    types::{Move, SplitMix64},
};

/// Red's rook chases the knight for ever.
const CHASE: &str = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w";
const CHASES: [&str; 4] = ["a5a3", "f3g5", "a3a5", "g5f3"];
const CHASED: Verdict =
    Verdict::Forbidden { offender: Color::Red, offence: Offence::PerpetualChase };

fn under(ruleset: Ruleset, fen: &str) -> Line {
    Line::under(ruleset, Position::from_fen(fen).unwrap())
}

fn play_all(line: &mut Line, moves: impl IntoIterator<Item = Move>) {
    for mv in moves {
        line.play(mv).unwrap();
    }
}

fn play(line: &mut Line, moves: &[&str]) {
    play_all(line, moves.iter().map(|mv| mv.parse().unwrap()));
}

#[test]
fn article_24_the_third_occurrence_is_judged_or_the_fourth_after_a_warning() {
    for (count, plies) in [(3, 8), (4, 12)] {
        let ruleset = Ruleset { repetition_count: count, ..Ruleset::default() };
        let mut line = under(ruleset, CHASE);
        for mv in CHASES.into_iter().cycle().take(plies) {
            assert_eq!((judge(&line), judgement(&line)), (Verdict::Ongoing, None));
            play(&mut line, &[mv]);
        }
        assert_eq!(judge(&line), CHASED);
        // The last two rounds, whatever went before.
        let judgement = judgement(&line).unwrap();
        assert_eq!((judgement.window_start, judgement.labels.len()), (plies - 8, 8));
        let (moves, labels): (Vec<_>, Vec<_>) = judgement.labels.into_iter().unzip();
        let expected: Vec<Move> = CHASES.iter().map(|mv| mv.parse().unwrap()).collect();
        assert_eq!(moves, [expected.clone(), expected].concat());
        assert_eq!(labels, [Label::Chase, Label::Idle].repeat(4));
    }
}

#[test]
fn an_idle_move_counts_in_either_round_of_the_window_and_nowhere_else() {
    let idle = ["a5a4", "e9e8", "a4a5", "e8e9"];
    for (rounds, verdict) in [
        ([CHASES, CHASES].as_slice(), CHASED),
        (&[idle, CHASES], Verdict::Draw),
        (&[CHASES, idle], Verdict::Draw),
        (&[idle, CHASES, CHASES], CHASED),
    ] {
        let mut line = under(Ruleset::default(), CHASE);
        play(&mut line, &rounds.concat());
        assert_eq!(judge(&line), verdict, "{rounds:?}");
    }
}

/// The legal moves that capture nothing.
fn quiet_moves(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    moves.into_iter().filter(|mv| position.piece_at(mv.to()).is_none()).collect()
}

/// Four plies from a position back to it: either side moves a man there and back.
fn cycle(position: &Position, rng: &mut SplitMix64) -> Option<[Move; 4]> {
    let pick = |position: &Position, rng: &mut SplitMix64| {
        let moves = quiet_moves(position);
        (!moves.is_empty()).then(|| moves[rng.below(moves.len())])
    };
    let back = |mv: Move| Move::between(mv.to(), mv.from());
    let mut line = Line::new(position.clone());
    let out = pick(position, rng)?;
    line.play(out).ok()?;
    let reply = pick(line.position(), rng)?;
    for mv in [reply, back(out), back(reply)] {
        line.play(mv).ok()?;
    }
    Some([out, reply, back(out), back(reply)])
}

#[test]
fn the_verdict_in_haste_is_the_verdict_in_full() {
    let mut rng = SplitMix64::new(28);
    let mut cache = LabelCache::default();
    let mut offences = 0;
    for _ in 0..if cfg!(debug_assertions) { 5 } else { 100 } {
        let mut game = Line::new(Position::start());
        for _ in 0..100 {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.below(moves.len())]).unwrap();
            let Some(cycle) = cycle(game.position(), &mut rng) else { continue };
            let mut line = Line::new(game.position().clone());
            play_all(&mut line, cycle);
            let second = line.verdict_in_tree(5, &mut cache);
            play_all(&mut line, cycle);
            let full = judgement(&line).unwrap();
            let fen = game.position().fen();
            assert_eq!(judge(&line), full.verdict, "{fen} {cycle:?}");
            assert_eq!(second, full.verdict, "{fen} {cycle:?}");
            assert_eq!(line.verdict_in_tree(1, &mut cache), full.verdict, "{fen} {cycle:?}");
            offences += u32::from(full.verdict != Verdict::Draw);
        }
    }
    assert!(offences > 20 || cfg!(debug_assertions), "only {offences} offences");
}

#[test]
fn a_table_of_labels_serves_one_ruleset_at_a_time() {
    let mut cache = LabelCache::default();
    let mut with_kills = under(Ruleset::default(), "3ak1b2/4a4/4b4/p8/9/4C2R1/9/4B4/4A4/3AK4 w");
    play(&mut with_kills, &["h4g4", "g9i7", "g4h4", "i7g9"]);
    let mut without =
        Line::under(Ruleset { kill_depth: 0, ..Ruleset::default() }, with_kills.start().clone());
    play(&mut without, &["h4g4", "g9i7", "g4h4", "i7g9"]);
    for _ in 0..2 {
        for (line, offence) in
            [(&with_kills, Offence::PerpetualKill), (&without, Offence::PerpetualChase)]
        {
            let expected = Verdict::Forbidden { offender: Color::Red, offence };
            assert_eq!(line.verdict_in_tree(5, &mut cache), expected);
        }
    }
}

#[test]
fn two_thousand_plies_are_judged_at_every_ply() {
    for natural_limit in [0, 120] {
        for (fen, cycle) in
            [(CHASE, CHASES), (Position::START_FEN, ["b0c2", "b9c7", "c2b0", "c7b9"])]
        {
            let mut line = under(Ruleset { natural_limit, ..Ruleset::default() }, fen);
            for (ply, mv) in (1..=2000).zip(cycle.into_iter().cycle()) {
                play(&mut line, &[mv]);
                assert_eq!(judge(&line) == Verdict::Ongoing, ply < 8, "{fen} {ply}");
            }
        }
    }
}

#[test]
fn a_long_game_without_captures_or_short_cycles_is_judged_at_every_ply() {
    let mut rng = SplitMix64::new(2000);
    let mut line = under(Ruleset { natural_limit: 0, ..Ruleset::default() }, Position::START_FEN);
    while line.plies() < 2000 {
        let moves = quiet_moves(line.position());
        line.play(moves[rng.below(moves.len())]).unwrap();
        let found = judgement(&line).map_or(Verdict::Ongoing, |found| found.verdict);
        assert_eq!(judge(&line), found);
        if quiet_moves(line.position()).is_empty() {
            line.pop();
        }
    }
}
