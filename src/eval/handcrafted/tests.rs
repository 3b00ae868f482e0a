//! Laws of the evaluation: symmetry, and that what is kept equals what is counted anew.

use super::*;
use crate::{rules::Line, types::SplitMix64};

fn fresh(position: &Position) -> Value {
    explain(position).total
}

/// The same position with colours exchanged, or left and right.
fn twins(position: &Position) -> [Position; 2] {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let flipped: Vec<_> =
        board.split('/').rev().map(|rank| rank.chars().map(swap).collect::<String>()).collect();
    let mirrored: Vec<_> =
        board.split('/').map(|rank| rank.chars().rev().collect::<String>()).collect();
    let side = if position.side() == Color::Red { "b" } else { "w" };
    let flipped = format!("{} {side}{}", flipped.join("/"), &rest[1..]);
    let mirrored = format!("{} {rest}", mirrored.join("/"));
    [flipped, mirrored].map(|fen| Position::from_fen(&fen).unwrap())
}

#[test]
fn follows_random_games_and_knows_no_side() {
    let mut rng = SplitMix64::new(8);
    for _ in 0..40 {
        let mut line = Line::new(Position::start());
        let mut eval = Handcrafted::default();
        eval.reset(line.position());
        for _ in 0..150 {
            let moves = line.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let before = eval.evaluate(line.position());
            let mv = moves[rng.below(moves.len())];
            eval.push();
            line.push(mv, &mut eval);
            line.pop();
            eval.pop();
            assert_eq!(eval.evaluate(line.position()), before);
            eval.push();
            line.push(mv, &mut eval);
            let position = line.position();
            let value = eval.evaluate(position);
            assert_eq!(value, fresh(position));
            assert_eq!(twins(position).map(|twin| fresh(&twin)), [value; 2]);
        }
    }
}

#[test]
fn parts_add_up() {
    let start = Position::start();
    assert_eq!(fresh(&start), TEMPO);
    let fen = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 b - - 0 1";
    let explanation = explain(&Position::from_fen(fen).unwrap());
    let sum: Value = explanation.parts.iter().map(|(_, value)| value).sum();
    assert_eq!(-sum, explanation.total);
}
