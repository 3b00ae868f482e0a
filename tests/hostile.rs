//! Files that are not what they should be, disks that are full and words that a terminal would obey:
//! one short line, soon, with little memory, and nothing is left behind.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{self, Command, Output, Stdio},
};

/// A folder of its own, which is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("hostile-{name}-{}", process::id());
        // On the disk that the program is on, for it to have another name there.
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// A command line that is run here.
    fn run(&self, words: &str) -> Output {
        run(Command::new(PROGRAM).args(words.split(' ')).current_dir(&self.0), b"")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

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

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn files_are_looked_for_beside_the_program_and_then_in_the_current_folder() {
    let (home, here) = (Folder::new("home"), Folder::new("here"));
    let program = home.0.join("chuhe");
    fs::hard_link(PROGRAM, &program).unwrap();
    for (folder, net, book) in [(&home, "a.nnue", "a.book"), (&here, "b.nnue", "b.book")] {
        assert!(folder.run(&format!("net export {net}")).status.success());
        assert!(folder.run(&format!("book convert built-in {book}")).status.success());
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
            let output = run(Command::new(&program).current_dir(&here.0), input.as_bytes());
            let heard = text(&output.stdout);
            assert_eq!(heard.matches(told).count(), 1, "{greeting}, {name}: {heard}");
        }
    }
}

#[test]
fn nothing_is_read_without_bounds_and_nothing_is_obeyed_by_a_terminal() {
    let folder = Folder::new("read");
    // Three gigabytes that take no room on the disk.
    fs::File::create(folder.0.join("zeros")).unwrap().set_len(3 << 30).unwrap();
    fs::File::create(folder.0.join("less")).unwrap().set_len(1 << 30).unwrap();
    folder.write("word", "x".repeat(10_000_000));
    folder.write("escapes", "h2e2 \u{1b}[2J\u{7}foo\nfen 4k4/\u{1b}[2J/9 w\n");
    for file in ["zeros", "less", "word", "escapes", "."] {
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
        ] {
            let line = command.replace("FILE", file);
            // Half a gigabyte of addresses, most of which are never touched.
            let shell = format!("ulimit -v 500000; exec \"$0\" {line}");
            let mut command = Command::new("sh");
            let output = run(command.args(["-c", &shell, PROGRAM]).current_dir(&folder.0), b"");
            assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
            let told = text(&output.stdout) + &text(&output.stderr);
            assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{line}: {told:?}");
            let lines: Vec<_> = told.lines().collect();
            assert!((1..=4).contains(&lines.len()), "{line}: {told}");
            assert!(lines.iter().all(|line| line.chars().count() <= 300), "{line}: {told}");
            let _ = fs::remove_file(folder.0.join("o.pgn"));
        }
    }
}

#[test]
fn a_book_that_was_converted_has_what_was_told_of_it() {
    let folder = Folder::new("counts");
    for name in ["o.dat", "o.book"] {
        let told = text(&folder.run(&format!("book convert built-in {name}")).stdout);
        let stats = text(&folder.run(&format!("book stats {name}")).stdout);
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
