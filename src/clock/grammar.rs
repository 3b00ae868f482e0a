//! How a time control is written. Text to value and back; knows nothing of clocks.
//!
//! ```text
//! control   = sides [ "/" scale ]
//! sides     = allowance  |  "red=" allowance ",black=" allowance
//! allowance = part { "," part }
//! part      = "6.1" | "6.2" | "6.3" | "6.4" | "6.5:" time
//!           | period { ":" period }
//!           | "move=" time  |  "countdown=" [ count "x" ] time  |  "nodes=" count  |  "depth=" count
//! period    = [ moves "/" ] time [ "+" time ]
//! time      = decimal [ "ms" | "s" | "min" | "m" | "h" ]          seconds without a unit
//! ```
//!
//! A whole number without a unit before a stroke counts moves: `40/60` is 40 moves in a minute, and
//! a sixtieth of 40 seconds is `40s/60`. The last period repeats, or lasts when it counts no moves.

use std::{fmt, str::FromStr, time::Duration};

use super::control::{ARTICLE_6, Allowance, Countdown, Period, TimeControl};

/// Units of time in nanoseconds, the longest first; what prints a time takes the first that fits.
const UNITS: [(&str, u128); 5] = [
    ("h", 3_600_000_000_000),
    ("min", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("m", 60_000_000_000),
];

/// No game is longer, and no sum of such times overflows.
const LONGEST: Duration = Duration::from_hours(10_000);

/// Why a text is not a time control. Each quotes the piece that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// Nothing stands where something must.
    #[error("`{0}` lacks a part, or has a comma too many")]
    Empty(String),
    /// A name like those of 第6条.
    #[error("there is no scheme `{0}`: 6.1 to 6.4, 6.5:60min, or seconds as in `{0}s`")]
    Scheme(String),
    /// 6.5 alone.
    #[error("`{0}` needs its budget, as in 6.5:60min")]
    Budget(String),
    /// Not a time.
    #[error("`{0}` is no time such as 90min, 5.5s, 100ms or 1h")]
    Time(String),
    /// A time of nothing, or of years.
    #[error("the time `{0}` is out of range")]
    Range(String),
    /// Not a number of something, or none of it.
    #[error("`{0}` is no number from 1 on")]
    Count(String),
    /// Nothing ends this period.
    #[error("`{0}` lasts for the rest of the game, so what follows it never comes")]
    Endless(String),
    /// A countdown after a period that ends by moves.
    #[error("`{0}` never comes: it wants a last period without a number of moves")]
    Countdown(String),
    /// A part that stands for the second time.
    #[error("`{0}` says again what was said before")]
    Twice(String),
    /// A key that means nothing.
    #[error("unknown part `{0}`: move, countdown, nodes, depth, red and black are known")]
    Key(String),
    /// One side's allowance without the other's.
    #[error("`{0}` wants both red= and black=, in this order")]
    Sides(String),
}

impl FromStr for TimeControl {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        let text = text.trim();
        let (sides, scale) = match text.rsplit_once('/') {
            Some((sides, scale)) if ends_in_time(sides) => (sides, count(scale)?),
            _ => (text, 1),
        };
        let (red, black) = if let Some(rest) = sides.strip_prefix("red=") {
            let both = rest.split_once(",black=");
            let (red, black) = both.ok_or_else(|| ControlError::Sides(sides.into()))?;
            (red.parse()?, black.parse()?)
        } else if sides.starts_with("black=") {
            return Err(ControlError::Sides(sides.into()));
        } else {
            let both: Allowance = sides.parse()?;
            (both.clone(), both)
        };
        let control = Self { red, black, scale };
        let vanishes = |allowance: Allowance| {
            let countdown = allowance.countdown.map(|countdown| countdown.time);
            let periods = allowance.periods.iter().map(|period| period.time);
            periods.chain(allowance.move_time).chain(countdown).any(|time| time.is_zero())
        };
        if vanishes(control.red()) || vanishes(control.black()) {
            return Err(ControlError::Range(text.into()));
        }
        Ok(control)
    }
}

/// Whether what stands before a stroke is something to divide, not a number of moves.
fn ends_in_time(text: &str) -> bool {
    let last = text.rsplit([':', ',']).next().unwrap_or(text).trim();
    let last = last.strip_prefix("red=").or(last.strip_prefix("black=")).unwrap_or(last);
    let begins = last.starts_with(|c: char| c.is_ascii_digit() || c == '.') || last.contains('=');
    begins && !last.bytes().all(|byte| byte.is_ascii_digit())
}

impl FromStr for Allowance {
    type Err = ControlError;

    fn from_str(text: &str) -> Result<Self, ControlError> {
        let mut allowance = Self::default();
        for part in text.split(',').map(str::trim) {
            if part.is_empty() {
                return Err(ControlError::Empty(text.into()));
            }
            let again = match part.split_once('=') {
                None if allowance.periods.is_empty() => {
                    allowance.periods = periods(part)?;
                    false
                }
                None => true,
                Some(("move", value)) => allowance.move_time.replace(time(value)?).is_some(),
                Some(("countdown", value)) => {
                    allowance.countdown.replace(countdown(value)?).is_some()
                }
                Some(("nodes", value)) => allowance.nodes.replace(count(value)?).is_some(),
                Some(("depth", value)) => allowance.depth.replace(count(value)?).is_some(),
                Some((key, _)) => return Err(ControlError::Key(key.into())),
            };
            if again {
                return Err(ControlError::Twice(part.into()));
            }
        }
        let lasts = allowance.periods.last().is_some_and(|period| period.moves.is_none());
        match allowance.countdown {
            Some(countdown) if !lasts => Err(ControlError::Countdown(countdown.to_string())),
            _ => Ok(allowance),
        }
    }
}

fn periods(text: &str) -> Result<Vec<Period>, ControlError> {
    if let Some((_, periods)) = ARTICLE_6.iter().find(|(name, _)| *name == text) {
        return Ok(periods.to_vec());
    }
    let lasting = |time| Period { moves: None, time, increment: Duration::ZERO };
    if let Some(budget) = text.strip_prefix("6.5:") {
        return Ok(vec![lasting(time(budget)?)]);
    }
    if text == "6.5" {
        return Err(ControlError::Budget(text.into()));
    }
    // What looks like an article is not taken for seconds.
    if text.len() == 3 && text.starts_with("6.") {
        return Err(ControlError::Scheme(text.into()));
    }
    let mut periods: Vec<Period> = Vec::new();
    for part in text.split(':').map(str::trim) {
        if let Some(last) = periods.last().filter(|last| last.moves.is_none()) {
            return Err(ControlError::Endless(last.to_string()));
        }
        let (moves, rest) = match part.split_once('/') {
            Some((moves, rest)) => (Some(count(moves)?), rest),
            None => (None, part),
        };
        let (base, increment) = match rest.split_once('+') {
            Some((base, increment)) => (base, duration(increment)?),
            None => (rest, Duration::ZERO),
        };
        periods.push(Period { moves, time: time(base)?, increment });
    }
    Ok(periods)
}

fn countdown(text: &str) -> Result<Countdown, ControlError> {
    let (reserve, each) = text.split_once('x').unwrap_or(("1", text));
    Ok(Countdown { time: time(each)?, reserve: count(reserve)? })
}

/// A whole number from 1 on.
fn count<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, ControlError> {
    let error = || ControlError::Count(text.into());
    // `+5` would be read, too.
    let digits = Some(text.trim()).filter(|text| !text.starts_with('+')).ok_or_else(error)?;
    digits.parse().ok().filter(|number| *number != T::default()).ok_or_else(error)
}

/// A time that is not nothing.
fn time(text: &str) -> Result<Duration, ControlError> {
    let time = duration(text)?;
    if time.is_zero() { Err(ControlError::Range(text.trim().into())) } else { Ok(time) }
}

/// A decimal number of some unit, exactly; fractions of a nanosecond are dropped.
fn duration(text: &str) -> Result<Duration, ControlError> {
    let text = text.trim();
    let error = || ControlError::Time(text.into());
    let range = || ControlError::Range(text.into());
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, word) = text.split_at(end);
    let word = if word.is_empty() { "s" } else { word };
    let (_, unit) = UNITS.iter().find(|(name, _)| *name == word).ok_or_else(error)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') || whole.is_empty() && fraction.is_empty() {
        return Err(error());
    }
    let mut nanos =
        if whole.is_empty() { 0 } else { whole.parse::<u128>().map_err(|_| range())? };
    nanos = nanos.checked_mul(*unit).ok_or_else(range)?;
    let mut place = *unit;
    for digit in fraction.bytes() {
        place /= 10;
        nanos += u128::from(digit - b'0') * place;
    }
    if nanos > LONGEST.as_nanos() { Err(range()) } else { Ok(Duration::from_nanos(nanos as u64)) }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.red == self.black {
            write!(f, "{}", self.red)?;
        } else {
            write!(f, "red={},black={}", self.red, self.black)?;
        }
        if self.scale == 1 { Ok(()) } else { write!(f, "/{}", self.scale) }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = ARTICLE_6.iter().find(|(_, periods)| self.periods == *periods);
        let periods = named.map_or_else(
            || self.periods.iter().map(ToString::to_string).collect::<Vec<_>>().join(":"),
            |(name, _)| (*name).to_string(),
        );
        let parts = [
            Some(periods).filter(|text| !text.is_empty()),
            self.move_time.map(|time| format!("move={}", Spelled(time))),
            self.countdown.map(|countdown| countdown.to_string()),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        write!(f, "{}", parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Spelled(self.time))?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", Spelled(self.increment)) }
    }
}

impl fmt::Display for Countdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "countdown=")?;
        if self.reserve > 1 {
            write!(f, "{}x", self.reserve)?;
        }
        write!(f, "{}", Spelled(self.time))
    }
}

/// A time as it is read back, always with its unit.
struct Spelled(Duration);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        let whole = UNITS.iter().find(|(_, unit)| nanos > 0 && nanos.is_multiple_of(*unit));
        if let Some((name, unit)) = whole {
            return write!(f, "{}{name}", nanos / unit);
        }
        let fraction = format!("{:09}", self.0.subsec_nanos());
        let fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() {
            write!(f, "{}s", self.0.as_secs())
        } else {
            write!(f, "{}.{fraction}s", self.0.as_secs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn period(moves: impl Into<Option<u32>>, seconds: u64) -> Period {
        let time = Duration::from_secs(seconds);
        Period { moves: moves.into(), time, increment: Duration::ZERO }
    }

    #[test]
    fn the_schemes_of_article_6_are_what_the_article_says() {
        for (name, spelled) in [
            ("6.1", "40/90min:10/15min"),
            ("6.2", "30/60min:10/10min"),
            ("6.3", "40/10min:30/5min"),
            ("6.4", "30/5min:30/5min"),
            ("6.5:60min", "1h"),
        ] {
            assert_eq!(control(name), control(spelled));
        }
        assert_eq!(control("6.1").red().periods, [period(40, 5400), period(10, 900)]);
        assert_eq!(control("6.5:60min").black().periods, [period(None, 3600)]);
    }

    #[test]
    fn every_kind_of_control_is_read() {
        let of = |text: &str| control(text).red();
        assert_eq!(of("90s").periods, of("1.5min").periods);
        let increment = of("1+0.01").periods[0];
        assert_eq!(increment.time, Duration::from_secs(1));
        assert_eq!((increment.moves, increment.increment), (None, Duration::from_millis(10)));
        assert_eq!(of("5min+3s").periods, of("300+3").periods);
        assert_eq!(
            of("20/60:10/30:45"),
            Allowance {
                periods: vec![period(20, 60), period(10, 30), period(None, 45)],
                ..Allowance::default()
            }
        );
        let triple = of("30min,move=5min,countdown=3min");
        assert_eq!(triple.move_time, Some(Duration::from_mins(5)));
        let minutes = |minutes, reserve| Countdown { time: Duration::from_mins(minutes), reserve };
        assert_eq!(triple.countdown, Some(minutes(3, 1)));
        assert_eq!(of("2h,countdown=5x1min").countdown, Some(minutes(1, 5)));
        assert_eq!(of("move=100ms").periods, []);
        assert_eq!((of("nodes=5000").nodes, of("depth=9").depth), (Some(5000), Some(9)));
        let bid = control("red=80min,black=40min");
        assert_eq!(bid.red().periods, [period(None, 4800)]);
        assert_eq!(bid.black().periods, [period(None, 2400)]);
        let both = control("red=6.3,move=1min,black=40/10min,nodes=7/60");
        assert_eq!(both.red().periods, [period(40, 10), period(30, 5)]);
        assert_eq!(both.black().nodes, Some(7));
    }

    #[test]
    fn a_scale_divides_every_time() {
        let small = control("10min+5s,move=1min,countdown=5x60/60").red();
        assert_eq!(small.periods[0].time, Duration::from_secs(10));
        assert_eq!(small.periods[0].increment, Duration::from_secs(5) / 60);
        assert_eq!(small.move_time, Some(Duration::from_secs(1)));
        let countdown = Countdown { time: Duration::from_secs(1), reserve: 5 };
        assert_eq!(small.countdown, Some(countdown));
        assert_eq!(control("40/60/60").red().periods, [period(40, 1)]);
        assert_eq!(control("40/60").red().periods, [period(40, 60)]);
        assert_eq!(control("40s/40").red().periods, [period(None, 1)]);
        assert_eq!(control("6.4/60").scaled(Duration::from_mins(5)), Duration::from_secs(5));
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "6.1",
            "6.2",
            "6.3/60",
            "6.4/7",
            "1h",
            "90min",
            "1s+10ms",
            "5min+3s",
            "40/90min:30min+30s",
            "20/1min:10/30s:45s",
            "0.123456789s",
            "1500ms",
            "move=100ms",
            "nodes=5000",
            "depth=9",
            "move=1s,nodes=100,depth=3",
            "30min,move=5min,countdown=3min",
            "2h,countdown=5x1min",
            "red=80min,black=40min",
            "red=6.1,move=1h,black=6.2,nodes=5/960",
        ] {
            assert_eq!(control(text).to_string(), text);
        }
        for text in ["6.5:60min", " 1 + 0.01 ", "40/60", ".5", "90.m", "40/5400:10/900"] {
            assert_eq!(control(&control(text).to_string()), control(text), "{text}");
        }
        assert_eq!(control("40/5400:10/900").to_string(), "6.1");
    }

    #[test]
    fn an_error_names_the_piece_that_is_wrong() {
        type Of = fn(String) -> ControlError;
        let cases: &[(&str, Of, &str)] = &[
            ("", ControlError::Empty, ""),
            ("6.1,", ControlError::Empty, "6.1,"),
            ("6.6", ControlError::Scheme, "6.6"),
            ("6.5", ControlError::Budget, "6.5"),
            ("6.5:", ControlError::Time, ""),
            ("40/90min:10/15parsec", ControlError::Time, "15parsec"),
            ("40/90min:", ControlError::Time, ""),
            ("1..5", ControlError::Time, "1..5"),
            ("1+", ControlError::Time, ""),
            ("-5", ControlError::Time, "-5"),
            (".", ControlError::Time, "."),
            ("五分", ControlError::Time, "五分"),
            ("0", ControlError::Range, "0"),
            ("10/0s", ControlError::Range, "0s"),
            ("9999999999h", ControlError::Range, "9999999999h"),
            ("1ms/4000000000", ControlError::Range, "1ms/4000000000"),
            ("0/90min", ControlError::Count, "0"),
            ("many/90min", ControlError::Count, "many"),
            ("+4/90min", ControlError::Count, "+4"),
            ("6.1/0", ControlError::Count, "0"),
            ("6.1/x", ControlError::Count, "x"),
            ("6.1/0.5", ControlError::Count, "0.5"),
            ("nodes=0", ControlError::Count, "0"),
            ("nodes=1e6", ControlError::Count, "1e6"),
            ("depth=99999999999", ControlError::Count, "99999999999"),
            ("1h,countdown=ax1min", ControlError::Count, "a"),
            ("30min:10/5min", ControlError::Endless, "30min"),
            ("6.1,countdown=1min", ControlError::Countdown, "countdown=1min"),
            ("countdown=1min", ControlError::Countdown, "countdown=1min"),
            ("6.1,6.2", ControlError::Twice, "6.2"),
            ("move=1s,move=2s", ControlError::Twice, "move=2s"),
            ("moves=1s", ControlError::Key, "moves"),
            ("red=80min", ControlError::Sides, "red=80min"),
            ("black=1h,red=1h", ControlError::Sides, "black=1h,red=1h"),
        ];
        for (text, error, token) in cases {
            assert_eq!(text.parse::<TimeControl>(), Err(error((*token).into())), "{text}");
        }
    }
}
