//! Matches between engines: who plays whom, the referee, the records and what they say about
//! strength. Knows engines as processes and in this one; prints nothing.

pub mod elo;
pub mod openings;
mod outcomes;
pub mod schedule;
pub mod sprt;

pub use outcomes::Outcomes;
