//! How a match is broken off, taken up again, and joined from parts.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use chuhe::games::pgn;

use super::{Folder, lines, quick, told};

#[test]
fn parts_joined_are_the_whole() {
    let folder = Folder::new("parts");
    let play = |shard: &str, out: &str| {
        let output = folder.run(&quick(&[
            "--rounds",
            "5",
            "--max-plies",
            "20",
            "--shard",
            shard,
            "--out",
            out,
        ]));
        assert!(output.status.success(), "{}", told(&output));
    };
    play("1/2", "a");
    play("2/2", "b");
    play("1/1", "whole");
    let output = folder
        .run(&["--merge", "b.jsonl", "a.jsonl", "a.jsonl", "--out", "joined", "--sprt", "-5,5"]);
    assert_eq!(output.status.code(), Some(4), "{}", told(&output));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("SPRT [-5, 5]: LLR ") && !shown.contains("missing"), "{shown}");
    let test = ["--sprt", "-5,5", "--normalised"];
    let output = folder.run(&[&["--merge", "a.jsonl", "--out", "normalised"], &test[..]].concat());
    assert!(String::from_utf8_lossy(&output.stdout).contains("SPRT [-5, 5] nElo: LLR "));
    assert_eq!(folder.games("joined.jsonl"), folder.games("whole.jsonl"));
    // What a part has not brought is told of, and can be played.
    let output = folder.run(&["--merge", "b.jsonl", "--out", "half"]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.ends_with("missing: 6 games; --resume plays them\n"), "{shown}");
    let more = ["--rounds", "5", "--max-plies", "20", "--out", "half", "--resume"];
    assert!(folder.run(&quick(&more)).status.success());
    assert_eq!(folder.games("half.jsonl"), folder.games("whole.jsonl"));
    // The same engine, the same nodes: the same games, wherever they are played.
    let moves = |file: &str| -> Vec<String> {
        let mut moves: Vec<(u64, String)> = folder
            .text(file)
            .lines()
            .skip(1)
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].clone())
            .map(|game| (game["game"].as_u64().unwrap(), game["moves"].to_string()))
            .collect();
        moves.sort();
        moves.into_iter().map(|(_, moves)| moves).collect()
    };
    assert_eq!(moves("joined.jsonl"), moves("whole.jsonl"));

    let other =
        folder.run(&quick(&["--rounds", "6", "--max-plies", "20", "--shard", "1/2", "--out", "c"]));
    assert!(other.status.success());
    let output = folder.run(&["--merge", "a.jsonl", "c.jsonl", "--out", "wrong"]);
    assert!(
        told(&output).contains(
            "c.jsonl is of a match with other settings than a.jsonl: rounds was 5 and is 6"
        ) || told(&output).contains("openings"),
        "{}",
        told(&output)
    );
}

#[test]
fn a_match_cut_short_in_the_middle_of_a_line_goes_on() {
    let folder = Folder::new("resume");
    let arguments = quick(&["--rounds", "3", "--max-plies", "20"]);
    assert!(folder.run(&arguments).status.success());
    let whole = folder.text("match.jsonl");
    // As a kill leaves it: two games and a part of the third.
    let cut: usize = whole.split_inclusive('\n').take(3).map(str::len).sum::<usize>() + 25;
    // It may also be within a character, as here within the first of 长将.
    let (part, within) = (&whole.as_bytes()[..cut], b"{\"game\":{\"reason\":\"\xE9\x95");
    let start: String = whole.split_inclusive('\n').take(3).collect();
    for left in [part, &[start.as_bytes(), within].concat()] {
        folder.0.write("match.jsonl", left);
        let output = folder.run(&[arguments.as_slice(), &["--resume"]].concat());
        assert!(output.status.success(), "{}", told(&output));
        assert_eq!(folder.games("match.jsonl"), [0, 1, 2, 3, 4, 5]);
        assert_eq!(pgn::read(&folder.text("match.pgn")).flatten().count(), 6);
    }

    let other = quick(&["--rounds", "3", "--max-plies", "21", "--resume"]);
    let output = folder.run(&other);
    assert!(
        told(&output).contains("adjudication was \"plies 20\" and is \"plies 21\""),
        "{}",
        told(&output)
    );
}

#[test]
fn an_interrupt_ends_a_match_cleanly() {
    ends_cleanly_by("-INT");
}

#[test]
fn a_scheduler_s_signal_ends_a_match_cleanly() {
    ends_cleanly_by("-TERM");
}

#[test]
fn a_closed_terminal_ends_a_match_cleanly() {
    ends_cleanly_by("-HUP");
}

/// Waits until a running match has so many games on disk.
fn await_games(folder: &Folder, games: usize) {
    let deadline = Instant::now() + Duration::from_mins(2);
    while lines(&folder.0.join("match.jsonl")) <= games {
        assert!(Instant::now() < deadline, "no game is over");
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_to_outlive_its_terminal_does() {
    let folder = Folder::new("nohup");
    let arguments = quick(&["--rounds", "40", "--max-plies", "30"]);
    // As nohup does it.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" match \"$@\"", env!("CARGO_BIN_EXE_chuhe")]);
    shell.args(arguments).current_dir(&folder.0).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = shell.spawn().unwrap();
    await_games(&folder, 1);
    signal("-HUP", &child);
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.games("match.jsonl").len(), 80);
}

#[test]
fn an_interrupt_is_heeded_before_the_first_game() {
    let folder = Folder::new("early");
    // An engine that never answers, and one that is never asked.
    let mute =
        ["--engine", "cmd=\"sleep 100\" patience=60", "--engine", "self", "--tc", "nodes=50"];
    // Openings that never come.
    let pipe = folder.0.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let piped = ["--engine", "self", "--engine", "self", "--tc", "nodes=50", "--openings", "pipe"];
    for (arguments, signals) in [(mute, 1), (mute, 2)]
        .map(|(a, n)| (a.to_vec(), n))
        .into_iter()
        .chain([(piped.to_vec(), 2)])
    {
        let begun = Instant::now();
        let mut child = folder.command(&arguments).stderr(Stdio::piped()).spawn().unwrap();
        for _ in 0..signals {
            thread::sleep(Duration::from_millis(400));
            // It may have heeded the first one.
            let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).output();
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments:?}");
        assert!(begun.elapsed() < Duration::from_secs(20));
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let words = "chuhe: interrupted before the first game; the same command begins anew";
        assert_eq!(told.next().unwrap(), words, "{arguments:?}");
        assert!(!folder.0.join("match.jsonl").exists());
    }
}

#[test]
fn a_match_is_played_once_at_a_time() {
    let folder = Folder::new("twice");
    let arguments = quick(&["--rounds", "5000", "--max-plies", "30"]);
    let mut first = folder.command(&arguments);
    let first = first.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    await_games(&folder, 1);
    let resume = [arguments.as_slice(), &["--resume"]].concat();
    let words = "chuhe: match.jsonl: somebody else is writing to it at this time";
    assert_eq!(told(&folder.run(&resume)), words);
    signal("-INT", &first);
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(130));
    // The games file is as whole as the records.
    let games = folder.games("match.jsonl").len();
    assert_eq!(pgn::read(&folder.text("match.pgn")).flatten().count(), games);
    let mut second = folder.command(&resume);
    let second = second.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    await_games(&folder, games + 1);
    signal("-INT", &second);
    assert_eq!(second.wait_with_output().unwrap().status.code(), Some(130));
}

fn ends_cleanly_by(name: &str) {
    let folder = Folder::new(name);
    let arguments = quick(&["--rounds", "5000", "--max-plies", "30"]);
    let child =
        folder.command(&arguments).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    await_games(&folder, 3);
    signal(name, &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", told(&output));
    let games = folder.games("match.jsonl");
    assert!(games.len() >= 3 && games.len() < 10_000);
    let told = told(&output);
    assert!(told.contains("the games in play are finished first; Ctrl-C again breaks"), "{told}");
    let played = games.len();
    let words = format!("broken off after {played} games; the same command with --resume goes on");
    assert!(told.ends_with(&words), "{told}");
    assert_eq!(pgn::read(&folder.text("match.pgn")).flatten().count(), games.len());
}
