//! By what positions are evaluated, and by how many threads, as the commands that make things say it.
//! Knows whether there is memory for them.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;

use super::net;
use crate::{eval::Network, search::Pool, simd};

/// The evaluation and the threads; what is made depends on the first alone.
#[derive(Debug, clap::Args)]
pub(super) struct Evaluator {
    /// Evaluate by this network in place of the one built in.
    #[arg(long, value_name = "FILE", conflicts_with = "handcrafted")]
    net: Option<PathBuf>,
    /// Evaluate by hand, not by a network.
    #[arg(long)]
    handcrafted: bool,
    /// How much is done side by side; 0: one for each processor. What is made is the same.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    threads: u16,
}

impl Evaluator {
    /// The network; none: the handcrafted evaluation.
    pub(super) fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        match &self.net {
            Some(file) => Ok(Some(Arc::new(net::load(file)?))),
            None if self.handcrafted => Ok(None),
            None => Ok(Network::embedded()),
        }
    }

    /// Fails unless there is memory for a hash table of so many megabytes on each thread: each asks for
    /// its own once the work has begun.
    pub(super) fn ensure_memory(&self, mb: usize) -> anyhow::Result<()> {
        let threads = self.threads();
        let granted = Pool::new(1, 1).resize_hash(mb.saturating_mul(threads));
        granted.with_context(|| format!("{mb} MB on each of {threads} threads"))
    }

    /// How many threads, at least one.
    pub(super) fn threads(&self) -> usize {
        match self.threads {
            0 => simd::processors(),
            threads => threads.into(),
        }
    }
}
