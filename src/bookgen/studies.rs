//! Thoughts about many positions, each thought once: in memory, and in a file that grows by a line
//! each. Knows threads and files; which positions are worth it is for others to say.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::analyst::{Analyst, Settings, Study};
use crate::{
    book::Key,
    eval::Network,
    files::{self, ReadError},
    position::Position,
    simd,
    types::Move,
};

/// How often it is told how it goes.
const INTERVAL: Duration = Duration::from_millis(200);

/// Why thoughts cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A line of a file that is there.
    #[error("{}, line {line}: {fault}{}", .path.display(), way_out(*.line))]
    StudyRecord {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A file that is there was thought by other settings.
    #[error("{}: its positions were searched by other settings, another network or version; choose another name, or remove it", .0.display())]
    Foreign(PathBuf),
}

/// What to do about a line that cannot be read.
fn way_out(line: usize) -> &'static str {
    match line {
        1 => "; choose another name, or remove it",
        _ => "; without that line it can be gone on with",
    }
}

/// The first line of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    version: String,
    network: String,
    #[serde(flatten)]
    settings: Settings,
}

/// Any other line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyRecord {
    fen: String,
    depth: u8,
    moves: Vec<(String, i16)>,
}

/// What was thought of positions. A position and its mirror image are one, the one on file.
pub struct Studies {
    head: Head,
    analysts: Vec<Analyst>,
    known: HashMap<u64, Study>,
    file: Option<(PathBuf, File)>,
}

impl Studies {
    /// Nothing thought yet, to be thought by a network, or by hand without any, on so many threads.
    ///
    /// # Panics
    /// When the system gives neither the threads nor the memory.
    pub fn new(settings: Settings, network: Option<&Arc<Network>>, threads: usize) -> Self {
        let name = network.map(|network| format!("{:016x}", network.checksum()));
        let head = Head {
            version: env!("CARGO_PKG_VERSION").into(),
            network: name.unwrap_or_else(|| "handcrafted".into()),
            settings,
        };
        let analysts = (0..threads.max(1)).map(|_| Analyst::new(settings, network.cloned()));
        Self { head, analysts: analysts.collect(), known: HashMap::new(), file: None }
    }

    /// Keeps what is thought in a file, a line each; if it is there, what it holds is known already.
    /// A last line that was cut short is left out.
    ///
    /// # Errors
    /// When the file fails, is none of these or was thought by other settings.
    pub fn kept_in(mut self, path: &Path) -> Result<Self, StudyError> {
        let failed = |error| StudyError::Io { path: path.into(), error };
        let refused = |error: ReadError| failed(error.into());
        let head = json(&self.head) + "\n";
        let mut file = files::take_up(path, head.as_bytes()).map_err(refused)?;
        let mut lines = files::Lines::of(&file).map_err(failed)?;
        let mut number = 0;
        loop {
            number += 1;
            let line = number;
            let bad = |fault: String| StudyError::StudyRecord { path: path.into(), line, fault };
            let text = match lines.read() {
                Ok(Some(text)) => text,
                Ok(None) => break,
                Err(error @ ReadError::LongLine(_)) => return Err(bad(error.to_string())),
                Err(error) => return Err(refused(error)),
            };
            let whole = text.ends_with(b"\n");
            if line == 1 {
                // What was never such a file is not to be cut.
                if whole || !head.as_bytes().starts_with(text) {
                    let read = serde_json::from_slice::<Head>(text);
                    if read.map_err(|error| bad(error.to_string()))? != self.head {
                        return Err(StudyError::Foreign(path.into()));
                    }
                }
            } else if whole {
                let (key, study) = read(text).map_err(bad)?;
                self.known.insert(key, study);
            }
        }
        let whole = lines.whole();
        file.set_len(whole).map_err(failed)?;
        if whole == 0 {
            file.write_all(head.as_bytes()).map_err(failed)?;
        }
        self.file = Some((path.into(), file));
        Ok(self)
    }

    /// What they depend on.
    pub fn settings(&self) -> Settings {
        self.head.settings
    }

    /// Whose thoughts they are and what they depend on, as TOML.
    ///
    /// # Panics
    /// Never: plain values can be written.
    pub fn text(&self) -> String {
        toml::to_string(&self.head).expect("invariant: plain values can be written")
    }

    /// What was thought of the position of this key.
    pub(super) fn get(&self, key: u64) -> Option<&Study> {
        self.known.get(&key)
    }

    /// Thinks about those of some positions on file that are not known yet, side by side. `tell`
    /// hears how many of them are known and may call it off.
    pub(super) fn think(
        &mut self,
        positions: &[Position],
        tell: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StudyError> {
        let unknown = |position: &&Position| !self.known.contains_key(&Key::of(position).number);
        let all = positions.len();
        let positions: Vec<_> = positions.iter().filter(unknown).collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (known, file) = (&mut self.known, &mut self.file);
        let mut done = all - positions.len();
        thread::scope(|scope| {
            let (send, studies) = mpsc::channel();
            for (index, analyst) in self.analysts.iter_mut().enumerate() {
                let (send, next, stop, positions) = (send.clone(), &next, &stop, &positions);
                scope.spawn(move || {
                    simd::settle(index);
                    while !stop.load(Ordering::Relaxed)
                        && let Some(&position) = positions.get(next.fetch_add(1, Ordering::Relaxed))
                        // An error means that nobody listens any more.
                        && send.send((position, analyst.study(position))).is_ok()
                    {
                    }
                });
            }
            drop(send);
            let mut kept = Ok(());
            loop {
                match studies.recv_timeout(INTERVAL) {
                    Ok((position, study)) => {
                        if let (Some((path, file)), Ok(())) = (file.as_mut(), &kept) {
                            let line = json(&StudyRecord::of(position, &study)) + "\n";
                            kept = file
                                .write_all(line.as_bytes())
                                .map_err(|error| StudyError::Io { path: path.clone(), error });
                        }
                        known.insert(Key::of(position).number, study);
                        done += 1;
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                if tell(done).is_break() || kept.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            kept
        })?;
        Ok(if done == all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }
}

impl StudyRecord {
    fn of(position: &Position, study: &Study) -> Self {
        let moves = study.moves.iter().map(|&(mv, value)| (mv.to_string(), value));
        Self { fen: position.fen(), depth: study.depth, moves: moves.collect() }
    }
}

fn read(text: &[u8]) -> Result<(u64, Study), String> {
    let line: StudyRecord = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let position = Position::from_fen(&line.fen).map_err(|error| format!("bad FEN: {error}"))?;
    let legal = |(text, value): &(String, i16)| match text.parse::<Move>() {
        Ok(mv) if position.is_legal(mv) => Ok((mv, *value)),
        _ => Err(format!("`{text}` is no legal move of its position")),
    };
    let moves = line.moves.iter().map(legal).collect::<Result<_, _>>()?;
    Ok((Key::of(&position).number, Study { moves, depth: line.depth }))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: plain values can be written")
}
