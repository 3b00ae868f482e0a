//! A kill at any moment costs time alone: the same command goes on, and what it makes in the end is what it
//! makes undisturbed. `CHUHE_KILLS` says how many kills each command is tried by.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common::folder::Folder;
use chuhe::types::SplitMix64;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Instant,
};

/// A command that makes a file and can be told to go on.
struct Work {
    name: &'static str,
    command: &'static str,
    /// The word more that goes on with what this file has.
    going_on: Option<(&'static str, &'static str)>,
    made: &'static str,
    /// Whether nothing is left to do: it would be refused, for it writes nothing over.
    done: fn(&Path) -> bool,
    /// What of the file does not depend on how long things took.
    kept: fn(Vec<u8>) -> Vec<u8>,
}

impl Work {
    fn start(&self, folder: &Path) -> Child {
        let going_on = self.going_on.filter(|(file, _)| folder.join(file).exists());
        Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(self.command.split(' ').chain(going_on.map(|(_, word)| word)))
            .current_dir(folder)
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.join("stderr")).unwrap())
            .spawn()
            .unwrap()
    }

    /// What it has made, after it has ended by itself.
    fn end(&self, mut child: Child, folder: &Path) -> Vec<u8> {
        let status = child.wait().unwrap();
        let said = fs::read_to_string(folder.join("stderr")).unwrap();
        assert!(status.success(), "{}: {status}: {said}", self.name);
        self.read(folder)
    }

    fn read(&self, folder: &Path) -> Vec<u8> {
        (self.kept)(fs::read(folder.join(self.made)).unwrap())
    }

    /// Lets it work in folders that `prepare` has filled, and kills it.
    fn survives(&self, prepare: impl Fn(&Path)) {
        let kills = std::env::var("CHUHE_KILLS").map_or(4, |count| count.parse().unwrap());
        let new_folder = || {
            let folder = Folder::new(self.name);
            prepare(&folder);
            folder
        };
        let folder = new_folder();
        let begun = Instant::now();
        let undisturbed = self.end(self.start(&folder), &folder);
        let whole = begun.elapsed();

        let mut rng = SplitMix64::new(1);
        let mut share = || (rng.next() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut folder = new_folder();
        let mut killed = 0;
        loop {
            let mut child = self.start(&folder);
            let made = if killed < kills {
                // Much happens in the first moments, when files come into being.
                let most = if share() < 0.3 { whole / 20 } else { whole };
                thread::sleep(most.mul_f64(share()));
                if child.try_wait().unwrap().is_some() {
                    self.end(child, &folder)
                } else {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    killed += 1;
                    if !(self.done)(&folder) {
                        continue;
                    }
                    self.read(&folder)
                }
            } else {
                self.end(child, &folder)
            };
            assert!(made == undisturbed, "{} after {killed} kills", self.name);
            if killed == kills {
                break;
            }
            folder = new_folder();
        }
    }
}

#[test]
fn a_match_that_is_killed_goes_on() {
    /// The games by their numbers, and of each what was played.
    fn games(record: Vec<u8>) -> Vec<u8> {
        let record = String::from_utf8(record).unwrap();
        let mut games: Vec<String> = record
            .lines()
            .filter_map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                let game = line.get("game")?;
                let said = ["game", "red", "result", "reason", "fen", "moves", "scores", "nodes"];
                Some(said.map(|key| game[key].to_string()).join(" "))
            })
            .collect();
        games.sort();
        games.join("\n").into_bytes()
    }
    let work = Work {
        name: "match",
        command: "match --engine self --engine self --tc nodes=150 --rounds 6 --max-plies 90 --seed 5 --out m",
        going_on: Some(("m.jsonl", "--resume")),
        made: "m.jsonl",
        done: |_| false,
        kept: games,
    };
    work.survives(|_| {});
}

#[test]
fn games_against_itself_that_are_killed_go_on() {
    let work = Work {
        name: "datagen",
        command: "datagen games --games 200 --nodes 40 --handcrafted",
        going_on: None,
        made: "games",
        done: |_| false,
        kept: |file| file,
    };
    work.survives(|_| {});
}

#[test]
fn a_training_that_is_killed_goes_on() {
    const RECIPE: &str = "name = 'toy'\nseed = 1\n[data]\nfiles = ['games']\nheld_out = 5\n\
        [network]\nhidden = 32\n[training]\nepochs = 6\nbatch = 256\n";
    let games = Work {
        name: "games",
        command: "datagen games --games 60 --nodes 40 --handcrafted",
        going_on: None,
        made: "games",
        done: |_| false,
        kept: |file| file,
    };
    let folder = Folder::new(games.name);
    let games = games.end(games.start(&folder), &folder);
    let work = Work {
        name: "train",
        command: "train recipe.toml --out toy.nnue",
        going_on: None,
        made: "toy.nnue",
        done: |folder| folder.join("toy.nnue").exists() && !folder.join("toy.checkpoint").exists(),
        kept: |file| file,
    };
    work.survives(|folder| {
        fs::write(folder.join("games"), &games).unwrap();
        fs::write(folder.join("recipe.toml"), RECIPE).unwrap();
    });
}

#[test]
fn a_book_that_is_killed_in_the_making_goes_on() {
    let work = Work {
        name: "book",
        command: "book build b.book --positions 30 --plies 8 --nodes 3000 --hash 1",
        going_on: None,
        made: "b.book",
        done: |folder| folder.join("b.book").exists(),
        kept: |file| file,
    };
    work.survives(|_| {});
}
