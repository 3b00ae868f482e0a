//! A game before the judge: played out as far as it goes, with the move that broke a rule and what
//! had decided it before. Knows nothing of files and words.

use crate::{
    games::{Fault, Found, GameError, Place, Remark},
    notation::MoveError,
    position::Position,
    rules::{Illegality, Line, Outcome, Ruleset, Ruling, outcome, ruling, ruling_on_illegal},
};

/// A game to be judged.
pub(super) struct Case {
    pub(super) place: Place,
    /// Red's and Black's names, where they are told.
    pub(super) players: [Option<String>; 2],
    pub(super) remarks: Vec<Remark>,
    pub(super) line: Line,
    /// How it was decided first.
    pub(super) decided: Option<Decision>,
    /// The move after the last one that could be played.
    pub(super) illegal: Option<IllegalMove>,
}

/// The end of a game.
pub(super) struct Decision {
    /// After how many plies.
    pub(super) plies: usize,
    pub(super) outcome: Outcome,
    pub(super) clauses: Vec<&'static str>,
}

/// A move that means something and may not be played.
pub(super) struct IllegalMove {
    /// As it is written.
    pub(super) word: String,
    pub(super) what: Illegality,
}

impl Case {
    /// A game as it was read. An illegal move is the end of a game; what nobody can read is an error.
    pub(super) fn of(read: Result<Found, GameError>, ruleset: Ruleset) -> Result<Self, GameError> {
        let (place, remarks, game, illegal) = match read {
            Ok(Found { place, game, remarks }) => (place, remarks, game, None),
            Err(GameError {
                place,
                fault: Fault::Move(MoveError::Impossible { text, meant }),
                partial: Some(game),
                remarks,
            }) => (place, remarks, *game, Some((text, meant))),
            Err(error) => return Err(error),
        };
        let mut line = Line::under(ruleset, game.start.clone());
        let mut decided = None;
        for mv in game.main_line() {
            decided = decided.or_else(|| Decision::on(&line));
            line.play(mv).expect("invariant: readers give legal moves");
        }
        let illegal = illegal.map(|(word, meant)| {
            let what = wrong(line.position(), &meant);
            IllegalMove { word, what }
        });
        let decided = decided.or_else(|| Decision::on(&line));
        let players = ["Red", "Black"].map(|name| game.tag(name).map(str::to_owned));
        Ok(Self { place, players, remarks, line, decided, illegal })
    }

    /// The judge's word on it.
    pub(super) fn ruling(&self) -> Ruling {
        match &self.illegal {
            Some(illegal) => ruling_on_illegal(&self.line, illegal.what),
            None => ruling(&self.line),
        }
    }

    /// How it had been decided before its end, where it went on all the same.
    pub(super) fn decided_before(&self) -> Option<&Decision> {
        let goes_on = self.illegal.is_some() && !self.line.position().is_lost();
        self.decided.as_ref().filter(|decided| decided.plies < self.line.plies() || goes_on)
    }
}

/// What is wrong with a move that may mean several things.
fn wrong(position: &Position, meant: &[crate::types::Move]) -> Illegality {
    let mut reasons = meant.iter().filter_map(|&mv| Illegality::of(position, mv));
    reasons.next().unwrap_or(Illegality::NobodyThere)
}

impl Decision {
    fn on(line: &Line) -> Option<Self> {
        let outcome = outcome(line);
        (outcome != Outcome::Ongoing).then(|| Self {
            plies: line.plies(),
            outcome,
            clauses: ruling(line).clauses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::read_game, types::Color};

    const LONE_KING: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w - - 3 7";

    fn case(fen: &str, moves: &str) -> Case {
        Case::of(read_game(Some(fen), moves), Ruleset::default()).unwrap()
    }

    #[test]
    fn the_first_decision_of_a_game_is_kept() {
        let case = case(LONE_KING, &"a8a9 e9e8 a9a8 e8e9 ".repeat(3));
        assert_eq!(case.line.plies(), 12);
        let decided = case.decided_before().unwrap();
        assert_eq!((decided.plies, decided.outcome.is_by_repetition()), (8, true));
        assert!(decided.clauses.contains(&"24.1"));
    }

    #[test]
    fn an_illegal_move_is_the_end_whatever_its_notation() {
        for (moves, word, what) in [
            ("a8a9 e9f9", "e9f9", Illegality::CheckNotParried),
            ("a8a9 e9d9", "e9d9", Illegality::KingsFace),
            ("车九进一 将5平4 车九退一", "将5平4", Illegality::KingsFace),
            ("R9+1 K5=4", "K5=4", Illegality::KingsFace),
            ("马八进七", "马八进七", Illegality::NobodyThere),
            ("e9e8", "e9e8", Illegality::NotOwn(crate::types::Piece::from_letter('k').unwrap())),
        ] {
            let case = case(LONE_KING, moves);
            let illegal = case.illegal.as_ref().unwrap();
            assert_eq!((illegal.word.as_str(), illegal.what), (word, what), "{moves}");
            let Outcome::Won { winner, .. } = case.ruling().outcome else { panic!("{moves}") };
            assert_eq!(winner, !case.line.position().side());
        }
    }

    #[test]
    fn after_mate_no_move_is_looked_at() {
        let case = case("4k4/9/R8/9/9/9/9/9/5R3/3K5 w", "a7a8 e9e8");
        assert_eq!(case.ruling().clauses, ["4.1.3"]);
        assert!(case.decided_before().is_none());
        let Outcome::Won { winner, .. } = case.ruling().outcome else { panic!("won") };
        assert_eq!(winner, Color::Red);
    }
}
