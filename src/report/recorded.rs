//! A game of a match with what its players thought, in the form of an analysis.

use crate::{
    analysis::{Evaluation, GameReport, PlyReport, SideReport},
    arena::{Record, Settings},
    notation::{Format, Style, print},
    position::{Position, Unobserved},
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
            comment: String::new(),
        });
        let red = position.side() == crate::types::Color::Red;
        position.make(mv, &mut Unobserved);
        let score = index.and_then(|at| record.scores.get(at)?.as_deref());
        if let Some(next) = score.and_then(|text| evaluation(text, red)) {
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

/// What a player thought, as an evaluation: its score as a record has it.
fn evaluation(text: &str, red: bool) -> Option<Evaluation> {
    let sign = if red { 1 } else { -1 };
    if let Some(mate) = text.strip_prefix('#') {
        let mate = sign * mate.parse::<i32>().ok()?;
        let chances = if mate > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
        return Some(Evaluation { chances, mate: Some(mate), ..Evaluation::default() });
    }
    let points = sign * text.parse::<f64>().ok()?.round() as i32;
    // A hundred points are an even chance to win, whoever counts them.
    let win =
        |points: i32| (1000.0 / (1.0 + (f64::from(100 - points) / 50.0).exp())).round() as u32;
    let (red, black) = (win(points), win(-points));
    let chances = [red, 1000 - red - black, black];
    Some(Evaluation { chances, points: Some(points), ..Evaluation::default() })
}
