//! A report as a game of PGN: scores, marks, comments, and the better lines as variations.

use super::remark::{self, remarks};
use crate::{
    analysis::{Evaluation, GameReport, Mark},
    games::{Game, Played, Variation},
    notation::{Annotation, Eval},
    position::Position,
    rules::Language,
};

/// Moves of a better line that are written.
const WRITTEN: usize = 12;

/// The game with what was found out about it.
pub fn annotated(report: &GameReport, language: Language, annotator: &str) -> Game {
    let positions = remark::positions(report);
    let mut game = Game::new(positions[0].clone());
    game.tags.clone_from(&report.tags);
    game.tags.retain(|(name, _)| name != "Annotator");
    game.add_tag("Annotator", annotator);
    game.preface.clone_from(&report.preface);
    game.result = report.result;
    for (ply, told) in (1..positions.len()).zip(&report.plies) {
        let mut said = remarks(report, ply, &positions[ply - 1], language);
        if !told.comment.is_empty() {
            said.insert(0, told.comment.clone());
        }
        let after = report.evaluation(ply);
        let time = std::time::Duration::from_millis;
        let note = Annotation {
            eval: eval(after),
            depth: Some(after.depth).filter(|&depth| depth > 0),
            spent: told.spent_ms.map(time),
            clock: told.clock_ms.map(time),
            text: said.join(" "),
        };
        let error = told.mark.is_some_and(Mark::is_error);
        game.moves.push(Played {
            mv: told.mv,
            note,
            marks: told.mark.map(Mark::nag).into_iter().collect(),
            variations: if error { better(&told.before, &positions[ply - 1]) } else { Vec::new() },
        });
    }
    game
}

fn eval(evaluation: &Evaluation) -> Option<Eval> {
    match (evaluation.points, evaluation.mate) {
        (_, Some(0)) | (None, None) => None,
        (_, Some(moves)) => Some(Eval::Mate(moves)),
        (Some(points), None) => Some(Eval::Points(points)),
    }
}

/// The best line in place of the move that was played.
fn better(before: &Evaluation, position: &Position) -> Vec<Variation> {
    let Some(line) = before.lines.first() else { return Vec::new() };
    let legal = remark::chinese(position, &line.moves, WRITTEN).len();
    let mut moves: Vec<_> = line.moves.iter().take(legal).map(|&mv| Played::new(mv)).collect();
    if let Some(first) = moves.first_mut() {
        first.note.eval = eval(before);
    }
    if moves.is_empty() { Vec::new() } else { vec![Variation { preface: String::new(), moves }] }
}
