//! A player in a process of its own, spoken to in UCCI or UCI. Knows the dialogue; leaves the pipes
//! to [`super::process`] and the words to [`crate::wire`].

use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use super::{
    Answer, Fault, Player, Program, Turn,
    letters::Letters,
    process::{Heard, Process, Silence},
    ranks::Ranks,
    until::Until,
};
use crate::{
    notation::quote,
    position::Position,
    rules::Line,
    types::scale::{self, Chances},
    wire::{Command, Dialect, Go, Offer, OptionKind, OptionLine, Reply, Score, Setup, Start, Unit},
};

/// How long an engine of unknown protocol may take to answer the first greeting.
const FIRST_GREETING: Duration = Duration::from_secs(3);
/// How long it may take to answer the second one, if it has said something else before.
const SECOND_GREETING: Duration = Duration::from_secs(5);
/// How long it may take to stop when told to.
const STOPPING: Duration = Duration::from_secs(1);

/// How to talk to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manners {
    /// Its protocol; `None`: whichever it answers, UCCI first.
    pub dialect: Option<Dialect>,
    /// Where it begins to count ranks.
    pub ranks: Ranks,
    /// How it spells the men of a board.
    pub letters: Letters,
    /// Options to set, as the user wants them. Each must be on offer.
    pub options: Vec<(String, String)>,
    /// Options to set if they are on offer: what the match can tell about itself.
    pub hints: Vec<(String, String)>,
    /// How long it may take to start, and to be ready for a game.
    pub patience: Duration,
}

/// Why an engine cannot be set up as wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It cannot be played with at all.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It speaks no protocol that we do, and may have said something else.
    #[error("answers neither ucci nor uci within {waited:?}{}", quoted(", but says", .said.as_deref()))]
    Mute {
        /// How long it was waited for.
        waited: Duration,
        /// The first line that it said.
        said: Option<String>,
    },
    /// It has no such option.
    #[error("offers no option `{0}`")]
    NoOption(String),
    /// The option does not take the value.
    #[error("option {name} takes {takes}, not `{value}`")]
    Value {
        /// The option.
        name: String,
        /// What it was to be set to.
        value: String,
        /// What it takes.
        takes: String,
    },
    /// The file that an option names is of no use.
    #[error("cannot use {file}: {error}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: String,
    },
}

/// An engine in a process.
pub struct ChildPlayer {
    program: Program,
    manners: Manners,
    /// Nothing after a fault, until the next game.
    engine: Option<Engine>,
}

/// A running engine that has been greeted.
struct Engine {
    process: Process,
    dialect: Dialect,
    /// What its clock counts in.
    unit: Unit,
}

impl ChildPlayer {
    /// Starts the engine, to see whether it plays as it is wanted to, unless `abort` is raised.
    ///
    /// # Errors
    /// When it does not start, does not talk or does not take its options.
    pub fn start(
        program: Program,
        manners: Manners,
        abort: &AtomicBool,
    ) -> Result<Self, SetupError> {
        let mut player = Self { program, manners, engine: None };
        player.restart(abort)?;
        Ok(player)
    }

    fn restart(&mut self, abort: &AtomicBool) -> Result<&mut Engine, SetupError> {
        // The old process goes before the new one comes.
        self.engine = None;
        let engine = Engine::greet(&self.program, &self.manners, abort)?;
        // A protocol once found need not be sought again.
        self.manners.dialect = Some(engine.dialect);
        Ok(self.engine.insert(engine))
    }
}

impl Player for ChildPlayer {
    fn new_game(&mut self, abort: &AtomicBool) -> Result<(), Fault> {
        if self.engine.is_none() {
            self.restart(abort).map_err(|error| match error {
                SetupError::Fault(fault) => fault,
                other => Fault::Start(other.to_string()),
            })?;
        }
        let Some(engine) = &mut self.engine else {
            return Err(Fault::Crash(String::new()));
        };
        engine.say(&Command::NewGame);
        let ready = engine.ready(self.manners.patience, abort);
        if ready.is_err() {
            self.engine = None;
        }
        ready
    }

    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let engine = self.engine.as_mut().ok_or_else(|| Fault::Crash(String::new()))?;
        let answer = engine.think(turn, &self.manners);
        match answer {
            // Late, but it obeys.
            Err(Fault::Silence(_)) if engine.stop() => {}
            Err(_) => self.engine = None,
            Ok(_) => {}
        }
        answer
    }
}

impl Drop for ChildPlayer {
    fn drop(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.process.part();
        }
    }
}

impl Engine {
    fn greet(program: &Program, manners: &Manners, abort: &AtomicBool) -> Result<Self, SetupError> {
        // The system's own error would name the program.
        if let Some(folder) = program.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(Fault::Start(format!("{} is no folder", folder.display())).into());
        }
        let start = || {
            Process::start(program, manners.ranks)
                .map_err(|error| Fault::Start(format!("{}: {error}", program.file.display())))
        };
        let begun = Instant::now();
        let mut process = start()?;
        let greetings = match manners.dialect {
            Some(dialect) => vec![(dialect, manners.patience)],
            None => vec![
                (Dialect::Ucci, FIRST_GREETING.min(manners.patience)),
                (Dialect::Uci, manners.patience),
            ],
        };
        for (dialect, patience) in greetings {
            process.send(&Command::Hello(dialect).print(dialect));
            let mut offered = Vec::new();
            let mut hear = |time| {
                hear_options(&process, dialect, &mut offered, Until::after(time).unless(abort))
            };
            let first = if manners.dialect.is_none() { SECOND_GREETING } else { patience };
            let mut heard = hear(first.min(patience));
            // Whatever has said something that is no answer is not about to give one.
            if heard == Err(Silence::TimedOut) && process.babble().is_none() {
                heard = hear(patience.saturating_sub(first));
            }
            match heard {
                Ok(()) => {
                    let mut engine = Self { process, dialect, unit: Unit::Millisecond };
                    engine.set_up(&offered, manners, abort)?;
                    return Ok(engine);
                }
                Err(Silence::TimedOut) => {}
                // Some leave at the first word they do not know.
                Err(Silence::Closed) if manners.dialect.is_none() && dialect == Dialect::Ucci => {
                    process = start()?;
                }
                Err(Silence::Closed) => {
                    let said = quoted(", having said", process.babble().as_deref());
                    return Err(Fault::Crash(process.ended() + &said).into());
                }
            }
        }
        // To tenths of a second.
        let waited = Duration::from_millis(begun.elapsed().as_millis() as u64 / 100 * 100);
        Err(SetupError::Mute { waited, said: process.babble() })
    }

    /// Sets the options and waits for the engine to have taken them.
    fn set_up(
        &mut self,
        offered: &[OptionLine],
        manners: &Manners,
        abort: &AtomicBool,
    ) -> Result<(), SetupError> {
        if self.dialect == Dialect::Ucci {
            if find(offered, "usemillisec").is_some() {
                self.set("usemillisec", "true");
            } else {
                self.unit = Unit::Second;
            }
        }
        for (name, value) in &manners.options {
            let option = find(offered, name).ok_or_else(|| SetupError::NoOption(name.clone()))?;
            check(option, value)?;
            self.set(&option.name, value);
        }
        for (name, value) in &manners.hints {
            let by_hand = manners.options.iter().any(|(set, _)| plain(set) == plain(name));
            if let Some(option) = find(offered, name).filter(|_| !by_hand)
                && check(option, value).is_ok()
            {
                self.set(&option.name, value);
            }
        }
        Ok(self.ready(manners.patience, abort)?)
    }

    fn set(&mut self, name: &str, value: &str) {
        self.say(&Command::SetOption { name: name.into(), value: value.as_bytes().into() });
    }

    fn say(&mut self, command: &Command) {
        self.process.send(&command.print(self.dialect));
    }

    /// Waits until the engine has done everything it was asked for, and forgets what it said.
    fn ready(&mut self, patience: Duration, abort: &AtomicBool) -> Result<(), Fault> {
        self.process.forget();
        self.say(&Command::IsReady);
        let ready = |reply: &Reply| *reply == Reply::ReadyOk;
        let heard = self.process.await_reply(Until::after(patience).unless(abort), ready);
        self.process.forget();
        heard.map_err(|silence| silence.fault(&self.process, Fault::Unready(patience)))
    }

    fn think(&mut self, turn: &Turn, manners: &Manners) -> Result<Answer, Fault> {
        // Whatever it has still to say of its last move is no answer to this.
        self.ready(manners.patience, turn.abort)?;
        let [red, black] = turn.clocks;
        let mut go = Go::on_clock(self.dialect, self.unit, turn.mover(), red, black);
        go.draw = turn.draw_offered && self.dialect == Dialect::Ucci;
        let setup = setup(turn.line, self.dialect, manners);
        self.say(&Command::Position(setup));
        self.say(&Command::Go(Box::new(go)));
        let sent = Instant::now();
        let until = Until::after(turn.patience).unless(turn.abort);
        loop {
            let heard = self.process.hear(until);
            let (at, heard) = heard
                .map_err(|silence| silence.fault(&self.process, Fault::Silence(turn.patience)))?;
            let (choice, offer) = match heard {
                Heard::Reply(Reply::BestMove { best, offer, .. }) => (Some(best), offer),
                Heard::Reply(Reply::NoBestMove) => (None, None),
                Heard::Nonsense(text) => return Err(Fault::Nonsense(text)),
                Heard::Reply(_) => continue,
            };
            let info = self.process.take_info().unwrap_or_default();
            return Ok(Answer {
                choice: choice.filter(|_| offer != Some(Offer::Resign)),
                draw: offer == Some(Offer::Draw),
                time: at.saturating_duration_since(sent),
                score: info.score.map(|score| on_one_scale(score, self.dialect, turn.line)),
                depth: info.depth,
                nodes: info.nodes,
            });
        }
    }

    /// Ends a search that takes too long; whether it did end.
    fn stop(&mut self) -> bool {
        self.say(&Command::Stop);
        let over = |reply: &Reply| matches!(reply, Reply::BestMove { .. } | Reply::NoBestMove);
        self.process.await_reply(Until::after(STOPPING), over).is_ok()
    }
}

/// A score of a position in the points of UCI, whichever protocol it was told in.
fn on_one_scale(score: Score, dialect: Dialect, line: &Line) -> Score {
    match (score, dialect) {
        (Score::Points(points), Dialect::Ucci) => {
            let chances = Chances::with(line.position().occupied().count());
            Score::Points(chances.uci(scale::from_ucci(points)))
        }
        (score, _) => score,
    }
}

impl Silence {
    /// What a player has done that is not heard of: this, or it has ended.
    fn fault(self, process: &Process, timed_out: Fault) -> Fault {
        match self {
            Self::TimedOut => timed_out,
            Self::Closed => Fault::Crash(process.ended()),
        }
    }
}

/// A line of no protocol, in words to be added to what it means.
fn quoted(how: &str, line: Option<&str>) -> String {
    line.map_or_else(String::new, |line| format!("{how} `{}`", quote(line)))
}

/// Adds the options that are offered up to the greeting's end.
fn hear_options(
    process: &Process,
    dialect: Dialect,
    offered: &mut Vec<OptionLine>,
    until: Until,
) -> Result<(), Silence> {
    loop {
        match process.hear(until)?.1 {
            Heard::Reply(Reply::Option(option)) => offered.push(option),
            Heard::Reply(Reply::Ok(spoken)) if spoken == dialect => return Ok(()),
            _ => {}
        }
    }
}

/// The game as the protocol tells it: UCCI from the last capture on, UCI from the start.
fn setup(line: &Line, dialect: Dialect, manners: &Manners) -> Setup {
    let history = line.history();
    let first = match dialect {
        Dialect::Uci => 0,
        Dialect::Ucci => {
            history.iter().rposition(|ply| ply.captured().is_some()).map_or(0, |ply| ply + 1)
        }
    };
    let start = line.position_after(first);
    let initial = first == 0 && start == Position::start();
    Setup {
        start: if initial {
            Start::Initial
        } else {
            Start::Fen(manners.letters.print(start.fen()))
        },
        moves: history[first..]
            .iter()
            .filter_map(|ply| Some(manners.ranks.print(ply.mv()?)))
            .collect(),
    }
}

/// Names are the same in any case and with or without blanks, hyphens and underscores.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn find<'a>(offered: &'a [OptionLine], name: &str) -> Option<&'a OptionLine> {
    offered.iter().find(|option| plain(&option.name) == plain(name))
}

/// Whether an option takes a value, as far as it says what it takes.
fn check(option: &OptionLine, value: &str) -> Result<(), SetupError> {
    let takes = match &option.kind {
        OptionKind::Check { .. } if !["true", "false"].contains(&value) => "true or false".into(),
        OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (*min..=*max).contains(&number) => return Ok(()),
            _ => format!("{min} to {max}"),
        },
        OptionKind::Combo { values, .. }
            if !values.iter().any(|known| known.eq_ignore_ascii_case(value)) =>
        {
            values.join(", ")
        }
        _ => return Ok(()),
    };
    Err(SetupError::Value { name: option.name.clone(), value: value.into(), takes })
}
