//! From a game and its evaluations to the report on it.

use std::collections::HashMap;

use super::{
    Decided, Evaluation, GameReport, Judged, Mark, PlyReport, expected, marks, phase::phase,
};
use crate::{
    book::Book,
    games::{Game, Played},
    notation::{Annotation, Format, Style, print},
    position::{Position, Unobserved},
    rules::{self, Language, Line, Outcome, Ruleset, ruling},
    types::{Color, Kind, Piece},
};

/// Turning points that are told of a game.
const TURNS: usize = 3;
/// A side whose chances are worth so many points from some ply on has won there.
const DECIDED: f64 = 75.0;
/// A clock below this is short, if it began with much more.
const SHORT_MS: u64 = 60_000;

/// A game as it is to be searched: its moves are legal.
pub(super) struct Subject {
    pub(super) number: usize,
    pub(super) game: Game,
    pub(super) ruleset: Ruleset,
}

impl Subject {
    /// How many positions it has.
    pub(super) fn positions(&self) -> usize {
        self.game.moves.len() + 1
    }

    /// The line of play up to so many plies.
    pub(super) fn line(&self, plies: usize) -> Line {
        let mut line = Line::under(self.ruleset, self.game.start.clone());
        for mv in self.game.main_line().take(plies) {
            line.push(mv, &mut Unobserved);
        }
        line
    }

    /// Whose turn it is after so many plies.
    pub(super) fn side(&self, plies: usize) -> Color {
        let first = self.game.start.side();
        if plies.is_multiple_of(2) { first } else { !first }
    }

    /// The line after the best move in place of the one that was played, where the latter seems to
    /// be an error: only a second search, as deep as that after the move, tells by how much.
    pub(super) fn doubt(
        &self,
        ply: usize,
        before: &Evaluation,
        after: &Evaluation,
    ) -> Option<Line> {
        let played = self.game.moves.get(ply)?.mv;
        let best = *before.lines.first()?.moves.first()?;
        let loss = marks::loss(before, after, self.side(ply));
        if best == played || marks::error(loss).is_none() {
            return None;
        }
        let mut line = self.line(ply);
        line.push(best, &mut Unobserved);
        Some(line)
    }

    /// The report, from an evaluation of each position and of those after the best moves that were
    /// asked for.
    pub(super) fn report(
        &self,
        evaluations: Vec<Evaluation>,
        instead: &HashMap<usize, Evaluation>,
        book: &Book,
    ) -> GameReport {
        let mut evaluations = evaluations;
        let last = evaluations.pop().unwrap_or_default();
        let mut plies: Vec<PlyReport> = Vec::with_capacity(evaluations.len());
        let mut position = self.game.start.clone();
        let (mut in_book, mut decided) = (true, None);
        let mut mating = [false; 2];
        let clocks = self.first_clocks();
        for (ply, before) in evaluations.iter().enumerate() {
            let played = &self.game.moves[ply];
            let (mv, side) = (played.mv, position.side());
            let after = evaluations.get(ply + 1).unwrap_or(&last);
            in_book = in_book && knows(book, &position, mv);
            let best = before.lines.first().and_then(|line| line.moves.first().copied());
            let loss = match (best == Some(mv), instead.get(&ply)) {
                (true, _) => 0.0,
                // The smaller of two measures, for each of them errs.
                (false, Some(other)) => {
                    marks::loss(before, after, side).min(marks::loss(other, after, side))
                }
                (false, None) => marks::loss(before, after, side),
            };
            let mates = mate_of(after, side);
            let missed_mate = mate_of(before, side).filter(|_| mates.is_none());
            let found_mate = mates.filter(|&moves| moves > 0 && !mating[side as usize]);
            mating[side as usize] = mates.is_some();
            let good = best == Some(mv) && marks::only_one_is_good(before, side);
            let mark =
                marks::error(loss).or_else(|| good.then(|| self.praise(ply, &position)).flatten());
            let clock_ms = played.note.clock.map(|time| time.as_millis() as u64);
            let short = |ms: u64| ms < SHORT_MS && ms * 10 < clocks[side as usize];
            plies.push(PlyReport {
                mv,
                written: print(&position, mv, Format::Chinese(Style::default())),
                before: before.clone(),
                loss: marks::tenths(loss),
                mark: mark.filter(|_| !in_book),
                missed_mate,
                found_mate,
                label: None,
                book: in_book,
                clock_ms,
                spent_ms: played.note.spent.map(|time| time.as_millis() as u64),
                time_trouble: clock_ms.is_some_and(short),
                comment: played.note.text.clone(),
                original: original(&position, played),
            });
            position.make(mv, &mut Unobserved);
            let leader = leader(after);
            decided = match (leader, decided) {
                (None, _) => None,
                (Some(leader), Some((same, at, phase))) if same == leader => {
                    Some((same, at, phase))
                }
                (Some(leader), _) => Some((leader, ply + 1, phase(&position, ply + 1))),
            };
        }
        let judged = self.judge(&mut plies);
        let of = |side: Color| {
            let own = plies.iter().enumerate().filter(|&(ply, _)| self.side(ply) == side);
            marks::side(own.map(|(_, report)| report))
        };
        let winner = self.game.result.winner();
        GameReport {
            number: self.number,
            tags: self.game.tags.clone(),
            fen: self.game.start.fen(),
            preface: self.game.preface.clone(),
            result: self.game.result,
            sides: [of(Color::Red), of(Color::Black)],
            turning_points: turning_points(&plies),
            book_plies: plies.iter().take_while(|ply| ply.book).count(),
            // What the result contradicts was not decided.
            decided: decided
                .filter(|&(leader, ..)| winner.is_none_or(|winner| winner == leader))
                .map(|(_, ply, phase)| Decided { ply, phase }),
            judged,
            plies,
            last,
        }
    }

    /// A word for the only good move. None where there was no choice, and none for taking back.
    fn praise(&self, ply: usize, position: &Position) -> Option<Mark> {
        let mv = self.game.moves[ply].mv;
        if position.legal_moves().len() < 2 {
            return None;
        }
        let takes = position.piece_at(mv.to()).map(Piece::kind);
        let taken_there = ply > 0 && self.game.moves[ply - 1].mv.to() == mv.to();
        match takes {
            _ if !position.see_ge(mv, 0) => Some(Mark::Good),
            Some(Kind::Pawn) | None if !position.in_check() => Some(Mark::Only),
            Some(_) if !taken_there && !position.in_check() && !position.see_ge(mv, 1) => {
                Some(Mark::Only)
            }
            _ => None,
        }
    }

    /// What each side's clock first showed.
    fn first_clocks(&self) -> [u64; 2] {
        [Color::Red, Color::Black].map(|side| {
            let own = self.game.moves.iter().enumerate().filter(|&(ply, _)| self.side(ply) == side);
            let mut clocks = own.filter_map(|(_, played)| played.note.clock);
            clocks.next().map_or(0, |time| time.as_millis() as u64)
        })
    }

    /// The verdicts of the rules, with a label for each move of a repetition that was judged.
    fn judge(&self, plies: &mut [PlyReport]) -> Vec<Judged> {
        let mut line = Line::under(self.ruleset, self.game.start.clone());
        let (mut judged, mut standing) = (Vec::new(), Outcome::Ongoing);
        for ply in 1..=plies.len() {
            line.push(plies[ply - 1].mv, &mut Unobserved);
            let outcome = rules::outcome(&line);
            if outcome != standing && outcome != Outcome::Ongoing {
                let ruling = ruling(&line);
                if let Some(start) = ruling.window_start {
                    for (report, (_, label)) in plies[start..ply].iter_mut().zip(&ruling.labels) {
                        report.label = Some(label.term().into());
                    }
                }
                judged.push(Judged {
                    ply,
                    verdict: Language::English.outcome(outcome),
                    verdict_zh: Language::Chinese.outcome(outcome),
                    draw_claimable: matches!(outcome, Outcome::Drawn(_)) && ply < plies.len(),
                    from: ruling.window_start.map(|start| start + 1),
                    clauses: ruling.clauses.iter().map(|&clause| clause.into()).collect(),
                });
            }
            standing = outcome;
        }
        judged
    }
}

/// The move alone, if it has marks or variations.
fn original(position: &Position, played: &Played) -> String {
    if played.marks.is_empty() && played.variations.is_empty() {
        return String::new();
    }
    let mut game = Game::new(position.clone());
    game.moves.push(Played { note: Annotation::default(), ..played.clone() });
    game.write(Format::Iccs)
}

fn knows(book: &Book, position: &Position, mv: crate::types::Move) -> bool {
    let entries = book.entries(position).unwrap_or_default();
    entries.iter().any(|entry| entry.mv == mv && entry.weight > 0)
}

/// In how many moves a side mates, if it does.
fn mate_of(evaluation: &Evaluation, side: Color) -> Option<u32> {
    let mate = match side {
        Color::Red => evaluation.mate?,
        Color::Black => -evaluation.mate?,
    };
    let won = expected(evaluation.chances, side) >= 100.0;
    (mate >= 0 && won).then_some(mate.unsigned_abs())
}

/// The side that has as good as won.
fn leader(evaluation: &Evaluation) -> Option<Color> {
    [Color::Red, Color::Black]
        .into_iter()
        .find(|&side| expected(evaluation.chances, side) >= DECIDED)
}

/// The errors that cost most, in the order of the game.
fn turning_points(plies: &[PlyReport]) -> Vec<usize> {
    let is_error = |ply: &PlyReport| ply.mark.is_some_and(Mark::is_error);
    let mut errors: Vec<_> =
        (1..).zip(plies).filter(|(_, ply)| is_error(ply)).map(|(at, ply)| (at, ply.loss)).collect();
    errors.sort_by(|a, b| b.1.total_cmp(&a.1));
    errors.truncate(TURNS);
    let mut turns: Vec<_> = errors.into_iter().map(|(at, _)| at).collect();
    turns.sort_unstable();
    turns
}
