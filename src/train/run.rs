//! From a recipe and the files it names to a network. Knows files and what a recipe may say; tells
//! how it goes and prints nothing.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    checkpoint::{Checkpoint, CheckpointError, Claim, Losses},
    data::{Counts, Dataset},
    model::Model,
    quantise::{QuantisationError, quantise},
    recipe::{NetworkRecipe, Recipe, TrainingRecipe},
    report::{self, Report},
    trainer::Trainer,
};
use crate::{
    eval::{
        Network,
        nnue::{NetworkError, Parameters, Shape},
    },
    files::{ReadError, checksum},
    records::{Archive, Contents, GameError, RecordError},
};

/// What the same recipe and data mean changes with this.
const VERSION: u64 = 4;

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
    /// A file that holds games which another one has, too.
    #[error("{}: the games are also in {}", .path.display(), .other.display())]
    Doubled {
        /// The later of the two.
        path: PathBuf,
        /// The earlier.
        other: PathBuf,
    },
    /// A network that the recipe names.
    #[error("{key}: {}: {error}", .path.display())]
    Network {
        /// What the recipe names it as.
        key: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// A network of other sizes than those of the recipe.
    #[error("start_from: {}: it is {has}, of other sizes than the recipe's", .path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// What it is.
        has: String,
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
    #[error("{}: {error}{}", .path.display(), way_out(.error))]
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

/// What to do about a checkpoint that is there and of no use.
fn way_out(error: &CheckpointError) -> &'static str {
    match error {
        CheckpointError::File(ReadError::Io(_)) => "",
        _ => "; choose another name, or remove it",
    }
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
    /// This part of the records is read, 0 to 1.
    Reading(f64),
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
        /// How long it takes from here, if it goes on like this.
        seconds_left: f64,
    },
    /// An epoch is done.
    Epoch(Epoch),
}

/// What an epoch brought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Which one, from 1.
    pub number: u32,
    /// What it lost, on average.
    pub losses: Losses,
    /// The mean loss of the averaged weights on the games held out, where there are some.
    pub averaged: Option<f64>,
    /// Positions a second since the start.
    pub speed: f64,
}

/// What came of training.
#[derive(Clone, Debug)]
pub enum Trained {
    /// A network, the best that was met.
    Network(Box<TrainedNetwork>),
    /// It was called off; the checkpoint tells where.
    Interrupted,
}

/// A network and how it came to be.
#[derive(Clone, Debug)]
pub struct TrainedNetwork {
    /// Its numbers.
    pub parameters: Parameters,
    /// The epoch it is from.
    pub epoch: u32,
    /// Its loss on the games held out.
    pub held_out: f64,
    /// What each epoch brought.
    pub history: Vec<Losses>,
    /// What it is like.
    pub report: Report,
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
    let like = named("spread_like", recipe.network.spread_like.as_deref(), files.folder)?;
    let start = named("start_from", recipe.network.start_from.as_deref(), files.folder)?;
    let first = start.as_ref().map(|start| weights(start, recipe)).transpose()?;
    let ControlFlow::Continue(read) = read(recipe, files.folder, &mut tell)? else {
        return Ok(Trained::Interrupted);
    };
    let Read { sets: [learn, held_out], counts, damaged, mut origin } = read;
    origin ^= like.as_ref().map_or(0, Network::checksum);
    origin ^= start.as_ref().map_or(0, |start| start.checksum().rotate_left(1));
    if learn.positions() == 0 || held_out.positions() == 0 {
        return Err(TrainError::Data { learn: learn.positions(), measure: held_out.positions() });
    }
    let mut trainer = Trainer::new(recipe, first, [&learn, &held_out], origin, files.checkpoint)?;
    if tell(TrainEvent::Data(counts, damaged)).is_break() || trainer.learn(&mut tell)?.is_break() {
        return Ok(Trained::Interrupted);
    }
    let Checkpoint { best, best_epoch, best_loss, history, .. } = trainer.into_state();
    let scale = recipe.network.scale;
    let mut report = Report::new(&best, &held_out, scale as f32);
    if let Some(like) = like {
        let other = (&Model::of(&like.parameters()), like.shape().scale);
        report.spread_factor = report::spread_factor(&best, other, scale, &held_out);
    }
    let description = format!(
        "{}: epoch {best_epoch}, loss {best_loss:.6}, {} of {} positions in {} games, data and \
         recipe {origin:016x}\n\n{}",
        recipe.name,
        counts.kept,
        counts.plies,
        counts.games,
        recipe.text(),
    );
    let scale = (f64::from(scale) * report.spread_factor).round() as i32;
    let parameters = quantise(&best, scale, &description)?;
    let trained =
        TrainedNetwork { parameters, epoch: best_epoch, held_out: best_loss, history, report };
    Ok(Trained::Network(Box::new(trained)))
}

/// The network that the recipe names under this key.
fn named(
    key: &'static str,
    file: Option<&Path>,
    folder: Option<&Path>,
) -> Result<Option<Network>, TrainError> {
    let Some(file) = file else { return Ok(None) };
    let path = folder.map_or_else(|| file.into(), |folder| folder.join(file));
    let network = Network::load(&path);
    network.map(Some).map_err(|error| TrainError::Network { key, path, error })
}

/// What the network to start from knows, for the recipe's.
fn weights(start: &Network, recipe: &Recipe) -> Result<Model, TrainError> {
    let (has, wanted) = (start.shape(), &recipe.network);
    let sizes = (has.hidden, has.output_buckets, has.bucketed_by);
    if sizes != (wanted.hidden, wanted.output_buckets, wanted.bucketed_by) {
        let path = wanted.start_from.clone().unwrap_or_default();
        return Err(TrainError::Start { path, has: start.to_string() });
    }
    Ok(Model::of(&start.parameters()).rescaled(has.scale, wanted.scale))
}

fn check(recipe: &Recipe) -> Result<(), TrainError> {
    let NetworkRecipe { hidden, output_buckets, bucketed_by, scale, .. } = recipe.network;
    Shape { hidden, output_buckets, bucketed_by, scale }.check()?;
    let training = &recipe.training;
    let &TrainingRecipe { learning_rate, final_learning_rate, .. } = training;
    let share = |part: f32| (0.0..=1.0).contains(&part);
    let beta = |beta: f32| (0.0..1.0).contains(&beta);
    let size = |size: f32| size.is_finite() && size >= 0.0;
    for (name, good, wanted) in [
        ("epochs", training.epochs > 0, "at least 1"),
        ("newest_epochs", training.newest_epochs <= training.epochs, "at most the epochs"),
        ("batch", training.batch > 0, "at least 1"),
        ("run_length", (1..=4096).contains(&training.run_length), "1 to 4096"),
        ("learning_rate", learning_rate > 0.0 && learning_rate < 1.0, "above 0 and below 1"),
        (
            "final_learning_rate",
            (0.0..=learning_rate).contains(&final_learning_rate),
            "0 up to the learning rate",
        ),
        ("warm_up", beta(training.warm_up), "0 or more and below 1"),
        ("weight_decay", share(training.weight_decay), "0 to 1"),
        ("beta1", beta(training.beta1), "0 or more and below 1"),
        ("beta2", beta(training.beta2), "0 or more and below 1"),
        ("clip", size(training.clip), "0 or more"),
        ("wdl", share(training.wdl), "0 to 1"),
        ("final_wdl", share(training.final_wdl()), "0 to 1"),
        ("wdl_ramp", share(training.wdl_ramp), "0 to 1"),
        ("average", share(training.average), "0 to 1"),
        ("held_out", recipe.data.held_out >= 2, "at least 2"),
    ] {
        if !good {
            return Err(TrainError::Recipe { name, wanted });
        }
    }
    Ok(())
}

/// What the records hold.
struct Read {
    /// To learn from, and held out.
    sets: [Dataset; 2],
    counts: Counts,
    /// What could not be read.
    damaged: Vec<String>,
    /// Identifies recipe and records.
    origin: u64,
}

/// Reads the records one by one unless called off, so that only one at a time takes its room beside what is kept.
fn read(
    recipe: &Recipe,
    folder: Option<&Path>,
    tell: &mut impl FnMut(TrainEvent) -> ControlFlow<()>,
) -> Result<ControlFlow<(), Read>, TrainError> {
    let place = |file: &PathBuf| folder.map_or_else(|| file.clone(), |folder| folder.join(file));
    // What cannot be asked for its size is complained of when its turn comes.
    let size = |file| fs::metadata(place(file)).map_or(0, |data| data.len()) as f64;
    let sizes: Vec<f64> = recipe.data.files.iter().map(size).collect();
    let (whole, mut before) = (sizes.iter().sum::<f64>().max(1.0), 0.0);
    let mut read = Read {
        sets: <[Dataset; 2]>::default(),
        counts: Counts::default(),
        damaged: Vec::new(),
        origin: checksum(recipe.text().as_bytes()) ^ VERSION,
    };
    let mut earlier: Vec<Contents> = Vec::new();
    for (number, file) in recipe.data.files.iter().enumerate() {
        let path = place(file);
        let archive = match Archive::open(&path) {
            Ok(archive) => archive,
            Err(error) => return Err(TrainError::Records { path, error }),
        };
        let contents = archive.contents();
        if let Some(at) = earlier.iter().position(|other| other.shares_games_with(contents)) {
            return Err(TrainError::Doubled { path, other: recipe.data.files[at].clone() });
        }
        earlier.push(contents.clone());
        read.origin = read.origin.rotate_left(1) ^ archive.checksum();
        let told = archive.damage().iter().map(|damage| format!("{}: {damage}", file.display()));
        read.damaged.extend(told);
        let here = sizes[number];
        let mut told = |part: f64| tell(TrainEvent::Reading((before + part * here) / whole));
        let counts = Dataset::split(&mut read.sets, (number, &archive), recipe, &mut told)?;
        let ControlFlow::Continue(counts) = counts else { return Ok(ControlFlow::Break(())) };
        read.counts.add(counts);
        before += here;
    }
    Ok(ControlFlow::Continue(read))
}
