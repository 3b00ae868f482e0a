//! Opening books in the making: from games that were played, or from positions that the engine
//! thinks about itself. Knows the search and what a book holds; nothing of who asks for it.

mod analyst;
mod games;
mod grow;
mod plan;
mod studies;
#[cfg(test)]
mod tests;
mod thoughts;
mod tree;
mod verify;
mod walk;
mod weigh;
mod weight;

pub use analyst::Settings;
pub use games::Games;
pub use grow::{BuildProgress, grow};
pub use plan::BookPlan;
pub use studies::{Studies, StudyError};
pub use thoughts::Thoughts;
pub use verify::{Loss, strike, verify};
pub use walk::{Walk, walk};
pub use weigh::{Weighed, weigh};

use crate::{
    book::Key,
    position::{Position, Unobserved},
    types::Move,
};

/// The one of a position and its mirror image that is on file, as if no game had led there.
fn filed(position: &Position) -> Position {
    let filed = if Key::of(position).mirrored { position.mirror() } else { position.clone() };
    filed.without_history()
}

/// What a legal move leads to.
fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.make(mv, &mut Unobserved);
    after
}
