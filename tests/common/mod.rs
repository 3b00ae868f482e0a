//! What several tests share.
#![allow(dead_code, reason = "each test binary is a crate of its own and uses its part of this")]

pub(crate) mod cases;
pub(crate) mod cycles;
pub(crate) mod games;
pub(crate) mod labels;
pub(crate) mod rows;
pub(crate) mod slow;
pub(crate) mod slow_rules;
