//! The files of a match: records as lines of JSON, from which the games as PGN are made. A game that
//! is told of has been written; a line that was cut short by a full disk or a kill is left out.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use crate::{
    arena::{Entry, Record, Settings},
    files::{self, claim},
    notation::{
        Format,
        text::{Encoding, encode, fitting},
    },
};

/// What is wrong with the files of a match.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}, line {line}: {error}", .path.display())]
    Line { path: PathBuf, line: usize, error: String },
    #[error("{} is there already: go on with the match by --resume, or choose another --out", .0.display())]
    Exists(PathBuf),
    #[error("{} is of a match with other settings: {what}", .path.display())]
    Other { path: PathBuf, what: String },
}

/// How games are written for people.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) encoding: Encoding,
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
    style: Style,
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

/// Reads the records of a match.
pub(super) fn read(path: &Path) -> Result<Kept, FileError> {
    let bytes = files::read(path, files::LARGEST);
    parse(path, &bytes.map_err(io::Error::from).map_err(io_error(path))?)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Kept, FileError> {
    let bad = |line: usize, error: String| FileError::Line { path: path.into(), line, error };
    let (mut settings, mut records, mut whole) = (None, Vec::new(), 0);
    let mut games = HashSet::new();
    // Bytes, for what was cut short may end within a character.
    for (line, bytes) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        if !bytes.ends_with(b"\n") {
            break;
        }
        whole += bytes.len() as u64;
        match serde_json::from_slice(bytes).map_err(|error| bad(line, error.to_string()))? {
            Entry::Match(said) if line == 1 => settings = Some(*said),
            Entry::Match(_) => return Err(bad(line, "settings stand in the first line".into())),
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
    let settings = settings.ok_or_else(|| bad(1, "no settings of a match".into()))?;
    Ok(Kept { settings, records, whole })
}

impl Files {
    /// Begins the files of a new match.
    pub(super) fn create(out: &Path, settings: Settings, style: Style) -> Result<Self, FileError> {
        let fresh = |path: &Path| {
            File::options().append(true).create_new(true).open(path).map_err(|error| {
                match error.kind() {
                    io::ErrorKind::AlreadyExists => FileError::Exists(path.into()),
                    _ => FileError::Io { path: path.into(), error },
                }
            })
        };
        let (json_path, pgn_path) = (name(out, "jsonl"), name(out, "pgn"));
        let json = fresh(&json_path)?;
        claim(&json).map_err(io_error(&json_path))?;
        let pgn = fresh(&pgn_path).inspect_err(|_| {
            // Records without a line would be in the way of the next try; staying, they do no harm.
            let _ = fs::remove_file(&json_path);
        })?;
        let mut files = Self { json, json_path, pgn, pgn_path, settings, style };
        let first = Entry::Match(Box::new(files.settings.clone()));
        files.line(&first)?;
        Ok(files)
    }

    /// Takes up the files of a match that was broken off.
    pub(super) fn resume(
        out: &Path,
        settings: Settings,
        style: Style,
    ) -> Result<(Self, Vec<Record>), FileError> {
        let (json_path, pgn_path) = (name(out, "jsonl"), name(out, "pgn"));
        let open = File::options().read(true).append(true).open(&json_path);
        let mut json = open.map_err(io_error(&json_path))?;
        claim(&json).map_err(io_error(&json_path))?;
        let mut bytes = Vec::new();
        json.read_to_end(&mut bytes).map_err(io_error(&json_path))?;
        let kept = parse(&json_path, &bytes)?;
        if let Some(what) = difference(&kept.settings, &settings) {
            return Err(FileError::Other { path: json_path, what });
        }
        json.set_len(kept.whole).map_err(io_error(&json_path))?;
        // The games file is made anew, for it may lack what the records have.
        let pgn = File::create(&pgn_path).map_err(io_error(&pgn_path))?;
        let mut files = Self { json, json_path, pgn, pgn_path, settings, style };
        kept.records.iter().try_for_each(|record| files.game(record))?;
        Ok((files, kept.records))
    }

    /// Writes a game down.
    pub(super) fn keep(&mut self, record: &Record) -> Result<(), FileError> {
        self.line(&Entry::Game(Box::new(record.clone())))?;
        self.game(record)
    }

    fn line(&mut self, entry: &Entry) -> Result<(), FileError> {
        let mut line = serde_json::to_string(entry).expect("invariant: records are plain data");
        line.push('\n');
        self.json.write_all(line.as_bytes()).map_err(io_error(&self.json_path))
    }

    fn game(&mut self, record: &Record) -> Result<(), FileError> {
        let Some(mut text) = record.pgn(&self.settings, self.style.format) else {
            let error = format!("game {} is damaged", record.game);
            return Err(FileError::Line { path: self.json_path.clone(), line: 0, error });
        };
        if self.style.encoding != Encoding::Utf8 {
            // Programs that read these encodings know the line ends of their own system only.
            text = text.replace('\n', "\r\n");
        }
        let bytes = encode(&fitting(text, self.style.encoding), self.style.encoding).into_owned();
        self.pgn.write_all(&bytes).map_err(io_error(&self.pgn_path))
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
        if let Some(what) = difference(&whole.settings, &settings) {
            return Err(FileError::Other { path: path.clone(), what });
        }
        whole.records.extend(part.records.into_iter().filter(|record| games.insert(record.game)));
    }
    let mut joined = joined.expect("invariant: the command line wants a file at least");
    joined.records.sort_by_key(|record| record.game);
    Ok(joined)
}

/// The first setting that differs, with both values.
fn difference(kept: &Settings, wanted: &Settings) -> Option<String> {
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
