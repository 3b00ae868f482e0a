//! Games with known verdicts before the judge, theirs and their twins'; and very long games.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use crate::common::{
    cases::{Case, cases},
    games::{after, mv, position, ruleset},
    labels::label_name,
    slow::START,
};
use chuhe::{
    position::{Position, Unobserved},
    rules::{
        self, Book, Draw, Illegality, Label, Language, Line, Offence, Outcome, Reason, Ruleset,
        Verdict, Win,
    },
    types::{Color, Move, SplitMix64},
};

fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ongoing => "none",
        Verdict::Draw => "draw",
        Verdict::Forbidden { offender: Color::Red, .. } => "red loses",
        Verdict::Forbidden { offender: Color::Black, .. } => "black loses",
    }
}

/// What the judge says in the end. Before the third occurrence of a position it must say nothing.
fn verdict(case: &Case) -> &'static str {
    let mut line = Line::under(ruleset(case), position(&case.start.fen()));
    let mut board = case.start.clone();
    let mut seen = HashMap::from([(board.fen(), 1)]);
    for (ply, &step) in (1..).zip(&case.moves) {
        line.play(mv(step)).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        board = board.after(step);
        let times = seen.entry(board.fen()).or_insert(0);
        *times += 1;
        if *times < 3 && ply < case.moves.len() {
            // Men that cannot win are a draw at once (4.2.1).
            let dead = !line.position().can_be_won();
            let expected = if dead { Verdict::Draw } else { Verdict::Ongoing };
            assert_eq!(rules::judge(&line), expected, "{} at ply {ply}", case.id);
        }
        if *times >= 3 {
            assert_eq!(case.kind, None, "{} repeats", case.id);
            let judgement = rules::judgement(&line).expect(&case.id);
            assert_eq!(judgement.verdict, rules::judge(&line), "{} at ply {ply}", case.id);
        }
    }
    if case.kind.as_deref() == Some("terminal") {
        assert!(line.position().is_lost(), "{}", case.id);
        return if board.red_to_move { "red loses" } else { "black loses" };
    }
    let judgement = rules::judgement(&line);
    let labels = judgement.iter().flat_map(|judgement| &judgement.labels);
    let labels: Vec<_> = labels.map(|&(mv, label)| format!("{mv}:{}", label_name(label))).collect();
    for label in &case.labels {
        // A chase by way of a check is a chase.
        assert!(labels.contains(&label.replace('抽', "")), "{}: {label}, {labels:?}", case.id);
    }
    words(rules::judge(&line))
}

/// Every row and its twins have the row's verdict.
fn assert_verdicts(ruleset: &str, least: usize) {
    let rows: Vec<_> = cases().into_iter().filter(|case| case.ruleset == ruleset).collect();
    assert!(rows.len() >= least, "only {} rows", rows.len());
    let twins = rows.iter().flat_map(|case| {
        [case.clone(), case.mirrored(), case.flipped(), case.mirrored().flipped()]
    });
    let wrong: Vec<_> = twins
        .map(|case| (verdict(&case), case))
        .filter(|(found, case)| *found != case.verdict)
        .map(|(found, case)| format!("{}: {}, judged {found}", case.id, case.verdict))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn articles_24_to_29_decide_every_chinese_row_and_its_twins() {
    assert_verdicts("Chinese", 194);
}

#[test]
fn the_asian_rules_decide_every_asian_row_and_its_twins() {
    assert_verdicts("Asian", 83);
}

/// What a reason says of the man it is about.
fn wins(reason: Reason) -> bool {
    use Reason::{ByCheck, Check, FalseRoot, Mate, Pinned, Rootless, TooFew, Uneven};
    matches!(reason, Check | Mate | ByCheck | Rootless | Uneven | Pinned | FalseRoot | TooFew)
}

/// Whoever reads why a ply has its label can play it on a board.
fn assert_explained(case: &Case, seen: &mut BTreeMap<Reason, usize>) {
    let mut line = Line::under(ruleset(case), position(&case.start.fen()));
    for &step in &case.moves {
        line.play(mv(step)).unwrap_or_else(|error| panic!("{}: {error}", case.id));
    }
    let ruling = rules::ruling(&line);
    for clause in &ruling.clauses {
        for language in [Language::English, Language::Chinese] {
            assert!(language.article(clause).is_some(), "{}: nothing said of {clause}", case.id);
        }
    }
    let start = ruling.window_start.unwrap_or(0);
    let moves = line.history()[start..].iter().filter_map(rules::Ply::mv);
    let labelled = ruling.labels.iter().zip(&ruling.findings).zip(moves).enumerate();
    for (index, ((&(mv, label), finding), played)) in labelled {
        let name = format!("{} ply {}", case.id, start + index + 1);
        assert_eq!((mv, label), (played, finding.label), "{name}");
        let after = line.position_after(start + index + 1);
        let attacks = matches!(label, Label::Check | Label::Kill | Label::Chase)
            || matches!(label, Label::PawnChase | Label::KingChase);
        assert!(!attacks || !finding.grounds.is_empty(), "{name}: {label:?} and nothing said");
        for ground in &finding.grounds {
            *seen.entry(ground.reason).or_default() += 1;
            assert_eq!(wins(ground.reason), attacks, "{name}: {label:?} {ground:?}");
            let [attacker, victim] = [ground.attacker, ground.victim].map(|at| after.piece_at(at));
            let colors = [attacker, victim].map(|man| man.expect("a man").color());
            assert_ne!(colors[0], colors[1], "{name} {ground:?}");
            if matches!(ground.reason, Reason::Block | Reason::Offer | Reason::Check) {
                continue;
            }
            let mut board = after.clone();
            board.make_null();
            let exposes = ground.reason == Reason::SelfCheck && ground.line.len() == 1;
            for &mv in &ground.line {
                assert!(board.is_legal(mv) != exposes, "{name}: {mv} of {ground:?}");
                board.make(mv, &mut Unobserved);
            }
            if matches!(ground.reason, Reason::Mate | Reason::FalseRoot) {
                assert!(board.in_check() && board.is_lost(), "{name}: no mate in {ground:?}");
            }
        }
    }
}

#[test]
fn every_reason_can_be_checked_at_the_board() {
    let mut seen = BTreeMap::new();
    for case in cases() {
        assert_explained(&case, &mut seen);
    }
    for reason in [
        Reason::Check,
        Reason::Mate,
        Reason::ByCheck,
        Reason::Rootless,
        Reason::Uneven,
        Reason::Pinned,
        Reason::TooFew,
        Reason::Old,
        Reason::Rooted,
        Reason::Exchange,
        Reason::SelfCheck,
        Reason::Block,
        Reason::Offer,
    ] {
        assert!(seen.contains_key(&reason), "{reason:?} is never said: {seen:?}");
    }
}

/// How a game may end, and how it goes on.
fn outcomes() -> Vec<Outcome> {
    let offence = Offence::PerpetualChase;
    let [kings, way] = [Illegality::KingsFace, Illegality::Screen].map(Win::IllegalMove);
    let wins = [Win::Checkmate, Win::Stalemate, Win::Repetition(offence), kings, way];
    let faults = [Win::Time, Win::Resignation, Win::Crash];
    let draws = [Draw::Repetition, Draw::NaturalLimit, Draw::NoAttackers, Draw::Agreement];
    let won = wins.into_iter().chain(faults).map(|by| Outcome::Won { winner: Color::Red, by });
    won.chain(draws.map(Outcome::Drawn)).chain([Outcome::Ongoing]).collect()
}

#[test]
fn the_articles_that_are_cited_are_those_of_the_list() {
    let list = include_str!("data/judge/articles.txt").lines();
    let listed: BTreeSet<_> = list
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('|').expect("a number first").0.to_owned())
        .collect();
    let mut cited: BTreeSet<String> =
        outcomes().iter().flat_map(|outcome| outcome.clauses()).map(ToString::to_string).collect();
    for case in cases() {
        let mut line = Line::under(ruleset(&case), position(&case.start.fen()));
        for &step in &case.moves {
            line.play(mv(step)).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        }
        cited.extend(rules::ruling(&line).clauses.iter().map(ToString::to_string));
    }
    assert_eq!(cited, listed);
}

/// Long enough for any machine; a judge that went over the whole game at each ply would need more.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 120 } else { 20 });

const LONG: usize = 2000;

/// Plays `LONG` plies, whatever the judge says of them, and has it judge each.
fn play_long(book: Book, start: &str, mut next: impl FnMut(&Position, usize) -> Option<Move>) {
    let began = Instant::now();
    let mut line = Line::under(Ruleset::of(book), position(start));
    let mut decided = 0;
    for ply in 0..LONG {
        let Some(mv) = next(line.position(), ply) else { break };
        line.play(mv).unwrap_or_else(|error| panic!("{error}"));
        decided += usize::from(rules::judge(&line) != Verdict::Ongoing);
        if let Some(judgement) = rules::judgement(&line) {
            assert_eq!(judgement.verdict, rules::judge(&line), "ply {ply}");
            assert_eq!(judgement.window_start + judgement.labels.len(), line.plies());
        }
    }
    assert!(line.plies() == LONG && decided > 0, "{} plies, {decided} decided", line.plies());
    assert!(began.elapsed() < PATIENCE, "{book:?}: {:?}", began.elapsed());
}

const BOOKS: [Book; 4] = [Book::Chinese, Book::Asian, Book::Computer, Book::Simple];

#[test]
fn a_cycle_that_goes_on_for_two_thousand_plies_is_judged_at_each_of_them() {
    let rooks = ["a0a1", "a9a8", "a1a0", "a8a9"];
    for book in BOOKS {
        play_long(book, START, |_, ply| rooks[ply % 4].parse().ok());
    }
    let chase = ["d4d5", "c6c4", "d5d4", "c4c6"];
    let fen = "2ba1k3/4a4/4b4/2c6/9/3R5/9/4B4/4A4/3AK4 w";
    for book in BOOKS {
        play_long(book, fen, |_, ply| chase[ply % 4].parse().ok());
    }
}

#[test]
fn a_random_walk_of_two_thousand_plies_is_judged_at_each_of_them() {
    // Few men, so that positions come back often and after many plies.
    for fen in ["3k5/4a4/9/9/4n4/9/9/4B4/9/4K1R2 w", "4k4/9/4c4/9/9/9/4P4/9/4C4/3K5 w", START] {
        for (seed, book) in (40..).zip(BOOKS) {
            let mut rng = SplitMix64::new(seed);
            play_long(book, fen, |position, _| {
                let goes_on = |mv: &Move| !after(&mut position.clone(), *mv, |next| next.is_lost());
                let moves: Vec<_> = position.legal_moves().into_iter().filter(goes_on).collect();
                let quiet = |mv: &Move| position.piece_at(mv.to()).is_none();
                let quiet: Vec<_> = moves.iter().copied().filter(quiet).collect();
                let choice = if quiet.is_empty() { moves } else { quiet };
                (!choice.is_empty()).then(|| choice[rng.below(choice.len())])
            });
        }
    }
}
