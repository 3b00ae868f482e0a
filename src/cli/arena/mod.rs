//! `chuhe match`: engines play each other under the rules and clocks of competition.

mod files;
mod live;
mod spec;
mod table;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{Context, bail, ensure};

use super::{
    interrupt,
    lang::{self, Tongue},
    progress::{self, Line},
    rules,
    style::{Notation, encoding},
};
use crate::{
    arena::{
        Adjudication, Agreement, Brake, Conditions, DrawAgreement, Entrant, Format, Judge, Plan,
        PlayerSettings, Record, Schedule, Settings, Shard, Standings,
        openings::{self, Generator, Opening},
        sprt::{Decision, Model, Sprt},
    },
    clock::TimeControl,
    files::replace,
    games::{Reader, Remark},
    notation::text::Encoding,
    report::MatchPage,
    rules::Ruleset,
    types::Color,
};
use files::{Files, Kept, Style};
use live::Live;
use spec::Spec;

/// Random openings, where none are given: as many plies, judged by so many positions, within so
/// many points.
const RANDOM: (usize, u64, u32) = (8, 1_000, 40);
/// A game among so many that no time control keeps waits this long for a move.
const PATIENCE: u64 = 60;

/// Lets engines play each other. Every game is on disk as soon as it is over; a match that was
/// broken off goes on by --resume.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "match")]
#[command(
    after_help = "Ctrl-C, or a signal to terminate, lets the running games finish; a second one \
                  breaks them off."
)]
pub(super) struct Args {
    /// A player: `self` (this program), or cmd="FILE ARGUMENTS", and name=, dir=,
    /// proto=auto|ucci|uci, ranks=0|1 (what Red's back rank is called), letters=NB|HE (the knight's and
    /// the bishop's in FENs), variant=, tc=, patience=,
    /// option.NAME=VALUE; all in one argument, with quotes and backslashes as in a shell, twice or
    /// more.
    #[arg(long, value_name = "SPEC", required_unless_present = "merge")]
    engine: Vec<String>,
    /// The time control: 6.1 to 6.4, 6.5:60min, 6.3/60, 40/90min:10/15min, 5min+3s, move=100ms,
    /// nodes=5000, depth=8, and many others.
    #[arg(long, value_name = "CONTROL")]
    tc: Option<TimeControl>,
    /// Who plays whom: round-robin or gauntlet (the first against the others).
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    format: Format,
    /// Openings of each pairing, each of them played with both colours.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where games begin: a file of FENs, of move lists or of games of any kind. Without it openings are made at
    /// random from the seed.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How many plies of a file's games are an opening.
    #[arg(long, value_name = "N", default_value_t = 8)]
    opening_plies: usize,
    /// Shuffles the openings, or makes them.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games at a time; as many as there are processors for, if it is not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Plays until it is decided whether the first player's lead is the one or the other, in Elo.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How likely ELO0 passes the test.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    alpha: f64,
    /// How likely ELO1 fails the test.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    beta: f64,
    /// ELO0 and ELO1 are normalised Elo.
    #[arg(long)]
    normalised: bool,
    /// A game is won when both players have thought so for MOVES moves each, by POINTS. They count as
    /// in UCI; what is told in UCCI, where 100 are a knight, is converted.
    #[arg(long, value_name = "MOVES,POINTS")]
    resign: Option<Agreement>,
    /// A game is drawn when both have thought so for MOVES moves each, within POINTS, from move
    /// FROM on.
    #[arg(long, value_name = "FROM,MOVES,POINTS")]
    draw: Option<DrawAgreement>,
    /// A game is drawn after so many plies.
    #[arg(long, value_name = "N")]
    max_plies: Option<usize>,
    /// By how many milliseconds a player may overstep its time; usually 0, and 200 where each move
    /// has a time of its own.
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// For how many seconds a player without a clock is waited for.
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Whom a draw counts as a win for: black where the players have bid for the black men in time.
    #[arg(long, value_name = "SIDE", default_value = "none", help_heading = "Rules")]
    draw_wins: DrawWins,
    #[command(flatten)]
    rules: rules::Args,
    /// What the files are called: NAME.jsonl (records), NAME.pgn (games), NAME.html (a page).
    #[arg(long, value_name = "NAME", default_value = "match")]
    out: PathBuf,
    /// Goes on with a match that was broken off.
    #[arg(long)]
    resume: bool,
    /// Plays a part of the match only, such as 1/4, the first of four.
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Joins the records of a match's parts, FILE.jsonl each, and tells how it stands.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engine", "resume"])]
    merge: Vec<PathBuf>,
    /// How moves are written in the PGN.
    #[arg(long, value_name = "NOTATION", default_value = "iccs")]
    notation: Notation,
    /// How the PGN is encoded: utf-8 or gb18030.
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
    /// The language of the page; usually that of `CHUHE_LANG`.
    #[arg(long, value_enum)]
    lang: Option<Tongue>,
    /// Adds one line on the whole match to this file.
    #[arg(long, value_name = "FILE")]
    experiments: Option<PathBuf>,
}

/// Whom a draw counts as a win for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum DrawWins {
    None,
    Red,
    Black,
}

impl DrawWins {
    fn winner(self) -> Option<Color> {
        match self {
            Self::None => None,
            Self::Red => Some(Color::Red),
            Self::Black => Some(Color::Black),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| *share > 0.0 && *share < 0.5);
    share.ok_or_else(|| "not a share between 0 and 0.5".into())
}

/// A match that is ready to be played.
struct Event {
    plan: Plan,
    settings: Settings,
    sprt: Option<Sprt>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let style = Style { format: args.notation.format(), encoding: args.encoding };
    if !args.merge.is_empty() {
        return merge(args, style, out);
    }
    let brake = Arc::new(Brake::default());
    let handle = Arc::clone(&brake);
    interrupt::listen(move || if handle.is_pulled() { handle.abort() } else { handle.finish() })?;

    let event = prepare(args, &brake)?;
    let checked = event.plan.check(&brake);
    go_on(&brake)?;
    checked?;
    let (mut files, done) = if args.resume {
        Files::resume(&args.out, event.settings.clone(), style)?
    } else {
        (Files::create(&args.out, event.settings.clone(), style)?, Vec::new())
    };
    let standings = play(&event, &mut files, &done, &brake)?;
    conclude(args, &event.settings, &standings, event.sprt.as_ref(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// Whether there is to be a game at all.
fn go_on(brake: &Brake) -> anyhow::Result<()> {
    ensure!(!brake.is_pulled(), "interrupted before the first game");
    Ok(())
}

/// Plays what is still to be played.
fn play(
    event: &Event,
    files: &mut Files,
    done: &[Record],
    brake: &Brake,
) -> anyhow::Result<Standings> {
    let mut standings = Standings::default();
    for record in done {
        standings.add(record);
    }
    let games = done.iter().map(|record| record.game).collect();
    // It may have been before it was taken up again.
    if event.is_decided(&standings) {
        brake.finish();
    }
    let names = event.names();
    let mut live = Live::new(event.plan.schedule.len() as u64, done.len() as u64);
    let mut written = Ok(());
    event.plan.run(&games, brake, |record| {
        if written.is_ok() {
            written = files.keep(&record);
        }
        if written.is_err() {
            // What cannot be kept is not worth playing.
            brake.abort();
            return;
        }
        standings.add(&record);
        live.show(&names, &standings, event.sprt.as_ref(), &record);
        if event.is_decided(&standings) {
            brake.finish();
        }
    })?;
    live.end();
    written.context("the match has stopped; --resume goes on with it")?;
    Ok(standings)
}

impl Event {
    fn names(&self) -> Vec<String> {
        self.plan.entrants.iter().map(|entrant| entrant.name.clone()).collect()
    }

    /// Whether the test is over. A part of a match is none: only all of it decides.
    fn is_decided(&self, standings: &Standings) -> bool {
        let score = standings.scores.values().next();
        self.settings.shard == Shard::WHOLE.to_string()
            && self.sprt.zip(score).is_some_and(|(sprt, score)| {
                sprt.decision(&score.outcomes()) != Decision::Undecided
            })
    }
}

/// Reads everything that can be wrong before anything is played.
fn prepare(args: &Args, brake: &Brake) -> anyhow::Result<Event> {
    let ruleset = args.rules.choice().ruleset();
    let draws_won_by = args.draw_wins.winner();
    let mut specs = Vec::new();
    let mut entrants: Vec<Entrant> = Vec::new();
    for text in &args.engine {
        let what = || format!("--engine {text}");
        let spec = Spec::read(text).with_context(what)?;
        let entrant = spec.entrant(args.tc.as_ref(), &ruleset, draws_won_by);
        let mut entrant = entrant.with_context(what)?;
        let name = entrant.name.clone();
        let mut twins = 1;
        while entrants.iter().any(|other| other.name == entrant.name) {
            twins += 1;
            entrant.name = format!("{name} {twins}");
        }
        entrants.push(entrant);
        specs.push(spec);
    }
    if entrants.len() < 2 {
        bail!("a match needs two players: --engine twice or more");
    }
    let rounds = args.rounds as usize;
    let sprt = sprt(args);
    if sprt.is_some() && entrants.len() > 2 {
        bail!("--sprt is for two players, not for {}", entrants.len());
    }
    let adjudication = Adjudication { resign: args.resign, draw: args.draw, plies: args.max_plies };
    let conditions = Conditions {
        ruleset,
        margin: args.margin.map(Duration::from_millis),
        patience: Duration::from_secs(args.patience),
        adjudication,
        draws_won_by,
    };
    let concurrency = concurrency(args, &entrants)?;
    let (openings, source) = openings(args, rounds, brake)?;
    let schedule =
        Schedule::new(args.format, entrants.len(), rounds, openings.len()).part(args.shard);
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION").into(),
        players: specs.iter().zip(&entrants).map(|(spec, one)| player(spec, one)).collect(),
        format: args.format.to_string(),
        rounds,
        openings: source,
        opening_check: (openings.len(), openings::checksum(&openings)),
        ruleset: rules_text(&ruleset),
        adjudication: adjudication.to_string(),
        draw_wins: draws_won_by.map(|winner| winner.to_string()),
        margin_ms: args.margin,
        sprt: sprt.map_or_else(String::new, |sprt| format!("{sprt} {} {}", args.alpha, args.beta)),
        shard: args.shard.to_string(),
    };
    Ok(Event {
        plan: Plan { entrants, schedule, openings, conditions, concurrency },
        settings,
        sprt,
    })
}

/// The test, if there is one.
fn sprt(args: &Args) -> Option<Sprt> {
    let model = if args.normalised { Model::Normalised } else { Model::Logistic };
    args.sprt.map(|sprt| Sprt { alpha: args.alpha, beta: args.beta, model, ..sprt })
}

fn player(spec: &Spec, entrant: &Entrant) -> PlayerSettings {
    PlayerSettings {
        name: entrant.name.clone(),
        command: spec.command.join(" "),
        control: entrant.control.to_string(),
        options: spec.options.clone(),
        manners: spec.manners(),
    }
}

fn rules_text(rules: &Ruleset) -> String {
    let Ruleset { repetition_count, check_cap, kill_depth, check_gain, .. } = rules;
    format!(
        "{}, occurrence {repetition_count}{}, {} rounds with {check_cap} checks, kill depth \
         {kill_depth}, check gain {check_gain}",
        rules.book.name(),
        if rules.warning { " after a warning" } else { "" },
        rules.natural_limit / 2
    )
}

/// The openings and where they come from.
fn openings(args: &Args, wanted: usize, brake: &Brake) -> anyhow::Result<(Vec<Opening>, String)> {
    let Some(path) = &args.openings else {
        let seed = args.seed.unwrap_or(1);
        let (plies, nodes, band) = RANDOM;
        let mut generator = Generator::new(seed, plies);
        let mut judge = Judge::new(nodes);
        let mut openings = Vec::new();
        let mut line = Line::new();
        while openings.len() < wanted {
            go_on(brake)?;
            line.show(|| {
                let bar = progress::bar(openings.len() as f64 / wanted as f64);
                format!("{bar} {} of {wanted} openings are made", openings.len())
            });
            let start = generator.next(band, 1000, |line| judge.points(line));
            let Some(start) = start else { break };
            openings.push(Opening { start, moves: Vec::new() });
        }
        line.clear();
        let source = format!("random {plies} plies, {nodes} nodes, ±{band} points, seed {seed}");
        return Ok((openings, source));
    };
    let read = |path: &Path| {
        // They may come through a pipe.
        let games = if fs::metadata(path)?.is_file() {
            Reader::open(path)?
        } else {
            Reader::from_reader(fs::File::open(path)?)?
        };
        let tell =
            |remark: &Remark| progress::write(&format!("note: {}, {remark}", path.display()));
        Ok::<_, anyhow::Error>(openings::from_games(games, args.opening_plies, tell)?)
    };
    let mut openings = read(path).with_context(|| path.display().to_string())?;
    let mut source = path.display().to_string();
    if let Some(seed) = args.seed {
        openings::shuffle(&mut openings, seed);
        source = format!("{source}, shuffled by seed {seed}");
    }
    Ok((openings, source))
}

/// How many games fit on the processors there are, of which each player's threads take theirs.
fn concurrency(args: &Args, entrants: &[Entrant]) -> anyhow::Result<usize> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = entrants.iter().map(threads).max().unwrap_or(1);
    let fits = (processors / threads).max(1);
    let wanted = args.concurrency.map_or(fits, usize::from);
    if wanted > fits {
        bail!(
            "--concurrency {wanted}: {processors} processors have room for {fits} games of players \
             with {threads} threads"
        );
    }
    Ok(wanted)
}

fn threads(entrant: &Entrant) -> usize {
    let options = entrant.manners.options.iter();
    let mut told = options.filter(|(name, _)| name.eq_ignore_ascii_case("threads"));
    told.next_back().and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
}

/// Joins the parts of a match.
fn merge(args: &Args, style: Style, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let Kept { settings, records, .. } = files::join(&args.merge)?;
    let mut files = Files::create(&args.out, settings.clone(), style)?;
    let mut standings = Standings::default();
    for record in &records {
        files.keep(record)?;
        standings.add(record);
    }
    conclude(args, &settings, &standings, sprt(args).as_ref(), out)?;
    let missing = games(&settings).saturating_sub(records.len());
    if missing > 0 {
        writeln!(out, "missing: {missing} games; --resume plays them")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the page of the match from its records.
fn page(
    args: &Args,
    settings: &Settings,
    records: &Path,
    sprt: Option<&Sprt>,
) -> anyhow::Result<PathBuf> {
    let path = files::name(&args.out, "html");
    let mut kept = files::read(records)?;
    kept.records.sort_by_key(|record| record.game);
    let language = lang::chosen(args.lang);
    let page = MatchPage { settings, records: &kept.records, sprt, language };
    let made = format!("chuhe {} · {}", settings.version, settings.ruleset);
    let written = replace(&path, |mut file| page.write(&mut file, &made));
    written.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// How many games a whole match has.
fn games(settings: &Settings) -> usize {
    let format = settings.format.parse().unwrap_or_default();
    Schedule::new(format, settings.players.len(), settings.rounds, 1).len()
}

/// Tells how the match stands at its end.
fn conclude(
    args: &Args,
    settings: &Settings,
    standings: &Standings,
    sprt: Option<&Sprt>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let names: Vec<_> = settings.players.iter().map(|player| player.name.clone()).collect();
    let table = table::render(&names, standings, sprt);
    write!(out, "{table}{}", table::endings(&names, standings))?;
    let records = files::name(&args.out, "jsonl");
    let page = page(args, settings, &records, sprt)?;
    writeln!(out, "records: {}, page: {}", records.display(), page.display())?;
    if let Some(path) = &args.experiments {
        let line = serde_json::json!({ "settings": settings, "result": table.trim_end() });
        let file = fs::File::options().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.with_context(|| path.display().to_string())?;
    }
    Ok(())
}
