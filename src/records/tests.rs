//! Laws of the records: what is written is read, and damage is confined.

use std::{fs, path::PathBuf};

use super::*;
use crate::{
    position::{Position, Unobserved},
    types::{Color, Move, SplitMix64},
};

/// A random game with scores as a search might think.
fn game(rng: &mut SplitMix64) -> Game {
    const ENDING: &str = "3ak4/4a4/9/9/4P4/9/9/4B4/4A4/2BAK4 b - - 12 1";
    let start = match rng.below(4) {
        0 => Position::from_fen(ENDING).unwrap(),
        _ => Position::start(),
    };
    let mut position = start.clone();
    let mut next = |rng: &mut SplitMix64| -> Option<Move> {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.below(moves.len().max(1)))?;
        position.make(mv, &mut Unobserved);
        Some(mv)
    };
    let opening = (0..rng.below(10)).map_while(|_| next(rng)).collect();
    let mut score = 0;
    let mut ply = |rng: &mut SplitMix64| {
        let wild = if rng.below(50) == 0 { 3_000 } else { 40 };
        score = -score + rng.below(2 * wild + 1) as i32 - wild as i32;
        let random = rng.below(20) == 0;
        Some(Ply { mv: next(rng)?, score: stored(score), random })
    };
    let plies = (0..rng.below(120)).map_while(|_| ply(rng)).collect();
    let winner = [Some(Color::Red), Some(Color::Black), None][rng.below(3)];
    Game { start, opening, plies, winner, end: EndReason::ALL[rng.below(EndReason::ALL.len())] }
}

fn games(seed: u64, count: usize) -> Vec<Game> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(|_| game(&mut rng)).collect()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file of three blocks, and the games of each.
fn three_blocks(folder: &Folder) -> (PathBuf, Vec<Vec<Game>>) {
    let path = folder.0.join("games");
    let blocks = vec![games(1, 20), games(2, 1), games(3, 30)];
    let mut writer = Writer::create(&path, "nodes = 100").unwrap();
    for games in &blocks {
        writer.write(games).unwrap();
    }
    assert_eq!(writer.next_game(), 51);
    (path, blocks)
}

fn read(archive: &Archive) -> Vec<Vec<Game>> {
    archive.blocks().iter().map(|block| archive.games(block).unwrap()).collect()
}

#[test]
fn what_is_written_is_read() {
    let folder = Folder::new("records");
    let (path, blocks) = three_blocks(&folder);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.description(), "nodes = 100");
    assert_eq!(archive.damage(), []);
    assert_eq!(read(&archive), blocks);
    let firsts: Vec<_> = archive.blocks().iter().map(|block| block.first).collect();
    assert_eq!(firsts, [0, 20, 21]);
    let plies = blocks.concat().iter().map(|game| game.plies.len()).sum::<usize>();
    assert_eq!(archive.plies(), plies);
}

#[test]
fn damage_costs_its_own_block_alone() {
    let folder = Folder::new("damage");
    let (path, blocks) = three_blocks(&folder);
    let bytes = fs::read(&path).unwrap();
    let second = bytes.windows(4).rposition(|four| four == BLOCK_MAGIC).unwrap();
    let mut rng = SplitMix64::new(9);
    for _ in 0..60 {
        let mut bytes = bytes.clone();
        let at = HEAD + 19 + rng.below(bytes.len() - HEAD - 19);
        bytes[at] ^= 1 << rng.below(8);
        let archive = Archive::from_bytes(bytes).unwrap();
        let read = read(&archive);
        assert_eq!((archive.damage().len(), read.len()), (1, 2), "byte {at}");
        assert!(archive.damage()[0].0.contains(&at));
        assert!(read.iter().all(|games| blocks.contains(games)));
    }
    let torn = Archive::from_bytes(bytes[..second + 40].to_vec()).unwrap();
    assert_eq!(read(&torn), blocks[..2]);
    assert_eq!(torn.damage(), [Damage(second..second + 40)]);
}

#[test]
fn writing_goes_on_where_it_was_torn_off() {
    let folder = Folder::new("resume");
    let (path, mut blocks) = three_blocks(&folder);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let (mut writer, archive) = Writer::resume(&path).unwrap();
    assert_eq!((writer.next_game(), archive.blocks().len()), (21, 2));
    writer.write(&blocks[2]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    drop(writer);
    let (mut writer, _) = Writer::resume(&path).unwrap();
    blocks.push(games(4, 2));
    writer.write(&blocks[3]).unwrap();
    let archive = Archive::open(&path).unwrap();
    assert_eq!((read(&archive), archive.damage().len()), (blocks, 0));
    assert!(Writer::create(&path, "").is_err(), "an existing file is never overwritten");
}

#[test]
fn a_file_has_one_writer() {
    let folder = Folder::new("claim");
    let (path, blocks) = three_blocks(&folder);
    let first = Writer::resume(&path).unwrap();
    let told = Writer::resume(&path).unwrap_err().to_string();
    assert_eq!(told, "somebody else is writing to it at this time");
    drop(first);
    let (mut writer, _) = Writer::resume(&path).unwrap();
    writer.write(&games(9, 2)).unwrap();
    assert_eq!(Archive::open(&path).unwrap().blocks().len(), blocks.len() + 1);
}

#[test]
fn other_files_are_refused() {
    let folder = Folder::new("refused");
    let bytes = fs::read(three_blocks(&folder).0).unwrap();
    let error = |bytes: &[u8]| Archive::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(error(b""), "it holds no records");
    assert_eq!(error(b"CHUHENET and more"), "it holds no records");
    assert_eq!(error(&bytes[..20]), "its head is damaged");
    let mut other = bytes.clone();
    other[8] = 7;
    assert_eq!(error(&other), "its format is version 7, not 2");
    other.clone_from(&bytes);
    other[HEAD + 2] ^= 1;
    assert_eq!(error(&other), "its head is damaged");
    assert!(matches!(Archive::open(&folder.0.join("none")), Err(RecordError::File(_))));
}

#[test]
fn a_ply_takes_about_a_byte_and_a_half() {
    let folder = Folder::new("size");
    let path = folder.0.join("games");
    let games = games(5, 300);
    Writer::create(&path, "").unwrap().write(&games).unwrap();
    let plies: usize = games.iter().map(|game| game.plies.len() + game.opening.len()).sum();
    let bytes = fs::metadata(&path).unwrap().len() as f64 / plies as f64;
    assert!(bytes < 1.7, "{bytes}");
}

#[test]
fn replaying_shows_every_position_that_was_thought_about() {
    for game in games(6, 20) {
        let mut plies = Vec::new();
        game.replay(|position, ply| {
            assert!(position.is_legal(ply.mv));
            plies.push(ply);
        });
        assert_eq!(plies, game.plies);
    }
}

#[test]
fn a_mirrored_game_can_be_played() {
    for game in games(7, 20) {
        let other = game.mirror();
        other.replay(|position, ply| assert!(position.is_legal(ply.mv)));
        assert_eq!(other.mirror(), game);
        assert!(game.opening.is_empty() || other != game);
    }
}

#[test]
fn files_of_the_format_before_are_read_and_their_unmarked_plies_told() {
    let folder = Folder::new("version-1");
    let path = folder.0.join("games");
    fs::write(&path, include_bytes!("../../tests/data/records-v1")).unwrap();
    let archive = Archive::open(&path).unwrap();
    let games = read(&archive).concat();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!((games.len(), plies, archive.plies()), (4, 219, 219));
    for game in &games {
        assert_eq!(game.chosen_from(), 0);
        game.replay(|position, ply| assert!(position.is_legal(ply.mv)));
    }
    assert_eq!(archive.unmarked_plies(), 20);
    let told = Writer::resume(&path).unwrap_err().to_string();
    assert_eq!(told, "its format is version 1: it can be read, but not gone on with");
    let written = folder.0.join("new");
    Writer::create(&written, archive.description()).unwrap().write(&games).unwrap();
    assert_eq!(Archive::open(&written).unwrap().unmarked_plies(), 0);
}

#[test]
fn a_game_is_chosen_from_after_its_last_random_move() {
    let mut game = games(8, 1).remove(0);
    game.plies.iter_mut().for_each(|ply| ply.random = false);
    assert_eq!(game.chosen_from(), 0);
    game.plies[2].random = true;
    game.plies[6].random = true;
    assert_eq!(game.chosen_from(), 7);
}
