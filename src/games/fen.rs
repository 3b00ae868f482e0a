//! Positions as other programs write them. What is only spelt otherwise is put into the one form that
//! [`Position::from_fen`] reads.

use std::borrow::Cow;

use crate::position::{FenError, Position};

/// Reads a position of any dialect: men as `H`, `E`, `M` and `G`, gaps as `*`, `[]` after the board,
/// `position fen` before it, one counter or none, the board seen from Black's side.
pub(super) fn read(text: &str) -> Result<Position, FenError> {
    let text = text.trim().trim_matches(['"', '\'']).trim();
    let text = ["position", "fen"].iter().fold(text, |text, word| {
        let (first, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        if first.eq_ignore_ascii_case(word) { rest.trim_start() } else { text }
    });
    let (board, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    // Crazyhouse's hands, which nobody holds anything in.
    let board = board.find('[').map_or(board, |hands| &board[..hands]);
    let board = board.strip_suffix('/').unwrap_or(board);
    // Longer ones are refused for that.
    if board.len() > 200 || board.split('/').count() != 10 {
        return Position::from_fen(&format!("{board}{rest}"));
    }
    let mut ranks: Vec<_> = board.split('/').map(rank).collect();
    let has = |ranks: &[String], king: char| ranks.iter().any(|rank| rank.contains(king));
    if has(&ranks[..5], 'K') && has(&ranks[5..], 'k') {
        ranks = ranks.iter().rev().map(|rank| rank.chars().rev().collect()).collect();
    }
    let side = rest.split_whitespace().next().unwrap_or_default();
    let rest: Cow<str> = match (side.parse::<u32>(), side) {
        // Counters alone: Red moves.
        (Ok(_), _) | (_, "-") => format!(" w {rest}").into(),
        _ => rest.into(),
    };
    Position::from_fen(&format!("{}{rest}", ranks.join("/")))
}

/// A rank with the usual letters and its gaps counted.
fn rank(text: &str) -> String {
    let mut written = String::new();
    let mut gap = 0;
    for c in text.chars() {
        let man = match c {
            '*' | '_' | '+' => {
                gap += 1;
                continue;
            }
            'M' => 'B',
            'm' => 'b',
            'G' => 'A',
            'g' => 'a',
            'S' | 'Z' => 'P',
            's' | 'z' => 'p',
            other => other,
        };
        if gap > 0 {
            written += &gap.to_string();
            gap = 0;
        }
        written.push(man);
    }
    if gap > 0 {
        written += &gap.to_string();
    }
    written
}
