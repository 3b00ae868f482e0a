//! `chuhe match`: engines play each other under the rules and clocks of competition.

mod beginnings;
mod files;
mod live;
mod spec;
mod table;
mod wish;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::{Context, bail};

use super::{
    lang::{self, SpokenLanguage},
    name as shown, outputs, progress, rules,
    style::{Notation, encoding, lacking},
};
use crate::{
    arena::{
        Adjudication, Agreement, Conditions, DrawAgreement, Entrant, Format, Plan, PlayerSettings,
        Record, Schedule, Score, Settings, Shard, Standings,
        sprt::{Decision, Model, Sprt},
    },
    clock::TimeControl,
    files::replace,
    notation::{quote, text::Encoding},
    report::MatchPage,
    rules::Ruleset,
    simd,
    types::Color,
};
use beginnings::{openings, openings_check, warn_of_copies};
use files::{Files, Kept, Style};
use live::{Display, Live};
use spec::Spec;
use wish::{Interrupted, Wish};

/// Rounds of a match that is no test.
const ROUNDS: usize = 100;
/// A game among so many that no time control keeps waits this long for a move.
const PATIENCE: u64 = 60;

/// Lets engines play each other. Every game is on disk as soon as it is over; a match that was
/// broken off goes on by --resume.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "match")]
#[command(
    after_help = "Ctrl-C, or a signal to terminate, lets the running games finish; a second one \
                  breaks them off.\n\nExit status: 0 all games are played, or the test is passed; \
                  3 the test has failed; 4 the test is undecided; 130 broken off, --resume goes on; \
                  1 something is wrong; 2 the command line is."
)]
pub(super) struct Args {
    /// A player: `self` (this program), or cmd="FILE ARGUMENTS", and name=, dir=,
    /// proto=auto|ucci|uci (auto waits only a few seconds for an engine that says something else),
    /// ranks=0|1 (what Red's back rank is called), letters=NB|HE (the knight's and the bishop's in
    /// FENs), variant=, tc=, patience=, option.NAME=VALUE; all in one argument, with quotes and
    /// backslashes as in a shell, twice or more.
    #[arg(long, value_name = "SPEC", required_unless_present = "merge")]
    engine: Vec<String>,
    /// The time control: 6.1 to 6.4, 6.5:60min, 6.3/60, 40/90min:10/15min, 5min+3s, move=100ms,
    /// nodes=5000, depth=8, and many others.
    #[arg(long, value_name = "CONTROL")]
    tc: Option<TimeControl>,
    /// Who plays whom: round-robin or gauntlet (the first against the others).
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    format: Format,
    /// Openings of each pairing, each of them played with both colours [default: 100, or with --sprt
    /// until the test is decided]. --resume may raise it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
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
    /// Plays until it is decided whether the first player's lead is the one or the other, in Elo from
    /// -1000 to 1000; --rounds is then the most it may take.
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
    /// Joins the records of a match's parts, FILE.jsonl each, and tells how it stands. Their test is
    /// told as well, unless another one is asked for by --sprt.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["engine", "resume"])]
    merge: Vec<PathBuf>,
    /// How moves are written in the PGN.
    #[arg(long, value_name = "NOTATION", default_value = "iccs")]
    notation: Notation,
    /// How the PGN is encoded: utf-8, gb18030 (which Chinese programs for Windows read), big5 or utf-16.
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = encoding)]
    encoding: Encoding,
    /// The language of the page; usually that of `CHUHE_LANG`.
    #[arg(long, value_enum)]
    lang: Option<SpokenLanguage>,
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

/// What the program ends with when a test has failed, and when it has not come to an end.
const FAILED: u8 = 3;
const UNDECIDED: u8 = 4;

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let style = Style { format: args.notation.format(), encoding: args.encoding };
    outputs::stem(&args.out)?;
    if !args.merge.is_empty() {
        return merge(args, style, out);
    }
    let display = Display::new();
    let wish = Wish::listen(&display)?;
    match compete(args, style, &display, &wish, out) {
        Err(error) if error.is::<Interrupted>() => {
            progress::write(&format!("chuhe: {error}"));
            Ok(progress::INTERRUPTED.into())
        }
        status => status,
    }
}

/// Plays a match, and tells how it ends.
fn compete(
    args: &Args,
    style: Style,
    display: &Display,
    wish: &Wish,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let event = prepare(args, wish)?;
    let experiments = experiments(args)?;
    let checked = event.plan.check(&wish.brake);
    wish.go_on()?;
    checked?;
    let (mut files, done) = if args.resume {
        Files::resume(&args.out, event.settings.clone(), style)?
    } else {
        (Files::create(&args.out, event.settings.clone(), style, &[])?, Vec::new())
    };
    warn_of_copies(&event.plan.openings, event.settings.rounds);
    wish.playing.store(true, Ordering::Relaxed);
    let played = play(&event, &mut files, &done, display, wish);
    wish.playing.store(false, Ordering::Relaxed);
    let standings = played.context("the match has stopped; --resume goes on with it")?;
    tell_of(&files);
    conclude(args, &event.settings, &standings, event.sprt.as_ref(), experiments, out)?;
    let games = event.plan.schedule.games();
    let whole = games.is_some_and(|games| standings.total() >= games as u64);
    if wish.is_uttered() && !whole && event.decision(&standings) == Decision::Undecided {
        let played = standings.total();
        progress::write(&format!(
            "broken off after {played} games; the same command with --resume goes on"
        ));
        return Ok(progress::INTERRUPTED.into());
    }
    let test = event.sprt.as_ref().filter(|_| args.shard == Shard::WHOLE);
    Ok(status(test, &standings))
}

/// What the program ends with after a match.
fn status(sprt: Option<&Sprt>, standings: &Standings) -> ExitCode {
    match sprt.map(|sprt| decision(sprt, standings)) {
        None | Some(Decision::Passed) => ExitCode::SUCCESS,
        Some(Decision::Failed) => FAILED.into(),
        Some(Decision::Undecided) => UNDECIDED.into(),
    }
}

fn decision(sprt: &Sprt, standings: &Standings) -> Decision {
    let score = standings.scores.values().next();
    score.map_or(Decision::Undecided, |score| sprt.decision(&score.outcomes()))
}

/// The file that gets a line on the whole match, which is opened before the first game: afterwards is
/// too late to hear that it cannot be.
fn experiments(args: &Args) -> anyhow::Result<Option<fs::File>> {
    let Some(path) = &args.experiments else { return Ok(None) };
    let file = fs::File::options().create(true).append(true).open(path);
    Ok(Some(file.with_context(|| shown(path))?))
}

/// Plays what is still to be played.
fn play(
    event: &Event,
    files: &mut Files,
    done: &[Record],
    display: &Display,
    wish: &Wish,
) -> anyhow::Result<Standings> {
    let brake = &wish.brake;
    let mut standings = Standings::default();
    let mut fresh = Fresh::default();
    for record in done {
        standings.add(record);
        fresh.see(&standings);
    }
    let games = done.iter().map(|record| record.game).collect();
    // It may have been before it was taken up again.
    if event.is_over(&standings, fresh) {
        brake.finish();
    }
    let names = event.names();
    let all = event.plan.schedule.games();
    let mut live = Live::new(display, &names, event.sprt.as_ref(), all, done.len());
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
        fresh.see(&standings);
        live.show(&standings, &record);
        if event.is_over(&standings, fresh) {
            brake.finish();
        }
    })?;
    drop(live);
    written?;
    if event.is_stale(fresh) && event.decision(&standings) == Decision::Undecided {
        progress::write(
            "every opening has been played again, and each game was a copy: more of them tell \
             nothing, but other --openings may",
        );
    }
    Ok(standings)
}

/// How many pairs of a test have come since one that was no copy.
#[derive(Clone, Copy, Debug, Default)]
struct Fresh {
    distinct: u64,
    pairs: u64,
    copies: u64,
}

impl Fresh {
    fn see(&mut self, standings: &Standings) {
        let sum =
            |of: fn(&Score) -> &[u64; 5]| -> u64 { standings.scores.values().flat_map(of).sum() };
        let (pairs, distinct) = (sum(|score| &score.pairs), sum(|score| &score.distinct_pairs));
        self.copies = if distinct > self.distinct { 0 } else { self.copies + pairs - self.pairs };
        (self.pairs, self.distinct) = (pairs, distinct);
    }
}

impl Event {
    /// The players, as a terminal shows them.
    fn names(&self) -> Vec<String> {
        self.plan.entrants.iter().map(|entrant| quote(&entrant.name)).collect()
    }

    /// What the test says. A part of a match is none: only all of it decides.
    fn decision(&self, standings: &Standings) -> Decision {
        match &self.sprt {
            Some(sprt) if self.settings.shard == Shard::WHOLE.to_string() => {
                decision(sprt, standings)
            }
            _ => Decision::Undecided,
        }
    }

    /// Whether all openings were played again since the last pair that was no copy, so that a test
    /// gets nowhere.
    fn is_stale(&self, fresh: Fresh) -> bool {
        let openings = self.plan.openings.count();
        self.sprt.is_some() && openings.is_some_and(|count| fresh.copies >= count as u64)
    }

    /// Whether a test has no use for more games.
    fn is_over(&self, standings: &Standings, fresh: Fresh) -> bool {
        self.is_stale(fresh) || self.decision(standings) != Decision::Undecided
    }
}

/// Reads everything that can be wrong before anything is played.
fn prepare(args: &Args, wish: &Wish) -> anyhow::Result<Event> {
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
    let sprt = sprt(args);
    if sprt.is_some() && entrants.len() > 2 {
        bail!("--sprt is for two players, not for {}", entrants.len());
    }
    let rounds = args.rounds.map(|rounds| rounds as usize);
    if sprt.is_some() && rounds.is_none() && args.shard != Shard::WHOLE {
        bail!("--sprt with --shard needs --rounds: a part of a match decides nothing by itself");
    }
    let rounds = if sprt.is_some() { rounds } else { rounds.or(Some(ROUNDS)) };
    let adjudication = Adjudication { resign: args.resign, draw: args.draw, plies: args.max_plies };
    let conditions = Conditions {
        ruleset,
        margin: args.margin.map(Duration::from_millis),
        patience: Duration::from_secs(args.patience),
        adjudication,
        draws_won_by,
    };
    let concurrency = concurrency(args, &entrants)?;
    let (openings, source) = openings(args)?;
    wish.go_on()?;
    let count = openings.count();
    let schedule = Schedule::new(args.format, entrants.len(), rounds, count).part(args.shard);
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION").into(),
        players: specs.iter().zip(&entrants).map(|(spec, one)| player(spec, one)).collect(),
        format: args.format.to_string(),
        rounds,
        openings: source,
        opening_check: (count.unwrap_or(0), openings_check(&openings)),
        ruleset: rules_text(&ruleset),
        adjudication: adjudication.to_string(),
        draw_wins: draws_won_by.map(|winner| winner.to_string()),
        margin_ms: args.margin,
        sprt: sprt.map_or_else(String::new, |sprt| sprt.record()),
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

/// How many games fit on the processors there are, of which each player's threads take theirs.
fn concurrency(args: &Args, entrants: &[Entrant]) -> anyhow::Result<usize> {
    let processors = simd::processors();
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
    // The parts know the test that they belong to.
    let told =
        || Sprt::recorded(&settings.sprt).context("their test cannot be read: give it by --sprt");
    let sprt = match sprt(args) {
        None if !settings.sprt.is_empty() => Some(told()?),
        sprt => sprt,
    };
    let experiments = experiments(args)?;
    tell_of(&Files::create(&args.out, settings.clone(), style, &records)?);
    let mut standings = Standings::default();
    for record in &records {
        standings.add(record);
    }
    conclude(args, &settings, &standings, sprt.as_ref(), experiments, out)?;
    let missing = games(&settings).map_or(0, |games| games.saturating_sub(records.len()));
    if missing > 0 {
        writeln!(out, "missing: {missing} games; --resume plays them")?;
    }
    Ok(status(sprt.as_ref(), &standings))
}

/// Tells what the games of a match lost when they were written.
fn tell_of(files: &Files) {
    if let Some(told) = lacking(files.poor()) {
        progress::write(&told);
    }
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
    written.with_context(|| format!("cannot write {}", shown(&path)))?;
    Ok(path)
}

/// How many games a whole match has, if it has an end.
fn games(settings: &Settings) -> Option<usize> {
    let format = settings.format.parse().unwrap_or_default();
    Schedule::new(format, settings.players.len(), settings.rounds, Some(1)).games()
}

/// Tells how the match stands at its end.
fn conclude(
    args: &Args,
    settings: &Settings,
    standings: &Standings,
    sprt: Option<&Sprt>,
    experiments: Option<fs::File>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let names: Vec<_> = settings.players.iter().map(|player| quote(&player.name)).collect();
    let table = table::render(&names, standings, sprt);
    write!(out, "{table}{}", table::endings(&names, standings))?;
    let records = files::name(&args.out, "jsonl");
    let page = page(args, settings, &records, sprt)?;
    writeln!(out, "records: {}, page: {}", shown(&records), shown(&page))?;
    if let Some((mut file, path)) = experiments.zip(args.experiments.as_ref()) {
        let line = serde_json::json!({ "settings": settings, "result": table.trim_end() });
        let before = file.metadata().with_context(|| shown(path))?.len();
        let written = file.write_all(format!("{line}\n").as_bytes());
        if written.is_err() {
            // Half a line would spoil the next one, too.
            let _ = file.set_len(before);
        }
        written.with_context(|| shown(path))?;
    }
    Ok(())
}
