//! An engine that misbehaves on request, for tests of matches: this test binary, started anew as a
//! process that plays the first test to be found in it, [`engine`].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    io::{self, BufRead, Write},
    process, thread,
    time::Duration,
};

use chuhe::{
    position::{Position, Unobserved},
    types::{Move, SplitMix64},
    wire::{Command, Dialect, Reply, Start},
};

/// What sets how the engine behaves.
const BEHAVIOUR: &str = "MOCK";
/// The move at which it misbehaves, from 1.
const TURN: usize = 3;

/// The command line of an engine that behaves like this.
pub(crate) fn command(behaviour: &str) -> Vec<String> {
    let file = std::env::current_exe().unwrap();
    let script = format!(
        "{BEHAVIOUR}='{behaviour}' exec '{}' mock::engine --exact --ignored --nocapture",
        file.display()
    );
    ["/bin/sh", "-c", &script].map(String::from).into()
}

#[test]
#[ignore = "an engine for the other tests, started by them"]
fn engine() {
    let behaviour = std::env::var(BEHAVIOUR).expect("the other tests say how to behave");
    let mut mock = Mock {
        behaviour,
        position: Position::start(),
        // The same moves in every run: games of chance would end early now and then.
        rng: SplitMix64::new(1),
        plies: 0,
        turns: 0,
        dialect: Dialect::Ucci,
    };
    for line in io::stdin().lock().split(b'\n') {
        if let Ok(Some(command)) = Command::parse(&line.unwrap()) {
            mock.obey(command);
        }
    }
    process::exit(0);
}

struct Mock {
    behaviour: String,
    position: Position,
    rng: SplitMix64,
    plies: usize,
    turns: usize,
    dialect: Dialect,
}

impl Mock {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    fn say(line: &str) {
        // A match that has ended does not listen any more.
        if writeln!(io::stdout(), "{line}").is_err() {
            process::exit(0);
        }
    }

    fn reply(&self, reply: &Reply) {
        Self::say(&reply.print(self.dialect));
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Hello(Dialect::Ucci) if self.is("leaves at ucci") => process::exit(1),
            Command::Hello(Dialect::Ucci) if self.is("speaks uci only") => {
                Self::say("Unknown command: ucci");
            }
            Command::Hello(_) if self.is("mute") => {}
            Command::Hello(dialect) => {
                self.dialect = dialect;
                Self::say("option usemillisec type check default true");
                Self::say("option name Hash type spin default 16 min 1 max 64");
                Self::say("option name Style type combo default normal var normal var wild");
                self.reply(&Reply::Ok(dialect));
            }
            Command::IsReady => self.reply(&Reply::ReadyOk),
            Command::NewGame => self.turns = 0,
            Command::Position(setup) => {
                self.plies = setup.moves.len();
                self.position = match setup.start {
                    Start::Initial => Position::start(),
                    Start::Fen(fen) => Position::from_fen(&fen).unwrap(),
                };
                for word in setup.moves {
                    self.position.make(word.parse().unwrap(), &mut Unobserved);
                }
            }
            Command::Go(_) => {
                self.turns += 1;
                self.think();
            }
            Command::Quit if self.is("never quits") => {}
            Command::Quit => process::exit(0),
            _ => {}
        }
    }

    fn think(&mut self) {
        let due = self.turns == TURN;
        match self.behaviour.as_str() {
            "crashes" if due => process::exit(3),
            "plays illegal moves" if due => return Self::say("bestmove e0e9"),
            "answers nonsense" if due => return Self::say("bestmove castles"),
            "says nothing" if due => return,
            "resigns" if due => return Self::say("nobestmove"),
            "answers late" if due => thread::sleep(Duration::from_millis(400)),
            "says nothing and ignores stop" if due => thread::sleep(Duration::from_hours(1)),
            "floods" => {
                for _ in 0..20_000 {
                    Self::say(
                        "info depth 1 score 1 nodes 1 pv h2e2 and a lot of other words besides",
                    );
                }
                // And a line without an end that no buffer should hold.
                let _ = io::stdout().write_all(&vec![b'x'; 1 << 20]);
                Self::say("");
            }
            "floods for ever" if due => loop {
                Self::say("info depth 1 score 1 pv h2e2");
                Self::say("readyok");
            },
            "prints garbage" => {
                let _ = io::stdout().write_all(b"\xff\xfe\x00\n\ninfo score cp\nbestm\noption\n");
            }
            _ => {}
        }
        let best = self.choice();
        let scored = match self.behaviour.as_str() {
            "thinks it wins" => Some(900),
            "thinks it loses" => Some(-900),
            "thinks it is even" => Some(0),
            _ => None,
        };
        if let Some(score) = scored {
            Self::say(&format!("info depth 4 score {score} nodes 17 pv {best}"));
        }
        let draw = if self.behaviour.starts_with("offers draws") { " draw" } else { "" };
        Self::say(&format!("bestmove {best}{draw}"));
        if self.is("answers twice") {
            thread::sleep(Duration::from_millis(50));
            Self::say("bestmove e0e9");
        }
    }

    /// Some legal move, or a move of the cycle that the behaviour names: its own or, where both
    /// sides go round, both sides'.
    fn choice(&mut self) -> Move {
        for (word, each) in [("cycles ", 2), ("goes round ", 1)] {
            if let Some((_, cycle)) = self.behaviour.split_once(word) {
                let moves: Vec<_> = cycle.split(' ').collect();
                return moves[self.plies / each % moves.len()].parse().unwrap();
            }
        }
        let moves = self.position.legal_moves();
        moves[self.rng.below(moves.len())]
    }
}
