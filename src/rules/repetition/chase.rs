//! Perpetual chase (长捉) as the Asian, the computers' and the league's book know it: one man that
//! every move of a side attacks anew. Knows neither what an attack is nor how grave.

use std::cmp::Ordering;

use super::{Line, Verdict};
use crate::{
    position::{Position, Unobserved},
    rules::{Judgement, Label, Offence},
    types::{Bitboard, Color, Move},
};

/// What a book takes for an attack: which of the enemy men on the given points the move newly
/// attacks. The position before it is left as it was.
pub(super) type Novelty = fn(&mut Position, Move, Bitboard) -> Bitboard;

/// Judges a window: perpetual check is graver than any chase, `gravity` compares the rest. The
/// graver offence loses, equal ones draw.
pub(super) fn verdict<G: Ord>(line: &Line, window: usize, gravity: impl Fn(Color) -> G) -> Verdict {
    let checked = |side| line.checked_all_along(side, window);
    let (order, offence) = match checked(Color::Red).cmp(&checked(Color::Black)) {
        Ordering::Equal if checked(Color::Red) => return Verdict::Draw,
        Ordering::Equal => {
            (gravity(Color::Red).cmp(&gravity(Color::Black)), Offence::PerpetualChase)
        }
        unequal => (unequal, Offence::PerpetualCheck),
    };
    match order {
        Ordering::Greater => Verdict::Forbidden { offender: Color::Red, offence },
        Ordering::Less => Verdict::Forbidden { offender: Color::Black, offence },
        Ordering::Equal => Verdict::Draw,
    }
}

/// The verdict with the labels of all plies.
pub(super) fn judgement(
    line: &Line,
    window: usize,
    verdict: Verdict,
    novelty: Novelty,
) -> Judgement {
    let mut labels = Vec::with_capacity(window);
    walk(line, window, |position, mv, check| {
        labels.push((mv, label(position, mv, check, novelty)));
        true
    });
    let window_start = line.plies() - window;
    Judgement { verdict, is_warning: false, clauses: Vec::new(), window_start, labels }
}

/// What a move does: it gives check, newly attacks a man, or neither.
pub(super) fn label(position: &mut Position, mv: Move, check: bool, novelty: Novelty) -> Label {
    if check {
        Label::Check
    } else if novelty(position, mv, Bitboard::BOARD).is_empty() {
        Label::Idle
    } else {
        Label::Chase
    }
}

/// Whether every move of `side` in the window newly attacks one and the same man. A check that
/// attacks it, too, is a move like the others.
pub(super) fn perpetual(line: &Line, window: usize, side: Color, novelty: Novelty) -> bool {
    // Where the men stand that have been attacked every time. They are told apart by the way they
    // went: two rooks attacked in turn are not one rook.
    let mut chased = line.position().color(!side);
    walk(line, window, |position, mv, _| {
        if position.side() == side {
            chased = novelty(position, mv, chased);
        } else if chased.has(mv.from()) {
            chased = chased & !Bitboard::of(mv.from()) | Bitboard::of(mv.to());
        }
        !chased.is_empty()
    })
}

/// Shows `visit` every ply of the window: the position before it, the move and whether it gives
/// check. Stops as soon as `visit` has seen enough, and says whether it went through to the end.
fn walk(
    line: &Line,
    window: usize,
    mut visit: impl FnMut(&mut Position, Move, bool) -> bool,
) -> bool {
    // A window leads from a position back to itself, so the latest position is also its first.
    let mut position = line.position().clone();
    line.history()[line.plies() - window..].iter().all(|ply| {
        ply.mv().is_some_and(|mv| {
            let goes_on = visit(&mut position, mv, ply.gave_check());
            position.make(mv, &mut Unobserved);
            goes_on
        })
    })
}

#[cfg(test)]
mod tests;
