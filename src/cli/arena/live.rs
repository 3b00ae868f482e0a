//! How a match goes, while it goes: a bar and a table on a terminal, now and then a line elsewhere.

use std::time::Instant;

use indicatif::ProgressBar;

use super::table;
use crate::{
    arena::{Record, Standings, sprt::Sprt},
    cli::{
        progress::{self, INTERVAL},
        screen,
    },
    notation::one_line,
};

/// The display of a running match, on standard error. Its clones are the same display.
#[derive(Clone, Debug)]
pub(super) struct Display(ProgressBar);

impl Display {
    pub(super) fn new() -> Self {
        Self(screen::display())
    }

    /// Writes a line that stays, whoever may be showing something.
    pub(super) fn say(&self, line: &str) {
        self.0.suspend(|| progress::write(line));
    }
}

/// What is shown of a match, until this is dropped.
pub(super) struct Live<'a> {
    display: &'a Display,
    names: &'a [String],
    sprt: Option<&'a Sprt>,
    /// How many games there are to be, and were before.
    games: Option<usize>,
    before: u64,
    begun: Instant,
    told: Instant,
}

impl<'a> Live<'a> {
    pub(super) fn new(
        display: &'a Display,
        names: &'a [String],
        sprt: Option<&'a Sprt>,
        games: Option<usize>,
        before: usize,
    ) -> Self {
        let now = Instant::now();
        Self { display, names, sprt, games, before: before as u64, begun: now, told: now }
    }

    /// After a game.
    pub(super) fn show(&mut self, standings: &Standings, latest: &Record) {
        let Record { game, red, black, result, reason, .. } = latest;
        let (names, game) = (self.names, game + 1);
        let news = format!("game {game}: {} - {} {result}, {reason}", names[*red], names[*black]);
        let news = one_line(&news);
        let fault = latest.termination.is_fault();
        let table = || table::render(names, standings, self.sprt);
        let bar = &self.display.0;
        if !bar.is_hidden() {
            if fault {
                bar.println(&news);
            }
            let text = format!("{}\n{}{news}", self.course(standings), table());
            bar.set_message(progress::fold(&text));
            return;
        }
        let due = self.told.elapsed() >= INTERVAL;
        if fault || due {
            progress::write(&news);
        }
        if due {
            self.told = Instant::now();
            progress::write(&format!("{}\n{}", self.course(standings), table().trim_end()));
        }
    }

    /// How far it is, and how long it takes from here, if it goes on like this.
    fn course(&self, standings: &Standings) -> String {
        let played = standings.total();
        let all = self.games.map(|all| all as f64);
        let test = self.sprt.and_then(|sprt| test_length(sprt, standings));
        let wanted = all.unwrap_or(f64::INFINITY).min(test.unwrap_or(f64::INFINITY));
        let here = (played - self.before) as f64;
        let left = (wanted - played as f64).max(0.0) * self.begun.elapsed().as_secs_f64() / here;
        let left = match left.is_finite() {
            true if test.is_some_and(|test| test <= wanted) => {
                format!(", about {} left at this rate", progress::duration(left))
            }
            true => format!(", {} left", progress::duration(left)),
            false => String::new(),
        };
        match all {
            Some(all) => {
                format!("{} {played} of {all} games{left}", progress::bar(played as f64 / all))
            }
            None => format!("{played} games{left}"),
        }
    }
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        self.display.0.finish_and_clear();
    }
}

/// How many games a test takes, if its ratio grows as it did so far, once it has left zero behind.
fn test_length(sprt: &Sprt, standings: &Standings) -> Option<f64> {
    let outcomes = standings.scores.values().next()?.outcomes();
    let (llr, (low, high)) = (sprt.llr(&outcomes), sprt.bounds());
    let part = if llr < 0.0 { llr / low } else { llr / high };
    (part > 0.1).then(|| standings.total() as f64 / part)
}
