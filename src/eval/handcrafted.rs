//! An evaluation made by reasoning: what each man is worth where it stands, followed move by move,
//! and a few things that only the whole board tells. Every number is a formula of file and rank.

use std::fmt;

use super::Evaluator;
use crate::{
    position::{Observer, Position, attacks},
    types::{Color, Kind, Piece, Square, Value, score},
};

/// What having the move is worth.
const TEMPO: Value = 15;

/// What a man of `kind` is worth, seen from its own side: `file` and `rank` as its owner counts.
const fn worth(kind: Kind, file: i32, rank: i32) -> Value {
    let wing = (file - 4).abs();
    match kind {
        // Safest at home, where both advisors can shield it.
        Kind::King => 10 - 3 * wing - rank * (16 + 4 * rank),
        // On the palace's centre each advisor guards the other; at its front both are loose.
        Kind::Advisor => 210 + if wing == 0 { 8 } else { -5 * rank },
        // In the centre both bishops guard each other; at the edge they guard nothing.
        Kind::Bishop => 200 + if wing == 0 { 14 } else { -7 * (wing == 4) as Value - rank },
        // Strongest before the enemy palace, hobbled on back ranks and edges.
        Kind::Knight => {
            let cornered = if rank == 9 { 30 } else { 0 };
            // 窝心马: it smothers its own king.
            let smothers = if rank == 1 && wing == 0 { 50 } else { 0 };
            494 - (2 * rank - 13) * (2 * rank - 13) / 2 - wing * (wing + 5) - cornered - smothers
        }
        // Anywhere but at home; the files beside the king (肋道) lead into the palace.
        Kind::Rook => {
            let advance = if rank < 6 { rank } else { 6 };
            let file = match wing {
                0 => 6,
                1 => 10,
                4 => -8,
                _ => 0,
            };
            982 + 5 * advance + file
        }
        // It fires best from afar: at home, over the centre, or from the very last rank (沉底炮).
        Kind::Cannon => {
            let centre = if wing == 0 && rank >= 2 && rank <= 5 { 18 } else { 0 };
            let near = if rank >= 6 && rank <= 8 { 12 } else { 0 };
            let bottom = if rank == 9 { 14 } else { 0 };
            468 + 3 * (rank == 2) as Value + centre + bottom - near - wing
        }
        // Little before the river, most around the palace, spent on the last rank.
        Kind::Pawn => match rank {
            0..=3 => 70,
            // Out of its own knight's way.
            4 => 80 + 8 * (wing == 2) as Value,
            9 => 90 - 6 * wing,
            _ => 114 + 30 * (if rank < 7 { rank } else { 7 } - 4) - 9 * wing,
        },
    }
}

/// The worth of each piece on each square, Red's counted up and Black's down.
static SQUARES: [[Value; Square::NUM]; Piece::NUM] = {
    let mut table = [[0; Square::NUM]; Piece::NUM];
    let mut i = 0;
    while i < Piece::NUM * Square::NUM {
        let (piece, square) = (Piece::ALL[i / Square::NUM], Square::ALL[i % Square::NUM]);
        let own = square.relative_to(piece.color());
        let value = worth(piece.kind(), own.file() as i32, own.rank() as i32);
        table[piece as usize][square as usize] = match piece.color() {
            Color::Red => value,
            Color::Black => -value,
        };
        i += 1;
    }
    table
};

/// What freedom a side's rooks and knights have: how many points they reach beyond the usual.
fn freedom(position: &Position, us: Color) -> Value {
    let (occupied, own) = (position.occupied(), position.color(us));
    let rooks = position.pieces(us, Kind::Rook).into_iter().map(|rook| {
        let reach = attacks::rook(rook, occupied) & !own;
        3 * (reach.count() as Value - 8)
    });
    let knights = position.pieces(us, Kind::Knight).into_iter().map(|knight| {
        let reach = attacks::knight(knight, occupied) & !own;
        9 * (reach.count() as Value - 4)
    });
    rooks.sum::<Value>() + knights.sum::<Value>()
}

/// How much a side's attackers gain by holes in the enemy's defence: a missing advisor opens the
/// palace to everything, a missing bishop mostly to cannons and pawns.
fn holes(men: Men, us: Color) -> Value {
    let own = |kind| men.count(us, kind);
    let (rooks, cannons) = (own(Kind::Rook), own(Kind::Cannon));
    let (knights, pawns) = (own(Kind::Knight), own(Kind::Pawn));
    let missing = |kind| (2 - men.count(!us, kind)).max(0);
    let (advisors, bishops) = (missing(Kind::Advisor), missing(Kind::Bishop));
    advisors * (18 * rooks + 10 * knights + 8 * cannons + 3 * pawns)
        + bishops * (6 * rooks + 5 * knights + 10 * cannons + 4 * pawns)
}

/// Cannons live on screens, knights on room: what a side's are worth more or less by the crowd.
fn crowd(men: Men, us: Color) -> Value {
    (men.count(us, Kind::Cannon) - men.count(us, Kind::Knight)) * (men.all() - 22) * 2
}

/// Cannons that look down the file at the enemy king from afar (空头炮): nobody may step in between.
fn hollow(position: &Position, us: Color) -> Value {
    let king = position.king(!us);
    let on_file = |cannon: &Square| cannon.file() == king.file();
    let look = |cannon| {
        let between = attacks::between(king, cannon);
        if between.meets(position.occupied()) { 0 } else { 25 * between.count().min(4) as Value }
    };
    position.pieces(us, Kind::Cannon).into_iter().filter(on_file).map(look).sum()
}

/// How many men of each piece there are, four bits a piece, and of all in the highest byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Men(u64);

impl Men {
    const fn one(piece: Piece) -> u64 {
        1 << (4 * piece as u32) | 1 << 56
    }

    fn count(self, color: Color, kind: Kind) -> Value {
        (self.0 >> (4 * Piece::new(color, kind) as u32) & 15) as Value
    }

    fn all(self) -> Value {
        (self.0 >> 56) as Value
    }
}

/// What is followed from move to move.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// The men on their squares, Red's less Black's.
    balance: Value,
    men: Men,
}

/// The handcrafted evaluation.
#[derive(Clone, Debug, Default)]
pub struct Handcrafted {
    now: Sums,
    before: Vec<Sums>,
}

const TERMS: [&str; 4] = ["freedom", "holes", "crowd", "hollow cannon"];

impl Handcrafted {
    /// What only the whole board tells, each term Red's less Black's.
    #[inline]
    fn terms(&self, position: &Position) -> [Value; TERMS.len()] {
        let men = self.now.men;
        let [red, black] = Color::ALL.map(|us| {
            [freedom(position, us), holes(men, us), crowd(men, us), hollow(position, us)]
        });
        std::array::from_fn(|term| red[term] - black[term])
    }
}

impl Observer for Handcrafted {
    #[inline]
    fn put(&mut self, piece: Piece, at: Square) {
        self.now.balance += SQUARES[piece as usize][at as usize];
        self.now.men.0 += Men::one(piece);
    }

    #[inline]
    fn take(&mut self, piece: Piece, at: Square) {
        self.now.balance -= SQUARES[piece as usize][at as usize];
        self.now.men.0 -= Men::one(piece);
    }
}

impl Evaluator for Handcrafted {
    fn reset(&mut self, position: &Position) {
        *self = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                self.put(piece, square);
            }
        }
    }

    #[inline]
    fn push(&mut self) {
        self.before.push(self.now);
    }

    #[inline]
    fn pop(&mut self) {
        self.now = self.before.pop().expect("invariant: a move was made before");
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        let red = self.now.balance + self.terms(position).iter().sum::<Value>();
        let own = if position.side() == Color::Red { red } else { -red };
        (own + TEMPO).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }
}

/// An evaluation taken apart, for people.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Each part's name and its value for Red less that for Black.
    pub parts: Vec<(String, Value)>,
    /// Whose move it is.
    pub side: Color,
    /// The evaluation for the side to move.
    pub total: Value,
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &Position) -> Explanation {
    let mut eval = Handcrafted::default();
    eval.reset(position);
    let side = position.side();
    let worth = |at| position.piece_at(at).map_or(0, |piece| SQUARES[piece as usize][at as usize]);
    let men = Kind::ALL.map(|kind| {
        let name = format!("{kind:?}s").to_lowercase();
        (name, position.kind(kind).into_iter().map(worth).sum())
    });
    let terms = TERMS.map(str::to_owned).into_iter().zip(eval.terms(position));
    let tempo = ("tempo".to_owned(), if side == Color::Red { TEMPO } else { -TEMPO });
    let parts = men.into_iter().chain(terms).chain([tempo]).collect();
    Explanation { parts, side, total: eval.evaluate(position) }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14}{:>7}", "", "red")?;
        for (name, value) in &self.parts {
            writeln!(f, "{name:<14}{value:>+7}")?;
        }
        write!(f, "{:<14}{:>+7}  for {}, who is to move", "total", self.total, self.side)
    }
}

#[cfg(test)]
mod tests;
