//! The static exchange against an exchange played out on a board.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{
    games::{mv, play, position},
    slow::{Board, Point, Step, points},
};
use chuhe::types::{SplitMix64, Value};

const ROUNDS: usize = if cfg!(debug_assertions) { 1 } else { 100 };

/// Beyond every exchange.
const HUGE: Value = 1 << 14;

/// The largest threshold a move reaches.
fn exchange(position: &chuhe::position::Position, step: Step) -> Value {
    let (mut low, mut high) = (-HUGE, HUGE);
    assert!(position.see_ge(mv(step), low) && !position.see_ge(mv(step), high), "{step}");
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if position.see_ge(mv(step), middle) { low = middle } else { high = middle }
    }
    low
}

/// What each man is worth, found by taking one that hangs.
fn values() -> BTreeMap<char, Value> {
    let hanging = [
        ('r', "4k4/9/9/9/r8/9/9/9/9/R2K5 w", ((0, 0), (0, 5))),
        ('n', "4k4/9/9/9/n8/9/9/9/9/R2K5 w", ((0, 0), (0, 5))),
        ('c', "4k4/9/9/9/c8/9/9/9/9/R2K5 w", ((0, 0), (0, 5))),
        ('p', "4k4/9/9/9/9/9/p8/9/9/R2K5 w", ((0, 0), (0, 3))),
        ('a', "3k1a3/9/9/9/9/9/9/9/9/4KR3 w", ((5, 0), (5, 9))),
        ('b', "4k4/9/b8/9/9/9/9/9/9/R2K5 w", ((0, 0), (0, 7))),
    ];
    hanging.map(|(man, fen, (from, to))| (man, exchange(&position(fen), Step { from, to }))).into()
}

struct Book(BTreeMap<char, Value>);

impl Book {
    /// A king is worth more than all else together, and is never really taken.
    fn worth(&self, man: char) -> Value {
        self.0.get(&man.to_ascii_lowercase()).copied().unwrap_or(HUGE / 2)
    }

    /// What the side to move can win on `target` by the least man that reaches it, or 0 by
    /// stopping. Equal men may be taken in any order, so there may be several answers.
    fn gains(&self, board: &Board, target: Point) -> BTreeSet<Value> {
        let red = board.red_to_move;
        let takers = |red| {
            let board = board.clone();
            points().filter(move |&from| board.owned(from, red) && board.reaches(from, target))
        };
        let least = takers(red).map(|from| self.worth(board.at(from))).min();
        let Some(least) = least else { return BTreeSet::from([0]) };
        let mut gains = BTreeSet::new();
        for from in takers(red).filter(|&from| self.worth(board.at(from)) == least) {
            let next = board.after(Step { from, to: target });
            let answered =
                points().any(|from| next.owned(from, !red) && next.reaches(from, target));
            if board.at(from).eq_ignore_ascii_case(&'k') && answered {
                gains.insert(0);
                continue;
            }
            let prize = self.worth(board.at(target));
            gains.extend(self.gains(&next, target).into_iter().map(|gain| (prize - gain).max(0)));
        }
        gains
    }

    /// What a move may win, the moved man's own fate on its target included.
    fn exchanges(&self, board: &Board, step: Step) -> BTreeSet<Value> {
        let prize = if board.at(step.to) == '.' { 0 } else { self.worth(board.at(step.to)) };
        let gains = self.gains(&board.after(step), step.to);
        gains.into_iter().map(|gain| prize - gain).collect()
    }
}

#[test]
fn men_have_sensible_values() {
    let worth = values();
    assert!(worth.values().all(|&value| value > 0), "{worth:?}");
    assert!(worth[&'r'] > worth[&'c'] && worth[&'r'] > worth[&'n'], "{worth:?}");
    assert!(worth[&'n'] > worth[&'b'] && worth[&'c'] > worth[&'a'], "{worth:?}");
}

#[test]
fn the_exchange_is_what_playing_it_out_on_the_board_gives() {
    let book = Book(values());
    let (mut asked, mut disputed) = (0, Vec::new());
    play(20, ROUNDS, |position, board, _| {
        for step in board.legal() {
            let found = exchange(position, step);
            let played = book.exchanges(board, step);
            asked += 1;
            if !played.contains(&found) {
                disputed.push(format!("{step} {found}, played {played:?}: {}", board.fen()));
            }
        }
    });
    let first = disputed.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(disputed.is_empty(), "{} of {asked} disputed:\n{first}", disputed.len());
}

#[test]
fn the_exchange_falls_as_the_threshold_rises() {
    let mut rng = SplitMix64::new(21);
    play(22, ROUNDS / 4, |position, board, _| {
        for step in board.legal() {
            let found = exchange(position, step);
            let threshold = rng.below(2 * HUGE as usize) as Value - HUGE;
            let reaches = position.see_ge(mv(step), threshold);
            assert_eq!(reaches, found >= threshold, "{step} {threshold} in {}", board.fen());
        }
    });
}
