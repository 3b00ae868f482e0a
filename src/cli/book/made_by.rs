//! Who thinks about positions for a book, as the command line says it, and how long that goes on.

use std::{
    ops::ControlFlow,
    path::Path,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering},
    time::Instant,
};

use crate::{
    bookgen::{BuildProgress, Settings, Studies},
    cli::{
        evaluator::Evaluator,
        progress::{self, Line},
    },
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
        Ok(Studies::new(settings, network.as_ref(), threads).kept_in(file)?)
    }
}

/// A line that tells how it goes, and the wish to stop.
pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    line: Line,
    /// When the first positions were done, and how many had been already.
    begun: Option<(Instant, usize)>,
}

impl Watch {
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self { stop: progress::interrupt()?, line: Line::new(), begun: None })
    }

    /// Shows how it goes, and tells whether it may go on.
    pub(super) fn see(&mut self, what: &str, progress: BuildProgress) -> ControlFlow<()> {
        let BuildProgress { done, wanted } = progress;
        let (begun, before) = *self.begun.get_or_insert_with(|| (Instant::now(), done));
        self.line.show(|| {
            let bar = progress::bar(done as f64 / wanted.max(1) as f64);
            let speed = (done - before) as f64 / begun.elapsed().as_secs_f64().max(1e-6);
            format!("{what} {bar} {done} of {wanted} positions, {speed:.1} a second")
        });
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// What was watched is over.
    pub(super) fn end(&mut self) {
        self.begun = None;
        self.line.clear();
    }

    /// Says that what was begun is not done.
    pub(super) fn stopped(&mut self) -> ExitCode {
        progress::stopped(&mut self.line)
    }

    /// Says something that stays.
    pub(super) fn keep(&mut self, text: &str) {
        self.line.keep(text);
    }
}
