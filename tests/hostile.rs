//! Files that are not what they should be, disks that are full and words that a terminal would obey:
//! one short line, soon, with little memory, and nothing is left behind.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    io::Write,
    process::{Command, Output, Stdio},
};

use crate::common::folder::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chuhe");

fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended without reading.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// A command line that is run in a folder.
fn run_in(folder: &Folder, words: &str) -> Output {
    run(folder.program().args(words.split(' ')), b"")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn files_are_looked_for_beside_the_program_and_then_in_the_current_folder() {
    let (home, here) = (Folder::new("home"), Folder::new("here"));
    let program = home.join("chuhe");
    fs::hard_link(PROGRAM, &program).unwrap();
    for (folder, net, book) in [(&home, "a.nnue", "a.book"), (&here, "b.nnue", "b.book")] {
        assert!(run_in(folder, &format!("net export {net}")).status.success());
        assert!(run_in(folder, &format!("book convert built-in {book}")).status.success());
    }
    // The one beside the program is meant, and this is not asked.
    here.write("a.nnue", "no network");
    home.write("bad.nnue", "no network");
    for (greeting, usebook) in
        [("uci", "setoption name OwnBook value true"), ("ucci", "setoption usebook true")]
    {
        let set = |option: &str, value: &str| match greeting {
            "uci" => format!("setoption name {option} value {value}\n"),
            _ => format!("setoption {option} {value}\n"),
        };
        let (net, books) =
            if greeting == "uci" { ("EvalFile", "BookFile") } else { ("evalfile", "bookfiles") };
        let nowhere = "it is neither in the folder of the program nor in the current one";
        for (option, name, told) in [
            (net, "a.nnue", "evaluating by a.nnue: "),
            (net, "b.nnue", "evaluating by b.nnue: "),
            (net, "bad.nnue", "cannot use bad.nnue: it is no network of this program"),
            (net, "c.nnue", &format!("cannot use c.nnue: {nowhere}")),
            (books, "a.book", "book a: "),
            (books, "b.book", "book b: "),
            (books, "c.book", &format!("cannot use c.book: {nowhere}")),
        ] {
            let option = set(option, name);
            let input = format!("{greeting}\n{usebook}\n{option}position startpos\ngo depth 1\n");
            let output = run(Command::new(&program).current_dir(&here), input.as_bytes());
            let heard = text(&output.stdout);
            assert_eq!(heard.matches(told).count(), 1, "{greeting}, {name}: {heard}");
        }
    }
}

#[test]
fn nothing_is_read_without_bounds_and_nothing_is_obeyed_by_a_terminal() {
    let folder = Folder::new("read");
    // Three gigabytes that take no room on the disk.
    fs::File::create(folder.join("zeros")).unwrap().set_len(3 << 30).unwrap();
    fs::File::create(folder.join("less")).unwrap().set_len(1 << 30).unwrap();
    folder.write("word", "x".repeat(10_000_000));
    folder.write("escapes", "h2e2 \u{1b}[2J\u{7}foo\nfen 4k4/\u{1b}[2J/9 w\n");
    folder.write("game", "h2e2 h9g7\n");
    for file in ["zeros", "less", "word", "escapes", "."] {
        // What is kept of work that goes on, under the name that it has then.
        for kept in ["jsonl", "partial"] {
            let link = folder.join(format!("{file}.{kept}"));
            std::os::unix::fs::symlink(file, link).unwrap();
        }
        for command in [
            "judge FILE",
            "judge --jsonl FILE",
            "analyse FILE --nodes 10 --out o",
            "convert FILE o.pgn",
            "openings --games FILE --count 1",
            "book build o.book --games FILE",
            "book stats FILE",
            "book probe FILE",
            "book convert FILE o.book",
            "net inspect FILE",
            "bench 1 --net FILE",
            "train FILE --out o.net",
            "datagen FILE --games 1 --nodes 1",
            "datagen o.rec --plan FILE",
            "datagen o.rec --merge FILE",
            "datagen --rescore FILE o.rec",
            "net fit FILE --nodes 1",
            "net compare FILE FILE",
            "book weigh built-in o.book --games FILE",
            "book build o.book --state FILE --nodes 1 --positions 1",
            "book verify built-in --state FILE --nodes 1",
            "match --engine self --engine self --tc nodes=1 --openings FILE --out o",
            "match --engine self --engine self --tc nodes=1 --rounds 1 --out FILE --resume",
            "match --merge FILE --out o",
            "analyse game --nodes 10 --out FILE",
        ] {
            let line = command.replace("FILE", file);
            // Half a gigabyte of addresses, most of which are never touched.
            let shell = format!("ulimit -v 500000; exec \"$0\" {line}");
            let mut command = Command::new("sh");
            let output = run(command.args(["-c", &shell, PROGRAM]).current_dir(&folder), b"");
            assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
            let told = text(&output.stdout) + &text(&output.stderr);
            assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{line}: {told:?}");
            let lines: Vec<_> = told.lines().collect();
            assert!((1..=4).contains(&lines.len()), "{line}: {told}");
            assert!(lines.iter().all(|line| line.chars().count() <= 300), "{line}: {told}");
            let _ = fs::remove_file(folder.join("o.pgn"));
        }
    }
}

#[test]
fn no_name_of_a_file_is_obeyed_by_a_terminal() {
    let folder = Folder::new("names");
    let name = "a\u{1b}[31m\nb";
    for kind in ["list", "partial"] {
        folder.write(&format!("{name}.{kind}"), "h2e2 h9g7\n");
    }
    let run = |line: &str, status: i32| {
        let words = line.split('|').map(|word| word.replace("NAME", name));
        let output = run(Command::new(PROGRAM).args(words).current_dir(&folder), b"");
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
        let told = text(&output.stdout) + &text(&output.stderr);
        let shown = told.contains("a\\u{1b}[31m\\nb");
        // Not everything that is done tells of the name.
        assert!((shown || status == 0) && !told.contains('\u{1b}'), "{line}: {told}");
        if status == 1 {
            assert_eq!(told.lines().count(), 1, "{line}: {told}");
        }
    };
    run("book|convert|built-in|NAME.book", 0);
    run("book|stats|NAME.book", 0);
    run("book|probe|NAME.book|3k5/9/9/9/9/9/9/9/9/4K4 w", 0);
    run("book|verify|NAME.book", 0);
    run("net|export|NAME.nnue", 0);
    run("convert|NAME.list|NAME.pgn", 0);
    run("judge|NAME.list", 0);
    run("analyse|NAME.list|--nodes|10", 0);
    run("analyse|NAME.list|--nodes|10|--out|NAME", 1);
    run("datagen|NAME.rec|--games|1|--nodes|1", 0);
    run("datagen|NAME.all|--merge|NAME.rec", 0);
    run("datagen|NAME.list", 1);
    let game = "match|--tc|nodes=1|--max-plies|2|--rounds|1|--engine|self|--engine";
    run(&format!("{game}|self 'name=NAME'"), 0);
    run(&format!("{game}|self|--openings|NAME.list|--out|NAME.m"), 0);
    run(&format!("{game}|self|--openings|NAME.list|--out|NAME.m"), 1);
    for line in [
        "judge|NAME",
        "judge|--jsonl|NAME",
        "analyse|NAME",
        "convert|NAME|o.pgn",
        "openings|--games|NAME",
        "book|build|o.book|--games|NAME",
        "book|build|NAME/b|--nodes|1",
        "book|stats|NAME",
        "net|inspect|NAME",
        "train|NAME|--out|o",
        "datagen|o.rec|--plan|NAME",
        "datagen|NAME/b",
        "match|--merge|NAME",
        "match|--tc|nodes=1|--engine|self|--engine|cmd=\"'NAME'\"",
        "perft|1|--log|NAME/b",
        "bench|1|--net|NAME",
        "bench|1|--kernel|NAME",
    ] {
        run(line, 1);
    }
    run("perft|NAME", 2);
    run("convert|x|y|--to=NAME", 2);
    let mut command = Command::new(PROGRAM);
    let output = command.args(["perft", "1"]).env("RUST_LOG", format!("x={name}")).output();
    let told = text(&output.unwrap().stderr);
    assert!(told.contains("a\\u{1b}[31m\\nb") && !told.contains('\u{1b}'), "{told}");
}

#[test]
fn a_file_that_is_in_the_way_is_left_as_it_is_and_told_how_to_go_on() {
    let folder = Folder::new("way");
    folder.write("game", "h2e2 h9g7\n");
    for (kept, line) in [
        ("o.partial", "analyse game --nodes 10 --out o"),
        ("o.studies", "book build o.book --nodes 1 --positions 1"),
        ("o.jsonl", "match --engine self --engine self --tc nodes=1 --out o"),
        ("o.jsonl", "match --engine self --engine self --tc nodes=1 --out o --resume"),
        ("o.rec", "datagen o.rec --games 1 --nodes 1"),
    ] {
        // The last is one line that is longer than any, which takes no room on the disk.
        for (mine, size) in [("mine", 4), ("mine\n", 5), ("{}\n{}\n", 6), ("mine", 33 << 20)] {
            let path = folder.write(kept, mine);
            fs::File::options().write(true).open(&path).unwrap().set_len(size).unwrap();
            let before = fs::metadata(&path).unwrap().modified().unwrap();
            let output = run_in(&folder, line);
            let told = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{line}: {told}");
            let after = fs::metadata(&path).unwrap();
            assert_eq!((after.len(), after.modified().unwrap()), (size, before), "{line}: {told}");
            assert!(
                told.contains("; choose another ") || told.contains(": choose another "),
                "{told}"
            );
            assert!(told.contains("or remove it") && told.lines().count() == 1, "{told}");
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_book_that_was_converted_has_what_was_told_of_it() {
    let folder = Folder::new("counts");
    for name in ["o.dat", "o.book"] {
        let told = text(&run_in(&folder, &format!("book convert built-in {name}")).stdout);
        let stats = text(&run_in(&folder, &format!("book stats {name}")).stdout);
        let (_, counts) = told.trim_end().split_once(": ").unwrap();
        assert!(stats.starts_with(&format!("o: {counts}, ")), "{told}{stats}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_no_success() {
    for arguments in [&["--help"][..], &["--version"], &["book", "--help"], &["perft", "1"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = Command::new(PROGRAM)
            .args(arguments)
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_nothing_can_be_complained_of_the_status_says_it() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    for (arguments, code) in [(&["net", "inspect", "none"][..], 1), (&["bnch"], 2)] {
        let status = Command::new(PROGRAM).args(arguments).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
    // Nor does the engine mind what it cannot log.
    let mut engine = Command::new(PROGRAM);
    engine.env("RUST_LOG", "debug").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(full());
    let mut engine = engine.spawn().unwrap();
    engine.stdin.take().unwrap().write_all(b"uci\ngo depth 3\n").unwrap();
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success() && text(&output.stdout).contains("\nbestmove "));
}
