//! Many games side by side, written in their order. Knows threads and files.

use std::{
    collections::BTreeMap,
    fs, io,
    ops::{ControlFlow, Range},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use super::{plan::SelfplayPlan, selfplay::SelfPlayer};
use crate::{
    eval::Network,
    files::{self, ReadError},
    records::{Archive, Block, Game, GameError, RecordError, Writer},
    simd,
};

/// Games that are written at once.
const BLOCK: usize = 256;
/// How often it is told how it goes.
const INTERVAL: Duration = Duration::from_millis(200);

/// Why games cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// A file that is there cannot be gone on with.
    #[error("{}: {error}{}", .path.display(), way_out(.error))]
    Resume {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecordError,
    },
    /// A file that is there was played by other rules of ours.
    #[error("{}: its games were played by another plan, network or version; choose another name, or remove it", .0.display())]
    Foreign(PathBuf),
    /// Games that are to be thought about anew or joined.
    #[error("{}: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecordError,
    },
    /// What is in them.
    #[error("{}: its games make no sense: {error}", .path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        error: GameError,
    },
    /// Parts that do not belong together.
    #[error("{}: its games were played by another plan, network or version than those of {}, or are among them", .path.display(), .other.display())]
    Apart {
        /// The file.
        path: PathBuf,
        /// The first part.
        other: PathBuf,
    },
    /// Writing.
    #[error("{}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
}

/// What to do about a file that is there, where that is not plain.
fn way_out(error: &RecordError) -> &'static str {
    match error {
        RecordError::File(ReadError::Io(_)) => "",
        _ => "; choose another name, or remove it",
    }
}

/// How it goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct DatagenProgress {
    /// Games in the file or waiting to be written, those of earlier runs included, even if lost.
    pub games: u64,
    /// Games that are wanted.
    pub wanted: u64,
    /// Games of earlier runs that a damage of the file has cost: they are not played again.
    pub lost: u64,
    /// Games and positions of this run.
    pub played: u64,
    /// See [`Self::played`].
    pub positions: u64,
    /// Games of this run that Red won, that Black won, and that were drawn.
    pub results: [u64; 3],
    /// Since this run began.
    pub time: Duration,
}

impl DatagenProgress {
    /// Positions an hour.
    pub fn hourly(&self) -> f64 {
        3600.0 * self.positions as f64 / self.time.as_secs_f64().max(1e-6)
    }

    fn count(&mut self, game: &Game) {
        use crate::types::Color;
        self.games += 1;
        self.played += 1;
        self.positions += game.plies.len() as u64;
        let result = match game.winner {
            Some(Color::Red) => 0,
            Some(Color::Black) => 1,
            None => 2,
        };
        self.results[result] += 1;
    }
}

/// Plays the games of these numbers that the file does not hold; a file that is there is gone on
/// with. `tell` hears how it goes and may call it off: then games that are not over are lost, and the
/// same call goes on.
///
/// Which games there are depends on the plan and the network alone, not on threads and stops.
///
/// # Errors
/// When the file cannot be written, or holds other games.
pub fn generate(
    plan: &SelfplayPlan,
    network: Option<&Arc<Network>>,
    path: &Path,
    numbers: Range<u64>,
    threads: usize,
    tell: impl FnMut(&DatagenProgress) -> ControlFlow<()>,
) -> Result<DatagenProgress, DatagenError> {
    let opened = open(&described(network, &plan.text()), path, numbers.start)?;
    let player = || {
        let mut player = SelfPlayer::new(plan, network.cloned());
        move |number| Ok(player.play(number))
    };
    fill(opened, path, numbers, threads, player, tell)
}

/// Thinks about the positions of a file of games anew, so many nodes each, and keeps them with these
/// scores in another file; one that is there is gone on with. Games that damage has cost are left
/// out.
///
/// # Errors
/// As [`generate`], and when the games cannot be read.
pub fn rescore(
    games: &Path,
    nodes: u64,
    network: Option<&Arc<Network>>,
    path: &Path,
    threads: usize,
    tell: impl FnMut(&DatagenProgress) -> ControlFlow<()>,
) -> Result<DatagenProgress, DatagenError> {
    let archive =
        Archive::open(games).map_err(|error| DatagenError::Read { path: games.into(), error })?;
    // The plies that may be random without a mark stay so.
    let unmarked = archive.unmarked_plies();
    let how = format!(
        "rescored_nodes = {nodes}\nrescored_unmarked_plies = {unmarked}\nrescored_from = \"{:016x}\"\n",
        archive.checksum()
    );
    let opened = open(&described(network, &how), path, 0)?;
    // The number of the first game of each block and of the one after all.
    let mut firsts = vec![0];
    firsts.extend(archive.blocks().iter().scan(0, |sum, block| {
        *sum += block.games as u64;
        Some(*sum)
    }));
    let wanted = firsts[firsts.len() - 1];
    let plan = SelfplayPlan { nodes, ..SelfplayPlan::default() };
    let player = || {
        let mut player = SelfPlayer::new(&plan, network.cloned());
        let mut held: (usize, Vec<Game>) = (usize::MAX, Vec::new());
        let (archive, firsts) = (&archive, &firsts);
        move |number| {
            let block = firsts.partition_point(|&first| first <= number) - 1;
            if held.0 != block {
                held = (block, archive.games(&archive.blocks()[block])?);
            }
            Ok(player.rescore(&held.1[(number - firsts[block]) as usize], nodes))
        }
    };
    fill(opened, path, 0..wanted, threads, player, tell).map_err(|error| match error {
        DatagenError::Game { error, .. } => DatagenError::Game { path: games.into(), error },
        other => other,
    })
}

/// Joins the parts of a plan, played in several places, in the order of their numbers. Returns how
/// many games there are.
///
/// # Errors
/// When a part cannot be read, has another plan or network, or shares games with another, and when
/// the file exists or cannot be written.
pub fn join(parts: &[PathBuf], path: &Path) -> Result<u64, DatagenError> {
    let mut archives: Vec<(&PathBuf, Archive)> = Vec::new();
    for part in parts {
        let archive = Archive::open(part)
            .map_err(|error| DatagenError::Read { path: part.clone(), error })?;
        for (other, earlier) in &archives {
            if earlier.description() != archive.description()
                || earlier.contents().shares_games_with(archive.contents())
            {
                return Err(DatagenError::Apart { path: part.clone(), other: (*other).clone() });
            }
        }
        archives.push((part, archive));
    }
    let mut blocks: Vec<_> = archives
        .iter()
        .flat_map(|(part, archive)| {
            archive.blocks().iter().map(move |block| (*part, archive, block))
        })
        .collect();
    blocks.sort_by_key(|(.., block)| block.first);
    let write_error = |error| DatagenError::Write { path: path.into(), error };
    files::free(path).map_err(write_error)?;
    let description = archives.first().map_or("", |(_, archive)| archive.description());
    // It has its own name when all parts are in it.
    let mut joining = path.as_os_str().to_owned();
    joining.push(".joining");
    let joining = PathBuf::from(joining);
    let joined = copy(&blocks, &joining, description).and_then(|games| {
        fs::rename(&joining, path).map_err(write_error)?;
        Ok(games)
    });
    if joined.is_err() {
        // It may never have been made.
        let _ = fs::remove_file(&joining);
    }
    joined
}

/// Writes the games of some blocks to a file, over whatever a kill has left there.
fn copy(
    blocks: &[(&PathBuf, &Archive, &Block)],
    path: &Path,
    description: &str,
) -> Result<u64, DatagenError> {
    let write_error = |error| DatagenError::Write { path: path.into(), error };
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write_error(error)),
        _ => {}
    }
    let mut writer = Writer::create(path, description).map_err(write_error)?;
    let mut games = 0;
    for &(part, archive, block) in blocks {
        let some = archive
            .games(block)
            .map_err(|error| DatagenError::Game { path: part.clone(), error })?;
        games += some.len() as u64;
        writer.begin_at(block.first);
        writer.write(&some).map_err(write_error)?;
    }
    writer.sync().map_err(write_error)?;
    Ok(games)
}

/// Makes the games of these numbers that are not there yet, side by side, and writes them in order.
fn fill<P: FnMut(u64) -> Result<Game, GameError>>(
    (mut writer, lost): (Writer, u64),
    path: &Path,
    numbers: Range<u64>,
    threads: usize,
    player: impl Fn() -> P + Sync,
    mut tell: impl FnMut(&DatagenProgress) -> ControlFlow<()>,
) -> Result<DatagenProgress, DatagenError> {
    let first = writer.next_game();
    let mut progress = DatagenProgress {
        games: first.saturating_sub(numbers.start),
        wanted: numbers.end - numbers.start,
        lost,
        ..DatagenProgress::default()
    };
    let started = Instant::now();
    let write_error = |error| DatagenError::Write { path: path.into(), error };
    let (next, stop) = (AtomicU64::new(first), AtomicBool::new(false));
    let mut senseless = None;
    thread::scope(|scope| {
        let (send, games) = mpsc::channel();
        for index in 0..threads.max(1) {
            let (send, next, stop, player) = (send.clone(), &next, &stop, &player);
            scope.spawn(move || {
                simd::settle(index);
                let mut make = player();
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // An error means that nobody writes any more.
                    if number >= numbers.end || send.send((number, make(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut block: Vec<Game> = Vec::with_capacity(BLOCK);
        let mut written = Ok(());
        loop {
            match games.recv_timeout(INTERVAL) {
                Ok((number, Ok(game))) => _ = waiting.insert(number, game),
                Ok((_, Err(error))) => {
                    senseless = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            while let Some(game) = waiting.remove(&(writer.next_game() + block.len() as u64)) {
                progress.count(&game);
                block.push(game);
                if block.len() == BLOCK && written.is_ok() {
                    written = writer.write(&block);
                    block.clear();
                }
            }
            progress.time = started.elapsed();
            if tell(&progress).is_break() || written.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        written.and_then(|()| if block.is_empty() { Ok(()) } else { writer.write(&block) })
    })
    .map_err(write_error)?;
    if let Some(error) = senseless {
        return Err(DatagenError::Game { path: path.into(), error });
    }
    progress.time = started.elapsed();
    Ok(progress)
}

/// How games are made, as their file says it.
fn described(network: Option<&Arc<Network>>, how: &str) -> String {
    let network =
        network.map_or("handcrafted".into(), |network| format!("{:016x}", network.checksum()));
    format!("version = \"{}\"\nnetwork = \"{network}\"\n{how}", env!("CARGO_PKG_VERSION"))
}

/// The file to write to, whose games begin with number `first`, and how many of its games are lost.
fn open(description: &str, path: &Path, first: u64) -> Result<(Writer, u64), DatagenError> {
    if files::free(path).is_ok() {
        return match Writer::create(path, description) {
            Ok(mut writer) => {
                writer.begin_at(first);
                Ok((writer, 0))
            }
            Err(error) => Err(DatagenError::Write { path: path.into(), error }),
        };
    }
    let (mut writer, archive) =
        Writer::resume(path).map_err(|error| DatagenError::Resume { path: path.into(), error })?;
    let begins = archive.blocks().first().is_none_or(|block| block.first >= first);
    if archive.description() != description || !begins {
        return Err(DatagenError::Foreign(path.into()));
    }
    writer.begin_at(first);
    let sound: u64 = archive.blocks().iter().map(|block| block.games as u64).sum();
    let lost = (writer.next_game() - first).saturating_sub(sound);
    Ok((writer, lost))
}
