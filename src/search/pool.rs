//! Lazy SMP: workers that search the same root and share a table, on a private rayon pool.
//! Knows no protocol. Rayon only hosts the threads; no worker calls it while it searches. Where the
//! system grants no thread the caller's own does the work.

use std::{
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    iter,
    sync::{
        Arc, Mutex, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::{
    Info, Limits, Report, SearchResult, Signals,
    host::{Host, HostError},
    manager::Manager,
    root_moves::root_moves,
    tt::{HashError, Table},
    vote::{self, Ballot},
    worker::{NodeCounter, Search, Shared, Worker, root_value},
};
use crate::{
    eval::{Eval, Network},
    position::{Position, Unobserved},
    rules::{Line, Ruleset},
    types::{Bound, Move, Score, Value, score},
};

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashEntry {
    /// The best move found.
    pub best: Option<Move>,
    /// The value is at least this, at this depth.
    pub lower: Option<(Value, u32)>,
    /// The value is at most this, at this depth.
    pub upper: Option<(Value, u32)>,
}

/// Why there is no pool.
#[derive(Debug, thiserror::Error)]
pub enum NoMemory {
    /// Not even for its table.
    #[error(transparent)]
    Table(#[from] HashError),
    /// The table would have fitted.
    #[error("no memory for what a worker learns")]
    Worker,
}

/// Workers, their threads and the table they share.
pub struct Pool {
    pub(super) workers: Vec<Worker>,
    host: Host,
    /// Locked for reading by each search as a whole, for writing only between searches.
    table: Arc<RwLock<Table>>,
    /// What positions are evaluated by; without any, the handcrafted evaluation is used.
    network: Option<Arc<Network>>,
}

impl Pool {
    /// A pool of so many workers and megabytes that evaluates by the built-in network; of one worker
    /// where the system does not grant the threads.
    ///
    /// # Panics
    /// When the system does not give the memory to begin with.
    pub fn new(threads: usize, hash_mb: usize) -> Self {
        Self::try_new(threads, hash_mb).expect("the system gives the memory to begin with")
    }

    /// The same pool.
    ///
    /// # Errors
    /// When the system does not give the memory to begin with.
    pub fn try_new(threads: usize, hash_mb: usize) -> Result<Self, NoMemory> {
        let host = Host::new(threads.max(1)).unwrap_or_else(|error| {
            log::error!("no {threads} threads: {error}");
            Host::caller()
        });
        // The table is touched by the threads that will use it, not by rayon's global pool.
        let table = host.install(|| Table::new(hash_mb))?;
        let network = Network::embedded();
        let workers = (0..host.threads()).map(|id| Worker::new(id, network.as_ref()));
        Ok(Self {
            workers: workers.collect::<Option<_>>().ok_or(NoMemory::Worker)?,
            host,
            table: Arc::new(RwLock::new(table)),
            network,
        })
    }

    /// Changes the number of workers; what they learned is kept by those that stay. When the system
    /// grants no more threads or not their memory, the old number stays.
    pub fn resize_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        if threads == self.workers.len() {
            return;
        }
        let network = self.network.as_ref();
        let more = (self.workers.len()..threads).map(|id| Worker::new(id, network));
        let granted = more.collect::<Option<Vec<_>>>().ok_or(HostError::NoRoom);
        match granted.and_then(|more| Ok((more, Host::new(threads)?))) {
            Ok((more, host)) => {
                self.host = host;
                self.workers.truncate(threads);
                self.workers.extend(more);
                #[cfg(feature = "tune")]
                self.set_params(&self.workers[0].histories.params.clone());
            }
            Err(error) => log::error!("no {threads} threads: {error}"),
        }
    }

    /// Evaluates by another network from now on, or without any; forgets all that was learned.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        for worker in &mut self.workers {
            worker.eval = Eval::by(network.as_ref());
        }
        self.network = network;
        self.new_game();
    }

    /// Searches by other numbers from now on.
    #[cfg(feature = "tune")]
    pub fn set_params(&mut self, params: &super::Params) {
        for worker in &mut self.workers {
            worker.set_params(params);
        }
    }

    /// Does some work on the thread of a worker. Searches in it begin there, at once: worth it for
    /// many short ones.
    pub fn on_its_thread<T: Send>(&mut self, work: impl FnOnce(&mut Self) -> T + Send) -> T {
        let host = self.host.clone();
        host.install(|| work(self))
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Whether the workers have threads of their own; if not, there is one worker, and whoever calls
    /// does its work.
    pub fn has_threads(&self) -> bool {
        matches!(self.host, Host::Threads(_))
    }

    /// Replaces the table by an empty one of this size.
    ///
    /// # Errors
    /// When the memory cannot be had; the old table stays.
    pub fn resize_hash(&mut self, mb: usize) -> Result<(), HashError> {
        let table = self.host.install(|| Table::new(mb))?;
        *self.table.write().unwrap_or_else(PoisonError::into_inner) = table;
        Ok(())
    }

    /// Forgets all that was learned.
    pub fn new_game(&mut self) {
        let mut guard = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let table = &mut *guard;
        self.host.install(|| table.clear());
        drop(guard);
        self.workers.iter_mut().for_each(Worker::new_game);
    }

    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<HashEntry> {
        self.hash_view().probe(position)
    }

    /// A look into the table for other threads, also while a search runs.
    pub fn hash_view(&self) -> HashView {
        HashView(Arc::clone(&self.table))
    }

    /// Searches until a limit or a signal ends it, telling `report` of every iteration, and in a
    /// long search every second where it is. A ponder or infinite search that is finished early waits for its signal.
    pub fn think(
        &mut self,
        line: &Line,
        limits: &Limits,
        ponder: bool,
        multipv: usize,
        signals: &Signals,
        report: &(dyn Fn(Report) + Sync),
    ) -> SearchResult {
        let told = Told::default();
        let report = &|told_now: Report| {
            if let Report::Line(info) = &told_now {
                told.note(info);
            }
            report(told_now);
        };
        let (moves, rule_losers_left_out) = root_moves(line, limits, &mut self.workers[0].labels);
        let table = read(&self.table);
        table.begin(salt(line, limits));
        let counters: Vec<_> = self.workers.iter().map(|_| NodeCounter::default()).collect();
        let ended = AtomicBool::new(false);
        let shared = Shared {
            table: &table,
            signals,
            ended: &ended,
            manager: Manager::new(limits, signals, ponder),
            counters: &counters,
            multipv: multipv.max(1),
            report,
            draws_won_by: limits.draws_won_by,
            rule_losers_left_out,
        };
        let hold = || {
            if limits.infinite {
                signals.wait(false);
            } else if shared.manager.pondering() {
                signals.wait(true);
            }
        };
        if moves.is_empty() {
            let score = Score::Mate(0);
            report(Report::Line(Info {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score,
                bound: Bound::Exact,
                nodes: 0,
                nps: 0,
                hashfull: 0,
                time: signals.elapsed(),
                pv: Vec::new(),
            }));
            hold();
            let time = signals.elapsed();
            return SearchResult { best: None, ponder: None, score, depth: 0, nodes: 0, time };
        }

        for worker in &mut self.workers {
            worker.prepare(line, &moves);
        }
        self.host.each(&mut self.workers, |worker| {
            let _end = EndOnPanic(shared.ended);
            let first = worker.id == 0;
            Search { worker, shared: &shared }.deepen();
            if first {
                hold();
                shared.ended.store(true, Relaxed);
            }
        });
        let (outcome, line) = self.conclude(&shared_end(&shared), limits, multipv);
        told.amended(&line, multipv).into_iter().map(Report::Line).for_each(report);
        outcome
    }

    /// Chooses the best worker's move once all have ended, and the line that it begins.
    fn conclude(&self, end: &Ending, limits: &Limits, multipv: usize) -> (SearchResult, Info) {
        let ballots: Vec<_> = self
            .workers
            .iter()
            .map(|worker| {
                let root = &worker.root_moves[0];
                Ballot { mv: root.mv, value: root.value, depth: worker.completed }
            })
            .collect();
        let chosen = if multipv > 1 || limits.depth.is_some() { 0 } else { vote::elect(&ballots) };
        let worker = &self.workers[chosen];
        let root = &worker.root_moves[0];
        let value = if root.value == -score::INFINITE { 0 } else { root.value };
        let score = Score::from_value(root_value(value, end.rule_losers_left_out));
        let depth = worker.completed.max(1) as u32;
        let mut pv = root.line.to_vec();
        if pv.len() == 1 {
            pv.extend(self.reply(worker.line.position(), root.mv));
        }
        let (best, ponder) = (Some(root.mv), pv.get(1).copied());
        let Ending { nodes, time, .. } = *end;
        let line = Info {
            depth,
            seldepth: root.seldepth as u32,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: read(&self.table).hashfull(),
            time,
            pv,
        };
        (SearchResult { best, ponder, score, depth, nodes, time }, line)
    }

    /// The reply to `mv` that the table remembers.
    fn reply(&self, position: &Position, mv: Move) -> Option<Move> {
        let mut after = position.clone();
        after.make(mv, &mut Unobserved);
        self.probe(&after)?.best
    }
}

/// What was told of a search so far: the last line of each rank.
#[derive(Default)]
struct Told {
    lines: Mutex<Vec<Info>>,
}

impl Told {
    fn note(&self, info: &Info) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.get_mut(info.multipv - 1) {
            Some(line) => line.clone_from(info),
            None => lines.push(info.clone()),
        }
    }

    /// What remains to be told so that the last first line is that of the move played, and the
    /// reply expected: nothing as a rule. But the last iteration may have been cut short after it
    /// had found a better move, or another worker's move may be played.
    fn amended(&self, played: &Info, multipv: usize) -> Vec<Info> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let begins = |line: &Info| (line.pv.first().copied(), line.pv.get(1).copied());
        let is_played = |line: &Info| line.bound == Bound::Exact && begins(line) == begins(played);
        if lines.first().is_some_and(is_played) {
            return Vec::new();
        }
        let others = lines.drain(..).filter(|line| line.pv.first() != played.pv.first());
        let all = iter::once(played.clone()).chain(others).take(multipv.max(1));
        all.zip(1..).map(|(line, multipv)| Info { multipv, ..line }).collect()
    }
}

/// A look into a pool's table from another thread.
#[derive(Clone)]
pub struct HashView(Arc<RwLock<Table>>);

impl HashView {
    /// What the table knows of a position.
    pub fn probe(&self, position: &Position) -> Option<HashEntry> {
        let entry = read(&self.0).probe(position.key(), 0)?;
        let known = Some((entry.value, entry.depth.max(0) as u32));
        let (lower, upper) = match entry.bound {
            Bound::None => (None, None),
            Bound::Lower => (known, None),
            Bound::Upper => (None, known),
            Bound::Exact => (known, known),
        };
        let best = entry.mv.filter(|&mv| position.is_legal(mv));
        Some(HashEntry { best, lower, upper })
    }
}

fn read(table: &RwLock<Table>) -> RwLockReadGuard<'_, Table> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

/// What the counters and the clock show when all workers have ended.
struct Ending {
    nodes: u64,
    time: std::time::Duration,
    rule_losers_left_out: bool,
}

fn shared_end(shared: &Shared<'_>) -> Ending {
    Ending {
        nodes: shared.nodes(),
        time: shared.signals.elapsed(),
        rule_losers_left_out: shared.rule_losers_left_out,
    }
}

/// Stops the other workers when one panics, so that the panic gets out instead of hanging.
struct EndOnPanic<'a>(&'a AtomicBool);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// What the values of a search depend on besides the position, for the table: the rules, what a draw
/// does, and which positions will be judged when they come up again. 0 for what is usual.
fn salt(line: &Line, limits: &Limits) -> u64 {
    let terms = (*line.ruleset(), limits.draws_won_by);
    let usual = terms == (Ruleset::default(), None);
    line.spent()
        ^ if usual { 0 } else { BuildHasherDefault::<DefaultHasher>::new().hash_one(terms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn think(fen: &str, limits: &Limits, stopped: bool) -> (SearchResult, usize) {
        let line = Line::new(Position::from_fen(fen).expect("a position"));
        let (signals, mates) = (Signals::new(), std::sync::atomic::AtomicUsize::new(0));
        if stopped {
            signals.stop();
        }
        let report = |report: Report| {
            let Report::Line(info) = report else { return };
            let mate = usize::from(matches!(info.score, Score::Mate(_)));
            mates.fetch_add(mate, std::sync::atomic::Ordering::Relaxed);
        };
        let outcome = Pool::new(2, 1).think(&line, limits, false, 5, &signals, &report);
        (outcome, mates.into_inner())
    }

    #[test]
    fn a_search_stopped_before_it_began_has_a_move_and_no_mate() {
        let (outcome, mates) = think(Position::START_FEN, &Limits::default(), true);
        assert!(outcome.best.is_some());
        assert_eq!(mates, 0, "announced");
        assert!(matches!(outcome.score, Score::Value(value) if value.abs() < 500));
    }

    #[test]
    fn whoever_has_no_threads_searches_as_one_that_has_one() {
        let line = Line::new(Position::start());
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let nodes = |host: Host| {
            let mut pool = Pool { host, ..Pool::new(1, 1) };
            pool.new_game();
            pool.resize_hash(2).expect("two megabytes");
            pool.think(&line, &limits, false, 1, &Signals::new(), &|_| {}).nodes
        };
        let threads = Host::new(1).expect("a thread");
        // The second time the thread is in a pool already.
        let alone = [Host::caller(), Host::caller()].map(&nodes);
        assert_eq!(alone, [nodes(threads); 2]);
    }

    #[test]
    fn helpers_go_on_until_the_first_worker_stops_them() {
        let line = Line::new(Position::start());
        let limits = Limits { depth: Some(2), infinite: true, ..Limits::default() };
        let (mut pool, signals) = (Pool::new(4, 1), Signals::new());
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(400));
                signals.stop();
            });
            pool.think(&line, &limits, false, 1, &signals, &|_| {})
        });
        assert_eq!(pool.workers[0].completed, 2);
        for helper in &pool.workers[1..] {
            assert!(helper.root_depth > 2, "{} got to {}", helper.id, helper.root_depth);
        }
        let nodes: u64 = pool.workers.iter().map(|worker| worker.nodes).sum();
        assert_eq!(outcome.nodes, nodes);
    }

    /// A single search may be lucky with its first line, so the nodes of several positions are added up.
    #[test]
    fn several_lines_cost_less_than_as_many_searches() {
        let positions = [
            Position::START_FEN,
            "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1",
            "3ak1b2/4a4/3cb1n2/5Pp1p/2n6/2N6/P6rP/B3C4/4K4/3A1AB1R w - - 8 20",
            "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
            "2bakab2/9/2n1c1n2/p1p1p1p1p/7r1/2P6/P3P1P1P/1CN1C1N2/9/1RBAKABR1 w - - 0 1",
            "3akab2/9/4b1n2/p3p1p1p/9/2r3P2/P3P3P/2N1C1N2/4A4/2BAK2R1 w - - 0 1",
            "rnbakabnr/1C7/1cc6/p1p1p1p1p/9/6P2/P1P1P3P/1C7/9/RNBAKABNR b - - 0 1",
        ];
        let nodes = |lines| {
            let search = |fen: &&str| {
                let line = Line::new(Position::from_fen(fen).expect("a position"));
                let limits = Limits { depth: Some(12), ..Limits::default() };
                let mut pool = Pool::new(1, 16);
                pool.think(&line, &limits, false, lines, &Signals::new(), &|_| {}).nodes
            };
            positions.iter().map(search).sum::<u64>()
        };
        let one = nodes(1);
        for lines in [2, 3, 5] {
            let several = nodes(lines);
            assert!(several <= lines as u64 * one, "{lines} lines: {several}, {one}");
        }
    }

    #[test]
    fn the_move_played_begins_the_last_first_line_wherever_the_search_is_cut() {
        let fen = "rnbakabnr/1C7/1cc6/p1p1p1p1p/9/6P2/P1P1P3P/1C7/9/RNBAKABNR b - - 0 1";
        let line = Line::new(Position::from_fen(fen).expect("a position"));
        let mut pool = Pool::new(2, 1);
        for multipv in [1, 3] {
            for nodes in (0..40).map(|step| 500 + 977 * step) {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let told = Mutex::new(Vec::<Info>::new());
                let report = |report: Report| told.lock().expect("no panic").extend(report.line());
                let outcome = pool.think(&line, &limits, false, multipv, &Signals::new(), &report);
                let told = told.into_inner().expect("no panic");
                let first = told.iter().rfind(|info| info.multipv == 1).expect("a line");
                let begins = [first.pv.first().copied(), first.pv.get(1).copied()];
                assert_eq!(begins, [outcome.best, outcome.ponder], "{multipv} lines, {nodes}");
                assert_eq!(first.bound, Bound::Exact);
                // The lines told last are of different moves.
                let last = |rank| told.iter().rfind(|info| info.multipv == rank);
                let mut moves: Vec<_> =
                    (1..=multipv).filter_map(last).map(|info| info.pv[0].to_string()).collect();
                let count = moves.len();
                moves.sort();
                moves.dedup();
                assert_eq!(moves.len(), count, "{multipv} lines, {nodes}");
            }
        }
    }

    #[test]
    fn no_deeper_search_follows_when_nothing_can_change() {
        for fen in ["4k4/9/4P4/3R5/9/9/9/9/9/3K5 w", "3ak4/4a4/9/9/9/9/9/4B4/4A4/2BAK4 w"] {
            let line = Line::new(Position::from_fen(fen).expect("a position"));
            let (signals, count) = (Signals::new(), std::sync::atomic::AtomicUsize::new(0));
            let report = |report: Report| {
                let Report::Line(info) = report else { return };
                count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                // Were it to go on for ever, it would end here.
                if info.depth > 60 {
                    signals.stop();
                }
            };
            Pool::new(1, 1).think(&line, &Limits::default(), false, 1, &signals, &report);
            let count = count.into_inner();
            assert!(count <= 30, "{count} lines about {fen}");
        }
    }

    #[test]
    fn neither_nodes_nor_time_end_a_search_that_no_answer_is_wanted_of() {
        let line = Line::new(Position::start());
        let time = Some(crate::clock::Budget::fixed(std::time::Duration::from_millis(5)));
        for (ponder, infinite) in [(true, false), (false, true)] {
            let limits = Limits { nodes: Some(10), time, infinite, ..Limits::default() };
            let signals = Signals::new();
            let stop = || {
                std::thread::sleep(std::time::Duration::from_millis(60));
                assert!(!signals.stopped(), "it ended by itself");
                if ponder {
                    signals.ponder_hit();
                } else {
                    signals.stop();
                }
            };
            std::thread::scope(|scope| {
                scope.spawn(stop);
                let outcome = Pool::new(1, 1).think(&line, &limits, ponder, 1, &signals, &|_| {});
                assert!(outcome.nodes > 10 && outcome.best.is_some());
            });
        }
    }

    #[test]
    fn bans_give_way_before_choices_do() {
        let start = Position::start();
        let only = vec!["h2e2".parse().expect("a move")];
        let limits = Limits {
            depth: Some(2),
            never: start.legal_moves().to_vec(),
            only: only.clone(),
            ..Limits::default()
        };
        assert_eq!(think(Position::START_FEN, &limits, false).0.best, Some(only[0]));
    }
}
