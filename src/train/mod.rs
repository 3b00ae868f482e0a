//! From records of games to a network, on the processor. Knows what a network computes and how to
//! make it compute better; nothing of search or play.

mod checkpoint;
mod data;
mod gradient;
mod model;
mod optimiser;
mod quantise;
mod recipe;
mod run;
#[cfg(test)]
mod tests;

pub use checkpoint::CheckpointError;
pub use data::{Counts, Dataset};
pub use model::Model;
pub use quantise::{QuantisationError, quantise};
pub use recipe::{DataRecipe, NetworkRecipe, PositionFilter, Recipe, TrainingRecipe};
pub use run::{Epoch, Files, TrainError, TrainEvent, Trained, run};
