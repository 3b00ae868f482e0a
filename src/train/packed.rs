//! Runs of positions in a few bytes each: the men where a run begins, then moves and scores. Knows
//! how to write them and how to read them as inputs that go on and off.

use super::data::{Label, Run};
use crate::{
    eval::nnue::{
        buckets::Census,
        features::{ActiveFeatures, Perspective},
    },
    position::Position,
    types::{Bitboard, Color, Kind, Move, Piece, Square},
};

/// What a word says of the position before its move, beside the points that it goes between.
const KEPT: u16 = 1 << 14;
const COUNTS: u16 = 1 << 15;
const POINT_BITS: u32 = 7;

/// Writes runs one after the other.
#[derive(Debug, Default)]
pub(super) struct Packer {
    bytes: Vec<u8>,
    /// Where the run at hand begins, and how many positions it has.
    run: Option<(usize, u16)>,
    /// Moves since its last position, which are written only if another one follows.
    pending: Vec<u16>,
}

impl Packer {
    /// A position that teaches, and the move made in it. `winner` and whether that counts are what
    /// is known of the result. Returns where a new run begins, if one does: that is when the one at
    /// hand has `most` positions.
    pub(super) fn keep(
        &mut self,
        position: &Position,
        mv: Move,
        score: i16,
        (winner, counts): (Option<Color>, bool),
        most: usize,
    ) -> Option<usize> {
        let at_hand = self.run.filter(|&(_, length)| usize::from(length) < most);
        let (start, length) = at_hand.unwrap_or_else(|| (self.begin(position, winner), 0));
        self.run = Some((start, length + 1));
        self.bytes[start..start + 2].copy_from_slice(&(length + 1).to_le_bytes());
        let flags = if counts { KEPT | COUNTS } else { KEPT };
        for word in self.pending.drain(..).chain([word(mv) | flags]) {
            self.bytes.extend(word.to_le_bytes());
        }
        self.bytes.extend(score.to_le_bytes());
        at_hand.is_none().then_some(start)
    }

    /// A move made in a position that does not teach.
    pub(super) fn pass(&mut self, mv: Move) {
        if self.run.is_some() {
            self.pending.push(word(mv));
        }
    }

    /// A game is over.
    pub(super) fn end_game(&mut self) {
        self.run = None;
        self.pending.clear();
    }

    /// What was written.
    pub(super) fn finish(self) -> Box<[u8]> {
        self.bytes.into()
    }

    fn begin(&mut self, position: &Position, winner: Option<Color>) -> usize {
        self.pending.clear();
        let start = self.bytes.len();
        let winner = winner.map_or(2, |winner| winner as u8);
        self.bytes.extend([0, 0, position.side() as u8 | winner << 1]);
        let mut occupied = [0; Square::NUM.div_ceil(8)];
        for at in position.occupied() {
            occupied[at as usize / 8] |= 1 << (at as usize % 8);
        }
        self.bytes.extend(occupied);
        let men: Vec<_> =
            position.occupied().into_iter().filter_map(|at| position.piece_at(at)).collect();
        let pair = |men: &[Piece]| men[0] as u8 | men.get(1).map_or(0, |&man| man as u8) << 4;
        self.bytes.extend(men.chunks(2).map(pair));
        start
    }
}

fn word(mv: Move) -> u16 {
    mv.from() as u16 | (mv.to() as u16) << POINT_BITS
}

/// Room to read a run into, kept from run to run.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    labels: Vec<Label>,
    /// First for Red and Black, how many inputs are on and which; then for each further position,
    /// for Red and Black, how many go on, how many off, and which.
    inputs: Vec<u16>,
}

impl Unpacked {
    /// Reads the run that begins where `bytes` do.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Run<'_> {
        self.labels.clear();
        self.inputs.clear();
        let mut bytes = bytes.iter().copied();
        let mut byte = || bytes.next().expect("invariant: a run is whole");
        let mut word = || u16::from_le_bytes([byte(), byte()]);
        let length = usize::from(word());
        let header = byte();
        let mut side = Color::ALL[usize::from(header & 1)];
        let winner = Color::ALL.get(usize::from(header >> 1)).copied();
        let mut board = Board::read(&mut byte);
        let mut shown = None;
        while self.labels.len() < length {
            let mut word = || u16::from_le_bytes([byte(), byte()]);
            let mv = word();
            if mv & KEPT > 0 {
                let score = word() as i16;
                self.labels.push(Label::new(score, board.census, side, winner, mv & COUNTS > 0));
                match &shown {
                    None => self.show(&board),
                    Some(before) => self.show_changes(before, &board),
                }
                board.touched = Bitboard::EMPTY;
                shown = Some(board.clone());
            }
            let [from, to] = [mv, mv >> POINT_BITS].map(|at| Square::ALL[usize::from(at & 127)]);
            board.make(from, to);
            side = !side;
        }
        Run::new(&self.labels, &self.inputs)
    }

    fn show(&mut self, board: &Board) {
        for color in Color::ALL {
            let active = board.active(color);
            self.inputs.push(active.len() as u16);
            self.inputs.extend_from_slice(&active);
        }
    }

    fn show_changes(&mut self, before: &Board, now: &Board) {
        for color in Color::ALL {
            let perspectives = [before, now].map(|board| Perspective::of(color, board.kings));
            let head = self.inputs.len();
            self.inputs.extend([0, 0]);
            if perspectives[0] == perspectives[1] {
                for (place, [other, board]) in
                    [[before, now], [now, before]].into_iter().enumerate()
                {
                    let from = self.inputs.len();
                    for at in now.touched {
                        let man = board.men_at[at as usize];
                        if let Some(man) = man.filter(|_| man != other.men_at[at as usize]) {
                            self.inputs.push(perspectives[0].index(man, at));
                        }
                    }
                    self.inputs[head + place] = (self.inputs.len() - from) as u16;
                }
            } else {
                // Left and right are exchanged: nearly everything changes.
                let [before, now] = [before, now].map(|board| {
                    let mut active = board.active(color);
                    active.sort_unstable();
                    active
                });
                for (place, [some, others]) in
                    [[&now, &before], [&before, &now]].into_iter().enumerate()
                {
                    let from = self.inputs.len();
                    missing(&mut self.inputs, some, others);
                    self.inputs[head + place] = (self.inputs.len() - from) as u16;
                }
            }
        }
    }
}

/// Writes what is in `some`, counted as often as it is there more often than in `others`.
fn missing(to: &mut Vec<u16>, some: &ActiveFeatures, others: &ActiveFeatures) {
    let mut others = others.iter().peekable();
    for &one in some {
        while others.next_if(|&&other| other < one).is_some() {}
        if others.next_if(|&&other| other == one).is_none() {
            to.push(one);
        }
    }
}

/// Counts a man more or less.
fn count(census: &mut Census, man: Piece, by: i8) {
    let add = |count: &mut u8| *count = count.wrapping_add_signed(by);
    add(&mut census.men);
    match man.kind() {
        Kind::Rook => add(&mut census.rooks),
        Kind::Knight | Kind::Cannon => add(&mut census.minors),
        _ => {}
    }
}

/// Which man stands where, and where that has changed.
#[derive(Clone, Debug)]
struct Board {
    men_at: [Option<Piece>; Square::NUM],
    kings: [Square; Color::NUM],
    census: Census,
    touched: Bitboard,
}

impl Board {
    fn read(byte: &mut impl FnMut() -> u8) -> Self {
        let occupied: [u8; Square::NUM.div_ceil(8)] = std::array::from_fn(|_| byte());
        let mut board = Self {
            men_at: [None; Square::NUM],
            kings: [Square::E0, Square::E9],
            census: Census::default(),
            touched: Bitboard::EMPTY,
        };
        let mut pair = 0;
        for at in Square::ALL {
            if occupied[at as usize / 8] >> (at as usize % 8) & 1 == 0 {
                continue;
            }
            pair = if board.census.men.is_multiple_of(2) { byte() } else { pair >> 4 };
            let man = Piece::ALL[usize::from(pair & 15)];
            board.men_at[at as usize] = Some(man);
            count(&mut board.census, man, 1);
            if man.kind() == Kind::King {
                board.kings[man.color() as usize] = at;
            }
        }
        board
    }

    fn make(&mut self, from: Square, to: Square) {
        let man = self.men_at[from as usize].take();
        let victim = std::mem::replace(&mut self.men_at[to as usize], man);
        if let Some(victim) = victim {
            count(&mut self.census, victim, -1);
        }
        self.touched |= Bitboard::of(from) | Bitboard::of(to);
        if let Some(king) = man.filter(|man| man.kind() == Kind::King) {
            self.kings[king.color() as usize] = to;
        }
    }

    fn active(&self, color: Color) -> ActiveFeatures {
        let perspective = Perspective::of(color, self.kings);
        let men = Square::ALL.into_iter().zip(self.men_at);
        men.filter_map(|(at, man)| Some(perspective.index(man?, at))).collect()
    }
}
