//! Training: epochs, batches, the games held out, when to stop, and going on where it was left.
//! Knows no files but the checkpoint.

use std::{
    io,
    ops::{ControlFlow, Range},
    path::Path,
    time::Instant,
};

use rayon::prelude::*;

use super::{
    TrainError,
    checkpoint::{Checkpoint, Losses},
    data::Dataset,
    gradient::{self, Objective, Power, Scratch},
    model::Model,
    packed::Unpacked,
    recipe::Recipe,
    run::{Epoch, TrainEvent},
    schedule,
};
use crate::{files::ReadError, types::SplitMix64};

/// How many parts of a batch are worked at side by side. The sums of each are rounded by
/// themselves, so this belongs to what the result depends on, unlike the number of threads.
const SHARDS: usize = 4;
/// Weights count for the average after so many batches each.
const AVERAGED_EVERY: u32 = 16;

/// Training on its way.
pub(super) struct Trainer<'a> {
    recipe: &'a Recipe,
    learn: &'a Dataset,
    held_out: &'a Dataset,
    origin: u64,
    checkpoint: Option<&'a Path>,
    state: Checkpoint,
    power: Power,
    gradients: Vec<Model>,
    started: Instant,
    /// Positions learned from, and the part of the whole that was done when this began.
    done: u64,
    begun_at: f64,
}

impl<'a> Trainer<'a> {
    /// `origin` identifies recipe and data; without weights to start from they are random.
    pub(super) fn new(
        recipe: &'a Recipe,
        start: Option<Model>,
        [learn, held_out]: [&'a Dataset; 2],
        origin: u64,
        checkpoint: Option<&'a Path>,
    ) -> Result<Self, TrainError> {
        let state = match checkpoint {
            Some(path) if path.exists() => Checkpoint::load(path, origin, &recipe.network)
                .map_err(|error| TrainError::Checkpoint { path: path.into(), error })?,
            _ => {
                let random = || Model::random(&recipe.network, recipe.seed);
                Checkpoint::begin(start.unwrap_or_else(random))
            }
        };
        let power = Power::of(recipe.training.loss_exponent)
            .ok_or(TrainError::Recipe { name: "loss_exponent", wanted: "2, 2.5 or 3" })?;
        let gradients = vec![Model::zero(&recipe.network); SHARDS];
        let mut new = Self {
            recipe,
            learn,
            held_out,
            origin,
            checkpoint,
            state,
            power,
            gradients,
            started: Instant::now(),
            done: 0,
            begun_at: 0.0,
        };
        new.begun_at = new.whole(new.order().len());
        Ok(new)
    }

    /// What has been learned.
    pub(super) fn into_state(self) -> Checkpoint {
        self.state
    }

    /// Learns until the recipe says that it is enough.
    pub(super) fn learn(
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
            let held_out = self.loss(&self.state.model);
            let averaged = (self.state.averaged > 0).then(|| self.loss(&self.state.average));
            let state = &mut self.state;
            let losses = Losses { learned: state.loss / state.count.max(1) as f64, held_out };
            state.epoch += 1;
            (state.batch, state.loss, state.count) = (0, 0.0, 0);
            state.history.push(losses);
            for (loss, model) in [(Some(held_out), &state.model), (averaged, &state.average)] {
                if let Some(loss) = loss.filter(|&loss| loss < state.best_loss) {
                    state.best_loss = loss;
                    state.best_epoch = state.epoch;
                    state.best.clone_from(model);
                }
            }
            let number = state.epoch;
            self.save()?;
            let epoch = Epoch { number, losses, averaged, speed: self.speed() };
            if tell(TrainEvent::Epoch(epoch)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes through the data once, from the batch where it stands.
    fn epoch(&mut self, tell: &mut impl FnMut(TrainEvent) -> ControlFlow<()>) -> ControlFlow<()> {
        let training = &self.recipe.training;
        let order = self.order();
        let batch = self.batch_runs();
        let batches = order.len().div_ceil(batch);
        for runs in order.chunks(batch).skip(self.state.batch as usize) {
            // In the middle of the batch: neither rate is that of nothing done.
            let done =
                f64::from(self.state.epoch) + (f64::from(self.state.batch) + 0.5) / batches as f64;
            let whole = (done / f64::from(training.epochs)) as f32;
            let count = self.batch(runs, whole);
            self.state.batch += 1;
            if schedule::is_averaged(training, whole)
                && self.state.batch.is_multiple_of(AVERAGED_EVERY)
            {
                self.state.count_for_average();
            }
            self.state.count += count as u64;
            self.done += count as u64;
            let (whole, seconds) = (self.whole(order.len()), self.started.elapsed().as_secs_f64());
            tell(TrainEvent::Batch {
                epoch: self.state.epoch + 1,
                part: f64::from(self.state.batch) / batches as f64,
                loss: self.state.loss / self.state.count.max(1) as f64,
                speed: self.speed(),
                seconds_left: seconds * (1.0 - whole) / (whole - self.begun_at).max(1e-9),
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The runs of this epoch in their order.
    fn order(&self) -> Vec<u32> {
        let training = &self.recipe.training;
        let newest = self.state.epoch + training.newest_epochs >= training.epochs;
        let first = if newest { self.learn.newest() } else { 0 };
        shuffled(first as u32..self.learn.runs() as u32, self.recipe.seed, self.state.epoch)
    }

    /// Runs in a batch.
    fn batch_runs(&self) -> usize {
        (self.recipe.training.batch / self.recipe.training.run_length).max(1)
    }

    /// The part of the whole that is done, 0 to 1, if this epoch has so many runs.
    fn whole(&self, runs: usize) -> f64 {
        let batches = runs.div_ceil(self.batch_runs()).max(1);
        let part = f64::from(self.state.batch) / batches as f64;
        (f64::from(self.state.epoch) + part) / f64::from(self.recipe.training.epochs)
    }

    fn objective(&self, wdl: f32) -> Objective {
        Objective { wdl, scale: self.recipe.network.scale as f32, power: self.power }
    }

    /// Learns from some runs at once; returns how many positions they have.
    fn batch(&mut self, runs: &[u32], whole: f32) -> usize {
        let training = &self.recipe.training;
        let objective = self.objective(schedule::wdl(training, whole));
        let (learn, model) = (self.learn, &self.state.model);
        let shards = runs.par_chunks(runs.len().div_ceil(SHARDS));
        let losses: Vec<(f64, usize)> = shards
            .zip(&mut self.gradients)
            .map_init(<(Scratch, Unpacked)>::default, |(scratch, room), (runs, gradient)| {
                runs.iter().fold((0.0, 0), |(loss, count), &index| {
                    let run = learn.run(index as usize, room);
                    let more = gradient::learn(model, run, objective, gradient, scratch);
                    (loss + more, count + run.labels.len())
                })
            })
            .collect();
        self.state.loss += losses.iter().map(|(loss, _)| loss).sum::<f64>();
        let count = losses.iter().map(|(_, count)| count).sum();
        let mut gradients: Vec<_> = self
            .gradients
            .iter_mut()
            .map(|gradient| std::mem::take(&mut gradient.numbers))
            .collect();
        let rate = schedule::learning_rate(training, whole);
        let Checkpoint { model, adam, .. } = &mut self.state;
        let free = model.output_buckets;
        adam.step(&mut model.numbers, &mut gradients, count, rate, training, free);
        self.gradients.iter_mut().zip(gradients).for_each(|(to, from)| to.numbers = from);
        count
    }

    /// The mean loss on the games held out, by what results count in the end, so that epochs can be
    /// compared.
    fn loss(&self, model: &Model) -> f64 {
        let held_out = self.held_out;
        let objective = self.objective(self.recipe.training.final_wdl());
        let losses: Vec<f64> = (0..held_out.runs())
            .into_par_iter()
            .map_init(<(Scratch, Unpacked)>::default, |(scratch, room), run| {
                gradient::loss(model, held_out.run(run, room), objective, scratch)
            })
            .collect();
        losses.iter().sum::<f64>() / held_out.positions() as f64
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

/// The numbers of a range in an order that seed and epoch decide (Fisher and Yates).
fn shuffled(range: Range<u32>, seed: u64, epoch: u32) -> Vec<u32> {
    let mut rng = SplitMix64::new(seed.rotate_left(32) ^ u64::from(epoch) ^ 0x5348_5546);
    let mut order: Vec<_> = range.collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}
