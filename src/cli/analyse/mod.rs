//! `chuhe analyse`: games of a file looked at move by move, as a game file, as data and as a page.

mod journal;
mod output;
mod source;

use std::{
    collections::HashSet,
    io::Write,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use anyhow::{Context, bail};

use super::{
    evaluator::Evaluator,
    interrupt,
    lang::{self, SpokenLanguage},
    name as shown,
    progress::{self, Line},
    rules,
    style::{Notation, encoding, lacking},
    watch,
};
use crate::{
    analysis::{self, Brake, Effort, GameReport, Progress, Settings, Task},
    book::Book,
    eval::Network,
    games::{Fault, Found, Game, GameError, Reader},
    notation::text::Encoding,
};
use journal::{Header, Journal};
use output::Outputs;
use source::Source;

/// A game takes so many seconds, unless its searches are limited otherwise.
const GAME_SECONDS: u64 = 60;

/// Tells where games were won and lost: the chances before and after each move, better lines, the
/// turning points, what the rules say.
///
/// Makes NAME.html (a page that needs nothing else), NAME.pgn (comments and variations) and NAME.json
/// (everything, as data). Ctrl-C keeps the games that are done, and the same command goes on.
#[derive(Debug, clap::Args)]
#[group(id = "analyse")]
pub(super) struct Args {
    /// A file of games of any kind that is read; `-`: standard input.
    file: PathBuf,
    /// What the files are called; usually FILE.analysed, beside FILE.
    #[arg(long, value_name = "NAME", required_if_eq("file", "-"))]
    out: Option<PathBuf>,
    /// Seconds that a game takes on all threads together, 60 unless a limit is given.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400), group = "effort")]
    game_time: Option<u64>,
    /// Nodes searched for each position, in place of a time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), group = "effort")]
    nodes: Option<u64>,
    /// Milliseconds for each position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000), group = "effort")]
    movetime: Option<u64>,
    /// Plies that each position is searched.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200), group = "effort")]
    depth: Option<u32>,
    /// Lines of each position; two are needed to see that a move was the only one.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    multipv: u8,
    /// Megabytes of each thread's transposition table; usually as many as a search fills.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
    #[command(flatten)]
    evaluator: Evaluator,
    #[command(flatten)]
    rules: rules::Args,
    /// The language of comments and of the page; usually that of `CHUHE_LANG`.
    #[arg(long, value_enum)]
    lang: Option<SpokenLanguage>,
    /// How moves are written in the PGN.
    #[arg(long, value_name = "NOTATION", default_value = "chinese")]
    notation: Notation,
    /// How the PGN is encoded: utf-8, gb18030 (which Chinese programs for Windows read), big5 or utf-16.
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
    /// Writes over files that are there.
    #[arg(long)]
    force: bool,
}

impl Args {
    fn settings(&self) -> Settings {
        let effort = match (self.nodes, self.depth, self.movetime) {
            (Some(nodes), ..) => Effort::Nodes(nodes),
            (_, Some(depth), _) => Effort::Depth(depth),
            (.., Some(ms)) => Effort::Time(ms),
            _ => Effort::Game(1000 * self.game_time.unwrap_or(GAME_SECONDS)),
        };
        let hash_mb = self.hash.map_or_else(|| effort.hash_mb(), |mb| mb as usize);
        Settings { effort, lines: self.multipv.into(), hash_mb }
    }

    fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let mut name = self.file.file_stem().unwrap_or_default().to_owned();
            name.push(".analysed");
            self.file.with_file_name(name)
        })
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let settings = args.settings();
    let (brake, line) = (Arc::new(Brake::default()), Line::new());
    let (handle, leave) = (Arc::clone(&brake), line.leave());
    interrupt::listen(move || {
        if handle.is_pulled() {
            leave();
        }
        handle.pull();
    })?;
    let unreadable = || format!("cannot read {}", shown(&args.file));
    let source = Source::open(&args.file).with_context(unreadable)?;
    let mut games = source.games().with_context(unreadable)?.peekable();
    // What cannot be read on is not read to its end to be told from others.
    let broken =
        |found: &Result<_, GameError>| matches!(found, Err(GameError { fault: Fault::Io(_), .. }));
    if let Some(Err(error)) = games.next_if(broken) {
        return Err(error).with_context(unreadable);
    }
    let network = args.evaluator.network()?;
    args.evaluator.ensure_memory(settings.hash_mb)?;
    let name = args.out();
    super::outputs::stem(&name)?;
    let ruleset = args.rules.choice().ruleset();
    let header = Header {
        program: format!("chuhe {}", env!("CARGO_PKG_VERSION")),
        network: network.as_deref().map_or_else(|| "handcrafted".into(), checksum),
        settings,
        ruleset: format!("{ruleset:?}"),
        source: args.file.display().to_string(),
        digest: source.digest().with_context(unreadable)?,
    };
    let outputs = Outputs {
        name: name.clone(),
        language: lang::chosen(args.lang),
        format: args.notation.format(),
        encoding: args.encoding,
    };
    outputs.spare(&args.file)?;
    outputs.paths().iter().try_for_each(|path| super::outputs::renewed(path))?;
    let resumed = Journal::resume(&name, &header)?;
    // What has no game yet is a new one.
    if resumed.as_ref().is_none_or(|(_, done)| done.is_empty()) {
        ensure_free(&outputs, args.force)?;
    }
    let (mut journal, done) = match resumed {
        Some(resumed) => resumed,
        None => (Journal::create(&name, &header)?, HashSet::new()),
    };

    // Reading is nothing beside searching, and tells how much there is of it.
    let wanted = positions(source.games().with_context(unreadable)?, &done, &brake);
    let desk = Desk::new(line, wanted);
    let games = games.filter_map(|found| desk.accept(found, &done));
    let task = Task {
        settings,
        ruleset,
        network,
        threads: args.evaluator.threads(),
        book: &Book::built_in(),
    };
    let mut written = Ok(());
    let mut keep = |report: GameReport| {
        written = journal.add(&report);
        written.is_ok()
    };
    analysis::run(&task, games, &brake, &|progress| desk.show(&progress), &mut keep);
    written?;
    desk.line().clear();
    // A file with nothing but faults still has been told about.
    if desk.read.load(Ordering::Relaxed) == 0 && !brake.is_pulled() {
        journal.remove();
        bail!("{}: no game can be read", shown(&args.file));
    }
    let count = journal.games();
    let tell = |poor: usize| {
        if let Some(told) = lacking(poor) {
            desk.line().keep(&told);
        }
    };
    if brake.is_pulled() {
        // Files from before are worth more than empty ones.
        if count > 0 {
            tell(outputs.write(&header, &mut journal)?);
        } else {
            journal.remove();
        }
        desk.line().keep(&format!("stopped; games done: {count}; the same command goes on"));
        return Ok(progress::INTERRUPTED.into());
    }
    let poor = outputs.write(&header, &mut journal)?;
    tell(poor);
    journal.remove();
    writeln!(out, "games: {count}; {}", outputs.list())?;
    let whole = desk.bad.load(Ordering::Relaxed) == 0 && poor == 0;
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What tells a network from others, whatever it is run by.
fn checksum(network: &Network) -> String {
    let told = network.to_string();
    format!("network {}", told.split(", ").nth(1).unwrap_or_default())
}

fn ensure_free(outputs: &Outputs, force: bool) -> anyhow::Result<()> {
    let there = outputs.paths().into_iter().find(|path| path.exists());
    if let Some(path) = there.filter(|_| !force) {
        bail!("{} is there already: --force writes over it", shown(&path));
    }
    Ok(())
}

/// How many positions there are to be searched in the games that are not done.
fn positions(games: Reader, done: &HashSet<usize>, brake: &Brake) -> usize {
    let found = games.take_while(|_| !brake.is_pulled()).filter_map(Result::ok);
    let wanted = found.filter(|found| !done.contains(&found.place.game));
    wanted.map(|found| found.game.moves.len() + 1).sum()
}

/// Where games come in and what is said about them goes out.
struct Desk {
    line: Mutex<Line>,
    read: AtomicUsize,
    bad: AtomicUsize,
    begun: Instant,
    /// Positions that there are to be searched.
    wanted: usize,
}

impl Desk {
    fn new(line: Line, wanted: usize) -> Self {
        let (line, begun) = (Mutex::new(line), Instant::now());
        Self { line, read: AtomicUsize::new(0), bad: AtomicUsize::new(0), begun, wanted }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game to be analysed, unless it cannot be read or has been done before.
    fn accept(
        &self,
        found: Result<Found, GameError>,
        done: &HashSet<usize>,
    ) -> Option<(usize, Game)> {
        match found {
            Ok(Found { place, game, remarks }) => {
                self.read.fetch_add(1, Ordering::Relaxed);
                if done.contains(&place.game) {
                    return None;
                }
                for remark in &remarks {
                    self.line().keep(&remark.to_string());
                }
                Some((place.game, game))
            }
            Err(error) => {
                self.bad.fetch_add(1, Ordering::Relaxed);
                self.line().keep(&format!("chuhe: {error}"));
                None
            }
        }
    }

    fn show(&self, progress: &Progress) {
        let (number, done, all) = progress.current;
        self.line().show(|| {
            let part = progress.positions as f64 / self.wanted.max(1) as f64;
            let (bar, games) = (progress::bar(part), progress.games);
            let left = watch::left(self.begun.elapsed().as_secs_f64(), 0.0, part);
            format!("{bar} {games} games done{left}; game {number}: {done} of {all}")
        });
    }
}
