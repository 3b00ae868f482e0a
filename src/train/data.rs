//! Positions to learn from, ready to be fed to the network: inputs that change from one position of
//! a run to the next, and what each is to be worth. Knows records and features.

use rayon::prelude::*;

use super::recipe::{PositionFilter, Recipe};
use crate::{
    eval::nnue::features::{self, ActiveFeatures},
    position::Position,
    records::{Archive, Game, GameError, Ply},
    types::{Color, SplitMix64},
};

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// What the search thought, for the side to move.
    pub(super) score: i16,
    /// Men on the board.
    pub(super) men: u8,
    /// Bit 0: whether Black is to move. Above: 0, 1 or 2 halves of a point for the side to move, 3
    /// where the result says nothing.
    bits: u8,
}

impl Label {
    /// `counts`: whether the result says something of the position.
    pub(super) fn new(
        score: i16,
        men: u8,
        side: Color,
        winner: Option<Color>,
        counts: bool,
    ) -> Self {
        let halves = match winner {
            _ if !counts => 3,
            Some(winner) => 2 * u8::from(winner == side),
            None => 1,
        };
        Self { score, men, bits: side as u8 | halves << 1 }
    }

    pub(super) fn side(self) -> Color {
        Color::ALL[usize::from(self.bits & 1)]
    }

    /// What the game brought the side to move, 0 to 1, where that says something.
    pub(super) fn result(self) -> Option<f32> {
        let halves = self.bits >> 1;
        (halves < 3).then(|| f32::from(halves) / 2.0)
    }
}

/// Where a run of positions is stored.
#[derive(Clone, Copy, Debug)]
struct Span {
    inputs: usize,
    labels: usize,
    length: usize,
}

/// Runs of positions.
#[derive(Debug, Default)]
pub struct Dataset {
    /// For each run: first for Red and Black, how many inputs are on and which; then for each
    /// further position, for Red and Black, how many go on, how many off, and which.
    inputs: Vec<u16>,
    labels: Vec<Label>,
    runs: Vec<Span>,
    /// The first run of the last file.
    newest: usize,
}

/// A run of consecutive positions of a game, those that do not teach left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) labels: &'a [Label],
    inputs: &'a [u16],
}

/// What became of the positions of some records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games.
    pub games: usize,
    /// Positions that were thought about.
    pub plies: usize,
    /// Positions that teach or measure.
    pub kept: usize,
}

impl Dataset {
    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.labels.len()
    }

    /// What is known of each.
    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// How many runs there are.
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The first of the runs that are from the last file.
    pub(super) fn newest(&self) -> usize {
        self.newest
    }

    pub(super) fn run(&self, index: usize) -> Run<'_> {
        let span = self.runs[index];
        Run {
            labels: &self.labels[span.labels..][..span.length],
            inputs: &self.inputs[span.inputs..],
        }
    }

    /// Splits the games of archives into those to learn from and those held out.
    ///
    /// # Errors
    /// When a game makes no sense.
    pub fn split(archives: &[Archive], recipe: &Recipe) -> Result<([Self; 2], Counts), GameError> {
        let blocks: Vec<_> = archives
            .iter()
            .enumerate()
            .flat_map(|(file, archive)| archive.blocks().iter().map(move |block| (file, block)))
            .collect();
        // Each block by itself, joined in order: the result does not depend on the threads.
        let parts: Vec<_> = blocks
            .into_par_iter()
            .map(|(file, block)| {
                let games = archives[file].games(block)?;
                let (mut sets, mut counts) =
                    ([Self::default(), Self::default()], Counts::default());
                for (game, number) in games.iter().zip(block.first..) {
                    let mut rng = SplitMix64::new(recipe.seed ^ (file as u64) << 48 ^ number);
                    let held_out = rng.next().is_multiple_of(recipe.data.held_out.max(2));
                    let set = &mut sets[usize::from(held_out)];
                    // It makes a difference while both kings stand on the central file: then
                    // nothing else says that left and right are alike.
                    let mirrored = (rng.below(2) == 1).then(|| game.mirror());
                    let game = mirrored.as_ref().unwrap_or(game);
                    let (filter, run) = (&recipe.data.filter, recipe.training.run_length);
                    counts.kept += set.add(game, filter, run, archives[file].unmarked_plies());
                    counts.games += 1;
                    counts.plies += game.plies.len();
                }
                Ok((file, sets, counts))
            })
            .collect::<Result<_, GameError>>()?;
        let (mut sets, mut counts) = ([Self::default(), Self::default()], Counts::default());
        for (file, part, some) in parts {
            if file + 1 < archives.len() {
                for (set, part) in sets.iter_mut().zip(&part) {
                    set.newest = set.runs.len() + part.runs.len();
                }
            }
            sets.iter_mut().zip(part).for_each(|(set, part)| set.append(part));
            counts.games += some.games;
            counts.plies += some.plies;
            counts.kept += some.kept;
        }
        Ok((sets, counts))
    }

    fn append(&mut self, other: Self) {
        let (inputs, labels) = (self.inputs.len(), self.labels.len());
        self.inputs.extend(other.inputs);
        self.labels.extend(other.labels);
        self.runs.extend(other.runs.into_iter().map(|span| Span {
            inputs: inputs + span.inputs,
            labels: labels + span.labels,
            ..span
        }));
    }

    /// Adds the positions of a game that teach, and returns how many they are. Within `unmarked`
    /// plies there may be random moves that are not marked.
    pub(super) fn add(
        &mut self,
        game: &Game,
        filter: &PositionFilter,
        run: usize,
        unmarked: usize,
    ) -> usize {
        let result_from = game.chosen_from().max(unmarked);
        let before = self.labels.len();
        let mut last: Option<[ActiveFeatures; 2]> = None;
        let (mut number, mut seen) = (0, Vec::new());
        game.replay(|position, ply| {
            number += 1;
            let repeated = filter.repeated && seen.contains(&position.key());
            seen.push(position.key());
            if number <= filter.skip_plies || repeated || !filter.passes(position, ply) {
                return;
            }
            let now = Color::ALL.map(|color| sorted(position, color));
            match (&last, self.runs.last_mut()) {
                (Some(last), Some(span)) if span.length < run => {
                    span.length += 1;
                    for (last, now) in last.iter().zip(&now) {
                        push_difference(&mut self.inputs, last, now);
                    }
                }
                _ => {
                    let (inputs, labels) = (self.inputs.len(), self.labels.len());
                    self.runs.push(Span { inputs, labels, length: 1 });
                    for now in &now {
                        self.inputs.push(now.len() as u16);
                        self.inputs.extend_from_slice(now);
                    }
                }
            }
            let men = position.occupied().count() as u8;
            let (side, counts) = (position.side(), number > result_from);
            self.labels.push(Label::new(ply.score, men, side, game.winner, counts));
            last = Some(now);
        });
        self.labels.len() - before
    }
}

impl PositionFilter {
    fn passes(&self, position: &Position, ply: Ply) -> bool {
        ply.score.unsigned_abs() <= self.max_score.unsigned_abs()
            // What would have been played in place of a random move is not known.
            && !(self.captures && (ply.random || position.piece_at(ply.mv.to()).is_some()))
            && !(self.checks && position.in_check())
    }
}

impl<'a> Run<'a> {
    /// The inputs of each position in turn: which go on and which off, for Red and Black. Before
    /// the first position all are off.
    pub(super) fn changes(self) -> impl Iterator<Item = [[&'a [u16]; 2]; 2]> {
        let mut rest = self.inputs;
        let mut take = move |count: u16| {
            let (taken, left) = rest.split_at(usize::from(count));
            rest = left;
            taken
        };
        (0..self.labels.len()).map(move |number| {
            [0; 2].map(|_| {
                let ons = take(1)[0];
                let offs = if number == 0 { 0 } else { take(1)[0] };
                [take(ons), take(offs)]
            })
        })
    }
}

fn sorted(position: &Position, color: Color) -> ActiveFeatures {
    let mut active = features::active(position, color);
    active.sort_unstable();
    active
}

/// Writes what to switch on and off to get from one set of inputs to another, both sorted.
fn push_difference(to: &mut Vec<u16>, before: &ActiveFeatures, now: &ActiveFeatures) {
    let head = to.len();
    to.extend([0, 0]);
    missing(to, now, before);
    to[head] = (to.len() - head - 2) as u16;
    missing(to, before, now);
    to[head + 1] = (to.len() - head - 2) as u16 - to[head];
}

/// Writes what is in `some`, counted as often as it is there more often than in `others`.
fn missing(to: &mut Vec<u16>, some: &ActiveFeatures, others: &ActiveFeatures) {
    let mut others = others.iter().peekable();
    for &one in some {
        while others.next_if(|&&other| other < one).is_some() {}
        if others.next_if(|&&other| other == one).is_none() {
            to.push(one);
        }
    }
}
