//! `chuhe perft`: how many lines of play there are, to check and time the move generator.

use std::{io::Write, time::Instant};

use crate::position::{Position, perft};

/// Counts the lines of play of so many plies.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The plies.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(perft::DEEPEST)))]
    depth: u32,
    /// The position to start from, in place of the start position.
    #[arg(long, value_parser = Position::from_fen)]
    fen: Option<Position>,
    /// Also tell the count of each first move.
    #[arg(long)]
    divide: bool,
}

pub(super) fn run(args: Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut position = args.fen.unwrap_or_else(Position::start);
    let started = Instant::now();
    let nodes = if args.divide {
        let counts = perft::divide(&mut position, args.depth);
        for (mv, nodes) in &counts {
            writeln!(out, "{mv}: {nodes}")?;
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft::perft(&mut position, args.depth)
    };
    let time = started.elapsed();
    let nps = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    writeln!(out, "{nodes} nodes {} ms {nps} nps", time.as_millis())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(depth: u32, divide: bool) -> String {
        let mut out = Vec::new();
        run(Args { depth, fen: None, divide }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_start_position_has_1920_lines_of_two_plies() {
        assert!(text(2, false).starts_with("1920 nodes "));
        let divided = text(2, true);
        assert_eq!(divided.lines().count(), 45);
        assert!(divided.lines().last().unwrap().starts_with("1920 nodes "));
    }
}
