//! Whether a draw that the opponent offers is welcome. Knows the board, the game and what a search
//! thinks of it; makes no offers of its own.

use crate::{
    rules::Line,
    search::SearchResult,
    types::{Color, Score, Value, scale},
};

/// A tenth of a knight: who stands worse by that is glad of a draw at any time, and within it a
/// position is level.
const MARGIN: Value = scale::KNIGHT / 10;
/// A shallower search is no ground to accept a draw on.
const LEAST_DEPTH: u32 = 6;

/// Rooks, knights and cannons of a full board.
const MAJORS: u32 = 12;
/// Each of them that is gone counts as so many plies without a capture.
const PLIES_A_MAJOR: u32 = 10;
/// With so many of these plies it is late: at once with four of the twelve left, after ten rounds
/// without a capture with six, after forty with all.
const LATE: u32 = 80;

/// Whether the side to move takes a draw after this search.
pub(super) fn is_welcome(line: &Line, result: &SearchResult, draws_won_by: Option<Color>) -> bool {
    let position = line.position();
    if let Some(winner) = draws_won_by {
        return winner == position.side();
    }
    if !position.can_be_won() {
        return true;
    }
    let value = match result.score {
        Score::Value(value) => value,
        Score::Mate(plies) if plies > 0 => return false,
        Score::Mate(_) => Value::MIN,
    };
    let most = if is_late(line) { MARGIN } else { -MARGIN };
    result.depth >= LEAST_DEPTH && value <= most
}

/// Whether little can be expected to happen any more.
fn is_late(line: &Line) -> bool {
    let majors = [Color::Red, Color::Black].map(|color| line.position().majors(color).count());
    let gone = MAJORS.saturating_sub(majors.iter().sum());
    line.counted() + PLIES_A_MAJOR * gone >= LATE
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::position::Position;

    fn welcome(fen: &str, value: Value, depth: u32) -> bool {
        let line = Line::new(Position::from_fen(fen).unwrap());
        let score = Score::from_value(value);
        let (best, ponder, nodes, time) = (None, None, 0, Duration::ZERO);
        is_welcome(&line, &SearchResult { best, ponder, score, depth, nodes, time }, None)
    }

    #[test]
    fn a_position_that_nobody_can_win_is_a_draw_whatever_is_thought_of_it() {
        let dead = "3ak4/4a4/9/9/9/9/9/4B4/4A4/2BAK4 w";
        for (value, depth) in [(0, 0), (500, 20), (-500, 1)] {
            assert!(welcome(dead, value, depth));
        }
    }

    #[test]
    fn a_level_game_is_given_up_late_and_a_worse_one_at_once() {
        let rooks = "3ak4/4a4/9/p8/9/9/P7r/9/4A4/R2AK4 w - - 0 40";
        let tired = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 90 60";
        for (fen, value, is_welcome) in [
            (Position::START_FEN, 0, false),
            (Position::START_FEN, -28, true),
            (rooks, 0, true),
            (rooks, 28, true),
            (rooks, 29, false),
            (tired, 10, true),
            (tired, 300, false),
            (tired, crate::types::score::mate_in(9), false),
            (Position::START_FEN, crate::types::score::mated_in(9), true),
        ] {
            assert_eq!(welcome(fen, value, 12), is_welcome, "{fen} {value}");
            assert!(!welcome(fen, value, 5), "{fen} {value}, hardly looked at");
        }
    }
}
