//! What programs are told of a game: one JSON object.

use serde::Serialize;

use super::case::{Case, Decision};
use crate::{
    games::GameError,
    position::{Position, Unobserved},
    rules::{self, Ground, Label, Language, Line, Offence, Outcome, Ruling, Verdict},
    types::{Color, Move, Square},
};

/// A verdict.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    verdict: &'static str,
    offence: Option<&'static str>,
    clauses: &'a [&'static str],
    window_start: Option<usize>,
    labels: Vec<String>,
    /// Why each of these plies has its label.
    plies: Vec<Told>,
    /// By which rules.
    rules: Rules,
    /// The verdict if 27.3 excused chases of advisors and elephants, where it would be another.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_27_3: Option<&'static str>,
    /// Who is told to deviate (24.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    must_change: Option<String>,
    /// The move that broke a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal: Option<Illegal<'a>>,
    /// The first decision, where the game went on after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided<'a>>,
}

#[derive(Serialize)]
struct Rules {
    book: &'static str,
    repetition_count: usize,
    kill_depth: u8,
    check_gain: bool,
    natural_limit: u16,
}

/// One ply and what it does.
#[derive(Serialize)]
struct Told {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    label: &'static str,
    because: Vec<Because>,
    /// What it does besides, which is lighter than its label (27.4).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    besides: Vec<Because>,
}

/// Whom a move attacks, or seems to, and why.
#[derive(Serialize)]
struct Because {
    attacker: Man,
    victim: Man,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<Man>,
    reason: &'static str,
    line: Vec<String>,
}

/// A man by its letter in a FEN and its point.
#[derive(Serialize)]
struct Man {
    man: String,
    on: String,
}

impl Because {
    /// `position` is the one after the move.
    fn of(position: &Position, ground: &Ground) -> Self {
        let man = |square: Square| Man {
            man: position
                .piece_at(square)
                .map(|piece| piece.letter().to_string())
                .unwrap_or_default(),
            on: square.to_string(),
        };
        Self {
            attacker: man(ground.attacker),
            victim: man(ground.victim),
            root: ground.root.map(man),
            reason: ground.reason.term(),
            line: ground.line.iter().map(Move::to_string).collect(),
        }
    }
}

impl Told {
    fn all(ruling: &Ruling, line: &Line) -> Vec<Self> {
        let start = ruling.window_start.unwrap_or(0);
        let mut position = line.position_after(start);
        let moves = line.history()[start..].iter().filter_map(rules::Ply::mv);
        let plies = (start + 1..).zip(moves).zip(&ruling.findings);
        plies
            .map(|((ply, mv), finding)| {
                let side = position.side().to_string();
                position.make(mv, &mut Unobserved);
                let because = |ground: &Ground| Because::of(&position, ground);
                Self {
                    ply,
                    side,
                    mv: mv.to_string(),
                    label: finding.label.term(),
                    because: finding.grounds.iter().map(because).collect(),
                    besides: finding.besides.iter().map(because).collect(),
                }
            })
            .collect()
    }
}

#[derive(Serialize)]
struct Illegal<'a> {
    ply: usize,
    #[serde(rename = "move")]
    word: &'a str,
    reason: String,
}

#[derive(Serialize)]
struct Decided<'a> {
    ply: usize,
    verdict: &'static str,
    offence: Option<&'static str>,
    clauses: &'a [&'static str],
}

fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ongoing => "none",
        Outcome::Drawn(_) => "draw",
        Outcome::Won { winner: Color::Red, .. } => "black loses",
        Outcome::Won { winner: Color::Black, .. } => "red loses",
    }
}

impl<'a> Answer<'a> {
    pub(super) fn of(ruling: &'a Ruling, case: &'a Case) -> Self {
        let rules = case.line.ruleset();
        let label = |(mv, label): &(Move, Label)| format!("{mv}:{}", label.term());
        let illegal = case.illegal.as_ref().filter(|_| !case.line.position().is_lost());
        let decided = |decided: &'a Decision| Decided {
            ply: decided.plies,
            verdict: verdict(decided.outcome),
            offence: decided.outcome.offence().map(Offence::term),
            clauses: &decided.clauses,
        };
        Self {
            verdict: verdict(ruling.outcome),
            offence: ruling.outcome.offence().map(Offence::term),
            clauses: &ruling.clauses,
            window_start: ruling.window_start,
            labels: ruling.labels.iter().map(label).collect(),
            plies: Told::all(ruling, &case.line),
            rules: Rules {
                book: rules.book.name(),
                repetition_count: rules.repetition_count,
                kill_depth: rules.kill_depth,
                check_gain: rules.check_gain,
                natural_limit: rules.natural_limit / 2,
            },
            by_27_3: ruling.by_27_3.map(|verdict| match verdict {
                Verdict::Forbidden { offender: Color::Red, .. } => "red loses",
                Verdict::Forbidden { offender: Color::Black, .. } => "black loses",
                Verdict::Draw | Verdict::Ongoing => "draw",
            }),
            must_change: ruling.warned.map(|(offender, _)| offender.to_string()),
            illegal: illegal.map(|illegal| Illegal {
                ply: case.line.plies() + 1,
                word: &illegal.word,
                reason: Language::English.illegality(illegal.what),
            }),
            decided: case.decided_before().map(decided),
        }
    }
}

/// What stands in the place of a verdict.
#[derive(Serialize)]
pub(super) struct Failure {
    error: String,
    game: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    word: Option<String>,
}

impl Failure {
    pub(super) fn of(error: &GameError) -> Self {
        Self {
            error: error.fault.to_string(),
            game: error.place.game,
            line: error.place.line,
            ply: error.place.ply,
            word: error.fault.word().map(str::to_owned),
        }
    }
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: these have only text keys and plain values")
}
