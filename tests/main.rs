//! The tests that need more than one module: one program, for each that is linked takes longer than its
//! tests. A part is run by its name: `cargo test --release --test all judge::`.

#[cfg(feature = "tools")]
mod analyse;
#[cfg(feature = "tools")]
mod arena;
mod attacks;
#[cfg(feature = "tools")]
mod book;
#[cfg(feature = "tools")]
mod cli;
mod common;
#[cfg(feature = "tools")]
mod convert;
mod dead;
mod fen;
#[cfg(feature = "tools")]
mod games;
#[cfg(feature = "tools")]
mod games_fuzz;
#[cfg(feature = "tools")]
mod hostile;
mod judge;
#[cfg(feature = "tools")]
mod judge_cli;
mod judge_oracle;
#[cfg(feature = "tools")]
mod kills;
mod layering;
#[cfg(feature = "tools")]
mod match_cli;
mod mates;
#[cfg(feature = "tools")]
mod mock;
mod oracle;
#[cfg(feature = "tools")]
mod outputs;
mod perft;
#[cfg(feature = "tools")]
mod pipeline;
mod position;
#[cfg(feature = "tools")]
mod progress;
mod protocol;
mod readme;
mod rules;
mod search_rules;
mod see;
mod sessions;
mod signature;
mod talk;
