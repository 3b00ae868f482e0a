//! Positions to learn from, in runs, and what each is to be worth. Knows records and which of their
//! positions teach.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    packed::{Packer, Unpacked},
    recipe::{PositionFilter, Recipe},
};
use crate::{
    eval::nnue::buckets::Census,
    position::Position,
    records::{Archive, Game, GameError, Ply},
    types::{Color, SplitMix64},
};

/// Blocks of records that are read side by side.
const BLOCKS: usize = 64;

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// What the search thought, for the side to move.
    pub(super) score: i16,
    /// The men on the board.
    pub(super) census: Census,
    /// Bit 0: whether Black is to move. Above: 0, 1 or 2 halves of a point for the side to move, 3
    /// where the result says nothing.
    bits: u8,
}

impl Label {
    /// `counts`: whether the result says something of the position.
    pub(super) fn new(
        score: i16,
        census: Census,
        side: Color,
        winner: Option<Color>,
        counts: bool,
    ) -> Self {
        let halves = match winner {
            _ if !counts => 3,
            Some(winner) => 2 * u8::from(winner == side),
            None => 1,
        };
        Self { score, census, bits: side as u8 | halves << 1 }
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
    chunk: u32,
    start: u32,
}

/// Runs of positions, about seven bytes a position.
#[derive(Debug, Default)]
pub struct Dataset {
    /// The runs of a block of records each.
    chunks: Vec<Box<[u8]>>,
    runs: Vec<Span>,
    positions: usize,
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
        self.positions
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(|chunk| chunk.len()).sum();
        chunks + size_of::<Span>() * self.runs.len()
    }

    /// How many runs there are.
    pub(super) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The first of the runs that are from the last file.
    pub(super) fn newest(&self) -> usize {
        self.newest
    }

    /// Reads a run.
    pub(super) fn run<'a>(&self, index: usize, room: &'a mut Unpacked) -> Run<'a> {
        let Span { chunk, start } = self.runs[index];
        room.read(&self.chunks[chunk as usize][start as usize..])
    }

    /// Adds the games of an archive, the `file`-th of the recipe, to those to learn from and those
    /// held out. `tell` hears which part of them is added and may call it off.
    ///
    /// # Errors
    /// When a game makes no sense.
    pub fn split(
        sets: &mut [Self; 2],
        (file, archive): (usize, &Archive),
        recipe: &Recipe,
        tell: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<(), Counts>, GameError> {
        for set in sets.iter_mut() {
            set.newest = set.runs.len();
        }
        let mut counts = Counts::default();
        let unmarked = archive.unmarked_plies();
        // Each block by itself, joined in order: the result does not depend on the threads. Some
        // blocks at a time, so that they take little room before they are joined.
        let all = archive.blocks();
        for (number, blocks) in all.chunks(BLOCKS).enumerate() {
            if tell((number * BLOCKS) as f64 / all.len() as f64).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let parts: Vec<_> = blocks
                .par_iter()
                .map(|block| {
                    let games = archive.games(block)?;
                    let (mut parts, mut counts) = (
                        <[Part; 2]>::default(),
                        Counts { games: games.len(), ..Counts::default() },
                    );
                    for (game, number) in games.iter().zip(block.first..) {
                        let mut rng = SplitMix64::new(recipe.seed ^ (file as u64) << 48 ^ number);
                        let held_out = rng.next().is_multiple_of(recipe.data.held_out.max(2));
                        let part = &mut parts[usize::from(held_out)];
                        // It makes a difference while both kings stand on the central file: then
                        // nothing else says that left and right are alike.
                        let mirrored = (rng.below(2) == 1).then(|| game.mirror());
                        let game = mirrored.as_ref().unwrap_or(game);
                        let (filter, run) = (&recipe.data.filter, recipe.training.run_length);
                        counts.kept += part.add(game, filter, run, unmarked);
                        counts.plies += game.plies.len();
                    }
                    Ok((parts, counts))
                })
                .collect::<Result<_, GameError>>()?;
            for (parts, some) in parts {
                sets.iter_mut().zip(parts).for_each(|(set, part)| set.append(part));
                counts.add(some);
            }
        }
        Ok(ControlFlow::Continue(counts))
    }

    /// Adds what was packed by itself.
    pub(super) fn append(&mut self, part: Part) {
        let chunk = self.chunks.len() as u32;
        self.chunks.push(part.packer.finish());
        self.runs.extend(part.starts.into_iter().map(|start| Span { chunk, start }));
        self.positions += part.positions;
    }
}

impl Counts {
    /// Adds others.
    pub(super) fn add(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
    }
}

/// Runs that are being packed.
#[derive(Debug, Default)]
pub(super) struct Part {
    packer: Packer,
    starts: Vec<u32>,
    positions: usize,
}

impl Part {
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
        let before = self.positions;
        let (mut number, mut seen) = (0, Vec::new());
        game.replay(|position, ply| {
            number += 1;
            let repeated = filter.repeated && seen.contains(&position.key());
            seen.push(position.key());
            if number <= filter.skip_plies || repeated || !filter.passes(position, ply) {
                self.packer.pass(ply.mv);
                return;
            }
            let result = (game.winner, number > result_from);
            let start = self.packer.keep(position, ply.mv, ply.score, result, run);
            self.starts.extend(start.map(|start| start as u32));
            self.positions += 1;
        });
        self.packer.end_game();
        self.positions - before
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
    /// `inputs` as [`Self::changes`] reads them.
    pub(super) fn new(labels: &'a [Label], inputs: &'a [u16]) -> Self {
        Self { labels, inputs }
    }

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
