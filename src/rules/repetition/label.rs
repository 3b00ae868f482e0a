//! What one move does (第27–29条). Knows the position before it; of what is repeated it knows
//! nothing.

use super::{
    board::Board,
    gain::{self, Trial, When},
    kill,
};
use crate::{
    position::Position,
    rules::{Label, Ruleset},
    types::{Kind, Move},
};

/// What a move does, and by which moves its threats would be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The heaviest thing it does.
    pub label: Label,
    /// The captures that win a man which was not threatened before; of one label only.
    pub captures: Vec<Move>,
    /// The check that leads to mate (杀) or wins material (抽).
    pub check: Option<Move>,
}

/// What a legal move does under the Chinese rules: the heaviest counts (27.4).
///
/// ```
/// use chuhe::{position::Position, rules::{self, Label, Ruleset}};
/// let rook = Position::from_fen("4k4/9/9/9/R8/9/5n3/9/9/3K5 w").unwrap();
/// let label = |mv: &str| rules::classify(&rook, mv.parse().unwrap(), &Ruleset::default());
/// assert_eq!(label("a5a3"), Label::Chase);
/// assert_eq!(label("a5e5"), Label::Check);
/// assert_eq!(label("a5b5"), Label::Idle);
/// ```
pub fn classify(position: &Position, mv: Move, ruleset: &Ruleset) -> Label {
    let Some(case) = Case::new(position, mv, ruleset) else { return Label::Check };
    if case.mate().is_some() {
        return Label::Kill;
    }
    let threatens = |captor| case.fresh(captor).next().is_some();
    if threatens(gain::is_officer) || case.winning_check().is_some() {
        Label::Chase
    } else if threatens(is_pawn) {
        Label::PawnChase
    } else if threatens(is_king) {
        Label::KingChase
    } else {
        Label::Idle
    }
}

/// As [`classify`], with the threats behind the label.
pub fn examine(position: &Position, mv: Move, ruleset: &Ruleset) -> Finding {
    let mut finding =
        Finding { label: classify(position, mv, ruleset), captures: Vec::new(), check: None };
    let Some(case) = Case::new(position, mv, ruleset) else { return finding };
    match finding.label {
        Label::Kill => finding.check = case.mate(),
        Label::Chase => {
            finding.captures = case.fresh(gain::is_officer).collect();
            if finding.captures.is_empty() {
                finding.check = case.winning_check();
            }
        }
        Label::PawnChase => finding.captures = case.fresh(is_pawn).collect(),
        Label::KingChase => finding.captures = case.fresh(is_king).collect(),
        Label::Check | Label::Idle => {}
    }
    finding
}

fn is_pawn(kind: Kind) -> bool {
    kind == Kind::Pawn
}

fn is_king(kind: Kind) -> bool {
    kind == Kind::King
}

/// A move that gives no check, between what its side could do before and what it can do now.
struct Case<'a> {
    ruleset: &'a Ruleset,
    /// Before the move. A check that the mover stood in merely suspended its attacks.
    before: Board,
    /// After it, the opponent passing.
    threat: Board,
}

impl<'a> Case<'a> {
    /// Nothing when the move gives check.
    fn new(position: &Position, mv: Move, ruleset: &'a Ruleset) -> Option<Self> {
        let after = Board::new(position).after(mv);
        let checks = after.position().in_check();
        (!checks).then(|| Self {
            ruleset,
            before: Board::without_checks(position),
            threat: after.passed(),
        })
    }

    fn mate(&self) -> Option<Move> {
        kill::mating_check(&self.threat, self.ruleset.kill_depth)
    }

    fn trial(&self, when: When) -> Trial {
        Trial { checks: self.ruleset.kill_depth, when }
    }

    /// The captures by men of some kinds that win what such men could not win before (29.2).
    fn fresh(&self, captor: fn(Kind) -> bool) -> impl Iterator<Item = Move> {
        let wins = move |board: &Board, when, mv: Move| {
            board.kind_at(mv.from()).is_some_and(captor) && self.trial(when).wins(board, mv)
        };
        self.threat.captures().into_iter().filter(move |&mv| {
            let old = |old: Move| wins(&self.before, When::Before, old);
            wins(&self.threat, When::Now, mv)
                && !self.before.captures_on(mv.to()).into_iter().any(old)
        })
    }

    fn winning_check(&self) -> Option<Move> {
        let earlier = self.trial(When::Before);
        if !self.ruleset.check_gain || earlier.winning_check(&self.before, |_| false).is_some() {
            return None;
        }
        // To take with check what could be taken before is no new threat (29.2).
        let old = |check: Move| {
            self.threat.kind_at(check.to()).is_some()
                && self.before.captures_on(check.to()).into_iter().any(|capture| {
                    self.before.kind_at(capture.from()).is_some_and(gain::is_officer)
                        && earlier.wins(&self.before, capture)
                })
        };
        self.trial(When::Now).winning_check(&self.threat, old)
    }
}

#[cfg(test)]
mod tests;
