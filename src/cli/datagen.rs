//! `chuhe datagen`: games of the engine against itself, to train from.

use std::{fs, io::Write, ops::ControlFlow, path::PathBuf, sync::Arc, sync::atomic::Ordering};

use anyhow::Context;

use super::{
    net,
    progress::{self, Line},
};
use crate::{
    datagen::{self, Plan, Progress},
    eval::Network,
};

/// Plays games against itself and keeps them. An interrupt ends it at the next good moment, and the
/// same command goes on.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to keep the games in.
    #[arg(required_unless_present = "show_plan")]
    out: Option<PathBuf>,
    /// How many games the file is to hold.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Games that are played side by side; 0: one for each processor. The games are the same.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    threads: u16,
    /// Positions searched for a move.
    #[arg(long)]
    nodes: Option<u64>,
    /// What chance starts from.
    #[arg(long)]
    seed: Option<u64>,
    /// A file with more of how to play, as `datagen --show-plan` writes it.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Evaluate by this network in place of the one built in.
    #[arg(long, value_name = "FILE", conflicts_with = "handcrafted")]
    net: Option<PathBuf>,
    /// Evaluate by hand, not by a network.
    #[arg(long)]
    handcrafted: bool,
    /// Only write how it would be played.
    #[arg(long)]
    show_plan: bool,
}

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let mut plan = match &self.plan {
            Some(file) => {
                let name = file.display();
                let text =
                    fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
                toml::from_str(&text).with_context(|| format!("bad plan {name}"))?
            }
            None => Plan::default(),
        };
        plan.nodes = self.nodes.unwrap_or(plan.nodes).max(1);
        plan.seed = self.seed.unwrap_or(plan.seed);
        Ok(plan)
    }

    fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        match &self.net {
            Some(file) => Ok(Some(Arc::new(net::load(file)?))),
            None if self.handcrafted => Ok(None),
            None => Ok(Network::embedded()),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let plan = args.plan()?;
    let Some(file) = args.out.as_ref().filter(|_| !args.show_plan) else {
        write!(out, "{}", plan.text())?;
        return Ok(());
    };
    let network = args.network()?;
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let stop = progress::interrupt()?;
    let mut line = Line::new();
    let tell = |progress: &Progress| {
        line.show(|| text(progress));
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let progress = datagen::generate(&plan, network.as_ref(), file, args.games, threads, tell)?;
    line.keep(&text(&progress));
    Ok(())
}

fn text(progress: &Progress) -> String {
    let Progress { games, wanted, positions, results: [red, black, drawn], .. } = *progress;
    let part = games as f64 / wanted.max(1) as f64;
    let (bar, hourly) = (progress::bar(part), progress.hourly() / 1e6);
    format!(
        "{bar} {games} of {wanted} games, {positions} positions ({hourly:.2} M an hour), \
         +{red} -{black} ={drawn} for red"
    )
}
