//! `chuhe match` as a user runs it: its files, its words, and how it is broken off and taken up again.
//! What ends a game is in `arena.rs`.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use chuhe::{
    arena::openings::{self, Opening},
    eval::nnue::{Parameters, Shape},
    games::{Reader, pgn},
    notation::{
        GameResult,
        text::{self, Encoding},
    },
    position::Position,
};

use crate::common::folder;

/// A folder with openings.
struct Folder(folder::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = folder::Folder::new(&format!("match-{name}"));
        folder.write("openings", OPENINGS);
        Self(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.0.program();
        command.arg("match").args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn text(&self, file: &str) -> String {
        self.0.text(file)
    }

    /// The numbers of the games in a file of records.
    fn games(&self, file: &str) -> Vec<u64> {
        let text = self.text(file);
        let entries = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut games: Vec<_> =
            entries.filter_map(|entry: serde_json::Value| entry["game"]["game"].as_u64()).collect();
        games.sort_unstable();
        games
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

/// More than one, so that not all games are the same.
const OPENINGS: &str = "h2e2 h9g7\nh2e2 b9c7\nc3c4 g6g5\ng0e2 c6c5\nb0c2 h7e7\nh0g2 a6a5\n";

const QUICK: [&str; 10] = [
    "--engine",
    "self",
    "--engine",
    "self name=other",
    "--tc",
    "nodes=50",
    "--concurrency",
    "1",
    "--openings",
    "openings",
];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn draws_that_are_wins_are_counted_and_told_of() {
    let folder = Folder::new("draw-wins");
    let output = folder.run(&quick(&["--rounds", "2", "--max-plies", "4", "--draw-wins", "black"]));
    assert!(output.status.success(), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("2 won, 0 drawn, 2 lost of 4; pairs [0, 0, 2, 0, 0]"), "{shown}");
    assert!(shown.contains("red scored 0.0 %"), "{shown}");
    let games: Vec<_> = pgn::read(&folder.text("match.pgn")).map(Result::unwrap).collect();
    assert!(games.iter().all(|game| game.result == GameResult::BlackWins));
    // Another match, for the same games have other results.
    let output = folder.run(&quick(&["--rounds", "2", "--max-plies", "4", "--resume"]));
    let words = "draw_wins was \"black\" and is null";
    assert!(told(&output).contains(words), "{}", told(&output));
}

#[test]
fn each_player_in_this_process_evaluates_by_its_own_network() {
    let folder = Folder::new("networks");
    let shape = Shape::by_men(32, 1, 400);
    for seed in [1, 2] {
        let network = Parameters::made_up(shape, seed).to_bytes();
        fs::write(folder.0.join(format!("net{seed}")), network).unwrap();
    }
    // What is played and thought in each game.
    let games = |options: [&str; 2], out: &str| -> Vec<String> {
        let [first, second] = options.map(|option| format!("self tc=depth=4 {option}"));
        let more = ["--rounds", "6", "--max-plies", "4", "--concurrency", "1", "--out", out];
        let players = ["--engine", &first, "--engine", &second, "--openings", "openings"];
        let output = folder.run(&[&players[..], &more].concat());
        assert!(output.status.success(), "{}", told(&output));
        let text = folder.text(&format!("{out}.jsonl"));
        let games = text.lines().skip(1);
        games
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].clone())
            .map(|game| format!("{} {}", game["moves"], game["scores"]))
            .collect()
    };
    let (one, two) = ("option.EvalFile=net1", "option.EvalFile=net2");
    // The games of a pair are the same if its players are, and only then.
    let alike = |games: &[String]| games.chunks(2).all(|pair| pair[0] == pair[1]);
    let (plain, both) = (games(["", ""], "plain"), games([one, one], "both"));
    assert!(alike(&plain) && alike(&both) && plain != both);
    assert!(!alike(&games([one, ""], "first")));
    assert!(!alike(&games([one, two], "different")));
}

#[test]
fn a_match_leaves_records_games_and_an_experiment() {
    let folder = Folder::new("records");
    let output = folder.run(&quick(&[
        "--rounds",
        "3",
        "--max-plies",
        "30",
        "--experiments",
        "log",
        "--notation",
        "chinese",
    ]));
    assert!(output.status.success(), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("self - other: ") && shown.contains(" of 6; pairs ["), "{shown}");
    assert_eq!(folder.games("match.jsonl"), [0, 1, 2, 3, 4, 5]);
    let games: Vec<_> = pgn::read(&folder.text("match.pgn")).map(Result::unwrap).collect();
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game.tag("Termination").is_some() && !game.moves.is_empty()));
    let log: serde_json::Value = serde_json::from_str(&folder.text("log")).unwrap();
    assert_eq!(log["settings"]["rounds"], 3);

    let again = folder.run(&quick(&["--rounds", "3"]));
    assert!(!again.status.success());
    assert!(told(&again).contains("match.jsonl is there already"), "{}", told(&again));
}

#[cfg(unix)]
#[test]
fn a_warning_is_in_the_records_the_games_and_the_page() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("warned");
    // Either side of the chase, whichever it has.
    let words = crate::mock::command("goes round a5a3 f3g5 a3a5 g5f3");
    let script = folder.0.join("engine");
    fs::write(&script, format!("#!/bin/sh\n{}\n", words[2])).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.0.join("chase"), "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1\n").unwrap();
    let players = ["--engine", "cmd=./engine name=one", "--engine", "cmd=./engine name=other"];
    let more = ["--tc", "move=20s", "--rounds", "1", "--openings", "chase"];
    let play = |arguments: &[&str]| {
        let output = folder.run(&[&players[..], &more, arguments].concat());
        assert!(output.status.success(), "{}", told(&output));
        let text = folder.text(&format!("{}.jsonl", arguments[1]));
        let game: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        game["game"].clone()
    };
    let game = play(&["--out", "warned", "--warn"]);
    let what = "red must deviate: perpetual chase (长捉) (24.3, 25.2, 26.4, 28.12, 28.15)";
    let warning = serde_json::json!([{"ply": 8, "side": "red", "offence": "长捉", "told": what}]);
    assert_eq!((&game["warnings"], &game["termination"]), (&warning, &"forbidden".into()));
    assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 12);
    // Read from either file, the game has it at its move.
    let games: Vec<_> = pgn::read(&folder.text("warned.pgn")).map(Result::unwrap).collect();
    let texts: Vec<_> = games[0].moves.iter().map(|played| &*played.note.text).collect();
    assert_eq!((texts[7], texts.concat().len()), (what, what.len()));
    let mut convert = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    convert.args(["convert", "warned.jsonl", "-"]).current_dir(&folder.0);
    let converted = convert.output().unwrap();
    assert!(String::from_utf8_lossy(&converted.stdout).contains(what), "{converted:?}");
    assert!(folder.text("warned.html").contains("red must deviate"));
    // Nothing is said of it where nobody is warned.
    assert_eq!(play(&["--out", "plain"])["warnings"], serde_json::Value::Null);
}

#[test]
fn games_in_every_notation_are_openings_again() {
    let folder = Folder::new("notations");
    let players = ["--engine", "self name=甲", "--engine", "self name=乙", "--tc", "nodes=50"];
    // From positions as well as from moves, and with Black to begin.
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\n";
    folder.0.write("mixed", [OPENINGS, start].concat());
    let more = ["--openings", "mixed", "--rounds", "7", "--max-plies", "30", "--concurrency", "1"];
    let output = folder.run(&[&players[..], &more].concat());
    assert!(output.status.success(), "{}", told(&output));
    let played: Vec<(Option<String>, String)> = folder
        .text("match.jsonl")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].clone())
        .map(|game| (game["fen"].as_str().map(Into::into), game["moves"].as_str().unwrap().into()))
        .collect();
    assert!(played.len() == 14 && played.iter().any(|(fen, _)| fen.is_some()));
    for notation in ["iccs", "chinese", "traditional", "wxf"] {
        for encoding in ["utf-8", "gb18030"] {
            let out = format!("{notation}-{encoding}");
            let style = ["--notation", notation, "--encoding", encoding, "--out", &out];
            let output = folder.run(&[&["--merge", "match.jsonl"], &style[..]].concat());
            assert!(output.status.success(), "{}", told(&output));
            let bytes = fs::read(folder.0.join(format!("{out}.pgn"))).unwrap();
            let (text, found) = text::decode(&bytes);
            assert_eq!(found == Encoding::Utf8, encoding == "utf-8");
            let read: Vec<_> = openings::read(&text, usize::MAX)
                .unwrap()
                .into_iter()
                .map(|Opening { start, moves }| {
                    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
                    ((start != Position::start()).then(|| start.fen()), moves.join(" "))
                })
                .collect();
            assert_eq!(read, played, "{out}");
        }
    }
}

#[test]
fn a_byte_order_mark_begins_the_games_and_stands_nowhere_else() {
    let folder = Folder::new("mark");
    let arguments = quick(&["--rounds", "2", "--max-plies", "8", "--encoding", "utf-16"]);
    let marks = |games: usize| {
        let bytes = fs::read(folder.0.join("match.pgn")).unwrap();
        let units: Vec<_> =
            bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!((units[0], units.iter().filter(|&&unit| unit == 0xFEFF).count()), (0xFEFF, 1));
        assert_eq!(Reader::from_bytes(bytes).unwrap().flatten().count(), games);
    };
    assert!(folder.run(&arguments).status.success());
    marks(4);
    // As a kill leaves it, before the first game and after it.
    let whole = folder.text("match.jsonl");
    for kept in [1, 2] {
        let lines: String = whole.split_inclusive('\n').take(kept).collect();
        folder.0.write("match.jsonl", lines);
        assert!(folder.run(&[&arguments[..], &["--resume"]].concat()).status.success());
        marks(4);
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let folder = Folder::new("lacking");
    let mut arguments = quick(&["--rounds", "1", "--max-plies", "4", "--encoding", "big5"]);
    arguments[3] = "self name=简体";
    let words = "note: 2 games have characters that the encoding of the PGN lacks, with ? in their \
                 places";
    let output = folder.run(&arguments);
    assert!(output.status.success() && told(&output).ends_with(words), "{}", told(&output));
    let merge = ["--merge", "match.jsonl", "--out", "joined", "--encoding"];
    let output = folder.run(&[&merge[..], &["big5"]].concat());
    assert_eq!(told(&output), words);
    let output = folder.run(&[&merge[..3], &["again", "--encoding", "gb18030"]].concat());
    assert_eq!(told(&output), "");
}

#[test]
fn a_new_match_writes_over_nobody_s_file() {
    let folder = Folder::new("over");
    let games = "[Event \"mine\"]\n\n1. h2e2 *\n";
    folder.0.write("match.pgn", games);
    let mut arguments = quick(&["--rounds", "1", "--max-plies", "4"]);
    arguments[9] = "match.pgn";
    let output = folder.run(&arguments);
    assert!(told(&output).contains("match.pgn is there already"), "{}", told(&output));
    assert_eq!(folder.text("match.pgn"), games);
    assert!(!folder.0.join("match.jsonl").exists());
}

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
fn a_damaged_record_is_told_with_its_line() {
    let folder = Folder::new("damaged");
    assert!(folder.run(&quick(&["--rounds", "1", "--max-plies", "4"])).status.success());
    let damaged = folder.text("match.jsonl").replacen("\"moves\":\"", "\"moves\":\"e5e6 ", 1);
    folder.0.write("part.jsonl", damaged);
    let output = folder.run(&["--merge", "part.jsonl", "--out", "joined", "--notation", "chinese"]);
    let words = "chuhe: part.jsonl, line 2: game 0 is damaged; without that line, --resume plays its \
                 game again";
    assert_eq!(told(&output), words);
    assert!(!folder.0.join("joined.jsonl").exists());
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

fn played_from(file: &str) -> Vec<&str> {
    let mut arguments = quick(&[]);
    arguments[9] = file;
    arguments
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

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

#[cfg(unix)]
#[test]
fn what_is_no_engine_is_told_as_soon_as_it_can_be() {
    let folder = Folder::new("none");
    let begin = |command: &str| {
        let engine = format!("cmd=\"{command}\" name=it");
        let arguments = ["--engine", &engine, "--engine", "self", "--tc", "nodes=50"];
        let mut command = folder.command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let begun = Instant::now();
    let running = [
        (
            "sh -c 'echo hello; exit 3'",
            "crashed: its process has ended, exit status 3, having said `hello`",
        ),
        ("cat", "answers neither ucci nor uci within 8s, but says `ucci`"),
        (
            "sh -c 'echo \u{1b}[31m; sleep 100'",
            "answers neither ucci nor uci within 8s, but says `\\u{1b}[31m`",
        ),
    ]
    .map(|(command, words)| (begin(command), words));
    for (child, words) in running {
        let told = told(&child.wait_with_output().unwrap());
        // On a busy machine it may be some tenths later.
        let told = told.split_once("8.").map_or(told.clone(), |(before, after)| {
            format!("{before}8{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
        });
        assert_eq!(told, format!("chuhe: it {words}"));
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn every_path_of_a_match_is_checked_before_its_first_game() {
    let folder = Folder::new("paths");
    fs::create_dir(folder.0.join("folder.html")).unwrap();
    folder.0.write("page.html", "mine");
    for (more, words) in [
        (["--experiments", "none/log"], "chuhe: none/log: No such file"),
        (["--experiments", "."], "chuhe: .: Is a directory"),
        (["--out", "none/match"], "chuhe: none/match.jsonl: No such file"),
        (["--out", "folder"], "chuhe: folder.html is there already: choose another --out"),
        (["--out", "page"], "chuhe: page.html is there already: choose another --out"),
    ] {
        let output =
            folder.run(&quick(&[&more[..], &["--rounds", "1", "--max-plies", "4"]].concat()));
        assert_eq!(output.status.code(), Some(1), "{more:?}");
        assert!(told(&output).starts_with(words), "{more:?}: {}", told(&output));
        for name in ["match", "folder", "page"] {
            assert!(!folder.0.join(format!("{name}.jsonl")).exists(), "{more:?}");
        }
    }
    assert_eq!(folder.text("page.html"), "mine");
}

/// Runs a match within a limit on the size of files, which is told like a full disk.
#[cfg(unix)]
fn run_on_a_full_disk(folder: &Folder, blocks: u32, arguments: &[&str]) -> Output {
    let mut shell = Command::new("/bin/sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" match \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_chuhe")]);
    shell.args(arguments).current_dir(&folder.0).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_leaves_nothing_to_be_deleted_by_hand() {
    let folder = Folder::new("full");
    let arguments = quick(&["--rounds", "6", "--max-plies", "60"]);
    let output = run_on_a_full_disk(&folder, 0, &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("match.jsonl: File too large"), "{}", told(&output));
    assert_eq!(folder.0.names(), ["openings"], "nothing is left");
    // In the middle, what was played stays and is gone on with.
    let output = run_on_a_full_disk(&folder, 8, &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("--resume goes on with it: match."), "{}", told(&output));
    let resume = [&arguments[..], &["--resume"]].concat();
    assert!(folder.run(&resume).status.success());
    assert_eq!(folder.games("match.jsonl").len(), 12);
    assert_eq!(pgn::read(&folder.text("match.pgn")).flatten().count(), 12);
    let merge = ["--merge", "match.jsonl", "--out", "joined"];
    assert_eq!(run_on_a_full_disk(&folder, 8, &merge).status.code(), Some(1));
    assert!(folder.run(&merge).status.success());
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_leaves_no_half_line_among_the_experiments() {
    let folder = Folder::new("experiments");
    // The page fits below the limit of half a megabyte; of the line on the match some bytes do.
    let before = [" ".repeat(99).as_bytes(), b"\n"].concat().repeat((512 << 10) / 100);
    // Blocks are half a kilobyte in some shells, and a whole one in others.
    for blocks in [1_024, 512] {
        folder.0.write("log", &before);
        let out = format!("match{blocks}");
        let more = ["--rounds", "1", "--max-plies", "4", "--experiments", "log", "--out", &out];
        let output = run_on_a_full_disk(&folder, blocks, &quick(&more));
        let there = fs::read(folder.0.join("log")).unwrap();
        if !output.status.success() {
            assert!(told(&output).contains("chuhe: log: File too large"), "{}", told(&output));
            assert!(there == before, "{} bytes of {}", there.len(), before.len());
            return;
        }
        assert!(there.len() > before.len() && there.ends_with(b"}\n"));
    }
    panic!("no limit was met");
}

#[test]
fn what_is_there_and_of_no_use_is_named_with_the_way_out() {
    let folder = Folder::new("useless");
    let arguments = quick(&["--rounds", "1", "--max-plies", "4"]);
    let resume = [&arguments[..], &["--resume"]].concat();
    // As an older version left it on a full disk.
    folder.0.write("match.jsonl", "");
    let words = "match.jsonl holds no game yet: the same command without --resume begins the match";
    assert!(told(&folder.run(&resume)).ends_with(words));
    assert!(folder.run(&arguments).status.success());
    let words = "match.jsonl is there already: go on with the match by --resume, or choose another";
    assert!(told(&folder.run(&arguments)).contains(words));
    let useless = Folder::new("useless-head");
    fs::write(useless.0.join("match.jsonl"), "{\"match\":{\"vers").unwrap();
    let words =
        "match.jsonl is there already and holds no match: choose another --out, or remove it";
    assert!(told(&useless.run(&arguments)).ends_with(words));
}

#[test]
fn what_cannot_be_read_is_told_in_a_line_before_any_game() {
    let folder = Folder::new("bad");
    folder.0.write("bad.epd", "h2e2\nh2e2 h2e2\n");
    for (arguments, words) in [
        (played_from("bad.epd"), ["bad.epd", "line 2", "`h2e2`"]),
        (played_from("none.epd"), ["none.epd", "No such file", ""]),
        (quick(&["--shard", "5/4"]), ["5/4", "part", ""]),
        (quick(&["--sprt", "5,0"]), ["5,0", "test", ""]),
        (quick(&["--sprt=-1500,-500"]), ["`-1500,-500`", "from -1000 to 1000", ""]),
        (vec!["--engine", "self", "--engine", "self", "--tc", "6.9"], ["6.9", "scheme", ""]),
        (quick(&["--engine", "self option.Hsh=3"]), ["Hsh", "self", ""]),
        (
            quick(&["--engine", "self option.hashsize=2000000"]),
            ["self", "hashsize takes 0 to 1048576, not `2000000`", ""],
        ),
        (
            quick(&["--engine", "self option.Threads=-1"]),
            ["Threads takes 0 to 512, not `-1`", "", ""],
        ),
        (
            quick(&["--engine", "self option.EvalFile=none"]),
            ["self 2", "cannot use none: ", "neither in"],
        ),
        (quick(&["--engine", "self option.EvalFile=openings"]), ["cannot use openings: ", "", ""]),
        (quick(&["--engine", "self dir=/tmp"]), ["`dir=` is for programs", "", ""]),
        (quick(&["--engine", "cmd=./nobody"]), ["nobody", "cannot be started", ""]),
        (quick(&["--engine", "cmd=/bin/sh dir=/none"]), ["sh cannot", "/none is no folder", ""]),
        (quick(&["--engine", "cmd=a kolor=red"]), ["kolor", "--engine", ""]),
        (quick(&["--sprt", "0,5", "--engine", "self"]), ["--sprt", "two players", ""]),
        (vec!["--engine", "self", "--tc", "6.4"], ["two players", "", ""]),
        (vec!["--engine", "self", "--engine", "self"], ["no time control", "", ""]),
        (quick(&["--resume"]), ["match.jsonl", "No such file", ""]),
        (vec!["--merge", "none.jsonl"], ["none.jsonl", "No such file", ""]),
    ] {
        let output = folder.run(&arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let told = told(&output);
        assert!(words.iter().all(|word| told.contains(word)), "{arguments:?}: {told}");
        assert!(!folder.0.join("match.jsonl").exists(), "{arguments:?}");
    }
    // Said once.
    let output = folder.run(&quick(&["--engine", "self tc=0"]));
    let words = "chuhe: --engine self tc=0: tc: the time `0` is out of range";
    assert_eq!(told(&output), words);
}
