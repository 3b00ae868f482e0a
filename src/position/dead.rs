//! Which men can still win a game (4.2.1). Knows what is on the board, not who is to move.

use super::Position;
use crate::types::{Color, Kind, Square};

impl Position {
    /// Whether the men on the board can come to a mate or a stalemate at all.
    ///
    /// They cannot where no man is left that can cross the river, nor in these endings, in no
    /// position of which a side is without a move, however badly both may play: one cannon, with or
    /// without bishops, against bishops or nothing; cannon against cannon; pawns on their last rank
    /// against a bare king, up to two of them against as many; one such pawn with any guards against
    /// a bare king, or alone against bishops. `tests/dead.rs` goes through all of them.
    pub fn can_be_won(&self) -> bool {
        !(self.kind(Kind::Rook) | self.kind(Kind::Knight)).is_empty() || self.can_light_men_win()
    }

    /// The same where there are neither rooks nor knights.
    fn can_light_men_win(&self) -> bool {
        if Color::ALL.iter().any(|&color| self.has_pawn_to_advance(color)) {
            return true;
        }
        let count = |kind| Color::ALL.map(|color| self.pieces(color, kind).count());
        let [cannons, pawns] = [Kind::Cannon, Kind::Pawn].map(count);
        let [advisors, bishops] = [Kind::Advisor, Kind::Bishop].map(count);
        let none = [0, 0];
        let bare = advisors == none && bishops == none;
        match (cannons, pawns) {
            ([0, 0], [0, 0]) => false,
            ([1, 0] | [0, 1], [0, 0]) => advisors != none,
            ([1, 1], [0, 0]) | ([0, 0], [0..=2, 0..=2]) if bare => false,
            ([0, 0], [1, 0] | [0, 1]) => {
                let (us, them) = if pawns[0] == 1 { (0, 1) } else { (1, 0) };
                advisors[them] > 0 || bishops[them] > 0 && advisors[us] + bishops[us] > 0
            }
            ([0, 0], [_, 0] | [0, _]) => !bare,
            _ => true,
        }
    }

    fn has_pawn_to_advance(&self, color: Color) -> bool {
        self.pieces(color, Kind::Pawn).into_iter().any(|square| !is_last_rank(square, color))
    }
}

/// Whether a pawn of `color` can only go sideways from a square.
fn is_last_rank(square: Square, color: Color) -> bool {
    square.rank() == if color == Color::Red { 9 } else { 0 }
}
