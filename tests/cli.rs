//! The program as a user runs it: what it prints where, and how it exits.

use std::process::{Command, Output, Stdio};

use crate::common::folder::Folder;

fn chuhe(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    chuhe(arguments).output().expect("the program runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

#[test]
fn a_bad_argument_is_named_and_exits_with_2() {
    for arguments in [&["perft", "-1"][..], &["perft", "2", "--fen", "foobar"], &["fly"]] {
        let output = output(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let complaint = text(output.stderr);
        let named = arguments[arguments.len() - 1];
        assert!(complaint.lines().next().unwrap().contains(named), "{complaint}");
    }
}

#[test]
fn perft_counts() {
    let output = output(&["perft", "3"]);
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(text(output.stdout).starts_with("79666 nodes "));
}

#[test]
fn bench_ends_with_the_signature() {
    let output = output(&["bench", "1"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = text(output.stdout);
    let words: Vec<_> = text.lines().last().unwrap().split(' ').collect();
    assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"));
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = chuhe(&["perft", "2", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let output = output(&[]);
    assert!(output.status.success());
    assert_eq!((text(output.stdout), text(output.stderr)), (String::new(), String::new()));
}

#[test]
fn the_log_goes_to_its_file_alone() {
    let folder = Folder::new("log");
    let file = folder.join("log");
    let path = file.to_str().unwrap();
    let output = output(&["--log", path, "perft", "1"]);
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(text(output.stdout).lines().count(), 1);
    assert!(file.exists());
}

#[test]
fn a_log_that_cannot_be_written_is_one_line() {
    let output = output(&["--log", "/no/such/folder/log", "perft", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = text(output.stderr);
    assert!(
        complaint.starts_with("chuhe: cannot write the log /no/such/folder/log"),
        "{complaint}"
    );
    assert_eq!(complaint.lines().count(), 1);
}
