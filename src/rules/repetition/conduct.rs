//! What a side did all along, and what follows when both sides' conduct is known (第26条). Knows
//! labels, no positions.

use crate::{
    rules::{Label, Offence, Verdict},
    types::Color,
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
        return (forbidden(offender), &["4.1.7", "24.1", "26.1", "28.10"]);
    }
    match one_sided(Conduct::attacks_all_along) {
        Some(offender) if sides[!offender as usize].attacks_with_pawns() => {
            (Verdict::Draw, &["4.2.3", "23.2", "24.2", "26.3", "27.2"])
        }
        Some(offender) => (
            forbidden(offender),
            match sides[offender as usize].offence() {
                Offence::PerpetualKill => &["4.1.7", "24.3", "25.2", "26.4", "28.11", "28.15"],
                Offence::PerpetualChase => &["4.1.7", "24.3", "25.2", "26.4", "28.12", "28.15"],
                _ => &["4.1.7", "24.3", "25.2", "26.4", "28.14", "28.15"],
            },
        ),
        None if sides[0].attacks_all_along() => (Verdict::Draw, &["4.2.3", "23.2", "24.2", "26.3"]),
        None => (Verdict::Draw, &["4.2.3", "23.2", "24.2", "25.2", "26.2"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::{Chase, Check, Idle, Kill, KingChase, PawnChase};

    fn judged(red: &[Label], black: &[Label]) -> Verdict {
        let sides = [red, black].map(|labels| {
            let mut conduct = Conduct::UNKNOWN;
            for &label in labels {
                conduct.note(label);
            }
            conduct
        });
        decide(sides).0
    }

    /// Red loses for an offence, and Black would if it had done the same.
    fn assert_forbidden(offence: Offence, red: &[Label], black: &[Label]) {
        for (offender, verdict) in
            [(Color::Red, judged(red, black)), (Color::Black, judged(black, red))]
        {
            assert_eq!(verdict, Verdict::Forbidden { offender, offence }, "{red:?} {black:?}");
        }
    }

    fn assert_draw(red: &[Label], black: &[Label]) {
        assert_eq!(judged(red, black), Verdict::Draw, "{red:?} {black:?}");
        assert_eq!(judged(black, red), Verdict::Draw, "{black:?} {red:?}");
    }

    #[test]
    fn article_26_1_one_sided_perpetual_check_loses_whatever_the_other_side_does() {
        for other in [Idle, KingChase, PawnChase, Chase, Kill] {
            assert_forbidden(Offence::PerpetualCheck, &[Check, Check], &[other, other]);
            assert_forbidden(Offence::PerpetualCheck, &[Check, Check], &[Check, other]);
        }
    }

    #[test]
    fn article_26_2_an_idle_move_in_the_cycle_makes_it_allowed() {
        for light in [Idle, KingChase, PawnChase] {
            for heavy in [Check, Kill, Chase] {
                assert_draw(&[heavy, light], &[Idle, Idle]);
                assert_draw(&[heavy, light], &[light, heavy]);
            }
        }
    }

    #[test]
    fn article_26_3_both_sides_forbidden_is_a_draw_whatever_the_kinds() {
        assert_draw(&[Check, Check], &[Check, Check]);
        let forbidden =
            [[Kill, Kill], [Chase, Chase], [Check, Kill], [Check, Chase], [Kill, Chase]];
        for red in forbidden {
            for black in forbidden {
                assert_draw(&red, &black);
            }
        }
    }

    #[test]
    fn article_26_4_who_alone_attacks_all_along_loses() {
        for (offence, moves) in [
            (Offence::PerpetualKill, [Kill, Kill, Kill]),
            (Offence::PerpetualChase, [Chase, Chase, Chase]),
            (Offence::CheckAndKill, [Check, Kill, Check]),
            (Offence::CheckAndChase, [Check, Chase, Check]),
            (Offence::KillAndChase, [Kill, Chase, Kill]),
            (Offence::CheckKillAndChase, [Check, Kill, Chase]),
        ] {
            for idle in [Idle, KingChase] {
                assert_forbidden(offence, &moves, &[idle, Chase, Chase]);
            }
        }
    }

    #[test]
    fn article_27_2_a_pawns_chase_counts_against_a_side_that_attacks_all_along() {
        assert_draw(&[Chase, Kill], &[PawnChase, PawnChase]);
        assert_draw(&[Chase, Chase], &[PawnChase, Check]);
        assert_forbidden(Offence::PerpetualChase, &[Chase, Chase], &[PawnChase, KingChase]);
        assert_draw(&[PawnChase, PawnChase], &[Idle, Idle]);
    }
}
