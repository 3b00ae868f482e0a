//! One engine without input or output: positions, options and searches, told apart from any
//! protocol. It never blocks its caller; what it finds it reports as an [`Event`].

pub mod bench;
mod books;
mod draws;
mod memory;
mod options;
mod place;
mod searcher;
mod strength;

use std::{
    cell::RefCell,
    mem,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

pub use options::{Idle, MAX_THREADS, OptionError, OptionKind, OptionSpec, Settings};
pub use place::locate;
pub use strength::Randomness;

use crate::{
    clock::{Allowance, Budget, ClockView, Habits, MoveCount},
    eval::{Network, explain},
    position::{FenError, Position},
    rules::Line,
    search::{HashEntry, HashView, Info, Limits, Progress, SearchResult, Signals},
    simd,
    types::{Color, Move, SplitMix64},
};
use books::{Books, Found};
use options::Consequence;
use place::NOWHERE;
use searcher::{Job, Request, Resources, Searcher};
use strength::Handicap;

/// The recursion of a search goes hundreds of plies deep, and a debug build's frames are large. Mapped
/// only as far as it is used, but counted where address space is limited.
const STACK_BYTES: usize = 16 << 20;

/// Without a thread to search on nothing can be heard meanwhile, so a search without a limit gets one.
const UNHEARD_TIME: Duration = Duration::from_secs(1);

/// What an engine reports.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line that the search has found.
    Info(Info),
    /// Where a long search is.
    Progress(Progress),
    /// The search is over. Each [`Engine::go`] is answered by exactly one.
    Best(SearchResult),
    /// Something for the user to read.
    Message(String),
}

/// Why a position was not set, or not wholly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The start position is none; the old one is kept.
    #[error("bad position: {0}")]
    BadFen(#[from] FenError),
    /// A move cannot be played; the position before it is kept.
    #[error("move {ply} of the list, `{word}`, is not legal; it and what follows are left out")]
    IllegalMove {
        /// Which move of the list it is, from 1.
        ply: usize,
        /// The word that stood there.
        word: String,
    },
}

/// What to search for. Everything may be combined; whatever is reached first ends the search, and
/// nothing at all means until [`Engine::stop`]. A time for the move outranks the clock, and a clock
/// that shows nothing beside another limit is none: some clients tell clocks that they do not keep.
#[derive(Clone, Debug, Default)]
pub struct GoRequest {
    /// So many plies.
    pub depth: Option<u32>,
    /// So many positions.
    pub nodes: Option<u64>,
    /// A mate in at most so many own moves.
    pub mate: Option<u32>,
    /// The clock of the side to move.
    pub clock: Option<ClockView>,
    /// A time to think about this move.
    pub move_time: Option<Duration>,
    /// No answer before [`Engine::stop`], whatever is found.
    pub infinite: bool,
    /// Only these moves; none: all.
    pub only: Vec<Move>,
    /// The opponent is still to move: no answer before [`Engine::ponder_hit`] or [`Engine::stop`].
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
}

impl GoRequest {
    /// Whether a clock is more than a zero beside other limits.
    fn is_kept(&self, clock: &ClockView) -> bool {
        let otherwise = self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.infinite;
        !(clock.left.is_zero() && otherwise)
    }
}

/// A xiangqi engine.
pub struct Engine {
    settings: Settings,
    network: Option<Arc<Network>>,
    /// Nothing until they are needed.
    books: Option<Books>,
    /// What chance decides by.
    rng: SplitMix64,
    line: Line,
    banned: Vec<Move>,
    draw_offered: bool,
    /// Own moves of the game that were made on a clock.
    clocked: MoveCount,
    events: Arc<dyn Fn(Event) + Send + Sync>,
    signals: Arc<Signals>,
    thinking: Arc<AtomicUsize>,
    hash_view: Arc<Mutex<Option<HashView>>>,
    labour: Labour,
}

/// Who carries requests out.
enum Labour {
    /// A thread of its own, in order.
    Thread { requests: mpsc::Sender<Request>, thread: thread::JoinHandle<()> },
    /// Whoever makes the request, before it is over.
    Caller(Box<RefCell<Searcher>>),
    /// Nobody any more.
    Nobody,
}

impl Engine {
    /// An engine at the start position. Cheap: memory and threads come with the first need.
    ///
    /// Where the system grants no thread it searches on its caller's: [`Self::go`] returns after the
    /// answer then, and a search without a limit takes a second.
    pub fn new(events: impl Fn(Event) + Send + Sync + 'static) -> Self {
        let mut engine = Self::unheard(events);
        let (requests, inbox) = mpsc::channel();
        let searcher = engine.searcher();
        let builder = thread::Builder::new().name("searcher".into()).stack_size(STACK_BYTES);
        match simd::has_room(STACK_BYTES).then(|| builder.spawn(move || searcher.serve(&inbox))) {
            Some(Ok(thread)) => engine.labour = Labour::Thread { requests, thread },
            Some(Err(error)) => log::error!("no thread to search on: {error}"),
            None => log::error!("no memory for a thread to search on"),
        }
        engine
    }

    /// As [`Self::new`] where the system grants no thread.
    pub fn unheard(events: impl Fn(Event) + Send + Sync + 'static) -> Self {
        let mut engine = Self {
            settings: Settings::default(),
            network: Network::embedded(),
            books: None,
            rng: SplitMix64::new(clock_seed()),
            line: Line::new(Position::start()),
            banned: Vec::new(),
            draw_offered: false,
            clocked: MoveCount::default(),
            events: Arc::new(events),
            signals: Arc::new(Signals::new()),
            thinking: Arc::default(),
            hash_view: Arc::default(),
            labour: Labour::Nobody,
        };
        engine.labour = Labour::Caller(Box::new(RefCell::new(engine.searcher())));
        engine
    }

    fn searcher(&self) -> Searcher {
        let (thinking, hash_view) = (Arc::clone(&self.thinking), Arc::clone(&self.hash_view));
        Searcher::new(Arc::clone(&self.events), thinking, hash_view)
    }

    /// Whether nothing can be said to a search while it runs, for want of a thread to run it on.
    pub fn is_unheard(&self) -> bool {
        matches!(self.labour, Labour::Caller(_))
    }

    /// The table of all options.
    pub fn options() -> &'static [OptionSpec] {
        options::options()
    }

    /// The option of a name, in whatever way a client writes it.
    pub fn option(name: &str) -> Option<&'static OptionSpec> {
        options::find(name)
    }

    /// What the options are set to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets an option, named as any client names it. A number out of range is clamped, with a
    /// message. Threads and memory change when the engine is next idle and in need of them; the
    /// position is judged by new rules at once.
    ///
    /// # Errors
    /// When there is no such option, it does not take the value or cannot use the file. Nothing has
    /// changed then.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let before = self.settings.eval_file.clone();
        let (consequence, remark) = self.settings.set(name, value)?;
        if let Some(remark) = remark {
            (self.events)(Event::Message(remark));
        }
        match consequence {
            Consequence::Nothing | Consequence::Resources => {}
            Consequence::NewGame => self.new_game(),
            Consequence::Rules => self.line = self.line.judged_by(self.settings.rules.ruleset()),
            Consequence::Network => {
                self.load_network().inspect_err(|_| self.settings.eval_file = before)?;
            }
            Consequence::Books => {
                self.books = None;
                if self.settings.own_book {
                    self.open_books();
                }
            }
        }
        Ok(())
    }

    /// Lets chance start from here, so that it can be repeated.
    pub fn seed(&mut self, seed: u64) {
        self.rng = SplitMix64::new(seed);
    }

    /// Gets threads and memory ready as the options say, and returns when they are; at once while
    /// a search runs, which has them.
    pub fn prepare(&mut self) {
        if !self.is_thinking() {
            self.send(Request::Prepare(self.resources()));
            self.wait();
        }
    }

    /// Gets threads and memory ready as the options say, off any clock; returns at once.
    pub fn prepare_soon(&mut self) {
        if !self.is_thinking() {
            self.send(Request::Prepare(self.resources()));
        }
    }

    /// Sets the position: a FEN, or `None` for the start position, and the moves played since.
    /// Lifts all bans.
    ///
    /// # Errors
    /// With a bad FEN nothing changes; at the first bad move it stops.
    pub fn set_position(
        &mut self,
        start: Option<&str>,
        moves: &[&str],
    ) -> Result<(), PositionError> {
        let mut line = Line::under(self.settings.rules.ruleset(), start_position(start)?);
        let result = play(&mut line, moves);
        self.line = line;
        self.banned.clear();
        result
    }

    /// Takes over a position with its history, and the rules that it is played by. Lifts all bans.
    pub fn set_line(&mut self, line: Line) {
        self.line = line;
        self.banned.clear();
    }

    /// Moves not to be played from here, until the next [`Self::set_position`].
    pub fn ban(&mut self, moves: &[Move]) {
        self.banned = moves.to_vec();
    }

    /// The position and the moves that led to it.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Starts a search and returns at once. A search that still runs is stopped first; it answers
    /// before the new one does. In a game a book may have the answer.
    pub fn go(&mut self, mut request: GoRequest) {
        self.signals.stop();
        self.signals = Arc::new(Signals::new());
        self.draw_offered = request.draw;
        if self.is_unheard() {
            self.bound(&mut request);
        }
        let clock = request.clock.filter(|clock| request.is_kept(clock));
        request.clock = clock.map(|told| self.completed(told));
        self.thinking.fetch_add(1, Ordering::SeqCst);
        if let Some(found) = self.ask_books(&request) {
            self.send(Request::Answer(Box::new(found)));
            return;
        }
        let ponder = request.ponder;
        let handicap = self.handicap(&request);
        let job = Job {
            limits: self.limits(request),
            line: self.line.clone(),
            ponder,
            multipv: self.settings.multipv,
            signals: Arc::clone(&self.signals),
            resources: self.resources(),
            handicap,
        };
        self.send(Request::Think(Box::new(job)));
    }

    /// Leaves no search without an end of its own.
    fn bound(&self, request: &mut GoRequest) {
        let GoRequest { depth, nodes, clock, move_time, .. } = &*request;
        let limited = depth.is_some() || nodes.is_some() || clock.is_some() || move_time.is_some();
        if request.infinite || request.ponder || !limited {
            let told = "there is no thread to search on, so no stop is heard: searching a second";
            (self.events)(Event::Message(told.into()));
            request.move_time = Some(UNHEARD_TIME);
        }
        request.infinite = false;
        request.ponder = false;
    }

    /// The opponent has played the expected move, and perhaps offered a draw with it.
    pub fn ponder_hit(&mut self, draw: bool) {
        self.draw_offered |= draw;
        self.signals.ponder_hit();
    }

    /// Ends the search, which answers with the best move found so far.
    pub fn stop(&mut self) {
        self.signals.stop();
    }

    /// Forgets everything learned; the position stays. A search that still runs is stopped.
    pub fn new_game(&mut self) {
        self.signals.stop();
        self.clocked = MoveCount::default();
        self.send(Request::NewGame(self.resources()));
    }

    /// Whether a search is running or about to. It is false by the time its [`Event::Best`] is
    /// reported; whoever reads events later must count those instead.
    pub fn is_thinking(&self) -> bool {
        self.thinking.load(Ordering::SeqCst) > 0
    }

    /// Waits until everything asked for is done: for ever, if a search without a limit runs.
    pub fn wait(&mut self) {
        let (done, idle) = mpsc::channel();
        self.send(Request::Fence(done));
        // An error means that the searcher is gone, and idle it is.
        let _ = idle.recv();
    }

    /// What the transposition table knows of a position, idle or thinking.
    ///
    /// # Errors
    /// As [`Self::set_position`], but nothing changes.
    pub fn probe(
        &self,
        start: Option<&str>,
        moves: &[&str],
    ) -> Result<Option<HashEntry>, PositionError> {
        let mut line = Line::new(start_position(start)?);
        play(&mut line, moves)?;
        if self.is_thinking() {
            let hash_view = self.hash_view.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(hash_view.as_ref().and_then(|hash_view| hash_view.probe(line.position())));
        }
        let (answer, found) = mpsc::channel();
        self.send(Request::Probe(Box::new(line.position().clone()), answer));
        Ok(found.recv().ok().flatten())
    }

    /// Whether the draw that was offered with the last [`Self::go`] or [`Self::ponder_hit`], if
    /// any, is welcome after this outcome.
    pub fn agrees_to_draw(&self, outcome: &SearchResult) -> bool {
        self.draw_offered && draws::is_welcome(&self.line, outcome, self.settings.draws_won_by)
    }

    /// What the scheme, if one is set, grants the side to move.
    fn allowance(&self) -> Option<Allowance> {
        let scheme = self.settings.scheme.as_ref()?;
        Some(match self.line.position().side() {
            Color::Red => scheme.red(),
            Color::Black => scheme.black(),
        })
    }

    /// What is told of the clock and what the scheme, if one is set, says beyond that.
    fn completed(&mut self, told: ClockView) -> ClockView {
        let made = self.clocked.before(self.line.position().number());
        self.allowance().map_or(told, |allowance| told.completed(&allowance, made))
    }

    /// The network that positions are evaluated by; without any, it is the handcrafted evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().filter(|_| self.settings.use_network)
    }

    /// Takes the network that is asked for, and says so, or keeps the present one.
    fn load_network(&mut self) -> Result<(), OptionError> {
        let Some(file) = &self.settings.eval_file else {
            self.network = Network::embedded();
            return Ok(());
        };
        let unusable = |error: String| OptionError::File { file: file.clone(), error };
        let path = locate(file).ok_or_else(|| unusable(NOWHERE.into()))?;
        let network = Network::load(&path).map_err(|error| unusable(error.to_string()))?;
        let off = if self.settings.use_network { "" } else { ", as soon as UseNNUE is on" };
        (self.events)(Event::Message(format!("evaluating by {file}: {network}{off}")));
        self.network = Some(Arc::new(network));
        Ok(())
    }

    /// What a book says to play, where books may be asked.
    fn ask_books(&mut self, request: &GoRequest) -> Option<Found> {
        let Settings { own_book, analyse, multipv, book_depth, book_choice, .. } = self.settings;
        let limited = request.clock.is_some()
            || request.move_time.is_some()
            || request.depth.is_some()
            || request.nodes.is_some();
        let otherwise = request.mate.is_some() || request.infinite || request.ponder;
        let every_move = request.only.is_empty() && self.banned.is_empty();
        let game = limited && !otherwise && every_move && multipv == 1 && !analyse;
        let early = book_depth.is_none_or(|depth| books::plies_played(&self.line) < depth);
        if !(own_book && game && early) {
            return None;
        }
        if self.books.is_none() {
            self.open_books();
        }
        let tell = |text| (self.events)(Event::Message(text));
        let books = self.books.as_ref()?;
        let network = self.network.as_ref().filter(|_| self.settings.use_network);
        let (line, rng) = (&self.line, &mut self.rng);
        // A book is a file, and whatever is wrong with it the move can be found without.
        let found = panic::catch_unwind(AssertUnwindSafe(|| {
            books.find(line, book_choice, rng, &tell, || explain(line.position(), network).total)
        }));
        found.unwrap_or_else(|_| {
            tell("the books failed and are closed".into());
            self.books = Some(Books::closed());
            None
        })
    }

    /// Opens the books that are asked for and says which cannot be used.
    fn open_books(&mut self) {
        let list = self.settings.book_files.as_deref().unwrap_or_default();
        self.books = Some(Books::open(list, &|text| (self.events)(Event::Message(text))));
    }

    fn limits(&self, request: GoRequest) -> Limits {
        let overhead = self.settings.overhead;
        let habits = Habits { overhead, ponder: self.settings.ponder || request.ponder };
        let clock = request
            .clock
            .map(|clock| Budget::for_move(&clock, habits, self.line.position().number()));
        let time = request.move_time.map(Budget::fixed).map_or(clock, |fixed| {
            // Where the scheme limits each move, to think longer loses the game.
            let limit = self.allowance().and_then(|allowance| allowance.move_time);
            Some(limit.map_or(fixed, |limit| fixed.min(Budget::within(limit, overhead))))
        });
        let endless = time.is_none()
            && request.depth.is_none()
            && request.nodes.is_none()
            && request.mate.is_none();
        Limits {
            depth: request.depth,
            nodes: request.nodes,
            mate: request.mate,
            time,
            infinite: request.infinite || endless,
            only: request.only,
            never: self.banned.clone(),
            draws_won_by: self.settings.draws_won_by,
        }
    }

    /// How the game is to be played if not as well as can be. An analysis always is.
    fn handicap(&mut self, request: &GoRequest) -> Option<Handicap> {
        let Settings { randomness, analyse, multipv, .. } = self.settings;
        let limited = request.clock.is_some()
            || request.move_time.is_some()
            || request.depth.is_some()
            || request.nodes.is_some();
        if analyse || request.infinite || request.mate.is_some() || !limited {
            return None;
        }
        let seed = self.rng.next();
        match self.settings.level() {
            Some(elo) => Handicap::of_elo(elo, seed),
            None if multipv == 1 => Handicap::of_randomness(randomness, seed),
            None => None,
        }
    }

    fn resources(&self) -> Resources {
        // Several threads cannot share out the few positions of a level.
        let single = self.settings.level().is_some();
        Resources {
            threads: if single { 1 } else { self.settings.working_threads(simd::processors()) },
            hash_mb: self.settings.hash_mb,
            network: self.network().cloned(),
            #[cfg(feature = "tune")]
            params: self.settings.params.clone(),
        }
    }

    fn send(&self, request: Request) {
        match &self.labour {
            // The searcher catches the panics of a search; were it gone all the same, nobody
            // could answer, and the log says why.
            Labour::Thread { requests, .. } => {
                let sent = requests.send(request);
                sent.unwrap_or_else(|_| log::error!("the searcher is gone"));
            }
            Labour::Nobody => {}
            Labour::Caller(searcher) => searcher.borrow_mut().carry_out(request),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.signals.stop();
        let labour = mem::replace(&mut self.labour, Labour::Nobody);
        if let Labour::Thread { requests, thread } = labour {
            drop(requests);
            // A panic in the searcher has been reported already.
            let _ = thread.join();
        }
    }
}

/// A seed that differs from one start to the next.
fn clock_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}

fn start_position(fen: Option<&str>) -> Result<Position, FenError> {
    fen.map_or_else(|| Ok(Position::start()), Position::from_fen)
}

/// Plays the moves as far as they go.
fn play(line: &mut Line, moves: &[&str]) -> Result<(), PositionError> {
    for (done, &word) in moves.iter().enumerate() {
        let played = word.parse().ok().and_then(|mv| line.play(mv).ok());
        played.ok_or_else(|| PositionError::IllegalMove { ply: done + 1, word: word.into() })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
