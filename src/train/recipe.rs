//! What a network is made from and how: everything that the result depends on, in one file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::eval::nnue::BucketedBy;

/// A recipe. The same recipe and data give the same network, byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the network is called.
    pub name: String,
    /// What chance starts from: first weights and the order of everything.
    pub seed: u64,
    /// What to learn from.
    pub data: DataRecipe,
    /// The network's sizes.
    pub network: NetworkRecipe,
    /// How to learn.
    pub training: TrainingRecipe,
}

/// What to learn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecipe {
    /// Files of records.
    pub files: Vec<PathBuf>,
    /// One game in so many is held out to measure by.
    #[serde(default = "defaults::held_out")]
    pub held_out: u64,
    /// Which positions teach.
    #[serde(default)]
    pub filter: PositionFilter,
}

/// Which positions teach: quiet ones whose score means something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PositionFilter {
    /// Leave out those in check.
    pub checks: bool,
    /// Leave out those where the move played captures or was drawn at random.
    pub captures: bool,
    /// Leave out those that the game had seen before: what they are worth is a matter of rules.
    pub repeated: bool,
    /// Leave out those with a score beyond this.
    #[serde(alias = "most")]
    pub max_score: i16,
    /// Leave out so many plies at the beginning of what was thought about.
    #[serde(alias = "first")]
    pub skip_plies: usize,
}

impl Default for PositionFilter {
    fn default() -> Self {
        Self { checks: true, captures: true, repeated: true, max_score: 2_500, skip_plies: 0 }
    }
}

/// The sizes of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkRecipe {
    /// The width of each side's hidden layer.
    pub hidden: usize,
    /// How many output buckets; by material there are 12.
    #[serde(default = "defaults::output_buckets", alias = "outputs")]
    pub output_buckets: usize,
    /// What output buckets go by.
    #[serde(default)]
    pub bucketed_by: BucketedBy,
    /// What an output of 1 is worth; scores are squeezed by the same measure.
    #[serde(default = "defaults::scale")]
    pub scale: i32,
    /// A network whose values the new one's are to spread as widely as, so that what is measured in
    /// them keeps its meaning: the scale it is written with is `scale` times a constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread_like: Option<PathBuf>,
    /// A network of these sizes whose weights are the first ones, in place of random ones: what it
    /// knows of games that are not there any more stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_from: Option<PathBuf>,
}

/// How to learn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingRecipe {
    /// Times to go through the data, at most.
    pub epochs: u32,
    /// So many of the last epochs go through the last of the files alone.
    #[serde(default)]
    pub newest_epochs: u32,
    /// Positions that are learned from at once, about.
    #[serde(default = "defaults::batch")]
    pub batch: usize,
    /// The highest learning rate.
    #[serde(default = "defaults::learning_rate", alias = "rate")]
    pub learning_rate: f32,
    /// The learning rate in the end, to which it falls along a cosine.
    #[serde(default = "defaults::final_learning_rate", alias = "final_rate")]
    pub final_learning_rate: f32,
    /// The part of the whole in which the learning rate rises to its highest.
    #[serde(default = "defaults::warm_up")]
    pub warm_up: f32,
    /// How fast weights shrink, for each unit of learning rate (decoupled, as AdamW has it).
    #[serde(default = "defaults::weight_decay")]
    pub weight_decay: f32,
    /// How much of the old mean of gradients each step keeps.
    #[serde(default = "defaults::beta1")]
    pub beta1: f32,
    /// How much of the old mean of their squares each step keeps.
    #[serde(default = "defaults::beta2")]
    pub beta2: f32,
    /// The gradient of a batch is shortened to this length; 0: never.
    #[serde(default = "defaults::clip")]
    pub clip: f32,
    /// How much the result of the game counts against the score, 0 to 1.
    #[serde(default, alias = "lambda")]
    pub wdl: f32,
    /// What that comes to in the end; none: it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_wdl: Option<f32>,
    /// The last part of the whole, in which it comes to that.
    #[serde(default = "defaults::wdl_ramp")]
    pub wdl_ramp: f32,
    /// The power of the error that is the loss: 2, 2.5 or 3.
    #[serde(default = "defaults::loss_exponent")]
    pub loss_exponent: f32,
    /// The last part of the whole whose weights are averaged; the average is taken where it is
    /// better than the best epoch. 0: none.
    #[serde(default = "defaults::average")]
    pub average: f32,
    /// Stop after so many epochs without a better loss on the games held out; 0: never.
    #[serde(default)]
    pub patience: u32,
    /// Consecutive positions of a game that are learned from together: more is faster, fewer mixes
    /// the data better.
    #[serde(default = "defaults::run_length", alias = "run")]
    pub run_length: usize,
}

impl TrainingRecipe {
    /// How much results count in the end.
    pub fn final_wdl(&self) -> f32 {
        self.final_wdl.unwrap_or(self.wdl)
    }
}

mod defaults {
    pub(super) fn held_out() -> u64 {
        20
    }
    pub(super) fn output_buckets() -> usize {
        1
    }
    pub(super) fn scale() -> i32 {
        400
    }
    pub(super) fn batch() -> usize {
        16_384
    }
    pub(super) fn learning_rate() -> f32 {
        1e-3
    }
    pub(super) fn final_learning_rate() -> f32 {
        1e-5
    }
    pub(super) fn warm_up() -> f32 {
        0.005
    }
    pub(super) fn weight_decay() -> f32 {
        0.01
    }
    pub(super) fn beta1() -> f32 {
        0.9
    }
    pub(super) fn beta2() -> f32 {
        0.999
    }
    pub(super) fn clip() -> f32 {
        1.0
    }
    pub(super) fn wdl_ramp() -> f32 {
        0.1
    }
    pub(super) fn loss_exponent() -> f32 {
        2.0
    }
    pub(super) fn average() -> f32 {
        0.1
    }
    pub(super) fn run_length() -> usize {
        16
    }
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// When it is not one, with the place.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// The recipe with everything that was left to defaults, as text.
    ///
    /// # Panics
    /// Never: every recipe can be written.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("invariant: a recipe is plain values")
    }
}
