//! `chuhe openings`: positions to begin the games of a match from.

use std::{collections::HashSet, io::Write, path::PathBuf};

use anyhow::{Context, bail};

use super::{name, progress};
use crate::{
    arena::{Judge, openings::Generator},
    games::Reader,
    position::Unobserved,
    rules::Line,
};

/// How often a position may be refused before the next one is found.
const TRIES: usize = 10_000;

/// Plays random moves from the start, or those of games, and prints the positions that are balanced by
/// the engine's own judgement, one FEN a line. The same arguments give the same positions.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Args {
    /// How many positions.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Takes the positions of these games, files of any kind, in place of random ones.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// How many plies lead to each.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Where the random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions the engine looks at to judge one.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// By how many points a position may favour either side; a knight is 100.
    #[arg(long, default_value_t = 32)]
    band: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut generator = Generator::new(args.seed, args.plies as usize);
    let mut judge = Judge::new(args.nodes);
    if !args.games.is_empty() {
        return from_games(args, &mut judge, out);
    }
    for made in 0..args.count {
        let Some(position) = generator.next(args.band, TRIES, |line| judge.points(line)) else {
            bail!("only {made} positions within ±{} points were found", args.band);
        };
        writeln!(out, "{}", position.fen())?;
    }
    Ok(())
}

/// Prints balanced positions of games, each once.
fn from_games(args: &Args, judge: &mut Judge, out: &mut impl Write) -> anyhow::Result<()> {
    let (mut known, mut made) = (HashSet::new(), 0);
    for file in &args.games {
        let name = name(file);
        for found in Reader::open(file).with_context(|| format!("cannot read {name}"))? {
            let game = match found {
                Ok(found) => found.game,
                Err(error) => {
                    progress::write(&format!("left out: {name}, {error}"));
                    continue;
                }
            };
            if game.moves.len() < args.plies as usize {
                continue;
            }
            let mut line = Line::new(game.start.clone());
            for mv in game.main_line().take(args.plies as usize) {
                line.push(mv, &mut Unobserved);
            }
            let position = line.position();
            if position.legal_moves().is_empty()
                || position.in_check()
                || !known.insert(position.key())
                || judge.points(&line).unsigned_abs() > args.band
            {
                continue;
            }
            writeln!(out, "{}", position.fen())?;
            made += 1;
            if made == args.count {
                return Ok(());
            }
        }
    }
    bail!("only {made} positions of the games are within ±{} points", args.band)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings;

    #[test]
    fn what_is_printed_can_be_read_and_repeated() {
        let text = |seed| {
            let args = Args { count: 5, games: Vec::new(), plies: 6, seed, nodes: 200, band: 60 };
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
        let args =
            Args { count: 45, games: Vec::new(), plies: 1, seed: 1, nodes: 1, band: u32::MAX - 1 };
        let error = run(&args, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with("only "), "{error}");
    }
}
