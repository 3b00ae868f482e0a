//! chuhe (楚河): a xiangqi engine.
pub mod clock;
pub mod types;
