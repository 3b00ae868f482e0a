//! One conversation with a client, as a state machine: a message comes in, replies go out. Never
//! waits for a search.
//!
//! # The protocol
//! The first greeting, `ucci` or `uci`, decides how to answer from then on. Some clients send both
//! and take whatever is answered, so the other greeting is passed over. Until a greeting comes
//! everything works, worded as in UCI, for people who type.
//!
//! # During a search
//! `isready`, `stop`, `ponderhit`, `quit`, greetings and what only looks (`d`, `eval`, `probe`,
//! `help`) are answered at once. Whatever would change the engine (`position`, `setoption`,
//! `banmoves`, `newgame`, `go`) waits in order until the search has answered: so clients may send
//! `stop`, `position` and `go` in one breath, and each `go` gets its own `bestmove`. A search that
//! ends by itself is let finish, as pipes full of commands expect. One that does not (`infinite`,
//! `ponder`, no limit) is stopped by the next `go`, `newgame` or `bench`, for otherwise both sides
//! would wait for ever.
//!
//! With `batch` on, what looks waits for its turn as well.
//!
//! # Ends
//! Nothing puts these off. A `stop` ends what runs and all that came before it and waits. `quit` does
//! so, too, and then leaves, at once even if much waits. At the end of the input everything that was
//! said is done first, for it may be a pipe with commands in it; only a search that does not end by
//! itself is stopped as soon as it has a move.
//!
//! # A move or none
//! `nobestmove` or `bestmove (none)` is said when there is no legal move and after `go depth 0`
//! only: a referee takes it for resignation. In UCCI it also answers a `stop` without a search,
//! unless that stop crossed the `bestmove` on its way: the client has its answer then, and would
//! take a second one for that of its next `go`.

use std::{
    io::{self, Write},
    mem,
    sync::mpsc::Sender,
};

use super::{
    console::{self, Chore},
    inbox::{self, Line, Msg},
    manners::Manners,
    queue::Queue,
    task::{Ending, Search, Task},
    wording,
};
use crate::{
    engine::{Engine, Event, OptionError},
    notation::text,
    position::perft,
    rules::Language,
    search::{Info, SearchResult},
    types::Bound,
    wire::{Command, Dialect, Go, ParseError, Reply, Setup, Unit},
};

/// So many commands that wait are still carried out after a `quit`, so that searches are answered;
/// it takes some milliseconds.
const FAREWELL: u32 = 100;
/// A message is cut at so many characters. It may quote what the client sent.
const MOST_SHOWN: usize = 400;

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    Continue,
    /// It is over.
    Exit,
}

/// One conversation.
pub struct Session<W> {
    out: W,
    engine: Engine,
    inbox: Sender<Msg>,
    /// The protocol of the first greeting.
    greeted: Option<Dialect>,
    task: Task,
    /// What came during a search and waits for its end.
    waiting: Queue,
    leaving: Leaving,
    /// A person types, and wants to hear of a word that means nothing.
    typed: bool,
    /// A `bestmove` is out that the next command may not have taken into account.
    crossing: bool,
    manners: Manners,
    /// What a person is answered in.
    language: Language,
    /// The position that was last sent was refused, or not taken wholly, and no search has answered
    /// for another one since.
    refused: bool,
}

/// Whether the client is about to leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    No,
    /// When all is done that it asked for; it has closed its end.
    WhenDone,
    /// It said `quit`; searches among the next so many commands that wait are still answered.
    After(u32),
}

impl<W: Write> Session<W> {
    /// The same, with a person answered in another language.
    #[must_use]
    pub fn speaking(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The same, with a person at the keyboard or none.
    #[must_use]
    pub fn typed(self, typed: bool) -> Self {
        Self { typed, ..self }
    }

    /// A session that writes to `out` and hears of its engine by `inbox`, whose other end hands
    /// everything to [`Self::handle`].
    pub fn new(out: W, inbox: Sender<Msg>) -> Self {
        let engine = Engine::new(tell(&inbox));
        Self::with(out, inbox, engine)
    }

    /// A session where the system grants no threads.
    pub fn unheard(out: W, inbox: Sender<Msg>) -> Self {
        let engine = Engine::unheard(tell(&inbox));
        Self::with(out, inbox, engine)
    }

    fn with(out: W, inbox: Sender<Msg>, engine: Engine) -> Self {
        Self {
            out,
            engine,
            inbox,
            greeted: None,
            task: Task::Nothing,
            waiting: Queue::default(),
            leaving: Leaving::No,
            typed: false,
            crossing: false,
            manners: Manners::default(),
            language: Language::English,
            refused: false,
        }
    }

    /// Deals with one message.
    ///
    /// # Errors
    /// When the output fails.
    pub fn handle(&mut self, msg: Msg) -> io::Result<Flow> {
        match msg {
            Msg::Line(line) => self.line(line),
            Msg::TooLong => self.message("a line too long to be read was passed over"),
            Msg::End => self.end(),
            Msg::Event(Event::Info(info)) => self.report(&info),
            Msg::Event(Event::Progress(progress)) => {
                self.say(&Reply::Info(wording::progress(&progress)))
            }
            Msg::Event(Event::Best(outcome)) => self.answer(&outcome),
            Msg::Event(Event::Message(text)) => self.message(&text),
            Msg::Output(text) => self.print(&text),
            Msg::Done => {
                self.task = Task::Nothing;
                self.go_on()
            }
        }
    }

    /// Whether nothing is being done or waits to be.
    pub fn is_idle(&self) -> bool {
        matches!(self.task, Task::Nothing) && self.waiting.is_empty()
    }

    /// Where the replies went.
    pub fn output(&mut self) -> &mut W {
        &mut self.out
    }

    fn line(&mut self, line: Line) -> io::Result<Flow> {
        let bytes = line.bytes();
        log::debug!("< {}", String::from_utf8_lossy(bytes.trim_ascii_end()));
        match Command::parse(bytes) {
            Ok(Some(command)) => self.receive(line, command),
            Ok(None) => Ok(Flow::Continue),
            Err(error @ ParseError::Unknown(_)) if self.greeted.is_some() => {
                self.remark(&error.to_string())
            }
            Err(error @ ParseError::Unknown(_)) => {
                self.message(&format!("{error}; `help` lists what may be typed"))
            }
            Err(error) => self.message(&error.to_string()),
        }
    }

    /// Carries a command out, now or later.
    fn receive(&mut self, line: Line, command: Command) -> io::Result<Flow> {
        if let Leaving::After(_) = self.leaving {
            return Ok(Flow::Continue);
        }
        let idle = matches!(self.task, Task::Nothing);
        match command {
            Command::Quit => return self.quit(),
            Command::Stop if !idle => {
                self.waiting.stop();
                self.stop();
                return Ok(Flow::Continue);
            }
            _ => {}
        }
        let next = self.waiting.is_empty() || jumps_the_queue(&command);
        if next && self.is_timely(&command) {
            return self.obey(command);
        }
        self.waiting.push(line, &command);
        self.stop_if_in_the_way();
        Ok(Flow::Continue)
    }

    /// Carries out what waits, as far as that can be done now.
    fn go_on(&mut self) -> io::Result<Flow> {
        while let Some((line, stopped)) = self.waiting.pop() {
            let Ok(Some(command)) = Command::parse(line.bytes()) else { continue };
            if !self.is_timely(&command) {
                self.waiting.put_back(line, &command, stopped);
                break;
            }
            if self.obey(command)? == Flow::Exit {
                return Ok(Flow::Exit);
            }
            if let Leaving::After(more) = &mut self.leaving {
                *more -= 1;
                if *more == 0 {
                    self.waiting.clear();
                }
                self.stop();
            } else if stopped {
                self.stop();
            }
        }
        self.stop_if_in_the_way();
        let over = self.leaving != Leaving::No && self.is_idle();
        if over { self.farewell() } else { Ok(Flow::Continue) }
    }

    /// Stops a search without an end that something waits for, or that so much waits for that no
    /// `stop` may be read any more.
    fn stop_if_in_the_way(&mut self) {
        let awaited = self.leaving == Leaving::WhenDone
            || self.waiting.has_ender()
            || self.waiting.size() > inbox::ROOM / 2;
        if awaited && self.is_endless() {
            self.stop();
        }
    }

    /// The input has ended.
    fn end(&mut self) -> io::Result<Flow> {
        if self.leaving == Leaving::No {
            self.leaving = Leaving::WhenDone;
        }
        self.go_on()
    }

    /// Whether a command that is next in turn can be carried out.
    fn is_timely(&self, command: &Command) -> bool {
        match &self.task {
            Task::Nothing => true,
            _ if self.is_batch() => false,
            _ => !matches!(
                command,
                Command::SetOption { .. }
                    | Command::Position(_)
                    | Command::BanMoves(_)
                    | Command::Go(_)
                    | Command::NewGame
                    | Command::Bench(_)
            ),
        }
    }

    /// Whether nothing but the end may be asked for.
    fn is_batch(&self) -> bool {
        let ends = match &self.task {
            Task::Nothing => return false,
            Task::Search(search) => search.ending == Ending::ByItself,
            Task::Chore(_) => true,
        };
        ends && self.engine.settings().batch
    }

    fn is_endless(&self) -> bool {
        matches!(&self.task, Task::Search(search) if search.ending != Ending::ByItself)
    }

    fn obey(&mut self, command: Command) -> io::Result<Flow> {
        let crossing = mem::take(&mut self.crossing);
        match command {
            Command::Hello(dialect) => self.greet(dialect),
            Command::IsReady => {
                self.crossing = crossing;
                self.engine.prepare();
                self.say(&Reply::ReadyOk)
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position(setup) => {
                let (start, moves) = setup.parts();
                let set = self.engine.set_position(start, &moves);
                self.refused = set.is_err();
                match set {
                    Ok(()) => Ok(Flow::Continue),
                    Err(error) => self.message(&error.to_string()),
                }
            }
            Command::BanMoves(moves) => {
                self.engine.ban(&moves);
                Ok(Flow::Continue)
            }
            Command::Go(go) => self.go(&go),
            Command::PonderHit { draw } => {
                if let Task::Search(search) = &mut self.task {
                    if search.ending == Ending::AfterHit {
                        search.ending = Ending::ByItself;
                    }
                    search.asked |= draw;
                    self.engine.ponder_hit(draw);
                }
                Ok(Flow::Continue)
            }
            Command::Stop => {
                let idle = matches!(self.task, Task::Nothing);
                if idle && self.dialect() == Dialect::Ucci && !crossing {
                    return self.say(&Reply::NoBestMove);
                }
                self.stop();
                Ok(Flow::Continue)
            }
            Command::Probe(setup) => self.probe(setup.as_ref()),
            Command::NewGame => {
                self.engine.new_game();
                self.manners = Manners::default();
                Ok(Flow::Continue)
            }
            Command::Quit => self.quit(),
            Command::Show => self.print(&console::board(self.engine.line(), self.language)),
            Command::Eval => {
                let position = self.engine.line().position();
                let network = self.engine.network();
                let text = console::explanation(position, network, self.dialect(), self.language);
                self.print(&text)
            }
            Command::Bench(depth) => {
                let chore = Chore::bench(depth, &self.inbox);
                self.begin(chore)
            }
            Command::Help => self.print(console::HELP),
        }
    }

    fn greet(&mut self, dialect: Dialect) -> io::Result<Flow> {
        let first = self.greeted.is_none();
        if *self.greeted.get_or_insert(dialect) != dialect {
            return self.remark("a greeting in another protocol is passed over");
        }
        // UCCI's clients are people's boards, which leave the openings to the engine; UCI's are as
        // often analysts and match runners, which ask for thought.
        if first && dialect == Dialect::Ucci {
            let set = self.engine.set_option("usebook", Some("true"));
            debug_assert_eq!(set, Ok(()), "the option is there");
        }
        let id = |key: &str, text: &str| Reply::Id { key: key.into(), text: text.into() };
        self.say(&id("name", concat!("chuhe ", env!("CARGO_PKG_VERSION"))))?;
        self.say(&id("author", "the chuhe authors"))?;
        for option in Engine::options() {
            if let Some(line) = wording::option(dialect, option) {
                self.say(&Reply::Option(line))?;
            }
        }
        self.say(&Reply::Ok(dialect))?;
        // Many clients never ask whether it is ready, and the first clock would pay for it.
        self.engine.prepare_soon();
        Ok(Flow::Continue)
    }

    fn set_option(&mut self, name: &str, value: &[u8]) -> io::Result<Flow> {
        // File names come in the encoding of the client's system.
        let (value, _) = text::decode(value);
        match self.engine.set_option(name, Some(&value)) {
            Ok(()) => {
                if self.greeted.is_some() {
                    self.engine.prepare_soon();
                }
                Ok(Flow::Continue)
            }
            Err(error @ OptionError::Unknown(_)) if self.dialect() == Dialect::Ucci => {
                self.remark(&error.to_string())
            }
            Err(error) => self.message(&error.to_string()),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<Flow> {
        for (word, in_its_place) in &go.unread {
            let place = if in_its_place.is_empty() { "nothing" } else { in_its_place };
            self.message(&format!("`{word}` takes a number, not `{place}`, and limits nothing"))?;
        }
        if mem::take(&mut self.refused) {
            let fen = self.engine.line().position().fen();
            self.message(&format!("the position was refused; this is about {fen}"))?;
        }
        let position = self.engine.line().position();
        if let Some(depth) = go.perft {
            let (depth, most) = (depth.min(perft::DEEPEST), perft::DEEPEST);
            let chore = Chore::perft(position, depth, &self.inbox);
            if go.perft.is_some_and(|asked| asked > most) {
                self.message(&format!("lines of more than {most} plies are not counted"))?;
            }
            return self.begin(chore);
        }
        if go.depth == Some(0) {
            let info = wording::static_info(
                self.dialect(),
                console::static_score(position, self.engine.network()),
                wording::chances(position),
            );
            self.say(&Reply::Info(info))?;
            return self.say(&Reply::NoBestMove);
        }
        let milliseconds = self.engine.settings().milliseconds;
        let unit = if milliseconds { Unit::Millisecond } else { Unit::Second };
        let (request, search) = Search::asked_for(go, position, unit);
        self.engine.go(request);
        self.task = Task::Search(search);
        Ok(Flow::Continue)
    }

    fn begin(&mut self, chore: Option<Chore>) -> io::Result<Flow> {
        let Some(chore) = chore else {
            return self.message("the system grants no thread for this");
        };
        self.task = Task::Chore(chore);
        Ok(Flow::Continue)
    }

    /// Ends what is being done.
    fn stop(&mut self) {
        match &mut self.task {
            Task::Nothing => {}
            Task::Search(search) => {
                search.stopped = true;
                self.engine.stop();
            }
            Task::Chore(chore) => chore.cancel(),
        }
    }

    fn probe(&mut self, setup: Option<&Setup>) -> io::Result<Flow> {
        let found = if let Some(setup) = setup {
            let (start, moves) = setup.parts();
            self.engine.probe(start, &moves)
        } else {
            let here = self.engine.line().position().fen();
            self.engine.probe(Some(&here), &[])
        };
        match found {
            Ok(entry) => self.say(&Reply::PopHash(wording::pop_hash(entry))),
            Err(error) => self.message(&error.to_string()),
        }
    }

    /// Leaves, with the answers to the search that runs and to those that wait.
    fn quit(&mut self) -> io::Result<Flow> {
        self.leaving = Leaving::After(FAREWELL);
        self.stop();
        self.go_on()
    }

    fn farewell(&mut self) -> io::Result<Flow> {
        if self.dialect() == Dialect::Ucci {
            self.say(&Reply::Bye)?;
        }
        Ok(Flow::Exit)
    }

    fn report(&mut self, info: &Info) -> io::Result<Flow> {
        let dialect = self.dialect();
        // UCCI has no word for a score that is only a bound.
        if dialect == Dialect::Ucci && info.bound != Bound::Exact {
            return Ok(Flow::Continue);
        }
        let settings = self.engine.settings();
        let chances = wording::chances(self.engine.line().position());
        let line = wording::info(dialect, info, chances, settings.multipv, settings.show_wdl);
        self.say(&Reply::Info(line))
    }

    /// Answers the search that runs.
    fn answer(&mut self, outcome: &SearchResult) -> io::Result<Flow> {
        let Task::Search(search) = mem::replace(&mut self.task, Task::Nothing) else {
            log::error!("an answer without a search: {outcome:?}");
            return Ok(Flow::Continue);
        };
        if let Some(best) = outcome.best {
            let ucci = self.dialect() == Dialect::Ucci;
            let agreed = || self.engine.agrees_to_draw(outcome);
            let offer = if ucci { self.manners.offer(&search, outcome, agreed) } else { None };
            self.say(&Reply::BestMove { best, ponder: outcome.ponder, offer })?;
        } else {
            self.say(&Reply::NoBestMove)?;
        }
        self.crossing = !search.stopped;
        self.go_on()
    }

    fn dialect(&self) -> Dialect {
        self.greeted.unwrap_or(Dialect::Uci)
    }

    /// What a client need not know: told to whoever types, and where `debug` asks for it.
    fn remark(&mut self, text: &str) -> io::Result<Flow> {
        log::debug!("{text}");
        if self.typed || self.engine.settings().debug {
            self.message(text)
        } else {
            Ok(Flow::Continue)
        }
    }

    fn message(&mut self, text: &str) -> io::Result<Flow> {
        let text: String = text.chars().take(MOST_SHOWN).collect();
        self.say(&Reply::Message(text))
    }

    fn say(&mut self, reply: &Reply) -> io::Result<Flow> {
        let line = reply.print(self.dialect());
        self.print(&line)
    }

    /// Writes text whose last line break may be missing.
    fn print(&mut self, text: &str) -> io::Result<Flow> {
        let text = text.strip_suffix('\n').unwrap_or(text);
        log::debug!("> {text}");
        // In one piece, so that a client that reads what there is gets whole lines.
        self.out.write_all(format!("{text}\n").as_bytes())?;
        self.out.flush()?;
        Ok(Flow::Continue)
    }
}

/// Whether a command is carried out before those that wait: none of them can matter to it.
fn jumps_the_queue(command: &Command) -> bool {
    matches!(command, Command::IsReady | Command::Hello(_) | Command::Help)
}

/// Hands what an engine reports to the inbox.
fn tell(inbox: &Sender<Msg>) -> impl Fn(Event) + Send + Sync + use<> {
    let inbox = inbox.clone();
    // A session that is gone needs no news.
    move |event| drop(inbox.send(Msg::Event(event)))
}
