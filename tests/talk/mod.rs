//! A conversation with the real program, and laws that hold in every one of them: a move is legal
//! where it was asked for, a short mate is one, a line of information is well formed, nothing is
//! said on standard error.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    collections::{HashSet, VecDeque},
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command as Process, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use chuhe::{
    position::Position,
    rules::Line,
    wire::{Command, Info, Reply, Score, Setup, Start},
};

/// A machine may be slow and busy; whoever takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(1);
/// Claims of mates in up to so many moves are checked by trying everything.
const PROVABLE: i32 = 3;

/// What the client asked for with a `go`.
struct Asked {
    position: Position,
    may_be_refused: bool,
}

/// The program and what a client knows of it.
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<thread::JoinHandle<String>>,
    /// The position last set.
    line: Line,
    /// Searches without an answer yet.
    asked: VecDeque<Asked>,
    /// Mates that were claimed and hold: the key of the position, and in how many moves.
    proven: HashSet<(u64, i32)>,
    /// Everything said and heard, for whoever has to read a failure.
    log: Vec<String>,
}

/// The program, or what `CHUHE_PROGRAM` names: words with blanks between them, for builds that run
/// by the help of another program.
fn program() -> Process {
    let Ok(words) = std::env::var("CHUHE_PROGRAM") else {
        return Process::new(env!("CARGO_BIN_EXE_chuhe"));
    };
    let mut words = words.split_whitespace();
    let mut program = Process::new(words.next().expect("CHUHE_PROGRAM names a program"));
    program.args(words);
    program
}

impl Engine {
    /// Starts it in a directory.
    pub(crate) fn start(directory: &Path) -> Self {
        let mut child = program()
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if tell.send(line.expect("replies are text")).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr: Some(stderr),
            line: Line::new(Position::start()),
            asked: VecDeque::new(),
            proven: HashSet::new(),
            log: Vec::new(),
        }
    }

    /// Says a line, whatever bytes it is made of.
    pub(crate) fn say(&mut self, line: impl AsRef<[u8]>) {
        let line = line.as_ref();
        match Command::parse(line) {
            Ok(Some(Command::Position(setup))) => self.set_up(&setup),
            Ok(Some(Command::Go(go))) if go.perft.is_none() => {
                let position = self.line.position().clone();
                let may_be_refused = go.depth == Some(0) || position.legal_moves().is_empty();
                self.asked.push_back(Asked { position, may_be_refused });
            }
            _ => {}
        }
        self.say_blindly(line);
    }

    /// Says a line and does not care what comes of it.
    pub(crate) fn say_blindly(&mut self, line: &[u8]) {
        let shown: String = String::from_utf8_lossy(line).chars().take(300).collect();
        self.log.push(format!("> {shown}"));
        let stdin = self.stdin.as_mut().expect("the input is open");
        // An engine that is gone shows in its silence.
        let _ = stdin.write_all(line).and_then(|()| stdin.write_all(b"\n"));
        let _ = stdin.flush();
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.log.push("> (end)".into());
        self.stdin = None;
    }

    /// Stops listening.
    pub(crate) fn deafen(&mut self) {
        self.lines = channel().1;
    }

    /// The next line; `None` when there will be none.
    pub(crate) fn hear(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                self.check(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("silence"),
        }
    }

    /// The next line, unchecked; `None` when there will be none.
    pub(crate) fn hear_unchecked(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("silence"),
        }
    }

    /// All lines to the end, unchecked.
    pub(crate) fn hear_out(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.hear_unchecked()).collect()
    }

    /// The next line that is not about the progress of a search.
    pub(crate) fn hear_answer(&mut self) -> Option<String> {
        loop {
            let line = self.hear()?;
            if !is_progress(&line) {
                return Some(line);
            }
        }
    }

    /// Hears the answer to the search: the move, or what is said in place of one.
    pub(crate) fn hear_move(&mut self) -> String {
        match self.hear_answer() {
            Some(line) if line.contains("bestmove") => line,
            other => self.fail(&format!("a move was expected, not {other:?}")),
        }
    }

    /// Nothing is said that was not heard yet, and the engine is alive.
    pub(crate) fn expect_silence(&mut self) {
        self.say("isready");
        let answer = self.hear_answer();
        if answer.as_deref() != Some("readyok") {
            self.fail(&format!("silence was expected, not {answer:?}"));
        }
    }

    /// The program has ended well and has nothing more to say, least of all on standard error.
    pub(crate) fn expect_exit(&mut self) {
        if let Some(line) = self.hear_answer() {
            self.fail(&format!("the end was expected, not `{line}`"));
        }
        let deadline = Instant::now() + PATIENCE;
        while self.child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                self.fail("it does not end");
            }
            thread::sleep(Duration::from_millis(1));
        }
        let status = self.child.wait().unwrap();
        if !status.success() {
            self.fail(&format!("{status}"));
        }
        let stderr = self.stderr.take().map(|thread| thread.join().unwrap()).unwrap_or_default();
        if !stderr.is_empty() {
            self.fail(&format!("on standard error: {stderr}"));
        }
    }

    /// Panics with the conversation so far.
    pub(crate) fn fail(&self, what: &str) -> ! {
        let from = self.log.len().saturating_sub(60);
        panic!("{what}\n{}\n", self.log[from..].join("\n"))
    }

    fn set_up(&mut self, setup: &Setup) {
        let start = match &setup.start {
            Start::Initial => Ok(Position::start()),
            Start::Fen(fen) => Position::from_fen(fen),
        };
        if let Ok(start) = start {
            self.line = Line::new(start);
            for mv in &setup.moves {
                let played = mv.parse().ok().and_then(|mv| self.line.play(mv).ok());
                if played.is_none() {
                    break;
                }
            }
        }
    }

    fn check(&mut self, line: &str) {
        if let Some(fen) = line.strip_prefix("Fen: ") {
            let here = self.line.position().fen();
            if fen.split(' ').take(2).ne(here.split(' ').take(2)) {
                self.fail(&format!("the board should be {here}"));
            }
        }
        match Reply::parse(line.as_bytes()) {
            Ok(Some(Reply::BestMove { best, .. })) => match self.asked.pop_front() {
                Some(asked) if asked.position.is_legal(best) => {}
                Some(asked) => self.fail(&format!("{best} is illegal in {}", asked.position.fen())),
                None => self.fail("an answer without a question"),
            },
            // Without a search it answers a `stop`.
            Ok(Some(Reply::NoBestMove))
                if self.asked.pop_front().is_some_and(|asked| !asked.may_be_refused) =>
            {
                self.fail("there are legal moves");
            }
            Ok(Some(Reply::Info(info))) => self.check_info(line, &info),
            _ => {}
        }
    }

    fn check_info(&mut self, line: &str, info: &Info) {
        let words: Vec<_> = line.split(' ').collect();
        let keys = ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time"];
        let count = |key: &str| words.iter().filter(|&&word| word == key).count();
        if keys.iter().any(|key| count(key) > 1) || words.get(1) != Some(&"depth") {
            self.fail("a malformed line of information");
        }
        if !info.pv.is_empty() && (count("pv") != 1 || count("nps") != 1) {
            self.fail("a line of play without all that belongs to it");
        }
        let Some(asked) = self.asked.front() else { return };
        let mut position = Line::new(asked.position.clone());
        for &mv in &info.pv {
            if position.play(mv).is_err() {
                self.fail(&format!("{mv} of the line of play is illegal"));
            }
        }
        if let (Some(Score::Mate(moves)), None) = (info.score, info.bound)
            && moves.abs() <= PROVABLE
            && info.multipv.unwrap_or(1) == 1
        {
            let claim = (asked.position.key(), moves);
            let position = &asked.position;
            if !self.proven.contains(&claim) && !is_mate(position, moves, info.pv.first()) {
                self.fail("this mate is none");
            }
            self.proven.insert(claim);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line only tells how far a search is, or which book answers in its place.
pub(crate) fn is_progress(line: &str) -> bool {
    ["info depth", "info string book ", "info message book "]
        .iter()
        .any(|start| line.starts_with(start))
}

/// Whether the mover mates in so many own moves, or, below one, is mated in so many.
fn is_mate(position: &Position, moves: i32, first: Option<&chuhe::types::Move>) -> bool {
    if moves <= 0 {
        return loses(position, moves.unsigned_abs());
    }
    // The move that is claimed to mate first saves most of the work.
    let legal = position.legal_moves();
    let candidates = first.into_iter().chain(legal.iter().filter(|&mv| Some(mv) != first));
    candidates.into_iter().any(|&mv| loses(&after(position, mv), moves.unsigned_abs() - 1))
}

fn loses(position: &Position, moves: u32) -> bool {
    let legal = position.legal_moves();
    legal.is_empty() || (moves > 0 && legal.iter().all(|&mv| wins(&after(position, mv), moves)))
}

fn wins(position: &Position, moves: u32) -> bool {
    moves > 0 && position.legal_moves().iter().any(|&mv| loses(&after(position, mv), moves - 1))
}

fn after(position: &Position, mv: chuhe::types::Move) -> Position {
    let mut line = Line::new(position.clone());
    line.play(mv).expect("the move is legal");
    line.position().clone()
}
