//! The soft and the hard limit for one move, from what the clock shows. Knows nothing of how the
//! search is going: the search stretches the soft limit as it sees fit and stops at the hard one.

use std::time::Duration;

use super::{ClockView, Countdown};

/// Moves to plan for when nothing says when the next time comes, and the most to plan for when
/// something does: few games last much longer, and those that do have been thinned out by then.
const HORIZON: u32 = 40;

/// The share of an increment that may be spent at once. What is kept repays a stretched move.
const INCREMENT_SHARE: f64 = 0.8;

/// The most of the usable time that one move may take while others are still to be made.
const ONE_MOVE_SHARE: f64 = 0.8;

/// Overheads kept back on top of one for each move that is planned for: the flag falls when the
/// move arrives, and one delayed arrival must not lose the game.
const SPARE_OVERHEADS: f64 = 2.0;

/// The most increments that a press is planned to cost. Whoever grants so little sits near the clock, and
/// a caution for longer ways would keep most of the time to the end.
const INCREMENTS_A_PRESS: f64 = 3.0;

/// Nobody means to make more moves than this in one period.
const MOST_PRESSES: u32 = 200;

/// Some of the clock is usable in sudden death even if the overheads of all planned moves would eat
/// it: they are a caution, and the game may be over before. Near a control every move makes the
/// caution smaller, so none is needed.
const LEAST_USABLE: f64 = 0.25;

/// The share of its time that the last move before a control takes in any case: what is left then
/// is not lost, but the moves that should have had it are made.
const LAST_MOVE_SHARE: f64 = 0.7;

/// Openings take less than an even share, middlegames more, by the number of the own move.
const FIRST_MOVE_WEIGHT: f64 = 0.8;
const FULL_WEIGHT: f64 = 1.2;
const FULL_WEIGHT_MOVE: u32 = 30;

/// The hard limit as a multiple of the soft one grows with the moves it can be won back in.
const STRETCH_AT_CONTROL: f64 = 1.4;
const STRETCH_PER_MOVE: f64 = 0.1;

/// Half of the guesses come true, and what was thought then need not be thought again.
const PONDER_BONUS: f64 = 1.25;

/// The most that is kept for the next period, if that is a poorer one, as a share of its time:
/// little, since the game may be over before.
const KEPT_FOR_NEXT: f64 = 0.04;
/// Nor more than this part of one move's share.
const KEPT_OF_SHARE: f64 = 0.25;

/// Time that is left when the countdown begins is worth most in moves of e times its length, if the
/// worth of a move grows with the logarithm of its time.
const COUNTDOWN_STRETCH: f64 = std::f64::consts::E;

/// While the countdown has more than this in reserve a difficult move may take one of it, and an
/// easy one stops early enough not to.
const RESERVE_KEPT: u32 = 2;
const EASY_COUNTDOWN: f64 = 0.75;

/// A search needs some time to have any move at all; no clock makes it less.
const MINIMUM: Duration = Duration::from_millis(1);

/// Longer clocks are treated as this long, so that no number a client sends can overflow.
const LONGEST: Duration = Duration::from_hours(240);

/// How this player uses a clock, whatever it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// What each move loses between the engine's answer and the press of the clock.
    pub overhead: Duration,
    /// Whether the opponent's time is thought in, too.
    pub ponder: bool,
}

/// How long one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// To stop sooner gains nothing, if there is a choice at all. Never more than `soft`.
    pub free: Duration,
    /// When an unremarkable search should end. Never more than `hard`.
    pub soft: Duration,
    /// When any search must end.
    pub hard: Duration,
}

impl Budget {
    /// The budget of the own move of this number (the first is 1).
    ///
    /// ```
    /// use std::time::Duration;
    /// use chuhe::clock::{Budget, ClockView, Habits};
    /// let clock = ClockView { left: Duration::from_mins(90), moves_to_go: Some(40), ..ClockView::default() };
    /// let habits = Habits { overhead: Duration::from_millis(30), ponder: false };
    /// let budget = Budget::for_move(&clock, habits, 1);
    /// assert!(budget.soft > Duration::from_mins(1) && budget.hard < Duration::from_mins(15));
    /// ```
    pub fn for_move(clock: &ClockView, habits: Habits, number: u32) -> Self {
        let budget = match clock.countdown {
            Some(countdown) => Self::with_countdown(clock, countdown, habits, number),
            None => Self::of_clock(clock, habits, number),
        };
        match clock.move_limit {
            Some(limit) => budget.min(Self::within(limit, habits.overhead)),
            None => budget,
        }
    }

    /// The budget of a move that is to be thought about for so long, with no flag at the end.
    pub fn fixed(time: Duration) -> Self {
        let time = time.clamp(MINIMUM, LONGEST);
        Self { free: time, soft: time, hard: time }
    }

    /// All of a time whose end loses the game.
    pub fn within(time: Duration, overhead: Duration) -> Self {
        let overhead = overhead.min(LONGEST).mul_f64(1.0 + SPARE_OVERHEADS);
        // A tiny time is wanted as it is, give or take: half of it is for thinking.
        Self::fixed(time.saturating_sub(overhead).max(time / 2))
    }

    /// The tighter of two budgets in each respect.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        let free = self.free.min(other.free);
        Self { free, ..Self::ordered(self.soft.min(other.soft), self.hard.min(other.hard)) }
    }

    /// From what is left and the moves to make with it.
    fn of_clock(clock: &ClockView, habits: Habits, number: u32) -> Self {
        let time = clock.left.min(LONGEST).as_secs_f64();
        let overhead = habits.overhead.min(LONGEST).as_secs_f64();
        let increment = clock.increment.min(LONGEST).as_secs_f64();
        let control = clock.moves_to_go.filter(|&moves| moves > 0);
        let moves = f64::from(control.unwrap_or(HORIZON).min(HORIZON));

        let gain = (increment - overhead).max(0.0);
        let loss = (overhead - increment * INCREMENTS_A_PRESS).max(0.0);
        let presses = f64::from(control.unwrap_or(HORIZON).min(MOST_PRESSES));
        let reserve = loss * presses + overhead * SPARE_OVERHEADS;
        let least = if control.is_some() { 0.0 } else { time * LEAST_USABLE };
        let usable = (time - reserve - kept_for_next(clock, moves)).max(least);

        // The even share is slightly less than one move's, for time that is left at the control
        // is kept; what the increments bring is spread over the moves that they come after.
        let share = usable / (moves + if control.is_some() { 0.2 } else { 0.5 });
        // The last moves of a period have what there is.
        let weight = 1.0 + (weight(number) - 1.0) * (moves - 1.0) / moves;
        let grown = (moves - 1.0) / moves * gain * INCREMENT_SHARE;
        let mut soft = share * weight + grown;
        let stretch = STRETCH_AT_CONTROL + STRETCH_PER_MOVE * (moves - 1.0);
        let most = if moves > 1.0 { usable * ONE_MOVE_SHARE } else { usable };
        let hard = (soft * stretch).min(most).min(time - overhead).max(MINIMUM.as_secs_f64());
        if habits.ponder {
            soft *= PONDER_BONUS;
        }
        let budget = Self::ordered(Duration::from_secs_f64(soft), Duration::from_secs_f64(hard));
        let free = if moves > 1.0 { 0.0 } else { LAST_MOVE_SHARE };
        Self { free: budget.soft.mul_f64(free), ..budget }
    }

    /// From what is left before the countdown, and the countdown.
    fn with_countdown(
        clock: &ClockView,
        countdown: Countdown,
        habits: Habits,
        number: u32,
    ) -> Self {
        let each = countdown.time.min(LONGEST);
        let bank = clock.left.min(LONGEST).saturating_sub(each.saturating_mul(countdown.reserve));
        if bank > each.mul_f64(COUNTDOWN_STRETCH - 1.0) {
            let bank = ClockView { left: bank, ..*clock };
            let even = Self::of_clock(&bank, habits, number);
            let long = Self::within(bank.left, habits.overhead);
            let soft = even.soft.max(each.mul_f64(COUNTDOWN_STRETCH)).min(long.soft);
            return Self::ordered(
                soft,
                even.hard.max(soft.mul_f64(STRETCH_AT_CONTROL)).min(long.hard),
            );
        }
        let whole = Self::within(bank + each, habits.overhead);
        if countdown.reserve > RESERVE_KEPT {
            let hard = Self::within(bank + each * 2, habits.overhead).hard;
            return Self {
                free: whole.free.mul_f64(EASY_COUNTDOWN),
                soft: whole.soft.mul_f64(EASY_COUNTDOWN),
                hard,
            };
        }
        whole
    }

    fn ordered(soft: Duration, hard: Duration) -> Self {
        let hard = hard.max(MINIMUM);
        Self { free: Duration::ZERO, soft: soft.clamp(MINIMUM, hard), hard }
    }
}

/// The seconds to keep at the control, so that the moves after it are no poorer than those before.
fn kept_for_next(clock: &ClockView, moves: f64) -> f64 {
    let Some(next) = clock.next else { return 0.0 };
    let (time, then) =
        (clock.left.min(LONGEST).as_secs_f64(), next.time.min(LONGEST).as_secs_f64());
    let after = f64::from(next.moves.unwrap_or(HORIZON));
    let even = (time * after - then * moves) / (moves + after);
    even.clamp(0.0, (then * KEPT_FOR_NEXT).min(time / moves * KEPT_OF_SHARE))
}

/// How much of an even share the move of this number deserves.
fn weight(number: u32) -> f64 {
    let progress = f64::from(number.min(FULL_WEIGHT_MOVE)) / f64::from(FULL_WEIGHT_MOVE);
    FIRST_MOVE_WEIGHT + (FULL_WEIGHT - FIRST_MOVE_WEIGHT) * progress
}

#[cfg(test)]
mod tests {
    use super::*;

    const HABITS: Habits = Habits { overhead: Duration::from_millis(30), ponder: false };
    const MS: Duration = Duration::from_millis(1);

    fn sudden(left: Duration, increment: Duration) -> ClockView {
        ClockView { left, increment, ..ClockView::default() }
    }

    /// Clocks of every kind and size, sane and not.
    fn clocks() -> Vec<ClockView> {
        let times = [0, 1, 5, 29, 30, 31, 100, 999, 10_000, 300_000, 5_400_000, u64::MAX];
        let controls = [None, Some(0), Some(1), Some(2), Some(10), Some(40), Some(u32::MAX)];
        let mut clocks = Vec::new();
        for left in times.map(Duration::from_millis) {
            for increment in times.map(Duration::from_millis) {
                for moves_to_go in controls {
                    let rest = ClockView::default();
                    clocks.push(ClockView { left, increment, moves_to_go, ..rest });
                }
            }
        }
        clocks.push(sudden(Duration::MAX, Duration::MAX));
        clocks
    }

    fn habits() -> impl Iterator<Item = Habits> {
        let overheads = [Duration::ZERO, MS, MS * 30, MS * 5000, Duration::MAX];
        overheads
            .into_iter()
            .flat_map(|overhead| [false, true].map(|ponder| Habits { overhead, ponder }))
    }

    #[test]
    fn soft_is_at_most_hard_and_hard_leaves_the_overhead() {
        for habits in habits() {
            for clock in clocks() {
                for number in [0, 1, 30, u32::MAX] {
                    let budget = Budget::for_move(&clock, habits, number);
                    let most = clock.left.saturating_sub(habits.overhead).max(MINIMUM);
                    assert!(MINIMUM <= budget.soft, "{clock:?} {habits:?} {budget:?}");
                    assert!(budget.soft <= budget.hard, "{clock:?} {habits:?} {budget:?}");
                    assert!(budget.hard <= most, "{clock:?} {habits:?} {budget:?}");
                }
            }
        }
    }

    #[test]
    fn more_time_is_never_a_smaller_budget() {
        for moves_to_go in [None, Some(1), Some(2), Some(7), Some(40), Some(1000)] {
            for increment in [0, 10, 1000, 60_000].map(Duration::from_millis) {
                let mut last = Budget::ordered(MINIMUM, MINIMUM);
                for left in (0..2000).map(|i| MS * (i * i)) {
                    let rest = ClockView::default();
                    let clock = ClockView { left, increment, moves_to_go, ..rest };
                    let budget = Budget::for_move(&clock, HABITS, 20);
                    assert!(budget.soft >= last.soft && budget.hard >= last.hard, "{clock:?}");
                    last = budget;
                }
            }
        }
    }

    #[test]
    fn more_moves_to_make_are_never_a_larger_soft_limit() {
        for left in [100, 5000, 300_000, 5_400_000].map(Duration::from_millis) {
            let mut last = Duration::MAX;
            for moves in 1..60 {
                let clock = ClockView { left, moves_to_go: Some(moves), ..ClockView::default() };
                let soft = Budget::for_move(&clock, HABITS, 20).soft;
                assert!(soft <= last, "{clock:?}");
                last = soft;
            }
        }
    }

    /// Plays one period of so many moves, each by the limit that `limit` picks, the overhead lost
    /// every time. Returns what is left.
    fn period(moves: u32, time: Duration, limit: fn(Budget) -> Duration) -> Duration {
        let mut left = time;
        for made in 0..moves {
            let clock = ClockView { left, moves_to_go: Some(moves - made), ..ClockView::default() };
            let spent = limit(Budget::for_move(&clock, HABITS, made + 1)) + HABITS.overhead;
            left = left.checked_sub(spent).unwrap_or_else(|| panic!("flag at move {}", made + 1));
        }
        left
    }

    #[test]
    fn no_period_flags_even_if_every_move_takes_its_hard_limit() {
        let minutes = Duration::from_mins;
        for (moves, time) in [
            (40, minutes(90)),
            (10, minutes(15)),
            (30, minutes(60)),
            (10, minutes(10)),
            (40, minutes(10)),
            (30, minutes(5)),
            (40, Duration::from_secs(4)),
            (10, Duration::from_secs(1)),
            (1, Duration::from_secs(1)),
        ] {
            period(moves, time, |budget| budget.hard);
        }
    }

    #[test]
    fn a_period_of_soft_limits_uses_most_of_it() {
        let left = period(40, Duration::from_mins(90), |budget| budget.soft);
        assert!(left < Duration::from_mins(20), "{left:?} of 90 min unused");
    }

    #[test]
    fn increments_larger_than_the_overhead_never_flag() {
        for increment in [MS * 40, MS * 100, MS * 3000] {
            let mut left = Duration::from_secs(10);
            for number in 1..500 {
                let budget = Budget::for_move(&sudden(left, increment), HABITS, number);
                left = left.checked_sub(budget.hard + HABITS.overhead).expect("flag") + increment;
            }
        }
    }

    #[test]
    fn sudden_death_lasts_a_long_game() {
        let mut left = Duration::from_mins(5);
        for number in 1..=200 {
            let budget = Budget::for_move(&sudden(left, Duration::ZERO), HABITS, number);
            left = left.checked_sub(budget.soft + HABITS.overhead).expect("flag");
        }
    }

    #[test]
    fn a_control_and_an_increment_count_together() {
        let clock =
            |increment, moves_to_go| ClockView { moves_to_go, ..sudden(MS * 60_000, increment) };
        let soft = |clock| Budget::for_move(&clock, HABITS, 20).soft;
        assert!(soft(clock(MS * 2000, Some(20))) > soft(clock(Duration::ZERO, Some(20))));
        assert!(soft(clock(MS * 2000, Some(20))) > soft(clock(MS * 2000, None)));
    }

    #[test]
    fn a_fixed_time_is_thought_whole_and_a_flag_kept_away_from() {
        let budget = Budget::fixed(MS * 1000);
        assert_eq!((budget.free, budget.soft, budget.hard), (MS * 1000, MS * 1000, MS * 1000));
        assert_eq!(Budget::fixed(Duration::ZERO).hard, MS);
        assert!(Budget::fixed(Duration::MAX).hard <= LONGEST);
        assert_eq!(Budget::within(MS * 1000, MS * 30).hard, MS * 910);
        assert_eq!(Budget::within(MS * 20, MS * 30).hard, MS * 10);
        assert_eq!(Budget::within(Duration::ZERO, Duration::MAX).hard, MS);
    }

    #[test]
    fn budgets_combine_to_the_tighter() {
        let (a, b) = (Budget::fixed(MS * 49), Budget::ordered(MS, MS * 900));
        assert_eq!(a.min(b), Budget { free: Duration::ZERO, soft: MS, hard: MS * 49 });
    }

    #[test]
    fn thinking_in_the_opponents_time_allows_a_larger_share() {
        let clock = sudden(MS * 60_000, Duration::ZERO);
        let ponder = Habits { ponder: true, ..HABITS };
        assert!(
            Budget::for_move(&clock, ponder, 9).soft > Budget::for_move(&clock, HABITS, 9).soft
        );
    }
}
