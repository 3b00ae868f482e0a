//! How long work goes on: a line on standard error that is rewritten for a person and written now
//! and then for a file, and a wish to stop that is heeded at the next good moment.

use std::{
    io::{self, Write},
    process::{self, ExitCode},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt;

/// Where there is no terminal, a line is written this often.
pub(super) const INTERVAL: Duration = Duration::from_mins(1);

/// A line that is kept up to date.
#[derive(Debug)]
pub(super) struct Line {
    display: ProgressBar,
    /// When a line was last written where there is no terminal.
    written: Option<Instant>,
}

impl Line {
    pub(super) fn new() -> Self {
        let style = ProgressStyle::with_template("{msg}").expect("invariant: it is a template");
        Self { display: ProgressBar::new_spinner().with_style(style), written: None }
    }

    /// Shows how it goes, unless that was shown just before.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        if !self.display.is_hidden() {
            if self.display.is_finished() {
                self.display.reset();
            }
            self.display.set_message(text());
        } else if self.written.is_none_or(|written| written.elapsed() >= INTERVAL) {
            self.written = Some(Instant::now());
            write(&text());
        }
    }

    /// Takes away what is shown, for others to write there.
    pub(super) fn clear(&mut self) {
        self.display.finish_and_clear();
    }

    /// Writes a line that stays.
    pub(super) fn keep(&mut self, text: &str) {
        self.clear();
        write(text);
        self.written = None;
    }
}

/// Writes a line on standard error. Where nobody listens, nothing is lost.
pub(super) fn write(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What a program that was interrupted ends with.
const INTERRUPTED: u8 = 130;

/// Says that the work is not done, in words and by the status that the program ends with.
pub(super) fn stopped(line: &mut Line) -> ExitCode {
    line.keep("stopped; the same command goes on");
    INTERRUPTED.into()
}

/// A bar of twenty places for a part of the whole.
pub(super) fn bar(part: f64) -> String {
    let full = (20.0 * part.clamp(0.0, 1.0)) as usize;
    format!("[{}{}]", "=".repeat(full), " ".repeat(20 - full))
}

/// So many seconds as people say it: `40 s`, `12 min`, `3.5 h`.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        ..99.5 => format!("{seconds:.0} s"),
        ..5_970.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}

/// A flag that an interrupt raises; a second one ends the program at once.
pub(super) fn interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    interrupt::listen(move || {
        if raised.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_digits_or_three() {
        for (seconds, text) in [
            (0.2, "0 s"),
            (99.0, "99 s"),
            (100.0, "2 min"),
            (5_900.0, "98 min"),
            (9_000.0, "2.5 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
        assert_eq!(bar(0.0), "[                    ]");
        assert_eq!(bar(0.5), "[==========          ]");
        assert_eq!(bar(7.0), "[====================]");
    }
}
