//! Random games played by the crate and by the slow rule book side by side.

use chuhe::{
    position::{Position, Unobserved},
    rules::{Book, Ruleset},
    types::{Move, SplitMix64, Square},
};

use super::{
    cases::Case,
    rows::rows,
    slow::{Board, START, Step},
};

/// Reads a FEN that is known to be good.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The rules that a known game is judged by.
pub(crate) fn ruleset(case: &Case) -> Ruleset {
    Ruleset::of(match case.ruleset.as_str() {
        "Chinese" => Book::Chinese,
        "Asian" => Book::Asian,
        other => panic!("ruleset {other} in {}", case.id),
    })
}

/// The crate's name for a move of the slow rule book.
pub(crate) fn mv(step: Step) -> Move {
    step.to_string().parse().expect("the slow rule book writes ICCS")
}

/// The slow rule book's name for a move.
pub(crate) fn step(mv: Move) -> Step {
    let point = |square: Square| (i32::from(square.file()), i32::from(square.rank()));
    Step { from: point(mv.from()), to: point(mv.to()) }
}

/// Any two points, sense or nonsense.
pub(crate) fn nonsense(rng: &mut SplitMix64) -> Move {
    loop {
        let [from, to] = [0; 2].map(|_| Square::ALL[rng.below(Square::NUM)]);
        if let Some(mv) = Move::new(from, to) {
            return mv;
        }
    }
}

/// Makes a move, looks, and takes it back.
pub(crate) fn after<T>(
    position: &mut Position,
    mv: Move,
    look: impl FnOnce(&mut Position) -> T,
) -> T {
    let undo = position.make(mv, &mut Unobserved);
    let seen = look(position);
    position.unmake(mv, &undo);
    seen
}

/// Plays `rounds` random games of up to 200 plies from the start, and one from every known
/// position, and shows each position reached to `visit` with its slow twin.
///
/// One move in three is a capture when there is one, so that games thin out and kings stand open.
pub(crate) fn play(
    seed: u64,
    rounds: usize,
    mut visit: impl FnMut(&mut Position, &Board, &mut SplitMix64),
) {
    let mut rng = SplitMix64::new(seed);
    let starts = std::iter::repeat_n(START.to_owned(), rounds);
    // Unoptimised code must be content with some of them.
    let stride = if cfg!(debug_assertions) { 8 } else { 1 };
    for fen in starts.chain(rows().into_iter().map(|row| row.fen).step_by(stride)) {
        let mut fast = position(&fen);
        let mut slow = Board::parse(&fen);
        for _ in 0..200 {
            visit(&mut fast, &slow, &mut rng);
            let moves = slow.legal();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> =
                moves.iter().copied().filter(|step| slow.at(step.to) != '.').collect();
            let choice = if captures.is_empty() || rng.below(3) > 0 { &moves } else { &captures };
            let next = choice[rng.below(choice.len())];
            fast.make(mv(next), &mut Unobserved);
            slow = slow.after(next);
        }
    }
}
