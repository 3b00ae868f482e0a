//! A game of the engine against itself, as it is kept: where it started, what was played and
//! thought, and how it ended. Knows how to write it in about a byte and a half a ply.

use super::coder::{BitModel, Coder, Decoder, Encoder, NumberModel};
use crate::{
    position::{FenError, Position, Unobserved},
    types::{Color, Move, MoveList, Piece, Square, Value},
};

/// A move that was thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// What was played.
    pub mv: Move,
    /// What the search thought of the position before it, for the side to move.
    pub score: i16,
    /// Whether it was drawn at random, not chosen: then the score is not of this move, and the
    /// result of the game says nothing of positions before it.
    pub random: bool,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EndReason {
    /// Mate or stalemate.
    NoMove,
    /// A position occurred too often.
    Repetition,
    /// Too long without a capture, or no man left that could win.
    Rule,
    /// Both sides had thought the same for long.
    Agreed,
    /// Longer than games may be.
    TooLong,
}

impl EndReason {
    /// All ends.
    pub const ALL: [Self; 5] =
        [Self::NoMove, Self::Repetition, Self::Rule, Self::Agreed, Self::TooLong];
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Where it starts.
    pub start: Position,
    /// Moves that nobody thought about.
    pub opening: Vec<Move>,
    /// What was played from there.
    pub plies: Vec<Ply>,
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub end: EndReason,
}

impl Game {
    /// Goes through the positions that were thought about: each is shown with what was played.
    ///
    /// # Panics
    /// When a move is not one of its position.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Ply)) {
        let mut position = self.start.clone();
        for &mv in &self.opening {
            position.make(mv, &mut Unobserved);
        }
        for &ply in &self.plies {
            visit(&position, ply);
            position.make(ply.mv, &mut Unobserved);
        }
    }

    /// The ply from which on nothing was played at random, so that the result tells something.
    pub fn chosen_from(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.random).map_or(0, |last| last + 1)
    }

    /// The same game with left and right exchanged.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let start = self.start.mirror();
        let opening = self.opening.iter().map(|mv| mv.mirror()).collect();
        let plies = self.plies.iter().map(|ply| Ply { mv: ply.mv.mirror(), ..*ply }).collect();
        Self { start, opening, plies, winner: self.winner, end: self.end }
    }
}

/// What is wrong with a game that was read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The position it starts from.
    #[error("bad start: {0}")]
    Start(#[from] FenError),
    /// A move where there is none.
    #[error("no move is left at ply {0}")]
    NoMove(usize),
    /// A score beyond all scores.
    #[error("the score of ply {0} is out of range")]
    Score(usize),
}

/// How many plies a game can have.
pub const MOST_PLIES: usize = u16::MAX as usize;

/// The models of everything in a game. A block of games begins with new ones.
#[derive(Debug, Default)]
pub(super) struct Models {
    usual_start: BitModel,
    man: [BitModel; 2],
    clock: NumberModel,
    lengths: [NumberModel; 2],
    /// By how long the residue before was.
    residues: [NumberModel; 12],
    sign: BitModel,
    random: BitModel,
    drawn: BitModel,
    red_won: BitModel,
    end: NumberModel,
}

/// The legal moves in the order of their numbers: it can never change, whatever generates them.
fn ranked(position: &Position) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|&mv| Move::to_bits(Some(mv)));
    moves
}

pub(super) fn write(game: &Game, models: &mut Models, coder: &mut Encoder) {
    // Writing what can be written is reading it back; only reading can go wrong.
    let _ = code(Some(game), models, coder, true);
}

/// Reads a game of a format that marks what was played at random, or of one that does not.
pub(super) fn read(
    models: &mut Models,
    coder: &mut Decoder<'_>,
    marked: bool,
) -> Result<Game, GameError> {
    code(None, models, coder, marked)
}

/// Writes the game that is given, or reads one.
fn code(
    game: Option<&Game>,
    models: &mut Models,
    coder: &mut impl Coder,
    marked: bool,
) -> Result<Game, GameError> {
    let start = start(game.map(|game| &game.start), models, coder)?;
    let lengths = game.map_or([0; 2], |game| [game.opening.len(), game.plies.len()]);
    let [opening_plies, plies] =
        [0, 1].map(|i| coder.number(lengths[i] as u32, &mut models.lengths[i]) as usize);

    let mut position = start.clone();
    let mut opening = Vec::with_capacity(opening_plies);
    for i in 0..opening_plies {
        opening.push(mv(game.map(|game| game.opening[i]), i, &mut position, coder)?);
    }
    let mut thought = Vec::with_capacity(plies);
    let (mut before, mut length): (i32, u32) = (0, 0);
    for i in 0..plies {
        let ply = game.map(|game| game.plies[i]);
        // What was good for one is bad for the other.
        let residue = ply.map_or(0, |ply| i32::from(ply.score) + before);
        let size = residue.unsigned_abs();
        let size = coder.number(size, &mut models.residues[length.min(11) as usize]);
        let negative = size > 0 && coder.bit(residue < 0, &mut models.sign);
        length = u32::BITS - size.leading_zeros();
        let score = if negative { -(size as i32) } else { size as i32 } - before;
        let score = i16::try_from(score).map_err(|_| GameError::Score(i))?;
        before = i32::from(score);
        let mv = mv(ply.map(|ply| ply.mv), opening_plies + i, &mut position, coder)?;
        let random = marked && coder.bit(ply.is_some_and(|ply| ply.random), &mut models.random);
        thought.push(Ply { mv, score, random });
    }

    let winner = game.and_then(|game| game.winner);
    let drawn = coder.bit(winner.is_none(), &mut models.drawn);
    let winner = (!drawn).then(|| {
        let red = coder.bit(winner == Some(Color::Red), &mut models.red_won);
        if red { Color::Red } else { Color::Black }
    });
    let end = coder.number(game.map_or(0, |game| game.end as u32), &mut models.end) as usize;
    let end = EndReason::ALL[end.min(EndReason::ALL.len() - 1)];
    Ok(Game { start, opening, plies: thought, winner, end })
}

fn start(
    wanted: Option<&Position>,
    models: &mut Models,
    coder: &mut impl Coder,
) -> Result<Position, FenError> {
    let usual = wanted.is_some_and(|wanted| *wanted == Position::start());
    if coder.bit(usual, &mut models.usual_start) {
        return Ok(Position::start());
    }
    let mut board = String::new();
    let mut men = 0;
    for rank in (0..10).rev() {
        for file in 0..9 {
            let square = Square::at(file, rank).expect("invariant: on the board");
            let man = wanted.and_then(|wanted| wanted.piece_at(square));
            let model = &mut models.man[usize::from(men > 8)];
            if coder.bit(man.is_some(), model) {
                let piece = man.map_or(0, |man| man as u32);
                let piece = coder.uniform(piece, Piece::NUM as u32);
                board.push(Piece::ALL[piece as usize].letter());
                men += 1;
            } else {
                board.push('1');
            }
        }
        board.push(if rank > 0 { '/' } else { ' ' });
    }
    let black = coder.uniform(wanted.map_or(0, |wanted| wanted.side() as u32), 2) == 1;
    let clock = wanted.map_or(0, |wanted| wanted.clock().min(MOST_PLIES as u32));
    let clock = coder.number(clock, &mut models.clock);
    Position::from_fen(&format!("{board}{} - - {clock} 1", if black { 'b' } else { 'w' }))
}

fn mv(
    wanted: Option<Move>,
    ply: usize,
    position: &mut Position,
    coder: &mut impl Coder,
) -> Result<Move, GameError> {
    let moves = ranked(position);
    let rank = wanted.and_then(|wanted| moves.iter().position(|&mv| mv == wanted)).unwrap_or(0);
    if moves.is_empty() {
        return Err(GameError::NoMove(ply));
    }
    let rank = coder.uniform(rank as u32, moves.len() as u32);
    let mv = moves[rank as usize];
    position.make(mv, &mut Unobserved);
    Ok(mv)
}

/// Limits a value to what a record holds.
pub fn stored(score: Value) -> i16 {
    score.clamp(-Value::from(i16::MAX), Value::from(i16::MAX)) as i16
}
