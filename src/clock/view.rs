//! What a player knows of its clock: what the client tells, completed by the scheme that the game
//! is said to be played at. Knows no protocol and decides nothing.

use std::time::Duration;

use super::{Allowance, Clock, Countdown, Period};

/// What the clock of the side to move shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockView {
    /// Time until the flag falls, overdrawn clocks showing zero. A countdown is part of it.
    pub left: Duration,
    /// Time added by each move.
    pub increment: Duration,
    /// Moves to make with the time left before more is granted. `None` or zero: sudden death, or
    /// not known.
    pub moves_to_go: Option<u32>,
    /// The period that begins after those moves, if it is known.
    pub next: Option<Period>,
    /// The countdown (读秒) that all but this much of the time left comes before.
    pub countdown: Option<Countdown>,
    /// The longest that this move may take (步时), when that is less than what is left.
    pub move_limit: Option<Duration>,
}

impl ClockView {
    /// What a client told and what is known of the scheme, in which this side has made so many
    /// moves. Where they contradict each other the client, who has the clock, is believed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use chuhe::clock::{ClockView, TimeControl};
    /// let control: TimeControl = "6.3".parse().unwrap();
    /// let told = ClockView { left: Duration::from_mins(4), ..ClockView::default() };
    /// let known = told.completed(&control.red(), 35);
    /// assert_eq!(known.moves_to_go, Some(5));
    /// assert_eq!(known.next.unwrap().time, Duration::from_mins(5));
    /// ```
    #[must_use]
    pub fn completed(&self, scheme: &Allowance, made: u32) -> Self {
        let Some(view) = Clock::resumed(scheme.clone(), made, self).view() else { return *self };
        Self {
            left: if scheme.periods.is_empty() { view.left.min(self.left) } else { view.left },
            // To a client that knows no countdown it is an increment.
            increment: if self.increment.is_zero() || view.countdown.is_some() {
                view.increment
            } else {
                self.increment
            },
            ..view
        }
    }
}

/// Counts a player's own moves by what it is asked, to know how far the next control is. A client
/// may rebase or take back without a word, so it never counts too many: to expect the control too
/// early would cost the game, to expect it late only time.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCount {
    made: u32,
    number: Option<u32>,
}

impl MoveCount {
    /// Moves made before the one of this number, which is asked for now.
    pub fn before(&mut self, number: u32) -> u32 {
        match self.number {
            Some(last) if number > last => self.made += 1,
            Some(last) if number == last => {}
            _ => self.made = 0,
        }
        self.number = Some(number);
        self.made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;

    const SECOND: Duration = Duration::from_secs(1);

    fn told(seconds: u64, moves_to_go: Option<u32>) -> ClockView {
        ClockView { left: SECOND * seconds as u32, moves_to_go, ..ClockView::default() }
    }

    fn completed(told: &ClockView, scheme: &str, made: u32) -> ClockView {
        told.completed(&scheme.parse::<TimeControl>().expect("a control").red(), made)
    }

    #[test]
    fn the_scheme_adds_what_the_client_does_not_tell() {
        let view = completed(&told(100, None), "40/90min+5s:10/15min", 45);
        assert_eq!((view.left, view.moves_to_go), (100 * SECOND, Some(5)));
        assert_eq!((view.increment, view.next.unwrap().moves), (Duration::ZERO, Some(10)));
        let first = completed(&told(100, None), "40/90min+5s:10/15min", 0);
        assert_eq!((first.increment, first.moves_to_go), (5 * SECOND, Some(40)));
    }

    #[test]
    fn the_client_is_believed() {
        let view = completed(&told(100, Some(7)), "6.1", 2);
        assert_eq!((view.left, view.moves_to_go), (100 * SECOND, Some(7)));
        let view = completed(&ClockView { increment: SECOND, ..told(100, None) }, "5min+3s", 9);
        assert_eq!(view.increment, SECOND);
    }

    #[test]
    fn a_countdown_is_found_in_what_is_left() {
        let scheme = "30min,move=5min,countdown=3min";
        let rich = completed(&told(1500, None), scheme, 9);
        assert_eq!((rich.left, rich.move_limit), (1500 * SECOND, Some(300 * SECOND)));
        assert_eq!(rich.countdown.unwrap().time, 180 * SECOND);
        let poor = completed(&told(180, None), scheme, 50);
        assert_eq!((poor.left, poor.move_limit), (180 * SECOND, None));
        // Nobody is asked for a move with less than the countdown, unless it is not told.
        assert_eq!(completed(&told(0, None), scheme, 50).left, 180 * SECOND);
        let reserve = completed(&told(150, None), "1h,countdown=5x1min", 50);
        assert_eq!((reserve.left, reserve.countdown.unwrap().reserve), (150 * SECOND, 2));
    }

    #[test]
    fn moves_are_counted_and_never_too_many() {
        let mut count = MoveCount::default();
        let asked = [7, 8, 8, 9, 12, 13, 1, 2];
        assert_eq!(asked.map(|number| count.before(number)), [0, 1, 1, 2, 3, 4, 0, 1]);
    }
}
