//! Files of games, whoever wrote them: [`Reader`] finds out by its content what a file is and hands
//! out its games one after the other. Knows legal moves; leaves results and rules to others.
//!
//! ```
//! use chuhe::games::Reader;
//! let text = "[Red \"甲\"]\n1. 炮二平五 马8进7 1-0\n[Red \"乙\"]\n1. 炮二平五 (1. 车九进一) 马9进7 *\n";
//! let mut games = Reader::from_bytes(text.into()).unwrap();
//! let first = games.next().unwrap().unwrap();
//! assert_eq!(first.game.tag("Red"), Some("甲"));
//! assert_eq!(first.game.moves.len(), 2);
//! let error = games.next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "game 2, line 4, ply 2: `马9进7` is no legal move here");
//! assert_eq!(error.partial.unwrap().moves.len(), 1);
//! assert!(games.next().is_none());
//! ```

mod board;
mod bytes;
mod ccbridge;
mod dhtmlxq;
mod fault;
mod fen;
mod game;
mod lines;
mod list;
mod own;
pub mod pgn;
mod reader;
mod sniff;
mod text;
mod tree;
mod wxf;
pub mod xqf;

pub use fault::{Fault, Found, GameError, OpenError, Place, Remark};
pub use game::{DEEPEST, Game, MOST_MOVES, Played, Variation};
pub use list::read_game;
pub use reader::{FileFormat, Progress, Reader};
