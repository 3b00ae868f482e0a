//! What is kept of an analysis while it goes on, a line of JSON for each game: NAME.partial. A line
//! that was cut short is left out, and the file is gone once everything is done.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::{super::name as shown, output};
use crate::{
    analysis::{GameReport, Settings},
    files::{self, ReadError, claim},
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
        let file = files::begin(&path, text(header)?.as_bytes());
        let file = file.with_context(|| format!("cannot write {}", shown(&path)))?;
        Ok(Self { file, path, games: 0 })
    }

    /// Takes one up that is there, with the numbers of the games that are done.
    pub(super) fn resume(
        name: &Path,
        header: &Header,
    ) -> anyhow::Result<Option<(Self, HashSet<usize>)>> {
        let path = output::path(name, "partial");
        let useless =
            || format!("cannot go on with {}; choose another --out, or remove it", shown(&path));
        let file = match files::reopen(&path) {
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            opened => opened.with_context(useless)?,
        };
        claim(&file).with_context(|| shown(&path))?;
        let (done, whole) = read(&file, header).with_context(useless)?;
        file.set_len(whole)?;
        let mut journal = Self { file, path, games: done.len() };
        if whole == 0 {
            journal.line(header)?;
        }
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
        let written = self.file.write_all(text(value)?.as_bytes());
        written.with_context(|| format!("cannot write {}", shown(&self.path)))
    }

    /// Hands out the reports one after the other, each also as its line.
    pub(super) fn each(
        &mut self,
        mut visit: impl FnMut(&str, GameReport) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let unreadable = || format!("cannot read {}", shown(&self.path));
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

/// The numbers of the games that are done, and how many bytes are whole lines.
fn read(file: &File, header: &Header) -> anyhow::Result<(HashSet<usize>, u64)> {
    let (mut done, mut number, mut other) = (HashSet::new(), 0, false);
    let mut lines = files::Lines::of(file)?;
    while let Some(line) = lines.read()? {
        number += 1;
        let bad = || format!("line {number}");
        let whole = line.ends_with(b"\n");
        if number == 1 {
            // Nothing but an analysis is ever cut.
            if whole || !text(header)?.as_bytes().starts_with(line) {
                let kept: Header = serde_json::from_slice(line).with_context(bad)?;
                other = kept != *header;
            }
        } else if whole {
            ensure!(!other, "it is of an analysis with other settings or of another file");
            let report: GameReport = serde_json::from_slice(line).with_context(bad)?;
            done.insert(report.number);
        }
    }
    // Nobody misses an analysis without a game.
    Ok((done, if other { 0 } else { lines.whole() }))
}

fn text(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}
