//! `chuhe net`: what is in a network, getting the built-in one out, how far two differ, and what
//! values mean.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use clap::Subcommand;

#[cfg(feature = "tools")]
use super::fit;
use super::{name, outputs};
use crate::{
    engine::bench,
    eval::{Network, Nnue},
    files::replace,
    notation::one_line,
    position::{Position, Unobserved},
    types::SplitMix64,
};

/// Looks into networks.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tells the sizes of a network, where it comes from and what its numbers are like.
    Inspect {
        /// The file; none: the network built in.
        file: Option<PathBuf>,
    },
    /// Writes the network built in to a file.
    Export {
        /// The file.
        file: PathBuf,
    },
    #[cfg(feature = "tools")]
    Fit(fit::Args),
    /// Tells how far the values of two networks differ on positions of random games.
    Compare {
        /// One network.
        one: PathBuf,
        /// The other; none: the network built in.
        other: Option<PathBuf>,
        /// How many positions.
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(2..))]
        positions: u32,
        /// Where the random games start from.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// Reads a network, naming the file where it cannot.
pub(super) fn load(file: &Path) -> anyhow::Result<Network> {
    Network::load(file).with_context(|| format!("cannot use {}", name(file)))
}

fn load_or_embedded(file: Option<&Path>) -> anyhow::Result<Arc<Network>> {
    match file {
        Some(file) => Ok(Arc::new(load(file)?)),
        None => Network::embedded().context("this program has no network built in"),
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Inspect { file } => inspect(&load_or_embedded(file.as_deref())?, out),
        Command::Export { file } => export(file, out),
        #[cfg(feature = "tools")]
        Command::Fit(args) => fit::run(args, &load_or_embedded(args.net.as_deref())?, out),
        Command::Compare { one, other, positions, seed } => {
            let networks = [load_or_embedded(Some(one))?, load_or_embedded(other.as_deref())?];
            compare(&networks, *positions as usize, *seed, out)
        }
    }
}

fn inspect(network: &Arc<Network>, out: &mut impl Write) -> anyhow::Result<()> {
    let shape = network.shape();
    writeln!(out, "{network}")?;
    for line in network.description().lines() {
        writeln!(out, "{}", one_line(line))?;
    }
    let parameters = network.parameters();
    let wide = |numbers: &[i8]| numbers.iter().copied().map(i32::from).collect::<Vec<_>>();
    let long = |numbers: &[i16]| numbers.iter().copied().map(i32::from).collect::<Vec<_>>();
    for (name, numbers) in [
        ("input weights", long(&parameters.input_weights)),
        ("input bias", long(&parameters.input_bias)),
        ("output weights", wide(&parameters.output_weights)),
        ("output bias", parameters.output_bias.clone()),
    ] {
        let (least, most) = (numbers.iter().min(), numbers.iter().max());
        let size: f64 = numbers.iter().map(|number| f64::from(number.abs())).sum();
        let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
        let mean = size / numbers.len() as f64;
        writeln!(out, "{name:<16}{least:>8} to {most:>7}, mean size {mean:.1}")?;
    }
    writeln!(out, "scale {}", shape.scale)?;
    let start = Nnue::value(network, &Position::start());
    writeln!(out, "the start position is worth {start:+}")?;
    Ok(())
}

fn export(file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let network = load_or_embedded(None)?;
    outputs::fresh(file, "remove it or choose another name")?;
    let written =
        replace(file, |out| -> io::Result<()> { out.write_all(&network.parameters().to_bytes()) });
    written.with_context(|| format!("cannot write {}", name(file)))?;
    writeln!(out, "{}: {network}", name(file))?;
    Ok(())
}

fn compare(
    networks: &[Arc<Network>; 2],
    count: usize,
    seed: u64,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for network in networks {
        writeln!(out, "{network}")?;
    }
    let positions = positions(count, seed);
    let values = networks.each_ref().map(|network| -> Vec<f64> {
        let value = |position| f64::from(Nnue::value(network, position));
        positions.iter().map(value).collect()
    });
    let differences = values[0].iter().zip(&values[1]).map(|(one, other)| (one - other).abs());
    let (most, at) =
        differences.clone().zip(0..).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    let mean = differences.sum::<f64>() / count as f64;
    writeln!(out, "{count} positions: mean difference {mean:.1}, greatest {most:.0}")?;
    writeln!(out, "correlation {:.4}", correlation(&values[0], &values[1]))?;
    writeln!(out, "they differ most on {}", positions[at].fen())?;
    Ok(())
}

/// Positions of random games that begin anywhere in the bench suite.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    const LONGEST: usize = 60;
    let mut rng = SplitMix64::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let fen = bench::SUITE[rng.below(bench::SUITE.len())];
        let mut position = Position::from_fen(fen).expect("invariant: the suite is legal");
        for _ in 0..rng.below(LONGEST) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            position.make(mv, &mut Unobserved);
        }
        positions.push(position);
    }
    positions
}

/// How far two rows of numbers go together: 1 if one is the other, scaled.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let pairs = || one.iter().zip(other).map(|(a, b)| (a - mean_one, b - mean_other));
    let together: f64 = pairs().map(|(a, b)| a * b).sum();
    let apart: f64 =
        pairs().map(|(a, _)| a * a).sum::<f64>() * pairs().map(|(_, b)| b * b).sum::<f64>();
    together / apart.sqrt().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{Parameters, Shape};

    fn made_up(seed: u64) -> Arc<Network> {
        let shape = Shape::by_men(32, 2, 400);
        Arc::new(Network::new(&Parameters::made_up(shape, seed)).unwrap())
    }

    fn text(tell: impl Fn(&mut Vec<u8>) -> anyhow::Result<()>) -> String {
        let mut out = Vec::new();
        tell(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_network_agrees_with_itself_alone() {
        let told = |other| {
            let networks = [made_up(1), made_up(other)];
            text(|out| compare(&networks, 50, 3, out))
        };
        assert!(told(1).contains("mean difference 0.0, greatest 0\ncorrelation 1.0000\n"));
        assert!(!told(2).contains("mean difference 0.0"));
    }

    #[test]
    fn the_numbers_are_told() {
        let told = text(|out| inspect(&made_up(1), out));
        assert!(told.starts_with("689 -> 32 x 2 -> 2, "), "{told}");
        assert!(told.contains("made up") && told.contains("output weights"), "{told}");
    }

    #[test]
    fn a_file_that_cannot_be_used_is_named() {
        let error = format!("{:#}", load(Path::new("/no/such/net")).unwrap_err());
        assert!(error.starts_with("cannot use /no/such/net: "), "{error}");
    }
}
