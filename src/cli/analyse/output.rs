//! The files of an analysis. Each is written under another name first, so that under its own name
//! there is a whole file or the one from before.

use std::{
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};

use super::{
    super::{name as shown, style::encoded},
    journal::{Header, Journal},
};
use crate::{
    files::replace,
    notation::{Format, text::Encoding},
    report::{Page, annotated},
    rules::Language,
};

/// The number of the JSON's form; another one once old readers cannot read it.
const FORM: u32 = 1;

/// What is written, and how.
pub(super) struct Outputs {
    pub(super) name: PathBuf,
    pub(super) language: Language,
    pub(super) format: Format,
    pub(super) encoding: Encoding,
}

/// One of an analysis's files.
pub(super) fn path(name: &Path, extension: &str) -> PathBuf {
    let mut path = OsString::from(name);
    path.push(".");
    path.push(extension);
    path.into()
}

impl Outputs {
    /// The files.
    pub(super) fn paths(&self) -> [PathBuf; 3] {
        ["html", "pgn", "json"].map(|extension| path(&self.name, extension))
    }

    /// Their names.
    pub(super) fn list(&self) -> String {
        self.paths().map(|path| shown(&path)).join(", ")
    }

    /// Refuses to write over the games that are read.
    pub(super) fn spare(&self, source: &Path) -> anyhow::Result<()> {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let source = real(source);
        for path in self.paths() {
            let same = source.is_some() && real(&path) == source;
            ensure!(!same, "{} is the file that is read: choose another --out", shown(&path));
        }
        Ok(())
    }

    /// Writes them all; tells of how many games the encoding lacks a character.
    pub(super) fn write(&self, header: &Header, journal: &mut Journal) -> anyhow::Result<usize> {
        let [html, pgn, json] = self.paths();
        let mut poor = 0;
        write(&html, |file| self.html(header, journal, file))?;
        write(&pgn, |file| {
            poor = self.pgn(header, journal, file)?;
            Ok(())
        })?;
        write(&json, |file| data(header, journal, file))?;
        Ok(poor)
    }

    fn html(
        &self,
        header: &Header,
        journal: &mut Journal,
        file: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let source = Path::new(&header.source).file_name().unwrap_or_default().to_string_lossy();
        let title = match self.language {
            Language::English => format!("Analysis of {source}"),
            Language::Chinese => format!("对局分析：{source}"),
        };
        let mut page = Page::begin(file, &title, self.language)?;
        if journal.games() != 1 {
            page.begin_index()?;
            journal.each(|_, report| Ok(page.row(&report)?))?;
            page.end_index()?;
        }
        journal.each(|_, report| Ok(page.game(&report)?))?;
        page.end(&format!("{} · {}", header.program, header.network))?;
        Ok(())
    }

    fn pgn(
        &self,
        header: &Header,
        journal: &mut Journal,
        file: &mut dyn Write,
    ) -> anyhow::Result<usize> {
        let (mut first, mut poor) = (true, 0);
        journal.each(|_, report| {
            let game = annotated(&report, self.language, &header.program);
            let first = std::mem::take(&mut first);
            let (bytes, missing) = encoded(game.write(self.format), self.encoding, first);
            poor += usize::from(missing.is_some());
            Ok(file.write_all(&bytes)?)
        })?;
        Ok(poor)
    }
}

fn data(header: &Header, journal: &mut Journal, file: &mut dyn Write) -> anyhow::Result<()> {
    let header = serde_json::to_string(header)?;
    write!(file, "{{\"form\":{FORM},\"analysis\":{header},\"games\":[")?;
    let mut separator = "\n";
    journal.each(|line, _| {
        write!(file, "{separator}{line}")?;
        separator = ",\n";
        Ok(())
    })?;
    Ok(file.write_all(b"\n]}\n")?)
}

fn write(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    replace(path, fill).with_context(|| format!("cannot write {}", shown(path)))
}
