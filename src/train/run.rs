//! Training from a recipe: epochs, the games held out, when to stop, and going on where it was left.
//! Knows files; tells how it goes and prints nothing.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use rayon::prelude::*;

use super::{
    checkpoint::{Checkpoint, CheckpointError, Claim},
    data::{Counts, Dataset},
    gradient::{self, Objective, Scratch},
    model::Model,
    optimiser,
    quantise::{QuantisationError, quantise},
    recipe::{NetworkRecipe, Recipe, TrainingRecipe},
};
use crate::{
    eval::nnue::{NetworkError, Parameters, Shape},
    files::{ReadError, checksum},
    records::{Archive, GameError, RecordError},
    types::SplitMix64,
};

/// How many parts of a batch are worked at side by side. The sums of each are rounded by
/// themselves, so this belongs to what the result depends on, unlike the number of threads.
const SHARDS: usize = 4;

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file of records.
    #[error("{}: {error}", .path.display())]
    Records {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecordError,
    },
    /// What is in the records.
    #[error("the records make no sense: {0}")]
    Game(#[from] GameError),
    /// Nothing to learn from or to measure by.
    #[error("{learn} positions to learn from and {measure} held out: there must be some of both")]
    Data {
        /// Positions to learn from.
        learn: usize,
        /// Positions held out.
        measure: usize,
    },
    /// A number of the recipe.
    #[error("the recipe's {name} must be {wanted}")]
    Recipe {
        /// What the recipe calls it.
        name: &'static str,
        /// What it may be.
        wanted: &'static str,
    },
    /// The sizes of the network.
    #[error("bad network: {0}")]
    Shape(#[from] NetworkError),
    /// The file to go on from.
    #[error("{}: {error}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: CheckpointError,
    },
    /// What was learned.
    #[error(transparent)]
    Quantisation(#[from] QuantisationError),
}

/// Where files are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files<'a> {
    /// What the recipe's file names are relative to.
    pub folder: Option<&'a Path>,
    /// Where training is kept to be gone on with; if the file exists, it is.
    pub checkpoint: Option<&'a Path>,
}

/// How it goes.
#[derive(Clone, Debug)]
pub enum TrainEvent {
    /// The data are there; parts of these files are damaged and left out.
    Data(Counts, Vec<String>),
    /// Some batches are done.
    Batch {
        /// The epoch, from 1.
        epoch: u32,
        /// The part of it that is done, 0 to 1.
        part: f64,
        /// The mean loss of this epoch so far.
        loss: f64,
        /// Positions a second since the start.
        speed: f64,
    },
    /// An epoch is done.
    Epoch(Epoch),
}

/// What an epoch brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Which one, from 1.
    pub number: u32,
    /// The mean loss while learning.
    pub loss: f64,
    /// The mean loss on the games held out.
    pub held_out: f64,
    /// Positions a second since the start.
    pub speed: f64,
}

/// What came of training.
#[derive(Clone, Debug)]
pub enum Trained {
    /// A network, the best of all epochs.
    Network {
        /// Its numbers.
        parts: Parameters,
        /// The epoch it is from.
        epoch: u32,
        /// Its loss on the games held out.
        held_out: f64,
    },
    /// It was called off; the checkpoint tells where.
    Interrupted,
}

/// Makes a network. `tell` hears how it goes and may call it off.
///
/// # Errors
/// When recipe, data or checkpoint cannot be used.
pub fn run(
    recipe: &Recipe,
    files: Files<'_>,
    mut tell: impl FnMut(TrainEvent) -> ControlFlow<()>,
) -> Result<Trained, TrainError> {
    check(recipe)?;
    let _claim = files.checkpoint.map(Claim::new).transpose().map_err(|error| {
        let path = files.checkpoint.unwrap_or(Path::new("")).into();
        TrainError::Checkpoint { path, error: ReadError::from(error).into() }
    })?;
    let (archives, origin) = open(recipe, files.folder)?;
    let ([learn, measure], counts) = Dataset::split(&archives, recipe)?;
    let damaged = recipe.data.files.iter().zip(&archives).flat_map(|(path, archive)| {
        archive.damage().iter().map(|damage| format!("{}: {damage}", path.display()))
    });
    let damaged = damaged.collect();
    drop(archives);
    if learn.positions() == 0 || measure.positions() == 0 {
        return Err(TrainError::Data { learn: learn.positions(), measure: measure.positions() });
    }
    let mut trainer = Trainer::new(recipe, &learn, &measure, origin, files.checkpoint)?;
    if tell(TrainEvent::Data(counts, damaged)).is_break() {
        return Ok(Trained::Interrupted);
    }
    if trainer.learn(&mut tell)?.is_break() {
        return Ok(Trained::Interrupted);
    }
    let Checkpoint { best, best_epoch, best_loss, .. } = trainer.state;
    let description = format!(
        "{}: epoch {best_epoch}, loss {best_loss:.6}, {} of {} positions in {} games, data and \
         recipe {origin:016x}\n\n{}",
        recipe.name,
        counts.kept,
        counts.plies,
        counts.games,
        recipe.text(),
    );
    let parts = quantise(&best, recipe.network.scale, &description)?;
    Ok(Trained::Network { parts, epoch: best_epoch, held_out: best_loss })
}

fn check(recipe: &Recipe) -> Result<(), TrainError> {
    let NetworkRecipe { hidden, output_buckets, scale } = recipe.network;
    Shape { hidden, output_buckets, scale }.check()?;
    let training = &recipe.training;
    let &TrainingRecipe {
        epochs, batch, run_length, learning_rate, final_learning_rate, wdl, ..
    } = training;
    for (name, good, wanted) in [
        ("epochs", epochs > 0, "at least 1"),
        ("batch", batch > 0, "at least 1"),
        ("run_length", run_length > 0, "at least 1"),
        ("learning_rate", learning_rate > 0.0 && learning_rate < 1.0, "above 0 and below 1"),
        (
            "final_learning_rate",
            (0.0..=learning_rate).contains(&final_learning_rate),
            "0 up to the learning rate",
        ),
        ("wdl", (0.0..=1.0).contains(&wdl), "0 to 1"),
        ("held_out", recipe.data.held_out >= 2, "at least 2"),
    ] {
        if !good {
            return Err(TrainError::Recipe { name, wanted });
        }
    }
    Ok(())
}

/// The records, and what identifies them together with the recipe.
fn open(recipe: &Recipe, folder: Option<&Path>) -> Result<(Vec<Archive>, u64), TrainError> {
    let mut origin = checksum(recipe.text().as_bytes());
    let mut archives = Vec::new();
    for file in &recipe.data.files {
        let path = folder.map_or_else(|| file.clone(), |folder| folder.join(file));
        let archive = Archive::open(&path).map_err(|error| TrainError::Records { path, error })?;
        origin = origin.rotate_left(1) ^ archive.checksum();
        archives.push(archive);
    }
    Ok((archives, origin))
}

struct Trainer<'a> {
    recipe: &'a Recipe,
    learn: &'a Dataset,
    measure: &'a Dataset,
    origin: u64,
    checkpoint: Option<&'a Path>,
    state: Checkpoint,
    objective: Objective,
    gradients: Vec<Model>,
    started: Instant,
    done: u64,
}

impl<'a> Trainer<'a> {
    fn new(
        recipe: &'a Recipe,
        learn: &'a Dataset,
        measure: &'a Dataset,
        origin: u64,
        checkpoint: Option<&'a Path>,
    ) -> Result<Self, TrainError> {
        let state = match checkpoint {
            Some(path) if path.exists() => Checkpoint::load(path, origin, &recipe.network)
                .map_err(|error| TrainError::Checkpoint { path: path.into(), error })?,
            _ => Checkpoint::begin(&recipe.network, recipe.seed),
        };
        let objective = Objective { wdl: recipe.training.wdl, scale: recipe.network.scale as f32 };
        let gradients = vec![Model::zero(&recipe.network); SHARDS];
        let started = Instant::now();
        Ok(Self {
            recipe,
            learn,
            measure,
            origin,
            checkpoint,
            state,
            objective,
            gradients,
            started,
            done: 0,
        })
    }

    /// Learns until the recipe says that it is enough.
    fn learn(
        &mut self,
        tell: &mut impl FnMut(TrainEvent) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TrainError> {
        let training = &self.recipe.training;
        let patience = |state: &Checkpoint| {
            training.patience > 0 && state.epoch >= state.best_epoch + training.patience
        };
        while self.state.epoch < training.epochs && !patience(&self.state) {
            if self.epoch(tell).is_break() {
                self.save()?;
                return Ok(ControlFlow::Break(()));
            }
            let held_out = self.measure();
            let state = &mut self.state;
            let loss = state.loss / state.count.max(1) as f64;
            state.epoch += 1;
            (state.batch, state.loss, state.count) = (0, 0.0, 0);
            if held_out < state.best_loss {
                state.best_loss = held_out;
                state.best_epoch = state.epoch;
                state.best.clone_from(&state.model);
            }
            let number = state.epoch;
            self.save()?;
            let epoch = Epoch { number, loss, held_out, speed: self.speed() };
            if tell(TrainEvent::Epoch(epoch)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes through the data once, from the batch where it stands.
    fn epoch(&mut self, tell: &mut impl FnMut(TrainEvent) -> ControlFlow<()>) -> ControlFlow<()> {
        let training = &self.recipe.training;
        let order = shuffled(self.learn.runs(), self.recipe.seed, self.state.epoch);
        let batch = (training.batch / training.run_length).max(1);
        let batches = order.len().div_ceil(batch);
        for runs in order.chunks(batch).skip(self.state.batch as usize) {
            let part = f64::from(self.state.batch) / batches as f64;
            let whole = (f64::from(self.state.epoch) + part) / f64::from(training.epochs);
            let count = self.batch(runs, optimiser::rate(training, whole as f32));
            self.state.batch += 1;
            self.state.count += count as u64;
            self.done += count as u64;
            tell(TrainEvent::Batch {
                epoch: self.state.epoch + 1,
                part: f64::from(self.state.batch) / batches as f64,
                loss: self.state.loss / self.state.count.max(1) as f64,
                speed: self.speed(),
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Learns from some runs at once; returns how many positions they have.
    fn batch(&mut self, runs: &[u32], rate: f32) -> usize {
        let (learn, objective, model) = (self.learn, self.objective, &self.state.model);
        let shards = runs.par_chunks(runs.len().div_ceil(SHARDS));
        let losses: Vec<f64> = shards
            .zip(&mut self.gradients)
            .map_init(Scratch::default, |scratch, (runs, gradient)| {
                let learn = |&index: &u32| {
                    let run = learn.run(index as usize);
                    gradient::learn(model, run, objective, gradient, scratch)
                };
                runs.iter().map(learn).sum()
            })
            .collect();
        self.state.loss += losses.iter().sum::<f64>();
        let count = runs.iter().map(|&run| learn.run(run as usize).labels.len()).sum();
        let mut gradients: Vec<_> = self
            .gradients
            .iter_mut()
            .map(|gradient| std::mem::take(&mut gradient.numbers))
            .collect();
        let Checkpoint { model, adam, .. } = &mut self.state;
        adam.step(&mut model.numbers, &mut gradients, count, rate, model.output_buckets);
        self.gradients.iter_mut().zip(gradients).for_each(|(to, from)| to.numbers = from);
        count
    }

    /// The mean loss on the games held out.
    fn measure(&self) -> f64 {
        let (measure, objective, model) = (self.measure, self.objective, &self.state.model);
        let losses: Vec<f64> = (0..measure.runs())
            .into_par_iter()
            .map_init(Scratch::default, |scratch, run| {
                gradient::loss(model, measure.run(run), objective, scratch)
            })
            .collect();
        losses.iter().sum::<f64>() / measure.positions() as f64
    }

    fn save(&self) -> Result<(), TrainError> {
        let Some(path) = self.checkpoint else { return Ok(()) };
        let error = |error: io::Error| TrainError::Checkpoint {
            path: path.into(),
            error: ReadError::from(error).into(),
        };
        self.state.save(path, self.origin).map_err(error)
    }

    fn speed(&self) -> f64 {
        self.done as f64 / self.started.elapsed().as_secs_f64().max(1e-6)
    }
}

/// The numbers below `count` in an order that seed and epoch decide (Fisher and Yates).
fn shuffled(count: usize, seed: u64, epoch: u32) -> Vec<u32> {
    let mut rng = SplitMix64::new(seed.rotate_left(32) ^ u64::from(epoch) ^ 0x5348_5546);
    let mut order: Vec<_> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}
