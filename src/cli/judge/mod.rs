//! `chuhe judge`: games of any source, judged by the rules one after the other. What cannot be
//! judged is told and passed over.

mod answer;
mod case;

use std::{
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;

use super::{name, progress::Line, rules, watch::Watch};
use crate::{
    files,
    games::{self, Found, GameError, Place, Reader},
    notation::quote,
    rules::{Language, Ruleset, RulesetChoice},
    types::Color,
};
use answer::{Answer, Failure, json};
use case::{Case, Decision};

/// Judges games: the verdict on repetition and every other end, what each move does, the articles.
///
/// A game is given by `--fen` and `--moves`, in any notation, or games by a file of any kind. The
/// moves that were played are judged, not variations. The exit status is 1 when any of them cannot
/// be read; an illegal move can, and loses.
#[derive(Debug, clap::Args)]
#[group(id = "judge")]
#[command(group = clap::ArgGroup::new("game").required(true).multiple(true))]
pub(super) struct Args {
    /// A file of games: PGN, XQF, CBL, lists of moves and others, told by its content; `-`: standard
    /// input.
    #[arg(group = "game", value_name = "FILE", conflicts_with_all = ["fen", "moves", "jsonl"])]
    file: Option<PathBuf>,
    /// A file of games as JSON objects with `fen` and `moves`, one a line, each answered as soon as
    /// it is there; `-`: standard input.
    #[arg(long, group = "game", value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    jsonl: Option<PathBuf>,
    /// Where a game starts, if not at the start position.
    #[arg(long, group = "game")]
    fen: Option<String>,
    /// Its moves: `h2e2 h9g7`, `炮二平五 马8进7` or `C2=5 H8+7`.
    #[arg(long, group = "game", allow_hyphen_values = true)]
    moves: Option<String>,
    #[command(flatten)]
    rules: rules::Args,
    /// The side that claims the draw by the natural limit: of its checks only so many count (23.3).
    /// Without one, both sides' are counted so.
    #[arg(long, value_enum)]
    claimant: Option<Claimant>,
    /// The language of the explanation.
    #[arg(long, value_enum, default_value_t = SpokenLanguages::En)]
    lang: SpokenLanguages,
    /// One JSON object a game in place of the explanation.
    #[arg(long, conflicts_with = "lang")]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SpokenLanguages {
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

/// Judges what is asked for. Verdicts go to `out`, what is wrong with a game to standard error.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let claimant = args.claimant.map(Color::from);
    let ruleset = RulesetChoice { claimant, ..args.rules.choice() }.ruleset();
    let style = Style::of(args);
    let watch = Watch::none();
    let mut desk = Desk { ruleset, style, source: None, out, watch, judged: 0, failed: false };
    match (&args.file, &args.jsonl) {
        (Some(path), _) if path == Path::new("-") => {
            let reader = Reader::from_reader(io::stdin());
            let reader = reader.context("cannot read standard input")?;
            let _never_called_off = desk.file("standard input", reader)?;
        }
        (_, Some(path)) if path == Path::new("-") => {
            let _never_called_off = desk.file("standard input", Reader::of_json(io::stdin()))?;
        }
        (Some(path), _) | (_, Some(path)) => {
            let unreadable = || format!("cannot read {}", name(path));
            let reader = if args.file.is_some() {
                Reader::open(path)
            } else {
                files::open(path).map(Reader::of_json).map_err(Into::into)
            };
            let reader = reader.with_context(unreadable)?;
            desk.watch = Watch::new(Line::beside_output())?;
            if desk.file(&name(path), reader)?.is_break() {
                let told = format!("{} games are judged", desk.judged);
                return Ok(desk.watch.stopped_with(&told));
            }
        }
        (None, None) => {
            let moves = args.moves.as_deref().unwrap_or_default();
            desk.settle(games::read_game(args.fen.as_deref(), moves))?;
        }
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
            (_, SpokenLanguages::En) => Self::Words(&[Language::English]),
            (_, SpokenLanguages::Zh) => Self::Words(&[Language::Chinese]),
            (_, SpokenLanguages::Both) => Self::Words(&[Language::English, Language::Chinese]),
        }
    }
}

/// Where games come in and verdicts go out.
struct Desk<'a, O> {
    ruleset: Ruleset,
    style: Style,
    /// The name of the file that games come from.
    source: Option<String>,
    out: &'a mut O,
    watch: Watch,
    judged: usize,
    failed: bool,
}

impl<O: Write> Desk<'_, O> {
    /// Judges the games of a file, until that is called off.
    fn file(&mut self, name: &str, reader: Reader) -> anyhow::Result<ControlFlow<()>> {
        self.source = Some(name.into());
        let mut some = false;
        let progress = reader.progress();
        for read in reader {
            let judged = self.judged;
            if self.watch.see("", progress.part(), || format!("{judged} games")).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            some = true;
            self.settle(read)?;
        }
        anyhow::ensure!(some, "there is no game in {name}");
        Ok(ControlFlow::Continue(()))
    }

    /// Tells the verdict on a game, or why there is none.
    fn settle(&mut self, read: Result<Found, GameError>) -> io::Result<()> {
        match Case::of(read, self.ruleset) {
            Ok(case) => self.tell(&case),
            Err(error) => self.complain(&error),
        }
    }

    fn tell(&mut self, case: &Case) -> io::Result<()> {
        for remark in &case.remarks {
            let place = self.place(remark.place);
            self.watch.keep(&format!("chuhe: note: {place}{}", remark.what));
        }
        let ruling = case.ruling();
        match self.style {
            Style::Json => writeln!(self.out, "{}", json(&Answer::of(&ruling, case)))?,
            Style::Words(languages) => {
                if self.judged > 0 {
                    writeln!(self.out)?;
                }
                if let Some(source) = &self.source {
                    let [red, black] = case.players.each_ref().map(Option::as_deref);
                    let players = match (red, black) {
                        (None, None) => String::new(),
                        _ => format!(
                            ", {} – {}",
                            quote(red.unwrap_or("?")),
                            quote(black.unwrap_or("?"))
                        ),
                    };
                    writeln!(self.out, "{source}, {}{players}", case.place)?;
                }
                for &language in languages {
                    write!(self.out, "{}", ruling.explain(&case.line, language))?;
                    if let Some(illegal) = &case.illegal
                        && !case.line.position().is_lost()
                    {
                        let (ply, word) = (case.line.plies() + 1, quote(&illegal.word));
                        match language {
                            Language::English => writeln!(self.out, "  ply {ply}: `{word}`")?,
                            Language::Chinese => writeln!(self.out, "  第{ply}着：{word}")?,
                        }
                    }
                    if let Some(decided) = case.decided_before() {
                        writeln!(self.out, "  {}", earlier(language, decided))?;
                    }
                }
            }
        }
        self.judged += 1;
        Ok(())
    }

    fn complain(&mut self, error: &GameError) -> io::Result<()> {
        self.failed = true;
        let place = self.place(error.place);
        self.watch.keep(&format!("chuhe: {place}{}", error.fault));
        if let Style::Json = self.style {
            writeln!(self.out, "{}", json(&Failure::of(error)))?;
        }
        Ok(())
    }

    /// Where in what: of the arguments only the ply.
    fn place(&self, place: Place) -> String {
        match (&self.source, place.ply) {
            (Some(source), _) => format!("{source}, {place}: "),
            (None, Some(ply)) => format!("ply {ply}: "),
            (None, None) => String::new(),
        }
    }
}

fn earlier(language: Language, decided: &Decision) -> String {
    let (plies, outcome) = (decided.plies, language.outcome(decided.outcome));
    match language {
        Language::English if plies == 0 => format!("decided before, from the start: {outcome}"),
        Language::English => format!("decided before, after ply {plies}: {outcome}"),
        Language::Chinese if plies == 0 => format!("开局时已判{outcome}"),
        Language::Chinese => format!("此前第{plies}着后已判{outcome}"),
    }
}
