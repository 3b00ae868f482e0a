//! Players and the referee: every fault of an engine ends its own game with its own name, and never
//! the match. Plays through the library; what the program adds is in `match_cli`.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::{
    env, fs,
    process::{self, Command},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use chuhe::{
    arena::{
        Adjudication, ChildPlayer, Conditions, InProcess, Letters, Manners, Played, Player,
        Program, Ranks, SetupError, Termination, Warning, openings::Opening, play,
    },
    clock::TimeControl,
    notation::GameResult,
    position::Position,
    rules::{Book, Ruleset},
    types::Color,
    wire::{Dialect, Score},
};

/// What is told of a crash, with the exit status where that can be had.
const CRASHED: &str = if cfg!(target_os = "linux") {
    "black crashed: its process has ended, exit status 3"
} else {
    "black crashed: its process has ended"
};

/// Nothing is broken off, unless a test is about that.
static NEVER: AtomicBool = AtomicBool::new(false);

fn manners() -> Manners {
    Manners {
        dialect: Some(Dialect::Ucci),
        ranks: Ranks::FromZero,
        letters: Letters::Usual,
        options: Vec::new(),
        hints: Vec::new(),
        patience: Duration::from_secs(20),
    }
}

fn start(behaviour: &str, manners: Manners) -> Result<ChildPlayer, SetupError> {
    let mut words = crate::mock::command(behaviour).into_iter();
    let file = words.next().unwrap().into();
    ChildPlayer::start(Program { file, arguments: words.collect(), folder: None }, manners, &NEVER)
}

fn engine(behaviour: &str) -> ChildPlayer {
    start(behaviour, manners()).unwrap()
}

fn conditions() -> Conditions {
    Conditions {
        ruleset: Ruleset::default(),
        margin: Some(Duration::ZERO),
        patience: Duration::from_secs(20),
        adjudication: Adjudication { plies: Some(40), ..Adjudication::default() },
        draws_won_by: None,
    }
}

fn game(red: &mut dyn Player, black: &mut dyn Player, control: &str, start: &str) -> Played {
    let control: TimeControl = control.parse().unwrap();
    let opening = Opening { start: Position::from_fen(start).unwrap(), moves: Vec::new() };
    let abort = AtomicBool::new(false);
    play([red, black], [&control, &control], &opening, &conditions(), &abort).unwrap()
}

fn from_start(red: &mut dyn Player, black: &mut dyn Player, control: &str) -> Played {
    game(red, black, control, Position::START_FEN)
}

/// A time in which the mock engines answer even on a busy machine.
const LONG: &str = "move=20s";

#[test]
fn every_fault_has_its_name_and_the_engine_plays_on() {
    for (behaviour, control, termination, reason) in [
        ("crashes", LONG, Termination::Crash, CRASHED),
        (
            "plays illegal moves",
            LONG,
            Termination::IllegalMove,
            "black plays e0e9, which is illegal: the king is red's, who is not to move (4.1.6)",
        ),
        (
            "answers nonsense",
            LONG,
            Termination::Protocol,
            "black answered `bestmove castles`, which is no move",
        ),
        ("resigns", LONG, Termination::Resignation, "black resigns (4.1.9)"),
    ] {
        let (mut fair, mut faulty) = (engine("plays fair"), engine(behaviour));
        // The second game shows that it is there again, for it comes as far.
        for _ in 0..2 {
            let Played { moves, ending, .. } = from_start(&mut fair, &mut faulty, control);
            assert_eq!(ending.termination, termination, "{behaviour}");
            assert_eq!((ending.result, ending.reason.as_str()), (GameResult::RedWins, reason));
            assert_eq!(moves.len(), 5);
        }
    }
}

#[test]
fn whoever_answers_late_loses_on_time() {
    for behaviour in ["answers late", "says nothing", "says nothing and ignores stop"] {
        let (mut fair, mut late) = (engine("plays fair"), engine(behaviour));
        for short in ["move=300ms", "0.3+0"] {
            // Red may take as long as the machine makes it; only Black's flag is at stake.
            let (ample, short): (TimeControl, TimeControl) =
                (LONG.parse().unwrap(), short.parse().unwrap());
            let opening = Opening::initial();
            let abort = AtomicBool::new(false);
            let players: [&mut dyn Player; 2] = [&mut fair, &mut late];
            let begun = Instant::now();
            let played = play(players, [&ample, &short], &opening, &conditions(), &abort).unwrap();
            let ending = played.ending;
            assert_eq!(ending.termination, Termination::Time, "{behaviour}: {}", ending.reason);
            assert!(ending.reason.contains("black's flag falls"), "{}", ending.reason);
            // The move before took next to nothing.
            let had = ending.reason.split("that had ").nth(1).unwrap();
            let had: u32 = had.split(' ').next().unwrap().parse().unwrap();
            assert!((200..=300).contains(&had), "{}", ending.reason);
            assert!(begun.elapsed() < Duration::from_secs(15), "{behaviour}");
        }
    }
}

#[test]
fn a_game_is_broken_off_in_the_middle_of_a_thought() {
    let control: TimeControl = "1h".parse().unwrap();
    let thinkers: [Box<dyn Player>; 2] = [
        Box::new(InProcess::start(&[], &[]).unwrap()),
        Box::new(engine("says nothing and ignores stop")),
    ];
    for mut thinker in thinkers {
        let (mut fair, opening, conditions) =
            (engine("plays fair"), Opening::initial(), conditions());
        let abort = AtomicBool::new(false);
        let begun = Instant::now();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(300));
                abort.store(true, Ordering::Relaxed);
            });
            let players: [&mut dyn Player; 2] = [&mut *thinker, &mut fair];
            assert!(play(players, [&control; 2], &opening, &conditions, &abort).is_none());
        });
        assert!(begun.elapsed() < Duration::from_secs(15));
    }
}

#[cfg(unix)]
#[test]
fn an_engine_behind_a_script_is_ended_with_it() {
    let pid = env::temp_dir().join(format!("chuhe-script-{}", process::id()));
    let script = crate::mock::command("says nothing and ignores stop").pop().unwrap();
    // The outer shell stays, waiting for the inner one, which becomes the engine.
    let arguments = [
        "-c".into(),
        "sh -c \"$0\"; true".into(),
        format!("echo $$ >'{}'; {script}", pid.display()),
    ];
    let program = Program { file: "/bin/sh".into(), arguments: arguments.into(), folder: None };
    let mut behind = ChildPlayer::start(program, manners(), &NEVER).unwrap();
    let ending = from_start(&mut behind, &mut engine("plays fair"), "move=2s").ending;
    assert_eq!(ending.termination, Termination::Time, "{}", ending.reason);
    let state = || {
        let pid = fs::read_to_string(&pid).unwrap();
        let output = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let deadline = Instant::now() + Duration::from_secs(5);
    // It may wait for somebody to ask how it ended.
    while !(state().is_empty() || state().starts_with('Z')) {
        assert!(Instant::now() < deadline, "the engine is still there: {}", state());
        thread::sleep(Duration::from_millis(20));
    }
    fs::remove_file(pid).unwrap();
}

#[test]
fn silence_without_a_clock_is_a_stall() {
    let (mut fair, mut mute) = (engine("plays fair"), engine("says nothing"));
    let control: TimeControl = "nodes=100".parse().unwrap();
    let conditions = Conditions { patience: Duration::from_secs(2), ..conditions() };
    let (opening, abort) = (Opening::initial(), AtomicBool::new(false));
    let players: [&mut dyn Player; 2] = [&mut mute, &mut fair];
    let ending = play(players, [&control; 2], &opening, &conditions, &abort).unwrap().ending;
    assert_eq!((ending.termination, ending.result), (Termination::Stall, GameResult::BlackWins));
}

#[test]
fn noise_is_no_fault() {
    for behaviour in ["floods", "prints garbage", "never quits", "answers twice"] {
        let (mut fair, mut noisy) = (engine("plays fair"), engine(behaviour));
        let ending = from_start(&mut noisy, &mut fair, LONG).ending;
        assert_eq!(ending.termination, Termination::MoveLimit, "{behaviour}: {}", ending.reason);
    }
}

#[test]
fn an_endless_flood_loses_on_time_and_is_ended() {
    let (mut fair, mut flood) = (engine("plays fair"), engine("floods for ever"));
    let ending = from_start(&mut flood, &mut fair, "move=3s").ending;
    assert_eq!((ending.termination, ending.result), (Termination::Time, GameResult::BlackWins));
    let ending = from_start(&mut fair, &mut flood, "move=3s").ending;
    assert_eq!((ending.termination, ending.result), (Termination::Time, GameResult::RedWins));
}

#[test]
fn a_forbidden_cycle_loses_by_its_article() {
    // The rook checks for ever from either file; the king has but two points.
    let checks = "3k5/9/9/9/9/9/9/9/r8/4K4 b";
    let (mut victim, mut offender) = (engine("cycles e0e1 e1e0"), engine("cycles a1a0 a0a1"));
    let ending = game(&mut victim, &mut offender, LONG, checks).ending;
    assert_eq!(ending.termination, Termination::Forbidden, "{}", ending.reason);
    assert_eq!(ending.result, GameResult::won_by(Color::Red));
    for word in ["black", "长将", "4.1.7"] {
        assert!(ending.reason.contains(word), "{}", ending.reason);
    }
    let idle = "4k4/4a4/9/r8/9/9/8R/9/4A4/4K4 w";
    let (mut red, mut black) = (engine("cycles i3h3 h3i3"), engine("cycles a6b6 b6a6"));
    let ending = game(&mut red, &mut black, LONG, idle).ending;
    assert_eq!((ending.termination, ending.result), (Termination::Repetition, GameResult::Draw));
}

/// A game under rules of its own.
fn game_under(ruleset: Ruleset, players: [&str; 2], start: &str) -> Played {
    let [mut red, mut black] = players.map(engine);
    let control: TimeControl = LONG.parse().unwrap();
    let opening = Opening { start: Position::from_fen(start).unwrap(), moves: Vec::new() };
    let (conditions, abort) = (Conditions { ruleset, ..conditions() }, AtomicBool::new(false));
    play([&mut red, &mut black], [&control; 2], &opening, &conditions, &abort).unwrap()
}

#[test]
fn article_24_3_an_offender_is_warned_once_and_has_one_more_cycle() {
    let fen = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w";
    let warning = Ruleset { warning: true, ..Ruleset::default() };
    let chase = ["cycles a5a3 a3a5", "cycles f3g5 g5f3"];
    let played = game_under(warning, chase, fen);
    assert_eq!((played.moves.len(), played.ending.termination), (12, Termination::Forbidden));
    assert_eq!(played.ending.result, GameResult::BlackWins);
    let told = "red must deviate: perpetual chase (长捉) (24.3, 25.2, 26.4, 28.12, 28.15)";
    let (side, offence) = ("red".into(), "长捉".into());
    assert_eq!(played.warnings, [Warning { ply: 8, side, offence, told: told.into() }]);
    // Other books have no articles to name.
    let asian = Ruleset { warning: true, ..Ruleset::of(Book::Asian) };
    let told = &game_under(asian, chase, fen).warnings[0].told;
    assert_eq!(told, "red must deviate: perpetual chase (长捉)");
    // Who heeds it does not lose.
    let heeds = ["a5a3", "a3a5", "a5a3", "a3a5", "a5b5", "b5a5"].join(" ");
    let waits = ["f3g5", "g5f3", "f3g5", "g5f3", "e9e8", "e8e9"].join(" ");
    let both = [format!("cycles {heeds}"), format!("cycles {waits}")];
    let played = game_under(warning, [&both[0], &both[1]], fen);
    assert_eq!(played.ending.termination, Termination::Repetition, "{}", played.ending.reason);
    assert_eq!((played.moves.len(), played.warnings.len()), (12, 1));
    // Without the option nobody is warned, and perpetual check never is (24.1).
    for (ruleset, players, fen) in [
        (Ruleset::default(), chase, fen),
        (warning, ["cycles e0e1 e1e0", "cycles a1a0 a0a1"], "3k5/9/9/9/9/9/9/9/r8/4K4 b"),
    ] {
        let played = game_under(ruleset, players, fen);
        assert_eq!((played.moves.len(), played.warnings), (8, vec![]));
        assert_eq!(played.ending.termination, Termination::Forbidden);
    }
}

#[test]
fn article_23_3_an_offer_claims_the_draw_that_its_side_is_entitled_to() {
    // Red checks with every other move; his checks and the answers do not count, unless Black
    // claims.
    let fen = "4k4/9/R8/9/9/9/9/9/9/3K5 w";
    let ruleset =
        Ruleset { natural_limit: 5, check_cap: 0, repetition_count: 4, ..Ruleset::default() };
    let (checks, answers) = ("cycles a7a9 a9a7", "cycles e9e8 e8e9");
    let offering = |behaviour: &str| format!("offers draws, {behaviour}");
    for (players, plies, reason) in [
        ([checks.into(), offering(answers)], 6, "natural limit, claimed by black (4.2.4, 23.3)"),
        ([offering(checks), answers.into()], 11, "natural limit (4.2.4, 23.3)"),
        ([checks.into(), answers.into()], 11, "natural limit (4.2.4, 23.3)"),
    ] {
        let played = game_under(ruleset, [&players[0], &players[1]], fen);
        let ending = played.ending;
        assert_eq!((played.moves.len(), &*ending.reason), (plies, reason), "{players:?}");
        assert_eq!(
            (ending.termination, ending.result),
            (Termination::NaturalLimit, GameResult::Draw)
        );
    }
    // Whoever is entitled to nothing merely offers.
    let early = Ruleset { natural_limit: 100, ..ruleset };
    let played = game_under(early, [checks, &offering(answers)], fen);
    assert_eq!(played.ending.termination, Termination::Repetition);
}

#[test]
fn draws_are_agreed_on_by_both_only() {
    let (mut one, mut other) = (engine("offers draws"), engine("offers draws"));
    let played = from_start(&mut one, &mut other, LONG);
    assert_eq!((played.ending.termination, played.moves.len()), (Termination::Agreement, 2));
    let mut fair = engine("plays fair");
    assert_ne!(from_start(&mut one, &mut fair, LONG).ending.termination, Termination::Agreement);
}

#[test]
fn scores_that_agree_end_a_game_when_they_may() {
    let adjudication = Adjudication {
        resign: Some("2,800".parse().unwrap()),
        draw: Some("4,2,10".parse().unwrap()),
        plies: Some(40),
    };
    let conditions = Conditions { adjudication, ..conditions() };
    let control: TimeControl = LONG.parse().unwrap();
    for (red, black, termination, plies) in [
        ("thinks it wins", "thinks it loses", Termination::AdjudicatedWin, 4),
        ("thinks it loses", "thinks it wins", Termination::AdjudicatedWin, 4),
        ("thinks it is even", "thinks it is even", Termination::AdjudicatedDraw, 6),
        ("thinks it wins", "thinks it wins", Termination::MoveLimit, 40),
    ] {
        let (mut one, mut other) = (engine(red), engine(black));
        let players: [&mut dyn Player; 2] = [&mut one, &mut other];
        let (opening, abort) = (Opening::initial(), AtomicBool::new(false));
        let played = play(players, [&control; 2], &opening, &conditions, &abort).unwrap();
        assert_eq!(played.ending.termination, termination, "{red}, {black}");
        assert_eq!(played.moves.len(), plies, "{red}, {black}");
    }
}

#[test]
fn scores_are_on_one_scale_in_whichever_way_they_are_told() {
    let control: TimeControl = "depth=6".parse().unwrap();
    let conditions = Conditions {
        adjudication: Adjudication { plies: Some(1), ..Adjudication::default() },
        ..conditions()
    };
    // Red lacks a rook, so the scores are far from zero.
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w";
    let opening = Opening { start: Position::from_fen(start).unwrap(), moves: Vec::new() };
    let child = |dialect| -> Box<dyn Player> {
        let file = env!("CARGO_BIN_EXE_chuhe").into();
        let program = Program { file, arguments: Vec::new(), folder: None };
        let manners = Manners { dialect: Some(dialect), ..manners() };
        Box::new(ChildPlayer::start(program, manners, &NEVER).unwrap())
    };
    let players =
        [Box::new(InProcess::start(&[], &[]).unwrap()), child(Dialect::Uci), child(Dialect::Ucci)];
    let mut fair = engine("plays fair");
    let [own, uci, ucci] = players.map(|mut player| {
        let players: [&mut dyn Player; 2] = [&mut *player, &mut fair];
        let played = play(players, [&control; 2], &opening, &conditions, &NEVER).unwrap();
        match played.moves[0].score {
            Some(Score::Points(points)) => points,
            other => panic!("{other:?}"),
        }
    });
    assert!(own < -200, "{own}");
    assert_eq!(own, uci);
    // Each protocol rounds for itself.
    assert!((own - ucci).abs() <= 2, "{own} {ucci}");
}

#[test]
fn a_draw_is_a_win_for_whom_the_match_says() {
    let control: TimeControl = LONG.parse().unwrap();
    for (behaviour, plies, termination) in [
        ("offers draws", 2, Termination::Agreement),
        ("thinks it is even", 6, Termination::AdjudicatedDraw),
        ("plays fair", 40, Termination::MoveLimit),
    ] {
        for (winner, result, told) in [
            (None, GameResult::Draw, ""),
            (Some(Color::Red), GameResult::RedWins, ", a draw that red wins"),
            (Some(Color::Black), GameResult::BlackWins, ", a draw that black wins"),
        ] {
            let draw = Some("4,2,10".parse().unwrap());
            let adjudication = Adjudication { draw, ..conditions().adjudication };
            let conditions = Conditions { draws_won_by: winner, adjudication, ..conditions() };
            let (mut one, mut other) = (engine(behaviour), engine(behaviour));
            let players: [&mut dyn Player; 2] = [&mut one, &mut other];
            let (opening, abort) = (Opening::initial(), AtomicBool::new(false));
            let played = play(players, [&control; 2], &opening, &conditions, &abort).unwrap();
            let ending = played.ending;
            assert_eq!((ending.result, ending.termination), (result, termination), "{behaviour}");
            assert!(ending.reason.ends_with(told), "{}", ending.reason);
            assert_eq!(played.moves.len(), plies, "{behaviour}");
        }
    }
    // Whoever loses is not saved by it.
    let conditions = Conditions { draws_won_by: Some(Color::Black), ..conditions() };
    let (mut fair, mut faulty) = (engine("plays fair"), engine("resigns"));
    let players: [&mut dyn Player; 2] = [&mut fair, &mut faulty];
    let (opening, abort) = (Opening::initial(), AtomicBool::new(false));
    let ending = play(players, [&control; 2], &opening, &conditions, &abort).unwrap().ending;
    assert_eq!(ending.result, GameResult::RedWins, "{}", ending.reason);
}

#[test]
fn the_protocol_of_an_engine_is_found_out() {
    let any = Manners { dialect: None, ..manners() };
    for behaviour in ["plays fair", "leaves at ucci", "speaks uci only"] {
        let mut engine = start(behaviour, any.clone()).unwrap();
        assert_eq!(engine.new_game(&NEVER), Ok(()), "{behaviour}");
    }
    let hasty = Manners { patience: Duration::from_secs(1), ..any };
    assert!(matches!(start("mute", hasty), Err(SetupError::Mute { .. })));
}

#[test]
fn options_are_checked_against_what_is_offered() {
    let with = |name: &str, value: &str| {
        let options = vec![(name.into(), value.into())];
        start("plays fair", Manners { options, ..manners() }).err().map(|error| error.to_string())
    };
    assert_eq!(with("hash", "64"), None);
    assert_eq!(with("Style", "wild"), None);
    assert_eq!(with("Hash", "65").unwrap(), "option Hash takes 1 to 64, not `65`");
    assert_eq!(with("Style", "mild").unwrap(), "option Style takes normal, wild, not `mild`");
    assert_eq!(with("Hush", "1").unwrap(), "offers no option `Hush`");
}
