//! `go mate`: a proof search and an ordinary search by turns, until one of them has the answer. Knows
//! how to share out the work, not how it is done.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use super::{
    Info, Limits, MateVerdict, Pool, Report, SearchResult, Signals,
    manager::Manager,
    mate::{Answer, Attack, MOST_MOVES, Prover},
    root_moves::root_moves,
};
use crate::{
    rules::Line,
    types::{Bound, Move, Score},
};

/// Megabytes of the proof search's table, for as long as it runs.
const TABLE_MB: usize = 64;
/// Nodes of the first turns; later ones are twice as long each …
const FIRST_TURN: u64 = 20_000;
/// … up to this.
const LONGEST_TURN: u64 = 640_000;
/// Nodes that a mate is worth to be proven the shortest, where nothing else limits the search.
const PROOF_NODES: u64 = 3_000_000;
/// An ordinary search of this depth chooses the move where no mate was found.
const FALLBACK_DEPTH: u32 = 10;
/// Or of so many nodes.
const FALLBACK_NODES: u64 = 300_000;

/// A mate that was found.
struct Found {
    moves: u32,
    line: Vec<Move>,
}

impl Pool {
    /// Looks for a mate in at most `limits.mate` own moves, and for the shortest. Ends when it is found
    /// or there is none, or by any other limit, with the best move known and what is known of the mate.
    ///
    /// Where there is no move or no memory, it searches as [`Self::think`] does and knows nothing.
    pub fn seek_mate(
        &mut self,
        line: &Line,
        limits: &Limits,
        ponder: bool,
        multipv: usize,
        signals: &Signals,
        report: &(dyn Fn(Report) + Sync),
    ) -> (SearchResult, Option<MateVerdict>) {
        // A proof goes as deep as a search, so it wants the stack of a worker.
        self.on_its_thread(|pool| pool.seek(line, limits, ponder, multipv, signals, report))
    }

    fn seek(
        &mut self,
        line: &Line,
        limits: &Limits,
        ponder: bool,
        multipv: usize,
        signals: &Signals,
        report: &(dyn Fn(Report) + Sync),
    ) -> (SearchResult, Option<MateVerdict>) {
        let asked = limits.mate.unwrap_or(0);
        let (moves, _) = root_moves(line, limits, &mut self.workers[0].labels);
        let manager = Manager::new(limits, signals, ponder);
        let stop = || signals.stopped() || manager.out_of_time();
        let prover = Prover::new(line, &moves, TABLE_MB, &stop);
        let (Some(prover), false, 1..) = (prover, moves.is_empty(), asked) else {
            return (self.think(line, limits, ponder, multipv, signals, report), None);
        };
        let mut seeker = Seeker {
            pool: self,
            line,
            limits,
            multipv,
            signals,
            manager: &manager,
            report,
            prover,
            asked,
            next: 1,
            next_checks: 1,
            found: None,
            ordinary: None,
            ordinary_nodes: 0,
            told: AtomicU32::new(0),
            untold: Mutex::new(None),
        };
        let (result, verdict) = seeker.seek();
        if limits.infinite {
            signals.wait(false);
        } else if manager.pondering() {
            signals.wait(true);
        }
        (result, Some(verdict))
    }
}

/// A search for a mate, as far as it has got.
struct Seeker<'a> {
    pool: &'a mut Pool,
    line: &'a Line,
    limits: &'a Limits,
    multipv: usize,
    signals: &'a Signals,
    manager: &'a Manager<'a>,
    report: &'a (dyn Fn(Report) + Sync),
    prover: Prover<'a>,
    asked: u32,
    /// The fewest moves that are not known to be too few.
    next: u32,
    /// The same for mates by checks alone.
    next_checks: u32,
    found: Option<Found>,
    /// What the ordinary search found last.
    ordinary: Option<SearchResult>,
    ordinary_nodes: u64,
    /// The depth that the ordinary search has told of.
    told: AtomicU32,
    /// What it found last, if that was no deeper and so was not told.
    untold: Mutex<Option<Info>>,
}

impl Seeker<'_> {
    fn seek(&mut self) -> (SearchResult, MateVerdict) {
        let mut turn = FIRST_TURN;
        let mut proof_until = None;
        while !self.is_over() {
            self.prove(2 * turn);
            if self.found.is_none() {
                self.prove_by_checks(turn);
            }
            if self.found.is_none() && !self.is_over() {
                self.search(turn);
            }
            turn = LONGEST_TURN.min(2 * turn);
            if self.found.is_some() {
                let now = self.prover.nodes;
                let until = *proof_until.get_or_insert(now + PROOF_NODES);
                let limited = self.limits.infinite
                    || self.limits.time.is_some()
                    || self.limits.nodes.is_some();
                if !limited && now >= until {
                    break;
                }
            }
        }
        self.conclude()
    }

    /// The most moves that a mate worth finding has.
    fn most(&self) -> u32 {
        self.found.as_ref().map_or(self.asked, |found| found.moves - 1)
    }

    /// How many nodes are left to search.
    fn nodes_left(&self) -> u64 {
        let limit = self.limits.nodes.filter(|_| !self.is_held());
        limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes()))
    }

    /// The nodes of all searches.
    fn nodes(&self) -> u64 {
        self.prover.nodes + self.ordinary_nodes
    }

    /// Whether no answer is wanted yet.
    fn is_held(&self) -> bool {
        self.limits.infinite || self.manager.pondering()
    }

    fn is_over(&self) -> bool {
        let depth = self.ordinary.as_ref().map_or(0, |result| result.depth);
        let soft = self.limits.time.filter(|_| !self.is_held()).map(|budget| budget.soft);
        self.next > self.most()
            || self.signals.stopped()
            || self.manager.out_of_time()
            || self.nodes_left() == 0
            || self.limits.depth.is_some_and(|limit| depth >= limit)
            || soft.is_some_and(|soft| self.signals.on_clock() >= soft)
    }

    /// Proves one number of moves after the other to be too few, until one is enough.
    fn prove(&mut self, nodes: u64) {
        let end = self.prover.nodes.saturating_add(nodes.min(self.nodes_left()));
        while self.next <= self.most().min(MOST_MOVES) && self.prover.nodes < end {
            let left = end - self.prover.nodes;
            match self.prover.search(self.next, Attack::All, left) {
                Answer::Mate(line) => self.take(self.next, line),
                Answer::Escape => self.next += 1,
                Answer::Unknown => return,
            }
        }
    }

    /// The same with checks alone, which proves nothing if it fails.
    fn prove_by_checks(&mut self, nodes: u64) {
        let end = self.prover.nodes.saturating_add(nodes.min(self.nodes_left()));
        self.next_checks = self.next_checks.max(self.next);
        while self.next_checks <= self.most().min(MOST_MOVES) && self.prover.nodes < end {
            let left = end - self.prover.nodes;
            match self.prover.search(self.next_checks, Attack::Checks, left) {
                Answer::Mate(line) => self.take(self.next_checks, line),
                Answer::Escape => self.next_checks += 1,
                Answer::Unknown => return,
            }
        }
    }

    /// Gives the ordinary search a turn.
    fn search(&mut self, nodes: u64) {
        let limits = Limits {
            nodes: Some(nodes.min(self.nodes_left())),
            mate: Some(self.asked),
            ..self.limits.clone()
        };
        let result = self.think(limits);
        if let Score::Mate(plies) = result.score
            && plies > 0
            && (plies as u32).div_ceil(2) <= self.most()
        {
            let line = result.best.into_iter().chain(result.ponder).collect();
            self.found = Some(Found { moves: (plies as u32).div_ceil(2), line });
            self.tell_last();
        }
        self.ordinary = Some(result);
    }

    /// An ordinary search that answers by itself. What it told before is not told again.
    fn think(&mut self, limits: Limits) -> SearchResult {
        let time = self.limits.time.filter(|_| !self.is_held());
        let limits = Limits { infinite: false, time, ..limits };
        let (told, before) = (self.told.load(Relaxed), self.nodes());
        let report = |report: Report| {
            let Report::Line(info) = report else { return (self.report)(report) };
            let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
            let nodes = info.nodes + before;
            let nps = (nodes as f64 / info.time.as_secs_f64().max(1e-6)) as u64;
            let info = Info { nodes, nps, ..info };
            if info.depth > told {
                self.told.fetch_max(info.depth, Relaxed);
                *untold = None;
                (self.report)(Report::Line(info));
            } else if info.multipv == 1 {
                *untold = Some(info);
            }
        };
        let result =
            self.pool.think(self.line, &limits, false, self.multipv, self.signals, &report);
        self.ordinary_nodes += result.nodes;
        result
    }

    /// Takes a mate that was proven, and tells of it.
    fn take(&mut self, moves: u32, line: Vec<Move>) {
        let time = self.signals.elapsed();
        let nodes = self.nodes();
        (self.report)(Report::Line(Info {
            depth: 2 * moves - 1,
            seldepth: 2 * moves - 1,
            multipv: 1,
            score: Score::Mate(2 * moves as i32 - 1),
            bound: Bound::Exact,
            nodes,
            nps: (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64,
            hashfull: 0,
            time,
            pv: line.clone(),
        }));
        self.found = Some(Found { moves, line });
    }

    /// Tells what the ordinary search found last, so that the last line is that of the move.
    fn tell_last(&self) {
        let untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(info) = untold {
            (self.report)(Report::Line(info));
        }
    }

    fn conclude(&mut self) -> (SearchResult, MateVerdict) {
        let refuted = self.next - 1;
        if let Some(Found { moves, line }) = self.found.take() {
            let result = SearchResult {
                best: line.first().copied(),
                ponder: line.get(1).copied(),
                score: Score::Mate(2 * moves as i32 - 1),
                depth: 2 * moves - 1,
                nodes: self.nodes(),
                time: self.signals.elapsed(),
            };
            let shortest = refuted + 1 >= moves && !self.prover.rule_met();
            return (result, MateVerdict::Mate { moves, shortest });
        }
        let verdict = if self.prover.rule_met() {
            MateVerdict::Unknown { refuted: 0 }
        } else if refuted >= self.asked {
            MateVerdict::NoMate { moves: self.asked }
        } else {
            MateVerdict::Unknown { refuted }
        };
        let result = self.ordinary.take().unwrap_or_else(|| {
            let depth = self.limits.depth.unwrap_or(FALLBACK_DEPTH).min(FALLBACK_DEPTH);
            let nodes = self.nodes_left().clamp(1, FALLBACK_NODES);
            let limits = Limits {
                depth: Some(depth),
                nodes: Some(nodes),
                mate: None,
                ..self.limits.clone()
            };
            self.think(limits)
        });
        self.tell_last();
        (SearchResult { nodes: self.nodes(), time: self.signals.elapsed(), ..result }, verdict)
    }
}
