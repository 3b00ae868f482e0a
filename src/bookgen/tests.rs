//! Laws of making books: what they depend on, and that they hold what they are meant to.

use std::{
    cell::Cell, collections::HashSet, env, fs, ops::ControlFlow, path::PathBuf, process, slice,
};

use super::*;
use crate::{
    book::{Book, Entry, Pages},
    position::Unobserved,
    types::{Color, Move},
};

const SETTINGS: Settings = Settings { nodes: 300, lines: 4, hash_mb: 1 };
const DEEPER: Settings = Settings { nodes: 1_000, lines: 1, hash_mb: 1 };
const PLAN: BookPlan =
    BookPlan { plies: 5, positions: 25, margin: 20, reply_margin: 60, ply_cost: 5 };

/// A file that goes when the test does.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("chuhe-bookgen-{name}-{}", process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn go_on(_: BuildProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn studies(threads: usize) -> Studies {
    Studies::new(SETTINGS, None, threads)
}

fn thoughts(first: &mut Studies) -> Thoughts<'_> {
    Thoughts { first, again: None, doubt: PLAN.reply_margin }
}

fn grown(threads: usize) -> Pages {
    grow(&PLAN, &mut thoughts(&mut studies(threads)), go_on).unwrap().unwrap()
}

fn bytes(pages: &Pages) -> Vec<u8> {
    let mut bytes = Vec::new();
    pages.write_own(&mut bytes).unwrap();
    bytes
}

fn book(pages: &Pages) -> Book {
    Book::from_bytes("made", bytes(pages)).unwrap()
}

fn after(moves: &[&str]) -> Position {
    let mut position = Position::start();
    for mv in moves {
        position.make(mv.parse().unwrap(), &mut Unobserved);
    }
    position
}

fn moves(words: &str) -> Vec<Move> {
    words.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn the_same_book_comes_of_any_number_of_threads() {
    let book = bytes(&grown(1));
    assert_eq!(bytes(&grown(1)), book);
    assert_eq!(bytes(&grown(3)), book);
}

#[test]
fn a_move_is_worth_what_the_second_thought_says_of_where_it_leads() {
    let (mut first, mut again) = (studies(1), Studies::new(DEEPER, None, 1));
    let position = filed(&after(&["h2e2"]));
    let doubt = 10;
    let mut thoughts = Thoughts { first: &mut first, again: Some(&mut again), doubt };
    assert_eq!(thoughts.get(&position, true), None);
    let other = filed(&after(&["h2e2", "h9g7"]));
    let (own, others) = (slice::from_ref(&position), slice::from_ref(&other));
    assert!(thoughts.think(own, others, &mut || ControlFlow::Continue(())).unwrap().is_continue());
    // Where the other side moves the first thoughts do.
    assert_eq!(thoughts.get(&other, true), None);
    let worths = thoughts.get(&other, false).unwrap().into_iter();
    let study = thoughts.first.get(Key::of(&other).number).unwrap();
    assert!(worths.map(|worth| (worth.mv, worth.value)).eq(study.moves.iter().copied()));
    let worths = thoughts.get(&position, true).unwrap();
    let known = first.get(Key::of(&position).number).unwrap();
    let near = known.moves.iter().filter(|(_, value)| known.value() - value <= 10);
    assert!(worths.iter().map(|worth| worth.mv).eq(near.map(|&(mv, _)| mv)));
    assert!(worths.len() > 1);
    for worth in worths {
        let child = super::after(&position, worth.mv);
        let mut alone = Studies::new(DEEPER, None, 1);
        let _ = alone.think(&[filed(&child)], &mut |_| ControlFlow::Continue(())).unwrap();
        let study = alone.get(Key::of(&child).number).unwrap();
        assert_eq!((worth.value, worth.depth), (-study.value(), study.depth + 1));
    }
}

#[test]
fn a_book_by_second_thoughts_depends_on_nothing_else() {
    let made = |threads| {
        let (mut first, mut again) = (studies(threads), Studies::new(DEEPER, None, threads));
        let doubt = PLAN.reply_margin;
        let mut thoughts = Thoughts { first: &mut first, again: Some(&mut again), doubt };
        grow(&PLAN, &mut thoughts, go_on).unwrap().unwrap()
    };
    let pages = made(1);
    assert_eq!(bytes(&made(3)), bytes(&pages));
    assert_ne!(bytes(&grown(1)), bytes(&pages));
    assert!(pages.description.contains("again = 1000\n"), "{}", pages.description);
}

#[test]
fn a_book_has_nothing_that_its_owner_never_comes_to() {
    let pages = grown(1);
    let all: HashSet<_> = pages.iter().map(|(position, _)| Key::of(position).number).collect();
    assert_eq!(walk::of_use(&pages), all);
}

#[test]
fn a_book_that_was_broken_off_is_gone_on_with() {
    let file = Temporary::new("resume");
    let mut runs = 0;
    let pages = loop {
        runs += 1;
        let mut studies = studies(2).kept_in(&file.0).unwrap();
        let thought = Cell::new(0);
        let few = |_: BuildProgress| {
            thought.set(thought.get() + 1);
            if thought.get() < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        if let Some(pages) = grow(&PLAN, &mut thoughts(&mut studies), few).unwrap() {
            break pages;
        }
        // A line that a kill cut short.
        let mut text = fs::read(&file.0).unwrap();
        text.extend(b"{\"fen\":\"rnbaka");
        fs::write(&file.0, text).unwrap();
    };
    assert!(runs > 2, "{runs}");
    assert_eq!(bytes(&pages), bytes(&grown(1)));
    let lines = fs::read_to_string(&file.0).unwrap();
    assert!(lines.lines().skip(1).all(|line| line.starts_with("{\"fen\":") && line.ends_with('}')));
}

#[test]
fn a_larger_book_goes_on_from_the_thoughts_of_a_smaller_one() {
    let mut known = studies(1);
    grow(&PLAN, &mut thoughts(&mut known), go_on).unwrap();
    let larger = BookPlan { positions: 35, plies: 6, ..PLAN };
    let pages = grow(&larger, &mut thoughts(&mut known), go_on).unwrap().unwrap();
    let fresh = grow(&larger, &mut thoughts(&mut studies(1)), go_on).unwrap().unwrap();
    assert_eq!(bytes(&pages), bytes(&fresh));
}

#[test]
fn a_file_of_other_thoughts_is_refused() {
    let file = Temporary::new("foreign");
    drop(studies(1).kept_in(&file.0).unwrap());
    let other = Studies::new(Settings { nodes: 301, ..SETTINGS }, None, 1);
    assert!(matches!(other.kept_in(&file.0), Err(StudyError::Foreign(_))));
    let whole = fs::read_to_string(&file.0).unwrap();
    // A file of something else stays as it is; a head that was cut short is made whole.
    for (bytes, after) in [("a letter", "a letter"), (&whole[..9], &whole), ("", &whole)] {
        fs::write(&file.0, bytes).unwrap();
        assert_eq!(studies(1).kept_in(&file.0).is_ok(), bytes != "a letter");
        assert_eq!(fs::read_to_string(&file.0).unwrap(), after);
    }
    let mut text = fs::read_to_string(&file.0).unwrap();
    text += "{\"fen\":\"4k4/9/9/9/9/9/9/9/9/3K5 w\",\"depth\":1,\"moves\":[[\"d0e0\",3]]}\n";
    fs::write(&file.0, text).unwrap();
    let error = studies(1).kept_in(&file.0).err().unwrap().to_string();
    let words =
        "line 2: `d0e0` is no legal move of its position; without that line it can be gone on with";
    assert!(error.ends_with(words), "{error}");
}

#[test]
fn a_book_is_what_its_plan_says() {
    let pages = grown(1);
    assert!((10..=PLAN.positions).contains(&pages.positions()), "{}", pages.positions());
    for (position, entries) in pages.iter() {
        let best = entries.iter().filter_map(|entry| entry.score).max().unwrap();
        for entry in entries {
            let loss = u32::from(best.abs_diff(entry.score.unwrap()));
            assert!(loss <= PLAN.margin && entry.depth > 0);
            assert_eq!(entry.weight == 100, loss == 0, "{}", position.fen());
        }
    }
    let walk = walk(&book(&pages)).unwrap();
    assert_eq!(bytes(&walk.pages), bytes(&pages), "not all of it is reached");
    assert_eq!(walk.plies[0], 1);
    assert!(walk.plies.len() <= PLAN.plies as usize);
}

#[test]
fn a_value_is_the_mean_of_a_thought_and_of_the_best_line() {
    let mut first = studies(1);
    let plan = BookPlan { plies: 2, margin: 1_000, ..PLAN };
    let pages = grow(&plan, &mut thoughts(&mut first), go_on).unwrap().unwrap();
    let start = Position::start();
    let own = first.get(Key::of(&start).number).unwrap().moves.clone();
    let mut lines_that_differ = 0;
    for entry in pages.entries(&start) {
        let key = Key::of(&start);
        let Some(&(_, thought)) = own.iter().find(|(mv, _)| *mv == key.filed(entry.mv)) else {
            continue;
        };
        let line = -first.get(Key::of(&super::after(&start, entry.mv)).number).unwrap().value();
        assert_eq!(entry.score, Some(thought.midpoint(line)), "{}", entry.mv);
        lines_that_differ += usize::from(line != thought);
    }
    assert!(lines_that_differ > 1, "{lines_that_differ}");
}

#[test]
fn a_planted_blunder_is_found_and_the_worst() {
    let mut pages = grown(1);
    // A cannon for a pawn.
    let (node, blunder) = (after(&["h2e2", "h9g7"]), "e2e6".parse().unwrap());
    pages.set(&node, Entry::new(blunder, 50)).unwrap();
    let settings = Settings { nodes: 2_000, lines: 1, hash_mb: 1 };
    let mut deeper = Studies::new(settings, None, 2);
    let losses = verify(&pages, &mut deeper, go_on).unwrap().unwrap();
    assert_eq!(losses.len(), pages.moves(), "a move and its mirror image are one");
    // It may be found in the mirror image.
    let filed = |position: &Position, mv| {
        let key = Key::of(position);
        (key.number, key.filed(mv))
    };
    assert_eq!(filed(&losses[0].position, losses[0].mv), filed(&node, blunder));
    assert!(losses[0].points > 50 && losses[1].points < losses[0].points, "{}", losses[0].points);
    assert!(losses.iter().any(|loss| loss.points == 0));
    // Nothing is thought about twice.
    let again = verify(&pages, &mut deeper, |progress| {
        assert_eq!(progress.done, progress.wanted);
        ControlFlow::Continue(())
    });
    assert_eq!(again.unwrap().unwrap().len(), losses.len());
}

/// A book of moves that lose so much.
fn losing(moves: &[(Position, &str, u32)]) -> (Pages, Vec<Loss>) {
    let mut pages = Pages::new("");
    let losses = moves.iter().map(|(position, mv, points)| {
        let (position, mv) = (position.clone(), mv.parse().unwrap());
        pages.set(&position, Entry::new(mv, 1)).unwrap();
        Loss { position, mv, points: *points, value: 7, depth: 9 }
    });
    let losses = losses.collect();
    (pages, losses)
}

#[test]
fn what_struck_moves_alone_led_to_goes_with_them() {
    let island = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").unwrap();
    let (answered, behind) = (after(&["c3c4"]), after(&["c3c4", "b9c7"]));
    let (mut pages, losses) = losing(&[
        (Position::start(), "h2e2", 0),
        (Position::start(), "c3c4", 40),
        (after(&["h2e2"]), "h9g7", 30),
        (answered.clone(), "b9c7", 0),
        (behind.clone(), "h0g2", 0),
        (island.clone(), "d0d1", 0),
    ]);
    let stay = strike(&mut pages, losses, 30);
    let told: Vec<_> = stay.iter().map(|loss| (loss.mv.to_string(), loss.points)).collect();
    // The other side may still play the third pawn, who has the book may not.
    let wanted = [("h2e2", 0), ("h9g7", 30), ("b9c7", 0), ("d0d1", 0)];
    assert_eq!(told, wanted.map(|(mv, loss)| (mv.to_owned(), loss)));
    assert!(pages.entries(&behind).is_empty() && !pages.entries(&answered).is_empty());
    // Nothing ever led to the island.
    assert!(!pages.entries(&island).is_empty());
    assert_eq!((pages.positions(), pages.moves()), (4, 4));
}

#[test]
fn a_weight_by_a_score_is_made_anew_by_a_better_one_and_no_other() {
    let (start, answer) = (Position::start(), after(&["h2e2"]));
    let (mut pages, losses) =
        losing(&[(start.clone(), "h2e2", 0), (start.clone(), "c3c4", 3), (answer, "h9g7", 1)]);
    for mv in moves("h2e2 c3c4") {
        pages.entry(&start, mv).unwrap().score = Some(-5);
    }
    strike(&mut pages, losses, 4);
    let told = |position: &Position| -> Vec<_> {
        let entries = pages.entries(position).into_iter();
        entries.map(|entry| (entry.weight, entry.score, entry.depth)).collect()
    };
    let [best, other] = [(100, Some(7), 9), (40, Some(7), 9)];
    assert_eq!(told(&start), [best, best, other, other]);
    assert_eq!(told(&after(&["h2e2"])), [(1, None, 0)]);
}

#[test]
fn games_are_counted_for_whoever_moves() {
    let mut games = Games::new(3);
    let start = Position::start();
    for (words, unthought, winner) in [
        ("h2e2 h9g7 h0g2 i9h9", 0, Some(Color::Red)),
        ("b2e2 b9c7", 0, Some(Color::Black)),
        ("h2e2 b9c7 h0g2", 1, None),
    ] {
        games.add(&start, moves(words), unthought, winner).unwrap();
    }
    let elsewhere = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").unwrap();
    games.add(&elsewhere, moves("d0d1"), 0, None).unwrap();
    assert_eq!((games.counted(), games.passed_over()), (3, 1));
    assert!(games.add(&start, moves("h2e2 h2e2"), 0, None).is_err());

    let pages = games.finish(1);
    let count = |moves: &[&str], mv: &str| {
        let entries = pages.entries(&after(moves));
        let entry = entries.into_iter().find(|entry| entry.mv.to_string() == mv)?;
        Some((entry.weight, entry.wins, entry.draws, entry.losses))
    };
    // A game won, one lost by the mirror image, and one whose first move nobody chose; the bad game
    // counts as far as it goes.
    assert_eq!(count(&[], "h2e2"), Some((3, 1, 1, 1)));
    assert_eq!(count(&["h2e2"], "h9g7"), Some((2, 1, 0, 1)));
    assert_eq!(count(&["h2e2"], "b9c7"), Some((1, 0, 1, 0)));
    assert_eq!(count(&["h2e2", "h9g7", "h0g2"], "i9h9"), None, "beyond the plies");
}

#[test]
fn a_move_weighs_by_how_it_did_and_by_its_score_where_nothing_was_played() {
    let (start, answer) = (Position::start(), after(&["h2e2"]));
    let mut pages = Pages::new("");
    let of =
        [(&start, "h2e2", 20), (&start, "c3c4", 20), (&start, "g0e2", -40), (&answer, "h9g7", 0)];
    for (position, mv, score) in of {
        let entry = Entry { score: Some(score), depth: 5, ..Entry::new(mv.parse().unwrap(), 9) };
        pages.set(position, entry).unwrap();
    }
    let mut games = Games::new(10);
    for (words, winner, times) in [
        ("h2e2 h9g7", Some(Color::Red), 30),
        ("h2e2 h9g7", None, 10),
        ("c3c4", Some(Color::Black), 40),
        ("a3a4", Some(Color::Red), 5),
    ] {
        for _ in 0..times {
            games.add(&start, moves(words), 0, winner).unwrap();
        }
    }
    let weighed = weigh(&mut pages, &games, 49);
    assert_eq!(weighed, Weighed { played: 3, refused: 2 });
    let told = |position: &Position, mv: &str| {
        let entry = pages.entries(position).into_iter().find(|entry| entry.mv.to_string() == mv);
        entry.map(|entry| (entry.weight, entry.wins, entry.draws, entry.losses, entry.score))
    };
    // The best expects (35 + 6.35) / 50, the third pawn 6.35 / 50, the elephant 0.248.
    assert_eq!(told(&start, "h2e2"), Some((100, 30, 10, 0, Some(20))));
    assert_eq!(told(&start, "c3c4"), Some((0, 0, 0, 40, Some(20))));
    assert_eq!(told(&start, "g0e2"), Some((0, 0, 0, 0, Some(-40))));
    assert_eq!(told(&start, "a3a4"), None, "no move of the book");
    // The only move of its position is the best, however it did.
    assert_eq!(told(&answer, "h9g7"), Some((100, 0, 10, 30, Some(0))));
    // Nobody comes to where only a refused move leads.
    let behind = super::after(&after(&["c3c4"]), "h9g7".parse().unwrap());
    pages.set(&behind, Entry::new("h0g2".parse().unwrap(), 1)).unwrap();
    let mut both = pages.clone();
    both.entry(&start, "c3c4".parse().unwrap()).unwrap().weight = 1;
    weigh(&mut both, &games, 49);
    assert!(both.entries(&behind).is_empty());
    weigh(&mut pages, &games, 63);
    let weights: Vec<_> = pages.entries(&start).iter().map(|entry| entry.weight).collect();
    assert_eq!(weights, [100, 100, 9, 9, 0, 0]);
}

#[test]
fn moves_of_few_games_are_left_out() {
    let mut games = Games::new(10);
    for words in ["h2e2 h9g7", "h2e2 b9c7", "c3c4"] {
        games.add(&Position::start(), moves(words), 0, None).unwrap();
    }
    let pages = games.finish(2);
    assert_eq!((pages.positions(), pages.moves()), (1, 1));
}

#[test]
fn a_book_for_one_side_is_walked_through() {
    let mut pages = Pages::new("");
    for (line, mv) in [(&[][..], "h2e2"), (&["h2e2", "h9g7"], "h0g2"), (&["c3c4"], "b9c7")] {
        pages.set(&after(line), Entry::new(mv.parse().unwrap(), 1)).unwrap();
    }
    // Nobody proposed the moves that lead here.
    pages.set(&after(&["c3c4", "a6a5", "a3a4"]), Entry::new("h9g7".parse().unwrap(), 1)).unwrap();
    pages.set(&after(&["a3a4", "a6a5"]), Entry::new("h0g2".parse().unwrap(), 1)).unwrap();
    let walk = walk(&book(&pages)).unwrap();
    assert_eq!((walk.pages.positions(), walk.plies), (3, vec![1, 1, 1]));
}

#[test]
fn a_filed_position_is_one_of_both() {
    let (one, other) = (after(&["h2e2", "b9c7"]), after(&["b2e2", "h9g7"]));
    assert_eq!(filed(&one), filed(&other));
    assert!(filed(&one).fen().ends_with(" w - - 0 1"));
    assert_eq!(Key::of(&filed(&one)).number, Key::of(&one).number);
    assert!(!Key::of(&filed(&one)).mirrored);
}
