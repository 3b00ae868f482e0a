//! What to tune and how, as a file says it. Knows the table of the search's numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spsa::{Schedule, Spsa, Tunable};
use crate::{clock::TimeControl, search::Parameter};

/// The version of the files that this program reads.
const VERSION: u32 = 1;

/// A file's content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunePlan {
    /// Which form of file it is.
    pub version: u32,
    /// Iterations in all.
    #[serde(default = "iterations")]
    pub iterations: u64,
    /// Pairs of games an iteration, an opening each with both colours.
    #[serde(default = "pairs")]
    pub pairs: u32,
    /// The limit of a move, as time controls are written.
    #[serde(default = "control")]
    pub control: String,
    /// What chance starts from.
    #[serde(default)]
    pub seed: u64,
    /// The exponent that learning slows down by.
    #[serde(default = "alpha")]
    pub alpha: f64,
    /// The exponent that variations shrink by.
    #[serde(default = "gamma")]
    pub gamma: f64,
    /// Iterations that learning starts as if there had been, as a part of all.
    #[serde(default = "stability")]
    pub stability: f64,
    /// The part of a variation that one point moves a number by, at the end.
    #[serde(default = "rate")]
    pub rate: f64,
    /// Whether all numbers of the table are tuned, not just those named.
    #[serde(default)]
    pub all: bool,
    /// Options of the engine that both ways play with.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The numbers to tune, each with what is to differ from the table.
    #[serde(default)]
    pub parameters: BTreeMap<String, Choice>,
}

/// What is to differ from the table for one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Where to begin.
    start: Option<i32>,
    /// The least that it may be.
    least: Option<i32>,
    /// The greatest that it may be.
    greatest: Option<i32>,
    /// By how much it is varied at the end.
    step: Option<i32>,
}

fn iterations() -> u64 {
    Schedule::default().iterations
}

fn pairs() -> u32 {
    1
}

fn control() -> String {
    "nodes=8000".into()
}

fn alpha() -> f64 {
    Schedule::default().alpha
}

fn gamma() -> f64 {
    Schedule::default().gamma
}

fn stability() -> f64 {
    Schedule::default().stability
}

fn rate() -> f64 {
    Schedule::default().rate
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is no file of this kind; the line is told.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// Another program's.
    #[error("line {line}: version {found}; this program reads version {VERSION}")]
    Version {
        /// Counted from 1.
        line: usize,
        /// The file's.
        found: u32,
    },
    /// The search has no such number.
    #[error("line {line}: the search has no number `{name}`{hint}")]
    Unknown {
        /// Counted from 1.
        line: usize,
        /// The name.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A number is out of its range, or a range is none.
    #[error("line {line}: {name}: {fault}")]
    Range {
        /// Counted from 1.
        line: usize,
        /// The name.
        name: String,
        /// In words.
        fault: String,
    },
}

impl TunePlan {
    /// Reads a file.
    ///
    /// # Errors
    /// The first thing that is wrong with it, by its line and name.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        /// Only to tell an older or newer form of file from a bad one.
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        if let Ok(Head { version: found }) = toml::from_str(text)
            && found != VERSION
        {
            return Err(PlanError::Version { line: line_of(text, "version"), found });
        }
        let plan: Self = toml::from_str(text)?;
        let range = |name: &str, fault: String| PlanError::Range {
            line: line_of(text, name),
            name: name.into(),
            fault,
        };
        if plan.iterations == 0 || plan.iterations > u64::from(u32::MAX) {
            return Err(range(
                "iterations",
                format!("{} is not 1 to {}", plan.iterations, u32::MAX),
            ));
        }
        if plan.pairs == 0 || plan.pairs > 10_000 {
            return Err(range("pairs", format!("{} is not 1 to 10000", plan.pairs)));
        }
        if let Err(error) = plan.control.parse::<TimeControl>() {
            return Err(range("control", error.to_string()));
        }
        let parts = [("alpha", plan.alpha), ("gamma", plan.gamma), ("stability", plan.stability)];
        for (name, value) in parts.into_iter().chain([("rate", plan.rate)]) {
            if !(0.0..=10.0).contains(&value) {
                return Err(range(name, format!("{value} is not 0 to 10")));
            }
        }
        for (name, choice) in &plan.parameters {
            let Some(parameter) = Parameter::TABLE.iter().find(|known| known.name == name) else {
                let similar =
                    |known: &&Parameter| name.split('_').next() == known.name.split('_').next();
                let near: Vec<_> =
                    Parameter::TABLE.iter().filter(similar).map(|known| known.name).collect();
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; there is {}", near.join(", "))
                };
                let line = line_of(text, name);
                return Err(PlanError::Unknown { line, name: name.clone(), hint });
            };
            let Parameter { least, greatest, .. } = *parameter;
            let tunable = choice.applied(parameter);
            let within = |number: f64| (f64::from(least)..=f64::from(greatest)).contains(&number);
            if !(within(tunable.least) && within(tunable.greatest)) {
                return Err(range(name, format!("its range is at most {least} to {greatest}")));
            }
            if !(tunable.least..=tunable.greatest).contains(&tunable.start) {
                let Tunable { start, least, greatest, .. } = tunable;
                return Err(range(name, format!("{start} is not {least} to {greatest}")));
            }
            if tunable.step <= 0.0 {
                return Err(range(name, format!("a step of {} leads nowhere", tunable.step)));
            }
        }
        if plan.parameters.is_empty() && !plan.all {
            return Err(range("parameters", "none is named; `all = true` tunes all".into()));
        }
        Ok(plan)
    }

    /// The tuning that it asks for, at its beginning.
    pub fn begin(&self) -> Spsa {
        let wanted =
            |parameter: &&Parameter| self.all || self.parameters.contains_key(parameter.name);
        let tunables = Parameter::TABLE.iter().filter(wanted).map(|parameter| {
            let choice = self.parameters.get(parameter.name).copied().unwrap_or_default();
            choice.applied(parameter)
        });
        let Self { iterations, alpha, gamma, stability, rate, .. } = *self;
        Spsa::new(tunables.collect(), Schedule { iterations, alpha, gamma, stability, rate })
    }
}

impl Choice {
    fn applied(self, parameter: &Parameter) -> Tunable {
        Tunable {
            name: parameter.name.into(),
            start: self.start.unwrap_or(parameter.value).into(),
            least: self.least.unwrap_or(parameter.least).into(),
            greatest: self.greatest.unwrap_or(parameter.greatest).into(),
            step: self.step.unwrap_or(parameter.step).into(),
        }
    }
}

/// The line that begins with a key, or a table's heading that ends with it; 1 when there is none.
fn line_of(text: &str, name: &str) -> usize {
    let tells = |line: &str| {
        let key = line.split('=').next().unwrap_or_default().trim().trim_matches('"');
        key == name
            || key.strip_prefix("parameters.").is_some_and(|key| key.trim() == name)
            || key.trim_matches(['[', ']']).rsplit('.').next().map(str::trim) == Some(name)
    };
    text.lines().position(tells).map_or(1, |at| at + 1)
}
