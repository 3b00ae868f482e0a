//! Laws of self-play: the same games from the same seed, whatever interrupts them.

use std::{fs, ops::ControlFlow, path::PathBuf};

use super::*;
use crate::{
    records::{Archive, EndReason, Game},
    rules::{self, Line, Outcome},
    types::SplitMix64,
};

/// Short games, so that tests are.
fn plan(seed: u64) -> SelfplayPlan {
    SelfplayPlan {
        seed,
        nodes: 40,
        most_plies: 60,
        draw_after: 10,
        few_men: 0.3,
        ..SelfplayPlan::default()
    }
}

fn play(plan: &SelfplayPlan, count: u64) -> Vec<Game> {
    let mut player = SelfPlayer::new(plan, None);
    (0..count).map(|number| player.play(number)).collect()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("chuhe-datagen-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn go_on(_: &DatagenProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn read(path: &std::path::Path) -> Vec<Game> {
    let archive = Archive::open(path).unwrap();
    assert_eq!(archive.damage(), []);
    archive.blocks().iter().flat_map(|block| archive.games(block).unwrap()).collect()
}

#[test]
fn results_are_what_the_rules_say() {
    let games = play(&plan(1), 30);
    for game in &games {
        let mut line = Line::new(game.start.clone());
        game.opening.iter().for_each(|&mv| line.play(mv).unwrap());
        for ply in &game.plies {
            assert_eq!(rules::outcome(&line), Outcome::Ongoing);
            line.play(ply.mv).unwrap();
        }
        let (ongoing, winner) = match rules::outcome(&line) {
            Outcome::Ongoing => (true, None),
            Outcome::Won { winner, .. } => (false, Some(winner)),
            Outcome::Drawn(_) => (false, None),
        };
        assert_eq!(
            ongoing,
            matches!(game.end, EndReason::Agreed | EndReason::TooLong),
            "{:?}",
            game.end
        );
        assert!(ongoing || winner == game.winner);
        assert!(game.plies.len() <= 60);
        assert!(game.plies.first().is_none_or(|ply| ply.score.abs() <= 300));
    }
    assert!(games.iter().any(|game| game.opening.is_empty()), "none begins with few men");
    assert!(games.iter().any(|game| game.opening.len() >= 8), "none begins as usual");
}

#[test]
fn a_game_depends_on_its_number_alone() {
    let games = play(&plan(2), 6);
    let mut player = SelfPlayer::new(&plan(2), None);
    for number in [4, 1, 5] {
        assert_eq!(player.play(number), games[number as usize]);
    }
    assert_ne!(play(&plan(3), 6), games);
    assert!((1..6).all(|number| games[number] != games[0]));
}

#[test]
fn threads_and_stops_change_no_game() {
    let folder = Folder::new("resume");
    let [whole, parts] = ["whole", "parts"].map(|name| folder.0.join(name));
    let progress = generate(&plan(4), None, &whole, 0..12, 3, go_on).unwrap();
    let games = read(&whole);
    assert_eq!((games.len(), progress.games, progress.played), (12, 12, 12));
    assert_eq!(progress.results.iter().sum::<u64>(), 12);
    assert_eq!(games, play(&plan(4), 12));

    let mut runs = 0;
    while read_or_none(&parts).len() < 12 {
        let two = |progress: &DatagenProgress| match progress.played {
            0..2 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        generate(&plan(4), None, &parts, 0..12, 2, two).unwrap();
        runs += 1;
    }
    assert_eq!(read(&parts), games);
    assert!(runs > 1);
    assert!(matches!(
        generate(&plan(5), None, &parts, 0..20, 1, go_on),
        Err(DatagenError::Foreign(_))
    ));
}

#[test]
fn games_that_damage_has_cost_are_told() {
    let folder = Folder::new("damage");
    let path = folder.0.join("games");
    let plan = plan(8);
    let generate = |wanted| generate(&plan, None, &path, 0..wanted, 2, go_on).unwrap();
    // A block for each run.
    let ends = [2, 5, 6].map(|wanted| {
        generate(wanted);
        fs::metadata(&path).unwrap().len() as usize
    });
    let mut bytes = fs::read(&path).unwrap();
    bytes[ends[0] + 50] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let progress = generate(7);
    assert_eq!((progress.games, progress.lost, progress.played), (7, 3, 1));
    assert_eq!(fs::read(&path).unwrap()[..ends[2]], bytes);
}

fn read_or_none(path: &std::path::Path) -> Vec<Game> {
    if path.exists() { read(path) } else { Vec::new() }
}

#[test]
fn clear_games_are_cut_short_unless_they_are_to_be_played() {
    let plies = |to_end| {
        let plan = SelfplayPlan { to_end, win_value: 300, win_plies: 2, stray: 0.3, ..plan(6) };
        play(&plan, 20).iter().map(|game| game.plies.len()).sum::<usize>()
    };
    assert!(plies(0.0) < plies(1.0));
}

#[test]
fn chances_are_what_they_are_said_to_be() {
    let mut rng = SplitMix64::new(1);
    for (share, least, most) in [(0.0, 0, 0), (0.1, 800, 1_200), (1.0, 10_000, 10_000)] {
        let count = (0..10_000).filter(|_| openings::chance(share, &mut rng)).count();
        assert!((least..=most).contains(&count), "{share}: {count}");
    }
}

#[test]
fn shards_joined_are_the_whole() {
    let folder = Folder::new("shards");
    let [whole, one, two, joined] =
        ["whole", "one", "two", "joined"].map(|name| folder.0.join(name));
    generate(&plan(9), None, &whole, 0..9, 2, go_on).unwrap();
    generate(&plan(9), None, &two, 4..7, 2, go_on).unwrap();
    generate(&plan(9), None, &one, 0..4, 2, go_on).unwrap();
    let progress = generate(&plan(9), None, &two, 4..9, 2, go_on).unwrap();
    assert_eq!((progress.games, progress.wanted, progress.played, progress.lost), (5, 5, 2, 0));
    assert_eq!(join(&[two.clone(), one.clone()], &joined).unwrap(), 9);
    assert_eq!(read(&joined), read(&whole));
    // One that is joined can be gone on with, like any other.
    let progress = generate(&plan(9), None, &joined, 0..10, 2, go_on).unwrap();
    assert_eq!((progress.games, progress.played), (10, 1));

    let error = |parts: &[&PathBuf]| {
        let parts: Vec<_> = parts.iter().map(|&part| part.clone()).collect();
        join(&parts, &folder.0.join("none")).unwrap_err().to_string()
    };
    assert!(error(&[&one, &whole]).contains("or are among them"));
    let other = folder.0.join("other");
    generate(&plan(10), None, &other, 9..10, 1, go_on).unwrap();
    assert!(error(&[&one, &other]).contains("another plan"));
    assert!(matches!(join(&[one], &whole), Err(DatagenError::Write { .. })));
}

#[test]
fn rescored_games_differ_in_their_scores_alone() {
    let folder = Folder::new("rescore");
    let [old, new, again] = ["old", "new", "again"].map(|name| folder.0.join(name));
    generate(&plan(11), None, &old, 0..6, 2, go_on).unwrap();
    let progress = rescore(&old, 120, None, &new, 2, go_on).unwrap();
    assert_eq!((progress.games, progress.wanted), (6, 6));
    let (before, after) = (read(&old), read(&new));
    let unscored = |games: &[Game]| {
        let mut games = games.to_vec();
        games.iter_mut().flat_map(|game| &mut game.plies).for_each(|ply| ply.score = 0);
        games
    };
    assert_ne!(before, after);
    assert_eq!(unscored(&before), unscored(&after));
    let stop = |_: &DatagenProgress| ControlFlow::Break(());
    rescore(&old, 120, None, &again, 1, stop).unwrap();
    rescore(&old, 120, None, &again, 3, go_on).unwrap();
    assert_eq!(read(&again), after);
    assert!(matches!(rescore(&old, 90, None, &new, 1, go_on), Err(DatagenError::Foreign(_))));
    let none = folder.0.join("none");
    assert!(matches!(rescore(&none, 90, None, &again, 1, go_on), Err(DatagenError::Read { .. })));
}

#[test]
fn games_of_the_format_before_stay_unmarked_when_rescored() {
    let folder = Folder::new("rescore-1");
    let [old, new] = ["old", "new"].map(|name| folder.0.join(name));
    fs::write(&old, include_bytes!("../../tests/data/records-v1")).unwrap();
    rescore(&old, 20, None, &new, 2, go_on).unwrap();
    assert_eq!(Archive::open(&new).unwrap().unmarked_plies(), 20);
}

#[test]
fn random_moves_are_marked_and_no_others() {
    let plan = SelfplayPlan { stray: 0.5, stray_plies: 10, few_men: 0.0, ..plan(12) };
    let games = play(&plan, 12);
    let marked = |plies: std::ops::Range<usize>| {
        let plies =
            games.iter().flat_map(|game| game.plies.iter().take(plies.end).skip(plies.start));
        plies.filter(|ply| ply.random).count()
    };
    assert!((30..=90).contains(&marked(0..10)), "{}", marked(0..10));
    assert_eq!(marked(10..60), 0);
    let none = SelfplayPlan { stray: 0.0, ..plan };
    assert!(play(&none, 4).iter().all(|game| game.chosen_from() == 0));
}
