//! Judged games from `tests/data/judge/cases.jsonl`, and their twins: the same game seen in a
//! mirror, or with the colours exchanged. Knows no judge.

use super::slow::{Board, Step};

/// A game and what it comes to.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// `Chinese` or `Asian`.
    pub(crate) ruleset: String,
    /// `terminal`: mated or stalemated; `natural_limit`: no capture for too long. Nothing: a
    /// repetition.
    pub(crate) kind: Option<String>,
    pub(crate) start: Board,
    pub(crate) moves: Vec<Step>,
    /// `red loses`, `black loses` or `draw`; the judge's own word where that is disputed.
    pub(crate) verdict: String,
    /// Moves of the repetition with their labels, `h2e2:捉`; where they have been worked out.
    pub(crate) labels: Vec<String>,
}

/// Every row of the file.
pub(crate) fn cases() -> Vec<Case> {
    include_str!("../data/judge/cases.jsonl").lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let json: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
    let maybe = |name: &str| json[name].as_str().map(str::to_owned);
    let text = |name: &str| maybe(name).unwrap_or_else(|| panic!("no {name} in {line}"));
    let words = |name: &str| -> Vec<String> {
        let list = json[name].as_array().into_iter().flatten();
        list.map(|word| word.as_str().expect("a text").to_owned()).collect()
    };
    Case {
        id: text("id"),
        ruleset: text("ruleset"),
        kind: maybe("kind"),
        start: Board::parse(&text("fen")),
        moves: words("moves").iter().map(|word| Step::parse(word)).collect(),
        verdict: maybe("ours").unwrap_or_else(|| text("verdict")),
        labels: words("labels"),
    }
}

impl Case {
    /// Left and right exchanged.
    pub(crate) fn mirrored(&self) -> Self {
        let moves = self.moves.iter().map(|step| step.map(|(file, rank)| (8 - file, rank)));
        self.twin("mirrored", self.start.mirrored(), moves.collect())
    }

    /// The colours exchanged.
    pub(crate) fn flipped(&self) -> Self {
        let moves = self.moves.iter().map(|step| step.map(|(file, rank)| (file, 9 - rank)));
        let mut twin = self.twin("flipped", self.start.flipped(), moves.collect());
        let verdict = match self.verdict.as_str() {
            "red loses" => "black loses",
            "black loses" => "red loses",
            other => other,
        };
        verdict.clone_into(&mut twin.verdict);
        twin
    }

    fn twin(&self, how: &str, start: Board, moves: Vec<Step>) -> Self {
        let id = format!("{} {how}", self.id);
        Self { id, start, moves, labels: Vec::new(), ..self.clone() }
    }
}
