//! What the rules say of a line of play: repetition (第24–26条), the natural limit (23.3) and games
//! that nobody can win (4.2.1). Returns verdicts, knows no scores; mate and stalemate are the
//! board's own affair, but they come first, so no draw is given where the mover has no move left.

mod articles;
mod choice;
mod explain;
mod illegal;
mod line;
mod outcome;
mod repetition;
mod ruleset;
mod ruling;
mod verdict;
mod words;

pub use choice::{RulesetChoice, UnknownBook};
pub use explain::Explanation;
pub use illegal::Illegality;
pub use line::{IllegalMove, Line, Ply};
pub use outcome::{Draw, Outcome, Win, outcome};
pub use repetition::{Finding, Ground, LabelCache, Reason, classify, examine, judgement};
pub use ruleset::{Book, Ruleset};
pub use ruling::{Ruling, ruling, ruling_on_illegal};
pub use verdict::{Judgement, Label, Offence, Verdict};
pub use words::Language;

/// Judges a game as it stands: the referee's word, which asks for the full number of occurrences.
///
/// ```
/// use chuhe::{position::Position, rules::{self, Line, Verdict}};
/// let mut line = Line::new(Position::start());
/// for mv in ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(2) {
///     assert_eq!(rules::judge(&line), Verdict::Ongoing);
///     line.play(mv.parse().unwrap()).unwrap();
/// }
/// assert_eq!(rules::judge(&line), Verdict::Draw);
/// ```
pub fn judge(line: &Line) -> Verdict {
    if line.may_have_repeated()
        && let Some(verdict) = repetition::on_the_board(line, &mut LabelCache::default())
    {
        return verdict;
    }
    without_repetition(line)
}

/// Judges a line inside a search whose root lies `ply` plies back; cheap enough for every node.
/// What it learns of moves goes into `cache`, which belongs to the searching thread.
///
/// The full number of occurrences decides as it does on the board. Short of that, a position that
/// comes back for the first time decides only when its earlier occurrence lies below the root: the
/// search has weighed there already what either side could do instead, so going round again brings
/// nothing new. A position of the game that comes back once decides nothing, neither draw nor win:
/// whom it does not suit may still deviate, and the search has yet to look at how.
///
/// Where the natural limit had passed before the root and the game went on all the same, nobody
/// claims it, and the search looks past it.
#[inline]
pub fn judge_in_tree(line: &Line, ply: usize, cache: &mut LabelCache) -> Verdict {
    if line.may_have_repeated()
        && let Some(verdict) = repetition::in_tree(line, ply, cache)
    {
        return verdict;
    }
    match without_repetition(line) {
        Verdict::Draw if line.can_be_won() && line.was_at_natural_limit(ply) => Verdict::Ongoing,
        verdict => verdict,
    }
}

#[inline]
fn without_repetition(line: &Line) -> Verdict {
    if (line.at_natural_limit() || !line.can_be_won()) && !line.position().is_lost() {
        Verdict::Draw
    } else {
        Verdict::Ongoing
    }
}

#[cfg(test)]
mod tests;
