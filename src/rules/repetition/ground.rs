//! Why a move has its label (第27–29条), man by man, so that it can be checked at a board. Decides
//! nothing itself: it asks for each capture and check those who decide, and names what they found.

use super::{
    board::Board,
    gain::{Flaw, Reap, Standing, Trial, is_uneven},
    kill,
};
use crate::{
    position::attacks,
    types::{Kind, Move, Square},
};

/// What a man is or is not attacked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is a king, in check (将, 28.1).
    Check,
    /// It is a king, to be mated by checks (杀, 28.2).
    Mate,
    /// It falls by way of a check (抽, 28.3).
    ByCheck,
    /// Nobody protects it (无根).
    Rootless,
    /// Its captor is worth less than it, protected or not (25.3, 29.1).
    Uneven,
    /// Its protector may not leave the king (假根, 28.16).
    Pinned,
    /// Its protector's side would be mated (假根, 28.16).
    FalseRoot,
    /// There are fewer protectors than captors, or they are needed for two men (少根, 28.16).
    TooFew,
    /// It could be won before the move as well: no new threat (旧有捉, 29.2).
    Old,
    /// It is protected (有根, 28.16).
    Rooted,
    /// It is of its captor's kind and may capture first (兑, 28.5).
    Exchange,
    /// Its capture would expose the captor's king, or get it mated (自将, 29.4).
    SelfCheck,
    /// The move stands in its attacker's way (拦, 28.7).
    Block,
    /// It is the man that moved, and can be won (献, 28.6).
    Offer,
}

/// One man that is attacked, or that is not for all it seems. Points are those after the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Why it is attacked, or why not.
    pub reason: Reason,
    /// The man that attacks, or might.
    pub attacker: Square,
    /// The man attacked.
    pub victim: Square,
    /// The man that protects the victim, or fails to.
    pub root: Option<Square>,
    /// How the attack would go on after the move, the other side passing; a blocked or an offered
    /// man's attacker moves first.
    pub line: Vec<Move>,
}

impl Ground {
    pub(super) fn new(reason: Reason, attack: Move) -> Self {
        let (attacker, victim) = (attack.from(), attack.to());
        Self { reason, attacker, victim, root: None, line: vec![attack] }
    }

    fn rooted(reason: Reason, attack: Move, recapture: Move) -> Self {
        Self {
            root: Some(recapture.from()),
            line: vec![attack, recapture],
            ..Self::new(reason, attack)
        }
    }
}

/// Why a capture wins its victim: one ground for each protector that fails to protect it.
pub(super) fn of_win(trial: Trial, board: &Board, capture: Move) -> Vec<Ground> {
    let taken = board.after(capture);
    let to = capture.to();
    if is_uneven(board, capture) {
        return vec![of_uneven(board, capture)];
    }
    let flawed = |(recapture, flaw): (Move, Flaw)| {
        let end = taken.after(recapture);
        let (reason, rest) = match flaw {
            Flaw::Recaptured(next) | Flaw::Overloaded(next) => (Reason::TooFew, vec![next]),
            Flaw::Mated(_) => (Reason::FalseRoot, kill::mating_line(&end, trial.checks)),
        };
        let mut ground = Ground::rooted(reason, capture, recapture);
        ground.line.extend(rest);
        ground
    };
    let mut grounds: Vec<_> = trial.flaws(board, capture).into_iter().map(flawed).collect();
    let pinned = taken.attacks_on(to).into_iter().filter(|&recapture| !taken.is_legal(recapture));
    grounds.extend(pinned.map(|recapture| Ground {
        root: Some(recapture.from()),
        ..Ground::new(Reason::Pinned, capture)
    }));
    if grounds.is_empty() {
        grounds.push(Ground::new(Reason::Rootless, capture));
    }
    grounds
}

/// Why a captor of less worth wins its victim: whatever protects that does not matter.
pub(super) fn of_uneven(board: &Board, capture: Move) -> Ground {
    match board.after(capture).captures_on(capture.to()).first() {
        Some(&recapture) => Ground::rooted(Reason::Uneven, capture, recapture),
        None => Ground::new(Reason::Rootless, capture),
    }
}

/// Why a capture that is possible wins nothing; `None` if its victim does not count.
pub(super) fn of_failure(trial: Trial, board: &Board, capture: Move) -> Option<Ground> {
    if !board.is_legal(capture) {
        return Some(Ground::new(Reason::SelfCheck, capture));
    }
    match trial.standing(board, capture) {
        Standing::Wins | Standing::Uncounted => None,
        Standing::Rooted(root) => Some(Ground::rooted(Reason::Rooted, capture, root)),
        Standing::Exchange => Some(Ground::new(Reason::Exchange, capture)),
        Standing::Fatal(_) => {
            let mut ground = Ground::new(Reason::SelfCheck, capture);
            ground.line.extend(kill::mating_line(&board.after(capture), trial.checks));
            Some(ground)
        }
    }
}

/// What a winning check wins, man by man.
pub(super) fn of_winning_check(trial: Trial, board: &Board, check: Move) -> Vec<Ground> {
    let mut grounds: Vec<Ground> = Vec::new();
    for (reply, reap) in trial.harvest(board, check) {
        let (victim, rest) = match reap {
            Reap::ByItself => (check.to(), vec![reply]),
            // The man may have moved by the reply.
            Reap::Next(capture) if capture.to() == reply.to() => {
                (reply.from(), vec![reply, capture])
            }
            Reap::Next(capture) => (capture.to(), vec![reply, capture]),
        };
        if grounds.iter().all(|ground| ground.victim != victim) {
            let line = [vec![check], rest].concat();
            let attacker = check.from();
            grounds.push(Ground { reason: Reason::ByCheck, attacker, victim, root: None, line });
        }
    }
    grounds
}

/// The king that is to be mated, and how.
pub(super) fn of_mate(board: &Board, checks: u8) -> Vec<Ground> {
    let line = kill::mating_line(board, checks);
    let victim = board.position().king(!board.position().side());
    let mate = |check: &Move| Ground {
        reason: Reason::Mate,
        attacker: check.from(),
        victim,
        root: None,
        line: line.clone(),
    };
    line.first().map(mate).into_iter().collect()
}

/// The king that is in check; `board` has its side to move.
pub(super) fn of_check(board: &Board) -> Vec<Ground> {
    let king = board.position().king(board.position().side());
    let check = |checker| Ground {
        line: Vec::new(),
        ..Ground::new(Reason::Check, Move::between(checker, king))
    };
    board.position().checkers().into_iter().map(check).collect()
}

/// Whom a move's man steps in the way of: a check, or a capture that would have won a man. `before`
/// and `after` are the positions around the move with the mover's opponent to move.
pub(super) fn of_block(trial: Trial, before: &Board, after: &Board, mv: Move) -> Option<Ground> {
    let position = before.position();
    let king = position.king(!position.side());
    let blocked = |attack: &Move| {
        let stays = attack.to() != mv.from() && attack.from() != mv.to();
        // A cannon loses an attack as well when its screen goes away.
        let way = before.kind_at(attack.from()) != Some(Kind::Cannon)
            || attacks::between(attack.from(), attack.to()).has(mv.to());
        stays && way && !after.reaches(*attack)
    };
    let checkers = before.passed().position().checkers().into_iter();
    let check = checkers.map(|checker| Move::between(checker, king)).find(&blocked);
    let capture = || {
        let mut captures = before.captures().into_iter();
        captures.find(|capture| blocked(capture) && trial.wins(before, *capture))
    };
    check.or_else(capture).map(|attack| Ground::new(Reason::Block, attack))
}

/// The capture that wins the man that has moved; `after` has its opponent to move.
pub(super) fn of_offer(trial: Trial, after: &Board, mv: Move) -> Option<Ground> {
    let mut captures = after.captures_on(mv.to()).into_iter();
    let won = captures.find(|&capture| trial.wins(after, capture))?;
    Some(Ground::new(Reason::Offer, won))
}
