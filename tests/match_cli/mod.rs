//! `chuhe match` as a user runs it. What ends a game is in `arena.rs`.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod breaks;
mod games;
mod sprt;
mod trouble;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
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

fn played_from(file: &str) -> Vec<&str> {
    let mut arguments = quick(&[]);
    arguments[9] = file;
    arguments
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}
