//! Whole sessions said in one breath, whatever was said before: each search is answered once, and
//! what ends things ends them at once. `CHUHE_SESSIONS` says how many are tried, and then it is
//! printed how long the ends took.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::talk::Engine;
use chuhe::types::SplitMix64;

/// Where the time is taken on a quiet machine it is a few milliseconds; tests run on busy ones.
const AT_ONCE: Duration = Duration::from_secs(5);

/// What ends within moments, or only by a word.
const BRIEF: &[&str] = &[
    "go depth 1",
    "go depth 5",
    "go nodes 100",
    "go movetime 3",
    "go mate 2",
    "go time 20 increment 0",
    "go wtime 20 btime 20",
    "go perft 2",
    "bench 1",
];
const ENDLESS: &[&str] =
    &["go infinite", "go", "go ponder wtime 1000 btime 1000", "go infinite searchmoves b2e2 h2e2"];
const LONG: &[&str] =
    &["go depth 90", "go movetime 100000", "go nodes 99999999999", "go perft 10000", "bench 90"];
const OTHERS: &[&str] = &[
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position fen 3ak4/4a4/9/9/9/9/9/4B4/4A4/2BAK4 w",
    "position fen r3k4/9/9/9/9/9/9/9/9/4K3R b moves a9a0 e0e1",
    "position fen nonsense",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption batch true",
    "setoption batch false",
    "setoption name Threads value 2",
    "setoption name Hash value 1",
    "setoption name Clear Hash",
    "setoption debug true",
    "ucinewgame",
    "banmoves h2e2",
    "ponderhit",
    "isready",
    "d",
    "eval",
    "probe",
    "uci",
    "ucci",
    "help",
    "",
    "nonsense",
    "\u{1b}[2J",
];

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Stop,
    Quit,
    Closed,
}

struct Session {
    lines: Vec<&'static str>,
    end: End,
}

fn pick<T: Copy>(rng: &mut SplitMix64, of: &[T]) -> T {
    of[(rng.next() % of.len() as u64) as usize]
}

fn session(seed: u64) -> Session {
    let mut rng = SplitMix64::new(seed);
    let end = pick(&mut rng, &[End::Stop, End::Quit, End::Closed]);
    let mut lines = vec![pick(&mut rng, &["uci", "ucci", "uci\nisready", "isready"])];
    lines.push("setoption name OwnBook value false");
    for _ in 0..rng.next() % 24 {
        let kind = pick(&mut rng, &[BRIEF, ENDLESS, LONG, OTHERS, OTHERS, &["stop"]]);
        lines.push(pick(&mut rng, kind));
    }
    // A pipe that is closed is no stop for what ends by itself, if late.
    if end == End::Closed && lines.iter().any(|line| LONG.contains(line)) {
        lines.push("stop");
    }
    Session { lines, end }
}

/// How many moves are due: one for each search, and of counts there is none.
fn moves_due(session: &Session) -> usize {
    let is_search = |line: &&&str| line.starts_with("go") && !line.contains("perft");
    session.lines.iter().filter(is_search).count()
}

fn count_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

/// Plays a session, and tells how long its end took.
fn play(seed: u64) -> Duration {
    let session = session(seed);
    let due = moves_due(&session);
    let mut engine = Engine::start(Path::new("/"));
    let mut text = session.lines.join("\n");
    match session.end {
        End::Stop => text += "\nstop",
        End::Quit => text += "\nquit",
        End::Closed => {}
    }
    engine.say_blindly(text.as_bytes());
    let said = Instant::now();
    let mut heard = Vec::new();
    if session.end == End::Stop {
        while count_moves(&heard) < due {
            match engine.hear_unchecked() {
                Some(line) => heard.push(line),
                None => engine.fail(&format!("seed {seed}: the end, with moves due")),
            }
        }
    }
    let took = said.elapsed();
    engine.close();
    heard.extend(engine.hear_out());
    let took = if session.end == End::Stop { took } else { said.elapsed() };
    let moves = count_moves(&heard);
    if moves != due {
        engine.fail(&format!("seed {seed}: {moves} moves for {due} searches: {heard:#?}"));
    }
    if took > AT_ONCE && session.end != End::Closed {
        engine.fail(&format!("seed {seed}: {took:?}"));
    }
    engine.expect_exit();
    took
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever asks for many sessions asks how long they took")]
fn each_search_is_answered_once_and_what_ends_ends_at_once() {
    let asked = std::env::var("CHUHE_SESSIONS").ok();
    let count: u64 = asked.as_ref().map_or(100, |count| count.parse().unwrap());
    let mut times: Vec<_> = (0..count).map(play).collect();
    times.sort();
    if asked.is_some() {
        let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize];
        eprintln!("median {:?}, 99 % {:?}, worst {:?}", at(0.5), at(0.99), at(1.0));
    }
}

#[test]
fn what_cannot_be_done_yet_is_not_read_without_bound() {
    let mut engine = Engine::start(Path::new("/"));
    engine.say_blindly(b"uci\ngo movetime 1500");
    // More than is read ahead; the write ends when the search has.
    let line = format!("position startpos moves {}\n", "h2e2 ".repeat(2_000));
    let many = line.repeat(6_000);
    let begun = Instant::now();
    engine.say_blindly(many.as_bytes());
    assert!(begun.elapsed() > Duration::from_millis(800), "all of it was read during the search");
    engine.say_blindly(b"isready\nquit");
    let heard = engine.hear_out();
    assert_eq!(count_moves(&heard), 1);
    assert_eq!(heard.iter().filter(|line| *line == "readyok").count(), 1);
    engine.expect_exit();
}

#[test]
fn a_stop_ends_what_runs_and_what_waits_before_it() {
    for (lines, moves) in [
        (
            "go infinite\nstop\nposition startpos moves h2e2\ngo infinite\nposition startpos\nstop",
            2,
        ),
        (
            "go movetime 100000\ngo movetime 800000\nposition startpos moves h2e2\n\
             go movetime 800000\nstop",
            3,
        ),
    ] {
        let mut engine = Engine::start(Path::new("/"));
        engine.say_blindly(format!("uci\n{lines}\nisready").as_bytes());
        let mut heard = Vec::new();
        while count_moves(&heard) < moves {
            heard.push(engine.hear_unchecked().unwrap());
        }
        engine.close();
        assert_eq!(count_moves(&engine.hear_out()), 0);
        engine.expect_exit();
    }
}

#[test]
fn a_closed_pipe_ends_what_has_no_end_and_finishes_what_has() {
    for (lines, last, moves) in [
        ("bench 1\ngo infinite\nposition startpos\nquit", None, 1),
        ("go perft 1\ngo infinite\nposition startpos\nquit", None, 1),
        ("bench 1\ngo infinite\nposition startpos", Some("bestmove"), 1),
        ("go depth 6", Some("bestmove"), 1),
        ("go depth 6\nposition startpos moves h2e2\ngo depth 6", Some("bestmove"), 2),
        ("setoption batch true\ngo infinite\ngo infinite", Some("bestmove"), 2),
        ("go perft 3", Some("Nodes searched: 79666"), 0),
        ("go perft 10000\nstop", Some("stopped"), 0),
    ] {
        let mut engine = Engine::start(Path::new("/"));
        engine.say_blindly(lines.as_bytes());
        engine.close();
        let heard = engine.hear_out();
        assert_eq!(count_moves(&heard), moves, "{lines}: {heard:?}");
        if let Some(start) = last {
            assert!(heard.last().unwrap().starts_with(start), "{lines}: {heard:?}");
        }
        for depth in lines.matches("go depth 6") {
            let depth = depth.trim_start_matches("go");
            assert!(heard.iter().any(|line| line.contains(depth)), "{lines}: {heard:?}");
        }
        engine.expect_exit();
    }
}

/// Where the system grants no threads, or only some.
#[cfg(target_os = "linux")]
mod without_threads {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };

    /// What is answered within so many KB of address space.
    fn converse(kilobytes: u32, said: &str) -> (String, String, bool) {
        let program = env!("CARGO_BIN_EXE_chuhe");
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {kilobytes} && exec \"$0\""), program])
            // A panic that reports where it was wants memory of its own, and hangs without.
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.success())
    }

    #[test]
    fn a_search_without_a_thread_is_answered_and_told_of() {
        // From room for everything down to hardly any, step by step through all that may be refused.
        let (mut told, mut unheard) = (0, 0);
        for kilobytes in (3..24).map(|step| 5_000 * step) {
            let said = "uci\nisready\ngo depth 5\nposition startpos moves h2e2\ngo\n";
            let (heard, complaints, well) = converse(kilobytes, said);
            if !heard.contains("uciok") {
                continue; // Not even the program fits.
            }
            let moves = heard.lines().filter(|line| line.starts_with("bestmove ")).count();
            let at = format!("{kilobytes} KB: {heard}{complaints}");
            assert!(well && moves == 2 && heard.contains("readyok"), "{at}");
            let starved = heard.contains("no memory for what a worker learns");
            assert!(starved || heard.contains("info depth 5 ") && complaints.is_empty(), "{at}");
            told += usize::from(heard.contains("info string the system grants no thread"));
            unheard += usize::from(heard.contains("info string there is no thread to search on"));
        }
        assert!(told > 0, "threads were granted each time");
        assert!(unheard > 0, "a thread of its own was granted each time");
    }
}
