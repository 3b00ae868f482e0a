//! The Chinese names of what the judge tells apart.

use chuhe::rules::{Label, Offence};

/// The Chinese name of a label; a chase by way of check has none of its own.
pub(crate) fn label_name(label: Label) -> &'static str {
    match label {
        Label::Idle => "闲",
        Label::KingChase => "帅捉",
        Label::PawnChase => "兵捉",
        Label::Chase => "捉",
        Label::Kill => "杀",
        Label::Check => "将",
    }
}

/// The Chinese name of an offence.
pub(crate) fn offence_name(offence: Offence) -> &'static str {
    match offence {
        Offence::PerpetualCheck => "长将",
        Offence::PerpetualKill => "长杀",
        Offence::PerpetualChase => "长捉",
        Offence::CheckAndKill => "一将一杀",
        Offence::CheckAndChase => "一将一捉",
        Offence::KillAndChase => "一杀一捉",
        Offence::CheckKillAndChase => "将杀捉",
    }
}
