//! Training as it stands, on disk, to go on exactly where it was left. Knows files.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{model::Model, optimiser::AdamW, recipe::NetworkRecipe};
use crate::files::{self, ReadError, claim, seal, unseal};

const MAGIC: [u8; 8] = *b"CHUHETRN";
/// Larger than that of the largest network.
const LARGEST_FILE: u64 = 256 << 20;

/// Why training cannot go on from a file.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file.
    #[error(transparent)]
    File(#[from] ReadError),
    /// Not a checkpoint, or not a whole one.
    #[error("it is no checkpoint, or damaged")]
    Damaged,
    /// Of another recipe or of other data.
    #[error("it is of another recipe, of other data or of another version")]
    Foreign,
}

/// The right to keep training in a file, for as long as this lives. The file itself is written anew
/// each time, so another one beside it is held.
pub(super) struct Claim {
    path: PathBuf,
    _file: File,
}

impl Claim {
    /// Fails when training is being kept there by somebody else.
    pub(super) fn new(checkpoint: &Path) -> io::Result<Self> {
        let mut path = checkpoint.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let file = File::options().write(true).create(true).truncate(false).open(&path)?;
        claim(&file)?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // One that stays claims nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Where training stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    /// Epochs completed.
    pub(super) epoch: u32,
    /// Batches done of the next one.
    pub(super) batch: u32,
    /// The loss of these so far, and over how many positions.
    pub(super) loss: f64,
    pub(super) count: u64,
    pub(super) model: Model,
    pub(super) adam: AdamW,
    /// The best so far on the games held out, the epochs it took and its loss.
    pub(super) best: Model,
    pub(super) best_epoch: u32,
    pub(super) best_loss: f64,
    /// The mean of the weights passed through in the last part, and of how many.
    pub(super) average: Model,
    pub(super) averaged: u64,
    /// What each epoch brought.
    pub(super) history: Vec<Losses>,
}

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// The mean while learning.
    pub learned: f64,
    /// The mean on the games held out.
    pub held_out: f64,
}

impl Checkpoint {
    /// Before the first step.
    pub(super) fn begin(model: Model) -> Self {
        let mut average = model.clone();
        average.numbers.fill(0.0);
        let adam = AdamW::new(model.numbers.len());
        Self {
            epoch: 0,
            batch: 0,
            loss: 0.0,
            count: 0,
            best: model.clone(),
            model,
            adam,
            best_epoch: 0,
            best_loss: f64::INFINITY,
            average,
            averaged: 0,
            history: Vec::new(),
        }
    }

    /// Counts the weights as they are in the average.
    pub(super) fn count_for_average(&mut self) {
        self.averaged += 1;
        let share = (self.averaged as f32).recip();
        let numbers = self.average.numbers.iter_mut().zip(&self.model.numbers);
        numbers.for_each(|(mean, number)| *mean += (number - *mean) * share);
    }

    /// Writes it; `origin` identifies recipe and data. Either the old file stays or the new one is
    /// whole.
    pub(super) fn save(&self, path: &Path, origin: u64) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(origin.to_le_bytes());
        for number in [self.epoch, self.batch, self.best_epoch] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [
            self.loss.to_bits(),
            self.count,
            self.best_loss.to_bits(),
            self.adam.steps,
            self.averaged,
            self.model.numbers.len() as u64,
            self.history.len() as u64,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        for losses in &self.history {
            bytes.extend(losses.learned.to_bits().to_le_bytes());
            bytes.extend(losses.held_out.to_bits().to_le_bytes());
        }
        for numbers in [
            &self.model.numbers,
            &self.adam.first_moment,
            &self.adam.second_moment,
            &self.best.numbers,
            &self.average.numbers,
        ] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let sealed = seal(bytes);
        files::replace(path, |file| file.write_all(&sealed))
    }

    /// Reads what [`Self::save`] wrote for the same origin.
    pub(super) fn load(
        path: &Path,
        origin: u64,
        shape: &NetworkRecipe,
    ) -> Result<Self, CheckpointError> {
        if !files::begins_with(&files::open(path)?, &MAGIC)? {
            return Err(CheckpointError::Damaged);
        }
        let bytes = files::read(path, LARGEST_FILE)?;
        let body = unseal(&bytes).map_err(|_| CheckpointError::Damaged)?;
        let mut rest = Reader(body.strip_prefix(&MAGIC).ok_or(CheckpointError::Damaged)?);
        if rest.long()? != origin {
            return Err(CheckpointError::Foreign);
        }
        let mut new = Self::begin(Model::zero(shape));
        new.epoch = rest.word()?;
        new.batch = rest.word()?;
        new.best_epoch = rest.word()?;
        new.loss = f64::from_bits(rest.long()?);
        new.count = rest.long()?;
        new.best_loss = f64::from_bits(rest.long()?);
        new.adam.steps = rest.long()?;
        new.averaged = rest.long()?;
        if rest.long()? != new.model.numbers.len() as u64 {
            return Err(CheckpointError::Foreign);
        }
        for _ in 0..rest.long()? {
            let [learned, held_out] = [rest.long()?, rest.long()?].map(f64::from_bits);
            new.history.push(Losses { learned, held_out });
        }
        for numbers in [
            &mut new.model.numbers,
            &mut new.adam.first_moment,
            &mut new.adam.second_moment,
            &mut new.best.numbers,
            &mut new.average.numbers,
        ] {
            for number in numbers {
                *number = f32::from_bits(rest.word()?);
            }
        }
        Ok(new)
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word(&mut self) -> Result<u32, CheckpointError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn long(&mut self) -> Result<u64, CheckpointError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*bytes))
    }
}
