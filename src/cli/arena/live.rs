//! How a match goes, while it goes: a bar and a table on a terminal, now and then a line elsewhere.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::table;
use crate::{
    arena::{Record, Standings, sprt::Sprt},
    cli::progress::{self, INTERVAL},
};

/// The display of a running match, on standard error.
pub(super) struct Live {
    bar: ProgressBar,
    told: Instant,
}

impl Live {
    pub(super) fn new(games: u64, done: u64) -> Self {
        let bar = ProgressBar::new(games).with_position(done);
        let template = "{wide_bar} {pos}/{len} games, {elapsed} gone, {eta} to go\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        Self { bar, told: Instant::now() }
    }

    /// After a game.
    pub(super) fn show(
        &mut self,
        names: &[String],
        standings: &Standings,
        sprt: Option<&Sprt>,
        latest: &Record,
    ) {
        let Record { game, red, black, result, reason, .. } = latest;
        let game = game + 1;
        let news = format!("game {game}: {} - {} {result}, {reason}", names[*red], names[*black]);
        let fault = latest.termination.is_fault();
        self.bar.inc(1);
        if self.bar.is_hidden() {
            let due = self.told.elapsed() >= INTERVAL;
            if fault || due {
                progress::write(&news);
            }
            if due {
                self.told = Instant::now();
                progress::write(table::render(names, standings, sprt).trim_end());
            }
            return;
        }
        if fault {
            self.bar.println(&news);
        }
        self.bar.set_message(format!("{}{news}", table::render(names, standings, sprt)));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
