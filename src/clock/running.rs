//! One side's clock while a game goes on: two cumulative clocks stand beside every board (第6条).
//! Knows what is granted and what was used; measures nothing itself.

use std::time::Duration;

use super::{Allowance, ClockView, Countdown, Period};

/// The flag has fallen: the time granted so far was used up before the moves were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the flag fell, the time exceeded by {over:?}")]
pub struct FlagFall {
    /// By how much the time was exceeded. Zero: it was just used up.
    pub over: Duration,
    /// The moves that the period still wanted, the one on the clock included. `None`: it wants all
    /// of the game's, or the limit of a single move was exceeded.
    pub owed: Option<u32>,
}

/// One side's clock.
///
/// ```
/// use std::time::Duration;
/// use chuhe::clock::{Clock, TimeControl};
/// let control: TimeControl = "2/60s:1/10s".parse().unwrap();
/// let mut clock = Clock::new(control.red());
/// clock.spend(Duration::from_secs(40)).unwrap();
/// clock.spend(Duration::from_secs(15)).unwrap();
/// assert_eq!(clock.left(), Some(Duration::from_secs(5 + 10)));
/// assert!(clock.spend(Duration::from_secs(15)).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Clock {
    allowance: Allowance,
    period: usize,
    /// What the periods have granted and was not used.
    left: Duration,
    /// Moves of the current period that are still to be made.
    owed: Option<u32>,
    /// What the countdown has in reserve.
    reserve: u32,
    used: Duration,
    made: u32,
}

impl Clock {
    /// The clock before the first move.
    pub fn new(allowance: Allowance) -> Self {
        let first = allowance.period(0).copied();
        let reserve = allowance.countdown.map_or(0, |countdown| countdown.reserve);
        Self {
            left: first.map_or(Duration::ZERO, |period| period.time),
            owed: first.and_then(|period| period.moves),
            period: 0,
            reserve,
            used: Duration::ZERO,
            made: 0,
            allowance,
        }
    }

    /// The clock of a game under way: the moves made say which period it is, and what is told of
    /// the clock stands where it says more or other than the scheme.
    pub(super) fn resumed(allowance: Allowance, made: u32, told: &ClockView) -> Self {
        let mut clock = Self::new(allowance);
        let mut before = 0;
        while let Some(owed) = clock.owed.filter(|owed| before + owed <= made) {
            before += owed;
            clock.begin(clock.period + 1);
        }
        clock.made = made;
        clock.owed = clock.owed.map(|owed| owed - (made - before));
        clock.owed = told.moves_to_go.filter(|&moves| moves > 0).or(clock.owed);
        clock.left = told.left;
        if let Some(time) = clock.countdown_time() {
            // Some tell what is left with the countdown, some without.
            let whole = if told.left < time { told.left + time } else { told.left };
            let fits = u32::try_from(whole.as_nanos() / time.as_nanos()).unwrap_or(u32::MAX);
            clock.reserve = clock.reserve.min(fits);
            clock.left = whole.saturating_sub(time * clock.reserve);
        }
        clock
    }

    /// A move was made and the clock pressed (22.5) after so much time. Unused time is kept; the
    /// period's last move brings the next one's. A move that ends the game on the board needs no
    /// press: its time is up to the move.
    ///
    /// # Errors
    /// When the time that [`Self::allowed`] told was used up by then. The move does not count.
    pub fn spend(&mut self, time: Duration) -> Result<(), FlagFall> {
        let owed = self.owed.filter(|_| self.flag().is_some_and(|flag| time >= flag));
        let allowed = self.allowed();
        self.take(time);
        if let Some(over) = allowed.and_then(|allowed| time.checked_sub(allowed)) {
            return Err(FlagFall { over, owed });
        }
        self.made += 1;
        if let Some(period) = self.current() {
            self.left += period.increment;
        }
        if let Some(owed) = &mut self.owed {
            *owed -= 1;
            if *owed == 0 {
                self.begin(self.period + 1);
            }
        }
        Ok(())
    }

    /// Adds to the used time for a foul (23.3), between two moves or during one. No limit of a
    /// single move is touched, and neither is a side that keeps no time.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn penalise(&mut self, time: Duration) -> Result<(), FlagFall> {
        let flag = self.flag();
        self.take(time);
        match flag.and_then(|flag| time.checked_sub(flag)) {
            Some(over) => Err(FlagFall { over, owed: self.owed }),
            None => Ok(()),
        }
    }

    /// How long the move now on the clock may take; the flag falls when this is used up. `None`:
    /// for ever.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.flag(), self.allowance.move_time) {
            // The limit of single moves holds while there is other time.
            (Some(flag), Some(limit)) if limit >= self.left => Some(flag),
            (flag, limit) => limit.or(flag),
        }
    }

    /// What is left of the time that the periods have granted; `None` when no time is kept.
    pub fn left(&self) -> Option<Duration> {
        self.current().map(|_| self.left)
    }

    /// All time used, penalties included.
    pub fn used(&self) -> Duration {
        self.used
    }

    /// Moves made in time.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Moves to make until the next period begins, the one on the clock included; `None` when none
    /// will.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.owed
    }

    /// The period that begins then.
    pub fn next_period(&self) -> Option<&Period> {
        self.owed.and_then(|_| self.allowance.period(self.period + 1))
    }

    /// How often the countdown may still be used up, the fall of the flag included.
    pub fn reserve(&self) -> u32 {
        self.reserve
    }

    /// What this side was granted at first.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// The clock as the player sees it; `None` when no time counts.
    pub fn view(&self) -> Option<ClockView> {
        let flag = self.flag();
        let Some(left) = flag else {
            // A time of its own for each move is a countdown and nothing before it.
            let time = self.allowance.move_time?;
            let countdown = Some(Countdown { time, reserve: 1 });
            return Some(ClockView { left: time, countdown, ..ClockView::default() });
        };
        Some(ClockView {
            left,
            increment: self.current().map_or(Duration::ZERO, |period| period.increment),
            moves_to_go: self.owed,
            next: self.next_period().copied(),
            countdown: self.countdown_time().map(|time| Countdown { time, reserve: self.reserve }),
            move_limit: self.allowed().filter(|&allowed| allowed < left),
        })
    }

    fn current(&self) -> Option<&Period> {
        self.allowance.period(self.period)
    }

    /// What a move of the countdown takes for free, where it is in force or will be without
    /// another period.
    fn countdown_time(&self) -> Option<Duration> {
        self.allowance.countdown.filter(|_| self.owed.is_none()).map(|countdown| countdown.time)
    }

    /// When the flag falls for want of kept time.
    fn flag(&self) -> Option<Duration> {
        let reserve = self.countdown_time().map_or(Duration::ZERO, |time| time * self.reserve);
        self.current().map(|_| self.left + reserve)
    }

    fn take(&mut self, time: Duration) {
        self.used += time;
        let over = time.saturating_sub(self.left);
        self.left = self.left.saturating_sub(time);
        if let Some(time) = self.countdown_time() {
            let minutes = over.as_nanos() / time.as_nanos();
            self.reserve = self.reserve.saturating_sub(u32::try_from(minutes).unwrap_or(u32::MAX));
        }
    }

    fn begin(&mut self, period: usize) {
        self.period = period;
        if let Some(period) = self.allowance.period(period) {
            self.left += period.time;
            self.owed = period.moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;

    const NANO: Duration = Duration::from_nanos(1);
    const SECOND: Duration = Duration::from_secs(1);
    const MINUTE: Duration = Duration::from_mins(1);

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse::<TimeControl>().expect("a control").red())
    }

    /// The longest time that is less.
    fn under(time: Duration) -> Duration {
        time.saturating_sub(NANO)
    }

    /// The clock after so many moves that took no time.
    fn after(control: &str, moves: u32) -> Clock {
        let mut clock = clock(control);
        (0..moves).for_each(|_| clock.spend(Duration::ZERO).unwrap());
        clock
    }

    #[test]
    fn the_fortieth_move_brings_the_second_period() {
        let mut clock = after("6.1", 39);
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(90 * MINUTE)));
        assert_eq!(clock.next_period().map(|period| period.time), Some(15 * MINUTE));
        clock.spend(under(90 * MINUTE)).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(10), Some(15 * MINUTE + NANO)));
    }

    #[test]
    fn the_fortieth_move_comes_too_late_when_the_time_is_used_up() {
        for over in [Duration::ZERO, NANO, MINUTE] {
            let fall = after("6.1", 39).spend(90 * MINUTE + over);
            assert_eq!(fall, Err(FlagFall { over, owed: Some(1) }));
        }
        let fall = after("6.1", 38).spend(91 * MINUTE);
        assert_eq!(fall, Err(FlagFall { over: MINUTE, owed: Some(2) }));
    }

    #[test]
    fn the_fiftieth_move_brings_the_second_period_again() {
        let mut clock = after("6.1", 49);
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(1), Some(105 * MINUTE)));
        clock.spend(104 * MINUTE + 59 * SECOND).unwrap();
        assert_eq!((clock.moves_to_go(), clock.left()), (Some(10), Some(15 * MINUTE + SECOND)));
        let mut late = after("6.1", 49);
        assert_eq!(late.spend(105 * MINUTE), Err(FlagFall { over: Duration::ZERO, owed: Some(1) }));
    }

    #[test]
    fn unused_time_is_carried_over_in_every_scheme() {
        for (control, moves, total) in [
            ("6.1", 40 + 3 * 10, 90 + 4 * 15),
            ("6.2", 30 + 3 * 10, 60 + 4 * 10),
            ("6.3", 40 + 3 * 30, 10 + 4 * 5),
            ("6.4", 30 + 3 * 30, 5 + 4 * 5),
            ("6.5:60min", 500, 60),
        ] {
            let clock = after(control, moves);
            assert_eq!(clock.left(), Some(total * MINUTE), "{control}");
            assert_eq!((clock.made(), clock.used()), (moves, Duration::ZERO));
        }
    }

    #[test]
    fn the_press_counts_as_the_move_does() {
        // 22.5: move in time, press too late.
        let (thought, press) = (89 * MINUTE + 59 * SECOND, SECOND);
        assert!(after("6.1", 39).spend(thought).is_ok());
        assert!(after("6.1", 39).spend(thought + press).is_err());
    }

    #[test]
    fn a_penalty_is_used_time() {
        let mut clock = after("6.3", 39);
        clock.penalise(5 * MINUTE).unwrap();
        assert_eq!((clock.left(), clock.used()), (Some(5 * MINUTE), 5 * MINUTE));
        assert_eq!((clock.moves_to_go(), clock.made()), (Some(1), 39));
        assert!(clock.clone().spend(5 * MINUTE).is_err());
        assert!(clock.clone().spend(under(5 * MINUTE)).is_ok());
        let fall = clock.penalise(5 * MINUTE);
        assert_eq!(fall, Err(FlagFall { over: Duration::ZERO, owed: Some(1) }));
        // After the control there is more to take.
        assert!(after("6.3", 40).penalise(10 * MINUTE).is_ok());
    }

    #[test]
    fn a_lump_of_time_falls_for_good() {
        let mut clock = clock("6.5:60min");
        assert_eq!((clock.moves_to_go(), clock.next_period()), (None, None));
        clock.spend(under(60 * MINUTE)).unwrap();
        assert_eq!(clock.spend(NANO), Err(FlagFall { over: Duration::ZERO, owed: None }));
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = clock("60+5");
        assert!(clock.clone().spend(MINUTE).is_err());
        clock.spend(59 * SECOND).unwrap();
        assert_eq!(clock.left(), Some(6 * SECOND));
        let mut both = after("2/60+5:1/30", 2);
        assert_eq!(both.left(), Some(MINUTE + 10 * SECOND + 30 * SECOND));
        both.spend(Duration::ZERO).unwrap();
        assert_eq!(both.left(), Some(130 * SECOND));
    }

    #[test]
    fn unequal_times_run_apart() {
        let control: TimeControl = "red=80min,black=40min".parse().expect("a control");
        let (mut red, mut black) = (Clock::new(control.red()), Clock::new(control.black()));
        assert!(red.spend(40 * MINUTE).is_ok());
        assert!(black.spend(40 * MINUTE).is_err());
    }

    #[test]
    fn a_single_move_has_its_limit_while_game_time_lasts() {
        let control = "30min,move=5min,countdown=3min";
        assert!(clock(control).spend(under(5 * MINUTE)).is_ok());
        let fall = clock(control).spend(6 * MINUTE);
        assert_eq!(fall, Err(FlagFall { over: MINUTE, owed: None }));

        let mut late = clock(control);
        (0..7).for_each(|_| late.spend(4 * MINUTE).unwrap());
        assert_eq!(late.left(), Some(2 * MINUTE));
        // What is left of the game time, and the countdown after it.
        assert_eq!(late.allowed(), Some(5 * MINUTE));
        late.spend(under(5 * MINUTE)).unwrap();
        assert_eq!((late.left(), late.allowed()), (Some(Duration::ZERO), Some(3 * MINUTE)));
        (0..9).for_each(|_| late.spend(under(3 * MINUTE)).unwrap());
        assert!(late.spend(3 * MINUTE).is_err());
    }

    #[test]
    fn each_full_minute_of_the_countdown_costs_one_of_the_reserve() {
        let mut clock = clock("1min,countdown=5x1min");
        clock.spend(MINUTE).unwrap();
        assert_eq!((clock.left(), clock.reserve()), (Some(Duration::ZERO), 5));
        for (time, reserve) in
            [(under(MINUTE), 5), (MINUTE, 4), (2 * MINUTE + SECOND, 2), (SECOND, 2)]
        {
            clock.spend(time).unwrap();
            assert_eq!(clock.reserve(), reserve);
        }
        assert_eq!(clock.allowed(), Some(2 * MINUTE));
        assert!(clock.clone().spend(under(2 * MINUTE)).is_ok());
        assert!(clock.spend(2 * MINUTE).is_err());
    }

    #[test]
    fn a_countdown_waits_for_the_last_period() {
        let mut clock = clock("2/1min:1min,countdown=1min");
        assert_eq!(clock.allowed(), Some(MINUTE));
        clock.spend(SECOND).unwrap();
        clock.spend(SECOND).unwrap();
        assert_eq!(clock.allowed(), Some(178 * SECOND));
    }

    #[test]
    fn a_time_for_each_move_is_not_kept() {
        let mut clock = clock("move=100ms");
        (0..100).for_each(|_| clock.spend(Duration::from_millis(99)).unwrap());
        clock.penalise(MINUTE).unwrap();
        assert_eq!((clock.left(), clock.allowed()), (None, Some(Duration::from_millis(100))));
        assert!(clock.spend(Duration::from_millis(100)).is_err());
    }

    #[test]
    fn without_a_time_no_flag_falls() {
        let mut clock = clock("nodes=5000");
        clock.spend(Duration::from_hours(1000)).unwrap();
        assert_eq!((clock.allowed(), clock.view()), (None, None));
    }

    #[test]
    fn the_player_sees_what_matters_to_the_next_move() {
        let view = after("6.3", 35).view().unwrap();
        assert_eq!((view.left, view.moves_to_go), (10 * MINUTE, Some(5)));
        assert_eq!(view.next.map(|next| (next.moves, next.time)), Some((Some(30), 5 * MINUTE)));

        let triple = clock("30min,move=5min,countdown=3min").view().unwrap();
        assert_eq!(triple.left, 33 * MINUTE);
        assert_eq!(triple.countdown, Some(Countdown { time: 3 * MINUTE, reserve: 1 }));
        assert_eq!(triple.move_limit, Some(5 * MINUTE));

        let fixed = clock("move=1s").view().unwrap();
        assert_eq!(fixed.left, SECOND);
        assert_eq!(fixed.countdown, Some(Countdown { time: SECOND, reserve: 1 }));
    }
}
