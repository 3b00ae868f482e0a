//! Counting the leaves of the move tree: the check on the generator. Knows nothing else.

use super::{MoveKind, Position, Unobserved};
use crate::types::{Move, MoveList};

/// Lines of more plies are never counted to the end, and each takes a level of recursion.
pub const DEEPEST: u32 = 20;

/// How many lines of `depth` plies start here. Moves of the last ply are counted, not made.
///
/// ```
/// use chuhe::position::{Position, perft::perft};
/// assert_eq!(perft(&mut Position::start(), 3), 79_666);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_moves()),
        _ => {
            let mut moves = MoveList::new();
            position.generate(&position.check_info(), MoveKind::All, &mut moves);
            moves.into_iter().map(|mv| perft_after(position, mv, depth)).sum()
        }
    }
}

/// [`perft`] of each move, in the order they are generated.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let depth = depth.max(1);
    moves.into_iter().map(|mv| (mv, perft_after(position, mv, depth))).collect()
}

fn perft_after(position: &mut Position, mv: Move, depth: u32) -> u64 {
    let undo = position.make(mv, &mut Unobserved);
    let leaves = perft(position, depth - 1);
    position.unmake(mv, &undo);
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that perft counts are commonly published for, and constructed corner cases.
    const KNOWN: [(&str, &[u64]); 9] = [
        (Position::START_FEN, &[44, 1_920, 79_666]),
        ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", &[38, 1_128, 43_929]),
        ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", &[7, 281, 8_620]),
        ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", &[25, 424, 9_850]),
        ("C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w", &[28, 222, 6_241]),
        ("2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w", &[21, 195, 3_883]),
        // Two cannons on one file, either the other's screen; then nowhere to go.
        ("4k4/9/9/9/9/9/4C4/4R4/9/4K4 b", &[3, 74, 155, 4_601]),
        ("3aka3/9/9/9/9/9/9/4C4/4C4/4K4 b", &[0, 0]),
        // The only answer to check takes the screen away.
        ("4k4/4n4/9/9/4N4/9/9/4C4/9/3K5 b", &[1, 23, 167, 4_153]),
    ];

    #[test]
    fn known_counts() {
        for (fen, counts) in KNOWN {
            let mut position = Position::from_fen(fen).unwrap();
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(perft(&mut position, depth), *count, "{fen} depth {depth}");
            }
            let divided: u64 = divide(&mut position, 2).iter().map(|(_, count)| count).sum();
            assert_eq!(divided, counts[1], "{fen}");
        }
    }
}
