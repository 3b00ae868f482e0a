//! Two ways of searching compared by games. Knows players in this process and their options.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{Perturbation, Spsa, TunePlan};
use crate::{
    arena::{
        Adjudication, Agreement, Conditions, DrawAgreement, InProcess, Judge, Player, SetupError,
        openings::{Generator, Opening},
        play,
    },
    clock::TimeControl,
    notation::GameResult,
    rules::Ruleset,
};

/// Random plies that games begin after, positions searched to judge them, points within which they
/// are balanced, and how many are tried.
const OPENING: (usize, u64, u32, usize) = (8, 1000, 50, 1000);
/// Megabytes of each player's table: games of few nodes need no more, and clearing takes time.
const HASH_MB: &str = "8";

/// Boards to compare at, each with two players of its own.
pub struct Boards {
    seats: Vec<Mutex<[InProcess; 2]>>,
    control: TimeControl,
    conditions: Conditions,
}

impl Boards {
    /// So many boards, for games as planned.
    ///
    /// # Errors
    /// When an option of the plan is none, does not take its value or cannot use the file.
    ///
    /// # Panics
    /// Never: a plan's control can be read.
    pub fn new(plan: &TunePlan, count: usize) -> Result<Self, SetupError> {
        let own = [("Threads", "1"), ("Hash", HASH_MB), ("OwnBook", "false")];
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let options: Vec<_> = own.into_iter().chain(plan.options.clone()).collect();
        let start = || InProcess::start(&options, &[]);
        let boards = (0..count.max(1)).map(|_| Ok(Mutex::new([start()?, start()?])));
        Ok(Self {
            seats: boards.collect::<Result<_, SetupError>>()?,
            control: plan.control.parse().expect("invariant: a plan's control can be read"),
            conditions: Conditions {
                ruleset: Ruleset::default(),
                margin: None,
                patience: std::time::Duration::from_mins(10),
                adjudication: Adjudication {
                    resign: Some(Agreement { moves: 3, points: 600 }),
                    draw: Some(DrawAgreement {
                        from_move: 50,
                        agreement: Agreement { moves: 8, points: 10 },
                    }),
                    plies: Some(400),
                },
                draws_won_by: None,
            },
        })
    }

    /// By how many points the first way beat the second in as many pairs of games as planned, a win
    /// being one; the same whatever the number of boards, if moves are not limited by time. `None`:
    /// it was aborted.
    ///
    /// # Errors
    /// When a player does not take the numbers.
    pub fn compare(
        &self,
        plan: &TunePlan,
        spsa: &Spsa,
        perturbation: &Perturbation,
        abort: &AtomicBool,
    ) -> Result<Option<f64>, SetupError> {
        for board in &self.seats {
            let mut players = board.lock().unwrap_or_else(PoisonError::into_inner);
            for (player, values) in
                players.iter_mut().zip([&perturbation.plus, &perturbation.minus])
            {
                for (tunable, value) in spsa.tunables().iter().zip(values) {
                    player.set(&tunable.name, &value.to_string())?;
                }
            }
        }
        let (next, points) = (AtomicUsize::new(0), Mutex::new(Some(0.0)));
        std::thread::scope(|scope| {
            for board in &self.seats {
                let (next, points) = (&next, &points);
                scope.spawn(move || {
                    let mut players = board.lock().unwrap_or_else(PoisonError::into_inner);
                    loop {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= plan.pairs as usize {
                            return;
                        }
                        let won = self.pair(plan, spsa.iteration(), pair, &mut players, abort);
                        let mut points = points.lock().unwrap_or_else(PoisonError::into_inner);
                        *points = points.zip(won).map(|(points, won): (f64, f64)| points + won);
                    }
                });
            }
        });
        Ok(points.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays an opening with both colours.
    fn pair(
        &self,
        plan: &TunePlan,
        iteration: u64,
        pair: usize,
        players: &mut [InProcess; 2],
        abort: &AtomicBool,
    ) -> Option<f64> {
        let (plies, nodes, band, tries) = OPENING;
        let seed = (iteration << 16 | pair as u64).wrapping_mul(0xD134_2543_DE82_EF95) ^ plan.seed;
        let mut judge = Judge::new(nodes);
        let start = Generator::new(seed, plies).next(band, tries, |line| judge.points(line));
        let opening =
            start.map_or_else(Opening::initial, |start| Opening { start, moves: Vec::new() });
        let [first, second] = players;
        let mut points = 0.0;
        for first_is_red in [true, false] {
            let seats: [&mut dyn Player; 2] =
                if first_is_red { [first, second] } else { [second, first] };
            let controls = [&self.control, &self.control];
            let played = play(seats, controls, &opening, &self.conditions, abort)?;
            points += match played.ending.result {
                GameResult::RedWins => 1.0,
                GameResult::BlackWins => -1.0,
                _ => 0.0,
            } * if first_is_red { 1.0 } else { -1.0 };
        }
        Some(points)
    }
}
