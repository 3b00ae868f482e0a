//! Alpha-beta: from a line of play and limits to a move. Knows positions, rules as verdicts and an
//! evaluator; prints nothing, knows no protocol.

mod history;
mod host;
mod limits;
mod manager;
mod mate;
mod params;
mod picker;
mod pool;
mod pv;
mod pvs;
mod quiescence;
mod root;
mod root_moves;
mod seek;
mod signals;
mod tt;
mod vote;
mod worker;

pub use limits::{Info, Limits, MateVerdict, Progress, Report, SearchResult};
pub use params::{Parameter, Params};
pub use pool::{HashEntry, HashView, NoMemory, Pool};
pub use signals::Signals;
pub use tt::HashError;
