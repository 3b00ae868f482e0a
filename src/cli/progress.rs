//! How long work goes on: a line on standard error that is rewritten for a person and written now
//! and then for a file, and a wish to stop that is heeded at the next good moment.

use std::{
    io::{self, IsTerminal, Write},
    process::{self, ExitCode},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::ProgressBar;

use super::{interrupt, screen};
use crate::notation::one_line;

/// Where there is no terminal, a line is written this often.
pub(super) const INTERVAL: Duration = Duration::from_mins(1);

/// A line that is kept up to date.
#[derive(Debug)]
pub(super) struct Line {
    display: ProgressBar,
    /// Whether it is shown nowhere.
    mute: bool,
    /// When a line was last written where there is no terminal.
    written: Option<Instant>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { display: screen::display(), mute: false, written: None }
    }

    /// A line beside what goes to standard output as it is made, and tells how it goes where both would
    /// be on a terminal.
    pub(super) fn beside_output() -> Self {
        let mut line = Self::new();
        line.mute = !line.display.is_hidden() && io::stdout().is_terminal();
        line
    }

    /// A line that shows nothing but what is kept.
    pub(super) fn mute() -> Self {
        let mut line = Self::new();
        line.mute = true;
        line
    }

    /// Shows how it goes, unless that was shown just before.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.mute {
            return;
        }
        if !self.display.is_hidden() {
            if self.display.is_finished() {
                self.display.reset();
            }
            self.display.set_message(fold(&one_line(&text())));
        } else if self.written.is_none_or(|written| written.elapsed() >= INTERVAL) {
            self.written = Some(Instant::now());
            write(&text());
        }
    }

    /// Takes away what is shown, for others to write there.
    pub(super) fn clear(&mut self) {
        self.display.finish_and_clear();
    }

    /// What ends the program at once, as after an interrupt, with nothing left of what is shown.
    pub(super) fn leave(&self) -> impl Fn() + Send + 'static {
        let display = self.display.clone();
        move || display.suspend(|| process::exit(INTERRUPTED.into()))
    }

    /// Writes a line that stays.
    pub(super) fn keep(&mut self, text: &str) {
        self.clear();
        write(text);
        self.written = None;
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What is rewritten in place must fit the narrowest terminal that is thought of, of sixty columns, and
/// the `^C` of an interrupt after it.
const WIDTH: usize = 58;

/// Breaks lines between words, so that they fit.
pub(super) fn fold(text: &str) -> String {
    let mut folded = Vec::new();
    for line in text.lines() {
        let mut row = String::new();
        for word in line.split(' ') {
            let mut word = word;
            if !row.is_empty() && width(&row) + 1 + width(word) > WIDTH {
                folded.push(std::mem::take(&mut row));
            } else if !row.is_empty() {
                row.push(' ');
            }
            // A word that fits nowhere is broken, too.
            while width(&row) + width(word) > WIDTH {
                let fits = word.char_indices().map(|(at, _)| at);
                let fits = fits.take_while(|&at| width(&word[..at]) <= WIDTH).last();
                let at = fits.filter(|&at| at > 0).unwrap_or(word.len());
                folded.push(word[..at].to_owned());
                word = &word[at..];
            }
            row += word;
        }
        folded.push(row);
    }
    folded.join("\n")
}

/// Columns of a terminal, where Chinese characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c < '\u{2e80}' { 1 } else { 2 }).sum()
}

/// Writes lines on standard error, none of which a terminal obeys. Where nobody listens, nothing is lost.
pub(super) fn write(text: &str) {
    for line in text.lines() {
        let _ = writeln!(io::stderr(), "{}", one_line(line));
    }
}

/// What a program that was interrupted ends with.
pub(super) const INTERRUPTED: u8 = 130;

/// Says that the work is not done, in words and by the status that the program ends with.
pub(super) fn stopped(line: &mut Line) -> ExitCode {
    line.keep("stopped; the same command goes on");
    INTERRUPTED.into()
}

/// A bar of ten places for a part of the whole.
pub(super) fn bar(part: f64) -> String {
    let full = (10.0 * part.clamp(0.0, 1.0)) as usize;
    format!("[{}{}]", "=".repeat(full), " ".repeat(10 - full))
}

/// So many seconds as people say it: `40 s`, `12 min`, `3.5 h`.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        ..99.5 => format!("{seconds:.0} s"),
        ..5_970.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}

/// A flag that an interrupt raises; a second one ends the program at once, with nothing left of the
/// line.
pub(super) fn interrupt(line: &Line) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let (raised, leave) = (Arc::clone(&flag), line.leave());
    interrupt::listen(move || {
        if raised.swap(true, Ordering::Relaxed) {
            leave();
        }
    })?;
    Ok(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_digits_or_three() {
        for (seconds, text) in [
            (0.2, "0 s"),
            (99.0, "99 s"),
            (100.0, "2 min"),
            (5_900.0, "98 min"),
            (9_000.0, "2.5 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
        assert_eq!(bar(0.0), "[          ]");
        assert_eq!(bar(0.5), "[=====     ]");
        assert_eq!(bar(7.0), "[==========]");
    }

    #[test]
    fn what_is_shown_fits_a_narrow_terminal() {
        let words = "new - old: 160 won, 190 drawn, 90 lost of 440; pairs [10, 30, 100, 60, 20]";
        let text = format!("{words}\n\n{}\n[==   ] short\n{}", "楚".repeat(70), "x".repeat(60));
        let folded = fold(&text);
        assert!(folded.lines().all(|line| width(line) <= WIDTH), "{folded}");
        let plain = |text: &str| text.replace(['\n', ' '], "");
        assert_eq!(plain(&folded), plain(&text));
        assert!(
            folded.starts_with("new - old: 160 won, 190 drawn, 90 lost of 440; pairs [10,\n30,")
        );
        assert!(folded.contains("\n[==   ] short\n"));
    }
}
