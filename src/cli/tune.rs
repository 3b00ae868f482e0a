//! `chuhe tune`: finds better numbers for the search by games against itself.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::Context;

use super::{
    net, outputs,
    progress::{self, Line},
};
use crate::{
    engine,
    eval::Network,
    files,
    tune::{Boards, Log, Spsa, TunePlan, patch, plot},
};

/// A picture is drawn after so many iterations.
const PLOT_EVERY: u64 = 50;

/// Tunes numbers of the search (SPSA) as a file says. An interrupt ends it after the iteration that
/// runs, and the same command goes on, as it does after a kill.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to tune, and how.
    plan: PathBuf,
    /// The log, a line an iteration; without it, the plan's name with `.jsonl`. The picture has its
    /// name with `.svg`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pairs of games side by side. What is found is the same, unless moves are limited by time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Only write what was found so far, as a patch of the table of the numbers.
    #[arg(long)]
    patch: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let name = args.plan.display();
    let text = files::text(&args.plan).with_context(|| format!("cannot read {name}"))?;
    let plan = TunePlan::read(&text).with_context(|| format!("bad plan {name}"))?;
    let file = args.out.clone().unwrap_or_else(|| args.plan.with_extension("jsonl"));
    let mut spsa = plan.begin();
    let network = network(&plan)?;
    if args.patch {
        Log::look(&file, &plan, &network, &mut spsa)?;
        write!(out, "{}", patch(&spsa))?;
        return Ok(ExitCode::SUCCESS);
    }
    let picture = file.with_extension("svg");
    outputs::apart(&[&args.plan, &file, &picture])?;
    outputs::renewed(&picture)?;
    let mut log = Log::open(&file, &plan, &network, &mut spsa)?;
    let mut line = Line::new();
    let stop = progress::interrupt(&line)?;
    let boards = Boards::new(&plan, args.threads.into())?;
    let never = AtomicBool::new(false);
    let begun = std::time::Instant::now();
    let before = spsa.iteration();
    while spsa.iteration() < spsa.iterations() {
        if stop.load(Ordering::Relaxed) {
            draw(&picture, &spsa, &log)?;
            return Ok(progress::stopped(&mut line));
        }
        let way = spsa.perturb(plan.seed);
        let points = boards.compare(&plan, &spsa, &way, &never)?;
        let points = points.context("a game was broken off")?;
        spsa.learn(&way, points);
        log.keep(points, &spsa)?;
        let pace = (spsa.iteration() - before) as f64 / begun.elapsed().as_secs_f64().max(1e-3);
        line.show(|| status(&spsa, &plan, pace));
        if spsa.iteration() % PLOT_EVERY == 0 {
            draw(&picture, &spsa, &log)?;
        }
    }
    line.clear();
    draw(&picture, &spsa, &log)?;
    write!(out, "{}", patch(&spsa))?;
    Ok(ExitCode::SUCCESS)
}

fn draw(picture: &Path, spsa: &Spsa, log: &Log) -> anyhow::Result<()> {
    let svg = plot(spsa.tunables(), log.course());
    let written = files::replace(picture, |file| file.write_all(svg.as_bytes()));
    written.with_context(|| format!("cannot write {}", picture.display()))
}

/// How it goes: iterations and games, the pace, and what has moved farthest.
fn status(spsa: &Spsa, plan: &TunePlan, pace: f64) -> String {
    let (done, all) = (spsa.iteration(), spsa.iterations());
    let games = done * u64::from(plan.pairs) * 2;
    let left = progress::duration((all - done) as f64 / pace.max(1e-9));
    let moved = spsa.tunables().iter().zip(spsa.values());
    let far = moved.max_by(|(a, x), (b, y)| {
        let steps = |tunable: &crate::tune::Tunable, value: f64| {
            ((value - tunable.start) / tunable.step).abs()
        };
        steps(a, **x).total_cmp(&steps(b, **y))
    });
    let far = far.map_or(String::new(), |(tunable, value)| {
        format!(", farthest {} {} to {value:.1}", tunable.name, tunable.start)
    });
    format!(
        "{} {done} of {all} iterations, {games} games, {left} left{far}",
        progress::bar(done as f64 / all as f64)
    )
}

/// What positions are evaluated by, in the log's words.
fn network(plan: &TunePlan) -> anyhow::Result<String> {
    let named = plan.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("evalfile"));
    let checksum = match named {
        Some((_, file)) => {
            let path = engine::locate(file).unwrap_or_else(|| file.into());
            Some(net::load(&path)?.checksum())
        }
        None => Network::embedded().map(|network| network.checksum()),
    };
    Ok(checksum.map_or_else(|| "handcrafted".into(), |sum| format!("{sum:016x}")))
}
