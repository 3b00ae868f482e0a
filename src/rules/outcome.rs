//! How a game stands (第4条): one table for whoever asks, in the order in which its rows end a game.
//! Decides what the moves decide; what happens to the players is for a referee to say, in these terms.

use super::{Illegality, LabelCache, Line, Offence, Verdict, repetition};
use crate::types::Color;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Ongoing,
    /// One side has won.
    Won {
        /// Which.
        winner: Color,
        /// How.
        by: Win,
    },
    /// Neither has won.
    Drawn(Draw),
}

/// How a game is won: what ended it for the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// In check without a move (将死, 4.1.1).
    Checkmate,
    /// Without a move, though not in check (困毙, 4.1.3).
    Stalemate,
    /// Repeated what is forbidden (4.1.7).
    Repetition(Offence),
    /// Played a move that is none (4.1.6, 4.1.2); said by a referee.
    IllegalMove(Illegality),
    /// Overstepped the time (4.1.4); said by a referee.
    Time,
    /// Resigned (4.1.9); said by a referee.
    Resignation,
    /// Is not there to play on, such as an engine that crashed (4.1.5); said by a referee.
    Crash,
}

/// How a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The position repeats itself and neither side has to deviate (不变作和, 4.2.3).
    Repetition,
    /// So many rounds without a capture (自然限着, 4.2.4).
    NaturalLimit,
    /// No man is left that could win (4.2.1).
    NoAttackers,
    /// Offered and accepted (4.2.2); said by a referee.
    Agreement,
}

impl Outcome {
    /// What the loser repeated.
    pub fn offence(self) -> Option<Offence> {
        match self {
            Self::Won { by: Win::Repetition(offence), .. } => Some(offence),
            _ => None,
        }
    }

    /// Whether a repetition decided it.
    pub fn is_by_repetition(self) -> bool {
        matches!(self, Self::Won { by: Win::Repetition(_), .. } | Self::Drawn(Draw::Repetition))
    }

    /// The articles that say so, but for those of a repetition, which its
    /// [`Judgement`](super::Judgement) names.
    pub fn clauses(self) -> &'static [&'static str] {
        match self {
            Self::Ongoing => &[],
            Self::Won { by, .. } => match by {
                Win::Checkmate => &["4.1.1"],
                Win::Stalemate => &["4.1.3"],
                Win::Time => &["4.1.4"],
                Win::Crash => &["4.1.5"],
                Win::IllegalMove(illegality) => illegality.clauses(),
                Win::Repetition(_) => &["4.1.7"],
                Win::Resignation => &["4.1.9"],
            },
            Self::Drawn(draw) => match draw {
                Draw::NoAttackers => &["4.2.1"],
                Draw::Agreement => &["4.2.2"],
                Draw::Repetition => &["4.2.3"],
                Draw::NaturalLimit => &["4.2.4", "23.3"],
            },
        }
    }
}

/// How the game stands after its latest move.
///
/// A side without a move has lost, whatever else the position would come to.
///
/// ```
/// use chuhe::{
///     position::Position,
///     rules::{self, Line, Outcome, Win},
///     types::Color,
/// };
/// let mated = Position::from_fen("R3k4/1R7/9/9/9/9/9/9/9/3K5 b").unwrap();
/// let outcome = Outcome::Won { winner: Color::Red, by: Win::Checkmate };
/// assert_eq!(rules::outcome(&Line::new(mated)), outcome);
/// ```
pub fn outcome(line: &Line) -> Outcome {
    if line.position().is_lost() {
        let by = if line.in_check() { Win::Checkmate } else { Win::Stalemate };
        return Outcome::Won { winner: !line.position().side(), by };
    }
    match repetition::on_the_board(line, &mut LabelCache::default()) {
        Some(Verdict::Forbidden { offender, offence }) => {
            return Outcome::Won { winner: !offender, by: Win::Repetition(offence) };
        }
        Some(Verdict::Draw) => return Outcome::Drawn(Draw::Repetition),
        Some(Verdict::Ongoing) | None => {}
    }
    if line.at_natural_limit() {
        Outcome::Drawn(Draw::NaturalLimit)
    } else if !line.can_be_won() {
        Outcome::Drawn(Draw::NoAttackers)
    } else {
        Outcome::Ongoing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        position::Position,
        rules::{Book, Ruleset},
    };

    fn after(ruleset: Ruleset, fen: &str, moves: &str) -> Outcome {
        let mut line = Line::under(ruleset, Position::from_fen(fen).unwrap());
        for word in moves.split_whitespace() {
            assert_eq!(outcome(&line), Outcome::Ongoing, "{fen} before {word}");
            line.play(word.parse().unwrap()).unwrap();
        }
        outcome(&line)
    }

    fn won(by: Win) -> Outcome {
        Outcome::Won { winner: Color::Red, by }
    }

    const SHUFFLE: &str = "4k4/4a4/9/r8/9/9/8R/9/4A4/4K4 w - - 0 1";

    #[test]
    fn each_row_of_the_table_has_its_name() {
        let quick = Ruleset { natural_limit: 8, ..Ruleset::default() };
        let patient = Ruleset { repetition_count: 4, ..quick };
        let rounds = "i3h3 a6b6 h3i3 b6a6 ".repeat(2);
        for (ruleset, fen, moves, expected) in [
            (quick, "4k4/9/9/9/9/9/9/9/R8/1R1K5 w", "b0b9", Outcome::Ongoing),
            (quick, "4k4/R8/9/9/9/9/9/9/9/1R1K5 w", "b0b9", won(Win::Checkmate)),
            (quick, "4k4/9/R8/9/9/9/9/9/5R3/3K5 w", "a7a8", won(Win::Stalemate)),
            (quick, SHUFFLE, &rounds, Outcome::Drawn(Draw::Repetition)),
            (patient, SHUFFLE, &rounds, Outcome::Drawn(Draw::NaturalLimit)),
            (quick, "4k4/9/9/9/9/9/9/3p5/3K5/9 w", "d1d2", Outcome::Drawn(Draw::NoAttackers)),
            (
                quick,
                "3k5/9/9/9/9/9/9/9/r8/4K4 b",
                &"a1a0 e0e1 a0a1 e1e0 ".repeat(2),
                won(Win::Repetition(Offence::PerpetualCheck)),
            ),
        ] {
            assert_eq!(after(ruleset, fen, moves), expected, "{fen} {moves}");
        }
    }

    #[test]
    fn a_line_is_judged_anew_by_other_rules() {
        let mut line =
            Line::new(Position::from_fen("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 50 60").unwrap());
        for word in "a1a0 e0e1 a0a1 e1e0 ".repeat(2).split_whitespace() {
            line.play(word.parse().unwrap()).unwrap();
        }
        let check = won(Win::Repetition(Offence::PerpetualCheck));
        let by = |ruleset| outcome(&line.judged_by(ruleset));
        assert_eq!(outcome(&line), check);
        assert_eq!(by(Ruleset::of(Book::CheckBan)), check);
        assert_eq!(by(Ruleset::of(Book::AlwaysDraw)), Outcome::Drawn(Draw::Repetition));
        assert_eq!(by(Ruleset::of(Book::Simple)), Outcome::Ongoing);
        let limit = Ruleset { natural_limit: 58, ..Ruleset::of(Book::Simple) };
        assert_eq!(by(limit), Outcome::Drawn(Draw::NaturalLimit));
    }

    #[test]
    fn mate_comes_before_the_limit_and_repetition_before_both_draws() {
        let quick = Ruleset { natural_limit: 8, ..Ruleset::default() };
        let moves = "i3h3 a6b6 h3i3 b6a6 i3h3 a6b6 h3i3";
        let by_limit = Ruleset { natural_limit: 7, ..quick };
        assert_eq!(after(by_limit, SHUFFLE, moves), Outcome::Drawn(Draw::NaturalLimit));
        let mate = "3k5/R8/9/9/9/9/9/9/7R1/4K4 w - - 119 60";
        assert_eq!(after(Ruleset::default(), mate, "h1h9"), won(Win::Checkmate));
        let moves = format!("{moves} b6a6");
        assert_eq!(after(quick, SHUFFLE, &moves), Outcome::Drawn(Draw::Repetition));
        // A stalemate with nothing left to attack with is a stalemate.
        let bare = "3k5/4P4/9/9/9/9/9/9/9/4K4 b";
        assert_eq!(after(quick, bare, ""), won(Win::Stalemate));
    }
}
