//! What programs are told of a game: one JSON object.

use serde::Serialize;

use super::case::{Case, Decision};
use crate::{
    games::GameError,
    rules::{Label, Language, Offence, Outcome, Ruling},
    types::{Color, Move},
};

/// A verdict.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    verdict: &'static str,
    offence: Option<&'static str>,
    clauses: &'a [&'static str],
    window_start: Option<usize>,
    labels: Vec<String>,
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
