//! What a comment of PGN may tell of a move in the words that other programs read, too:
//! `[%eval 0.35,12] [%emt 0:00:01.200] [%clk 0:09:58.800]`, or, as XBoard has it, `+0.35/12 1.2`. Knows
//! no moves.

use std::{fmt, time::Duration};

use crate::types::Color;

/// A score as Red sees it, as PGN has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Hundredths of whatever the engine counts in.
    Points(i32),
    /// Mate in so many moves of Red, or, below zero, of Black.
    Mate(i32),
}

/// What is told of a move beside the move itself. Everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// The score after it, as Red sees it.
    pub eval: Option<Eval>,
    /// How many plies deep that was searched.
    pub depth: Option<u32>,
    /// How long it took, to the millisecond.
    pub spent: Option<Duration>,
    /// What its mover's clock showed after it, to the millisecond.
    pub clock: Option<Duration>,
    /// Anything else.
    pub text: String,
}

impl Annotation {
    /// Reads a comment on a move of `mover` from a file that XBoard or its like may have written:
    /// score as the mover sees it, depth, seconds. Otherwise as [`Self::read`].
    pub fn read_of(mover: Color, comment: &str) -> Self {
        read_thought(mover, comment.trim()).unwrap_or_else(|| Self::read(comment))
    }

    /// Reads a comment. What is no known command is text.
    pub fn read(comment: &str) -> Self {
        let mut annotation = Self::default();
        if !comment.contains("[%") {
            annotation.text = comment.trim().into();
            return annotation;
        }
        let mut text = String::new();
        let mut rest = comment;
        while let Some((before, after)) = rest.split_once("[%") {
            text += before;
            let Some((command, tail)) = after.split_once(']') else {
                text += "[%";
                rest = after;
                continue;
            };
            rest = tail;
            if annotation.take(command).is_none() {
                text.extend(["[%", command, "]"]);
            } else if text.is_empty() || text.ends_with([' ', '\n']) {
                // What is taken out takes one of the blanks around it along.
                rest = tail.strip_prefix(' ').unwrap_or(tail);
            }
        }
        text += rest;
        annotation.text = text.trim().into();
        annotation
    }

    /// Adds to the text.
    pub fn say(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text += "; ";
        }
        self.text += text;
    }

    fn take(&mut self, command: &str) -> Option<()> {
        let (word, value) = command.split_once(' ')?;
        match word {
            "eval" => {
                let (score, depth) = value.split_once(',').unwrap_or((value, ""));
                let score = read_eval(score.trim())?;
                let depth = depth.trim();
                self.depth = if depth.is_empty() { None } else { Some(depth.parse().ok()?) };
                self.eval = Some(score);
            }
            "emt" => self.spent = Some(read_time(value.trim())?),
            "clk" => self.clock = Some(read_time(value.trim())?),
            _ => return None,
        }
        Some(())
    }
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(eval) = self.eval {
            let depth = self.depth.map_or_else(String::new, |depth| format!(",{depth}"));
            parts.push(match eval {
                Eval::Points(points) => {
                    let sign = if points < 0 { "-" } else { "" };
                    let size = points.unsigned_abs();
                    format!("[%eval {sign}{}.{:02}{depth}]", size / 100, size % 100)
                }
                Eval::Mate(moves) => format!("[%eval #{moves}{depth}]"),
            });
        }
        for (word, time) in [("emt", self.spent), ("clk", self.clock)] {
            if let Some(time) = time {
                parts.push(format!("[%{word} {}]", time_text(time)));
            }
        }
        if !self.text.is_empty() {
            parts.push(self.text.clone());
        }
        f.write_str(&parts.join(" "))
    }
}

fn read_eval(text: &str) -> Option<Eval> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Eval::Mate);
    }
    let points = text.parse::<f64>().ok()? * 100.0;
    points.is_finite().then(|| Eval::Points(points.round() as i32))
}

/// Reads `+0.30/9 2`, perhaps with more behind a comma or on another line. Whatever is only like it is
/// somebody's text.
fn read_thought(mover: Color, comment: &str) -> Option<Annotation> {
    let end = comment.find([',', '\n']).unwrap_or(comment.len());
    let mut words = comment[..end].split_ascii_whitespace();
    let (score, depth) = words.next()?.split_once('/')?;
    let time = words.next().map(|time| time.strip_suffix('s').unwrap_or(time));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let (whole, part) = score.strip_prefix(['+', '-']).unwrap_or(score).split_once('.')?;
    if words.next().is_some() || !plain(whole) || part.is_empty() || !plain(part) {
        return None;
    }
    let Eval::Points(points) = read_eval(score)? else { return None };
    let points = if mover == Color::Red { points } else { points.checked_neg()? };
    let rest = Annotation::read(comment[end..].trim_start_matches(','));
    // What is told twice stays as it is.
    if rest.eval.is_some() || time.is_some() && rest.spent.is_some() {
        return None;
    }
    let spent = match time {
        Some(time) => Some(read_time(time)?),
        None => rest.spent,
    };
    let (eval, depth) = (Some(Eval::Points(points)), Some(depth.parse().ok()?));
    Some(Annotation { eval, depth, spent, ..rest })
}

/// Reads `H:MM:SS` with an optional fraction, or fewer of its parts.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let part: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + part;
    }
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    // Rounded, since a fraction in decimals is none in binary.
    Some(Duration::from_millis((time.as_micros() as u64 + 500) / 1000))
}

fn time_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}.{:03}", time.subsec_millis())
}

#[cfg(test)]
mod tests {
    use proptest::{option::of, prelude::*};

    use super::*;

    prop_compose! {
        fn annotation()(
            eval in of(prop_oneof![
                any::<i32>().prop_map(Eval::Points),
                any::<i32>().prop_map(Eval::Mate),
            ]),
            depth in of(0..200u32),
            (spent, clock) in (of(0..1_000_000_000u64), of(0..1_000_000_000u64)),
            text in "([a-z棋]{1,8}( [a-z棋]{1,8}){0,3})?",
        ) -> Annotation {
            Annotation {
                eval,
                depth: depth.filter(|_| eval.is_some()),
                spent: spent.map(Duration::from_millis),
                clock: clock.map(Duration::from_millis),
                text,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(annotation in annotation()) {
            prop_assert_eq!(Annotation::read(&annotation.to_string()), annotation);
        }
    }

    #[test]
    fn what_xboard_tells_is_a_score_of_the_mover_a_depth_and_a_time() {
        let read = |mover, comment| Annotation::read_of(mover, comment);
        let thought = |points, depth, ms: Option<u64>, text: &str| Annotation {
            eval: Some(Eval::Points(points)),
            depth: Some(depth),
            spent: ms.map(Duration::from_millis),
            clock: None,
            text: text.into(),
        };
        assert_eq!(read(Color::Red, "+0.30/9 2"), thought(30, 9, Some(2000), ""));
        assert_eq!(read(Color::Black, "+0.30/9 2"), thought(-30, 9, Some(2000), ""));
        assert_eq!(read(Color::Black, "-1.05/12 1:05"), thought(105, 12, Some(65_000), ""));
        assert_eq!(read(Color::Red, "0.00/7"), thought(0, 7, None, ""));
        assert_eq!(
            read(Color::Red, "+2.10/14 0.35s, Red mates"),
            thought(210, 14, Some(350), "Red mates")
        );
        assert_eq!(read(Color::Red, "-0.20/10 3\n好"), thought(-20, 10, Some(3000), "好"));
        for text in
            ["+0.30/9 2 pawns up", "1/2", "3.5/6 of them", "./9", "+M5/9 1", "+0.1/x", "12.1/"]
        {
            assert_eq!(
                read(Color::Red, text),
                Annotation { text: text.into(), ..Default::default() }
            );
        }
        assert_eq!(read(Color::Black, "[%eval 0.30,9]"), thought(30, 9, None, ""));
    }

    #[test]
    fn strange_commands_are_text() {
        let read = Annotation::read("good [%csl Ra1] [%clk 1:00] [%eval x] [%eval 1,y] [% open");
        assert_eq!(read.clock, Some(Duration::from_mins(1)));
        assert_eq!(read.text, "good [%csl Ra1] [%eval x] [%eval 1,y] [% open");
        assert_eq!(read.eval, None);
    }
}
