//! Many games side by side, written in their order. Knows threads and files.

use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
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
    records::{Game, RecordError, Writer},
};

/// Games that are written at once.
const BLOCK: usize = 256;
/// How often it is told how it goes.
const INTERVAL: Duration = Duration::from_millis(200);

/// Why games cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// A file that is there cannot be gone on with.
    #[error("{}: {error}", .path.display())]
    Resume {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecordError,
    },
    /// A file that is there was played by other rules of ours.
    #[error("{}: its games were played by another plan, network or version", .0.display())]
    Foreign(PathBuf),
    /// Writing.
    #[error("{}: {error}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
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

/// Plays games until the file holds as many as are wanted; a file that is there is gone on with.
/// `tell` hears how it goes and may call it off: then games that are not over are lost, and the same
/// call goes on.
///
/// Which games there are depends on the plan and the network alone, not on threads and stops.
///
/// # Errors
/// When the file cannot be written, or holds other games.
pub fn generate(
    plan: &SelfplayPlan,
    network: Option<&Arc<Network>>,
    path: &Path,
    wanted: u64,
    threads: usize,
    mut tell: impl FnMut(&DatagenProgress) -> ControlFlow<()>,
) -> Result<DatagenProgress, DatagenError> {
    let (mut writer, lost) = open(plan, network, path)?;
    let first = writer.next_game();
    let mut progress = DatagenProgress { games: first, wanted, lost, ..DatagenProgress::default() };
    let started = Instant::now();
    let write_error = |error| DatagenError::Write { path: path.into(), error };
    let (next, stop) = (AtomicU64::new(first), AtomicBool::new(false));
    thread::scope(|scope| {
        let (send, games) = mpsc::channel();
        for _ in 0..threads.max(1) {
            let (send, next, stop) = (send.clone(), &next, &stop);
            scope.spawn(move || {
                let mut player = SelfPlayer::new(plan, network.cloned());
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // An error means that nobody writes any more.
                    if number >= wanted || send.send((number, player.play(number))).is_err() {
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
                Ok((number, game)) => _ = waiting.insert(number, game),
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
    progress.time = started.elapsed();
    Ok(progress)
}

/// The file to write to, and how many of its games are lost.
fn open(
    plan: &SelfplayPlan,
    network: Option<&Arc<Network>>,
    path: &Path,
) -> Result<(Writer, u64), DatagenError> {
    let network =
        network.map_or("handcrafted".into(), |network| format!("{:016x}", network.checksum()));
    let version = env!("CARGO_PKG_VERSION");
    let description = format!("version = \"{version}\"\nnetwork = \"{network}\"\n{}", plan.text());
    if !path.exists() {
        let created = Writer::create(path, &description);
        return match created {
            Ok(writer) => Ok((writer, 0)),
            Err(error) => Err(DatagenError::Write { path: path.into(), error }),
        };
    }
    let (writer, archive) =
        Writer::resume(path).map_err(|error| DatagenError::Resume { path: path.into(), error })?;
    if archive.description() != description {
        return Err(DatagenError::Foreign(path.into()));
    }
    let sound: u64 = archive.blocks().iter().map(|block| block.games as u64).sum();
    let lost = writer.next_game().saturating_sub(sound);
    Ok((writer, lost))
}
