//! What one move does (第27–29条). Knows the position before it; of what is repeated it knows
//! nothing.

use super::{
    board::Board,
    gain::{self, Trial, When},
    ground::{self, Ground, Reason},
    kill,
};
use crate::{
    position::Position,
    rules::{Label, Ruleset},
    types::{Kind, Move},
};

/// What a move does, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The heaviest thing it does (27.4).
    pub label: Label,
    /// Why that: whom it attacks, or what keeps its attacks from being some.
    pub grounds: Vec<Ground>,
    /// What it does besides, which does not count (27.4).
    pub besides: Vec<Ground>,
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

/// As [`classify`], with the grounds of the label.
pub fn examine(position: &Position, mv: Move, ruleset: &Ruleset) -> Finding {
    let label = classify(position, mv, ruleset);
    let finding = |grounds, besides| Finding { label, grounds, besides };
    let Some(case) = Case::new(position, mv, ruleset) else {
        return finding(ground::of_check(&Board::new(position).after(mv)), Vec::new());
    };
    match label {
        Label::Kill => finding(ground::of_mate(&case.threat, ruleset.kill_depth), case.chases()),
        Label::Chase => finding(case.chases(), case.offer(mv).into_iter().collect()),
        Label::PawnChase => finding(case.wins_of(is_pawn), Vec::new()),
        Label::KingChase => finding(case.wins_of(is_king), Vec::new()),
        Label::Check | Label::Idle => finding(case.excuses(position, mv), Vec::new()),
    }
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

    /// Why each fresh capture by men of some kinds wins.
    fn wins_of(&self, captor: fn(Kind) -> bool) -> Vec<Ground> {
        let trial = self.trial(When::Now);
        self.fresh(captor).flat_map(|mv| ground::of_win(trial, &self.threat, mv)).collect()
    }

    /// What makes a move a chase (捉): captures, or else a check.
    fn chases(&self) -> Vec<Ground> {
        let captures = self.wins_of(gain::is_officer);
        if !captures.is_empty() {
            return captures;
        }
        let wins = |check| ground::of_winning_check(self.trial(When::Now), &self.threat, check);
        self.winning_check().map(wins).unwrap_or_default()
    }

    /// That the moved man can be won itself (献).
    fn offer(&self, mv: Move) -> Option<Ground> {
        ground::of_offer(self.trial(When::Now), &self.threat.passed(), mv)
    }

    /// What keeps an idle move from attacking: of each capture that it makes possible, and of each
    /// that was there before.
    fn excuses(&self, position: &Position, mv: Move) -> Vec<Ground> {
        let trial = self.trial(When::Now);
        let mut grounds: Vec<Ground> = Vec::new();
        let officer = |from| self.threat.kind_at(from).is_some_and(gain::is_officer);
        for attack in self.threat.attacks().into_iter().filter(|attack| officer(attack.from())) {
            let from = if attack.from() == mv.to() { mv.from() } else { attack.from() };
            let known =
                from != attack.to() && self.before.reaches(Move::between(from, attack.to()));
            let wins = self.threat.is_legal(attack) && trial.wins(&self.threat, attack);
            if wins && grounds.iter().all(|ground| ground.victim != attack.to()) {
                grounds.push(Ground::new(Reason::Old, attack));
            } else if !wins && !known {
                grounds.extend(ground::of_failure(trial, &self.threat, attack));
            }
        }
        // A man to be won by check before and after.
        if self.ruleset.check_gain
            && let Some(check) = trial.winning_check(&self.threat, |_| false)
        {
            let old = ground::of_winning_check(trial, &self.threat, check);
            grounds.extend(old.into_iter().map(|it| Ground { reason: Reason::Old, ..it }));
        }
        let before = Board::new(position).passed();
        grounds.extend(ground::of_block(trial, &before, &self.threat.passed(), mv));
        grounds.extend(self.offer(mv));
        grounds
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
