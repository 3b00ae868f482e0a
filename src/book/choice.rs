//! Which of a book's moves to play in a game. Knows the rules of repetition, and that books do not.

use super::{Book, BookError, Entry};
use crate::{
    position::Unobserved,
    rules::{self, LabelCache, Line, Verdict},
    types::{Color, Move, SplitMix64},
};

/// How to choose among a book's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The best one.
    Best,
    /// Any of them, as often as its weight is of all.
    #[default]
    Weighted,
}

impl Book {
    /// The entry to play where the line has got to, if there is one: legal, of some weight, and no
    /// step towards losing or drawing the game by repetition.
    ///
    /// # Errors
    /// As [`Self::entries`].
    pub fn choose(
        &self,
        line: &Line,
        choice: Choice,
        rng: &mut SplitMix64,
    ) -> Result<Option<Entry>, BookError> {
        let mut entries = self.entries(line.position())?;
        entries.retain(|entry| entry.weight > 0);
        while !entries.is_empty() {
            let at = match choice {
                Choice::Best => 0,
                Choice::Weighted => draw(&entries, rng),
            };
            let entry = entries.remove(at);
            if is_playable(line, entry.mv) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }
}

/// The index of an entry, drawn by weight; the weights are not all 0.
fn draw(entries: &[Entry], rng: &mut SplitMix64) -> usize {
    let weight = |entry: &Entry| entry.weight as usize;
    let mut left = rng.below(entries.iter().map(weight).sum());
    let reaches = |entry: &Entry| match left.checked_sub(weight(entry)) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    entries.iter().position(reaches).unwrap_or_default()
}

/// Whether a legal move leads neither back to where the game has been, unless it is the opponent
/// who must not go there, nor to where a reply makes the mover lose by repetition.
fn is_playable(line: &Line, mv: Move) -> bool {
    let us = line.position().side();
    let mut line = line.clone();
    line.push(mv, &mut Unobserved);
    // As if the whole game lay in the tree of a search: coming back once counts.
    let whole = line.plies() + 1;
    match rules::judge_in_tree(&line, whole, &mut LabelCache::default()) {
        Verdict::Ongoing => no_reply_wins(&mut line, us),
        Verdict::Draw => false,
        Verdict::Forbidden { offender, .. } => offender != us,
    }
}

fn no_reply_wins(line: &mut Line, us: Color) -> bool {
    line.position().legal_moves().into_iter().all(|reply| {
        line.push(reply, &mut Unobserved);
        let verdict = rules::judge(line);
        line.pop();
        !matches!(verdict, Verdict::Forbidden { offender, .. } if offender == us)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{book::Pages, position::Position};

    /// A book of these moves and weights in a position.
    fn book(position: &Position, moves: &[(&str, u32)]) -> Book {
        let mut pages = Pages::new("");
        for &(mv, weight) in moves {
            pages.set(position, Entry::new(mv.parse().unwrap(), weight)).unwrap();
        }
        let mut bytes = Vec::new();
        pages.write_own(&mut bytes).unwrap();
        Book::from_bytes("test", bytes).unwrap()
    }

    fn line(fen: &str, moves: &[&str]) -> Line {
        let mut line = Line::new(Position::from_fen(fen).unwrap());
        for mv in moves {
            line.play(mv.parse().unwrap()).unwrap();
        }
        line
    }

    fn chosen(book: &Book, line: &Line, choice: Choice, seed: u64) -> Option<String> {
        let entry = book.choose(line, choice, &mut SplitMix64::new(seed)).unwrap();
        entry.map(|entry| entry.mv.to_string())
    }

    const ASYMMETRIC: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";

    #[test]
    fn moves_are_played_as_often_as_they_weigh() {
        let line = line(ASYMMETRIC, &[]);
        let book =
            book(line.position(), &[("h0g2", 600), ("g3g4", 300), ("a0a1", 0), ("i0i1", 100)]);
        let mut counts = [0; 3];
        for seed in 0..2000 {
            let mv = chosen(&book, &line, Choice::Weighted, seed).unwrap();
            counts[["h0g2", "g3g4", "i0i1"].iter().position(|&known| known == mv).unwrap()] += 1;
        }
        for (count, expected) in counts.into_iter().zip([1200_i32, 600, 200]) {
            assert!((count - expected).abs() < 100, "{counts:?}");
        }
        assert_eq!(chosen(&book, &line, Choice::Best, 1).as_deref(), Some("h0g2"));
    }

    #[test]
    fn a_seed_decides() {
        let line = line(ASYMMETRIC, &[]);
        let book = book(line.position(), &[("h0g2", 1), ("g3g4", 1), ("i0i1", 1)]);
        let played = |seed| chosen(&book, &line, Choice::Weighted, seed);
        assert!((0..20).all(|seed| played(seed) == played(seed)));
        assert!((0..20).any(|seed| played(seed) != played(0)));
    }

    #[test]
    fn a_move_without_weight_is_not_played() {
        let line = line(ASYMMETRIC, &[]);
        let book = book(line.position(), &[("h0g2", 0)]);
        assert_eq!(chosen(&book, &line, Choice::Best, 1), None);
        assert_eq!(chosen(&book, &line, Choice::Weighted, 1), None);
    }

    #[test]
    fn a_position_is_not_repeated_by_the_book() {
        let moves = ["h0g2", "h9g7", "g2h0"];
        let line = line(Position::START_FEN, &moves);
        let book = book(line.position(), &[("g7h9", 9), ("b9c7", 1)]);
        assert_eq!(chosen(&book, &line, Choice::Best, 1).as_deref(), Some("b9c7"));
        let fresh = Line::new(line.position().clone());
        assert_eq!(chosen(&book, &fresh, Choice::Best, 1).as_deref(), Some("g7h9"));
    }

    #[test]
    fn what_the_opponent_must_not_repeat_may_be_played() {
        // Red checks perpetually; it is Black who comes back to where the cycle began.
        let fen = "4k4/R8/9/9/9/9/9/9/9/3K5 w";
        let line = line(fen, &["a8a9", "e9e8", "a9a8"]);
        let book = book(line.position(), &[("e8e9", 1)]);
        assert_eq!(chosen(&book, &line, Choice::Best, 1).as_deref(), Some("e8e9"));
    }

    #[test]
    fn checking_for_ever_is_left_to_nobody() {
        let fen = "4k4/R8/9/9/9/9/9/9/9/3K5 w";
        let line = line(fen, &["a8a9", "e9e8", "a9a8", "e8e9", "a8a9", "e9e8"]);
        let book = book(line.position(), &[("a9a8", 5), ("d0d1", 1)]);
        assert_eq!(chosen(&book, &line, Choice::Best, 1).as_deref(), Some("d0d1"));
    }

    /// The opponent repeats whenever that can be done, and the book knows every move there is.
    #[test]
    fn no_game_is_lost_by_a_repetition_that_the_book_began() {
        let mut rng = SplitMix64::new(7);
        let mut repetitions = 0;
        for fen in [
            "4k4/R8/9/9/9/9/9/9/9/3K5 w",
            "3k5/9/9/9/4r4/9/9/9/4A4/3AK2R1 w",
            "3ak4/4a4/9/2n6/9/9/2R6/9/9/4K4 w",
        ] {
            for _ in 0..4 {
                let mut line = line(fen, &[]);
                for _ in 0..30 {
                    let legal = line.position().legal_moves();
                    let words: Vec<_> = legal.iter().map(|mv| (mv.to_string(), 1)).collect();
                    let words: Vec<_> = words.iter().map(|(mv, w)| (mv.as_str(), *w)).collect();
                    let book = book(line.position(), &words);
                    let entry = book.choose(&line, Choice::Weighted, &mut rng).unwrap();
                    let Some(entry) = entry else { break };
                    line.play(entry.mv).unwrap();
                    let replies = line.position().legal_moves();
                    if replies.is_empty() {
                        break;
                    }
                    let back = replies.iter().find(|&&reply| {
                        let mut after = line.clone();
                        after.play(reply).unwrap();
                        let whole = after.plies() + 1;
                        let cache = &mut LabelCache::default();
                        rules::judge_in_tree(&after, whole, cache) != Verdict::Ongoing
                    });
                    repetitions += usize::from(back.is_some());
                    line.play(*back.unwrap_or(&replies[rng.below(replies.len())])).unwrap();
                    let lost = matches!(rules::judge(&line), Verdict::Forbidden { offender, .. }
                        if offender == Color::Red);
                    assert!(!lost, "{:?}", line.history());
                    if rules::judge(&line) != Verdict::Ongoing {
                        break;
                    }
                }
            }
        }
        assert!(repetitions > 0, "nothing was tried");
    }
}
