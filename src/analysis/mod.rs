//! Games looked at move by move: what each move did to the chances, where the game turned, what the
//! rules say of it. Knows the search, books and rules; writes no file and speaks no language.

mod chances;
mod examine;
mod marks;
mod model;
mod phase;
mod study;
mod workshop;

pub use chances::{chances, expected, points};
pub use marks::{BLUNDER, INACCURACY, MISTAKE};
pub use model::{
    Decided, Evaluation, GameReport, Judged, Mark, Phase, PlyReport, SideReport, Variation,
};
pub use study::{Effort, Settings};
pub use workshop::{Brake, Progress, Task, run};
