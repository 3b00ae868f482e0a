//! How long work goes on: a line on standard error that is rewritten for a person and written now
//! and then for a file, and a wish to stop that is heeded at the next good moment.

use std::{
    io::{self, IsTerminal, Write},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::interrupt;

/// A line that is kept up to date.
#[derive(Debug)]
pub(super) struct Line {
    terminal: bool,
    shown: Option<Instant>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), shown: None }
    }

    /// Shows how it goes, unless that was shown just before.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        let pause = Duration::from_secs(if self.terminal { 1 } else { 60 });
        if self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        self.shown = Some(Instant::now());
        let end = if self.terminal { "" } else { "\n" };
        let start = if self.terminal { "\r\x1b[K" } else { "" };
        // Where nobody listens, nothing is lost.
        let _ = write!(io::stderr(), "{start}{}{end}", text()).and_then(|()| io::stderr().flush());
    }

    /// Takes away what is shown, for others to write there.
    pub(super) fn clear(&mut self) {
        if self.terminal && self.shown.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K").and_then(|()| io::stderr().flush());
        }
    }

    /// Writes a line that stays.
    pub(super) fn keep(&mut self, text: &str) {
        let start = if self.terminal { "\r\x1b[K" } else { "" };
        let _ = writeln!(io::stderr(), "{start}{text}");
        self.shown = None;
    }
}

/// A bar of twenty places for a part of the whole.
pub(super) fn bar(part: f64) -> String {
    let full = (20.0 * part.clamp(0.0, 1.0)) as usize;
    format!("[{}{}]", "=".repeat(full), " ".repeat(20 - full))
}

/// A flag that an interrupt raises; a second one ends the program at once.
pub(super) fn interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    interrupt::listen(move || {
        if raised.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    })?;
    Ok(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
        assert_eq!(bar(0.0), "[                    ]");
        assert_eq!(bar(0.5), "[==========          ]");
        assert_eq!(bar(7.0), "[====================]");
    }
}
