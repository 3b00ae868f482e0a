//! Damaged files of every kind: whatever bytes there are, each reader comes to an end, soon and in
//! bounded memory, and says what is wrong.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use chuhe::{games::Reader, notation::Format, types::SplitMix64};

/// Mutated files; in release builds as many as the project promises.
const FILES: usize = if cfg!(debug_assertions) { 2_000 } else { 100_000 };
const MOST_MEMORY: usize = 64 << 20;
const MOST_TIME: Duration = Duration::from_secs(5);

/// How long this thread has worked by now, without the times when others did, where the system tells.
fn worked(begun: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|count| count.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// The most memory that the process has had, in bytes; nothing where the system does not tell.
fn most_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

fn vectors() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "jsonl"))
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn mutate(bytes: &mut Vec<u8>, other: &[u8], rng: &mut SplitMix64) {
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        let length = rng.below(64).min(bytes.len() - at);
        match rng.below(8) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let copied = bytes[at..at + length].to_vec();
                bytes.splice(at..at, copied.repeat(1 + rng.below(20)));
            }
            5 if !other.is_empty() => {
                let from = rng.below(other.len());
                let piece = &other[from..(from + length).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            6 => {
                // A number that is too great.
                for byte in bytes[at..].iter_mut().take(4) {
                    *byte = [0xFF, 0x7F, 0x80, 0][rng.below(4)];
                }
            }
            _ => {
                let signs = b"{}()[]\"%;\\\n\r\0\xff$.*<>/";
                bytes.insert(at, signs[rng.below(signs.len())]);
            }
        }
    }
}

/// Reads all games, and writes what was read: what was read at all can be written and read again.
fn read(bytes: Vec<u8>) -> usize {
    let Ok(games) = Reader::from_bytes(bytes) else { return 0 };
    let mut count = 0;
    for found in games {
        let game = match found {
            Ok(found) => found.game,
            Err(error) => {
                let told = error.to_string();
                assert!(told.len() < 1000 && !told.contains(char::is_control), "{told:?}");
                let Some(game) = error.partial else { continue };
                *game
            }
        };
        count += 1;
        if count % 8 == 1 {
            let text = game.write(Format::Iccs);
            let again = Reader::from_bytes(text.clone().into()).unwrap().next().unwrap();
            let again = again.unwrap().game;
            let parts = |game: &chuhe::games::Game| {
                let moves = game.moves.iter().map(|played| format!("{played:?}"));
                let tags = game.tags.iter().map(|tag| format!("{tag:?}"));
                let rest = [game.preface.clone(), game.start.fen(), format!("{:?}", game.result)];
                rest.into_iter().chain(tags).chain(moves).collect::<Vec<_>>()
            };
            for (again, before) in parts(&again).into_iter().zip(parts(&game)) {
                assert_eq!(again, before);
            }
            assert!(again == game);
        }
    }
    count
}

/// One test, since all memory of the process is counted.
#[test]
fn no_damage_breaks_a_reader_or_holds_it_up() {
    let vectors = vectors();
    let mut rng = SplitMix64::new(19);
    let (before, begun) = (most_memory(), Instant::now());
    let mut games = 0;
    for number in 0..FILES {
        // Large ones are mostly zeros, and take their time.
        let (name, bytes) = &vectors[rng.below(vectors.len())];
        if bytes.len() > 10_000 && rng.below(16) > 0 {
            continue;
        }
        let mut bytes = bytes.clone();
        let other = &vectors[rng.below(vectors.len())].1;
        mutate(&mut bytes, other, &mut rng);
        let kept = bytes.clone();
        let since = worked(begun);
        let done = std::panic::catch_unwind(|| read(bytes));
        let broken = |what: &str| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken");
            fs::write(&path, &kept).unwrap();
            panic!("file {number}, from {name}: {what}; see {}", path.display());
        };
        games += done.unwrap_or_else(|_| broken("a panic"));
        if worked(begun).saturating_sub(since) > MOST_TIME {
            broken("too slow");
        }
        if number % 64 == 0 && most_memory() - before > MOST_MEMORY {
            broken("too much memory");
        }
    }
    assert!(games > FILES / 4, "{games}");
    large_files_are_read_in_bounded_time(before);
}

/// Files that are made to be slow: each is some megabytes of one thing.
fn large_files_are_read_in_bounded_time(before: usize) {
    let size = if cfg!(debug_assertions) { 1 << 15 } else { 1 << 21 };
    let head = "[Event \"a\"]\n1. h2e2 ";
    let begun = Instant::now();
    for (what, unit) in [
        ("{", ""),
        ("(", ""),
        ("({", ""),
        (")", ""),
        ("}", ""),
        ("{}", ""),
        ("( {x} ", ""),
        ("(1. b2e2 ", ""),
        ("1. ", ""),
        ("1.\n", ""),
        ("[Event \"", ""),
        ("[Event \"a\"]\n", ""),
        ("$1 ", ""),
        ("; \n", ""),
        ("%\n", ""),
        ("\n", ""),
        (" ", ""),
        ("h9g7 ", ""),
        ("; x ) (\n", ""),
        ("[DhtmlXQ]", ""),
        ("[DhtmlXQ_a]", ""),
        ("[0_1_0]", ""),
        ("[DhtmlXQ_move_1_1_2][/DhtmlXQ_", ""),
        ("FORMAT WXF\nSTART{", ""),
        ("/*", ""),
        ("<Move value=\"1", ""),
        ("i9h9\n", "h2e2\n"),
        ("2. h9g7\n", "1. h2e2\n"),
        ("x\n", "h2e2\n"),
        ("{\n", "h2e2\n"),
        ("{\"fen\":\n", "{\""),
        ("a0a1 a9a8 a1a0 a8a9 ", "startpos moves "),
        ("a0a1 a9a8 a1a0 a8a9\n", "b2e2 b9c7\n"),
    ] {
        for head in [head, unit, "[DhtmlXQ]", "<ChineseChessRecord>"] {
            let bytes = (head.to_owned() + &what.repeat(size / what.len())).into_bytes();
            let since = worked(begun);
            if let Ok(games) = Reader::from_bytes(bytes) {
                let _ = games.count();
            }
            let took = worked(begun).saturating_sub(since);
            assert!(took < MOST_TIME, "{head:?}, {what:?}: {took:?}");
            let memory = most_memory() - before;
            assert!(memory < 2 * MOST_MEMORY, "{head:?}, {what:?}: {} MB", memory >> 20);
        }
    }
}
