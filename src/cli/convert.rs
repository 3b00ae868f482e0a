//! `chuhe convert`: games of any file, written anew. Whatever cannot be read or written is told; the
//! other games are written all the same. Nothing half-written ever stands under the name wanted.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail};

use super::{
    name, outputs,
    progress::Line,
    style::{Notation, encoded, encoding},
    watch::Watch,
};
use crate::{
    games::{Found, Game, Reader, xqf},
    notation::{quote, text::Encoding},
};

/// Lines about games that are shown of each kind, beyond which they are counted only.
const MOST_TOLD: usize = 100;

/// Reads the games of a file of any kind and writes them as PGN or XQF, with variations and comments.
///
/// PGN, XQF, CBR, CBL, CBF, DhtmlXQ (bare or in a page), WXF, lists of moves or positions, EPD, records
/// of matches and of `chuhe datagen` are known by their content, whatever the file is called, and each
/// game by its own encoding. A game that cannot be read whole is told with its place and written as far
/// as it was read; the exit status is then 1.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file of games; `-`: standard input.
    input: PathBuf,
    /// The file to write; `-`: standard output. Of several games XQF takes a file each: OUT.xqf,
    /// OUT-2.xqf and so on.
    output: PathBuf,
    /// What to write; XQF, if OUT ends in .xqf, else PGN.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Target>,
    /// The notation of the moves in PGN.
    #[arg(long, value_enum, default_value_t = Notation::Chinese)]
    notation: Notation,
    /// The encoding of PGN: utf-8, gb18030 (which Chinese programs for Windows read), big5 or utf-16.
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
    /// Writes over files that are there.
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Target {
    Pgn,
    Xqf,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let unreadable = || format!("cannot read {}", name(&args.input));
    let games = if args.input == Path::new("-") {
        Reader::from_reader(io::stdin()).context("cannot read standard input")?
    } else {
        Reader::open(&args.input).with_context(unreadable)?
    };
    let named = args.output.extension().is_some_and(|name| name.eq_ignore_ascii_case("xqf"));
    let target = args.to.unwrap_or(if named { Target::Xqf } else { Target::Pgn });
    let to_output = args.output == Path::new("-");
    let line = if to_output { Line::beside_output() } else { Line::new() };
    let mut report = Report::new(name(&args.input), Watch::new(line)?);
    let done = match target {
        Target::Xqf if to_output => {
            bail!("XQF goes to files, not to standard output")
        }
        Target::Xqf => to_xqf(args, games, &mut report)?,
        Target::Pgn if to_output => to_pgn(args, games, out, &mut report)?,
        Target::Pgn => {
            let mut file = Fresh::create(&args.output, args.force)?;
            let done = to_pgn(args, games, &mut file, &mut report);
            let done = done.with_context(|| format!("cannot write {}", name(&args.output)))?;
            if done {
                file.keep()?;
            }
            done
        }
    };
    if !done {
        let kept = if target == Target::Xqf { report.written } else { 0 };
        return Ok(report.watch.stopped_with(&format!("{kept} games are written")));
    }
    report.end();
    Ok(if report.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Writes all games to one file; false when that was stopped.
fn to_pgn(
    args: &Args,
    mut games: Reader,
    out: &mut impl Write,
    report: &mut Report,
) -> io::Result<bool> {
    let mut first = true;
    while let Some(game) = report.next(&mut games) {
        let game = match game {
            Next::Game(game) => game,
            Next::Nothing => continue,
            Next::Stop => return Ok(false),
        };
        let first = std::mem::take(&mut first);
        let (bytes, missing) = encoded(game.write(args.notation.format()), args.encoding, first);
        if let Some(c) = missing {
            report.lost(&format!(
                "`{}` and perhaps others are no characters of the encoding",
                quote(&c.to_string())
            ));
        }
        out.write_all(&bytes)?;
        report.written += 1;
    }
    out.flush()?;
    Ok(true)
}

/// Writes each game to a file of its own; false when that was stopped.
fn to_xqf(args: &Args, mut games: Reader, report: &mut Report) -> anyhow::Result<bool> {
    check_output(&args.output, args.force)?;
    // Of several games the second tells, before the first is written, whether files of an earlier time
    // are there.
    let second = numbered(&args.output, 2);
    let several = || Reader::open(&args.input).is_ok_and(|games| games.take(2).count() == 2);
    if second.exists() && several() {
        check_output(&second, args.force)?;
    }
    while let Some(game) = report.next(&mut games) {
        let game = match game {
            Next::Game(game) => game,
            Next::Nothing => continue,
            Next::Stop => return Ok(false),
        };
        let path = numbered(&args.output, report.written + 1);
        let bytes = match xqf::write(&game) {
            Ok(bytes) => bytes,
            Err(error) => {
                report.lost(&error.to_string());
                continue;
            }
        };
        if let Some(lost) = xqf::lost(&game) {
            report.note(&format!("XQF has no place for {lost}"));
        }
        let mut file = Fresh::create(&path, args.force)?;
        file.write_all(&bytes).with_context(|| format!("cannot write {}", name(&path)))?;
        file.keep()?;
        report.written += 1;
    }
    Ok(true)
}

/// The name of the file of a game: `games.xqf`, `games-2.xqf`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.into();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// A file that gets its name when it is whole.
struct Fresh {
    file: BufWriter<File>,
    /// What it is called until then.
    part: PathBuf,
    path: PathBuf,
    force: bool,
    kept: bool,
}

impl Fresh {
    fn create(path: &Path, force: bool) -> anyhow::Result<Self> {
        check_output(path, force)?;
        let mut part = path
            .file_name()
            .with_context(|| format!("{} is no name of a file", name(path)))?
            .to_owned();
        part.push(format!(".{}.part", std::process::id()));
        let part = path.with_file_name(part);
        let file = File::options().write(true).create_new(true).open(&part);
        let file = file.with_context(|| format!("cannot write {}", name(path)))?;
        Ok(Self { file: BufWriter::new(file), part, path: path.into(), force, kept: false })
    }

    /// Gives it its name.
    fn keep(mut self) -> anyhow::Result<()> {
        let name = super::name(&self.path);
        let whole = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        whole.with_context(|| format!("cannot write {name}"))?;
        check_output(&self.path, self.force)?;
        fs::rename(&self.part, &self.path).with_context(|| format!("cannot write {name}"))?;
        self.kept = true;
        Ok(())
    }
}

/// Whether a file can be written, over another one only if that is wanted.
fn check_output(path: &Path, force: bool) -> anyhow::Result<()> {
    if force { outputs::renewed(path) } else { outputs::fresh(path, "--force writes over it") }
}

impl Write for Fresh {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.kept {
            // What could not be written may not be removed either; its name says what it is.
            let _ = fs::remove_file(&self.part);
        }
    }
}

/// What there is of the next game.
enum Next {
    Game(Box<Game>),
    Nothing,
    /// No more are wanted.
    Stop,
}

/// What became of the games.
struct Report {
    input: String,
    watch: Watch,
    written: usize,
    broken: usize,
    notes: usize,
    failed: bool,
    /// Where the game at hand is.
    place: String,
}

impl Report {
    fn new(input: String, watch: Watch) -> Self {
        let place = String::new();
        Self { input, watch, written: 0, broken: 0, notes: 0, failed: false, place }
    }

    /// The next game, as far as it could be read.
    fn next(&mut self, games: &mut Reader) -> Option<Next> {
        let (part, written) = (games.progress().part(), self.written);
        if self.watch.see("", part, || format!("{written} games")).is_break() {
            return Some(Next::Stop);
        }
        let next = games.next()?;
        let game = match next {
            Ok(Found { place, game, remarks }) => {
                self.place = place.to_string();
                for remark in remarks {
                    self.tell(&remark.to_string());
                }
                Some(Box::new(game))
            }
            Err(error) => {
                self.place = error.place.to_string();
                self.broken += 1;
                self.failed = true;
                let partial = error.partial.filter(|game| !game.moves.is_empty());
                let kept = partial.as_ref().map_or(0, |game| game.moves.len());
                if self.broken <= MOST_TOLD {
                    let what = match kept {
                        0 => "left out".into(),
                        plies => format!("cut off after {plies} plies"),
                    };
                    self.watch
                        .keep(&format!("{what}: {}, {}, {}", self.input, error.place, error.fault));
                }
                for remark in error.remarks {
                    self.tell(&remark.to_string());
                }
                partial
            }
        };
        Some(game.map_or(Next::Nothing, Next::Game))
    }

    /// Tells something about the game at hand that its reader or writer changed.
    fn note(&mut self, what: &str) {
        self.tell(&format!("{}: {what}", self.place));
    }

    /// Tells what is lost of the game at hand.
    fn lost(&mut self, what: &str) {
        self.failed = true;
        self.note(what);
    }

    fn tell(&mut self, what: &str) {
        self.notes += 1;
        if self.notes <= MOST_TOLD {
            self.watch.keep(&format!("note: {}, {what}", self.input));
        }
    }

    fn end(&mut self) {
        for (count, what) in [(self.broken, "games"), (self.notes, "notes")] {
            if count > MOST_TOLD {
                self.watch
                    .keep(&format!("{} more {what} like these are not shown", count - MOST_TOLD));
            }
        }
        let Self { written, broken, notes, .. } = *self;
        let told = match (broken, notes) {
            (0, 0) => format!("{written} games written"),
            (0, _) => format!("{written} games written, {notes} notes"),
            _ => format!(
                "{written} games written, {broken} could not be read to their end, {notes} notes"
            ),
        };
        self.watch.keep(&told);
    }
}
