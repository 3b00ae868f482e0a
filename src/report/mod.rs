//! What was found out, as people read it: comments in a game file, and a page that stands alone. Knows
//! words, drawings and markup; decides nothing and writes to whatever it is given.
//!
//! A page is one file without anything from elsewhere. It is whole without its script, which only
//! makes the board move.

mod board;
mod chart;
mod curve;
mod escape;
mod game;
mod page;
mod pgn;
mod recorded;
mod remark;
mod standings;
mod viewer;
mod words;

pub use page::Page;
pub use pgn::annotated;
pub use standings::MatchPage;
