//! Fixed room for the moves of one position, on the stack.

use super::Move;

/// The most moves a position can have: two rooks and two cannons 17 each, knights 8, the king 4 and
/// five pawns 3 are 103 even if no man ever stood in another's way; bishops share seven points and
/// advisors a palace, which leaves them no more than a dozen each however many they are.
pub const MAX_MOVES: usize = 128;

/// The moves of one position.
pub type MoveList = arrayvec::ArrayVec<Move, MAX_MOVES>;
