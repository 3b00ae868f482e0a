//! What a side did all along, and what follows when both sides' conduct is known (第26条). Knows
//! labels, no positions.

use super::window::Window;
use crate::{
    position::Position,
    rules::{Judgement, Label, Line, Offence, Verdict},
    types::{Color, Move},
};

/// The labels of one side's moves, taken together.
#[derive(Clone, Copy)]
pub(super) struct Conduct {
    lightest: Label,
    checks: bool,
    kills: bool,
    chases: bool,
}

impl Conduct {
    /// No move seen yet: nothing is excluded.
    pub(super) const UNKNOWN: Self =
        Self { lightest: Label::Check, checks: false, kills: false, chases: false };

    /// What is known when only checks are looked at.
    pub(super) fn of_checks(all_along: bool) -> Self {
        let mut conduct = Self::UNKNOWN;
        conduct.note(if all_along { Label::Check } else { Label::Idle });
        conduct
    }

    /// Takes one more move into account.
    pub(super) fn note(&mut self, label: Label) {
        self.lightest = self.lightest.min(label);
        match label {
            Label::Check => self.checks = true,
            Label::Kill => self.kills = true,
            Label::Chase => self.chases = true,
            Label::PawnChase | Label::KingChase | Label::Idle => {}
        }
    }

    fn checks_all_along(self) -> bool {
        self.lightest == Label::Check
    }

    /// Whether every move was 打: check, threat of mate or chase (28.4).
    pub(super) fn attacks_all_along(self) -> bool {
        self.lightest >= Label::Chase
    }

    /// The same, a pawn's own threats included (27.2).
    pub(super) fn attacks_with_pawns(self) -> bool {
        self.lightest >= Label::PawnChase
    }

    /// What attacking all along amounts to.
    pub(super) fn offence(self) -> Offence {
        match (self.checks, self.kills, self.chases) {
            (true, true, true) => Offence::CheckKillAndChase,
            (true, true, false) => Offence::CheckAndKill,
            (true, false, true) => Offence::CheckAndChase,
            (false, true, true) => Offence::KillAndChase,
            (false, true, false) => Offence::PerpetualKill,
            (false, false, true) => Offence::PerpetualChase,
            (_, false, false) => Offence::PerpetualCheck,
        }
    }
}

/// The verdict on what both sides did, and the articles it rests on.
pub(super) fn decide(sides: [Conduct; Color::NUM]) -> (Verdict, &'static [&'static str]) {
    let one_sided = |of: fn(Conduct) -> bool| match sides.map(of) {
        [true, false] => Some(Color::Red),
        [false, true] => Some(Color::Black),
        _ => None,
    };
    let forbidden = |offender: Color| Verdict::Forbidden {
        offender,
        offence: sides[offender as usize].offence(),
    };
    if let Some(offender) = one_sided(Conduct::checks_all_along) {
        return (forbidden(offender), &["24.1", "26.1", "28.10"]);
    }
    match one_sided(Conduct::attacks_all_along) {
        Some(offender) if sides[!offender as usize].attacks_with_pawns() => {
            (Verdict::Draw, &["26.3", "27.2"])
        }
        Some(offender) => (
            forbidden(offender),
            match sides[offender as usize].offence() {
                Offence::PerpetualKill => &["24.3", "25.2", "26.4", "28.11"],
                Offence::PerpetualChase => &["24.3", "25.2", "26.4", "28.12"],
                _ => &["24.3", "25.2", "26.4", "28.15"],
            },
        ),
        None if sides[0].attacks_all_along() => (Verdict::Draw, &["26.3"]),
        None => (Verdict::Draw, &["25.2", "26.2"]),
    }
}

/// Judges the last `plies` plies in full, given what each move does: the position before it, the
/// move, whether it gave check.
pub(super) fn judgement(
    line: &Line,
    plies: usize,
    mut label: impl FnMut(&Position, Move, bool) -> Label,
) -> Judgement {
    let mut sides = [Conduct::UNKNOWN; Color::NUM];
    let mut labels = Vec::with_capacity(plies);
    let mut window = Window::new(line, plies);
    while let Some((position, mv, check)) = window.back() {
        let label = label(position, mv, check);
        sides[position.side() as usize].note(label);
        labels.push((mv, label));
    }
    labels.reverse();
    let (verdict, articles) = decide(sides);
    let mut clauses = articles.to_vec();
    for (label, article) in [(Label::KingChase, "27.1"), (Label::PawnChase, "27.2")] {
        if labels.iter().any(|&(_, found)| found == label) && !clauses.contains(&article) {
            clauses.push(article);
        }
    }
    Judgement { verdict, clauses, window_start: line.plies() - plies, labels }
}
