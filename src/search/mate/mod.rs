//! Proof search: whether the side to move mates in so many moves, whatever the other side does, by
//! depth-first proof-number search (df-pn). Knows positions and, of the rules, what a line of play has
//! used up; evaluates nothing.
//!
//! A node is a position with the moves that the attacker has left. These only grow fewer, so there
//! are no cycles, and whoever mates in the fewest moves never meets a position twice below the root: a
//! repetition matters only where it completes one that the game began. There the attacker has
//! failed, whatever the verdict is, and so it has where the natural limit comes first.

mod table;

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::{
    position::{Position, Undo, Unobserved},
    rules::Line,
    simd::Zeros,
    types::{MAX_MOVES, Move, MoveList, SplitMix64, Square},
};
use table::{Entry, Table};

/// The longest mate that is looked for, in own moves.
pub(super) const MOST_MOVES: u32 = 60;

/// A proof number that is out of reach: proven, or disproven.
const INFINITE: u32 = (1 << table::PROOF_BITS) - 1;
/// What a quiet move leaves the defender, roughly, counted only where it gives check.
const QUIET_REPLIES: u32 = 30;
/// How many moves an attacker has to choose from, roughly, counted only where it is in check.
const ATTACKS: u32 = 32;
/// How often it is asked whether to stop, in nodes.
const LOOK_INTERVAL: u64 = 128;

/// How far a node is from being proven and disproven: at least so many nodes must be yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Proof {
    /// To show that the attacker mates.
    mate: u32,
    /// To show that it does not.
    escape: u32,
}

impl Proof {
    const MATE: Self = Self { mate: 0, escape: INFINITE };
    const ESCAPE: Self = Self { mate: INFINITE, escape: 0 };
}

/// A move and what is known of the node behind it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    proof: Proof,
}

/// Who is to move at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Attacker,
    Defender,
}

impl Role {
    fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }
}

/// Which moves the attacker looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attack {
    /// Those that give check: soon looked through, and most mates are made of these.
    Checks,
    /// All of them.
    All,
}

/// What a search of a given number of moves came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The attacker mates, by this line where the defender holds out as long as it can.
    Mate(Vec<Move>),
    /// It does not.
    Escape,
    /// It was stopped.
    Unknown,
}

/// A proof search from one position, which remembers what it found from one call to the next.
pub(super) struct Prover<'a> {
    position: Position,
    /// The attacker's moves at the root.
    root_moves: &'a [Move],
    /// Positions that are judged when they occur once more.
    spent: Vec<u64>,
    /// Plies without capture that are left until the natural limit, if it matters.
    to_limit: Option<u32>,
    /// The same right after a capture.
    whole_limit: Option<u32>,
    /// The moves that are asked for at the root.
    asked: u32,
    /// Whether a node was given up for a rule that is counted more strictly here than in a game.
    rule_met: bool,
    attack: Attack,
    table: Table,
    /// How often a move refuted an attack, by where it starts and ends.
    refutations: Zeros<[u64; Square::NUM]>,
    /// The attacker's move at the node that was proven last.
    proven_by: Option<Move>,
    /// Nodes visited in all.
    pub(super) nodes: u64,
    /// Stop at so many nodes.
    node_limit: u64,
    stopped: bool,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> Prover<'a> {
    /// A search from the end of a line with these moves to begin with, that stops when `stop` says so.
    /// `None`: the system has no memory for its table.
    pub(super) fn new(
        line: &Line,
        root_moves: &'a [Move],
        megabytes: usize,
        stop: &'a dyn Fn() -> bool,
    ) -> Option<Self> {
        Some(Self {
            position: line.position().clone(),
            root_moves,
            spent: line.spent_keys(),
            // A limit that passed before the root is not claimed any more.
            to_limit: Some(line.plies_to_limit()).filter(|&plies| plies > 0),
            whole_limit: Some(u32::from(line.ruleset().natural_limit)).filter(|&plies| plies > 0),
            asked: 0,
            rule_met: false,
            attack: Attack::All,
            table: Table::new(megabytes)?,
            refutations: Zeros::new(Square::NUM)?,
            proven_by: None,
            nodes: 0,
            node_limit: 0,
            stopped: false,
            stop,
        })
    }

    /// Whether an escape may have been one for the way that rules are counted here: then what was
    /// found is no proof that there is no mate.
    pub(super) fn rule_met(&self) -> bool {
        self.rule_met
    }

    /// Whether the side to move mates in at most `moves`, looked at for so many nodes. Asked again it
    /// goes on where it was.
    pub(super) fn search(&mut self, moves: u32, attack: Attack, nodes: u64) -> Answer {
        debug_assert!((1..=MOST_MOVES).contains(&moves), "{moves}");
        self.attack = attack;
        self.stopped = false;
        self.node_limit = self.nodes + nodes;
        self.asked = moves;
        let limit = self.to_limit.filter(|&plies| plies < 2 * moves);
        let proof = self.settle(Role::Attacker, moves, limit, true);
        match (proof.mate, proof.escape) {
            (0, _) => Answer::Mate(self.line(moves, limit)),
            (_, 0) => Answer::Escape,
            _ => Answer::Unknown,
        }
    }

    /// Works at a node until it is settled, or stopped.
    fn settle(&mut self, role: Role, moves: u32, limit: Option<u32>, root: bool) -> Proof {
        let goal = Proof { mate: INFINITE, escape: INFINITE };
        self.node(role, moves, limit, goal, root)
    }

    /// Works at a node until it takes as much as `goal` to prove or to disprove it.
    ///
    /// `moves` are those that the attacker has left, `limit` the plies until the natural limit, where
    /// it is near enough to matter.
    fn node(
        &mut self,
        role: Role,
        moves: u32,
        limit: Option<u32>,
        goal: Proof,
        root: bool,
    ) -> Proof {
        let before = self.nodes;
        self.nodes += 1;
        if self.nodes >= self.node_limit
            || self.nodes.is_multiple_of(LOOK_INTERVAL) && (self.stop)()
        {
            self.stopped = true;
        }
        let mut children = ArrayVec::<Child, MAX_MOVES>::new();
        let mut proof = match self.expand(role, moves, limit, root, &mut children) {
            Some(settled) => settled,
            None => sum_up(role, &children),
        };
        while !self.stopped && proof.mate < goal.mate && proof.escape < goal.escape {
            let (at, second) = most_promising(role, &children);
            let Child { mv, proof: known } = children[at];
            // A quarter more than the next best child's keeps it from going to and fro between two.
            let beyond = |second: u32| second.saturating_add(second / 4).saturating_add(1);
            let rest = |goal: u32, whole: u32, part: u32| goal - whole + part;
            let child_goal = match role {
                Role::Attacker => Proof {
                    mate: goal.mate.min(beyond(second)),
                    escape: rest(goal.escape, proof.escape, known.escape).min(INFINITE),
                },
                Role::Defender => Proof {
                    mate: rest(goal.mate, proof.mate, known.mate).min(INFINITE),
                    escape: goal.escape.min(beyond(second)),
                },
            };
            let (undo, left) = self.make(mv, limit);
            let behind = moves - u32::from(role == Role::Attacker);
            children[at].proof = self.node(role.other(), behind, left, child_goal, false);
            self.unmake(mv, &undo);
            proof = sum_up(role, &children);
            if role == Role::Attacker && children[at].proof.mate == 0 {
                self.proven_by = Some(mv);
            }
            if role == Role::Defender && proof.escape == 0 {
                self.refutations[mv.from() as usize][mv.to() as usize] += 1;
            }
        }
        if !root {
            self.table.store(self.key(limit), moves, proof, self.nodes - before);
        }
        proof
    }

    /// Lists a node's children with what is known of them; or the node is settled at once.
    fn expand(
        &mut self,
        role: Role,
        moves: u32,
        limit: Option<u32>,
        root: bool,
        children: &mut ArrayVec<Child, MAX_MOVES>,
    ) -> Option<Proof> {
        let mut list = if root {
            self.root_moves.iter().copied().collect()
        } else {
            self.position.legal_moves()
        };
        if role == Role::Defender {
            self.refuters_first(&mut list);
        }
        for mv in list {
            let check = self.position.gives_check(mv);
            if role == Role::Attacker && self.attack == Attack::Checks && !check {
                continue;
            }
            let (undo, left) = self.make(mv, limit);
            let proof = match role {
                Role::Attacker => self.after_attack(mv, &undo, moves - 1, left, check),
                Role::Defender => self.after_defence(mv, &undo, moves, left, check),
            };
            self.unmake(mv, &undo);
            match (role, proof.mate, proof.escape) {
                (Role::Attacker, 0, _) => {
                    self.proven_by = Some(mv);
                    return Some(Proof::MATE);
                }
                (Role::Defender, _, 0) => return Some(Proof::ESCAPE),
                // What cannot help any more need not be looked at.
                (Role::Attacker, _, 0) | (Role::Defender, 0, _) => {}
                _ => children.push(Child { mv, proof }),
            }
        }
        None
    }

    /// What is known where the defender is to move, with so many moves left to the attacker.
    fn after_attack(
        &mut self,
        mv: Move,
        undo: &Undo,
        moves: u32,
        limit: Option<u32>,
        check: bool,
    ) -> Proof {
        if self.position.is_lost() {
            return Proof::MATE;
        }
        if moves == 0 || self.ends_by_rule(mv, undo, limit) {
            return Proof::ESCAPE;
        }
        self.known(moves, limit).unwrap_or_else(|| Proof {
            mate: if check { self.position.count_moves() } else { QUIET_REPLIES },
            escape: 1,
        })
    }

    /// What is known where the attacker is to move, with so many moves left to it.
    fn after_defence(
        &mut self,
        mv: Move,
        undo: &Undo,
        moves: u32,
        limit: Option<u32>,
        check: bool,
    ) -> Proof {
        let replies = if check { self.position.count_moves() } else { ATTACKS };
        if replies == 0 || self.ends_by_rule(mv, undo, limit) {
            return Proof::ESCAPE;
        }
        // The last move is soon looked up.
        let escape = if moves == 1 { 1 } else { replies };
        self.known(moves, limit).unwrap_or(Proof { mate: 1, escape })
    }

    /// Whether a rule ends the game here before there is a mate.
    fn ends_by_rule(&mut self, mv: Move, undo: &Undo, limit: Option<u32>) -> bool {
        let dead = (undo.captured().is_some() || self.position.is_pawn(mv.to()))
            && !self.position.can_be_won();
        let counted = limit == Some(0) || self.spent.contains(&self.position.key());
        self.rule_met |= counted;
        dead || counted
    }

    fn known(&self, moves: u32, limit: Option<u32>) -> Option<Proof> {
        self.table.probe(self.key(limit)).and_then(|entry: Entry| entry.proof(moves))
    }

    /// Names the position together with all that the answer depends on but for the moves left.
    fn key(&self, limit: Option<u32>) -> u64 {
        let attack = if self.attack == Attack::All { 0 } else { SplitMix64::new(1).next() };
        let limit = limit.map_or(0, |plies| SplitMix64::new(2 + u64::from(plies)).next());
        self.position.key() ^ attack ^ limit
    }

    /// Plays a move; the plies until the natural limit after it.
    fn make(&mut self, mv: Move, limit: Option<u32>) -> (Undo, Option<u32>) {
        let undo = self.position.make(mv, &mut Unobserved);
        let left = if undo.captured().is_some() {
            self.whole_limit.filter(|&plies| plies < 2 * self.asked)
        } else {
            limit.map(|plies| plies.saturating_sub(1))
        };
        (undo, left)
    }

    fn unmake(&mut self, mv: Move, undo: &Undo) {
        self.position.unmake(mv, undo);
    }

    /// Defences that have refuted most attacks come first: among equals they are tried first.
    fn refuters_first(&self, list: &mut MoveList) {
        list.sort_unstable_by_key(|mv| {
            Reverse(self.refutations[mv.from() as usize][mv.to() as usize])
        });
    }

    /// The line of a mate that has been proven: a mating move each, and the defence that takes longest.
    fn line(&mut self, moves: u32, mut limit: Option<u32>) -> Vec<Move> {
        let mut line = Vec::new();
        let mut played = Vec::new();
        self.node_limit = u64::MAX;
        for left in (1..=moves).rev() {
            let root = line.is_empty();
            if !root {
                self.settle(Role::Attacker, left, limit, false);
            }
            // Stopped in the middle, the line ends here.
            let Some(mv) = self.proven_by.take().filter(|_| !self.stopped || root) else { break };
            let (undo, after) = self.make(mv, limit);
            limit = after;
            line.push(mv);
            played.push((mv, undo));
            let Some(defence) = self.longest_defence(left - 1, limit) else { break };
            let (undo, after) = self.make(defence, limit);
            limit = after;
            line.push(defence);
            played.push((defence, undo));
        }
        for (mv, undo) in played.iter().rev() {
            self.position.unmake(*mv, undo);
        }
        line
    }

    /// A defence after which the attacker does not mate in a move less; none when it is mated.
    fn longest_defence(&mut self, moves: u32, limit: Option<u32>) -> Option<Move> {
        let defences = self.position.legal_moves();
        let fewer = moves.checked_sub(1).filter(|&fewer| fewer > 0);
        let holds = |&mv: &Move| {
            let Some(fewer) = fewer else { return true };
            let (undo, left) = self.make(mv, limit);
            let proof = self.settle(Role::Attacker, fewer, left, false);
            self.unmake(mv, &undo);
            proof.mate > 0
        };
        defences.iter().copied().find(holds).or_else(|| defences.first().copied())
    }
}

/// A node's numbers by those of its children: whoever chooses needs one of them, the other side all.
fn sum_up(role: Role, children: &[Child]) -> Proof {
    let sum = |numbers: &mut dyn Iterator<Item = u32>| {
        let total = numbers.fold(0_u32, u32::saturating_add);
        total.min(INFINITE)
    };
    let mates = || children.iter().map(|child| child.proof.mate);
    let escapes = || children.iter().map(|child| child.proof.escape);
    match role {
        Role::Attacker => Proof {
            mate: mates().min().unwrap_or(INFINITE),
            escape: unsettled(sum(&mut escapes()), escapes().all(|escape| escape < INFINITE)),
        },
        Role::Defender => Proof {
            mate: unsettled(sum(&mut mates()), mates().all(|mate| mate < INFINITE)),
            escape: escapes().min().unwrap_or(INFINITE),
        },
    }
}

/// A sum that got too large is still not out of reach, unless a part of it is.
fn unsettled(sum: u32, reachable: bool) -> u32 {
    if reachable { sum.min(INFINITE - 1) } else { INFINITE }
}

/// The child to work at, and the number of the next best one.
fn most_promising(role: Role, children: &[Child]) -> (usize, u32) {
    let (mut at, mut best, mut second) = (0, u32::MAX, INFINITE);
    for (index, child) in children.iter().enumerate() {
        let number = match role {
            Role::Attacker => child.proof.mate,
            Role::Defender => child.proof.escape,
        };
        if number < best {
            (at, best, second) = (index, number, best.min(INFINITE));
        } else {
            second = second.min(number);
        }
    }
    (at, second)
}

#[cfg(test)]
mod tests;
