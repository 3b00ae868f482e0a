//! Time, without chess: what each side is granted, what its clock shows, and how long one move may
//! take. Knows clocks and periods, not positions.

mod budget;
mod control;
mod grammar;
mod running;
mod view;

pub use budget::{Budget, Habits};
pub use control::{ARTICLE_6, Allowance, Countdown, Period, TimeControl};
pub use grammar::ControlError;
pub use running::{Clock, FlagFall};
pub use view::{ClockView, MoveCount};
