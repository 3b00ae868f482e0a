//! The wish that work ends: Ctrl-C, and the signals of schedulers and closed terminals. Does not
//! know what work.

use anyhow::Context;

/// Calls `handler` at every such wish from now on.
pub(super) fn listen(handler: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")
}
