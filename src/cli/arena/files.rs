//! The files of a match: records as lines of JSON, from which the games as PGN are made. A game that
//! is told of has been written; a line that was cut short by a full disk or a kill is left out.

use std::{
    borrow::Cow,
    collections::HashSet,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::super::style::encoded;
use crate::{
    arena::{Entry, Record, Settings},
    files::{self, ReadError, claim},
    notation::{Format, text::Encoding},
};

/// What is wrong with the files of a match.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}, line {line}: {error}{}", .path.display(), way_out(*.line))]
    Line { path: PathBuf, line: usize, error: String },
    #[error("{} is there already: go on with the match by --resume, or choose another --out", .0.display())]
    Begun(PathBuf),
    #[error("{} is there already: choose another --out, or remove it", .0.display())]
    Exists(PathBuf),
    #[error("{} is there already and holds no match: choose another --out, or remove it", .0.display())]
    Foreign(PathBuf),
    #[error("{} holds no game yet: the same command without --resume begins the match", .0.display())]
    Empty(PathBuf),
    #[error("{} is of a match with other settings: {what}", .path.display())]
    Other { path: PathBuf, what: String },
    #[error("{} is of a match with other settings than {}: {what}", .path.display(), .first.display())]
    Apart { path: PathBuf, first: PathBuf, what: String },
}

/// What to do about a line that cannot be read.
fn way_out(line: usize) -> &'static str {
    if line > 1 { "; without that line, --resume plays its game again" } else { "" }
}

/// How games are written for people.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) encoding: Encoding,
}

/// Writes games for people, one after the other.
struct Scribe {
    style: Style,
    games: usize,
    /// Games with characters that the encoding lacks.
    poor: usize,
}

/// The records of a match as they stand in a file.
pub(super) struct Kept {
    pub(super) settings: Settings,
    pub(super) records: Vec<Record>,
    /// How many bytes of the file are whole lines.
    whole: u64,
}

/// The files of a match that is being played, here and nowhere else.
pub(super) struct Files {
    json: File,
    json_path: PathBuf,
    pgn: File,
    pgn_path: PathBuf,
    settings: Settings,
    scribe: Scribe,
}

/// The name of one of a match's files.
pub(super) fn name(out: &Path, extension: &str) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> FileError + '_ {
    |error| FileError::Io { path: path.into(), error }
}

fn refused(path: &Path) -> impl Fn(ReadError) -> FileError + '_ {
    |error| FileError::Io { path: path.into(), error: error.into() }
}

/// Reads the records of a match.
pub(super) fn read(path: &Path) -> Result<Kept, FileError> {
    parse(path, &files::open(path).map_err(refused(path))?)
}

fn parse(path: &Path, file: &File) -> Result<Kept, FileError> {
    let bad = |line: usize, error: String| FileError::Line { path: path.into(), line, error };
    let (mut settings, mut records) = (None, Vec::new());
    let mut games = HashSet::new();
    let mut lines = files::Lines::of(file).map_err(io_error(path))?;
    let mut line = 0;
    let unread = |line: usize, error: ReadError| match error {
        ReadError::LongLine(_) => bad(line + 1, error.to_string()),
        error => refused(path)(error),
    };
    while let Some(bytes) = lines.read().map_err(|error| unread(line, error))? {
        line += 1;
        if !bytes.ends_with(b"\n") {
            break;
        }
        match serde_json::from_slice(bytes).map_err(|error| bad(line, error.to_string()))? {
            Entry::Match(said) => match &settings {
                None if line == 1 => settings = Some(*said),
                // More rounds were wanted.
                Some(kept) if difference(kept, &said).is_none() => settings = Some(*said),
                _ => return Err(bad(line, "other settings than those of the first line".into())),
            },
            Entry::Game(record) => {
                let played = |settings| record.pgn(settings, Format::Iccs).is_some();
                if !settings.as_ref().is_some_and(played) {
                    return Err(bad(line, format!("game {} is damaged", record.game)));
                }
                if games.insert(record.game) {
                    records.push(*record);
                }
            }
        }
    }
    let settings = settings.ok_or_else(|| match line {
        0 => FileError::Empty(path.into()),
        _ => bad(line, "no settings of a match".into()),
    })?;
    Ok(Kept { settings, records, whole: lines.whole() })
}

impl Files {
    /// Begins the files of a match, with the games that it has already.
    pub(super) fn create(
        out: &Path,
        settings: Settings,
        style: Style,
        records: &[Record],
    ) -> Result<Self, FileError> {
        let [json_path, pgn_path, page] = ["jsonl", "pgn", "html"].map(|kind| name(out, kind));
        let begun = files::free(&json_path);
        begun.map_err(|error| match taken(&json_path, error) {
            FileError::Exists(path) if read(&path).is_ok() => FileError::Begun(path),
            FileError::Exists(path) => FileError::Foreign(path),
            other => other,
        })?;
        for path in [&pgn_path, &page] {
            files::free(path).map_err(|error| taken(path, error))?;
        }
        let mut first = line(&Entry::Match(Box::new(settings.clone())));
        let (mut scribe, mut games) = (Scribe::new(style), Vec::new());
        for record in records {
            first.extend(line(&Entry::Game(Box::new(record.clone()))));
            games.extend_from_slice(&scribe.game(record, &settings, &json_path)?);
        }
        let begin = |path: &Path, first: &[u8]| {
            files::begin(path, first).map_err(|error| taken(path, error))
        };
        let json = begin(&json_path, &first)?;
        let pgn = begin(&pgn_path, &games).inspect_err(|_| {
            // Records without games would be in the way of the next try; staying, they do no harm.
            let _ = fs::remove_file(&json_path);
        })?;
        Ok(Self { json, json_path, pgn, pgn_path, settings, scribe })
    }

    /// Takes up the files of a match that was broken off.
    pub(super) fn resume(
        out: &Path,
        settings: Settings,
        style: Style,
    ) -> Result<(Self, Vec<Record>), FileError> {
        let (json_path, pgn_path) = (name(out, "jsonl"), name(out, "pgn"));
        let json = files::reopen(&json_path).map_err(refused(&json_path))?;
        claim(&json).map_err(io_error(&json_path))?;
        let kept = match parse(&json_path, &json) {
            Err(FileError::Line { line: 1, .. }) => return Err(FileError::Foreign(json_path)),
            parsed => parsed?,
        };
        if let Some(what) = difference(&kept.settings, &settings) {
            return Err(FileError::Other { path: json_path, what });
        }
        let page = name(out, "html");
        if page.is_dir() {
            return Err(FileError::Exists(page));
        }
        json.set_len(kept.whole).map_err(io_error(&json_path))?;
        // The games file is made anew, for it may lack what the records have.
        let (mut scribe, mut games) = (Scribe::new(style), Vec::new());
        for record in &kept.records {
            games.extend_from_slice(&scribe.game(record, &settings, &json_path)?);
        }
        files::replace(&pgn_path, |file| file.write_all(&games)).map_err(io_error(&pgn_path))?;
        let pgn = File::options().append(true).open(&pgn_path).map_err(io_error(&pgn_path))?;
        let longer = kept.settings != settings;
        let mut files = Self { json, json_path, pgn, pgn_path, settings, scribe };
        if longer {
            files.line(&Entry::Match(Box::new(files.settings.clone())))?;
        }
        Ok((files, kept.records))
    }

    /// Writes a game down.
    pub(super) fn keep(&mut self, record: &Record) -> Result<(), FileError> {
        self.line(&Entry::Game(Box::new(record.clone())))?;
        self.game(record)
    }

    /// How many games have characters that the encoding of the PGN lacks.
    pub(super) fn poor(&self) -> usize {
        self.scribe.poor
    }

    fn line(&mut self, entry: &Entry) -> Result<(), FileError> {
        self.json.write_all(&line(entry)).map_err(io_error(&self.json_path))
    }

    fn game(&mut self, record: &Record) -> Result<(), FileError> {
        let bytes = self.scribe.game(record, &self.settings, &self.json_path)?;
        self.pgn.write_all(&bytes).map_err(io_error(&self.pgn_path))
    }
}

impl Scribe {
    fn new(style: Style) -> Self {
        Self { style, games: 0, poor: 0 }
    }

    /// The next game as people read it; `path` has its record.
    fn game(
        &mut self,
        record: &Record,
        settings: &Settings,
        path: &Path,
    ) -> Result<Cow<'static, [u8]>, FileError> {
        let Some(text) = record.pgn(settings, self.style.format) else {
            let error = format!("game {} is damaged", record.game);
            return Err(FileError::Line { path: path.into(), line: 0, error });
        };
        let (bytes, missing) = encoded(text, self.style.encoding, self.games == 0);
        self.games += 1;
        self.poor += usize::from(missing.is_some());
        Ok(bytes)
    }
}

fn line(entry: &Entry) -> Vec<u8> {
    let mut line = serde_json::to_vec(entry).expect("invariant: records are plain data");
    line.push(b'\n');
    line
}

/// Why a file is not begun.
fn taken(path: &Path, error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists(path.into()),
        _ => io_error(path)(error),
    }
}

/// Joins the parts of a match into one.
pub(super) fn join(parts: &[PathBuf]) -> Result<Kept, FileError> {
    let mut joined: Option<Kept> = None;
    let mut games = HashSet::new();
    for path in parts {
        let part = read(path)?;
        let settings = Settings { shard: "1/1".into(), ..part.settings };
        let whole = joined.get_or_insert_with(|| Kept {
            settings: settings.clone(),
            records: Vec::new(),
            whole: 0,
        });
        if let Some(what) = any_difference(&whole.settings, &settings) {
            let (path, first) = (path.clone(), parts[0].clone());
            return Err(FileError::Apart { path, first, what });
        }
        whole.records.extend(part.records.into_iter().filter(|record| games.insert(record.game)));
    }
    let mut joined = joined.expect("invariant: the command line wants a file at least");
    joined.records.sort_by_key(|record| record.game);
    Ok(joined)
}

/// The first setting that differs, with both values, in a match that is gone on with. There may be
/// more rounds than before.
fn difference(kept: &Settings, wanted: &Settings) -> Option<String> {
    let longer = match (kept.rounds, wanted.rounds) {
        (Some(kept), Some(wanted)) => kept <= wanted,
        (kept, wanted) => kept == wanted || wanted.is_none(),
    };
    let kept = if longer { &Settings { rounds: wanted.rounds, ..kept.clone() } } else { kept };
    any_difference(kept, wanted)
}

/// The first setting that differs, with both values.
fn any_difference(kept: &Settings, wanted: &Settings) -> Option<String> {
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let wanted = fields(wanted);
    let differs = |(name, value): &(String, serde_json::Value)| wanted.get(name) != Some(value);
    let (name, value) = fields(kept).into_iter().find(differs)?;
    let now = wanted.get(&name).unwrap_or(&serde_json::Value::Null);
    Some(format!("{name} was {value} and is {now}"))
}
