//! A report as a game of PGN: scores, marks, comments, and the better lines as variations.

use super::remark::{self, remarks};
use crate::{
    analysis::{Evaluation, GameReport, Mark},
    games::{Game, Played, Variation, pgn},
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
    // Whoever annotated it before is named first.
    match game.tags.iter_mut().find(|(name, _)| name == "Annotator") {
        Some((_, known)) => known.extend(["; ", annotator]),
        None => game.add_tag("Annotator", annotator),
    }
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
        let (mut marks, mut variations) = original(&told.original);
        marks.extend(told.mark.map(Mark::nag).filter(|nag| !marks.contains(nag)));
        if told.mark.is_some_and(Mark::is_error) {
            variations.extend(better(&told.before, &positions[ply - 1]));
        }
        game.moves.push(Played { mv: told.mv, note, marks, variations });
    }
    game
}

/// The marks and the variations that the file has for a move.
fn original(text: &str) -> (Vec<u8>, Vec<Variation>) {
    let game = pgn::read(text).next().and_then(Result::ok);
    let first = game.and_then(|game| game.moves.into_iter().next());
    first.map_or_else(Default::default, |played| (played.marks, played.variations))
}

fn eval(evaluation: &Evaluation) -> Option<Eval> {
    match (evaluation.points, evaluation.mate) {
        (_, Some(0)) | (None, None) => None,
        (_, Some(moves)) => Some(Eval::Mate(moves)),
        (Some(points), None) => Some(Eval::Points(points)),
    }
}

/// The best line in place of the move that was played.
fn better(before: &Evaluation, position: &Position) -> Option<Variation> {
    let line = before.lines.first()?;
    let legal = remark::chinese(position, &line.moves, WRITTEN).len();
    let mut moves: Vec<_> = line.moves.iter().take(legal).map(|&mv| Played::new(mv)).collect();
    if let Some(first) = moves.first_mut() {
        first.note.eval = eval(before);
    }
    (!moves.is_empty()).then(|| Variation { preface: String::new(), moves })
}
