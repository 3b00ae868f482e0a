//! chuhe (楚河): a xiangqi engine.
pub mod cli;
pub mod clock;
pub mod engine;
pub mod position;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod types;
pub mod wire;
