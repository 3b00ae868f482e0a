//! `chuhe judge`: games of any source, judged by the rules one after the other. What cannot be
//! judged is told and passed over.

mod game;
mod lines;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use serde::Serialize;

use super::rules;
use crate::{
    rules::{Label, Language, Offence, Outcome, Ruleset, RulesetChoice, Ruling, ruling},
    types::{Color, Move},
};
use game::{Decision, Game, GameError, Written};
use lines::Lines;

/// Judges games: the verdict on repetition and every other end, what each move does, the articles.
///
/// A game is given by `--fen` and `--moves`, or by a file of lines such as `FEN moves a8a9 e9e8` or
/// `startpos moves h2e2`, or by a file of JSON objects with the fields `fen` and `moves`. The exit
/// status is 1 when any of them cannot be judged.
#[derive(Debug, clap::Args)]
#[group(id = "judge")]
#[command(group = clap::ArgGroup::new("game").required(true).multiple(true))]
pub(super) struct Args {
    /// A file of games, one a line; `-`: standard input.
    #[arg(group = "game", value_name = "FILE", conflicts_with_all = ["fen", "moves", "jsonl"])]
    file: Option<PathBuf>,
    /// A file of games as JSON objects, one a line; `-`: standard input.
    #[arg(long, group = "game", value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    jsonl: Option<PathBuf>,
    /// Where a game starts, if not at the start position.
    #[arg(long, group = "game")]
    fen: Option<String>,
    /// Its moves.
    #[arg(long, group = "game", allow_hyphen_values = true)]
    moves: Option<String>,
    #[command(flatten)]
    rules: rules::Args,
    /// The side that claims the draw by the natural limit: of its checks only so many count (23.3).
    /// Without one, both sides' are counted so.
    #[arg(long, value_enum)]
    claimant: Option<Claimant>,
    /// The language of the explanation.
    #[arg(long, value_enum, default_value_t = Tongue::En)]
    lang: Tongue,
    /// One JSON object a game in place of the explanation.
    #[arg(long, conflicts_with = "lang")]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Tongue {
    /// English
    En,
    /// 中文
    Zh,
    /// One after the other
    Both,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Claimant {
    Red,
    Black,
}

impl From<Claimant> for Color {
    fn from(claimant: Claimant) -> Self {
        match claimant {
            Claimant::Red => Self::Red,
            Claimant::Black => Self::Black,
        }
    }
}

/// How the lines of a file are read.
#[derive(Clone, Copy)]
enum Format {
    Text,
    Json,
}

/// Judges what is asked for. Verdicts go to `out`, what is wrong with a game to `complaints`.
pub(super) fn run(
    args: &Args,
    out: &mut impl Write,
    complaints: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let claimant = args.claimant.map(Color::from);
    let ruleset = RulesetChoice { claimant, ..args.rules.choice() }.ruleset();
    let judge = Judge { ruleset, style: Style::of(args) };
    let mut desk = Desk { judge, out, complaints, judged: 0, failed: false };
    let source = match (&args.file, &args.jsonl) {
        (Some(path), _) => Some((path, Format::Text)),
        (_, Some(path)) => Some((path, Format::Json)),
        _ => None,
    };
    if let Some((path, format)) = source {
        let unreadable = || format!("cannot read {}", path.display());
        if path == Path::new("-") {
            desk.file("standard input", format, io::stdin().lock())?;
        } else {
            let file = File::open(path).with_context(unreadable)?;
            desk.file(&path.display().to_string(), format, BufReader::new(file))?;
        }
    } else {
        let moves = args.moves.as_deref().unwrap_or_default();
        let game = Written::new(args.fen.as_deref(), moves).play(desk.judge.ruleset);
        desk.settle(None, game)?;
    }
    desk.out.flush()?;
    Ok(if desk.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How a verdict is told.
enum Style {
    Json,
    Words(&'static [Language]),
}

impl Style {
    fn of(args: &Args) -> Self {
        match (args.json, args.lang) {
            (true, _) => Self::Json,
            (_, Tongue::En) => Self::Words(&[Language::English]),
            (_, Tongue::Zh) => Self::Words(&[Language::Chinese]),
            (_, Tongue::Both) => Self::Words(&[Language::English, Language::Chinese]),
        }
    }
}

struct Judge {
    ruleset: Ruleset,
    style: Style,
}

/// Where games come in and verdicts go out.
struct Desk<'a, O, C> {
    judge: Judge,
    out: &'a mut O,
    complaints: &'a mut C,
    judged: usize,
    failed: bool,
}

impl<O: Write, C: Write> Desk<'_, O, C> {
    fn file(&mut self, name: &str, format: Format, input: impl BufRead) -> anyhow::Result<()> {
        let mut lines = Lines::new(input);
        loop {
            let line = lines.next().with_context(|| format!("cannot read {name}"))?;
            let Some(line) = line else { return Ok(()) };
            let written = line.and_then(|line| match format {
                Format::Text => Ok(Written::from_text(line)),
                Format::Json => Written::from_json(line),
            });
            let game = match written {
                Ok(None) => continue,
                Ok(Some(written)) => written.play(self.judge.ruleset),
                Err(error) => Err(error),
            };
            self.settle(Some((name, lines.number)), game)?;
        }
    }

    /// Tells the verdict on a game, or why there is none.
    fn settle(
        &mut self,
        place: Option<(&str, usize)>,
        game: Result<Game, GameError>,
    ) -> io::Result<()> {
        match game {
            Ok(game) => self.tell(place, &game),
            Err(error) => self.complain(place, &error),
        }
    }

    fn tell(&mut self, place: Option<(&str, usize)>, game: &Game) -> io::Result<()> {
        let ruling = ruling(&game.line);
        match self.judge.style {
            Style::Json => writeln!(self.out, "{}", json(&Answer::of(&ruling, game)))?,
            Style::Words(languages) => {
                if self.judged > 0 {
                    writeln!(self.out)?;
                }
                if let Some((name, number)) = place {
                    writeln!(self.out, "{name}, line {number}")?;
                }
                for &language in languages {
                    write!(self.out, "{}", ruling.explain(&game.line, language))?;
                    if let Some(Decision { plies, outcome, .. }) = game.decided
                        && plies < game.line.plies()
                    {
                        writeln!(self.out, "  {}", earlier(language, plies, outcome))?;
                    }
                }
            }
        }
        self.judged += 1;
        Ok(())
    }

    fn complain(&mut self, place: Option<(&str, usize)>, error: &GameError) -> io::Result<()> {
        self.failed = true;
        let place = place.map(|(name, number)| (format!("{name}, line {number}: "), number));
        let (place, line) = place.unwrap_or_default();
        // Whether or not anybody reads them, the other games are to be judged.
        let _ = writeln!(self.complaints, "chuhe: {place}{error}");
        if let Style::Json = self.judge.style {
            let (ply, mv) = match error {
                GameError::Move { ply, mv, .. } => (Some(*ply), Some(mv.to_string())),
                GameError::NoMove { ply, word } => (Some(*ply), Some(word.clone())),
                _ => (None, None),
            };
            let fault = Fault { error: error.to_string(), line: line.max(1), ply, mv };
            writeln!(self.out, "{}", json(&fault))?;
        }
        Ok(())
    }
}

fn earlier(language: Language, plies: usize, outcome: Outcome) -> String {
    let outcome = language.outcome(outcome);
    match language {
        Language::English => format!("decided before, after ply {plies}: {outcome}"),
        Language::Chinese => format!("此前第{plies}着后已有定论：{outcome}"),
    }
}

/// A verdict as a JSON object.
#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'static str,
    offence: Option<&'static str>,
    clauses: &'a [&'static str],
    window_start: Option<usize>,
    labels: Vec<String>,
    /// Who is told to deviate (24.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    must_change: Option<String>,
    /// The first decision, where the game went on after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided>,
}

/// How a game was decided before its end.
#[derive(Serialize)]
struct Decided {
    ply: usize,
    verdict: &'static str,
    offence: Option<&'static str>,
    clauses: Vec<&'static str>,
}

fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ongoing => "none",
        Outcome::Drawn(_) => "draw",
        Outcome::Won { winner: Color::Red, .. } => "black loses",
        Outcome::Won { winner: Color::Black, .. } => "red loses",
    }
}

impl<'a> Answer<'a> {
    fn of(ruling: &'a Ruling, game: &Game) -> Self {
        let label = |(mv, label): &(Move, Label)| format!("{mv}:{}", label.term());
        let decided = game.decided.as_ref().filter(|decided| decided.plies < game.line.plies());
        Self {
            verdict: verdict(ruling.outcome),
            offence: ruling.outcome.offence().map(Offence::term),
            clauses: &ruling.clauses,
            window_start: ruling.window_start,
            labels: ruling.labels.iter().map(label).collect(),
            must_change: ruling.warned.map(|(offender, _)| offender.to_string()),
            decided: decided.map(|decided| Decided {
                ply: decided.plies,
                verdict: verdict(decided.outcome),
                offence: decided.outcome.offence().map(Offence::term),
                clauses: decided.clauses.clone(),
            }),
        }
    }
}

/// What stands in the place of a verdict.
#[derive(Serialize)]
struct Fault {
    error: String,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: these have only text keys and plain values")
}
