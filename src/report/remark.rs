//! What is said of a move, in words.

use super::words::{self, of};
use crate::{
    analysis::{Evaluation, GameReport, Mark, PlyReport, Variation, expected},
    notation::{Format, Style, print},
    position::{Position, Unobserved},
    rules::Language,
    types::{Color, Move},
};

/// Moves of a line that are told within a sentence.
const TOLD: usize = 6;

/// The positions of a game, the start first.
pub(super) fn positions(report: &GameReport) -> Vec<Position> {
    let mut position = Position::from_fen(&report.fen).unwrap_or_else(|_| Position::start());
    let mut all = vec![position.clone()];
    for ply in &report.plies {
        if !position.is_legal(ply.mv) {
            break;
        }
        position.make(ply.mv, &mut Unobserved);
        all.push(position.clone());
    }
    all
}

/// Whose the ply is, from 1.
pub(super) fn mover(report: &GameReport, ply: usize) -> Color {
    let first = if report.fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::Red };
    if ply % 2 == 1 { first } else { !first }
}

/// The number of the round that a ply belongs to, from 1.
pub(super) fn round(report: &GameReport, ply: usize) -> usize {
    let number = report.fen.split(' ').nth(5).and_then(|word| word.parse().ok());
    let first: usize = number.unwrap_or(1);
    let second = usize::from(report.fen.split(' ').nth(1) == Some("b"));
    let later = ply - 1 + second;
    first + later / 2
}

/// A move with its number and its mark: `12. 炮二平五?`, `12… 马8进7`.
pub(super) fn numbered(report: &GameReport, ply: usize) -> String {
    let dots = if mover(report, ply) == Color::Red { "." } else { "…" };
    let told = &report.plies[ply - 1];
    let sign = told.mark.map_or("", Mark::sign);
    format!("{}{dots} {}{sign}", round(report, ply), told.written)
}

/// The class of a mark in the page's style.
pub(super) const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Good => "k-good",
        Mark::Only => "k-only",
        Mark::Inaccuracy => "k-inaccuracy",
        Mark::Mistake => "k-mistake",
        Mark::Blunder => "k-blunder",
    }
}

/// A line of play in Chinese, as many moves as are wanted.
pub(super) fn chinese(position: &Position, moves: &[Move], most: usize) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in moves.iter().take(most) {
        if !position.is_legal(mv) {
            break;
        }
        words.push(print(&position, mv, Format::Chinese(Style::default())));
        position.make(mv, &mut Unobserved);
    }
    words
}

/// What is said of a ply, from 1, a sentence each; `before` is the position it was played in.
pub(super) fn remarks(
    report: &GameReport,
    ply: usize,
    before: &Position,
    language: Language,
) -> Vec<String> {
    let told = &report.plies[ply - 1];
    let side = mover(report, ply);
    let mut said = Vec::new();
    if let Some(mark) = told.mark {
        said.push(verdict(report, ply, mark, before, language));
    }
    if let Some(moves) = told.missed_mate {
        said.push(match language {
            Language::English => format!("There was a mate in {moves}."),
            Language::Chinese => format!("错过{moves}步杀。"),
        });
    }
    if let Some(moves) = told.found_mate {
        said.push(match language {
            Language::English => {
                format!("{} mates in {moves} from here.", words::side(language, side))
            }
            Language::Chinese => format!("{}由此{moves}步成杀。", words::side(language, side)),
        });
    }
    if report.book_plies + 1 == ply && ply > 1 {
        said.push(of(language, "Leaves the opening book.", "脱离开局库。").into());
    }
    for judged in report.judged.iter().filter(|judged| judged.ply == ply) {
        let verdict = of(language, &judged.verdict, &judged.verdict_zh);
        said.push(match language {
            Language::English => format!("By the rules: {verdict}."),
            Language::Chinese => format!("按棋规：{verdict}。"),
        });
        if judged.draw_claimable {
            said.push(of(language, "A draw could be claimed here.", "此时可提和。").into());
        }
    }
    if told.time_trouble
        && let Some(ms) = told.clock_ms
    {
        let clock = words::clock(ms);
        said.push(match language {
            Language::English => format!("Short of time ({clock} left)."),
            Language::Chinese => format!("时间紧张（余{clock}）。"),
        });
    }
    said
}

fn verdict(
    report: &GameReport,
    ply: usize,
    mark: Mark,
    before: &Position,
    language: Language,
) -> String {
    let told = &report.plies[ply - 1];
    let side = mover(report, ply);
    let name = words::mark(language, mark);
    if !mark.is_error() {
        let second = told.before.lines.get(1).map_or(0.0, |line| expected(line.chances, side));
        let best = told.before.lines.first().map_or(0.0, |line| expected(line.chances, side));
        return match language {
            Language::English => {
                format!("{name}: any other move would cost {:.0} points.", best - second)
            }
            Language::Chinese => format!("{name}：其他着法至少损失{:.0}分。", best - second),
        };
    }
    let after = report.evaluation(ply);
    let (from, to) = (words::worth(&told.before, side), words::worth(after, side));
    let better = better(told, before);
    let who = words::side(language, side);
    match language {
        Language::English => {
            format!("{name}: {who}'s chances go from {from} to {to}. Better was {better}.")
        }
        Language::Chinese => format!("{name}：{who}期望由{from}降至{to}。宜走{better}。"),
    }
}

fn better(told: &PlyReport, before: &Position) -> String {
    let moves = told.before.lines.first().map_or(&[][..], |line| &line.moves);
    chinese(before, moves, TOLD).join(" ")
}

/// An evaluation in a few characters.
pub(super) fn score(evaluation: &Evaluation) -> String {
    words::score(evaluation.points, evaluation.mate)
}

/// A line's.
pub(super) fn line_score(line: &Variation) -> String {
    words::score(line.points, line.mate)
}
