//! Our own engine as a player in this process: no pipes, no text, the same search.

use std::{
    sync::{
        atomic::AtomicBool,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    time::Instant,
};

use super::{Answer, Fault, Player, SetupError, Turn, until::Until};
use crate::{
    engine::{Engine, Event, GoRequest, OptionError, OptionKind},
    rules::Line,
    search::SearchResult,
    types::{
        Score,
        scale::{self, Chances},
    },
    wire,
};

/// Our engine, without a process.
pub struct InProcess {
    engine: Engine,
    outcomes: Receiver<SearchResult>,
}

impl InProcess {
    /// An engine with these options set; hints that it does not take are passed over.
    ///
    /// # Errors
    /// When there is no such option, it does not take the value or cannot use the file.
    pub fn start(
        options: &[(String, String)],
        hints: &[(String, String)],
    ) -> Result<Self, SetupError> {
        let (mut engine, outcomes) = engine();
        for (name, value) in hints {
            if let Err(error) = engine.set_option(name, Some(value)) {
                log::debug!("{error}");
            }
        }
        let mut player = Self { engine, outcomes };
        for (name, value) in options {
            player.set(name, value)?;
        }
        player.engine.prepare();
        Ok(player)
    }

    /// Sets an option.
    ///
    /// # Errors
    /// When there is no such option, it does not take the value or cannot use the file.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetupError> {
        check(name, value)?;
        self.engine.set_option(name, Some(value)).map_err(|error| match error {
            OptionError::Unknown(name) => SetupError::NoOption(name),
            OptionError::BadValue { name, value, expected } => {
                SetupError::Value { name, value, takes: expected }
            }
            OptionError::File { file, error } => SetupError::File { file, error },
        })
    }
}

/// Refuses what the engine would rather clamp than complain about: no match is meant so.
fn check(name: &str, value: &str) -> Result<(), SetupError> {
    if let Some(OptionKind::Spin { min, max, .. }) = Engine::option(name).map(|option| option.kind)
        && !value.parse().is_ok_and(|number| (min..=max).contains(&number))
    {
        let takes = format!("{min} to {max}");
        return Err(SetupError::Value { name: name.into(), value: value.into(), takes });
    }
    Ok(())
}

impl Player for InProcess {
    fn new_game(&mut self, _abort: &AtomicBool) -> Result<(), Fault> {
        self.engine.new_game();
        self.engine.wait();
        // A search that was given up may have answered since.
        while self.outcomes.try_recv().is_ok() {}
        Ok(())
    }

    fn think(&mut self, turn: &Turn) -> Result<Answer, Fault> {
        let clock = turn.clock();
        let limits = clock.allowance();
        // A limit for single moves alone is a time to be used whole, not a share of anything.
        let kept = clock.left().is_some();
        let request = GoRequest {
            depth: limits.depth,
            nodes: limits.nodes,
            clock: clock.view().filter(|_| kept),
            move_time: limits.move_time.filter(|_| !kept),
            draw: turn.draw_offered,
            ..GoRequest::default()
        };
        self.engine.set_line(turn.line.clone());
        let begun = Instant::now();
        self.engine.go(request);
        let until = Until::after(turn.patience).unless(turn.abort);
        let outcome = loop {
            let Some(step) = until.step() else {
                self.engine.stop();
                self.engine.wait();
                return Err(Fault::Silence(turn.patience));
            };
            match self.outcomes.recv_timeout(step) {
                Ok(outcome) => break outcome,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Crash(String::new()));
                }
            }
        };
        let chances = Chances::with(turn.line.position().occupied().count());
        Ok(Answer {
            choice: outcome.best,
            draw: self.engine.agrees_to_draw(&outcome),
            time: begun.elapsed(),
            score: Some(match outcome.score {
                Score::Value(value) => wire::Score::Points(chances.uci(value)),
                Score::Mate(plies) if plies > 0 => wire::Score::Mate((plies + 1) / 2),
                Score::Mate(plies) => wire::Score::Mate(plies / 2),
            }),
            depth: Some(outcome.depth),
            nodes: Some(outcome.nodes),
        })
    }
}

/// Our engine as a judge of positions.
pub struct Judge {
    engine: Engine,
    outcomes: Receiver<SearchResult>,
    nodes: u64,
}

impl Judge {
    /// A judge that looks at so many positions each time.
    pub fn new(nodes: u64) -> Self {
        let (mut engine, outcomes) = engine();
        // A large table takes longer to clear than such a search takes.
        let set = engine.set_option("Hash", Some("1"));
        debug_assert_eq!(set, Ok(()), "the option is there");
        Self { engine, outcomes, nodes }
    }

    /// The worth of a position for the side to move, a knight 100; each judged afresh.
    pub fn points(&mut self, line: &Line) -> i32 {
        self.engine.new_game();
        self.engine.set_line(line.clone());
        self.engine.go(GoRequest { nodes: Some(self.nodes), ..GoRequest::default() });
        match self.outcomes.recv().map(|outcome| outcome.score) {
            Ok(Score::Value(value)) => scale::ucci(value),
            // Decided, and so is a position that no engine can judge.
            Ok(Score::Mate(_)) | Err(_) => i32::MAX,
        }
    }
}

fn engine() -> (Engine, Receiver<SearchResult>) {
    let (sender, outcomes) = mpsc::channel();
    let engine = Engine::new(move |event| {
        if let Event::Best(outcome) = event {
            // Nobody waits any more when the player is gone.
            let _ = sender.send(outcome);
        }
    });
    (engine, outcomes)
}
