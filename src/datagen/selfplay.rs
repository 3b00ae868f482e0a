//! One game of the engine against itself, or one that was played before thought about anew. Knows
//! when a game is over, and when it need not go on.

use std::sync::Arc;

use super::{
    openings::{self, chance, random_move},
    plan::SelfplayPlan,
};
use crate::{
    eval::Network,
    position::Position,
    records::{EndReason, Game, Ply, stored},
    rules::{self, Draw, Line, Outcome, Win},
    search::{Limits, Pool, Signals},
    types::{Color, Move, SplitMix64, Value},
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

    /// Thinks about every position of a game anew; what was played stays.
    ///
    /// # Panics
    /// When the game holds moves that are not legal, as no record does.
    pub fn rescore(&mut self, game: &Game, nodes: u64) -> Game {
        self.pool.on_its_thread(|pool| {
            pool.new_game();
            let mut line = Line::new(game.start.clone());
            for &mv in &game.opening {
                line.play(mv).expect("invariant: what was read is legal");
            }
            let mut plies = Vec::with_capacity(game.plies.len());
            for &ply in &game.plies {
                let (_, value) = think(pool, &line, nodes);
                plies.push(Ply { score: stored(value), ..ply });
                line.play(ply.mv).expect("invariant: what was read is legal");
            }
            Game { plies, ..game.clone() }
        })
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

/// The best move and the value of the position reached, for the side to move.
fn think(pool: &mut Pool, line: &Line, nodes: u64) -> (Option<Move>, Value) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = pool.think(line, &limits, false, 1, &Signals::new(), &|_| {});
    (outcome.best, outcome.score.to_value())
}

/// Plays some plies of a quick game to see what positions look like there; nothing if it ends.
fn quick_game(pool: &mut Pool, opening: &[Move], plies: usize, nodes: u64) -> Option<Position> {
    pool.new_game();
    let mut line = Line::new(Position::start());
    for &mv in opening {
        line.play(mv).expect("invariant: random moves are legal");
    }
    for _ in 0..plies {
        if rules::outcome(&line) != Outcome::Ongoing {
            return None;
        }
        let mv = think(pool, &line, nodes).0?;
        line.play(mv).expect("invariant: a search plays legal moves");
    }
    Some(line.position().clone())
}

/// A random start and the random moves that follow it; nothing where they lead to the end.
fn draw(
    pool: &mut Pool,
    plan: &SelfplayPlan,
    rng: &mut SplitMix64,
) -> Option<(Position, Vec<Move>)> {
    let opening = openings::random_moves(plan.opening_plies + rng.below(2), rng)?;
    if !chance(plan.few_men, rng) {
        return Some((Position::start(), opening));
    }
    // A tenth of the nodes: what matters is that pawns, guards and pieces stand as in games.
    let (plies, nodes) = (30 + rng.below(60), (plan.nodes / 10).max(10));
    let reached = quick_game(pool, &opening, plies, nodes)?;
    Some((openings::thinned(&reached, rng)?, Vec::new()))
}

/// Plays a game from a random start, unless one side is better there by too much.
fn attempt(pool: &mut Pool, plan: &SelfplayPlan, rng: &mut SplitMix64) -> Option<Game> {
    let (start, opening) = draw(pool, plan, rng)?;
    let mut line = Line::new(start.clone());
    for &mv in &opening {
        line.play(mv).expect("invariant: random moves are legal");
    }
    pool.new_game();
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
        let (best, value) = think(pool, &line, plan.nodes);
        if plies.is_empty() && value.abs() > plan.band {
            return None;
        }
        let red = if line.position().side() == Color::Red { value } else { -value };
        match adjudicator.judge(red, plies.len(), plan) {
            Outcome::Won { winner, .. } if !to_end => break (Some(winner), EndReason::Agreed),
            Outcome::Drawn(_) if !to_end => break (None, EndReason::Agreed),
            _ => {}
        }
        // The result says nothing of what comes before such a move, so it is marked.
        let strays = plies.len() < plan.stray_plies && chance(plan.stray, rng);
        let stray = if strays { random_move(line.position(), rng) } else { None };
        let mv = stray.or(best).expect("invariant: a game that goes on has a move");
        plies.push(Ply { mv, score: stored(value), random: stray.is_some() });
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
