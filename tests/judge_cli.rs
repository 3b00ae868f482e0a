//! `chuhe judge` as its users run it: what it says of games, and of what is no game.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    process::{self, Command, Output, Stdio},
    thread,
};

use serde_json::Value;

const LONE_KING: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 0 1";
const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9";
const LABELS: &str = "[\"a8a9:将\",\"e9e8:闲\",\"a9a8:将\",\"e8e9:闲\",\
                      \"a8a9:将\",\"e9e8:闲\",\"a9a8:将\",\"e8e9:闲\"]";

fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("judge").args(arguments).env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it with something on standard input.
fn judge(arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child = chuhe(arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // It need not read what it is given.
    let feeder = thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_verdict_is_one_json_object() {
    let perpetual = format!(
        "{{\"verdict\":\"red loses\",\"offence\":\"长将\",\"clauses\":[\"4.1.7\",\"24.1\",\"26.1\",\"28.10\"],\
         \"window_start\":0,\"labels\":{LABELS}}}\n"
    );
    let quiet = "{\"verdict\":\"none\",\"offence\":null,\"clauses\":[],\"window_start\":null,\
                 \"labels\":[\"h2e2:闲\",\"h9g7:闲\"]}\n";
    let stalemate = "{\"verdict\":\"black loses\",\"offence\":null,\"clauses\":[\"4.1.3\"],\
                     \"window_start\":null,\"labels\":[\"a7a8:闲\"]}\n";
    let bare = "{\"verdict\":\"draw\",\"offence\":null,\"clauses\":[\"4.2.1\"],\
                \"window_start\":null,\"labels\":[]}\n";
    for (arguments, expected) in [
        (&["--fen", LONE_KING, "--moves", CHECKS][..], &*perpetual),
        (&["--moves", "h2e2 h9g7"], quiet),
        (&["--fen", "4k4/9/R8/9/9/9/9/9/5R3/3K5 w", "--moves", "a7a8"], stalemate),
        (&["--fen", "4k4/9/9/9/9/9/9/9/9/3K5 w"], bare),
    ] {
        let (status, out, complaints) = judge(&[arguments, &["--json"]].concat(), b"");
        assert_eq!((status, &*out, &*complaints), (0, expected, ""), "{arguments:?}");
    }
}

#[test]
fn people_are_told_in_their_language() {
    let game = ["--fen", LONE_KING, "--moves", CHECKS];
    let english = "\
red loses: perpetual check (长将)
  plies 1 to 8 lead back to where they began; the position has occurred 3 times
  1. red   a8a9 将 check
  2. black e9e8 闲 idle
";
    let (status, out, _) = judge(&game, b"");
    assert!(status == 0 && out.starts_with(english), "{out}");
    assert!(out.contains("\n  26.1 perpetual check by one side is never allowed\n"), "{out}");
    let chinese = judge(&[&game[..], &["--lang", "zh"]].concat(), b"").1;
    assert!(chinese.starts_with("红方负：长将\n  第1至8着循环"), "{chinese}");
    let both = judge(&[&game[..], &["--lang", "both"]].concat(), b"").1;
    assert_eq!(both, format!("{out}{chinese}"));
}

#[test]
fn a_game_that_went_on_is_judged_at_its_end_and_the_first_decision_told() {
    let moves = format!("{CHECKS} a8b8");
    let (status, out, _) = judge(&["--fen", LONE_KING, "--moves", &moves], b"");
    assert!(status == 0 && out.starts_with("none: the game goes on\n"), "{out}");
    assert!(out.ends_with("  decided before, after ply 8: red loses: perpetual check (长将)\n"));
    let (_, out, _) = judge(&["--fen", LONE_KING, "--moves", CHECKS], b"");
    assert!(!out.contains("decided before"), "{out}");
    let (_, out, _) = judge(&["--fen", LONE_KING, "--moves", &moves, "--json"], b"");
    let decided = &lines(&out)[0]["decided"];
    assert_eq!((&decided["ply"], &decided["verdict"]), (&8.into(), &"red loses".into()));
    assert_eq!((&decided["offence"], &decided["clauses"][1]), (&"长将".into(), &"24.1".into()));
}

#[test]
fn an_offender_who_is_to_be_warned_is_told_and_loses_next_time() {
    let chase = |rounds| {
        let moves = "a5a3 f3g5 a3a5 g5f3 ".repeat(rounds);
        let game = ["--fen", "4k4/9/9/9/R8/9/5n3/9/9/3K5 w", "--moves", &moves];
        let (_, json, _) = judge(&[&game[..], &["--warn", "--json"]].concat(), b"");
        let (_, told, _) = judge(&[&game[..], &["--warn", "--lang", "zh"]].concat(), b"");
        (lines(&json)[0].clone(), told.lines().next().unwrap().to_owned())
    };
    let (json, told) = chase(2);
    assert_eq!((&json["verdict"], &json["must_change"]), (&"none".into(), &"red".into()));
    assert_eq!(told, "红方必须变着：长捉");
    let (json, told) = chase(3);
    assert_eq!((&json["verdict"], &json["must_change"]), (&"red loses".into(), &Value::Null));
    assert_eq!(told, "红方负：长捉");
    // Perpetual check loses at once.
    let game = ["--warn", "--json", "--fen", LONE_KING, "--moves", CHECKS];
    assert_eq!(lines(&judge(&game, b"").1)[0]["verdict"], "red loses");
}

#[test]
fn article_23_3_only_the_claimants_checks_are_capped() {
    let verdict = |claimant: &[&str]| {
        let moves = "a7a9 e9e8 a9a7 e8e9 ".repeat(4);
        let game = [
            "--json",
            "--fen",
            "4k4/9/R8/9/9/9/9/9/9/3K5 w",
            "--repetition-count",
            "4",
            "--natural-limit",
            "4",
            "--check-cap",
            "0",
            "--moves",
            &moves[..39],
        ];
        lines(&judge(&[&game[..], claimant].concat(), b"").1)[0]["verdict"].clone()
    };
    assert_eq!(verdict(&[]), "none");
    assert_eq!(verdict(&["--claimant", "red"]), "none");
    assert_eq!(verdict(&["--claimant", "black"]), "draw");
}

#[test]
fn the_rules_can_be_chosen() {
    let verdict = |arguments: &[&str]| {
        let game = ["--json", "--fen", LONE_KING, "--moves", CHECKS];
        let (status, out, complaints) = judge(&[&game[..], arguments].concat(), b"");
        assert_eq!((status, &*complaints), (0, ""), "{arguments:?}");
        lines(&out)[0]["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(&["--ruleset", "chinese"]), "red loses");
    assert_eq!(verdict(&["--ruleset", "Asian"]), "red loses");
    assert_eq!(verdict(&["--ruleset", "AlwaysDraw"]), "draw");
    assert_eq!(verdict(&["--ruleset", "Simple"]), "none");
    assert_eq!(verdict(&["--ruleset", "Simple", "--repetition-count", "3"]), "red loses");
    assert_eq!(verdict(&["--repetition-count", "4"]), "none");
    assert_eq!(verdict(&["--repetition-count", "4", "--natural-limit", "4"]), "draw");
    let capped = ["--repetition-count", "4", "--natural-limit", "4", "--check-cap", "1"];
    assert_eq!(verdict(&capped), "none");
}

#[test]
fn games_of_a_file_are_told_one_after_the_other() {
    let games = format!(
        "\u{feff}# games\r\n\r\n{LONE_KING} moves {CHECKS}\r\nstartpos moves h2e2\n\
         position fen {LONE_KING} moves a8a9 # a check\n{LONE_KING} {CHECKS}"
    );
    let (status, out, complaints) = judge(&["-", "--json"], games.as_bytes());
    assert_eq!((status, &*complaints), (0, ""));
    let verdicts: Vec<_> = lines(&out).iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, ["red loses", "none", "none", "red loses"]);
    let (_, out, _) = judge(&["-"], games.as_bytes());
    for number in [3, 4, 5, 6] {
        assert!(out.contains(&format!("standard input, line {number}\n")), "{out}");
    }
}

#[test]
fn json_lines_may_hold_more_than_is_read() {
    let moves: Vec<_> = CHECKS.split(' ').collect();
    let games = format!(
        "{}\n\n{}\n",
        serde_json::json!({"id": 7, "fen": LONE_KING, "moves": moves, "tags": {"a": [1]}}),
        serde_json::json!({"moves": CHECKS, "fen": LONE_KING}),
    );
    let (status, out, complaints) = judge(&["--jsonl", "-", "--json"], games.as_bytes());
    assert_eq!((status, &*complaints), (0, ""));
    assert_eq!(out.lines().count(), 2);
    assert!(out.lines().all(|line| line.contains(LABELS)), "{out}");
}

/// A line that cannot be judged, and what is said of it.
type Fault = (&'static [u8], &'static str);

const FAULTS: [Fault; 7] = [
    (b"startpos moves h2e2 h2h9", "ply 2, h2h9: no man stands on h2"),
    (b"startpos moves h2e2 hello", "ply 2, \"hello\": not a move such as h2e2"),
    (b"startpos moves i0i5", "ply 1, i0i5: no rook on i0 can go to i5"),
    (b"4k4/9/9 w moves a0a1", "bad FEN \"4k4/9/9 w\": board has 3 ranks, not 10"),
    (b"garbage", "bad FEN \"garbage\": board has 1 ranks, not 10"),
    (b"startpos moves h2e2 \0", "ply 2, \"\\0\": not a move such as h2e2"),
    (b"startpos moves \xFF\xFE", "byte 16 is no UTF-8 text"),
];

#[test]
fn what_cannot_be_judged_is_named_and_the_rest_judged() {
    let mut games = Vec::new();
    for (line, _) in FAULTS {
        games.extend_from_slice(line);
        games.push(b'\n');
    }
    games.extend_from_slice(&vec![b'a'; 5 << 20]);
    games.extend_from_slice(b"\nstartpos moves h2e2\n");
    let (status, out, complaints) = judge(&["-", "--json"], &games);
    assert_eq!(status, 1);
    let mut faults: Vec<_> = FAULTS.iter().map(|&(_, fault)| fault.to_owned()).collect();
    faults.push(format!("longer than {} bytes", 1 << 20));
    let expected = (1..).zip(&faults);
    let expected = expected.map(|(n, fault)| format!("chuhe: standard input, line {n}: {fault}\n"));
    assert_eq!(complaints, expected.collect::<String>());

    let answers = lines(&out);
    assert_eq!(answers.len(), faults.len() + 1);
    for (number, (answer, fault)) in (1..).zip(answers.iter().zip(&faults)) {
        assert_eq!(answer["error"], **fault);
        assert_eq!(answer["line"], number);
    }
    for (answer, mv) in [(&answers[0], "h2h9"), (&answers[1], "hello"), (&answers[5], "\0")] {
        assert_eq!((&answer["ply"], &answer["move"]), (&2.into(), &mv.into()));
    }
    assert_eq!(answers[8]["verdict"], "none");
    let (status, out, told) = judge(&["-"], &games);
    assert_eq!((status, told), (1, complaints));
    assert!(out.starts_with("standard input, line 9\nnone: the game goes on\n"), "{out}");
}

#[test]
fn bad_json_is_named_and_the_rest_judged() {
    let faults = [
        ("{\"fen\": \"startpos\"", "bad JSON: EOF while parsing an object at column 18"),
        ("[]", "bad JSON: not an object"),
        ("{\"moves\": []}", "bad JSON: missing field `fen` at column 13"),
        (
            "{\"fen\": \"startpos\", \"moves\": 7}",
            "bad JSON: `moves` must be a text or a list of texts at column 31",
        ),
        ("{\"fen\": \"9 w\", \"moves\": []}", "bad FEN \"9 w\": board has 1 ranks, not 10"),
        ("startpos", "bad JSON: not an object"),
    ];
    let mut games: String = faults.iter().flat_map(|(line, _)| [line, "\n"]).collect();
    games += "{\"a\": ";
    games += &"[".repeat(100_000);
    games += "\n";
    games += "{\"fen\": \"startpos\", \"moves\": \"h2e2\"}";
    let (status, out, complaints) = judge(&["--jsonl", "-", "--json"], games.as_bytes());
    assert_eq!(status, 1);
    let told: Vec<_> = complaints.lines().collect();
    for (number, (fault, told)) in (1..).zip(faults.iter().zip(&told)) {
        assert_eq!(**told, format!("chuhe: standard input, line {number}: {}", fault.1));
    }
    assert_eq!(told.len(), 7);
    assert_eq!(lines(&out)[7]["verdict"], "none");
    assert_eq!(out.lines().count(), 8);
}

#[test]
fn a_bad_game_among_the_arguments_is_one_line() {
    for (arguments, fault) in [
        (["--fen", "4k4 w", "--moves", ""], "bad FEN \"4k4 w\": board has 1 ranks, not 10"),
        (["--fen", LONE_KING, "--moves", "a8b9"], "ply 1, a8b9: no rook on a8 can go to b9"),
    ] {
        let told = format!("chuhe: {fault}\n");
        assert_eq!(judge(&arguments, b""), (1, String::new(), told));
        let (status, out, _) = judge(&[&arguments[..], &["--json"]].concat(), b"");
        assert_eq!((status, &lines(&out)[0]["error"]), (1, &Value::from(fault)));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = env::temp_dir();
    for path in ["/no/such/file", folder.to_str().unwrap()] {
        for option in [&[path][..], &["--jsonl", path]] {
            let (status, out, complaints) = judge(option, b"");
            assert_eq!((status, &*out), (1, ""), "{path}");
            let named = format!("chuhe: cannot read {}", path.trim_end_matches('/'));
            assert!(complaints.starts_with(&named), "{complaints}");
            assert_eq!(complaints.lines().count(), 1);
        }
    }
}

#[test]
fn a_file_is_read_like_standard_input() {
    let path: PathBuf = env::temp_dir().join(format!("chuhe-judge-test-{}", process::id()));
    fs::write(&path, format!("{LONE_KING} moves {CHECKS}\n{LONE_KING} moves a8a7 d0d9\n")).unwrap();
    let (status, out, complaints) = judge(&[path.to_str().unwrap(), "--json"], b"");
    fs::remove_file(&path).unwrap();
    assert_eq!((status, out.lines().count()), (1, 2));
    assert!(out.contains(LABELS));
    let place = format!("chuhe: {}, line 2: ply 2, d0d9: the king", path.display());
    assert!(complaints.starts_with(&place), "{complaints}");
}

#[test]
fn verdicts_come_while_games_go_in() {
    use std::io::{BufRead, BufReader};
    let mut child = chuhe(&["-", "--json"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"startpos moves h2e2\n").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with("{\"verdict\":\"none\""), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = chuhe(&["-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let games = "startpos moves h2e2\n".repeat(1000);
    drop(stdin.write_all(games.as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
