//! `chuhe train`: from records of games to a network.

use std::{
    fs, io::Write, ops::ControlFlow, path::PathBuf, process::ExitCode, sync::atomic::Ordering,
};

use anyhow::{Context, bail};

use super::progress::{self, Line};
use crate::{
    eval::Network,
    files,
    train::{self, Files, Recipe, TrainEvent, Trained},
};

/// Makes a network as a recipe says. An interrupt stops it so that the same command goes on exactly
/// there.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The recipe; names of files in it are relative to its folder.
    recipe: PathBuf,
    /// The file to write the network to.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Where to keep what is needed to go on [default: the network's file, with `.checkpoint`].
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Threads to work with; 0: one for each processor. The result is the same.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    threads: u16,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.out.exists() {
        bail!("{} exists already", args.out.display());
    }
    let name = args.recipe.display();
    let text = files::text(&args.recipe).with_context(|| format!("cannot read {name}"))?;
    let recipe = Recipe::parse(&text).with_context(|| format!("bad recipe {name}"))?;
    let checkpoint =
        args.checkpoint.clone().unwrap_or_else(|| args.out.with_extension("checkpoint"));
    let files = Files { folder: args.recipe.parent(), checkpoint: Some(&checkpoint) };
    let stop = progress::interrupt()?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build()?;
    let mut line = Line::new();
    let outcome = threads.install(|| {
        train::run(&recipe, files, |progress| {
            tell(&mut line, &progress);
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    })?;
    let Trained::Network { parts, epoch, held_out } = outcome else {
        return Ok(progress::stopped(&mut line));
    };
    fs::write(&args.out, parts.to_bytes())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    // It has served. What cannot be removed can be ignored.
    let _ = fs::remove_file(&checkpoint);
    let network = Network::new(&parts)?;
    writeln!(out, "{}: {network}", args.out.display())?;
    writeln!(out, "epoch {epoch}, loss on the games held out {held_out:.6}")?;
    Ok(ExitCode::SUCCESS)
}

fn tell(line: &mut Line, progress: &TrainEvent) {
    match progress {
        TrainEvent::Data(counts, damage) => {
            for text in damage {
                line.keep(&format!("left out: {text}"));
            }
            line.keep(&format!(
                "{} positions of {} in {} games",
                counts.kept, counts.plies, counts.games
            ));
        }
        TrainEvent::Batch { epoch, part, loss, speed } => line.show(|| {
            let bar = progress::bar(*part);
            format!("epoch {epoch} {bar} loss {loss:.6}, {:.2} M positions/s", speed / 1e6)
        }),
        TrainEvent::Epoch(epoch) => line.keep(&format!(
            "epoch {:>3}: loss {:.6}, held out {:.6}, {:.2} M positions/s",
            epoch.number,
            epoch.loss,
            epoch.held_out,
            epoch.speed / 1e6
        )),
    }
}
