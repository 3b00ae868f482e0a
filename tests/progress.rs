//! Long work as a user sees it: how far it is and how long it takes, on standard error, whatever becomes
//! of standard output.

use crate::common::folder::Folder;
use std::{
    fs,
    process::{Command, Stdio},
};

fn command(folder: &Folder, words: &str) -> Command {
    let mut command = folder.program();
    command.args(words.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[cfg(unix)]
#[test]
fn positions_that_go_to_a_file_are_told_of_until_an_interrupt() {
    use std::io::{BufRead, BufReader, Read};
    let folder = Folder::new("progress-openings");
    let out = fs::File::create(folder.join("out")).unwrap();
    let mut openings = command(&folder, "openings --count 1000000 --nodes 1");
    let mut child = openings.stdout(out).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.contains(" of 1000000 positions, ") && line.ends_with(" left\n"), "{line}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    line.clear();
    told.read_to_string(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
    let printed = folder.text("out");
    assert!(printed.ends_with('\n'));
    let count = printed.lines().count();
    assert_eq!(line, format!("stopped; {count} positions are printed\n"));
}

#[test]
fn the_time_that_an_analysis_takes_is_told_from_its_first_position_on() {
    let folder = Folder::new("progress-analyse");
    folder.write("games", "h2e2 h9g7\n\nb2e2 b9c7\n");
    let output = command(&folder, "analyse games --nodes 10 --threads 1").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let first = told.lines().next().unwrap();
    assert!(first.starts_with("[=         ] 0 games done, "), "{told}");
    assert!(first.ends_with(" s left; game 1: 1 of 3"), "{told}");
}
