//! Perpetual check and nothing else: what every rule book forbids (长将).

use super::conduct;
use crate::rules::{Judgement, Label, Line};

/// The verdict on the last `plies` plies, with every label and the articles.
pub(super) fn judgement(line: &Line, plies: usize) -> Judgement {
    conduct::judgement(line, plies, |_, _, check| if check { Label::Check } else { Label::Idle })
}
