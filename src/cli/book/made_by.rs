//! Who thinks about positions for a book, as the command line says it, and how long that goes on.

use std::{ops::ControlFlow, path::Path};

use crate::{
    bookgen::{BuildProgress, Settings, Studies},
    cli::{evaluator::Evaluator, watch::Watch},
};

/// Who thinks.
#[derive(Debug, clap::Args)]
pub(super) struct MadeBy {
    /// Megabytes of the table of each thread.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    #[command(flatten)]
    evaluator: Evaluator,
}

impl MadeBy {
    /// Thoughts of so many nodes and lines a position that are kept in a file.
    pub(super) fn studies(&self, nodes: u64, lines: usize, file: &Path) -> anyhow::Result<Studies> {
        let (network, threads) = (self.evaluator.network()?, self.evaluator.threads());
        let settings = Settings { nodes, lines, hash_mb: self.hash as usize };
        self.evaluator.ensure_memory(settings.hash_mb)?;
        Ok(Studies::new(settings, network.as_ref(), threads).kept_in(file)?)
    }
}

/// Shows how far the thinking is, and tells whether it may go on.
pub(super) fn see(watch: &mut Watch, what: &str, progress: BuildProgress) -> ControlFlow<()> {
    let BuildProgress { done, wanted } = progress;
    let part = done as f64 / wanted.max(1) as f64;
    watch.see(what, Some(part), || format!("{done} of {wanted} positions"))
}
