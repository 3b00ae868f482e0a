//! What several tests share.

pub(crate) mod cases;
pub(crate) mod cycles;
#[cfg(feature = "tools")]
pub(crate) mod folder;
pub(crate) mod games;
pub(crate) mod labels;
pub(crate) mod rows;
pub(crate) mod slow;
pub(crate) mod slow_rules;
