//! The slow rules of repetition against the known verdicts, and the judge against the slow rules
//! on random cycles of few men.

use std::collections::BTreeMap;

use crate::common::{
    cases::cases,
    cycles::{Game, games},
    games::{mv, position, step},
    labels::{label_name, offence_name},
    slow_rules::{self, SlowRules},
};
use chuhe::{
    rules::{self, Line, Ruleset, Verdict},
    types::Color,
};

/// The slow rules of what a ruleset says.
fn slow(ruleset: &Ruleset) -> SlowRules {
    let kill_depth = u32::from(ruleset.kill_depth);
    SlowRules::new(ruleset.repetition_count, kill_depth, ruleset.check_gain)
}

/// What somebody said, in words.
fn words(
    loser_is_red: Option<bool>,
    offence: &str,
    from: usize,
    labels: Vec<(String, &'static str)>,
) -> String {
    let loser = match loser_is_red {
        None => "nobody loses",
        Some(true) => "red loses",
        Some(false) => "black loses",
    };
    let labels: Vec<_> = labels
        .into_iter()
        .map(|(step, label)| format!("{step}:{}", if label == "捉抽" { "捉" } else { label }))
        .collect();
    format!("{loser} {offence} from {from}: {}", labels.join(" "))
}

fn slow_words(ruling: &slow_rules::Ruling) -> String {
    let labels = ruling.labels.iter().map(|&(step, label)| (step.to_string(), label)).collect();
    words(ruling.loser_is_red, ruling.offence.unwrap_or_default(), ruling.window_start, labels)
}

fn fast_words(judgement: &rules::Judgement) -> String {
    let labels = judgement.labels.iter();
    let labels = labels.map(|&(mv, label)| (step(mv).to_string(), label_name(label))).collect();
    let (loser_is_red, offence) = match judgement.verdict {
        Verdict::Ongoing => panic!("a window and no verdict"),
        Verdict::Draw => (None, ""),
        Verdict::Forbidden { offender, offence } => {
            (Some(offender == Color::Red), offence_name(offence))
        }
    };
    words(loser_is_red, offence, judgement.window_start, labels)
}

/// How often each label and each end occurred, and what was disputed.
#[derive(Default)]
struct Tally {
    seen: BTreeMap<&'static str, usize>,
    disputed: Vec<String>,
}

impl Tally {
    fn note(&mut self, ruling: &slow_rules::Ruling) {
        for &(_, label) in &ruling.labels {
            *self.seen.entry(label).or_default() += 1;
        }
        *self.seen.entry(ruling.offence.unwrap_or("和")).or_default() += 1;
    }

    /// Plays a game and compares what is said after each of its plies.
    fn compare(&mut self, game: &Game, ruleset: Ruleset) {
        let slow = slow(&ruleset);
        let mut line = Line::under(ruleset, position(&game.start.fen()));
        let moves = game.moves(ruleset.repetition_count);
        for (ply, &step) in (1..).zip(&moves) {
            line.play(mv(step)).expect("the slow board knows the rules");
            let ruling = slow.ruling(&game.start, &moves[..ply]);
            let judgement = rules::judgement(&line);
            let expected = ruling.as_ref().map(slow_words);
            let found = judgement.as_ref().map(fast_words);
            // Men that cannot win draw without a repetition (4.2.1).
            let dead = !line.position().can_be_won() && !line.position().is_lost();
            let unrepeated = if dead { Verdict::Draw } else { Verdict::Ongoing };
            let verdict = judgement.map_or(unrepeated, |judgement| judgement.verdict);
            if expected != found || rules::judge(&line) != verdict {
                let words: Vec<_> = moves[..ply].iter().map(ToString::to_string).collect();
                self.disputed.push(format!(
                    "{} moves {}\n  slow: {expected:?}\n  fast: {found:?}, {verdict:?}",
                    game.start.fen(),
                    words.join(" ")
                ));
            }
            if ply == moves.len() {
                self.note(&ruling.expect("the game goes round often enough"));
            }
        }
    }
}

/// Games of the quick run, and of the one that takes minutes.
const SHORT: usize = if cfg!(debug_assertions) { 60 } else { 2000 };
const LONG: usize = 100_000;

/// Compares what is said of random games.
fn compare(seed: u64, number: usize, ruleset: Ruleset) -> Tally {
    let mut tally = Tally::default();
    for game in games(seed).take(number) {
        tally.compare(&game, ruleset);
    }
    let first = tally.disputed.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(tally.disputed.is_empty(), "{} disputed:\n{first}", tally.disputed.len());
    tally
}

/// Everything that can be said was said more than once.
fn assert_everything_occurred(tally: &Tally) {
    let labels = ["将", "杀", "捉", "捉抽", "兵捉", "帅捉", "闲"];
    let ends = ["长将", "长杀", "长捉", "一将一杀", "一将一捉", "一杀一捉", "将杀捉", "和"];
    for name in labels.iter().chain(&ends) {
        let times = tally.seen.get(name).copied().unwrap_or_default();
        assert!(times > 1 || SHORT < 2000, "{name} occurred {times} times: {:?}", tally.seen);
    }
}

#[test]
fn the_judge_says_of_random_cycles_what_the_slow_rules_say() {
    assert_everything_occurred(&compare(30, SHORT, Ruleset::default()));
}

#[test]
#[ignore = "takes minutes"]
fn the_judge_says_of_very_many_random_cycles_what_the_slow_rules_say() {
    assert_everything_occurred(&compare(31, LONG, Ruleset::default()));
}

#[test]
fn the_judge_and_the_slow_rules_take_the_same_numbers() {
    let chinese = Ruleset::default();
    let others = [
        Ruleset { kill_depth: 0, ..chinese },
        Ruleset { kill_depth: 1, ..chinese },
        Ruleset { kill_depth: 2, check_gain: false, ..chinese },
        Ruleset { repetition_count: 4, ..chinese },
    ];
    for (seed, ruleset) in (40..).zip(others) {
        compare(seed, SHORT / 10, ruleset);
    }
}

#[test]
fn the_slow_rules_know_every_chinese_verdict_and_label() {
    let rules = SlowRules::new(3, 3, true);
    let chinese = cases().into_iter().filter(|case| case.ruleset == "Chinese");
    for case in chinese.filter(|case| case.kind.is_none()) {
        let ruling = rules.ruling(&case.start, &case.moves).expect(&case.id);
        let verdict = match ruling.loser_is_red {
            Some(true) => "red loses",
            Some(false) => "black loses",
            None => "draw",
        };
        assert_eq!(verdict, case.verdict, "{}", case.id);
        let labels: Vec<_> =
            ruling.labels.iter().map(|(step, label)| format!("{step}:{label}")).collect();
        for label in &case.labels {
            assert!(labels.contains(label), "{}: {label} in {labels:?}", case.id);
        }
    }
}
