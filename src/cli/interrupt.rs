//! The wish that work ends: Ctrl-C, and the signals of schedulers and closed terminals. Does not
//! know what work.

use anyhow::Context;

/// Calls `handler` at every such wish from now on. Comes before any thread is started.
pub(super) fn listen(handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    // `nohup` has it ignored, and that is to stay so. What all threads block is never delivered.
    #[cfg(unix)]
    if hangup_is_ignored() {
        use nix::sys::signal::{SigSet, Signal};
        SigSet::from(Signal::SIGHUP).thread_block()?;
    }
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")
}

/// Whether this process was started so that a hangup does nothing. Where there is no `/proc` this
/// cannot be asked without unsafe code.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // A bit for each signal, the lowest for the first, which is the hangup.
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}
