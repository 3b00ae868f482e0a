//! The program as its clients know it: dialogues from `tests/data/protocol`, and what must hold
//! whatever is said.
//!
//! In a dialogue, `> text` is said (`\r` and `\xNN` stand for bytes) and `< pattern` is the next
//! answer, where `*` is any text; lines about the progress of a search are passed over, unless the
//! pattern is one. `<~ pattern` passes over other answers too. `=` means that nothing was answered
//! and the engine is ready, `.` that the program has ended, `>.` ends the input. `#` is a remark.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{fs, path::Path};

use crate::talk::{Engine, is_progress};
use chuhe::wire::Command;
use proptest::{collection::vec, prelude::*};

fn directory() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/protocol")
}

fn engine() -> Engine {
    Engine::start(Path::new("/"))
}

/// Plays the client's part of a dialogue.
fn play(name: &str) {
    let text = fs::read_to_string(directory().join(name).with_extension("txt")).unwrap();
    let mut engine = engine();
    for (number, line) in text.lines().enumerate() {
        let at = format!("{name}.txt:{}", number + 1);
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "" | "#" => {}
            ">" => engine.say(bytes(rest)),
            ">." => engine.close(),
            "<" => hear(&mut engine, rest, false, &at),
            "<~" => hear(&mut engine, rest, true, &at),
            "=" => engine.expect_silence(),
            "." => engine.expect_exit(),
            _ => panic!("{at}: `{mark}`?"),
        }
    }
}

fn hear(engine: &mut Engine, pattern: &str, skip: bool, at: &str) {
    loop {
        let line = if is_progress(pattern) { engine.hear() } else { engine.hear_answer() };
        let Some(line) = line else { engine.fail(&format!("{at}: the end, not `{pattern}`")) };
        if matches(pattern, &line) {
            return;
        }
        if !(skip || is_progress(pattern) && is_progress(&line)) {
            engine.fail(&format!("{at}: `{pattern}` was expected"));
        }
    }
}

/// Whether a line is of the pattern.
fn matches(pattern: &str, line: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            (0..=line.len()).any(|i| line.is_char_boundary(i) && matches(rest, &line[i..]))
        }),
    }
}

fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = match part.as_bytes() {
            [b'r', ..] => (b'\r', &part[1..]),
            [b'x', ..] => (u8::from_str_radix(&part[1..3], 16).unwrap(), &part[3..]),
            _ => (b'\\', part),
        };
        bytes.push(byte);
        bytes.extend(rest.as_bytes());
    }
    bytes
}

macro_rules! dialogues {
    ($($name:ident)*) => {
        $(#[test] fn $name() { play(stringify!($name)); })*
        const DIALOGUES: &[&str] = &[$(stringify!($name)),*];
    };
}

dialogues! {
    xqwizard league uci2wb_ucci uci2wb_cyclone public_xiangqi uci_then_ucci vinxiangqi qboard cchess
    xiangqilab batch options_ucci options_uci option_names clock_units bad_boards sparse_boards
    past_moves bans variant limits false_mates perpetual scores by_hand levels
    book_moves draw_offers long_search_ucci long_search_uci
}

#[test]
fn every_dialogue_is_played() {
    let files = fs::read_dir(directory()).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<_> =
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let mut listed = DIALOGUES.to_vec();
    found.sort();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

#[test]
fn patterns_match_what_they_should() {
    for (pattern, line, does) in [
        ("bestmove *", "bestmove h2e2", true),
        ("bestmove *", "nobestmove", false),
        ("a*c", "abbc", true),
        ("a*c", "abbcd", false),
        ("*b*", "abc", true),
        ("abc", "abc", true),
    ] {
        assert_eq!(matches(pattern, line), does, "{pattern} {line}");
    }
    assert_eq!(bytes(r"C:\a\x41b\r"), b"C:\\aAb\r");
}

#[test]
fn a_board_of_64_kb_is_refused_in_one_line() {
    let mut engine = engine();
    engine.say("uci");
    while engine.hear().unwrap() != "uciok" {}
    for fen in ["9/".repeat(32_768), "x".repeat(65_536), "1".repeat(65_536), " ".repeat(65_536)] {
        engine.say(format!("position fen {fen}"));
        let line = engine.hear().unwrap();
        assert!(line.starts_with("info string ") && line.len() < 1000, "{line}");
    }
    engine.say(vec![b'x'; 3 << 20]);
    assert!(engine.hear().unwrap().starts_with("info string "));
    engine.expect_silence();
    engine.say("go depth 1");
    assert!(engine.hear().unwrap().starts_with("info string the position was refused"));
    engine.hear_move();
    engine.close();
    engine.expect_exit();
}

#[test]
fn a_game_of_thousands_of_moves_is_taken() {
    let mut engine = engine();
    let moves = " h0g2 h9g7 g2h0 g7h9".repeat(3000);
    engine.say(format!("position startpos moves{moves} h2e2"));
    engine.say("go depth 1");
    engine.hear_move();
    engine.say("d");
    while !engine.hear().unwrap().starts_with("Checkers:") {}
    engine.close();
    engine.expect_exit();
}

#[test]
fn every_move_of_a_sparse_board_is_searched_and_stopped() {
    let mut engine = engine();
    let fen = "4P4/3k5/5N3/9/2b6/9/9/9/9/4K4 b - - 0 4";
    let position = chuhe::position::Position::from_fen(fen).unwrap();
    for mv in position.legal_moves() {
        engine.say("stop");
        engine.say(format!("position fen {fen} moves {mv}"));
        engine.say("go infinite");
    }
    engine.say("stop");
    for _ in position.legal_moves() {
        engine.hear_move();
    }
    engine.expect_silence();
}

#[test]
fn whoever_leaves_in_the_middle_gets_the_move_and_the_end() {
    for greeting in ["uci", "ucci"] {
        for leave in [Some("quit"), None] {
            let mut engine = engine();
            engine.say(greeting);
            while !engine.hear().unwrap().ends_with("ok") {}
            engine.say("go infinite");
            match leave {
                Some(word) => engine.say(word),
                None => engine.close(),
            }
            engine.hear_move();
            if greeting == "ucci" {
                assert_eq!(engine.hear_answer().as_deref(), Some("bye"));
            }
            engine.expect_exit();
        }
    }
}

#[test]
fn an_engine_that_nobody_hears_ends() {
    let mut engine = engine();
    engine.deafen();
    for _ in 0..3 {
        engine.say("isready");
    }
    engine.say("go infinite");
    engine.say("isready");
    engine.expect_exit();
}

/// A line of words that mean something, in no order that does; or of any bytes.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "go",
        "go",
        "go",
        "position",
        "position",
        "fen",
        "startpos",
        "moves",
        "h2e2",
        "h9g7",
        "a0a9",
        "setoption",
        "name",
        "value",
        "MultiPV",
        "ponder",
        "usemillisec",
        "true",
        "false",
        "time",
        "increment",
        "wtime",
        "btime",
        "movetime",
        "depth",
        "nodes",
        "mate",
        "infinite",
        "ponder",
        "draw",
        "searchmoves",
        "banmoves",
        "ponderhit",
        "stop",
        "probe",
        "ucci",
        "uci",
        "isready",
        "ucinewgame",
        "d",
        "eval",
        "help",
        "perft",
        "newgame",
        "Clear Hash",
        "0",
        "1",
        "2",
        "-1",
        "999999999999999999999999",
        "é",
        "4k4/9/9/9/9/9/9/9/9/4K4",
        "w",
        "b",
        "-",
        "#",
        "\t",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "9/9/9/9/9/9/9/9/9/9",
    ];
    let words = vec(prop::sample::select(words.to_vec()), 0..9);
    prop_oneof![
        4 => words.prop_map(|words| words.join(" ").into_bytes()),
        1 => vec(any::<u8>(), 0..300),
    ]
}

/// As many as are asked for, or some seconds' worth.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().map_or(40, |count| count.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_keep_the_engine_from_being_ready(lines in vec(any_line(), 0..25)) {
        let mut engine = engine();
        let mut asked = 1;
        for line in &lines {
            engine.say_blindly(line);
            let lines = line.split(|&byte| byte == b'\n');
            asked += lines.filter(|line| Command::parse(line) == Ok(Some(Command::IsReady))).count();
        }
        engine.say_blindly(b"isready\nquit");
        engine.close();
        let heard = engine.hear_out();
        let ready = heard.iter().filter(|line| *line == "readyok").count();
        if ready != asked {
            engine.fail(&format!("asked {asked} times, ready {ready} times"));
        }
        engine.expect_exit();
    }
}
