//! Which worker's move is played. Knows what each found, not how.

use crate::types::{Move, Value, score};

/// What one worker found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ballot {
    pub(super) mv: Move,
    pub(super) value: Value,
    pub(super) depth: i32,
}

/// The index of the winning ballot. The first worker's stands unless another has proven a faster
/// win, or the workers' votes, weighed by depth and value, are for another move.
pub(super) fn elect(ballots: &[Ballot]) -> usize {
    let voting = ballots.iter().filter(|ballot| ballot.depth > 0);
    let worst = voting.map(|ballot| ballot.value).min().unwrap_or(0);
    let weight = |ballot: &Ballot| {
        i64::from(ballot.value.saturating_sub(worst).min(1000) + 12) * i64::from(ballot.depth)
    };
    let votes =
        |mv: Move| -> i64 { ballots.iter().filter(|ballot| ballot.mv == mv).map(weight).sum() };
    let mut chosen = 0;
    for (index, ballot) in ballots.iter().enumerate().skip(1) {
        let best = &ballots[chosen];
        let better = if best.value >= score::MATE_BAND || ballot.value >= score::MATE_BAND {
            ballot.value > best.value
        } else {
            (votes(ballot.mv), weight(ballot)) > (votes(best.mv), weight(best))
        };
        if better && ballot.depth > 0 {
            chosen = index;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballot(mv: &str, value: Value, depth: i32) -> Ballot {
        Ballot { mv: mv.parse().expect("a move"), value, depth }
    }

    #[test]
    fn the_majority_wins_and_a_mate_beats_it() {
        let ballots = [ballot("h2e2", 30, 10), ballot("b2e2", 28, 10), ballot("b2e2", 29, 10)];
        assert_eq!(ballots[elect(&ballots)].mv, ballots[1].mv);
        let with_mate = [ballots[0], ballots[1], ballot("a0a1", score::mate_in(5), 8)];
        assert_eq!(elect(&with_mate), 2);
    }
}
