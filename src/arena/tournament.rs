//! A match as a whole: players on several threads, games in the order of the schedule, until all are
//! played or somebody says stop. Knows no files; hands each record on as it comes.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Instant,
};

use super::{
    ChildPlayer, Conditions, Fixture, InProcess, Judge, Manners, Player, Program, Record, Schedule,
    SetupError,
    openings::{Opening, Openings},
    play,
};
use crate::{clock::TimeControl, simd};

/// A search's recursion goes deep, but that happens on the engine's own threads.
const STACK: usize = 4 << 20;

/// Where a player lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Our engine, in this process.
    InProcess,
    /// Any engine, in one of its own.
    Child(Program),
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Its name in the match.
    pub name: String,
    /// Where it lives.
    pub home: Home,
    /// How to talk to it. Only the options matter in this process.
    pub manners: Manners,
    /// What it is granted.
    pub control: TimeControl,
}

impl Entrant {
    /// Starts it, unless `abort` is raised.
    ///
    /// # Errors
    /// When it does not start, does not talk or does not take its options.
    pub fn start(&self, abort: &AtomicBool) -> Result<Box<dyn Player>, SetupError> {
        Ok(match &self.home {
            Home::InProcess => {
                Box::new(InProcess::start(&self.manners.options, &self.manners.hints)?)
            }
            Home::Child(program) => {
                Box::new(ChildPlayer::start(program.clone(), self.manners.clone(), abort)?)
            }
        })
    }
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings,
    /// What they are played under.
    pub conditions: Conditions,
    /// Games at a time.
    pub concurrency: usize,
}

/// How a match is told to end before its time.
#[derive(Debug, Default)]
pub struct Brake {
    finish: AtomicBool,
    abort: AtomicBool,
}

impl Brake {
    /// Begin no more games.
    pub fn finish(&self) {
        self.finish.store(true, Ordering::Relaxed);
    }

    /// Break off even those that are being played.
    pub fn abort(&self) {
        self.finish();
        self.abort.store(true, Ordering::Relaxed);
    }

    /// Whether no more games shall begin.
    pub fn is_pulled(&self) -> bool {
        self.finish.load(Ordering::Relaxed)
    }
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player cannot be had as wanted.
    #[error("{name} {error}")]
    Entrant {
        /// Which.
        name: String,
        /// Why.
        error: SetupError,
    },
}

impl Plan {
    /// Starts every player once, to see before any game whether it plays as wanted, unless the
    /// brake is pulled.
    ///
    /// # Errors
    /// The first one that does not.
    pub fn check(&self, brake: &Brake) -> Result<(), MatchError> {
        let mut entrants = self.entrants.iter().take_while(|_| !brake.is_pulled());
        entrants.try_for_each(|entrant| {
            let started = entrant.start(&brake.abort);
            started.map(drop).map_err(|error| entrant.failed(error))
        })
    }

    /// Plays all games but those `done`, and hands every record to `keep` as it comes.
    ///
    /// # Errors
    /// When a player does not even start. What a game's faults do to a player ends only the game.
    ///
    /// # Panics
    /// When the system cannot start threads.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        brake: &Brake,
        mut keep: impl FnMut(Record),
    ) -> Result<(), MatchError> {
        let fixtures =
            Mutex::new(self.schedule.fixtures().filter(|fixture| !done.contains(&fixture.game)));
        let next = || {
            let mut fixtures = fixtures.lock().unwrap_or_else(PoisonError::into_inner);
            if brake.is_pulled() { None } else { fixtures.next() }
        };
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for index in 0..self.concurrency.max(1) {
                let (sender, next) = (sender.clone(), &next);
                thread::Builder::new()
                    .name(format!("board {}", index + 1))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        simd::settle(index);
                        self.serve(next, brake, &sender);
                    })
                    .expect("a thread can be started");
            }
            drop(sender);
            let mut failed = Ok(());
            for result in results {
                match result {
                    Ok(record) => keep(record),
                    // A player that was broken off has not failed.
                    Err(_) if brake.abort.load(Ordering::Relaxed) => {}
                    Err(error) => {
                        brake.finish();
                        failed = Err(error);
                    }
                }
            }
            failed
        })
    }

    /// Plays one game after the other with players of its own.
    fn serve(
        &self,
        next: &impl Fn() -> Option<Fixture>,
        brake: &Brake,
        sender: &mpsc::Sender<Result<Record, MatchError>>,
    ) {
        let mut players: HashMap<usize, Box<dyn Player>> = HashMap::new();
        let mut judge = None;
        while let Some(fixture) = next() {
            // Whoever does not play now would only hold memory.
            players.retain(|player, _| [fixture.red, fixture.black].contains(player));
            let result = match self.game(fixture, &mut players, &mut judge, brake) {
                Ok(Some(record)) => Ok(record),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let failed = result.is_err();
            if sender.send(result).is_err() || failed {
                return;
            }
        }
    }

    fn game(
        &self,
        fixture: Fixture,
        players: &mut HashMap<usize, Box<dyn Player>>,
        judge: &mut Option<Judge>,
        brake: &Brake,
    ) -> Result<Option<Record>, MatchError> {
        let mut seat = |index: usize| {
            let entrant = &self.entrants[index];
            let start = || entrant.start(&brake.abort).map_err(|error| entrant.failed(error));
            players.remove(&index).map_or_else(start, Ok)
        };
        let (mut red, mut black) = (seat(fixture.red)?, seat(fixture.black)?);
        let opening = &self.opening(fixture.opening, judge);
        let control = |player: usize| &self.entrants[player].control;
        let begun = Instant::now();
        let date = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        let played = play(
            [&mut *red, &mut *black],
            [control(fixture.red), control(fixture.black)],
            opening,
            &self.conditions,
            &brake.abort,
        );
        players.extend([(fixture.red, red), (fixture.black, black)]);
        let wall = begun.elapsed();
        Ok(played.map(|played| Record::new(fixture, opening, &played, date, wall)))
    }
}

impl Plan {
    /// An opening by its number, by the judge of the thread that needs it.
    fn opening(&self, number: usize, judge: &mut Option<Judge>) -> Opening {
        match &self.openings {
            Openings::Listed(openings) => openings[number].clone(),
            Openings::Random(random) => {
                let judge = judge.get_or_insert_with(|| Judge::new(random.nodes));
                random.make(number, |line| judge.points(line))
            }
        }
    }
}

impl Entrant {
    fn failed(&self, error: SetupError) -> MatchError {
        MatchError::Entrant { name: self.name.clone(), error }
    }
}
