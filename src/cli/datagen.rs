//! `chuhe datagen`: games of the engine against itself, to train from, played in one place or in
//! several, or thought about anew.

use std::{io::Write, ops::ControlFlow, path::PathBuf, process::ExitCode, sync::atomic::Ordering};

use anyhow::Context;

use super::{
    evaluator::Evaluator,
    name,
    progress::{self, Line},
};
use crate::{
    arena::Shard,
    datagen::{self, DatagenProgress, SelfplayPlan},
    files,
};

/// Plays games against itself and keeps them. An interrupt ends it at the next good moment, and the
/// same command goes on.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to keep the games in.
    #[arg(required_unless_present_any = ["show_plan", "rescore"])]
    out: Option<PathBuf>,
    /// How many games the file is to hold.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Positions searched for a move.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// What chance starts from.
    #[arg(long)]
    seed: Option<u64>,
    /// A file with more of how to play, as `datagen --show-plan` writes it.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Play one part of so many of the games, to be joined by `--merge`.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Play nothing, but join these parts into the file.
    #[arg(long, value_name = "PART", num_args = 1.., conflicts_with_all = ["shard", "rescore"])]
    merge: Vec<PathBuf>,
    /// Play nothing, but think about the positions of one file anew, `--nodes` each, and keep the games
    /// with these scores in the other.
    #[arg(long, value_names = ["IN", "OUT"], num_args = 2)]
    #[arg(conflicts_with_all = ["out", "shard", "plan", "seed", "games", "show_plan"])]
    rescore: Vec<PathBuf>,
    /// Only write how it would be played.
    #[arg(long)]
    show_plan: bool,
    #[command(flatten)]
    evaluator: Evaluator,
}

impl Args {
    fn plan(&self) -> anyhow::Result<SelfplayPlan> {
        let mut plan = match &self.plan {
            Some(file) => {
                let name = name(file);
                let text = files::text(file).with_context(|| format!("cannot read {name}"))?;
                toml::from_str(&text).with_context(|| format!("bad plan {name}"))?
            }
            None => SelfplayPlan::default(),
        };
        plan.nodes = self.nodes.unwrap_or(plan.nodes).max(1);
        plan.seed = self.seed.unwrap_or(plan.seed);
        Ok(plan)
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let file = match (&args.rescore[..], &args.out) {
        ([_, to], _) => to,
        (_, Some(file)) if !args.show_plan => file,
        _ => {
            write!(out, "{}", plan.text())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    if !args.merge.is_empty() {
        let games = datagen::join(&args.merge, file)?;
        writeln!(out, "{}: {games} games", name(file))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (network, threads) = (args.evaluator.network()?, args.evaluator.threads());
    let mut line = Line::new();
    let stop = progress::interrupt(&line)?;
    let tell = |progress: &DatagenProgress| {
        line.show(|| text(progress));
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let progress = if let Some(from) = args.rescore.first() {
        datagen::rescore(from, plan.nodes, network.as_ref(), file, threads, tell)?
    } else {
        // Neighbours, so that its file holds one stretch of them.
        let numbers = args.shard.stretch(args.games);
        datagen::generate(&plan, network.as_ref(), file, numbers, threads, tell)?
    };
    line.keep(&text(&progress));
    let done = progress.games >= progress.wanted;
    Ok(if done { ExitCode::SUCCESS } else { progress::stopped(&mut line) })
}

fn text(progress: &DatagenProgress) -> String {
    let DatagenProgress { games, wanted, lost, positions, results: [red, black, drawn], .. } =
        *progress;
    let part = games as f64 / wanted.max(1) as f64;
    let (bar, hourly) = (progress::bar(part), progress.hourly() / 1e6);
    let pace = progress.played as f64 / progress.time.as_secs_f64().max(1e-6);
    let left = match wanted.saturating_sub(games) as f64 / pace {
        left if left.is_finite() && left > 0.0 => format!("{} left, ", progress::duration(left)),
        _ => String::new(),
    };
    let lost =
        if lost > 0 { format!(" ({lost} lost, the file is damaged)") } else { String::new() };
    format!(
        "{bar} {games} of {wanted} games{lost}, {left}now {positions} positions ({hourly:.2} M an \
         hour), +{red} -{black} ={drawn} for red"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_time_left_is_told_while_some_is() {
        let mut progress = DatagenProgress {
            games: 600,
            wanted: 1000,
            played: 100,
            positions: 8000,
            time: Duration::from_mins(10),
            ..DatagenProgress::default()
        };
        assert!(
            text(&progress).starts_with("[======    ] 600 of 1000 games, 40 min left, now 8000")
        );
        progress.games = 1000;
        assert!(text(&progress).starts_with("[==========] 1000 of 1000 games, now 8000 positions"));
        // Nothing is known before the first game.
        assert!(
            !text(&DatagenProgress { wanted: 9, ..DatagenProgress::default() }).contains("left")
        );
    }
}
