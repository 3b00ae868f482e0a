//! A game of a match with what its players thought, in the form of an analysis.

use crate::{
    analysis::{Evaluation, GameReport, PlyReport, SideReport},
    arena::{Record, Settings},
    notation::{Format, Style, print},
    position::{Position, Unobserved},
    types::{Color, Score, scale::Chances},
};

/// A game with what its players thought of it.
pub(super) fn recorded(record: &Record, settings: &Settings) -> Option<GameReport> {
    let name = |player: usize| settings.players.get(player).map_or("?", |player| &player.name);
    let start = match &record.fen {
        Some(fen) => Position::from_fen(fen).ok()?,
        None => Position::start(),
    };
    let mut position = start.clone();
    let mut plies = Vec::new();
    let mut thought = Evaluation { chances: [0, 1000, 0], ..Evaluation::default() };
    for (ply, word) in record.moves.split_whitespace().enumerate() {
        let mv = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
        let index = ply.checked_sub(record.opening);
        let warned = record.warnings.iter().find(|warning| warning.ply == ply + 1);
        let told = |list: &[u64]| index.and_then(|at| list.get(at)).map(|us| us / 1000);
        plies.push(PlyReport {
            mv,
            written: print(&position, mv, Format::Chinese(Style::default())),
            before: thought.clone(),
            loss: 0.0,
            mark: None,
            missed_mate: None,
            found_mate: None,
            label: None,
            book: index.is_none(),
            clock_ms: index.and_then(|at| *record.clock_ms.get(at)?),
            spent_ms: told(&record.us),
            time_trouble: false,
            comment: warned.map_or_else(String::new, |warning| warning.told.clone()),
            original: String::new(),
        });
        let (side, scale) = (position.side(), Chances::with(position.occupied().count()));
        position.make(mv, &mut Unobserved);
        let score = index.and_then(|at| record.scores.get(at)?.as_deref());
        if let Some(next) = score.and_then(|text| evaluation(text, side, scale)) {
            thought = next;
        }
    }
    Some(GameReport {
        number: record.game + 1,
        tags: vec![
            ("Red".into(), name(record.red).into()),
            ("Black".into(), name(record.black).into()),
            ("Event".into(), record.reason.clone()),
        ],
        fen: start.fen(),
        preface: String::new(),
        result: record.result(),
        plies,
        last: thought,
        sides: [SideReport::default(), SideReport::default()],
        turning_points: Vec::new(),
        book_plies: 0,
        decided: None,
        judged: Vec::new(),
    })
}

/// What the player of a side thought, as an evaluation: its score as a record has it, in points of UCI.
fn evaluation(text: &str, side: Color, scale: Chances) -> Option<Evaluation> {
    let for_red = |number: i32| if side == Color::Red { number } else { -number };
    let (score, points, mate) = if let Some(moves) = text.strip_prefix('#') {
        let moves = moves.parse().ok()?;
        (Score::Mate(moves), None, Some(for_red(moves)))
    } else {
        let points = text.parse::<f64>().ok()?.round() as i32;
        (Score::Value(scale.from_uci(points)), Some(for_red(points)), None)
    };
    let mut chances = scale.per_mille(score);
    if side == Color::Black {
        chances.reverse();
    }
    Some(Evaluation { chances, points, mate, ..Evaluation::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_points_of_a_player_are_an_even_chance_to_win() {
        for men in [6, 16, 32] {
            let scale = Chances::with(men);
            let told = |text, side| evaluation(text, side, scale).map(|told| told.chances);
            let [win, draw, loss] = told("100", Color::Red).unwrap();
            assert!(win.abs_diff(500) <= 2, "{men} men: {win}");
            assert_eq!(told("100", Color::Black), Some([loss, draw, win]));
            assert_eq!(told("#-2", Color::Black), Some([1000, 0, 0]));
            assert_eq!(told("?", Color::Red), None);
        }
    }
}
