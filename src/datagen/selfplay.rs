//! One game of the engine against itself. Knows when it is over, and when it need not go on.

use std::sync::Arc;

use super::{
    openings::{chance, draw, random_move},
    plan::SelfplayPlan,
};
use crate::{
    eval::Network,
    records::{EndReason, Game, Ply, stored},
    rules::{self, Draw, Line, Outcome, Win},
    search::{Limits, Pool, Signals},
    types::{Color, SplitMix64, Value},
};

/// Somebody who plays both sides.
pub struct SelfPlayer {
    pool: Pool,
    plan: SelfplayPlan,
}

impl SelfPlayer {
    /// A player who plays as planned and evaluates by a network, or by hand without any.
    ///
    /// # Panics
    /// When the system gives neither a thread nor the memory.
    pub fn new(plan: &SelfplayPlan, network: Option<Arc<Network>>) -> Self {
        let mut pool = Pool::new(1, plan.hash_mb);
        pool.set_network(network);
        Self { pool, plan: plan.clone() }
    }

    /// Plays the game of this number.
    pub fn play(&mut self, number: u64) -> Game {
        let plan = &self.plan;
        self.pool.on_its_thread(|pool| {
            let mut rng = SplitMix64::new(plan.seed.rotate_left(40) ^ number);
            // The first numbers of neighbouring seeds are strangers after one step.
            rng = SplitMix64::new(rng.next());
            loop {
                if let Some(game) = attempt(pool, plan, &mut rng) {
                    return game;
                }
            }
        })
    }
}

/// Plays a game from a random start, unless one side is better there by too much.
fn attempt(pool: &mut Pool, plan: &SelfplayPlan, rng: &mut SplitMix64) -> Option<Game> {
    let (start, opening) = draw(plan, rng)?;
    let mut line = Line::new(start.clone());
    for &mv in &opening {
        line.play(mv).expect("invariant: random moves are legal");
    }
    pool.new_game();
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let mut adjudicator = Adjudicator::default();
    let to_end = chance(plan.to_end, rng);
    let mut plies = Vec::new();
    let (winner, end) = loop {
        match rules::outcome(&line) {
            Outcome::Ongoing => {}
            Outcome::Won { winner, .. } if line.position().is_lost() => {
                break (Some(winner), EndReason::NoMove);
            }
            Outcome::Won { winner, .. } => break (Some(winner), EndReason::Repetition),
            Outcome::Drawn(Draw::Repetition) => break (None, EndReason::Repetition),
            Outcome::Drawn(_) => break (None, EndReason::Rule),
        }
        if plies.len() >= plan.most_plies {
            break (None, EndReason::TooLong);
        }
        let outcome = pool.think(&line, &limits, false, 1, &Signals::new(), &|_| {});
        let value = outcome.score.to_value();
        if plies.is_empty() && value.abs() > plan.band {
            return None;
        }
        let red = if line.position().side() == Color::Red { value } else { -value };
        match adjudicator.judge(red, plies.len(), plan) {
            Outcome::Won { winner, .. } if !to_end => break (Some(winner), EndReason::Agreed),
            Outcome::Drawn(_) if !to_end => break (None, EndReason::Agreed),
            _ => {}
        }
        let strays = plies.len() < plan.stray_plies && chance(plan.stray, rng);
        let stray = if strays { random_move(line.position(), rng) } else { None };
        let mv = stray.or(outcome.best).expect("invariant: a game that goes on has a move");
        plies.push(Ply { mv, score: stored(value) });
        line.play(mv).expect("invariant: a search plays legal moves");
    };
    Some(Game { start, opening, plies, winner, end })
}

/// Watches what both sides think.
#[derive(Debug, Default)]
struct Adjudicator {
    /// For how many plies Red and Black have been thought to win, and neither.
    winning: [usize; Color::NUM],
    even: usize,
}

impl Adjudicator {
    /// What both sides have agreed on for long; `red` is what is thought of Red.
    fn judge(&mut self, red: Value, ply: usize, plan: &SelfplayPlan) -> Outcome {
        for (color, value) in Color::ALL.into_iter().zip([red, -red]) {
            let run = &mut self.winning[color as usize];
            *run = if value >= plan.win_value { *run + 1 } else { 0 };
            if *run >= plan.win_plies {
                return Outcome::Won { winner: color, by: Win::Resignation };
            }
        }
        self.even = if red.abs() <= plan.draw_value { self.even + 1 } else { 0 };
        if self.even >= plan.draw_plies && ply >= plan.draw_after {
            Outcome::Drawn(Draw::Agreement)
        } else {
            Outcome::Ongoing
        }
    }
}
