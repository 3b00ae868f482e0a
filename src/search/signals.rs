//! What may be said to a running search from another thread. Knows no search.

use std::{
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    time::{Duration, Instant},
};

/// Stop and ponder-hit, for one search. The clock starts when it is made, or anew at a hit.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    hit: AtomicBool,
    born: Instant,
    /// Microseconds from birth to the ponder-hit.
    clock_offset: AtomicU64,
    bell: (Mutex<()>, Condvar),
}

impl Default for Signals {
    fn default() -> Self {
        Self::new()
    }
}

impl Signals {
    /// For a search that begins now.
    pub fn new() -> Self {
        Self {
            stop: AtomicBool::new(false),
            hit: AtomicBool::new(false),
            born: Instant::now(),
            clock_offset: AtomicU64::new(0),
            bell: (Mutex::new(()), Condvar::new()),
        }
    }

    /// End the search; its move follows at once.
    pub fn stop(&self) {
        self.raise(&self.stop);
    }

    /// The move pondered on was played: the own clock starts now.
    pub fn ponder_hit(&self) {
        let offset = u64::try_from(self.born.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.clock_offset.store(offset, Relaxed);
        self.raise(&self.hit);
    }

    /// Whether the search shall end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether a ponder search has become an ordinary one.
    pub fn was_hit(&self) -> bool {
        // Whoever sees the hit sees the offset that was stored before it.
        self.hit.load(Acquire)
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.born.elapsed()
    }

    /// Time since the own clock began to run.
    pub fn on_clock(&self) -> Duration {
        self.elapsed().saturating_sub(Duration::from_micros(self.clock_offset.load(Relaxed)))
    }

    /// Sleeps until `stop`, or until a hit when `until_hit`.
    pub(super) fn wait(&self, until_hit: bool) {
        let (lock, bell) = &self.bell;
        let mut guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.stopped() || until_hit && self.was_hit()) {
            guard = bell.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn raise(&self, flag: &AtomicBool) {
        let guard = self.bell.0.lock().unwrap_or_else(PoisonError::into_inner);
        flag.store(true, Release);
        drop(guard);
        self.bell.1.notify_all();
    }
}
