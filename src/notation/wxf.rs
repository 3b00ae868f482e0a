//! Writing moves as the World Xiangqi Federation does, `C2=5`; [`super::spelling`] reads them.
//!
//! Two men of a kind on one file are `C+` and `C-`. Three pawns on a file are `P+`, `P3` and `P-`
//! (3 being the file), four `++ P+ P- --`, five `++ P+ P3 P- --`. When two files hold several
//! pawns, the file takes the letter's place: `3+ 33 3-`. So `P3` may be a pawn that is alone on
//! its file or the middle one of it; no position has both.

use super::portrait::{Action, Portrait, Tandem};
use crate::{position::Position, types::Move};

/// In the order of the kinds; elephants and horses are WXF's own words for bishops and knights.
const LETTERS: [char; 7] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

/// Writes a move of the side to move.
pub(super) fn print(position: &Position, mv: Move) -> String {
    let portrait = Portrait::of(position, mv);
    let file = char::from(b'0' + portrait.file);
    let letter = LETTERS[portrait.kind as usize];
    // Where two files hold several pawns, none of them holds more than three.
    let head = if portrait.number.is_some() { file } else { letter };
    let who = match portrait.tandem {
        Some(tandem) if !portrait.is_plain() => match sign(tandem) {
            None => [head, file],
            Some((sign, Row::Inner)) => [head, sign],
            Some((sign, Row::Outer)) => [sign, sign],
        },
        _ => [letter, file],
    };
    let action = match portrait.action {
        Action::Forward => '+',
        Action::Back => '-',
        Action::Across => '=',
    };
    who.into_iter().chain([action, char::from(b'0' + portrait.target)]).collect()
}

/// Of four or five men the outer ones have a doubled sign.
enum Row {
    Inner,
    Outer,
}

/// The sign of a place; none for the middle.
fn sign(tandem: Tandem) -> Option<(char, Row)> {
    let Tandem { index, of } = tandem;
    let outer = of > 3 && (index == 0 || index + 1 == of);
    let row = if outer { Row::Outer } else { Row::Inner };
    let sign = if 2 * index < of { '+' } else { '-' };
    (!tandem.is_middle()).then_some((sign, row))
}
