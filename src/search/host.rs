//! The threads that the workers of a pool run on, or the caller's where the system grants none. Knows nothing of
//! what a worker does.

use std::{mem, sync::Arc};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::worker::Worker;
use crate::simd;

/// A worker's stack: every ply has move lists and a frame of its own.
const STACK: usize = 16 << 20;

/// Who runs the workers.
#[derive(Clone)]
pub(super) enum Host {
    /// Threads of their own, as many as there are workers.
    Threads(Arc<ThreadPool>),
    /// Whoever calls, for one worker.
    Caller,
}

/// Why there are no threads.
#[derive(Debug, thiserror::Error)]
pub(super) enum HostError {
    /// The system refuses.
    #[error(transparent)]
    Refused(#[from] ThreadPoolBuildError),
    /// There is no memory for the stack of the first, or for what a worker learns.
    #[error("there is no memory")]
    NoRoom,
}

impl Host {
    pub(super) fn new(threads: usize) -> Result<Self, HostError> {
        if !simd::has_room(STACK) {
            return Err(HostError::NoRoom);
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .start_handler(simd::settle)
            .thread_name(|index| format!("search {index}"))
            .build()?;
        Ok(Self::Threads(Arc::new(pool)))
    }

    pub(super) fn caller() -> Self {
        // Without it the table would be made by rayon's global pool, which needs threads, too. A
        // thread cannot leave such a pool; the second time it is in one already, which is as good.
        if let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
            mem::forget(pool);
        }
        Self::Caller
    }

    pub(super) fn threads(&self) -> usize {
        match self {
            Self::Threads(pool) => pool.current_num_threads(),
            Self::Caller => 1,
        }
    }

    pub(super) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Self::Threads(pool) => pool.install(work),
            Self::Caller => work(),
        }
    }

    /// Does the work of all workers at once, and returns when all is done.
    pub(super) fn each(&self, workers: &mut [Worker], work: impl Fn(&mut Worker) + Sync) {
        match self {
            // The body stays on this thread, so that as many tasks as threads all run at once.
            Self::Threads(pool) => pool.in_place_scope(|scope| {
                for worker in workers {
                    scope.spawn(|_| work(worker));
                }
            }),
            Self::Caller => workers.iter_mut().for_each(work),
        }
    }
}
