//! What the script of a page is told of a game.

use serde::Serialize;

use super::{
    escape,
    remark::{self, chinese},
    words,
};
use crate::{
    analysis::{GameReport, Mark},
    position::Position,
    rules::Language,
    types::{Color, Move},
};

/// Moves of a line that can be played on the board.
const PLAYABLE: usize = 12;

/// A game in short names, for there may be many in a page.
#[derive(Serialize)]
struct Data {
    /// The board of the start, by ranks.
    fen: String,
    /// The ply that is shown first.
    at: usize,
    plies: Vec<Ply>,
    /// For each position: Red's chances of 100, the score, and the best lines.
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Ply {
    /// The move.
    m: String,
    /// With its number and its mark.
    n: String,
    /// What is said of it.
    t: Vec<String>,
    /// The class of its mark.
    k: &'static str,
}

#[derive(Serialize)]
struct Value {
    /// What it is worth to Red.
    r: i32,
    s: String,
    l: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    s: String,
    m: Vec<String>,
    w: Vec<String>,
}

/// The data of a game, safe within its element.
pub(super) fn data(report: &GameReport, positions: &[Position], language: Language) -> String {
    let plies = (1..=report.plies.len()).filter(|&ply| ply < positions.len()).map(|ply| {
        let told = &report.plies[ply - 1];
        let mut said = remark::remarks(report, ply, &positions[ply - 1], language);
        if !told.comment.is_empty() {
            said.push(told.comment.clone());
        }
        Ply {
            m: told.mv.to_string(),
            n: remark::numbered(report, ply),
            t: said,
            k: told.mark.map_or("", remark::class),
        }
    });
    let values = positions.iter().enumerate().map(|(at, position)| {
        let evaluation = report.evaluation(at);
        let line = |line: &crate::analysis::Variation| Line {
            s: remark::line_score(line),
            m: line.moves.iter().take(PLAYABLE).map(Move::to_string).collect(),
            w: chinese(position, &line.moves, PLAYABLE),
        };
        Value {
            r: words::worth(evaluation, Color::Red),
            s: remark::score(evaluation),
            l: evaluation.lines.iter().map(line).collect(),
        }
    });
    escape::data(&Data {
        fen: positions[0].fen().split(' ').next().unwrap_or_default().into(),
        at: opening_view(report),
        plies: plies.collect(),
        values: values.collect(),
    })
}

/// The ply that a game is shown at first: the worst error, or the end.
pub(super) fn opening_view(report: &GameReport) -> usize {
    let errors = (1..).zip(&report.plies).filter(|(_, ply)| ply.mark.is_some_and(Mark::is_error));
    let worst = errors.max_by(|a, b| a.1.loss.total_cmp(&b.1.loss));
    worst.map_or(report.plies.len(), |(at, _)| at)
}
