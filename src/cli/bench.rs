//! `chuhe bench`: the signature and the speed.

use std::io::Write;

use crate::engine::bench;

/// Searches a fixed suite with one thread; the last line tells the nodes and the speed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The depth in plies.
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut failed = Ok(());
    let tally = bench::run(args.depth, |fen, outcome| {
        if failed.is_ok() {
            failed = writeln!(out, "{:>9}  {fen}", outcome.nodes);
        }
    });
    failed?;
    writeln!(out, "{} nodes {} nps", tally.nodes, tally.nps())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_signature() {
        let mut out = Vec::new();
        run(&Args { depth: 1 }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), bench::SUITE.len() + 1);
        let last: Vec<_> = text.lines().last().unwrap().split(' ').collect();
        let nodes: u64 = last[0].parse().unwrap();
        assert!(nodes > 0 && last[1] == "nodes" && last[3] == "nps");
    }
}
