//! The log of a tuning, a line an iteration, from which it goes on after any end. Knows no games.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{TunePlan, spsa::Spsa};
use crate::files::{self, ReadError};

/// Why a log cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A line of a file that is there.
    #[error("{}, line {line}: {fault}; without the lines from there on it can be gone on with", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A file that is there is of another plan or version.
    #[error("{}: it is the log of another plan or version; choose another name, or remove it", .0.display())]
    Foreign(PathBuf),
}

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    program: String,
    network: String,
    plan: TunePlan,
    names: Vec<String>,
    starts: Vec<f64>,
}

/// Any other line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    iteration: u64,
    points: f64,
    values: Vec<f64>,
}

/// An open log. A line that a kill cut short is left out, so at most the last iteration is lost.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// The values after each iteration, for the picture.
    course: Vec<Vec<f64>>,
}

impl Log {
    /// Opens a log and brings the tuning to where it was left; begins it if there is none. `network`
    /// says what positions are evaluated by.
    ///
    /// # Errors
    /// When the file fails, is no log, or is that of another tuning.
    pub fn open(
        path: &Path,
        plan: &TunePlan,
        network: &str,
        spsa: &mut Spsa,
    ) -> Result<Self, LogError> {
        let failed = |error| LogError::Io { path: path.into(), error };
        let head = Head::new(plan, network, spsa);
        let file = files::take_up(path, json(&head).as_bytes());
        let mut file = file.map_err(|error| failed(error.into()))?;
        let (course, whole) = replay(path, &file, &head, spsa)?;
        file.set_len(whole).map_err(failed)?;
        if whole == 0 {
            file.write_all(json(&head).as_bytes()).map_err(failed)?;
        }
        Ok(Self { path: path.into(), file, course })
    }

    /// Brings a tuning to where a log has it, be it written to or not.
    ///
    /// # Errors
    /// As [`Self::open`], and when there is none.
    pub fn look(
        path: &Path,
        plan: &TunePlan,
        network: &str,
        spsa: &mut Spsa,
    ) -> Result<(), LogError> {
        let head = Head::new(plan, network, spsa);
        let opened = files::open(path);
        let file =
            opened.map_err(|error| LogError::Io { path: path.into(), error: error.into() })?;
        replay(path, &file, &head, spsa).map(drop)
    }

    /// Keeps what an iteration came to.
    ///
    /// # Errors
    /// When the file fails.
    ///
    /// # Panics
    /// Never: plain values can be written.
    pub fn keep(&mut self, points: f64, spsa: &Spsa) -> Result<(), LogError> {
        let values = spsa.values().to_vec();
        self.course.push(values.clone());
        let step = Step { iteration: spsa.iteration(), points, values };
        self.file
            .write_all(json(&step).as_bytes())
            .map_err(|error| LogError::Io { path: self.path.clone(), error })
    }

    /// The values at first and after each iteration.
    pub fn course(&self) -> &[Vec<f64>] {
        &self.course
    }
}

impl Head {
    fn new(plan: &TunePlan, network: &str, spsa: &Spsa) -> Self {
        Self {
            program: env!("CARGO_PKG_VERSION").into(),
            network: network.into(),
            plan: plan.clone(),
            names: spsa.tunables().iter().map(|tunable| tunable.name.clone()).collect(),
            starts: spsa.values().to_vec(),
        }
    }
}

/// Goes through the whole lines of a log: the values after each, and how many bytes they are.
fn replay(
    path: &Path,
    file: &File,
    head: &Head,
    spsa: &mut Spsa,
) -> Result<(Vec<Vec<f64>>, u64), LogError> {
    let failed = |error: ReadError| LogError::Io { path: path.into(), error: error.into() };
    let mut course = vec![spsa.values().to_vec()];
    let mut lines = files::Lines::of(file).map_err(|error| failed(error.into()))?;
    let mut number = 0;
    loop {
        number += 1;
        let bad = |fault: String| LogError::Line { path: path.into(), line: number, fault };
        let text = match lines.read() {
            Ok(Some(text)) => text,
            Ok(None) => break,
            Err(ReadError::LongLine(_)) if number == 1 => {
                return Err(LogError::Foreign(path.into()));
            }
            Err(error @ ReadError::LongLine(_)) => return Err(bad(error.to_string())),
            Err(error) => return Err(failed(error)),
        };
        if number == 1 {
            // What was never a log is not to be cut.
            let cut = !text.ends_with(b"\n") && json(head).as_bytes().starts_with(text);
            if !cut && serde_json::from_slice::<Head>(text).ok().as_ref() != Some(head) {
                return Err(LogError::Foreign(path.into()));
            }
            continue;
        }
        if !text.ends_with(b"\n") {
            break;
        }
        let step: Step = serde_json::from_slice(text).map_err(|error| bad(error.to_string()))?;
        if step.iteration != spsa.iteration() + 1 {
            return Err(bad(format!("iteration {} is out of order", step.iteration)));
        }
        if step.values.len() != head.names.len() {
            return Err(bad(format!("{} values, not {}", step.values.len(), head.names.len())));
        }
        course.push(step.values.clone());
        spsa.resume(step.iteration, step.values);
    }
    Ok((course, lines.whole()))
}

/// A line.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: plain values can be written") + "\n"
}
