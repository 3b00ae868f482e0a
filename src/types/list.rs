//! Fixed room for the moves of one position, on the stack.

use super::Move;

/// The most moves a position can have: two rooks and two cannons 17 each, knights 8, bishops and
/// king 4, advisors 4 and 1, five pawns 3 are 116 even if no man ever stood in another's way.
pub const MAX_MOVES: usize = 128;

/// The moves of one position.
pub type MoveList = arrayvec::ArrayVec<Move, MAX_MOVES>;
