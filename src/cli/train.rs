//! `chuhe train`: from records of games to a network.

use std::{
    fs,
    io::{self, Write},
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
    sync::atomic::Ordering,
    time::Instant,
};

use anyhow::Context;

use super::{
    name, outputs,
    progress::{self, Line},
    watch,
};
use crate::{
    eval::Network,
    files,
    notation::one_line,
    simd,
    train::{self, Epoch, Files, Phase, Recipe, TrainEvent, Trained, TrainedNetwork},
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
    let source = name(&args.recipe);
    let text = files::text(&args.recipe).with_context(|| format!("cannot read {source}"))?;
    let recipe = Recipe::parse(&text).with_context(|| format!("bad recipe {source}"))?;
    let checkpoint =
        args.checkpoint.clone().unwrap_or_else(|| args.out.with_extension("checkpoint"));
    let plot = args.out.with_extension("svg");
    outputs::apart(&[&args.recipe, &args.out, &plot, &checkpoint])?;
    for file in [&args.out, &plot] {
        // With its checkpoint still there it was ended after the last step, and the same comes again.
        if checkpoint.exists() {
            outputs::renewed(file)?;
        } else {
            outputs::fresh(file, "choose another --out, or remove it")?;
        }
    }
    outputs::renewed(&checkpoint)?;
    let files = Files { folder: args.recipe.parent(), checkpoint: Some(&checkpoint) };
    let mut line = Line::new();
    let stop = progress::interrupt(&line)?;
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.into())
        .start_handler(simd::settle)
        .build()?;
    let begun = Instant::now();
    let outcome = threads.install(|| {
        train::run(&recipe, files, |progress| {
            tell(&mut line, &progress, begun.elapsed().as_secs_f64());
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    })?;
    let Trained::Network(trained) = outcome else {
        return Ok(progress::stopped(&mut line));
    };
    let svg = train::svg(&recipe.name, &trained.history);
    files::replace(&plot, |file| file.write_all(svg.as_bytes()))
        .with_context(|| format!("cannot write {}", plot.display()))?;
    let network = trained.parameters.to_bytes();
    files::replace(&args.out, |file| file.write_all(&network))
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    // It has served. What cannot be removed can be ignored.
    let _ = fs::remove_file(&checkpoint);
    let network = Network::new(&trained.parameters)?;
    writeln!(out, "{}: {network}", name(&args.out))?;
    report(&trained, out)?;
    writeln!(out, "{}: both losses by epochs", name(&plot))?;
    Ok(ExitCode::SUCCESS)
}

fn report(trained: &TrainedNetwork, out: &mut impl Write) -> io::Result<()> {
    let TrainedNetwork { epoch, held_out, report, parameters, .. } = trained;
    writeln!(out, "epoch {epoch}, loss on the games held out {held_out:.6}")?;
    writeln!(out, "men      positions  off the score's chance  off the result")?;
    for Phase { least, most, positions, off_scores, off_results, .. } in &report.phases {
        let most = if *most == u8::MAX { "..".into() } else { format!("{most:2}") };
        writeln!(out, "{least:>2} to {most}{positions:>11}{off_scores:>24.4}{off_results:>16.4}")?;
    }
    let (points, factor) = (report.points_per_logit, report.spread_factor);
    writeln!(out, "by the results, odds of e to 1 take a score of {points:.0}")?;
    writeln!(out, "scale {}: that of the recipe times {factor:.4}", parameters.shape.scale)
}

/// `seconds` have gone by since the first file was begun.
fn tell(line: &mut Line, progress: &TrainEvent, seconds: f64) {
    match progress {
        TrainEvent::Reading(part) => line.show(|| {
            let left = watch::left(seconds, 0.0, *part);
            format!("reading {}{left}", progress::bar(*part))
        }),
        TrainEvent::Data(counts, damage) => {
            for text in damage {
                line.keep(&format!("left out: {}", one_line(text)));
            }
            line.keep(&format!(
                "{} positions of {} in {} games",
                counts.kept, counts.plies, counts.games
            ));
        }
        TrainEvent::Batch { epoch, part, loss, speed, seconds_left } => line.show(|| {
            let (bar, left) = (progress::bar(*part), progress::duration(*seconds_left));
            let speed = speed / 1e6;
            format!("epoch {epoch} {bar} loss {loss:.6}, {left} left, {speed:.2} M/s")
        }),
        TrainEvent::Epoch(Epoch { number, losses, averaged, speed }) => {
            let averaged = averaged.map_or(String::new(), |loss| format!(" (averaged {loss:.6})"));
            line.keep(&format!(
                "epoch {number:>3}: loss {:.6}, held out {:.6}{averaged}, {:.2} M positions/s",
                losses.learned,
                losses.held_out,
                speed / 1e6
            ));
        }
    }
}
