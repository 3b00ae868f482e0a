//! chuhe (楚河): a xiangqi engine.
//!
//! Data flows one way: a line of text becomes a [`wire`] command, the [`protocol`] session hands it
//! to the [`engine`], whose [`search`] workers think on a [`position`] under the [`rules`] with an
//! [`eval`]uator and a [`clock`]; what they find comes back as events and leaves as lines.
#[cfg(feature = "tools")]
pub mod analysis;
#[cfg(feature = "tools")]
pub mod arena;
pub mod book;
#[cfg(feature = "tools")]
pub mod bookgen;
pub mod cli;
pub mod clock;
#[cfg(feature = "tools")]
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod files;
#[cfg(feature = "tools")]
pub mod games;
pub mod notation;
pub mod position;
pub mod protocol;
#[cfg(feature = "tools")]
pub mod records;
#[cfg(feature = "tools")]
pub mod report;
pub mod rules;
pub mod search;
pub mod simd;
#[cfg(feature = "tools")]
pub mod train;
#[cfg(feature = "tools")]
pub mod tune;
pub mod types;
pub mod wire;
