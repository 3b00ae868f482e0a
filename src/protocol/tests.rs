//! The session in one process: what is said in which order, whoever is faster.

use std::{
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use super::*;
use crate::engine::Event;

const PATIENCE: Duration = Duration::from_mins(1);

struct Talk {
    session: Session<Vec<u8>>,
    inbox: Receiver<Msg>,
    ended: bool,
}

impl Talk {
    fn new() -> Self {
        let (sender, inbox) = channel();
        Self { session: Session::new(Vec::new(), sender), inbox, ended: false }
    }

    /// Says lines, dealing with nothing else.
    fn say(&mut self, lines: &str) -> &mut Self {
        for line in lines.lines() {
            self.handle(Msg::Line(line.into()));
        }
        self
    }

    fn handle(&mut self, msg: Msg) {
        assert!(!self.ended, "{msg:?} after the end");
        self.ended = self.session.handle(msg).unwrap() == Flow::Exit;
    }

    fn next(&mut self) -> Msg {
        self.inbox.recv_timeout(PATIENCE).expect("the session hangs")
    }

    /// Deals with what comes until nothing is being done.
    fn settle(&mut self) -> &mut Self {
        while !self.ended && !self.session.is_idle() {
            let msg = self.next();
            self.handle(msg);
        }
        self
    }

    /// Lets the search find its move, but does not deal with it yet.
    fn until_best(&mut self) -> Msg {
        loop {
            let msg = self.next();
            if matches!(msg, Msg::Event(Event::Best(_))) {
                return msg;
            }
            self.handle(msg);
        }
    }

    /// What was answered since the last time, `info` lines left out.
    fn answers(&mut self) -> Vec<String> {
        let text = String::from_utf8(std::mem::take(self.session.output())).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'));
        let lines = text.lines().filter(|line| !line.starts_with("info ") || is_message(line));
        lines.map(str::to_owned).collect()
    }

    /// The first words of [`Self::answers`].
    fn words(&mut self) -> Vec<String> {
        let word = |line: String| line.split(' ').next().unwrap().to_owned();
        self.answers().into_iter().map(word).collect()
    }
}

fn is_message(line: &str) -> bool {
    line.starts_with("info string") || line.starts_with("info message")
}

fn ucci() -> Talk {
    let mut talk = Talk::new();
    // No chance is to decide what is said.
    talk.say("ucci\nsetoption usebook false").answers();
    talk
}

#[test]
fn the_first_greeting_decides_and_the_other_is_passed_over() {
    for (first, second) in [("uci", "ucci"), ("ucci", "uci")] {
        let mut talk = Talk::new();
        let greeted = talk.say(first).answers();
        assert_eq!(greeted.last().unwrap(), &format!("{first}ok"));
        assert_eq!(talk.say(second).answers(), [""; 0]);
        assert_eq!(talk.say(first).answers(), greeted);
    }
}

#[test]
fn a_search_answers_is_ready_before_its_own_end() {
    let mut talk = ucci();
    assert_eq!(talk.say("go infinite\nisready").words(), ["readyok"]);
    assert_eq!(talk.say("stop").settle().words(), ["bestmove"]);
}

#[test]
fn stop_position_and_go_in_one_breath_answer_twice() {
    let mut talk = ucci();
    talk.say("go infinite\nstop\nposition startpos moves h2e2\ngo depth 1").settle();
    let answers = talk.answers();
    assert_eq!(answers.len(), 2, "{answers:?}");
    let rank = |line: &str| line.as_bytes()["bestmove h".len()];
    assert!(rank(&answers[0]) <= b'4' && rank(&answers[1]) >= b'5', "{answers:?}");
}

#[test]
fn a_go_ends_an_endless_search_and_waits_for_another() {
    let mut talk = ucci();
    for first in ["go infinite", "go", "go mate 1", "go ponder time 1000 increment 0"] {
        talk.say(first).say("go depth 1").settle();
        // What is known of a mate is told as well.
        let moves = talk.words().into_iter().filter(|word| word == "bestmove").count();
        assert_eq!(moves, 2, "{first}");
    }
    talk.say("go depth 2\ngo depth 1\nposition startpos\ngo depth 1").settle();
    assert_eq!(talk.words(), ["bestmove"; 3]);
}

#[test]
fn a_stop_ends_what_runs_and_what_waits() {
    let mut talk = ucci();
    talk.say("go infinite\ngo infinite\nposition startpos\ngo\nstop").settle();
    assert_eq!(talk.words(), ["bestmove"; 3]);
    assert_eq!(talk.say("go depth 1").settle().words(), ["bestmove"]);
}

#[test]
fn a_stop_without_a_search_is_answered_in_ucci_alone() {
    assert_eq!(ucci().say("stop").answers(), ["nobestmove"]);
    assert_eq!(Talk::new().say("uci\nstop").words().last().unwrap(), "uciok");
}

#[test]
fn a_stop_that_crosses_the_move_is_not_answered_again() {
    let mut talk = ucci();
    let best = talk.say("go depth 1").until_best();
    talk.say("stop").handle(best);
    assert_eq!(talk.words(), ["bestmove"]);
    assert_eq!(talk.say("stop").answers(), ["nobestmove"]);

    talk.say("go depth 1").settle();
    assert_eq!(talk.say("isready\nstop").words(), ["bestmove", "readyok"]);
    assert_eq!(talk.say("stop").answers(), ["nobestmove"]);

    talk.say("go depth 1").settle();
    assert_eq!(talk.say("position startpos\nstop").words(), ["bestmove", "nobestmove"]);
}

#[test]
fn options_and_bans_wait_for_the_search() {
    let mut talk = Talk::new();
    talk.say("uci\ngo infinite\nsetoption name MultiPV value many\nbanmoves h2e2\nisready");
    assert_eq!(talk.words().last().unwrap(), "readyok");
    talk.say("stop").settle();
    let answers = talk.answers();
    assert!(answers[0].starts_with("bestmove") && is_message(&answers[1]), "{answers:?}");
}

#[test]
fn batch_lets_nothing_by_until_the_move_but_an_end() {
    let mut talk = ucci();
    let best = talk.say("setoption batch true\ngo depth 1\nisready\nd").until_best();
    assert_eq!(talk.answers(), [""; 0]);
    talk.handle(best);
    assert_eq!(talk.words()[..2], ["bestmove", "readyok"]);
    for (end, last) in [("stop", "bestmove"), ("quit", "bye")] {
        let words = talk.say(&format!("go depth 60\n{end}")).settle().words();
        assert_eq!(words.last().unwrap(), last);
        assert!(words.contains(&"bestmove".to_owned()), "{words:?}");
    }
    assert!(talk.ended);
}

#[test]
fn a_stop_ends_all_that_came_before_it_in_whatever_order() {
    let mut talk = ucci();
    talk.say(
        "go infinite\nstop\nposition startpos moves h2e2\ngo infinite\nposition startpos\nstop",
    );
    assert_eq!(talk.settle().words(), ["bestmove"; 2]);
    talk.say("go depth 60\ngo depth 60\nposition startpos moves h2e2\ngo depth 60\nstop");
    assert_eq!(talk.settle().words(), ["bestmove"; 3]);
    talk.say("bench 40\ngo depth 60\ngo perft 20\nstop\ngo depth 1").settle();
    let words = talk.words();
    let count = |wanted: &str| words.iter().filter(|&word| word == wanted).count();
    assert_eq!((count("bestmove"), count("stopped")), (2, 2), "{words:?}");
}

#[test]
fn quit_ends_everything_and_leaves_no_question_open() {
    for first in ["go infinite", "go depth 60", "bench 40", "go perft 20"] {
        let mut talk = ucci();
        talk.say(first).say("go infinite\nposition startpos\ngo depth 60\nquit").settle();
        let words = talk.words();
        assert!(talk.ended);
        assert_eq!(words.iter().filter(|&word| word == "bye").count(), 1, "{words:?}");
        let moves = words.iter().filter(|&word| word == "bestmove").count();
        assert_eq!(moves, 2 + usize::from(first == "go infinite" || first == "go depth 60"));
    }
}

#[test]
fn quit_does_not_wait_for_thousands_of_commands() {
    let mut talk = ucci();
    talk.say("go infinite");
    for _ in 0..40_000 {
        talk.say("position startpos moves h2e2 h9g7 h0g2 i9h9 i0h0");
    }
    let asked = std::time::Instant::now();
    talk.say("quit").settle();
    assert!(talk.ended && asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

#[test]
fn a_search_that_too_much_waits_for_ends() {
    let mut talk = Talk::new();
    talk.say("uci\ngo infinite\nisready").answers();
    let line = format!("position startpos moves {}", "h2e2 ".repeat(100_000));
    for _ in 0..20 {
        talk.say(&line);
    }
    talk.settle();
    assert!(talk.words().contains(&"bestmove".to_owned()));
}

#[test]
fn what_was_asked_for_before_the_end_of_the_input_is_answered() {
    for batch in [false, true] {
        let mut talk = ucci();
        talk.say(&format!("setoption batch {batch}\ngo depth 5\nposition startpos moves h2e2"));
        talk.say("go depth 4\ngo infinite\ngo perft 2\nd");
        talk.handle(Msg::End);
        talk.settle();
        let text = String::from_utf8(talk.session.output().clone()).unwrap();
        let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what} in {text}"));
        let order = [" depth 5 ", "bestmove", "Nodes searched: 1564", "bye"].map(place);
        assert!(order.is_sorted() && talk.ended, "{text}");
        assert_eq!(text.matches("bestmove").count(), 3);
    }
    let mut talk = Talk::new();
    talk.say("uci\ngo infinite").answers();
    talk.handle(Msg::End);
    talk.settle();
    assert_eq!(talk.words(), ["bestmove"]);
    assert!(talk.ended);
}

#[test]
fn a_search_stopped_at_once_has_looked_at_its_moves() {
    // The rook hangs, and every first move of the list loses it.
    let mut talk = Talk::new();
    let fen = "3k5/9/9/9/9/4r4/9/9/4R4/5K3 w";
    for lines in ["go infinite\nstop", "go depth 30\nstop", "go movetime 5000\nstop"] {
        talk.say(&format!("position fen {fen}")).say(lines).settle();
        let answers = talk.answers();
        assert!(answers[0].starts_with("bestmove e1e4"), "{lines}: {answers:?}");
    }
}

#[test]
fn what_means_nothing_is_told_to_whoever_types_or_asks() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("uci\nhello\nucci").words().last().unwrap(), "uciok");
    let mut talk = Talk::new();
    talk.session = talk.session.typed(true);
    talk.say("uci").answers();
    assert_eq!(talk.say("hello\nucci").words(), ["info"; 2]);
    let mut talk = ucci();
    assert_eq!(talk.say("hello\nuci\nsetoption nothing 1").words(), [""; 0]);
    assert_eq!(
        talk.say("setoption debug true\nhello\nuci\nsetoption nothing 1").words(),
        ["info"; 3]
    );
}

#[test]
fn a_ponder_search_ends_after_the_hit() {
    let mut talk = ucci();
    talk.say("go ponder time 200 increment 0\nponderhit draw").settle();
    assert_eq!(talk.words(), ["bestmove"]);
}

#[test]
fn books_are_asked_by_default_in_ucci_alone() {
    for (greeting, asked) in [("ucci", true), ("uci", false)] {
        for limit in ["depth 1", "nodes 216", "movetime 5", "time 900 increment 0"] {
            let mut talk = Talk::new();
            talk.say(greeting).answers();
            let answers = talk.say(&format!("go {limit}")).settle().answers();
            let told = answers.iter().any(|line| line.starts_with("info message book "));
            assert_eq!(told, asked, "{greeting}, {limit}: {answers:?}");
        }
    }
}

#[test]
fn depth_zero_is_a_score_and_no_move() {
    let mut talk = ucci();
    talk.say("go depth 0");
    let text = String::from_utf8(talk.session.output().clone()).unwrap();
    assert!(text.starts_with("info depth 0 score "), "{text}");
    assert_eq!(talk.answers(), ["nobestmove"]);
    let mut talk = Talk::new();
    assert_eq!(talk.say("go depth 0").answers(), ["bestmove (none)"]);
}

#[test]
fn only_a_side_without_moves_has_none() {
    // Black is mated by two rooks; Red is not in check, but every step is into it.
    for fen in ["R3k4/R8/9/9/9/9/9/9/9/3K5 b", "3k5/9/9/9/9/9/9/9/5r3/4K4 w"] {
        let mut talk = Talk::new();
        talk.say(&format!("position fen {fen}\ngo movetime 1")).settle();
        assert_eq!(talk.answers(), ["bestmove (none)"], "{fen}");
    }
    let mut talk = Talk::new();
    talk.say("position fen R3k4/9/9/9/9/9/9/9/9/3K5 b\ngo movetime 0").settle();
    let answers = talk.answers();
    assert!(answers.len() == 1 && !answers[0].contains("none"), "{answers:?}");
    let mut talk = ucci();
    let lines = "position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b\ngo time 0 increment 0";
    assert_eq!(talk.say(lines).settle().answers(), ["nobestmove"]);
}

#[test]
fn bans_of_every_move_ban_none() {
    let mut talk = ucci();
    let moves = crate::position::Position::start().legal_moves();
    let line = moves.into_iter().fold("banmoves".to_owned(), |line, mv| format!("{line} {mv}"));
    talk.say(&format!("{line}\ngo depth 1")).settle();
    assert_eq!(talk.words(), ["bestmove"]);
}

#[test]
fn unknown_options_are_quiet_in_ucci_and_named_in_uci() {
    assert_eq!(ucci().say("setoption swindle 3").answers(), [""; 0]);
    let mut talk = Talk::new();
    talk.say("uci").answers();
    let answers = talk.say("setoption name Swindle value 3").answers();
    assert!(answers.len() == 1 && answers[0].contains("Swindle"), "{answers:?}");
}

#[test]
fn a_message_is_one_line_of_bearable_length() {
    let mut talk = Talk::new();
    let fen = "x".repeat(65_536);
    let answers = talk.say(&format!("position fen {fen}")).answers();
    assert!(answers.len() == 1 && answers[0].len() < 1000);
}

#[test]
fn perft_lists_the_moves_and_can_be_stopped() {
    let mut talk = Talk::new();
    let answers = talk.say("go perft 2").settle().answers();
    assert_eq!(answers.len(), 44 + 2);
    assert!(answers[..44].iter().all(|line| line.contains(": ")));
    assert_eq!(answers[44..], ["", "Nodes searched: 1920"]);
    assert_eq!(talk.say("go perft 0").settle().answers().pop().unwrap(), "Nodes searched: 1");
    let deep = talk.say("go perft 10000\nisready\nstop").settle().answers();
    assert_eq!(deep.len(), 3, "{deep:?}");
    assert!(deep[0].contains("more than 20 plies") && deep[1..] == ["readyok", "stopped"]);
    talk.say("go perft 2").handle(Msg::End);
    talk.settle();
    assert!(talk.answers().contains(&"Nodes searched: 1920".to_owned()) && talk.ended);
}

#[test]
fn the_board_is_shown_with_the_result_of_a_game_that_is_over() {
    let mut talk = Talk::new();
    talk.say("position startpos moves h2e2\nd").settle();
    let text = String::from_utf8(talk.session.output().clone()).unwrap();
    assert!(text.contains("Checkers:") && !text.contains("Result"), "{text}");
    talk.say("position fen 4k4/9/R8/9/9/9/9/9/5R3/3K5 w moves a7a8\nd").settle();
    let text = String::from_utf8(talk.session.output().clone()).unwrap();
    assert!(text.contains("\nResult: black loses: stalemate (困毙)\nFen: "), "{text}");
}
