//! chuhe (楚河): a xiangqi engine.
pub mod types;
