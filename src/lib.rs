//! chuhe (楚河): a xiangqi engine.
//!
//! Data flows one way: a line of text becomes a [`wire`] command, the [`protocol`] session hands it
//! to the [`engine`], whose [`search`] workers think on a [`position`] under the [`rules`] with an
//! [`eval`]uator and a [`clock`]; what they find comes back as events and leaves as lines.
pub mod analysis;
pub mod arena;
pub mod book;
pub mod bookgen;
pub mod cli;
pub mod clock;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod files;
pub mod games;
pub mod notation;
pub mod position;
pub mod protocol;
pub mod records;
pub mod report;
pub mod rules;
pub mod search;
pub mod simd;
pub mod train;
pub mod tune;
pub mod types;
pub mod wire;
