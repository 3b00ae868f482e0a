//! chuhe (楚河): a xiangqi engine.
pub mod clock;
pub mod eval;
pub mod position;
pub mod rules;
pub mod search;
pub mod simd;
pub mod types;
