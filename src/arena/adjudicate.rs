//! Ending games that both players think decided, to save time. Knows scores only; nothing is
//! adjudicated unless the match says so.

use std::{fmt, str::FromStr};

use crate::{types::Color, wire::Score};

/// When a game is cut short. Scores are points of UCI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// One side has lost when both have thought so for a while.
    pub resign: Option<Agreement>,
    /// The game is drawn when both have thought so for a while.
    pub draw: Option<DrawAgreement>,
    /// The game is drawn after so many plies, the opening's included.
    pub plies: Option<usize>,
}

/// How long and how clearly players must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Moves of each player.
    pub moves: usize,
    /// Points of UCI that each score is beyond, or within.
    pub points: u32,
}

/// When players may agree on a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawAgreement {
    /// Not before this move of the game.
    pub from_move: usize,
    /// How long and how clearly.
    pub agreement: Agreement,
}

/// Why a text is no adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct AdjudicationError {
    text: String,
    wanted: &'static str,
}

/// What the players' scores agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreed {
    /// This side has won.
    Win(Color),
    /// Nobody wins.
    Draw,
}

impl Adjudication {
    /// What the scores so far agree on, each as its mover sees it, the latest one last; `movers`
    /// moved last. `number` is that of the latest move.
    pub(super) fn judge(
        &self,
        scores: &[Option<Score>],
        latest: Color,
        number: usize,
    ) -> Option<Agreed> {
        let last = |agreement: Agreement| {
            let start = scores.len().checked_sub(2 * agreement.moves)?;
            let scores = scores[start..].iter().copied().collect::<Option<Vec<_>>>();
            scores.filter(|scores| !scores.is_empty())
        };
        if let Some(agreement) = self.resign
            && let Some(scores) = last(agreement)
        {
            // As the latest mover sees them.
            let own = scores.iter().rev().enumerate().map(|(back, &score)| {
                let points = points(score);
                if back % 2 == 0 { points } else { -points }
            });
            let bound = i64::from(agreement.points);
            if own.clone().all(|points| points >= bound) {
                return Some(Agreed::Win(latest));
            }
            if own.clone().all(|points| points <= -bound) {
                return Some(Agreed::Win(!latest));
            }
        }
        let draw = self.draw.filter(|draw| number >= draw.from_move)?;
        let bound = i64::from(draw.agreement.points);
        let even = last(draw.agreement)?.into_iter().all(|score| points(score).abs() <= bound);
        even.then_some(Agreed::Draw)
    }
}

/// A mate is more than any points.
fn points(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Points(points) => points.into(),
        Score::Mate(moves) if moves > 0 => MATE,
        Score::Mate(_) => -MATE,
    }
}

/// Reads numbers with commas between them.
fn numbers<const N: usize>(
    text: &str,
    wanted: &'static str,
) -> Result<[u32; N], AdjudicationError> {
    let numbers: Option<Vec<u32>> =
        text.split(',').map(|number| number.trim().parse().ok()).collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or(AdjudicationError { text: text.into(), wanted })
}

impl FromStr for Agreement {
    type Err = AdjudicationError;

    /// Reads `moves,points`.
    fn from_str(text: &str) -> Result<Self, AdjudicationError> {
        let wanted = "moves,points, such as 3,700";
        let [moves, points] = numbers(text, wanted)?;
        if moves == 0 {
            return Err(AdjudicationError { text: text.into(), wanted });
        }
        Ok(Self { moves: moves as usize, points })
    }
}

impl FromStr for DrawAgreement {
    type Err = AdjudicationError;

    /// Reads `from,moves,points`.
    fn from_str(text: &str) -> Result<Self, AdjudicationError> {
        let wanted = "from,moves,points, such as 60,8,10";
        let [from, moves, points] = numbers(text, wanted)?;
        if moves == 0 {
            return Err(AdjudicationError { text: text.into(), wanted });
        }
        let agreement = Agreement { moves: moves as usize, points };
        Ok(Self { from_move: from as usize, agreement })
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(Agreement { moves, points }) = self.resign {
            parts.push(format!("resign {moves},{points}"));
        }
        if let Some(DrawAgreement { from_move, agreement: Agreement { moves, points } }) = self.draw
        {
            parts.push(format!("draw {from_move},{moves},{points}"));
        }
        if let Some(plies) = self.plies {
            parts.push(format!("plies {plies}"));
        }
        f.write_str(if parts.is_empty() { "none".into() } else { parts.join(" ") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(scores: &[i32], latest: Color, number: usize) -> Option<Agreed> {
        let adjudication = Adjudication {
            resign: Some("2,500".parse().unwrap()),
            draw: Some("10,2,5".parse().unwrap()),
            plies: None,
        };
        let scores: Vec<_> = scores.iter().map(|&points| Some(Score::Points(points))).collect();
        adjudication.judge(&scores, latest, number)
    }

    #[test]
    fn a_win_needs_both_players_word_for_all_the_moves() {
        let (red, black) = (Color::Red, Color::Black);
        assert_eq!(judge(&[0, 500, -500, 600, -700], black, 9), Some(Agreed::Win(red)));
        assert_eq!(judge(&[0, 500, -500, 600, -700], red, 9), Some(Agreed::Win(black)));
        assert_eq!(judge(&[-501, 600, -700, 800], black, 9), Some(Agreed::Win(black)));
        assert_eq!(judge(&[500, -499, 600, -700], black, 9), None);
        assert_eq!(judge(&[500, 500, 600, 700], black, 9), None, "both think they win");
        assert_eq!(judge(&[-500, 600, -700], black, 9), None, "too few");
    }

    #[test]
    fn a_draw_is_agreed_on_late_enough_only() {
        assert_eq!(judge(&[5, -5, 0, 0], Color::Black, 10), Some(Agreed::Draw));
        assert_eq!(judge(&[5, -5, 0, 0], Color::Black, 9), None);
        assert_eq!(judge(&[6, -5, 0, 0], Color::Black, 10), None);
    }

    #[test]
    fn a_mate_is_beyond_any_points_and_silence_agrees_to_nothing() {
        let adjudication =
            Adjudication { resign: Some("1,900".parse().unwrap()), ..Adjudication::default() };
        let scores = [Some(Score::Mate(5)), Some(Score::Mate(-4))];
        assert_eq!(adjudication.judge(&scores, Color::Black, 1), Some(Agreed::Win(Color::Red)));
        assert_eq!(adjudication.judge(&[scores[0], None], Color::Black, 1), None);
        assert_eq!(Adjudication::default().judge(&scores, Color::Black, 1), None);
    }

    #[test]
    fn what_is_no_adjudication_is_told() {
        let told = "5".parse::<Agreement>().unwrap_err().to_string();
        assert_eq!(told, "`5` is not moves,points, such as 3,700");
        for text in ["", "0,5", "1,-5", "1,2,3"] {
            assert!(text.parse::<Agreement>().is_err(), "{text}");
        }
        assert!("60,8".parse::<DrawAgreement>().is_err());
    }
}
