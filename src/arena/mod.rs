//! Matches between engines: who plays whom, the referee, the records and what they say about
//! strength. Knows engines as processes and in this one; prints nothing and opens no files.

mod adjudicate;
mod child;
pub mod elo;
mod inproc;
mod letters;
pub mod openings;
mod outcomes;
mod player;
mod process;
mod ranks;
mod record;
mod referee;
mod schedule;
pub mod sprt;
mod standings;
mod tournament;
mod until;

pub use adjudicate::{Adjudication, AdjudicationError, Agreement, DrawAgreement};
pub use child::{ChildPlayer, Manners, SetupError};
pub use inproc::{InProcess, Judge};
pub use letters::Letters;
pub use outcomes::Outcomes;
pub use player::{Answer, Fault, Player, Turn};
pub use process::Program;
pub use ranks::Ranks;
pub use record::{Entry, PlayerSettings, Record, Settings};
pub use referee::{Conditions, Ending, MoveLog, Played, Termination, Warning, play};
pub use schedule::{Fixture, Format, FormatError, Schedule, Shard, ShardError};
pub use standings::{Score, Standings};
pub use tournament::{Brake, Entrant, Home, MatchError, Plan};
