//! `chuhe bench`: the signature and the speed.

use std::{io::Write, sync::Arc};

use anyhow::Context;

use super::net;
use crate::{engine::bench, eval::Network, search::Signals, simd::Kernels};

/// Searches a fixed suite with one thread; the last line tells the nodes and the speed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The depth in plies.
    #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Evaluate by this network in place of the one built in.
    #[arg(long, value_name = "FILE")]
    net: Option<std::path::PathBuf>,
    /// Run the network by these instructions; the count must be the same for all.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
}

impl Args {
    fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        let network = match &self.net {
            Some(file) => Some(Arc::new(net::load(file)?)),
            None => Network::embedded(),
        };
        let Some(name) = &self.kernel else { return Ok(network) };
        let kernels = Kernels::available().into_iter().find(|kernels| kernels.name() == name);
        let kernels = kernels.with_context(|| {
            let names: Vec<_> = Kernels::available().iter().map(Kernels::name).collect();
            format!("this processor has {}, not `{name}`", names.join(", "))
        })?;
        Ok(network.map(|network| Arc::new(Network::clone(&network).with_kernels(kernels))))
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut failed = Ok(());
    let signals = Signals::new();
    let tally = bench::run_by(args.network()?, args.depth, &signals, |fen, outcome| {
        failed = writeln!(out, "{:>9}  {fen}", outcome.nodes);
        if failed.is_err() {
            signals.stop();
        }
    });
    failed?;
    if let Some(tally) = tally {
        writeln!(out, "{} nodes {} nps", tally.nodes, tally.nps())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_signature() {
        let mut out = Vec::new();
        run(&Args { depth: 1, net: None, kernel: None }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), bench::SUITE.len() + 1);
        let last: Vec<_> = text.lines().last().unwrap().split(' ').collect();
        let nodes: u64 = last[0].parse().unwrap();
        assert!(nodes > 0 && last[1] == "nodes" && last[3] == "nps");
    }

    #[test]
    fn unknown_instructions_are_refused() {
        let args = Args { depth: 1, net: None, kernel: Some("mmx".into()) };
        let error = run(&args, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("scalar") && error.ends_with("not `mmx`"), "{error}");
    }
}
