//! `chuhe judge` as its users run it: what it says of games, and of what is no game.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    process::{self, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
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
        assert_eq!((status, &*complaints, out.lines().count()), (0, "", 1), "{arguments:?}");
        let (found, expected): (Value, Value) =
            (lines(&out)[0].clone(), serde_json::from_str(expected).unwrap());
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(found[name], *value, "{arguments:?}");
        }
        assert_eq!(
            found["plies"].as_array().unwrap().len(),
            found["labels"].as_array().unwrap().len()
        );
        assert_eq!(
            found["rules"],
            serde_json::json!({"book": "Chinese", "repetition_count": 3, "kill_depth": 3,
                "check_gain": true, "natural_limit": 60})
        );
    }
    let chase = ["--fen", "4k4/9/9/9/R8/9/5n3/9/9/3K5 w", "--moves", "a5a3", "--json"];
    let because = serde_json::json!([{"attacker": {"man": "R", "on": "a3"},
        "victim": {"man": "n", "on": "f3"}, "reason": "无根", "line": ["a3f3"]}]);
    let ply = serde_json::json!({"ply": 1, "side": "red", "move": "a5a3", "label": "捉",
        "because": because});
    assert_eq!(lines(&judge(&chase, b"").1)[0]["plies"][0], ply);
}

#[test]
fn people_are_told_in_their_language() {
    let game = ["--fen", LONE_KING, "--moves", CHECKS];
    let english = "\
red loses: perpetual check (长将)
  plies 1 to 8 lead back to where they began; the position has occurred 3 times
  1. red   a8a9 将 check: by the rook on a9
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
    for (game, line) in (1..).zip([3, 4, 5, 6]) {
        assert!(out.contains(&format!("standard input, game {game}, line {line}\n")), "{out}");
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

const FAULTS: [Fault; 5] = [
    (b"startpos moves h2e2 hello", ", ply 2: `hello` is a move in no notation"),
    (b"4k4/9/9 w moves a0a1", ": bad FEN: board has 3 ranks, not 10"),
    (b"garbage", ", ply 1: `garbage` is a move in no notation"),
    (b"startpos moves h2e2 \x01x", ", ply 2: `\\u{1}x` is a move in no notation"),
    (b"startpos moves \xFF\xFE", ", ply 1: `\u{fffd}\u{fffd}` is a move in no notation"),
];

#[test]
fn what_cannot_be_read_is_named_and_the_rest_judged() {
    let mut games = b"startpos\n".to_vec();
    for (line, _) in FAULTS {
        games.extend_from_slice(line);
        games.push(b'\n');
    }
    games.extend_from_slice(b"startpos moves h2e2\n");
    let (status, out, complaints) = judge(&["-", "--json"], &games);
    assert_eq!(status, 1);
    let expected = (2..).zip(&FAULTS).map(|(number, (_, fault))| {
        format!("chuhe: standard input, game {number}, line {number}{fault}\n")
    });
    assert_eq!(complaints, expected.collect::<String>());

    let answers = lines(&out);
    assert_eq!(answers.len(), FAULTS.len() + 2);
    for (number, answer) in (1..).zip(&answers[1..=FAULTS.len()]) {
        assert_eq!(
            (&answer["game"], &answer["line"]),
            (&(number + 1).into(), &(number + 1).into())
        );
        let fault = FAULTS[number - 1].1.rsplit_once(": ").unwrap().1;
        assert!(answer["error"].as_str().unwrap().ends_with(fault), "{answer} {fault}");
    }
    assert_eq!((&answers[1]["ply"], &answers[1]["move"]), (&2.into(), &"hello".into()));
    assert_eq!(answers[FAULTS.len() + 1]["verdict"], "none");
    let (status, out, told) = judge(&["-"], &games);
    assert_eq!((status, told), (1, complaints));
    assert!(out.contains("standard input, game 7, line 7\nnone: the game goes on\n"), "{out}");
}

/// A start, moves of which the last is illegal, who loses, by which article, and why.
type Illegal = (&'static str, &'static str, &'static str, &'static str, &'static str);

const ILLEGAL: [Illegal; 15] = [
    ("startpos", "h2e2 h2h9", "black", "4.1.6", "no man stands on h2"),
    ("startpos", "i0i5", "red", "4.1.6", "a man on i3 is in the way"),
    ("startpos", "b2b7", "red", "4.1.6", "a cannon captures over exactly one man"),
    ("startpos", "b9c7", "red", "4.1.6", "the horse is black's, who is not to move"),
    ("startpos", "a0a3", "red", "4.1.6", "its own pawn stands where it would go"),
    ("startpos", "h2i4", "red", "4.1.6", "no cannon moves like this"),
    ("startpos", "马八进六", "red", "4.1.6", "the horse's leg on c0 is hobbled (蹩马腿)"),
    ("startpos", "炮二平五 N8+6", "black", "4.1.6", "the horse's leg on g9 is hobbled (蹩马腿)"),
    ("startpos", "车五进一", "red", "4.1.6", "no man stands where it says"),
    (
        "startpos",
        "兵五进一 卒5进1 兵五平六",
        "red",
        "4.1.6",
        "a pawn steps sideways beyond the river only",
    ),
    ("4k4/9/9/9/9/2B6/9/9/9/3K5 w", "c4e6", "red", "4.1.6", "an elephant may not cross the river"),
    (
        "3k5/9/9/9/9/9/9/9/3r5/2BAK4 w",
        "c0e2",
        "red",
        "4.1.6",
        "the elephant's eye on d1 is blocked (塞象眼)",
    ),
    ("4k4/9/9/9/9/9/9/9/9/3K5 w", "帅六平七", "red", "4.1.6", "the king may not leave the palace"),
    (LONE_KING, "a8a9 e9d9", "black", "4.1.2", "the kings would face each other"),
    (LONE_KING, "车九进一 将5平6", "black", "4.1.6", "the check is not parried"),
];

#[test]
fn an_illegal_move_loses_and_is_no_error() {
    for (fen, moves, loser, clause, reason) in ILLEGAL {
        let (status, out, complaints) = judge(&["--fen", fen, "--moves", moves, "--json"], b"");
        assert_eq!((status, &*complaints), (0, ""), "{fen} {moves}");
        let answer = &lines(&out)[0];
        assert_eq!(answer["verdict"], format!("{loser} loses"), "{fen} {moves}");
        assert_eq!(answer["clauses"], serde_json::json!([clause]));
        let (last, plies) = (moves.split(' ').next_back().unwrap(), moves.split(' ').count());
        let illegal = serde_json::json!({"ply": plies, "move": last, "reason": reason});
        assert_eq!(answer["illegal"], illegal, "{fen} {moves}");
        let (status, out, _) = judge(&["--fen", fen, "--moves", moves], b"");
        assert_eq!(status, 0);
        assert!(out.starts_with(&format!("{loser} loses: an illegal move: {reason}\n")), "{out}");
        // The same game of a file.
        let text = format!("{fen} moves {moves}\n");
        let from_file = &lines(&judge(&["-", "--json"], text.as_bytes()).1)[0];
        assert_eq!(from_file["illegal"], illegal);
    }
    let (_, out, _) = judge(&["--moves", "马八进六", "--lang", "zh"], b"");
    assert!(out.starts_with("红方负：违例走子：蹩马腿\n"), "{out}");
    assert!(out.contains("  第1着：马八进六\n"), "{out}");
}

#[test]
fn an_illegal_move_after_a_decision_or_after_mate_changes_what_it_must() {
    let moves = format!("{CHECKS} a8b9");
    let (_, out, _) = judge(&["--fen", LONE_KING, "--moves", &moves, "--json"], b"");
    let answer = &lines(&out)[0];
    assert_eq!((&answer["clauses"][0], &answer["decided"]["ply"]), (&"4.1.6".into(), &8.into()));
    let stalemate = ["--fen", "4k4/9/R8/9/9/9/9/9/5R3/3K5 w", "--moves", "a7a8 e9e8", "--json"];
    let answer = &lines(&judge(&stalemate, b"").1)[0];
    assert_eq!((&answer["clauses"][0], &answer["illegal"]), (&"4.1.3".into(), &Value::Null));
}

#[test]
fn bad_json_is_named_and_the_rest_judged() {
    let faults = [
        ("{\"fen\": \"startpos\"", "bad JSON: EOF while parsing an object at column 18"),
        ("[]", "bad JSON: "),
        ("{\"moves\": []}", "neither a match's game nor one with `fen` and `moves`"),
        ("{\"fen\": \"startpos\", \"moves\": 7}", "neither a match's game nor one with"),
        ("{\"fen\": \"9 w\", \"moves\": []}", "bad FEN: board has 1 ranks, not 10"),
        ("{\"fen\": \"startpos\", \"moves\": [\"h2e2\", \"x\"]}", "`x` is a move in no notation"),
        ("startpos", "bad JSON: "),
    ];
    let mut games: String = faults.iter().flat_map(|(line, _)| [line, "\n"]).collect();
    games += "{\"a\": ";
    games += &"[".repeat(100_000);
    games += "\n";
    games += "{\"fen\": \"startpos\", \"moves\": \"h2e2\"}";
    let (status, out, complaints) = judge(&["--jsonl", "-", "--json"], games.as_bytes());
    assert_eq!(status, 1);
    let told: Vec<_> = complaints.lines().collect();
    for (number, ((_, fault), told)) in (1..).zip(faults.iter().zip(&told)) {
        let place = format!("chuhe: standard input, game {number}, line {number}");
        assert!(told.starts_with(&place) && told.contains(fault), "{told}");
    }
    assert_eq!(told.len(), faults.len() + 1);
    assert_eq!(lines(&out)[8]["verdict"], "none");
    assert_eq!(out.lines().count(), 9);
}

#[test]
fn a_bad_game_among_the_arguments_is_one_line() {
    for (arguments, fault) in [
        (["--fen", "4k4 w", "--moves", ""], "bad FEN: board has 1 ranks, not 10"),
        (["--fen", LONE_KING, "--moves", "a8b9 etc"], "`etc` is a move in no notation"),
    ] {
        let (status, out, told) = judge(&arguments, b"");
        if fault.starts_with('`') {
            // The illegal move comes first and ends the game.
            assert_eq!((status, &*told), (0, ""));
            continue;
        }
        assert_eq!((status, out, told), (1, String::new(), format!("chuhe: {fault}\n")));
        let (status, out, _) = judge(&[&arguments[..], &["--json"]].concat(), b"");
        assert_eq!((status, &lines(&out)[0]["error"]), (1, &Value::from(fault)));
    }
    let (status, _, told) = judge(&["--moves", "炮二平五 etc"], b"");
    assert_eq!((status, &*told), (1, "chuhe: ply 2: `etc` is a move in no notation\n"));
}

/// The same game in every notation.
const NOTATIONS: [&str; 6] = [
    "h2e2 h9g7 h0g2",
    "H2-E2 H9-G7 H0-G2",
    "炮二平五 马8进7 马二进三",
    "炮二平五马8进7马二进三",
    "1. C2=5 H8+7 2. H2+3",
    "1. 砲二平五 馬８進７ 2. 傌二進三",
];

#[test]
fn moves_are_taken_in_every_notation() {
    let expected = judge(&["--moves", NOTATIONS[0], "--json"], b"").1;
    assert!(expected.contains("\"h9g7:"), "{expected}");
    for moves in NOTATIONS {
        assert_eq!(judge(&["--moves", moves, "--json"], b""), (0, expected.clone(), String::new()));
        assert_eq!(judge(&["-", "--json"], moves.as_bytes()).1, expected, "{moves}");
        let pgn = format!("[Red \"甲\"]\n\n{moves} *\n");
        let (status, out, _) = judge(&["-", "--json"], pgn.as_bytes());
        assert_eq!((status, &out), (0, &expected), "{moves}");
    }
}

#[test]
fn files_of_every_kind_are_read_and_variations_are_not_judged() {
    let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    let mut kinds = 0;
    for entry in fs::read_dir(data).unwrap() {
        let path = entry.unwrap().path();
        let (_, out, told) = judge(&[path.to_str().unwrap(), "--json"], b"");
        let judged = lines(&out).iter().filter(|answer| answer["verdict"].is_string()).count();
        kinds += usize::from(judged > 0);
        assert!(judged > 0 || !told.is_empty(), "{}", path.display());
    }
    assert!(kinds >= 10, "{kinds}");
    let games = "[Red \"甲\"]\n[Black \"乙\"]\n1. 炮二平五 (1. 车九进一 {\u{1}}) 马8进7 {好} *\n";
    let (status, out, _) = judge(&["-"], games.as_bytes());
    assert_eq!(status, 0);
    assert!(out.starts_with("standard input, game 1, line 1, 甲 – 乙\nnone:"), "{out}");
    assert!(!out.contains("a0a1"), "{out}");
    // A comment of GBK bytes that are no UTF-8.
    let gbk = b"[Red \"\xBC\xD7\"]\n1. h2e2 {\xBA\xC3} h9g7 *\n";
    let (status, out, _) = judge(&["-"], gbk);
    assert!(status == 0 && out.contains("甲 – ?"), "{out}");
}

#[test]
fn what_is_no_file_of_games_is_named_as_what_it_looks_like() {
    for (bytes, what) in [
        (&b"\x89PNG\r\n"[..], "a picture (PNG)"),
        (b"PK\x03\x04zip", "a ZIP archive"),
        (b"%PDF-1.7", "a PDF document"),
        (&[0; 1000], "binary data"),
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"# nothing\n", "no game"),
        (b"Dear Sir,\nthank you for your letter.\n", "text without a game"),
    ] {
        let (status, out, told) = judge(&["-", "--json"], bytes);
        assert_eq!((status, &*out), (1, ""), "{what}");
        assert!(told.contains(what) && told.lines().count() == 1, "{told}");
    }
}

#[test]
fn endless_input_is_refused_at_once_and_a_huge_line_costs_itself_alone() {
    let began = Instant::now();
    #[cfg(unix)]
    for arguments in [&["/dev/zero"][..], &["--jsonl", "/dev/zero"]] {
        let (status, out, told) = judge(arguments, b"");
        assert_eq!((status, &*out), (1, ""));
        assert!(told.starts_with("chuhe: cannot read /dev/zero"), "{told}");
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    for arguments in [&["-", "--json"][..], &["--jsonl", "-", "--json"]] {
        let game = "{\"fen\": \"startpos\", \"moves\": \"h2e2\"}\n";
        let game = if arguments.len() == 2 { "startpos moves h2e2\n" } else { game };
        let games = [game.as_bytes(), &vec![b'a'; 40 << 20], b"\n", game.as_bytes()].concat();
        let (status, out, told) = judge(arguments, &games);
        assert_eq!((status, told.lines().count()), (1, 1));
        assert!(told.contains("game 2, line 2: it has more than"), "{told}");
        let answers = lines(&out);
        assert_eq!(
            (&answers[0]["verdict"], &answers[2]["verdict"]),
            (&"none".into(), &"none".into())
        );
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
    fs::write(&path, format!("{LONE_KING} moves {CHECKS}\n{LONE_KING} moves a8a7 xy\n")).unwrap();
    let (status, out, complaints) = judge(&[path.to_str().unwrap(), "--json"], b"");
    fs::remove_file(&path).unwrap();
    assert_eq!((status, out.lines().count()), (1, 2));
    assert!(out.contains(LABELS));
    let place = format!("chuhe: {}, game 2, line 2, ply 2: `xy` is", path.display());
    assert!(complaints.starts_with(&place), "{complaints}");
}

#[test]
fn verdicts_come_while_games_go_in() {
    use std::io::{BufRead, BufReader};
    let mut child = chuhe(&["--jsonl", "-", "--json"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"{\"fen\": \"startpos\", \"moves\": \"h2e2\"}\n").unwrap();
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
