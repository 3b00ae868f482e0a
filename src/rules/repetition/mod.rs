//! What a repetition amounts to (第24–26条). Knows when one is to be judged, which sides checked all
//! along, and which rule book has the say on the rest.

mod asian;
mod board;
mod cache;
mod chase;
mod chinese;
mod computer;
mod conduct;
mod gain;
mod ground;
mod kill;
mod label;
mod simple;
mod threat;
mod window;

use crate::{
    position::Position,
    rules::{Book, Judgement, Label, Line, Offence, Ruleset, Verdict, articles::cite},
    types::{Bitboard, Color, Move},
};
use conduct::{Conduct, decide};
use window::Window;

pub use cache::LabelCache;
pub use ground::{Ground, Reason};
pub use label::{Finding, classify, examine};

/// The verdict when the position has occurred as often as the rules ask; none while an offender is
/// merely warned.
pub(super) fn on_the_board(line: &Line, cache: &mut LabelCache) -> Option<Verdict> {
    let verdict = complete_window(line).map(|window| verdict(line, window, cache))?;
    (!merely_warns(line, verdict)).then_some(verdict)
}

/// Whether the offender is told to deviate now and loses next time (24.3). Perpetual check loses at
/// once (24.1).
fn merely_warns(line: &Line, verdict: Verdict) -> bool {
    let warnable = |offence| offence != Offence::PerpetualCheck;
    line.ruleset().warning
        && matches!(verdict, Verdict::Forbidden { offence, .. } if warnable(offence))
        && line.occurrences().nth(line.ruleset().repetition_count.max(2) - 1).is_none()
}

/// The verdict at a node `ply` plies below the root of a search.
#[cold]
pub(super) fn in_tree(line: &Line, ply: usize, cache: &mut LabelCache) -> Option<Verdict> {
    on_the_board(line, cache).or_else(|| {
        let window = line.occurrences().next()?;
        (window < ply).then(|| verdict(line, window, cache))
    })
}

/// A repetition judged in full, for people: the verdict, the articles and what every ply of the
/// window does. `None` when the position has not occurred as often as the rules ask.
///
/// ```
/// use chuhe::{position::Position, rules::{self, Label, Line}};
/// let rook = Position::from_fen("4k4/9/9/9/R8/9/5n3/9/9/3K5 w").unwrap();
/// let mut line = Line::new(rook);
/// for mv in ["a5a3", "f3g5", "a3a5", "g5f3"].repeat(2) {
///     assert_eq!(rules::judgement(&line), None);
///     line.play(mv.parse().unwrap()).unwrap();
/// }
/// let judgement = rules::judgement(&line).unwrap();
/// assert_eq!(judgement.verdict, rules::judge(&line));
/// assert_eq!(judgement.clauses, ["4.1.7", "24.3", "25.2", "26.4", "28.12", "28.15"]);
/// assert_eq!(judgement.labels[0].1, Label::Chase);
/// ```
pub fn judgement(line: &Line) -> Option<Judgement> {
    let window = complete_window(line)?;
    let mut cache = LabelCache::default();
    let mut judgement = match line.ruleset().book {
        Book::Chinese => {
            in_full(line, window, |position, mv, _| cache.label(line.ruleset(), position, mv))
        }
        Book::Asian => asian::judgement(line, window),
        Book::Computer => computer::judgement(line, window),
        Book::Simple => simple::judgement(line, window),
        Book::CheckBan => in_full(line, window, checks_alone),
        Book::AlwaysDraw => Judgement {
            verdict: Verdict::Draw,
            clauses: vec!["4.2.3", "23.2"],
            ..in_full(line, window, checks_alone)
        },
    };
    judgement.is_warning = merely_warns(line, judgement.verdict);
    if judgement.is_warning {
        // Nothing is lost yet.
        judgement.clauses.retain(|clause| *clause != "4.1.7");
    }
    Some(judgement)
}

/// What a legal move does as the rule book sees it: its label in a repetition, if it becomes part
/// of one. The position is left as it was.
pub(super) fn label_by_book(ruleset: &Ruleset, position: &mut Position, mv: Move) -> Label {
    let check = position.gives_check(mv);
    match ruleset.book {
        Book::Chinese => classify(position, mv, ruleset),
        Book::Asian | Book::Computer => chase::label(position, mv, check, threat::newly_attacked),
        Book::Simple => chase::label(position, mv, check, simple::attacked_by_mover),
        Book::CheckBan | Book::AlwaysDraw => checks_alone(position, mv, check),
    }
}

/// The same with its grounds. The position is left as it was.
pub(super) fn finding_by_book(ruleset: &Ruleset, position: &mut Position, mv: Move) -> Finding {
    let label = label_by_book(ruleset, position, mv);
    let men = Bitboard::BOARD;
    let attacks: Vec<Move> = match (ruleset.book, label) {
        (Book::Chinese, _) => return examine(position, mv, ruleset),
        (_, Label::Check) => {
            let grounds = ground::of_check(&board::Board::new(position).after(mv));
            return Finding { label, grounds, besides: Vec::new() };
        }
        (Book::Asian | Book::Computer, _) => {
            threat::new_threats(position, mv, men).into_iter().collect()
        }
        (Book::Simple, _) => {
            let prey = simple::attacked_by_mover(position, mv, men).into_iter();
            prey.map(|prey| Move::between(mv.to(), prey)).collect()
        }
        (Book::CheckBan | Book::AlwaysDraw, _) => Vec::new(),
    };
    let after = board::Board::new(position).after(mv).passed();
    let kind = |square| after.kind_at(square);
    let ground = |attack: Move| {
        if threat::uneven(kind(attack.from()), kind(attack.to())) {
            ground::of_uneven(&after, attack)
        } else {
            Ground::new(Reason::Rootless, attack)
        }
    };
    let grounds = attacks.into_iter().map(ground).collect();
    Finding { label, grounds, besides: Vec::new() }
}

/// The verdict that labels amount to under the Chinese rules, each with its mover.
pub(super) fn verdict_of(labels: impl Iterator<Item = (Color, Label)>) -> Verdict {
    let mut sides = [Conduct::UNKNOWN; Color::NUM];
    for (side, label) in labels {
        sides[side as usize].note(label);
    }
    decide(sides).0
}

fn checks_alone(_: &Position, _: Move, check: bool) -> Label {
    if check { Label::Check } else { Label::Idle }
}

/// How many plies are to be judged, once the position has occurred often enough: however often
/// the rules ask for it, those since the third-last occurrence.
fn complete_window(line: &Line) -> Option<usize> {
    let count = line.ruleset().repetition_count.max(2);
    line.occurrences().nth(count - 2)?;
    line.occurrences().nth(count.min(3) - 2)
}

/// Judges the last `window` plies, which lead from a position back to itself.
fn verdict(line: &Line, window: usize, cache: &mut LabelCache) -> Verdict {
    let checked = |side| line.checked_all_along(side, window);
    match (line.ruleset().book, Color::ALL.map(checked)) {
        (Book::Chinese, [false, false]) => chinese::verdict(line, window, cache),
        (Book::Chinese | Book::CheckBan, checked) => decide(checked.map(Conduct::of_checks)).0,
        (Book::Asian, _) => asian::verdict(line, window),
        (Book::Computer, _) => computer::verdict(line, window),
        (Book::Simple, _) => simple::verdict(line, window),
        (Book::AlwaysDraw, _) => Verdict::Draw,
    }
}

/// Judges the last `plies` plies in full, given what each move does: the position before it, the
/// move, whether it gave check.
fn in_full(
    line: &Line,
    plies: usize,
    mut label: impl FnMut(&Position, Move, bool) -> Label,
) -> Judgement {
    let mut sides = [Conduct::UNKNOWN; Color::NUM];
    let mut labels = Vec::with_capacity(plies);
    let mut window = Window::new(line, plies);
    while let Some((position, mv, check)) = window.back() {
        let label = label(position, mv, check);
        sides[position.side() as usize].note(label);
        labels.push((mv, label));
    }
    labels.reverse();
    let (verdict, articles) = decide(sides);
    let mut clauses = articles.to_vec();
    for (label, article) in [(Label::KingChase, "27.1"), (Label::PawnChase, "27.2")] {
        if labels.iter().any(|&(_, found)| found == label) {
            cite(&mut clauses, article);
        }
    }
    Judgement { verdict, is_warning: false, clauses, window_start: line.plies() - plies, labels }
}

#[cfg(test)]
mod tests;
