//! How long something is waited for. Knows no players.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How often a wait looks whether it is still needed.
const GLANCE: Duration = Duration::from_millis(100);

/// The end of a wait: a deadline, or that nobody needs any more what is waited for.
#[derive(Clone, Copy)]
pub(super) struct Until<'a> {
    deadline: Instant,
    abort: Option<&'a AtomicBool>,
}

impl<'a> Until<'a> {
    /// So long from now, whatever happens.
    pub(super) fn after(time: Duration) -> Self {
        Self { deadline: Instant::now() + time, abort: None }
    }

    /// The same, unless this is raised before.
    pub(super) fn unless(self, abort: &'a AtomicBool) -> Self {
        Self { abort: Some(abort), ..self }
    }

    /// How long to wait before looking again; `None`: no longer at all.
    pub(super) fn step(self) -> Option<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let aborted = self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed));
        (!left.is_zero() && !aborted).then(|| left.min(GLANCE))
    }
}
