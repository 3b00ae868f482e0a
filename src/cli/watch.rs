//! Long work as it goes: how far it is, how long it takes from here, and whether it is still wanted.
//! Knows nothing of the work.

use std::{
    ops::ControlFlow,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use super::progress::{self, Line};

/// Before that nobody wants to know how it goes.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is told at the most.
const INTERVAL: Duration = Duration::from_millis(100);

/// A phase of some work.
#[derive(Clone, Copy, Debug)]
struct Phase {
    begun: Instant,
    /// The part of it that had been done by then, 0 to 1.
    before: f64,
    told: Instant,
}

/// A line that tells how it goes, and the wish to stop.
pub(super) struct Watch {
    line: Line,
    stop: Arc<AtomicBool>,
    phase: Option<Phase>,
}

impl Watch {
    /// Shows a line and heeds Ctrl-C from now on. Comes before any thread is started.
    pub(super) fn new(line: Line) -> anyhow::Result<Self> {
        let stop = progress::interrupt(&line)?;
        Ok(Self::heeding(line, stop))
    }

    /// Shows a line until this flag is raised.
    pub(super) fn heeding(line: Line, stop: Arc<AtomicBool>) -> Self {
        Self { line, stop, phase: None }
    }

    /// Shows nothing, and goes on.
    pub(super) fn none() -> Self {
        Self::heeding(Line::mute(), Arc::default())
    }

    /// Shows how far a phase is, from 0 to 1 where that is known, and tells whether it may go on. `how`
    /// says it in numbers.
    pub(super) fn see(
        &mut self,
        what: &str,
        part: Option<f64>,
        how: impl FnOnce() -> String,
    ) -> ControlFlow<()> {
        let now = Instant::now();
        let first = Phase { begun: now, before: part.unwrap_or(0.0), told: now };
        let phase = self.phase.get_or_insert(first);
        if now - phase.begun >= PATIENCE && now - phase.told >= INTERVAL {
            phase.told = now;
            let seconds = (now - phase.begun).as_secs_f64();
            let before = phase.before;
            self.line.show(|| {
                let left = part.map_or_else(String::new, |part| left(seconds, before, part));
                let bar = part.map_or_else(String::new, |part| progress::bar(part) + " ");
                format!("{what} {bar}{}{left}", how()).trim_start().to_owned()
            });
        }
        self.go_on()
    }

    /// Whether it may go on.
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// What was watched is over.
    pub(super) fn end(&mut self) {
        self.phase = None;
        self.line.clear();
    }

    /// Says that what was begun is not done, and that the same command goes on.
    pub(super) fn stopped(&mut self) -> ExitCode {
        progress::stopped(&mut self.line)
    }

    /// Says that what was begun is not done, and what there is of it.
    pub(super) fn stopped_with(&mut self, what: &str) -> ExitCode {
        self.line.keep(&format!("stopped; {what}"));
        progress::INTERRUPTED.into()
    }

    /// Says something that stays.
    pub(super) fn keep(&mut self, text: &str) {
        self.line.keep(text);
    }
}

/// How long it takes from here if it goes on as in these seconds, in which it came from one part of the
/// whole to another. Nothing where nothing can be told.
pub(super) fn left(seconds: f64, before: f64, part: f64) -> String {
    let left = seconds * (1.0 - part) / (part - before);
    if part > before && part < 1.0 && left.is_finite() {
        format!(", {} left", progress::duration(left))
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_by_what_was_done_here() {
        assert_eq!(left(60.0, 0.0, 0.5), ", 60 s left");
        assert_eq!(left(60.0, 0.9, 0.95), ", 60 s left");
        assert_eq!(left(1e9, 0.0, 0.001), ", 277500000.0 h left");
        for (before, part) in [(0.0, 0.0), (0.5, 0.5), (0.0, 1.0), (0.5, 0.4), (0.0, f64::NAN)] {
            assert_eq!(left(60.0, before, part), "", "{before} {part}");
        }
    }

    #[test]
    fn a_watch_goes_on_until_it_is_to_stop() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut watch = Watch::heeding(Line::new(), Arc::clone(&stop));
        assert!(watch.see("reading", Some(0.5), String::new).is_continue());
        stop.store(true, Ordering::Relaxed);
        assert!(watch.see("reading", None, String::new).is_break());
    }
}
