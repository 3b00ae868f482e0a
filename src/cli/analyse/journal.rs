//! What is kept of an analysis while it goes on, a line of JSON for each game: NAME.partial. A line
//! that was cut short is left out, and the file is gone once everything is done.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::output;
use crate::{
    analysis::{GameReport, Settings},
    files::claim,
};

/// What an analysis depends on. Two with the same header are one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    /// What made it.
    pub(super) program: String,
    /// What positions were evaluated by.
    pub(super) network: String,
    /// How they were searched.
    pub(super) settings: Settings,
    /// The rules.
    pub(super) ruleset: String,
    /// Where the games come from.
    pub(super) source: String,
    /// What tells that file from others.
    pub(super) digest: u64,
}

/// The reports so far, on disk.
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    games: usize,
}

impl Journal {
    /// Begins one.
    pub(super) fn create(name: &Path, header: &Header) -> anyhow::Result<Self> {
        let path = output::path(name, "partial");
        let open = File::options().read(true).append(true).create_new(true).open(&path);
        let file = open.with_context(|| format!("cannot write {}", path.display()))?;
        claim(&file).with_context(|| path.display().to_string())?;
        let mut journal = Self { file, path, games: 0 };
        journal.line(header)?;
        Ok(journal)
    }

    /// Takes one up that is there, with the numbers of the games that are done.
    pub(super) fn resume(
        name: &Path,
        header: &Header,
    ) -> anyhow::Result<Option<(Self, HashSet<usize>)>> {
        let path = output::path(name, "partial");
        let file = match File::options().read(true).append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        claim(&file).with_context(|| path.display().to_string())?;
        let mut journal = Self { file, path, games: 0 };
        let (mut whole, mut done, mut kept) = (0, HashSet::new(), None);
        let mut lines = BufReader::new(&journal.file);
        let mut line = String::new();
        loop {
            line.clear();
            // Text that was cut short within a character is no line either.
            let Ok(count) = lines.read_line(&mut line) else { break };
            if count == 0 || !line.ends_with('\n') {
                break;
            }
            if kept.is_none() {
                kept = serde_json::from_str::<Header>(&line).ok();
                if kept.is_none() {
                    break;
                }
            } else {
                let Ok(report) = serde_json::from_str::<GameReport>(&line) else { break };
                done.insert(report.number);
            }
            whole += count as u64;
        }
        match kept {
            Some(kept) if kept == *header => journal.file.set_len(whole)?,
            Some(_) => bail!(
                "{} is of an analysis with other settings or of another file: finish that one, or \
                 remove it",
                journal.path.display()
            ),
            // It was cut short before anything was done.
            None => {
                journal.file.set_len(0)?;
                journal.line(header)?;
            }
        }
        journal.games = done.len();
        Ok(Some((journal, done)))
    }

    /// Keeps a report.
    pub(super) fn add(&mut self, report: &GameReport) -> anyhow::Result<()> {
        self.line(report)?;
        self.games += 1;
        Ok(())
    }

    /// How many there are.
    pub(super) fn games(&self) -> usize {
        self.games
    }

    fn line(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Hands out the reports one after the other, each also as its line.
    pub(super) fn each(
        &mut self,
        mut visit: impl FnMut(&str, GameReport) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let unreadable = || format!("cannot read {}", self.path.display());
        for line in BufReader::new(&self.file).lines().skip(1) {
            let line = line.with_context(unreadable)?;
            visit(&line, serde_json::from_str(&line).with_context(unreadable)?)?;
        }
        Ok(())
    }

    /// It is not needed any more.
    pub(super) fn remove(&self) {
        // One that stays is found to be whole by whoever goes on with it.
        let _ = fs::remove_file(&self.path);
    }
}
