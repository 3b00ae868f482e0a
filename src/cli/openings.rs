//! `chuhe openings`: positions to begin the games of a match from.

use std::io::Write;

use anyhow::bail;

use crate::arena::{Judge, openings::Generator};

/// How often a position may be refused before the next one is found.
const TRIES: usize = 10_000;

/// Plays random moves from the start and prints the positions that are balanced by the engine's own
/// judgement, one FEN a line. The same arguments give the same positions.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// How many positions.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// How many random plies lead to each.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Where the random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions the engine looks at to judge one.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// By how many points a position may favour either side; a knight is 100.
    #[arg(long, default_value_t = 20)]
    band: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut generator = Generator::new(args.seed, args.plies as usize);
    let mut judge = Judge::new(args.nodes);
    for made in 0..args.count {
        let Some(position) = generator.next(args.band, TRIES, |line| judge.points(line)) else {
            bail!("only {made} positions within ±{} points were found", args.band);
        };
        writeln!(out, "{}", position.fen())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings;

    #[test]
    fn what_is_printed_can_be_read_and_repeated() {
        let text = |seed| {
            let args = Args { count: 5, plies: 6, seed, nodes: 200, band: 60 };
            let mut out = Vec::new();
            run(&args, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(openings::read(&text(1), 0).unwrap().len(), 5);
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
    }

    #[test]
    fn a_band_that_nothing_fits_is_told_of() {
        // After one ply there are 44 positions.
        let args = Args { count: 45, plies: 1, seed: 1, nodes: 1, band: u32::MAX - 1 };
        let error = run(&args, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with("only "), "{error}");
    }
}
