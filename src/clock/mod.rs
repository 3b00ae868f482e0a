//! Time, without chess: how long one move may take. Knows clocks and periods, not positions.

mod budget;

pub use budget::{Budget, ClockView, Habits};
