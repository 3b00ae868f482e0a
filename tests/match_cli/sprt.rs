//! Matches that are tests: when they end, and what they are worth.

use super::{Folder, OPENINGS, quick, told};

#[test]
fn a_test_that_is_decided_ends_the_match() {
    let folder = Folder::new("sprt");
    let arguments = [
        "--engine",
        "self tc=nodes=600",
        "--engine",
        "self name=weak tc=depth=1",
        "--sprt",
        "0,200",
        "--concurrency",
        "1",
        "--max-plies",
        "160",
        "--resign",
        "2,900",
    ];
    let output = folder.run(&arguments);
    assert!(output.status.success(), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains(", passed"), "{shown}");
    let games = folder.games("match.jsonl");
    assert!(games.len() < 200);
    // Nothing is left to play, for one more game might undo it.
    let output = folder.run(&[&arguments[..], &["--resume"]].concat());
    assert!(String::from_utf8(output.stdout).unwrap().contains(", passed"));
    assert_eq!(folder.games("match.jsonl"), games);
}

/// A test of an engine against itself with so many openings.
fn test_of_copies<'a>(more: &[&'a str]) -> Vec<&'a str> {
    quick(&[&["--sprt", "0,5", "--max-plies", "30"], more].concat())
}

#[test]
fn copies_of_a_game_are_no_evidence_and_end_a_test_that_gets_nowhere() {
    let folder = Folder::new("copies");
    let output = folder.run(&test_of_copies(&[]));
    assert_eq!(output.status.code(), Some(4), "{}", told(&output));
    let played = folder.games("match.jsonl").len();
    assert!((24..=26).contains(&played), "two passes through six openings: {played}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = format!("; 12 of {played} games are distinct, 6 pairs count; Elo ");
    assert!(shown.contains(&words) && shown.contains(", undecided"), "{shown}");
    let told = told(&output);
    assert!(told.starts_with("note: after 6 rounds the openings are played again"), "{told}");
    assert!(told.ends_with("but other --openings may"), "{told}");
    // What is known is known when it is taken up again.
    let again = folder.run(&test_of_copies(&["--resume"]));
    assert_eq!(again.status.code(), Some(4));
    assert_eq!(folder.games("match.jsonl").len(), played);
    // A match that is no test plays all its rounds, and is told the same.
    let output = folder.run(&quick(&["--rounds", "14", "--max-plies", "10", "--out", "plain"]));
    assert!(output.status.success());
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("; 12 of 28 games are distinct, 6 pairs count; "), "{shown}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.starts_with("warning: 6 openings for 14 rounds: "), "{text}");
    folder.0.write("twice", [OPENINGS, OPENINGS].concat());
    let mut twice = quick(&["--rounds", "7", "--max-plies", "4", "--out", "twice"]);
    twice[9] = "twice";
    let text = String::from_utf8(folder.run(&twice).stderr).unwrap();
    assert!(text.starts_with("warning: 6 of the 12 openings repeat others"), "{text}");
}

#[test]
fn a_patch_that_always_crashes_fails_within_some_thirty_games() {
    let folder = Folder::new("crash");
    // It greets, and leaves at its first move.
    let script = "while read line; do case $line in ucci) echo ucciok;; isready) echo readyok;; \
                  go*) exit 3;; esac; done";
    folder.0.write("broken.sh", script);
    let output = folder.run(&[
        "--engine",
        "cmd=\"/bin/sh broken.sh\" name=broken",
        "--engine",
        "self",
        "--tc",
        "nodes=50",
        "--sprt",
        "0,5",
        "--concurrency",
        "2",
    ]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    let games = folder.games("match.jsonl").len();
    assert!(games <= 34, "{games}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("; Elo below ") && !shown.contains("too few"), "{shown}");
    assert!(shown.contains(", far below both, failed"), "{shown}");
}

#[test]
fn rounds_are_an_upper_bound_that_may_be_raised() {
    let folder = Folder::new("raised");
    let rounds = |rounds: &'static str, more: &[&'static str]| {
        folder.run(&test_of_copies(&[&["--rounds", rounds], more].concat()))
    };
    assert_eq!(rounds("2", &[]).status.code(), Some(4));
    assert_eq!(folder.games("match.jsonl").len(), 4);
    assert_eq!(rounds("4", &["--resume"]).status.code(), Some(4));
    assert_eq!(folder.games("match.jsonl"), [0, 1, 2, 3, 4, 5, 6, 7]);
    let output = rounds("3", &["--resume"]);
    assert!(told(&output).ends_with("rounds was 4 and is 3"), "{}", told(&output));
    // Without them it goes on until it is decided, or gets nowhere.
    let output = folder.run(&test_of_copies(&["--resume"]));
    assert_eq!(output.status.code(), Some(4));
    assert!(folder.games("match.jsonl").len() >= 24);
    // All of it can be read again.
    let output = folder.run(&["--merge", "match.jsonl", "--out", "joined"]);
    assert_eq!(folder.games("joined.jsonl"), folder.games("match.jsonl"));
    // The files know the test.
    assert_eq!(output.status.code(), Some(4), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("\nSPRT [0, 5]: LLR "), "{shown}");
    // What counts once is told in the page as in the table.
    let count = shown.split(" games are distinct").next().unwrap().rsplit("; ").next().unwrap();
    let words = format!("<br>{count} games are distinct; copies of a game count once");
    assert!(count.contains(" of ") && folder.text("joined.html").contains(&words), "{count}");
    // Nobody would ever end a part.
    let output = folder.run(&test_of_copies(&["--shard", "1/2", "--out", "part"]));
    assert!(told(&output).contains("--shard needs --rounds"), "{}", told(&output));
    let part = ["--shard", "1/2", "--out", "part", "--rounds", "4"];
    assert_eq!(folder.run(&test_of_copies(&part)).status.code(), Some(0));
    let other = ["--shard", "2/2", "--out", "other", "--rounds", "4", "--alpha", "0.1"];
    assert_eq!(folder.run(&test_of_copies(&other)).status.code(), Some(0));
    let output = folder.run(&["--merge", "part.jsonl", "other.jsonl", "--out", "both"]);
    let words = "chuhe: other.jsonl is of a match with other settings than part.jsonl: sprt was \
                 \"[0, 5] 0.05 0.05\" and is \"[0, 5] 0.1 0.05\"";
    assert_eq!(told(&output), words);
}
