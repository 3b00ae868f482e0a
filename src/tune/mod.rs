//! Tuning numbers by comparing (SPSA, simultaneous perturbation stochastic approximation): all are
//! changed at once, a bit up or down at random, both ways are compared, and all take a step towards
//! the better one. Knows numbers, a log and pictures of it; what compares them is the caller's.

#[cfg(feature = "tune")]
mod games;
mod log;
mod patch;
mod plan;
mod plot;
mod spsa;
#[cfg(test)]
mod tests;

#[cfg(feature = "tune")]
pub use games::Boards;
pub use log::{Log, LogError};
pub use patch::patch;
pub use plan::{PlanError, TunePlan};
pub use plot::plot;
pub use spsa::{Perturbation, Schedule, Spsa, Tunable};
