//! The words of reports in each language. Knows no markup.

use crate::{
    analysis::{Evaluation, Mark, Phase, expected},
    rules::Language,
    types::Color,
};

/// English or Chinese, by the language.
pub(super) fn of<'a>(language: Language, english: &'a str, chinese: &'a str) -> &'a str {
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// The name of a side.
pub(super) fn side(language: Language, side: Color) -> &'static str {
    match side {
        Color::Red => of(language, "Red", "红方"),
        Color::Black => of(language, "Black", "黑方"),
    }
}

/// What a mark means.
pub(super) fn mark(language: Language, mark: Mark) -> &'static str {
    match mark {
        Mark::Good => of(language, "Well found", "妙着"),
        Mark::Only => of(language, "Only move", "唯一着"),
        Mark::Inaccuracy => of(language, "Inaccuracy", "缓着"),
        Mark::Mistake => of(language, "Mistake", "失着"),
        Mark::Blunder => of(language, "Blunder", "败着"),
    }
}

/// The name of a phase.
pub(super) fn phase(language: Language, phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => of(language, "opening", "开局"),
        Phase::Middlegame => of(language, "middlegame", "中局"),
        Phase::Endgame => of(language, "endgame", "残局"),
    }
}

/// How a game ended, as the file has it.
pub(super) fn result(language: Language, result: crate::notation::GameResult) -> &'static str {
    use crate::notation::GameResult::{BlackWins, Draw, RedWins, Unknown};
    match result {
        RedWins => of(language, "Red won", "红胜"),
        BlackWins => of(language, "Black won", "黑胜"),
        Draw => of(language, "Drawn", "和棋"),
        Unknown => of(language, "No result", "未记结果"),
    }
}

/// A score as Red sees it: `+0.35`, `−1.20`, mate in so many moves as `#5` and `#−5`.
pub(super) fn score(points: Option<i32>, mate: Option<i32>) -> String {
    match (points, mate) {
        (_, Some(0)) => "#".into(),
        (_, Some(moves)) if moves < 0 => format!("#−{}", moves.unsigned_abs()),
        (_, Some(moves)) => format!("#{moves}"),
        (Some(points), None) => {
            let sign = match points.signum() {
                -1 => "−",
                0 => "",
                _ => "+",
            };
            let size = points.unsigned_abs();
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
        (None, None) => String::new(),
    }
}

/// What an evaluation is worth to a side, of 100.
pub(super) fn worth(evaluation: &Evaluation, side: Color) -> i32 {
    expected(evaluation.chances, side).round() as i32
}

/// A time as clocks show it.
pub(super) fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_a_sign_and_mates_a_number() {
        for (points, mate, text) in [
            (Some(35), None, "+0.35"),
            (Some(-120), None, "−1.20"),
            (Some(0), None, "0.00"),
            (None, Some(5), "#5"),
            (None, Some(-5), "#−5"),
            (None, Some(0), "#"),
        ] {
            assert_eq!(score(points, mate), text);
        }
        assert_eq!((clock(61_900), clock(3_600_000)), ("1:01".into(), "1:00:00".into()));
    }
}
