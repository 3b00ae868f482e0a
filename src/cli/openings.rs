//! `chuhe openings`: positions to begin the games of a match from.

use std::{
    collections::HashSet,
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail};

use super::{name, progress::Line as ProgressLine, watch::Watch};
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

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut watch = Watch::new(ProgressLine::beside_output())?;
    let whole = if args.games.is_empty() {
        random(args, &mut watch, out)?
    } else {
        from_games(args, &mut watch, out)?
    };
    Ok(match whole {
        ControlFlow::Continue(()) => ExitCode::SUCCESS,
        ControlFlow::Break(made) => watch.stopped_with(&format!("{made} positions are printed")),
    })
}

/// Prints balanced positions of random games; tells how many there were when that was called off.
fn random(
    args: &Args,
    watch: &mut Watch,
    out: &mut impl Write,
) -> anyhow::Result<ControlFlow<u32>> {
    let mut generator = Generator::new(args.seed, args.plies as usize);
    let mut judge = Judge::new(args.nodes);
    for made in 0..args.count {
        let mut unwanted = false;
        let points = |line: &Line| {
            unwanted = see(watch, made, args.count, 0.0).is_break();
            // Any position will do then.
            if unwanted { 0 } else { judge.points(line) }
        };
        let found = generator.next(args.band, TRIES, points);
        if unwanted {
            return Ok(ControlFlow::Break(made));
        }
        let Some(position) = found else {
            bail!("only {made} positions within ±{} points were found", args.band);
        };
        writeln!(out, "{}", position.fen())?;
    }
    Ok(ControlFlow::Continue(()))
}

/// Shows how far it is by what is made and by what is read, of which the farther one ends it.
fn see(watch: &mut Watch, made: u32, wanted: u32, read: f64) -> ControlFlow<()> {
    let part = (f64::from(made) / f64::from(wanted)).max(read);
    watch.see("", Some(part), || format!("{made} of {wanted} positions"))
}

/// Prints balanced positions of games, each once; as [`random`].
fn from_games(
    args: &Args,
    watch: &mut Watch,
    out: &mut impl Write,
) -> anyhow::Result<ControlFlow<u32>> {
    let mut judge = Judge::new(args.nodes);
    let (mut known, mut made) = (HashSet::new(), 0);
    for (number, file) in args.games.iter().enumerate() {
        let name = name(file);
        let games = open(file)?;
        let progress = games.progress();
        for found in games {
            let read = (number as f64 + progress.part().unwrap_or(0.0)) / args.games.len() as f64;
            if see(watch, made, args.count, read).is_break() {
                return Ok(ControlFlow::Break(made));
            }
            let game = match found {
                Ok(found) => found.game,
                Err(error) => {
                    watch.keep(&format!("left out: {name}, {error}"));
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
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
    bail!("only {made} positions of the games are within ±{} points", args.band)
}

fn open(file: &Path) -> anyhow::Result<Reader> {
    Reader::open(file).with_context(|| format!("cannot read {}", name(file)))
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
            assert!(random(&args, &mut Watch::none(), &mut out).unwrap().is_continue());
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
        let error = random(&args, &mut Watch::none(), &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with("only "), "{error}");
    }
}
