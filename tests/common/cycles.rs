//! Random games of few men that go round in a circle twice. Likes moves that attack, so that all
//! that the rules of repetition tell apart occurs; knows no rules of repetition.

use chuhe::types::SplitMix64;

use super::slow::{Board, Point, Step, at_home, in_palace, points};

/// A game that goes round.
pub(crate) struct Game {
    pub(crate) start: Board,
    /// The moves that lead into the rounds.
    lead: Vec<Step>,
    /// Two rounds, the same or not.
    rounds: [Vec<Step>; 2],
}

impl Game {
    /// Its moves until a position occurs for that time at least.
    pub(crate) fn moves(&self, occurrences: usize) -> Vec<Step> {
        let rounds = self.rounds.iter().cycle().take(occurrences - 1);
        [&self.lead].into_iter().chain(rounds).flatten().copied().collect()
    }
}

/// Whether a man of this kind may stand on a point.
pub(crate) fn may_stand(man: char, point: Point) -> bool {
    let red = man.is_ascii_uppercase();
    let (file, rank) = if red { point } else { (point.0, 9 - point.1) };
    match man.to_ascii_lowercase() {
        'k' => in_palace((file, rank), true),
        'a' => in_palace((file, rank), true) && (file + rank) % 2 == 1,
        'b' => [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)].contains(&(file, rank)),
        'p' => !at_home((file, rank), true) || rank >= 3 && file % 2 == 0,
        _ => true,
    }
}

fn pick<T: Copy>(rng: &mut SplitMix64, choice: &[T]) -> Option<T> {
    (!choice.is_empty()).then(|| choice[rng.below(choice.len())])
}

/// A lawful position of two to eight men besides the kings, at least one of which can cross the
/// river.
fn position(rng: &mut SplitMix64) -> Option<Board> {
    let mut board = Board::empty();
    board.red_to_move = rng.below(2) == 0;
    let men = 2 + rng.below(7);
    let mut bag: Vec<_> = "RRNNCCAABBPPPrrnnccaabbppp".chars().collect();
    let drawn = (0..men).map(|_| bag.swap_remove(rng.below(bag.len()))).collect::<Vec<_>>();
    if !drawn.iter().any(|man| "RNCP".contains(man.to_ascii_uppercase())) {
        return None;
    }
    for man in "Kk".chars().chain(drawn) {
        let free: Vec<_> =
            points().filter(|&point| board.at(point) == '.' && may_stand(man, point)).collect();
        board.put(pick(rng, &free)?, man);
    }
    (!board.in_check(!board.red_to_move)).then_some(board)
}

/// How many enemy men a move newly brings within reach: checks, and most other attacks.
fn attacks(board: &Board, step: Step) -> usize {
    let red = board.red_to_move;
    let after = board.after(step);
    let reached = |board: &Board, target| {
        points().any(|from| board.owned(from, red) && board.reaches(from, target))
    };
    let targets = points().filter(|&target| board.owned(target, !red));
    targets.filter(|&target| reached(&after, target) && !reached(board, target)).count()
}

/// What a side does on its next move of a round: something new with a man of its own choice or
/// with the one of an earlier move, or the way home of such a man.
#[derive(Clone, Copy)]
enum Plan {
    New,
    On(usize),
    Home(usize),
}

/// Rounds of two, three and four moves a side.
const PLANS: [&[Plan]; 6] = [
    &[Plan::New, Plan::Home(0)],
    &[Plan::New, Plan::On(0), Plan::Home(0)],
    &[Plan::New, Plan::New, Plan::Home(0), Plan::Home(1)],
    &[Plan::New, Plan::New, Plan::Home(1), Plan::Home(0)],
    &[Plan::New, Plan::Home(0), Plan::New, Plan::Home(2)],
    &[Plan::New, Plan::On(0), Plan::On(0), Plan::Home(0)],
];

/// A move without capture; keen on attacks two times in three.
fn choose(board: &Board, rng: &mut SplitMix64, fits: impl Fn(Step) -> bool) -> Option<Step> {
    let quiet = |step: &Step| board.at(step.to) == '.' && fits(*step);
    let steps: Vec<_> = board.legal().into_iter().filter(quiet).collect();
    let keen: Vec<_> = steps.iter().copied().filter(|&step| attacks(board, step) > 0).collect();
    let choice = if keen.is_empty() || rng.below(3) == 0 { &steps } else { &keen };
    pick(rng, choice)
}

/// A round that leads back to where it began.
fn round(start: &Board, rng: &mut SplitMix64) -> Option<Vec<Step>> {
    let length = [2, 2, 2, 3, 4][rng.below(5)];
    let plans: Vec<_> = PLANS.into_iter().filter(|plan| plan.len() == length).collect();
    let plans = [pick(rng, &plans)?, pick(rng, &plans)?];
    let mut board = start.clone();
    let mut moves: Vec<Step> = Vec::new();
    for ply in 0..2 * length {
        // What this side's man did on the move of that number in this round, and since.
        let own = |number: usize| moves[2 * number + ply % 2];
        let now = |number: usize| {
            let later = (number + 1..ply / 2).map(own);
            later.fold(own(number).to, |at, step| if step.from == at { step.to } else { at })
        };
        let step = match plans[ply % 2][ply / 2] {
            Plan::New => choose(&board, rng, |_| true)?,
            Plan::On(number) => {
                choose(&board, rng, |step| step.from == now(number) && step.to != own(number).from)?
            }
            Plan::Home(number) => {
                let home = Step { from: now(number), to: own(number).from };
                choose(&board, rng, |step| step == home)?
            }
        };
        board = board.after(step);
        moves.push(step);
    }
    (board == *start).then_some(moves)
}

/// A few moves to begin with, one round and another, which is mostly the same.
fn game(rng: &mut SplitMix64) -> Option<Game> {
    let start = position(rng)?;
    let mut board = start.clone();
    let mut lead = Vec::new();
    for _ in 0..[0, 0, 0, 1, 2, 3][rng.below(6)] {
        let step = pick(rng, &board.legal())?;
        board = board.after(step);
        lead.push(step);
    }
    let fighters = |man| "RNCP".contains(char::to_ascii_uppercase(&man));
    if !points().any(|point| fighters(board.at(point))) {
        return None;
    }
    let first = round(&board, rng)?;
    let second = if rng.below(4) == 0 { round(&board, rng)? } else { first.clone() };
    Some(Game { start, lead, rounds: [first, second] })
}

/// As many random games as wanted.
pub(crate) fn games(seed: u64) -> impl Iterator<Item = Game> {
    let mut rng = SplitMix64::new(seed);
    std::iter::repeat_with(move || game(&mut rng)).flatten()
}
