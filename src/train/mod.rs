//! From records of games to a network, on the processor. Knows what a network computes and how to
//! make it compute better; nothing of search or play.

mod checkpoint;
mod data;
mod fit;
mod gradient;
mod model;
mod optimiser;
mod packed;
mod plot;
mod quantise;
mod recipe;
mod report;
mod run;
mod schedule;
#[cfg(test)]
mod tests;
mod trainer;

pub use checkpoint::{CheckpointError, Losses};
pub use data::{Counts, Dataset};
pub use fit::{Fit, Tally};
pub use model::Model;
pub use plot::svg;
pub use quantise::{QuantisationError, quantise};
pub use recipe::{DataRecipe, NetworkRecipe, PositionFilter, Recipe, TrainingRecipe};
pub use report::{Phase, Report};
pub use run::{Epoch, Files, TrainError, TrainEvent, Trained, TrainedNetwork, run};
