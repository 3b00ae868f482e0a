//! Games analysed side by side: each thread takes the next position there is, of whichever game, so
//! that none waits for another. Reports come out in the order of the games.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use super::{
    Evaluation, GameReport, Settings,
    examine::Subject,
    study::{Student, finished},
};
use crate::{
    book::Book,
    eval::Network,
    games::Game,
    rules::{Line, Ruleset},
    search::{Limits, Signals},
    simd,
};

/// Searches recurse on threads of their own; those here only wait for them.
const STACK: usize = 1 << 20;

/// How an analysis is told to end before its time.
#[derive(Debug, Default)]
pub struct Brake {
    pulled: AtomicBool,
    running: Mutex<Vec<Arc<Signals>>>,
}

impl Brake {
    /// Ends it at once; games that are not done are given up.
    pub fn pull(&self) {
        self.pulled.store(true, Ordering::SeqCst);
        lock(&self.running).iter().for_each(|signals| signals.stop());
    }

    /// Whether it was told to end.
    pub fn is_pulled(&self) -> bool {
        self.pulled.load(Ordering::SeqCst)
    }

    /// Signals for a search that begins now.
    fn signals(&self) -> Arc<Signals> {
        let signals = Arc::new(Signals::new());
        lock(&self.running).push(Arc::clone(&signals));
        if self.is_pulled() {
            signals.stop();
        }
        signals
    }

    fn forget(&self, signals: &Arc<Signals>) {
        lock(&self.running).retain(|other| !Arc::ptr_eq(other, signals));
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Games that are done.
    pub games: usize,
    /// Positions of games that were searched, those of games under way included.
    pub positions: usize,
    /// Of the game that is under way: its number, its positions that are done, and how many it has.
    pub current: (usize, usize, usize),
}

/// What is asked for.
pub struct Task<'a> {
    /// How to search.
    pub settings: Settings,
    /// The rules that games are judged by.
    pub ruleset: Ruleset,
    /// What positions are evaluated by; none: the handcrafted evaluation.
    pub network: Option<Arc<Network>>,
    /// How many positions at a time.
    pub threads: usize,
    /// What tells where a game left the openings that are known.
    pub book: &'a Book,
}

/// Analyses games, numbered as they come, and hands out each report as soon as all before it are
/// out. Ends when there are no more games, or the brake is pulled, or `done` answers `false`.
pub fn run(
    task: &Task<'_>,
    games: impl Iterator<Item = (usize, Game)> + Send,
    brake: &Brake,
    progress: &(dyn Fn(Progress) + Sync),
    done: &mut (dyn FnMut(GameReport) -> bool + Send),
) {
    let bench = Bench { games: Box::new(games), under_way: VecDeque::new(), taken: 0, dry: false };
    let counter = Counter { ready: BTreeMap::new(), next: 0, progress: Progress::default(), done };
    let workshop = Workshop {
        task,
        brake,
        bench: Mutex::new(bench),
        bell: Condvar::new(),
        counter: Mutex::new(counter),
        progress,
    };
    thread::scope(|scope| {
        for index in 0..task.threads.max(1) {
            let builder = thread::Builder::new().name(format!("analysis {index}"));
            let workshop = &workshop;
            let started = builder.stack_size(STACK).spawn_scoped(scope, move || {
                simd::settle(index);
                workshop.work();
            });
            if let Err(error) = started {
                log::error!("only {index} threads: {error}");
                break;
            }
        }
    });
}

struct Workshop<'a, 'b> {
    task: &'a Task<'a>,
    brake: &'a Brake,
    bench: Mutex<Bench<'b>>,
    /// Rung when there may be something to take, or nothing more.
    bell: Condvar,
    counter: Mutex<Counter<'b>>,
    progress: &'a (dyn Fn(Progress) + Sync),
}

/// The games that are being worked on.
struct Bench<'b> {
    games: Box<dyn Iterator<Item = (usize, Game)> + Send + 'b>,
    under_way: VecDeque<UnderWay>,
    taken: usize,
    /// No more games come.
    dry: bool,
}

struct UnderWay {
    order: usize,
    subject: Arc<Subject>,
    limits: Limits,
    /// Positions not yet taken: those after fewer plies than this.
    left: usize,
    evaluations: Vec<Option<Evaluation>>,
    /// Positions after best moves that were not played, to be searched for certainty.
    doubts: Vec<(usize, Line)>,
    instead: HashMap<usize, Evaluation>,
    /// Taken and not brought back.
    out: usize,
}

/// Where reports are handed out.
struct Counter<'b> {
    ready: BTreeMap<usize, GameReport>,
    next: usize,
    progress: Progress,
    done: &'b mut (dyn FnMut(GameReport) -> bool + Send),
}

/// A position to search.
struct Job {
    order: usize,
    limits: Limits,
    place: Place,
    line: Line,
}

#[derive(Clone, Copy)]
enum Place {
    /// The position after so many plies.
    OfGame(usize),
    /// That after the best move in place of the one after so many plies.
    Instead(usize),
}

impl Workshop<'_, '_> {
    fn work(&self) {
        let mut student = Student::new(self.task.settings, self.task.network.clone());
        while let Some(job) = self.take() {
            let signals = self.brake.signals();
            let evaluation = student.study(&job.line, &job.limits, &signals);
            self.brake.forget(&signals);
            if self.brake.is_pulled() {
                break;
            }
            self.bring(&job, evaluation);
        }
        self.bell.notify_all();
    }

    /// The next position to search; waits where the only work there may be depends on others.
    fn take(&self) -> Option<Job> {
        let mut bench = lock(&self.bench);
        loop {
            if self.brake.is_pulled() {
                return None;
            }
            if let Some(job) = bench.job() {
                return Some(job);
            }
            if bench.dry {
                if bench.under_way.is_empty() {
                    return None;
                }
                bench = self.bell.wait(bench).unwrap_or_else(PoisonError::into_inner);
            } else {
                match bench.games.next() {
                    Some((number, game)) => bench.begin(self.task, number, game),
                    None => bench.dry = true,
                }
            }
        }
    }

    fn bring(&self, job: &Job, evaluation: Evaluation) {
        let mut bench = lock(&self.bench);
        let at = bench.under_way.iter().position(|game| game.order == job.order);
        let Some(at) = at else { return };
        let game = &mut bench.under_way[at];
        game.put(job.place, evaluation);
        let current = game.current();
        let whole = game.is_done().then(|| bench.under_way.remove(at)).flatten();
        drop(bench);
        self.bell.notify_all();
        let report = whole.map(|game| game.report(self.task.book));
        let mut counter = lock(&self.counter);
        counter.progress.positions += usize::from(matches!(job.place, Place::OfGame(_)));
        counter.progress.current = current;
        if let Some((order, report)) = report
            && !counter.hand_out(order, report)
        {
            self.brake.pull();
        }
        let progress = counter.progress;
        drop(counter);
        (self.progress)(progress);
    }
}

impl Bench<'_> {
    fn begin(&mut self, task: &Task<'_>, number: usize, game: Game) {
        let subject = Subject { number, game, ruleset: task.ruleset };
        let positions = subject.positions();
        let mut evaluations = vec![None; positions];
        // Where the game is over there is nothing to search.
        let end = finished(&subject.line(positions));
        let left = if end.is_some() { positions - 1 } else { positions };
        evaluations[positions - 1] = end;
        // A game that was over before its first move still has its end to be looked at.
        let left = if positions == 1 { 1 } else { left };
        self.under_way.push_back(UnderWay {
            order: self.taken,
            limits: task.settings.effort.limits(positions, task.threads),
            subject: Arc::new(subject),
            left,
            evaluations,
            doubts: Vec::new(),
            instead: HashMap::new(),
            out: 0,
        });
        self.taken += 1;
    }

    fn job(&mut self) -> Option<Job> {
        self.under_way.iter_mut().find_map(UnderWay::job)
    }
}

impl UnderWay {
    fn job(&mut self) -> Option<Job> {
        let (place, line) = if let Some((ply, line)) = self.doubts.pop() {
            (Place::Instead(ply), line)
        } else {
            self.left = self.left.checked_sub(1)?;
            (Place::OfGame(self.left), self.subject.line(self.left))
        };
        self.out += 1;
        Some(Job { order: self.order, limits: self.limits.clone(), place, line })
    }

    fn put(&mut self, place: Place, evaluation: Evaluation) {
        self.out -= 1;
        match place {
            Place::Instead(ply) => drop(self.instead.insert(ply, evaluation)),
            Place::OfGame(plies) => {
                self.evaluations[plies] = Some(evaluation);
                // The moves to this position and from it.
                for ply in plies.saturating_sub(1)..=plies {
                    let around = (self.evaluations.get(ply), self.evaluations.get(ply + 1));
                    if let (Some(Some(before)), Some(Some(after))) = around
                        && let Some(line) = self.subject.doubt(ply, before, after)
                    {
                        self.doubts.push((ply, line));
                    }
                }
            }
        }
    }

    fn is_done(&self) -> bool {
        self.left == 0 && self.out == 0 && self.doubts.is_empty()
    }

    fn current(&self) -> (usize, usize, usize) {
        let done = self.evaluations.iter().flatten().count();
        (self.subject.number, done, self.evaluations.len())
    }

    fn report(self, book: &Book) -> (usize, GameReport) {
        let evaluations = self.evaluations.into_iter().map(Option::unwrap_or_default).collect();
        (self.order, self.subject.report(evaluations, &self.instead, book))
    }
}

impl Counter<'_> {
    /// Hands out what is whole up to here; `false`: nobody wants more.
    fn hand_out(&mut self, order: usize, report: GameReport) -> bool {
        self.ready.insert(order, report);
        while let Some(report) = self.ready.remove(&self.next) {
            self.next += 1;
            self.progress.games += 1;
            if !(self.done)(report) {
                return false;
            }
        }
        true
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
