//! Moves as most programs store them: a tree of points and comments, which nobody has checked. Makes
//! it the moves of a game, and tells what of it cannot be played.

use super::{
    DEEPEST, Fault, Found, Game, GameError, MOST_MOVES, Place, Played, Remark, Variation,
    pgn::turned,
    text::{MOST_REMARKS, trimmed},
};
use crate::{
    notation::{Annotation, GameResult, MoveError},
    position::{Position, Unobserved},
    types::{Color, Move, Square},
};

/// A tree of moves.
#[derive(Debug)]
pub(super) struct Tree {
    /// Parents come before their children; the first one is the start.
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// From where to where.
    points: Option<(Square, Square)>,
    comment: String,
    /// The first of its children, the next of its parent's, by number; 0: none.
    child: usize,
    next: usize,
    last_child: usize,
}

/// The start of a tree.
pub(super) const ROOT: usize = 0;

impl Tree {
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// Adds a move after a node.
    ///
    /// # Errors
    /// When there are too many.
    pub(super) fn add(
        &mut self,
        parent: usize,
        points: Option<(Square, Square)>,
    ) -> Result<usize, Fault> {
        let number = self.nodes.len();
        if number > MOST_MOVES {
            return Err(Fault::TooManyMoves);
        }
        self.nodes.push(Node { points, ..Node::default() });
        let before = std::mem::replace(&mut self.nodes[parent].last_child, number);
        let link =
            if before == 0 { &mut self.nodes[parent].child } else { &mut self.nodes[before].next };
        *link = number;
        Ok(number)
    }

    /// Sets what is said of a node.
    pub(super) fn comment(&mut self, node: usize, text: &str) {
        self.nodes[node].comment = trimmed(text);
    }

    /// The man that moves first.
    fn first_mover(&self, position: &Position) -> Option<Color> {
        let (from, _) = self.nodes[self.nodes[ROOT].child].points?;
        position.piece_at(from).map(crate::types::Piece::color)
    }
}

/// A game of a file without lines, as its reader has it.
pub(super) struct Draft {
    pub(super) game: Game,
    pub(super) tree: Tree,
    /// Where it begins.
    pub(super) byte: u64,
    /// What is wrong with it beside its moves, and at which byte.
    pub(super) fault: Option<(u64, Fault)>,
    pub(super) remarks: Vec<String>,
    /// Whether the file's word on who begins is known to be wrong at times.
    pub(super) doubtful_side: bool,
}

impl Draft {
    pub(super) fn new(start: Position, byte: u64) -> Self {
        Self {
            game: Game::new(start),
            tree: Tree::new(),
            byte,
            fault: None,
            remarks: Vec::new(),
            doubtful_side: false,
        }
    }

    /// The game under its number.
    pub(super) fn finish(mut self, number: usize) -> Result<Found, GameError> {
        let mut place = Place { game: number, byte: Some(self.byte), ..Place::default() };
        // Whoever makes the first move is to move.
        if let Some(first) = self.tree.first_mover(&self.game.start)
            && first != self.game.start.side()
            && let Some(turned) = turned(&self.game.start)
        {
            if !self.doubtful_side {
                self.remarks
                    .push(format!("the file says that {} moves first, but {first} does", !first));
            }
            self.game.start = turned;
        }
        let mut planter = Planter { tree: &self.tree, remarks: &mut self.remarks };
        self.game.preface.clone_from(&self.tree.nodes[ROOT].comment);
        let fault = planter.main_line(&mut self.game);
        let plies = self.game.moves.len();
        let fault = match (fault, self.fault.take()) {
            (Some(fault), other) => {
                place.ply = Some(plies + 1);
                self.remarks.extend(other.map(|(byte, fault)| format!("byte {byte}: {fault}")));
                Some(fault)
            }
            (None, Some((byte, fault))) => {
                place.byte = Some(byte);
                Some(fault)
            }
            (None, None) => None,
        };
        let remarks = self.remarks.into_iter().map(|what| Remark { place, what }).collect();
        match fault {
            None => Ok(Found { place, game: self.game, remarks }),
            Some(fault) => {
                self.game.result = GameResult::Unknown;
                // Where its head is damaged, nothing is known of its start.
                let known = plies > 0 || matches!(fault, Fault::Move(_) | Fault::Truncated);
                let partial = known.then(|| Box::new(self.game));
                Err(GameError { place, fault, partial, remarks })
            }
        }
    }
}

/// Makes moves of a tree.
struct Planter<'a> {
    tree: &'a Tree,
    remarks: &'a mut Vec<String>,
}

impl Planter<'_> {
    fn main_line(&mut self, game: &mut Game) -> Option<Fault> {
        let first = self.tree.nodes[ROOT].child;
        let (moves, fault) = self.line(first, &game.start, 0);
        game.moves = moves;
        fault
    }

    /// The line of first children from a node on.
    fn line(
        &mut self,
        first: usize,
        start: &Position,
        depth: usize,
    ) -> (Vec<Played>, Option<Fault>) {
        let mut position = start.clone();
        let mut moves: Vec<Played> = Vec::new();
        let mut at = first;
        while at != 0 {
            let node = &self.tree.nodes[at];
            let mv = match legal(&position, node.points) {
                Ok(mv) => mv,
                Err(fault) => return (moves, Some(fault)),
            };
            let mut played = Played::new(mv);
            played.note = Annotation::read_of(position.side(), &node.comment);
            // The first move of a variation has its alternatives beside it.
            if !(depth > 0 && moves.is_empty()) {
                played.variations = self.alternatives(node.next, &position, depth);
            }
            position.make(mv, &mut Unobserved);
            moves.push(played);
            at = node.child;
        }
        (moves, None)
    }

    fn alternatives(&mut self, first: usize, position: &Position, depth: usize) -> Vec<Variation> {
        let mut variations = Vec::new();
        let mut at = first;
        while at != 0 {
            if depth == DEEPEST {
                self.remark(format!("variations more than {DEEPEST} deep are left out"));
                break;
            }
            let (moves, fault) = self.line(at, position, depth + 1);
            if let Some(fault) = fault {
                self.remark(format!(
                    "a variation is left out from its move {} on: {fault}",
                    moves.len() + 1
                ));
            }
            if !moves.is_empty() {
                variations.push(Variation { preface: String::new(), moves });
            }
            at = self.tree.nodes[at].next;
        }
        variations
    }

    fn remark(&mut self, what: String) {
        if self.remarks.len() < MOST_REMARKS {
            self.remarks.push(what);
        }
    }
}

fn legal(position: &Position, points: Option<(Square, Square)>) -> Result<Move, Fault> {
    let Some((from, to)) = points else {
        return Err(Fault::Damaged("a move leads to no point of the board".into()));
    };
    let mv = Move::new(from, to);
    mv.filter(|&mv| position.is_legal(mv)).ok_or_else(|| {
        let text = format!("{from}{to}");
        MoveError::Impossible { text, meant: mv.into_iter().collect() }.into()
    })
}
