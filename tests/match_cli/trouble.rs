//! What cannot be used, written or read: told in a line, before the first game where that can be.

use std::{
    fs,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use chuhe::games::pgn;

use super::{Folder, played_from, quick, told};

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
