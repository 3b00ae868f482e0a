//! How far a book is to go. Values only.

use serde::Serialize;

/// How far a book goes. Points are those of [`Entry::score`](crate::book::Entry::score).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BookPlan {
    /// So many plies have a move in the book.
    pub plies: u32,
    /// At most so many positions where the owner has the move, those that the least is lost on the
    /// way to.
    pub positions: usize,
    /// Points that an own move may be worse than the best by.
    pub margin: u32,
    /// Points that a move of the other side may be worse by and still find an answer.
    pub reply_margin: u32,
    /// Points that each ply counts for in comparing ways: the more, the broader; the fewer, the
    /// deeper.
    pub ply_cost: u32,
}
