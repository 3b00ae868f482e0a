//! The Chinese rules (棋例, 第24–29条) over a whole window: every move of either side is looked at.
//! Knows not what makes a move what it is.

use super::{
    LabelCache,
    conduct::{self, Conduct},
    window::Window,
};
use crate::{
    rules::{Label, Line, Verdict},
    types::Color,
};

/// The verdict, with no more labels than it takes.
pub(super) fn verdict(line: &Line, plies: usize, cache: &mut LabelCache) -> Verdict {
    let mut sides = [Conduct::UNKNOWN; Color::NUM];
    let mut window = Window::new(line, plies);
    while let Some((position, mv, check)) = window.back() {
        let us = position.side();
        // Whoever has made an idle move is allowed to repeat it, whatever else he did.
        if !sides[us as usize].attacks_with_pawns() {
            continue;
        }
        let label = if check { Label::Check } else { cache.label(line.ruleset(), position, mv) };
        sides[us as usize].note(label);
        if !sides.iter().any(|side| side.attacks_all_along()) {
            break;
        }
    }
    conduct::decide(sides).0
}
