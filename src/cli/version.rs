//! What `--version` says: the release, the commit where the build was told of it, and the kernels
//! that evaluate positions on this machine.

use crate::simd::Kernels;

/// The commit that was built, as `dist/build` tells it.
const COMMIT: Option<&str> = option_env!("CHUHE_COMMIT");

pub(super) fn version() -> String {
    let commit = COMMIT.map_or(String::new(), |commit| format!(" ({commit})"));
    format!("{}{commit}, {} kernels", env!("CARGO_PKG_VERSION"), Kernels::detect().name())
}
