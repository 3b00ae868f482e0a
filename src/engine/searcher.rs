//! The thread that owns the search pool: takes requests one after the other and survives whatever
//! a search does. Knows no options and no clocks.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::{Event, books::Found, memory, strength::Handicap};
use crate::{
    eval::Network,
    position::Position,
    rules::Line,
    search::{HashEntry, HashView, Info, Limits, Pool, Report, SearchResult, Signals},
    types::{Move, Score},
};

/// The table that a pool is born with; it grows to the wanted size where failing is allowed.
const BIRTH_MB: usize = 1;

/// What each thread needs besides its share of the table, in MB.
const THREAD_MB: usize = 10;

/// How often it is looked whether a failed search may answer.
const LEAVE_INTERVAL: Duration = Duration::from_millis(5);

/// What a search is to have.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    pub(super) threads: usize,
    /// `None`: whatever suits the machine.
    pub(super) hash_mb: Option<usize>,
    /// `None`: the handcrafted evaluation.
    pub(super) network: Option<Arc<Network>>,
    /// The numbers to search by.
    #[cfg(feature = "tune")]
    pub(super) params: crate::search::Params,
}

/// One search to do.
pub(super) struct Job {
    pub(super) line: Line,
    pub(super) limits: Limits,
    pub(super) ponder: bool,
    pub(super) multipv: usize,
    pub(super) signals: Arc<Signals>,
    pub(super) resources: Resources,
    /// None: the best move is wanted.
    pub(super) handicap: Option<Handicap>,
}

impl Job {
    /// Waits until an answer is allowed. A sound search does so itself, without looking at a clock.
    pub(super) fn wait_for_leave(&self) {
        let bound = || self.limits.infinite || self.ponder && !self.signals.was_hit();
        while bound() && !self.signals.stopped() {
            thread::sleep(LEAVE_INTERVAL);
        }
    }
}

/// What the searcher can be asked.
pub(super) enum Request {
    Prepare(Resources),
    NewGame(Resources),
    Think(Box<Job>),
    /// There is nothing to think about.
    Answer(Box<Found>),
    Probe(Box<Position>, Sender<Option<HashEntry>>),
    /// Answered when everything before it is done.
    Fence(Sender<()>),
}

/// The pool with what it was made to.
struct Ready {
    pool: Pool,
    /// How many were last asked for; the system may have granted fewer.
    threads: usize,
    /// The megabytes that were last asked for, and may have been refused.
    asked_mb: Option<usize>,
    /// The megabytes there are; `None`: the table it was born with.
    hash_mb: Option<usize>,
    network: Option<Arc<Network>>,
}

/// The owner of the pool.
pub(super) struct Searcher {
    ready: Option<Ready>,
    events: Arc<dyn Fn(Event) + Send + Sync>,
    thinking: Arc<AtomicUsize>,
    /// Where the façade looks into the table while the pool is on loan to a search.
    hash_view: Arc<Mutex<Option<HashView>>>,
}

impl Searcher {
    pub(super) fn new(
        events: Arc<dyn Fn(Event) + Send + Sync>,
        thinking: Arc<AtomicUsize>,
        hash_view: Arc<Mutex<Option<HashView>>>,
    ) -> Self {
        Self { ready: None, events, thinking, hash_view }
    }

    /// Takes requests until nobody can make any more, whatever becomes of each.
    pub(super) fn serve(mut self, inbox: &Receiver<Request>) {
        for request in inbox {
            self.carry_out(request);
        }
    }

    /// Does what is asked for, whatever becomes of it.
    pub(super) fn carry_out(&mut self, request: Request) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.grant(request))) {
            self.start_afresh("a request", &panic_text(panic.as_ref()));
        }
    }

    fn grant(&mut self, request: Request) {
        match request {
            Request::Prepare(resources) => {
                self.prepare(&resources);
            }
            Request::NewGame(resources) => self.prepare(&resources).pool.new_game(),
            Request::Think(job) => self.think(&job),
            Request::Answer(found) => {
                self.say(found.to_string());
                (self.events)(Event::Info(found.info()));
                self.answer(found.outcome());
            }
            Request::Probe(position, answer) => {
                let entry = self.ready.as_ref().and_then(|ready| ready.pool.probe(&position));
                // Whoever asked may have lost interest.
                let _ = answer.send(entry);
            }
            Request::Fence(done) => {
                let _ = done.send(());
            }
        }
    }

    /// Whatever state a failure left the pool in, the next request finds a new one.
    fn start_afresh(&mut self, what: &str, text: &str) {
        self.ready = None;
        log::error!("{what} failed: {text}");
        self.say(format!("{what} failed and was restarted: {text}"));
    }

    fn say(&self, text: String) {
        (self.events)(Event::Message(text));
    }

    /// The pool with the wanted threads, memory and network, or as near to them as can be.
    fn prepare(&mut self, wanted: &Resources) -> &mut Ready {
        let mut ready = self.ready.take().unwrap_or_else(|| {
            // Without the panic's own report: where there is no memory, that ends or hangs the process.
            let pool = Pool::try_new(1, BIRTH_MB)
                .unwrap_or_else(|refusal| resume_unwind(Box::new(refusal.to_string())));
            if !pool.has_threads() {
                self.say("the system grants no thread; searching on the one there is".into());
            }
            let network = Network::embedded();
            Ready { pool, threads: 1, asked_mb: None, hash_mb: None, network }
        });
        if ready.threads != wanted.threads {
            let room = memory::available_mb().map_or(usize::MAX, |mb| mb / THREAD_MB);
            ready.pool.resize_threads(wanted.threads.min(room.max(ready.pool.workers())));
            ready.threads = wanted.threads;
            let workers = ready.pool.workers();
            let short = if workers < wanted.threads { "no room for more; " } else { "" };
            self.say(format!("{short}searching with {workers} threads"));
        }
        if ready.hash_mb.is_none() || ready.asked_mb != wanted.hash_mb {
            ready.asked_mb = wanted.hash_mb;
            self.resize_hash(&mut ready, wanted.hash_mb);
        }
        let address = |network: &Option<Arc<Network>>| network.as_ref().map(Arc::as_ptr);
        if address(&ready.network) != address(&wanted.network) {
            ready.network.clone_from(&wanted.network);
            ready.pool.set_network(wanted.network.clone());
        }
        #[cfg(feature = "tune")]
        ready.pool.set_params(&wanted.params);
        *self.hash_view.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(ready.pool.hash_view());
        self.ready.insert(ready)
    }

    fn resize_hash(&self, ready: &mut Ready, wanted: Option<usize>) {
        let mb = wanted.unwrap_or_else(memory::automatic_mb);
        // The system may promise more than it has and end the process later, so it is asked first.
        // The old table stays until the new one is there.
        let room = memory::available_mb().unwrap_or(usize::MAX);
        let refusal = if mb > room {
            Some(format!("no room for {mb} MB of hash, {room} MB are free"))
        } else {
            ready.pool.resize_hash(mb).err().map(|error| error.to_string())
        };
        let Some(why) = refusal else {
            ready.hash_mb = Some(mb);
            return;
        };
        let kept = *ready.hash_mb.get_or_insert_with(|| {
            let less = memory::USUAL_MB.min(room).min(mb / 2).max(BIRTH_MB);
            ready.pool.resize_hash(less).map_or(BIRTH_MB, |()| less)
        });
        self.say(format!("{why}; keeping {kept} MB"));
    }

    fn think(&mut self, job: &Job) {
        let events = Arc::clone(&self.events);
        let mut verdict = None;
        let (outcome, failure) = guarded(&job.line, &job.limits, &*events, |report| {
            let ready = self.prepare(&job.resources);
            let Job { line, limits, ponder, multipv, signals, .. } = job;
            match &job.handicap {
                Some(handicap) => handicap.think(&mut ready.pool, job, report),
                None if limits.mate.is_some() => {
                    let pool = &mut ready.pool;
                    let (outcome, found) =
                        pool.seek_mate(line, limits, *ponder, *multipv, signals, report);
                    verdict = found;
                    outcome
                }
                None => ready.pool.think(line, limits, *ponder, *multipv, signals, report),
            }
        });
        if let Some(verdict) = verdict {
            self.say(verdict.to_string());
        }
        if let Some(text) = failure {
            self.start_afresh("the search", &text);
            job.wait_for_leave();
        }
        self.answer(outcome);
    }

    fn answer(&self, outcome: SearchResult) {
        // The answer may be acted on as soon as it is out, so the engine is idle before.
        self.thinking.fetch_sub(1, Ordering::SeqCst);
        (self.events)(Event::Best(outcome));
    }
}

/// Runs a search. If it panics the answer is the best move it had reported, or any legal one, and
/// what the panic said comes with it.
fn guarded(
    line: &Line,
    limits: &Limits,
    events: &(dyn Fn(Event) + Send + Sync),
    think: impl FnOnce(&(dyn Fn(Report) + Sync)) -> SearchResult,
) -> (SearchResult, Option<String>) {
    let started = Instant::now();
    let reported: Mutex<Option<Info>> = Mutex::new(None);
    let report = |report: Report| match report {
        Report::Line(info) => {
            if info.multipv == 1 && !info.pv.is_empty() {
                *reported.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.clone());
            }
            events(Event::Info(info));
        }
        Report::Progress(progress) => events(Event::Progress(progress)),
    };
    match catch_unwind(AssertUnwindSafe(|| think(&report))) {
        Ok(outcome) => (outcome, None),
        Err(panic) => {
            let last = reported.lock().unwrap_or_else(PoisonError::into_inner).take();
            let outcome = salvage(line, limits, last.as_ref(), started.elapsed());
            (outcome, Some(panic_text(panic.as_ref())))
        }
    }
}

/// The answer when a search came to grief.
fn salvage(line: &Line, limits: &Limits, last: Option<&Info>, time: Duration) -> SearchResult {
    let best = last.and_then(|info| info.pv.first().copied());
    SearchResult {
        best: best.or_else(|| any_move(line.position(), limits)),
        ponder: last.and_then(|info| info.pv.get(1).copied()),
        score: last.map_or(Score::Value(0), |info| info.score),
        depth: last.map_or(0, |info| info.depth),
        nodes: last.map_or(0, |info| info.nodes),
        time,
    }
}

/// Some legal move, one of those asked for if there is any.
fn any_move(position: &Position, limits: &Limits) -> Option<Move> {
    let moves = position.legal_moves();
    let wanted = |mv: &&Move| limits.only.is_empty() || limits.only.contains(mv);
    let banned = |mv: &Move| limits.never.contains(mv);
    let good = moves.iter().filter(wanted).find(|mv| !banned(mv));
    good.or_else(|| moves.first()).copied()
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".into())
}

#[cfg(test)]
mod tests {
    use std::sync::{
        atomic::AtomicBool,
        mpsc::{RecvTimeoutError, channel},
    };

    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn info(pv: &[&str]) -> Info {
        Info {
            depth: 7,
            seldepth: 9,
            multipv: 1,
            score: Score::Value(12),
            bound: crate::types::Bound::Exact,
            nodes: 1000,
            nps: 1,
            hashfull: 0,
            time: Duration::ZERO,
            pv: pv.iter().map(|text| mv(text)).collect(),
        }
    }

    #[test]
    fn a_panic_is_answered_by_the_best_move_so_far() {
        let line = Line::new(Position::start());
        let (outcome, failure) = guarded(&line, &Limits::default(), &|_| {}, |report| {
            report(Report::Line(info(&["b2e2", "h9g7"])));
            panic!("out of {}", "luck")
        });
        assert_eq!(failure.as_deref(), Some("out of luck"));
        assert_eq!((outcome.best, outcome.ponder), (Some(mv("b2e2")), Some(mv("h9g7"))));
        assert_eq!((outcome.depth, outcome.score), (7, Score::Value(12)));
    }

    #[test]
    fn a_panic_before_the_search_begins_is_answered_and_the_next_search_is_sound() {
        let (tell, events) = channel();
        let sound = AtomicBool::new(false);
        // Two threads are made ready with a message, and that fails once.
        let searcher = Searcher::new(
            Arc::new(move |event| {
                let fails =
                    matches!(event, Event::Message(_)) && !sound.swap(true, Ordering::SeqCst);
                assert!(!fails, "nobody hears");
                let _ = tell.send(event);
            }),
            Arc::new(AtomicUsize::new(2)),
            Arc::default(),
        );
        let (requests, inbox) = channel();
        let thread = thread::spawn(move || searcher.serve(&inbox));
        let line = Line::new(Position::start());
        for depth in [1, 2] {
            let job = Job {
                line: line.clone(),
                limits: Limits { depth: Some(depth), ..Limits::default() },
                ponder: false,
                multipv: 1,
                signals: Arc::new(Signals::new()),
                resources: Resources {
                    threads: 2,
                    hash_mb: Some(1),
                    network: None,
                    #[cfg(feature = "tune")]
                    params: crate::search::Params::default(),
                },
                handicap: None,
            };
            requests.send(Request::Think(Box::new(job))).unwrap();
        }
        drop(requests);
        let mut answers = Vec::new();
        loop {
            match events.recv_timeout(Duration::from_mins(1)) {
                Ok(Event::Best(outcome)) => answers.push((outcome.best.unwrap(), outcome.depth)),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("{error}"),
            }
        }
        thread.join().unwrap();
        assert_eq!(answers.iter().map(|answer| answer.1).collect::<Vec<_>>(), [0, 2]);
        assert!(answers.iter().all(|answer| line.position().is_legal(answer.0)));
    }

    #[test]
    fn a_panic_before_any_report_is_answered_by_a_legal_move() {
        let line = Line::new(Position::start());
        let legal = line.position().legal_moves();
        let (outcome, failure) = guarded(&line, &Limits::default(), &|_| {}, |_| panic!("at once"));
        assert_eq!(failure.as_deref(), Some("at once"));
        assert!(legal.contains(&outcome.best.unwrap()));

        let first = legal[0];
        let limits = Limits { never: vec![first], ..Limits::default() };
        assert_ne!(any_move(line.position(), &limits), Some(first));
        let limits = Limits { only: vec![legal[1]], ..Limits::default() };
        assert_eq!(any_move(line.position(), &limits), Some(legal[1]));
        let limits = Limits { never: legal.to_vec(), ..Limits::default() };
        assert!(any_move(line.position(), &limits).is_some());
    }
}
