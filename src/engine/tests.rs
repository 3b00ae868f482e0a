//! What the façade promises, through its own interface.

use std::sync::mpsc::{Receiver, channel};

use super::*;
use crate::{rules, types::Score};

const PATIENCE: Duration = Duration::from_mins(1);

fn engine() -> (Engine, Receiver<Event>) {
    let (tell, events) = channel();
    let engine = Engine::new(move |event| {
        let _ = tell.send(event);
    });
    (engine, events)
}

fn best(events: &Receiver<Event>) -> SearchResult {
    loop {
        if let Event::Best(outcome) = events.recv_timeout(PATIENCE).expect("an answer") {
            return outcome;
        }
    }
}

fn messages(events: &Receiver<Event>) -> Vec<String> {
    let text = |event| if let Event::Message(text) = event { Some(text) } else { None };
    events.try_iter().filter_map(text).collect()
}

fn depth(depth: u32) -> GoRequest {
    GoRequest { depth: Some(depth), ..GoRequest::default() }
}

#[test]
fn every_go_is_answered_by_a_legal_move() {
    let (mut engine, events) = engine();
    engine.set_position(None, &["h2e2", "h9g7"]).unwrap();
    engine.go(depth(2));
    let outcome = best(&events);
    assert!(engine.line().position().is_legal(outcome.best.unwrap()));
    engine.wait();
    assert!(!engine.is_thinking());
}

#[test]
fn a_search_without_limit_ends_by_stop_alone() {
    let (mut engine, events) = engine();
    engine.go(GoRequest::default());
    assert!(engine.is_thinking());
    engine.stop();
    assert!(best(&events).best.is_some());
    assert!(!engine.is_thinking());
}

#[test]
fn a_stop_right_after_go_is_not_lost() {
    let (mut engine, events) = engine();
    for _ in 0..20 {
        engine.go(GoRequest { infinite: true, ..GoRequest::default() });
        engine.stop();
        assert!(best(&events).best.is_some());
    }
}

#[test]
fn a_second_go_ends_the_first_and_both_answer() {
    let (mut engine, events) = engine();
    engine.go(GoRequest::default());
    engine.go(depth(1));
    best(&events);
    best(&events);
    engine.wait();
    assert!(!engine.is_thinking());
}

#[test]
fn pondering_waits_for_the_hit() {
    let (mut engine, events) = engine();
    let clock = ClockView { left: Duration::from_millis(100), ..ClockView::default() };
    engine.go(GoRequest { ponder: true, clock: Some(clock), ..GoRequest::default() });
    std::thread::sleep(Duration::from_millis(200));
    assert!(engine.is_thinking());
    engine.ponder_hit(true);
    let outcome = best(&events);
    let worse = SearchResult { score: Score::Value(-200), depth: 20, ..outcome.clone() };
    assert!(engine.agrees_to_draw(&worse));
    assert!(!engine.agrees_to_draw(&SearchResult { score: Score::Value(200), ..worse.clone() }));
    engine.go(depth(1));
    best(&events);
    assert!(!engine.agrees_to_draw(&worse));
}

#[test]
fn a_bad_position_keeps_the_old_one() {
    let (mut engine, _events) = engine();
    engine.set_position(None, &["h2e2"]).unwrap();
    let before = engine.line().position().fen();
    let error = engine.set_position(Some("foobar"), &[]).unwrap_err();
    assert!(matches!(error, PositionError::BadFen(_)));
    assert_eq!(engine.line().position().fen(), before);
}

#[test]
fn an_illegal_move_ends_the_list_and_is_named() {
    let (mut engine, _events) = engine();
    for word in ["a0a9", "nonsense", "h2h2", "é"] {
        let error = engine.set_position(None, &["h2e2", word, "h9g7"]).unwrap_err();
        assert_eq!(error, PositionError::IllegalMove { ply: 2, word: word.into() });
        let mut line = Line::new(Position::start());
        line.play("h2e2".parse().unwrap()).unwrap();
        assert_eq!(engine.line().position().fen(), line.position().fen());
    }
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let (mut engine, events) = engine();
    engine.go(depth(1));
    let first = best(&events).best.unwrap();
    engine.ban(&[first]);
    engine.go(depth(1));
    assert_ne!(best(&events).best, Some(first));
    engine.set_position(None, &[]).unwrap();
    assert!(engine.banned.is_empty());
}

#[test]
fn limits_combine() {
    let (mut engine, _events) = engine();
    engine.set_option("Move Overhead", Some("0")).unwrap();
    let clock = ClockView { left: Duration::from_secs(400), ..ClockView::default() };
    let limits = engine.limits(GoRequest {
        depth: Some(20),
        nodes: Some(1000),
        clock: Some(clock),
        ..GoRequest::default()
    });
    assert_eq!((limits.depth, limits.nodes, limits.infinite), (Some(20), Some(1000), false));
    assert!(limits.time.unwrap().hard < clock.left);
    assert!(engine.limits(GoRequest::default()).infinite);
}

#[test]
fn a_time_for_the_move_is_for_thinking_whatever_the_clock_shows() {
    let (mut engine, _events) = engine();
    let second = Duration::from_secs(1);
    for left in [0, 500, 1_000_000].map(Duration::from_millis) {
        let clock = Some(ClockView { left, ..ClockView::default() });
        let request = GoRequest { clock, move_time: Some(second), ..GoRequest::default() };
        assert_eq!(engine.limits(request).time.unwrap().soft, second);
    }
    // Where the end of the move's time loses the game, it is kept away from.
    engine.set_option("TimeScheme", Some("move=1s")).unwrap();
    let request = GoRequest { move_time: Some(second), ..GoRequest::default() };
    assert_eq!(engine.limits(request).time.unwrap().hard, Duration::from_millis(910));
}

#[test]
fn a_clock_at_zero_beside_another_limit_is_none() {
    let clock = ClockView::default();
    let alone = GoRequest { clock: Some(clock), ..GoRequest::default() };
    assert!(alone.is_kept(&clock));
    for request in [
        GoRequest { depth: Some(8), ..alone.clone() },
        GoRequest { nodes: Some(8), ..alone.clone() },
        GoRequest { mate: Some(8), ..alone.clone() },
        GoRequest { move_time: Some(Duration::ZERO), ..alone.clone() },
        GoRequest { infinite: true, ..alone.clone() },
    ] {
        assert!(!request.is_kept(&clock), "{request:?}");
        let some = ClockView { left: Duration::from_millis(1), ..clock };
        assert!(request.is_kept(&some), "{request:?}");
    }
}

#[test]
fn a_time_scheme_completes_what_is_told_to_the_mover() {
    let (mut engine, _events) = engine();
    engine.set_option("TimeScheme", Some("red=2/1h:3/5min,black=9min")).unwrap();
    let told = ClockView { left: Duration::from_secs(400), ..ClockView::default() };
    let mut to_go = |moves: &[&str]| {
        engine.set_position(None, moves).unwrap();
        engine.completed(told).moves_to_go
    };
    assert_eq!(to_go(&[]), Some(2));
    assert_eq!(to_go(&["h2e2", "h9g7"]), Some(1));
    assert_eq!(to_go(&["h2e2", "h9g7"]), Some(1));
    assert_eq!(to_go(&["h2e2", "h9g7", "h0g2", "g6g5"]), Some(3));
    assert_eq!(to_go(&["h2e2"]), None);
    engine.new_game();
    engine.set_option("TimeScheme", None).unwrap();
    assert_eq!(engine.completed(told), told);
}

#[test]
fn what_cannot_be_had_is_said_and_the_old_kept() {
    let (mut engine, events) = engine();
    engine.set_option("Hash", Some("1")).unwrap();
    engine.prepare();
    assert_eq!(messages(&events), [""; 0]);
    engine.set_option("Hash", Some("1048576")).unwrap();
    engine.prepare();
    let said = messages(&events);
    assert!(said.len() == 1 && said[0].ends_with("keeping 1 MB"), "{said:?}");
    engine.go(depth(1));
    assert!(best(&events).best.is_some());
}

#[test]
fn a_first_size_that_cannot_be_had_leaves_the_usual_one() {
    let (mut engine, events) = engine();
    engine.set_option("hashsize", Some("1048576")).unwrap();
    engine.prepare();
    let said = messages(&events);
    assert!(said.len() == 1 && said[0].ends_with("keeping 64 MB"), "{said:?}");
}

#[test]
fn a_number_out_of_range_is_clamped_and_said() {
    let (mut engine, events) = engine();
    engine.set_option("MultiPV", Some("100000")).unwrap();
    assert_eq!(engine.settings().multipv, 128);
    assert_eq!(messages(&events), ["MultiPV 100000 is out of range, using 128"]);
    assert!(engine.set_option("No Such Thing", None).is_err());
}

#[test]
fn the_thread_count_in_use_is_said() {
    let (mut engine, events) = engine();
    engine.set_option("Hash", Some("1")).unwrap();
    engine.prepare();
    engine.set_option("Threads", Some("2")).unwrap();
    engine.prepare();
    assert_eq!(messages(&events), ["searching with 2 threads"]);
}

#[test]
fn an_idle_engine_knows_what_it_has_searched() {
    let (mut engine, events) = engine();
    assert!(engine.probe(None, &[]).unwrap().is_none());
    engine.go(depth(3));
    best(&events);
    engine.probe(None, &["h2e2"]).unwrap();
    assert!(engine.probe(Some("foobar"), &[]).is_err());
    assert!(engine.probe(None, &["a0a9"]).is_err());
}

#[test]
fn dropping_a_thinking_engine_ends_it() {
    let (mut engine, _events) = engine();
    engine.go(GoRequest::default());
    drop(engine);
}

#[test]
fn the_table_can_be_looked_into_while_a_search_runs() {
    let (tell, told) = std::sync::mpsc::channel();
    let mut engine = Engine::new(move |event| {
        if let Event::Info(info) = event {
            let _ = tell.send(info.depth);
        }
    });
    engine.go(GoRequest { infinite: true, ..GoRequest::default() });
    while told.recv().unwrap() < 4 {}
    assert!(engine.is_thinking());
    assert!(engine.probe(None, &[]).unwrap().is_some());
    engine.stop();
    engine.wait();
}

#[test]
fn the_position_is_judged_by_the_rules_set_before_or_after_it() {
    let (mut engine, _events) = engine();
    let fen = Some("4k4/R8/9/9/9/9/9/9/9/3K5 w");
    let moves = ["a8a9", "e9e8", "a9a8", "e8e9"].repeat(2);
    let lost = |engine: &Engine| rules::outcome(engine.line()) != rules::Outcome::Ongoing;
    engine.set_position(fen, &moves).unwrap();
    assert!(lost(&engine));
    engine.set_option("Ruleset", Some("Simple")).unwrap();
    assert!(!lost(&engine) && engine.line().plies() == moves.len());
    engine.set_position(fen, &moves).unwrap();
    assert!(!lost(&engine));
    engine.set_option("RepetitionCount", Some("3")).unwrap();
    assert!(lost(&engine));
}

#[test]
fn a_draw_that_wins_is_welcome_and_one_that_loses_never() {
    let (mut engine, events) = engine();
    engine.go(GoRequest { draw: true, ..depth(1) });
    let outcome = best(&events);
    for (winner, welcome) in [("none", false), ("black", false), ("red", true)] {
        engine.set_option("DrawWins", Some(winner)).unwrap();
        assert_eq!(engine.agrees_to_draw(&outcome), welcome, "{winner}");
    }
    let hopeless = SearchResult { score: Score::Value(-2000), depth: 20, ..outcome };
    engine.set_option("DrawWins", Some("black")).unwrap();
    assert!(!engine.agrees_to_draw(&hopeless));
}

#[test]
fn a_draw_is_searched_for_by_the_side_it_wins_for() {
    // Whatever is played, nothing is left to attack with.
    let fen = Some("4k4/9/9/9/9/9/9/3p5/3K5/9 w");
    for (winner, sign) in [("red", 1), ("black", -1)] {
        let (mut engine, events) = engine();
        engine.set_option("DrawWins", Some(winner)).unwrap();
        engine.set_position(fen, &[]).unwrap();
        engine.go(GoRequest { only: vec!["d1d2".parse().unwrap()], ..depth(4) });
        let Score::Value(value) = best(&events).score else { panic!("a draw is no mate") };
        assert!(value * sign > 1000, "{winner}: {value}");
    }
}

#[test]
fn a_network_file_is_used_and_a_bad_one_changes_nothing() {
    use crate::eval::nnue::{Parameters, Shape};

    let parts = Parameters::made_up(Shape::by_men(32, 1, 400), 3).to_bytes();
    let folder = std::env::temp_dir().join(format!("chuhe-engine-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = ["good", "short"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    std::fs::write(&files[0], &parts).unwrap();
    std::fs::write(&files[1], &parts[..parts.len() / 2]).unwrap();

    let (mut engine, events) = engine();
    let mut nodes = |name: &str, value: &str| {
        let set = engine.set_option(name, Some(value));
        engine.new_game();
        engine.go(depth(4));
        let told: Vec<_> =
            events.iter().take_while(|event| !matches!(event, Event::Best(_))).collect();
        let nodes = told.iter().filter_map(|event| {
            if let Event::Info(info) = event { Some(info.nodes) } else { None }
        });
        let text = |event: &Event| {
            if let Event::Message(text) = event { Some(text.clone()) } else { None }
        };
        let error = set.err().map(|error| error.to_string());
        (nodes.max(), error.or_else(|| told.iter().find_map(text)).unwrap_or_default())
    };
    let (built_in, _) = nodes("MultiPV", "1");
    let (good, text) = nodes("EvalFile", &files[0]);
    assert!(good != built_in && text.contains("689 -> 32 x 2 -> 1"), "{text}");
    for bad in [&files[1], "/no/such/file"] {
        let (kept, text) = nodes("EvalFile", bad);
        assert_eq!(kept, good, "{bad}");
        assert!(text.starts_with(&format!("cannot use {bad}: ")), "{text}");
    }
    let (by_hand, _) = nodes("UseNNUE", "false");
    assert!(![built_in, good].contains(&by_hand));
    // A file may be named meanwhile; it counts when a network does.
    assert_eq!(nodes("EvalFile", "<empty>").0, by_hand);
    assert_eq!(nodes("usennue", "true").0, built_in);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A folder of its own with books in it, and an engine that is to use them.
struct Library {
    folder: std::path::PathBuf,
    engine: Engine,
    events: Receiver<Event>,
}

impl Library {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (mut engine, events) = engine();
        engine.set_option("OwnBook", Some("true")).unwrap();
        Self { folder, engine, events }
    }

    /// Adds a book of a move in the position that is set, and returns its file's name.
    fn add(&self, file: &str, moves: &[(&[&str], &str)]) -> String {
        use crate::book::{Entry, Pages};

        let mut pages = Pages::new("");
        for (before, mv) in moves {
            let mut line = Line::new(Position::start());
            play(&mut line, before).unwrap();
            let entry = Entry {
                wins: 3,
                draws: 4,
                losses: 1,
                score: Some(-20),
                depth: 15,
                ..Entry::new(mv.parse().unwrap(), 120)
            };
            pages.set(line.position(), entry).unwrap();
        }
        let path = self.folder.join(file);
        pages.write_own(&mut std::fs::File::create(&path).unwrap()).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn use_files(&mut self, files: &[String]) {
        self.engine.set_option("BookFile", Some(&files.join(";"))).unwrap();
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn timed() -> GoRequest {
    GoRequest { move_time: Some(Duration::from_millis(50)), ..GoRequest::default() }
}

#[test]
fn a_book_answers_with_all_it_knows() {
    let mut library = Library::new("answer");
    let moves: [(&[&str], _); 2] = [(&["h2e2"], "h9g7"), (&["h2e2", "h9g7"], "h0g2")];
    let file = library.add("first.book", &moves);
    library.use_files(&[file]);
    library.engine.set_position(None, &["h2e2"]).unwrap();
    library.engine.go(timed());
    library.engine.wait();
    let told: Vec<_> = library.events.try_iter().collect();
    let [Event::Message(text), Event::Info(info), Event::Best(outcome)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(text, "book first: h9g7, weight 120, 3 won, 4 drawn, 1 lost, score -32 at depth 15");
    let line = ["h9g7", "h0g2"].map(|mv| mv.parse::<Move>().unwrap());
    assert_eq!((info.pv.as_slice(), info.score, info.depth), (&line[..], Score::Value(-90), 15));
    assert_eq!((outcome.best, outcome.ponder), (Some(line[0]), Some(line[1])));
    assert!(!library.engine.is_thinking());
}

#[test]
fn a_book_that_knows_no_scores_answers_with_one_too() {
    let mut library = Library::new("scoreless");
    let file = library.add("a.book", &[(&["h2e2"], "h9g7")]);
    let old = library.folder.join("BOOK.DAT");
    let mut pages = crate::book::Pages::new("");
    let mut line = Line::new(Position::start());
    play(&mut line, &["h2e2"]).unwrap();
    pages.set(line.position(), crate::book::Entry::new("b9c7".parse().unwrap(), 5)).unwrap();
    pages.write_xqwizard(&mut std::fs::File::create(&old).unwrap()).unwrap();
    library.use_files(&[old.to_str().unwrap().to_owned(), file]);
    library.engine.set_position(None, &["h2e2"]).unwrap();
    library.engine.go(timed());
    library.engine.wait();
    let told: Vec<_> = library.events.try_iter().collect();
    let [Event::Message(_), Event::Info(info), Event::Best(outcome)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(outcome.best, Some("b9c7".parse().unwrap()));
    assert_eq!([Some(info.pv[0]), info.pv.get(1).copied()], [outcome.best, outcome.ponder]);
    assert_eq!((info.score, info.depth), (outcome.score, 0));
    let at_sight = explain(line.position(), library.engine.network()).total;
    assert_eq!(info.score, Score::Value(at_sight));
}

#[test]
fn books_are_asked_in_games_only() {
    let mut library = Library::new("games");
    let file = library.add("a.book", &[(&["h2e2"], "h9g7")]);
    library.use_files(&[file]);
    library.engine.set_position(None, &["h2e2"]).unwrap();
    let engine = &mut library.engine;
    let clock = ClockView { left: Duration::from_mins(1), ..ClockView::default() };
    assert!(engine.ask_books(&timed()).is_some());
    for limited in [
        GoRequest { clock: Some(clock), ..GoRequest::default() },
        GoRequest { depth: Some(5), ..GoRequest::default() },
        GoRequest { nodes: Some(216), ..GoRequest::default() },
    ] {
        assert!(engine.ask_books(&limited).is_some(), "{limited:?}");
    }
    let mv: Move = "h9g7".parse().unwrap();
    for other in [
        GoRequest::default(),
        GoRequest { infinite: true, ..timed() },
        GoRequest { ponder: true, ..timed() },
        GoRequest { mate: Some(5), ..timed() },
        GoRequest { only: vec![mv], ..timed() },
    ] {
        assert!(engine.ask_books(&other).is_none(), "{other:?}");
    }
    for (name, not_now, again) in [
        ("OwnBook", "false", "true"),
        ("MultiPV", "2", "1"),
        ("UCI_AnalyseMode", "true", "false"),
        ("BookDepth", "1", "2"),
    ] {
        engine.set_option(name, Some(not_now)).unwrap();
        assert!(engine.ask_books(&timed()).is_none(), "{name}");
        engine.set_option(name, Some(again)).unwrap();
        assert!(engine.ask_books(&timed()).is_some(), "{name}");
    }
    engine.ban(&[mv]);
    assert!(engine.ask_books(&timed()).is_none());
}

#[test]
fn books_that_cannot_be_used_are_named_and_the_others_asked_in_order() {
    let mut library = Library::new("order");
    let first = library.add("first.book", &[(&["h2e2"], "h9g7")]);
    let second = library.add("second.book", &[(&["h2e2"], "b9c7"), (&["c3c4"], "c6c5")]);
    let foreign = library.folder.join("foreign.book").to_str().unwrap().to_owned();
    std::fs::write(&foreign, "no book").unwrap();
    library.use_files(&["/no/such".into(), first, foreign.clone(), second]);
    let said = messages(&library.events);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("cannot use /no/such: "), "{said:?}");
    assert_eq!(said[1], format!("cannot use {foreign}: it is no opening book"));
    for (mv, reply) in [("h2e2", "h9g7"), ("c3c4", "c6c5")] {
        library.engine.set_position(None, &[mv]).unwrap();
        library.engine.go(timed());
        assert_eq!(best(&library.events).best, Some(reply.parse().unwrap()));
    }
}

#[cfg(unix)]
#[test]
fn a_book_is_found_by_the_bytes_of_an_older_name() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let mut library = Library::new("bytes");
    let file = library.add("plain.book", &[(&["h2e2"], "h9g7")]);
    let old = library.folder.join(OsStr::from_bytes(b"\xcf\xf3\xc6\xe5.book"));
    std::fs::rename(file, &old).unwrap();
    let named = library.folder.join("象棋.book").to_str().unwrap().to_owned();
    library.use_files(&[named]);
    assert_eq!(messages(&library.events), [""; 0]);
    library.engine.set_position(None, &["h2e2"]).unwrap();
    assert!(library.engine.ask_books(&timed()).is_some());
}

#[test]
fn a_seed_repeats_what_chance_decided() {
    let mut library = Library::new("seed");
    let moves: [(&[&str], _); 4] =
        [(&["h2e2"], "h9g7"), (&["h2e2"], "b9c7"), (&["h2e2"], "b7e7"), (&["h2e2"], "g6g5")];
    let file = library.add("a.book", &moves);
    library.use_files(&[file]);
    library.engine.set_position(None, &["h2e2"]).unwrap();
    let mut played = |seed| {
        library.engine.seed(seed);
        let moves = (0..8).map(|_| {
            library.engine.go(timed());
            best(&library.events).best.unwrap().to_string()
        });
        moves.collect::<Vec<_>>()
    };
    assert_eq!(played(1), played(1));
    assert_ne!(played(1), played(2));
}

#[test]
fn the_ply_of_a_game_is_known_from_either_source() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 8";
    for (fen, moves, plies) in
        [(Position::START_FEN, &["h2e2", "h9g7"][..], 2), (fen, &[], 14), (fen, &["h2e2"], 15)]
    {
        let mut line = Line::new(Position::from_fen(fen).unwrap());
        play(&mut line, moves).unwrap();
        assert_eq!(books::plies_played(&line), plies);
    }
}
