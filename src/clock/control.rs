//! What time each side is granted: every scheme of 第6条 and those in use beside them. Knows no
//! clock that runs; how a control is written stands in [`super::grammar`].

use std::time::Duration;

/// Moves to make in a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// How many moves end it; `None`: the rest of the game (包干).
    pub moves: Option<u32>,
    /// What its begin adds to the clock.
    pub time: Duration,
    /// What each of its moves adds to the clock.
    pub increment: Duration,
}

impl Period {
    /// So many moves in so many minutes.
    const fn minutes(moves: u32, minutes: u64) -> Self {
        let time = Duration::from_mins(minutes);
        Self { moves: Some(moves), time, increment: Duration::ZERO }
    }
}

/// The schemes of 第6条 that have a number of their own: the first period, and the one that follows
/// it again and again. 6.5 is a single budget, which the event sets.
pub const ARTICLE_6: [(&str, [Period; 2]); 4] = [
    ("6.1", [Period::minutes(40, 90), Period::minutes(10, 15)]),
    ("6.2", [Period::minutes(30, 60), Period::minutes(10, 10)]),
    ("6.3", [Period::minutes(40, 10), Period::minutes(30, 5)]),
    ("6.4", [Period::minutes(30, 5), Period::minutes(30, 5)]),
];

/// Counting down (读秒), once the rest of the game has no other time left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// A move that takes less than this costs nothing. Never zero.
    pub time: Duration,
    /// How often that time may be used up in full, the last being the flag's fall: with 5 kept in
    /// reserve a move can take the fifth minute but not end it. Never zero.
    pub reserve: u32,
}

/// What one side is granted. The parts combine; without any the side has all the time there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// One after the other, the last again and again. None: no time is kept from move to move.
    pub periods: Vec<Period>,
    /// The limit of each single move (步时).
    pub move_time: Option<Duration>,
    /// What follows the last period.
    pub countdown: Option<Countdown>,
    /// Positions to look at for a move.
    pub nodes: Option<u64>,
    /// Plies to search for a move.
    pub depth: Option<u32>,
}

impl Allowance {
    /// The period of this index, the first being 0; the last one repeats.
    pub fn period(&self, index: usize) -> Option<&Period> {
        self.periods.get(index).or(self.periods.last())
    }

    /// The same with every time divided.
    #[must_use]
    pub fn shrunk(&self, divisor: u32) -> Self {
        let mut small = self.clone();
        for period in &mut small.periods {
            period.time /= divisor;
            period.increment /= divisor;
        }
        small.move_time = small.move_time.map(|time| time / divisor);
        small.countdown = small
            .countdown
            .map(|countdown| Countdown { time: countdown.time / divisor, ..countdown });
        small
    }
}

/// What both sides are granted, perhaps unequally (贴时), perhaps on a smaller scale.
///
/// ```
/// use std::time::Duration;
/// use chuhe::clock::TimeControl;
/// let control: TimeControl = "6.3/60".parse().unwrap();
/// let first = control.red().periods[0];
/// assert_eq!((first.moves, first.time), (Some(40), Duration::from_secs(10)));
/// assert_eq!(control.to_string(), "6.3/60");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    pub(super) red: Allowance,
    pub(super) black: Allowance,
    pub(super) scale: u32,
}

impl TimeControl {
    /// The same for both sides, at full length.
    pub fn equal(allowance: Allowance) -> Self {
        Self { black: allowance.clone(), red: allowance, scale: 1 }
    }

    /// What Red is granted, the scale applied.
    pub fn red(&self) -> Allowance {
        self.red.shrunk(self.scale)
    }

    /// What Black is granted, the scale applied.
    pub fn black(&self) -> Allowance {
        self.black.shrunk(self.scale)
    }

    /// A time of the unscaled game, such as the five minutes of a penalty (23.3), on this scale.
    pub fn scaled(&self, time: Duration) -> Duration {
        time / self.scale
    }
}
