//! `chuhe net fit`: what the values of a network mean, for the constants of `types::scale`.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::{
    eval::Network,
    position::Position,
    records::Archive,
    rules::Line,
    search::{Limits, Pool, Signals},
    train::Tally,
    types::{Score, Value},
};

/// Tells what values are worth, by how games of self-play ended and by a search of the start
/// position without a knight.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of records, made by the network or one whose values are as large.
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// The network; none: the one built in.
    #[arg(long, value_name = "FILE")]
    pub(super) net: Option<PathBuf>,
    /// Plies at the start of each game that are passed over, since random moves may follow.
    #[arg(long, default_value_t = 20)]
    skip: usize,
    /// Positions searched to find what a knight is worth, each time.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

pub(super) fn run(args: &Args, network: &Arc<Network>, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{network}")?;
    let shifts = knights(network, args.nodes);
    let knight = shifts.iter().sum::<Value>() / shifts.len() as Value;
    let mut tally = Tally::new(args.skip);
    let mut games = 0;
    for file in &args.records {
        let counted =
            count(file, args.skip).with_context(|| format!("cannot use {}", file.display()))?;
        games += counted.0;
        tally = tally.with(&counted.1);
    }
    let fits = tally.fit();
    if fits.is_empty() {
        bail!("games of all ends are needed: won, drawn and lost");
    }
    let positions: u64 = fits.iter().map(|fit| fit.positions).sum();
    writeln!(out, "{games} games, {positions} positions\n")?;
    writeln!(out, "  men     even   spread     positions  error")?;
    for fit in &fits {
        let chances = fit.chances;
        let (men, even, spread) = (chances.men, chances.even, chances.spread);
        let (positions, error) = (fit.positions, fit.error);
        writeln!(out, "{men:5.1}{even:9.1}{spread:9.1}{positions:14}  {error:.4}")?;
    }
    writeln!(out, "\npub const KNIGHT: Value = {knight};")?;
    writeln!(out, "const KNOTS: [Chances; {}] = [", fits.len())?;
    for fit in &fits {
        let chances = fit.chances;
        writeln!(
            out,
            "    Chances {{ men: {:.1}, even: {:.1}, spread: {:.1} }},",
            chances.men, chances.even, chances.spread
        )?;
    }
    writeln!(out, "];")?;
    Ok(())
}

/// How the games of a file ended, and how many there are.
fn count(file: &Path, skip: usize) -> anyhow::Result<(usize, Tally)> {
    let archive = Archive::open(file)?;
    let counted: Result<Vec<_>, _> = archive
        .blocks()
        .par_iter()
        .map(|block| {
            let games = archive.games(block)?;
            let mut tally = Tally::new(skip);
            for game in &games {
                tally.add(game);
            }
            Ok::<_, anyhow::Error>((games.len(), tally))
        })
        .collect();
    let none = (0, Tally::new(skip));
    Ok(counted?
        .iter()
        .fold(none, |(games, tally), (more, counted)| (games + more, tally.with(counted))))
}

/// How far the search's value of the start moves when a knight is taken away, for each of the four
/// and both sides to move.
fn knights(network: &Arc<Network>, nodes: u64) -> Vec<Value> {
    let mut pool = Pool::new(1, 16);
    pool.set_network(Some(Arc::clone(network)));
    let mut value = |board: &str, side: char| {
        let fen = format!("{board} {side} - - 0 1");
        let position = Position::from_fen(&fen).expect("invariant: the start without a man");
        pool.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let line = Line::new(position);
        match pool.think(&line, &limits, false, 1, &Signals::new(), &|_| {}).score {
            Score::Value(value) => value,
            Score::Mate(_) => 0,
        }
    };
    let start = Position::START_FEN.split(' ').next().unwrap_or_default();
    let mut shifts = Vec::new();
    for side in ['w', 'b'] {
        let whole = value(start, side);
        for (at, _) in start.match_indices(['N', 'n']) {
            let board = format!("{}1{}", &start[..at], &start[at + 1..]);
            shifts.push((value(&board, side) - whole).abs());
        }
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::scale;

    #[test]
    fn a_knight_taken_from_the_start_reads_a_hundred_points_in_ucci() {
        let network = Network::embedded().expect("a network is built in");
        let shifts = knights(&network, 20_000);
        let points: Vec<_> = shifts.iter().map(|&shift| scale::ucci(shift)).collect();
        let mean = points.iter().sum::<i32>() / points.len() as i32;
        assert!(
            (85..=115).contains(&mean),
            "{mean}: {points:?}; `chuhe net fit` has the new scale"
        );
        assert!(points.iter().all(|points| (70..=130).contains(points)), "{points:?}");
    }
}
