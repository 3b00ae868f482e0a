//! Games of the engine against itself, to learn from. Knows how to play and keep them; what they
//! teach is for the trainer.

mod generate;
mod openings;
mod plan;
mod selfplay;
#[cfg(test)]
mod tests;

pub use generate::{DatagenError, DatagenProgress, generate, join, rescore};
pub use plan::SelfplayPlan;
pub use selfplay::SelfPlayer;
