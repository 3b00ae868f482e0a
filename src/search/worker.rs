//! One searching thread's own state: its path, histories and root moves. Knows no other thread.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use super::{
    Progress, Report, Signals,
    history::{ContKeys, Histories, PieceTo},
    manager::Manager,
    params::Params,
    pv::{PvTable, Variation},
    tt::Table,
};
use crate::{
    eval::{Eval, Evaluator, Network},
    position::Position,
    rules::{LabelCache, Line, Verdict},
    types::{Color, Move, Value, score},
};

/// How often a long search tells where it is, the first time after as long.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// So many positions are more than the moves take to be looked at once, in any position but odd ones.
const FIRST_LOOK: u64 = 10_000;

/// What the search remembers of a ply on the current path.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The static evaluation, absent in check.
    pub(super) static_eval: Option<Value>,
    pub(super) played: Option<PieceTo>,
    /// The move left out by a singular search.
    pub(super) excluded: Option<Move>,
    /// Cutoffs among this ply's moves since its grandparent was entered.
    pub(super) cutoffs: u32,
}

/// A move at the root and what is known of it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) value: Value,
    /// Its value in the last iteration, if it was among the best lines then.
    pub(super) previous_value: Value,
    pub(super) line: Variation,
    pub(super) seldepth: usize,
    pub(super) nodes: u64,
}

/// A counter on a cache line of its own, so that threads counting do not slow each other.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct NodeCounter(pub(super) AtomicU64);

/// What all workers of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) signals: &'a Signals,
    /// Whether the search has ended by itself.
    pub(super) ended: &'a AtomicBool,
    pub(super) manager: Manager<'a>,
    pub(super) counters: &'a [NodeCounter],
    pub(super) multipv: usize,
    /// Who listens to what is found.
    pub(super) report: &'a (dyn Fn(Report) + Sync),
    /// The side for which a draw counts as a win.
    pub(super) draws_won_by: Option<Color>,
    /// Whether moves at the root were left out because they lose at once by the rules.
    pub(super) rule_losers_left_out: bool,
}

impl Shared<'_> {
    /// Nodes visited so far by all workers.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Nodes a second, where so many were visited by now.
    pub(super) fn nps(&self, nodes: u64) -> u64 {
        (nodes as f64 / self.signals.elapsed().as_secs_f64().max(1e-6)) as u64
    }
}

/// The root position's value, where its best move has this one. Moves that were spared it because
/// they lose by the rules do not lose by mate, so where there are any the position is not mated.
pub(super) fn root_value(value: Value, rule_losers_left_out: bool) -> Value {
    if rule_losers_left_out { value.max(1 - score::RULE_WIN) } else { value }
}

/// A searching thread's state, kept from search to search.
pub(super) struct Worker {
    pub(super) id: usize,
    pub(super) line: Line,
    pub(super) labels: LabelCache,
    pub(super) eval: Eval,
    pub(super) histories: Histories,
    pub(super) frames: Vec<Frame>,
    pub(super) pv: PvTable,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The depth being searched at the root.
    pub(super) root_depth: i32,
    /// The root move being searched, by its place among them, and how many came before it.
    pub(super) current: (usize, u32),
    /// When to tell next where the search is.
    pub(super) next_progress: Duration,
    /// The last depth completed.
    pub(super) completed: i32,
    /// Null moves are off for this side before this ply: their cutoff is being verified.
    pub(super) no_null: Option<(Color, usize)>,
    pub(super) reductions: Box<[[i32; 64]; 64]>,
}

impl Worker {
    /// A worker that has learned nothing. `None`: there is no memory for what it will.
    pub(super) fn new(id: usize, network: Option<&Arc<Network>>) -> Option<Self> {
        Some(Self {
            id,
            line: Line::new(Position::start()),
            labels: LabelCache::default(),
            eval: Eval::by(network),
            histories: Histories::new()?,
            frames: vec![Frame::default(); score::MAX_PLY + 8],
            pv: PvTable::new(),
            root_moves: Vec::new(),
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            current: (0, 0),
            next_progress: PROGRESS_INTERVAL,
            completed: 0,
            no_null: None,
            reductions: Params::default().reductions(),
        })
    }

    /// Forgets everything learned.
    pub(super) fn new_game(&mut self) {
        self.histories.clear();
    }

    /// Searches by other numbers from now on.
    #[cfg(feature = "tune")]
    pub(super) fn set_params(&mut self, params: &Params) {
        if self.histories.params != *params {
            self.histories.params = params.clone();
            self.reductions = params.reductions();
        }
    }

    /// Takes up a new root.
    pub(super) fn prepare(&mut self, line: &Line, moves: &[Move]) {
        self.line = line.clone();
        self.eval.reset(line.position());
        self.frames.fill(Frame::default());
        self.root_moves = moves
            .iter()
            .map(|&mv| RootMove {
                mv,
                value: -score::INFINITE,
                previous_value: -score::INFINITE,
                line: Variation::from_iter([mv]),
                seldepth: 0,
                nodes: 0,
            })
            .collect();
        self.nodes = 0;
        self.seldepth = 0;
        self.root_depth = 0;
        self.current = (0, 0);
        self.next_progress = PROGRESS_INTERVAL;
        self.completed = 0;
        self.no_null = None;
    }
}

/// One worker at work.
pub(super) struct Search<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) shared: &'a Shared<'a>,
}

impl Search<'_> {
    pub(super) fn position(&self) -> &Position {
        self.worker.line.position()
    }

    /// The numbers that the worker searches by.
    #[inline]
    pub(super) fn params(&self) -> &Params {
        &self.worker.histories.params
    }

    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.worker.frames[ply]
    }

    /// Counts a node; whether the search must end.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        let worker = &mut *self.worker;
        worker.nodes += 1;
        worker.seldepth = worker.seldepth.max(ply);
        self.shared.counters[worker.id].0.store(worker.nodes, Relaxed);
        if worker.id == 0 {
            // Alone, a node limit is kept exactly; among several it is looked at now and then.
            let alone = self.shared.counters.len() == 1;
            let look = worker.nodes.is_multiple_of(512);
            if alone && self.shared.manager.out_of_nodes(worker.nodes)
                || look
                    && (self.shared.manager.out_of_time()
                        || self.shared.manager.out_of_nodes(self.shared.nodes()))
            {
                self.shared.ended.store(true, Relaxed);
            }
            if look {
                self.tell_progress();
            }
        }
        self.stopped()
    }

    /// Tells where the search is, if it is time to.
    fn tell_progress(&mut self) {
        let time = self.shared.signals.elapsed();
        if time < self.worker.next_progress {
            return;
        }
        self.worker.next_progress = time + PROGRESS_INTERVAL;
        let (place, before) = self.worker.current;
        let nodes = self.shared.nodes();
        (self.shared.report)(Report::Progress(Progress {
            depth: self.worker.root_depth as u32,
            current: self.worker.root_moves[place].mv,
            number: before + 1,
            nodes,
            nps: self.shared.nps(nodes),
            hashfull: self.shared.table.hashfull(),
            time,
        }));
    }

    /// Whether to leave the tree. Who stops a search before it has looked at the moves at all waits
    /// until it has, which takes no longer than a blink.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.shared.ended.load(Relaxed) || self.shared.signals.stopped() && self.has_a_move()
    }

    fn has_a_move(&self) -> bool {
        self.worker.completed > 0 || self.worker.nodes > FIRST_LOOK
    }

    /// What the rules say of the path to this node, as a value for the side to move.
    ///
    /// A verdict decides less than a mate, for and against. So whoever would be mated takes the
    /// verdict, and a mate is announced only where every defence ends in one on the board. The other
    /// way about, a win by a verdict reaches the root only if the opponent found nothing better at
    /// any of its nodes, those of the loop included: whoever can leave it does.
    ///
    /// A verdict belongs to the path. It passes up unchanged, and the table refuses it at every node
    /// that it is the value of. What nodes further up make of it is stored, as with plain draws: on
    /// another path it may be out by what the loop was worth there, until a deeper search looks.
    #[inline]
    pub(super) fn verdict(&mut self, ply: usize) -> Option<Value> {
        let worker = &mut *self.worker;
        match worker.line.verdict_in_tree(ply, &mut worker.labels) {
            Verdict::Ongoing => None,
            Verdict::Draw => Some(self.draw(ply)),
            Verdict::Forbidden { offender, .. } if offender == self.position().side() => {
                Some(ply as Value - score::RULE_WIN)
            }
            Verdict::Forbidden { .. } => Some(score::RULE_WIN - ply as Value),
        }
    }

    /// A draw at `ply`: with a unit of doubt, so that the search does not go blind among equal
    /// draws, or a verdict where one side wins by it.
    fn draw(&self, ply: usize) -> Value {
        let verdict = score::RULE_WIN - ply as Value;
        match self.shared.draws_won_by {
            None => 1 - (self.worker.nodes & 2) as Value,
            Some(winner) if winner == self.position().side() => verdict,
            Some(_) => -verdict,
        }
    }

    /// Whether the table's word on this node, `ply` plies from the root, may be taken: it knows of
    /// no natural limit, so it has no say near it, nor on a mate that would come too late.
    #[inline]
    pub(super) fn trusts(&self, value: Value, ply: usize) -> bool {
        let mate = if score::is_mate(value) { score::MATE - value.abs() - ply as Value } else { 0 };
        self.worker.line.plies_to_limit() > mate.max(self.params().limit_near()) as u32
    }

    /// What was played one, two and four plies before `ply`.
    pub(super) fn cont(&self, ply: usize) -> ContKeys {
        let back =
            |plies: usize| ply.checked_sub(plies).and_then(|ply| self.worker.frames[ply].played);
        ContKeys { one: back(1), two: back(2), four: back(4) }
    }

    /// Plays a move at `ply`.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let worker = &mut *self.worker;
        worker.frames[ply].played =
            worker.line.position().piece_at(mv.from()).map(|piece| PieceTo { piece, to: mv.to() });
        self.shared.table.prefetch(worker.line.position().key_after(mv));
        worker.eval.push();
        worker.line.push(mv, &mut worker.eval);
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.worker.line.pop();
        self.worker.eval.pop();
    }

    /// The evaluator's word.
    pub(super) fn raw_eval(&mut self) -> Value {
        let worker = &mut *self.worker;
        worker.eval.evaluate(worker.line.position())
    }

    /// A raw evaluation that shrinks as the natural limit nears, corrected by what similar positions
    /// taught.
    pub(super) fn corrected(&self, raw: Value, cont: ContKeys) -> Value {
        let position = self.position();
        let worn = (self.params().fade_plies() as u32)
            .saturating_sub(self.worker.line.plies_to_limit()) as Value;
        let value = raw - raw * worn / self.params().fade_divisor()
            + self.worker.histories.correction(position, &cont);
        value.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }
}
