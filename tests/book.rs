//! `chuhe book` as a user runs it: books are made, looked into, converted and checked.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::common::folder::Folder;

/// The name of a file that is to be there.
fn name(folder: &Folder, file: &str) -> String {
    folder.join(file).to_str().expect("a name").into()
}

/// The name of a file that is there.
fn with(folder: &Folder, file: &str, content: impl AsRef<[u8]>) -> String {
    folder.write(file, content);
    name(folder, file)
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("book").args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}

/// What a run that succeeds prints.
fn told(arguments: &[&str]) -> String {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&told(&[arguments, &["--json"]].concat())).expect("JSON")
}

/// Moves with their weights.
fn weights(book: &str, position: &str) -> Vec<(String, u64)> {
    let answer = json(&["probe", book, position]);
    let told = |entry: &Value| Some((entry["move"].as_str()?.into(), entry["weight"].as_u64()?));
    answer["moves"].as_array().expect("moves").iter().filter_map(told).collect()
}

/// The last line of complaint of a run that fails.
fn fault(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let text = String::from_utf8(output.stderr).expect("text");
    let last = text.lines().last().expect("a complaint");
    last.strip_prefix("chuhe: ").expect("it says who complains").to_owned()
}

/// What makes a small book in no time.
const QUICK: &[&str] =
    &["--handcrafted", "--hash=1", "--threads=2", "--nodes=400", "--lines=4", "--plies=4"];

fn build(out: &str, more: &[&str]) -> String {
    told(&[&["build", out], QUICK, &["--positions=20"], more].concat())
}

const GAMES: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. 炮二平五 馬８進７ 2. 马二进三 车９平８ 1-0\n\n\
    [Event \"b\"]\n1. C2=5 H8+7 2. P7+1 1/2-1/2\n\n[Event \"c\"]\n1. B2-E2 B9-C7 0-1\n\n\
    [Event \"d\"]\n1. H2-E2 *\n\n[Event \"e\"]\n1. h2h8 1-0\n";

#[test]
fn games_become_a_book_and_the_book_a_book_dat() {
    let folder = Folder::new("book");
    let games = with(&folder, "games.pgn", GAMES.as_bytes());
    let (own, dat) = (name(&folder, "own.book"), name(&folder, "BOOK.DAT"));
    let output = run(&["build", &own, "--games", &games]);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(complaints.contains(&format!("left out: {games}, game ")), "{complaints}");
    assert!(complaints.contains(" games counted, "), "{complaints}");

    let entry = &json(&["probe", &own, "炮二平五"])["moves"][0];
    assert_eq!(entry["move"], "h9g7");
    assert_eq!([&entry["wins"], &entry["draws"], &entry["losses"]], [1, 1, 1]);

    let text = told(&["convert", &own, &dat]);
    assert!(text.starts_with(&format!("{dat}: ")) && text.lines().count() == 1, "{text}");
    assert_eq!(fs::metadata(&dat).unwrap().len() % 8, 0);
    for line in ["", "h2e2", "b2e2", "h2e2 h9g7", "b2e2 b9c7", "h2e2 h9g7 h0g2"] {
        // What is not to be played has no place there.
        let mut known = weights(&own, line);
        assert!(!known.is_empty(), "{line}");
        known.retain(|&(_, weight)| weight > 0);
        assert_eq!(weights(&dat, line), known, "{line}");
    }
    let back = name(&folder, "back.book");
    told(&["convert", &dat, &back]);
    assert_eq!(weights(&back, "h2e2 h9g7"), weights(&own, "h2e2 h9g7"));
}

#[test]
fn records_of_self_play_become_a_book() {
    let folder = Folder::new("book");
    let plan = with(&folder, "plan.toml", b"opening_plies = 0\nstray = 0.5\nfew_men = 0.0\n");
    let (games, book) = (name(&folder, "games"), name(&folder, "games.book"));
    let play = ["datagen", &games, "--games=20", "--nodes=30", "--handcrafted", "--plan", &plan];
    let played = Command::new(env!("CARGO_BIN_EXE_chuhe")).args(play).output().unwrap();
    assert!(played.status.success());
    told(&["build", &book, "--games", &games, "--plies=8", "--min-games=2"]);
    let stats = json(&["stats", &book]);
    assert!(stats["plies"].as_array().unwrap().len() <= 8);
    let first = stats["first"].as_array().unwrap();
    assert!(!first.is_empty());
    for entry in first {
        let games = ["wins", "draws", "losses"].map(|name| entry[name].as_u64().unwrap());
        assert!(games.iter().sum::<u64>() >= 2);
        assert_eq!(entry["weight"].as_u64().unwrap(), 2 * games[0] + games[1]);
    }
}

#[test]
fn games_without_a_result_are_counted_once_and_for_one_reason() {
    let folder = Folder::new("book");
    let games = with(
        &folder,
        "games.pgn",
        "[Result \"*\"]\n\n1. C2=5 H8+7 *\n\n\
         [FEN \"4k4/9/9/9/9/9/9/9/4A4/3K5 w - - 0 1\"]\n[Result \"*\"]\n\n1. A5+6 *\n"
            .as_bytes(),
    );
    for (unfinished, words) in [
        (
            "draw",
            "1 games counted, 1 passed over; 1 begin elsewhere than at the start position; \
                  1 without a result counted as drawn",
        ),
        ("skip", "2 have no result"),
    ] {
        let book = name(&folder, unfinished);
        let output = run(&["build", &book, "--games", &games, "--unfinished", unfinished]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_book_of_thought_is_made_looked_into_and_checked() {
    let folder = Folder::new("book");
    let book = name(&folder, "made.book");
    let text = build(&book, &["--again=500", "--verify=1000", "--drop=60"]);
    assert!(text.contains("by 1000 nodes: the worst loses "), "{text}");
    assert!(text.lines().last().unwrap().starts_with(&format!("{book}: ")), "{text}");

    let stats = told(&["stats", &book]);
    let sections = ["  nodes = 400\n", "  again = 500\n", "  verified_margin = 60\n"];
    for part in sections.into_iter().chain(["red's first moves:\n", ", score "]) {
        assert!(stats.contains(part), "{part} {stats}");
    }
    let bytes = fs::metadata(&book).unwrap().len();
    assert!(stats.lines().next().unwrap().ends_with(&format!(", {bytes} bytes")), "{stats}");
    // The best move has a hundred, unless it did not stand up to the verification.
    let known = json(&["probe", &book]);
    let weights: Vec<_> = known["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv["weight"].as_u64().unwrap())
        .collect();
    assert!(weights.is_sorted_by(|a, b| a >= b) && (1..=100).contains(&weights[0]), "{weights:?}");
    assert!(told(&["probe", &book]).contains(&format!(" weight {} (", weights[0])));
    assert!(told(&["probe", &book, "a0a1", "a9a8"]).ends_with(" knows no move here\n"));

    let answer = json(&["verify", &book]);
    assert_eq!(answer["reached"], answer["positions"]);
    // The same nodes: what was thought is known, and nothing is dropped a second time.
    let answer = json(&["verify", &book, "--nodes=1000", "--handcrafted", "--hash=1"]);
    assert!(answer["worst"].as_u64().unwrap() <= 60);
    let losses = answer["losses"].as_array().unwrap();
    assert_eq!(losses[0]["points"], answer["worst"]);

    let least = losses[losses.len() - 1]["points"].to_string();
    let better = name(&folder, "better.book");
    let state = name(&folder, "made.verified");
    let arguments =
        ["verify", &book, "--nodes=1000", "--handcrafted", "--hash=1", "--state", &state];
    let text = told(&[&arguments[..], &["--drop", &least, "--out", &better]].concat());
    assert!(text.contains("left out: "), "{text}");
    let moves = |book: &str| json(&["stats", book])["moves"].as_u64().unwrap();
    assert!(moves(&better) < moves(&book));
}

#[test]
fn a_book_is_weighed_by_games() {
    let folder = Folder::new("book");
    let (book, weighed) = (name(&folder, "made.book"), name(&folder, "weighed.book"));
    build(&book, &["--margin=60"]);
    let first = &weights(&book, "")[0].0;
    let lost = format!("[Result \"0-1\"]\n\n1. {first} 0-1\n\n").repeat(50);
    let games = with(&folder, "lost.pgn", lost.as_bytes());
    let text = told(&["weigh", &book, &weighed, "--games", &games]);
    assert!(text.starts_with("1 moves were played, "), "{text}");
    let dat = name(&folder, "weighed.dat");
    told(&["convert", &weighed, &dat]);
    let answer = json(&["verify", &dat]);
    assert_eq!(answer["reached"], answer["positions"], "{answer}");
    assert!(weights(&weighed, "").contains(&(first.clone(), 0)));
    let answer = json(&["probe", &weighed]);
    let entry = answer["moves"].as_array().unwrap().iter().find(|told| told["move"] == **first);
    assert_eq!(entry.unwrap()["losses"], 50);
    assert!(told(&["stats", &weighed]).contains("  weighed_by_games = 50\n"));
    assert_eq!(
        fault(&["weigh", &book, &weighed, "--games", &games]),
        format!("{weighed} is there already: remove it or choose another name")
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_costs_nothing() {
    use std::{thread, time::Duration};

    let folder = Folder::new("book");
    let (whole, parts) = (name(&folder, "whole.book"), name(&folder, "parts.book"));
    let arguments = |out| {
        let quick = ["--handcrafted", "--hash=1", "--nodes=4000", "--lines=4", "--positions=60"];
        [&["build", out][..], &quick].concat()
    };
    told(&arguments(&whole));

    let state = name(&folder, "parts.studies");
    let mut child = command(&arguments(&parts)).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(&state).map_or(0, |text| text.lines().count()) < 4 {
        assert!(child.try_wait().unwrap().is_none(), "it is done already");
        thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        String::from_utf8(output.stderr).unwrap().contains("stopped; the same command goes on")
    );
    assert!(!Path::new(&parts).exists());

    told(&arguments(&parts));
    assert_eq!(fs::read(&parts).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn what_cannot_be_used_is_named_with_its_fault() {
    let folder = Folder::new("book");
    let book = name(&folder, "some.book");
    build(&book, &[]);
    let bytes = fs::read(&book).unwrap();
    let cut = with(&folder, "cut.book", &bytes[..bytes.len() - 1]);
    let empty = with(&folder, "empty.book", b"");
    let foreign = with(&folder, "foreign.txt", b"It was a dark and stormy night.");
    for (file, reason) in [
        (&cut, format!("it has {} bytes, not {}", bytes.len() - 1, bytes.len())),
        (&empty, "it is empty".into()),
        (&foreign, "it is no opening book".into()),
    ] {
        for what in ["probe", "stats", "verify"] {
            assert_eq!(fault(&[what, file]), format!("cannot use {file}: {reason}"));
        }
    }
    assert!(fault(&["stats", &name(&folder, "none")]).starts_with("cannot use "));
    let exists = format!("{book} is there already: remove it or choose another name");
    assert_eq!(fault(&["build", &book]), exists);
    assert_eq!(fault(&["convert", &book, &book]), exists);
    assert_eq!(
        fault(&["probe", &book, "h2h2"]),
        "bad position `h2h2`: game 1, line 1, ply 1: `h2h2` is no legal move here"
    );
    let new = name(&folder, "new.book");
    let none = with(&folder, "none.pgn", b"\n");
    assert_eq!(
        fault(&["build", &new, "--games", &none]),
        format!("cannot use {none}: it is empty")
    );
    let state = with(&folder, "some.state", b"{\"version\":\"9\"}\n");
    assert!(fault(&["build", &new, "--state", &state]).starts_with(&format!("{state}, line 1: ")));
}

#[cfg(not(feature = "obk"))]
#[test]
fn a_database_is_not_read_without_the_feature() {
    let folder = Folder::new("book");
    let file = with(&folder, "some.obk", b"SQLite format 3\0 and so on");
    let wanted = "this build reads no SQLite books, build with `--features obk`";
    assert_eq!(fault(&["stats", &file]), format!("cannot use {file}: {wanted}"));
}
