//! Where each man can go: geometry computed by the compiler. Knows occupancy, not who stands where.
//!
//! Sliders look up their rank and their file as lines of nine and ten points. Men that can be
//! hobbled (a knight's leg, a bishop's eye) look up the pattern of their four blocking points.

use crate::types::{Bitboard, Color, Square};

/// What a slider meets on one line, as bits along that line.
#[derive(Clone, Copy)]
struct Line {
    /// Free points and the first man each way: a rook's moves.
    reach: u16,
    /// The second man each way: what a cannon captures.
    second: u16,
}

const fn line_of<const LEN: usize>(at: usize, occupied: usize) -> (Line, u16) {
    let (mut line, mut third) = (Line { reach: 0, second: 0 }, 0);
    let mut forward = 0;
    while forward < 2 {
        let mut met = 0;
        let mut i = at;
        while (forward == 1 && i + 1 < LEN || forward == 0 && i > 0) && met < 3 {
            i = if forward == 1 { i + 1 } else { i - 1 };
            if met == 0 {
                line.reach |= 1 << i;
            }
            if occupied >> i & 1 == 1 {
                met += 1;
                if met == 2 {
                    line.second |= 1 << i;
                } else if met == 3 {
                    third |= 1 << i;
                }
            }
        }
        forward += 1;
    }
    (line, third)
}

const fn lines<const LEN: usize, const PATTERNS: usize>() -> [[Line; PATTERNS]; LEN] {
    let mut table = [[Line { reach: 0, second: 0 }; PATTERNS]; LEN];
    let mut at = 0;
    while at < LEN {
        let mut occupied = 0;
        while occupied < PATTERNS {
            table[at][occupied] = line_of::<LEN>(at, occupied).0;
            occupied += 1;
        }
        at += 1;
    }
    table
}

const fn thirds<const LEN: usize, const PATTERNS: usize>() -> [[u16; PATTERNS]; LEN] {
    let mut table = [[0; PATTERNS]; LEN];
    let mut at = 0;
    while at < LEN {
        let mut occupied = 0;
        while occupied < PATTERNS {
            table[at][occupied] = line_of::<LEN>(at, occupied).1;
            occupied += 1;
        }
        at += 1;
    }
    table
}

static RANK_LINES: [[Line; 512]; 9] = lines();
static FILE_LINES: [[Line; 1024]; 10] = lines();
static RANK_THIRDS: [[u16; 512]; 9] = thirds();
static FILE_THIRDS: [[u16; 1024]; 10] = thirds();

/// File a within one word: five points nine bits apart.
const FILE_A: u64 = 1 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36;
/// Gathers those five points into bits 32–36, or spreads five bits over them: the copies lie
/// eight bits apart, so the point nine bits further falls one bit further, and no sum carries.
const STRIDE: u64 = 1 | 1 << 8 | 1 << 16 | 1 << 24 | 1 << 32;

const fn gather(word: u64, file: u8) -> u64 {
    (word >> file & FILE_A).wrapping_mul(STRIDE) >> 32 & 31
}

const fn spread(five: u64, file: u8) -> u64 {
    (five.wrapping_mul(STRIDE) & FILE_A) << file
}

/// Where a square's rank and file lie in the words of a bitboard.
#[derive(Clone, Copy)]
struct Coordinates {
    file: u8,
    rank: u8,
    /// Of the rank within its word.
    shift: u8,
    north: bool,
}

static COORDINATES: [Coordinates; Square::NUM] = {
    let mut coordinates = [Coordinates { file: 0, rank: 0, shift: 0, north: false }; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        let (file, rank) = (Square::ALL[i].file(), Square::ALL[i].rank());
        coordinates[i] = Coordinates { file, rank, shift: 9 * (rank % 5), north: rank >= 5 };
        i += 1;
    }
    coordinates
};

impl Coordinates {
    #[inline]
    const fn rank_pattern(self, occupied: Bitboard) -> usize {
        let word = if self.north { occupied.north() } else { occupied.south() };
        (word >> self.shift & 511) as usize
    }

    #[inline]
    const fn file_pattern(self, occupied: Bitboard) -> usize {
        (gather(occupied.south(), self.file) | gather(occupied.north(), self.file) << 5) as usize
    }

    /// The points of a pattern of this rank and one of this file.
    #[inline]
    const fn points(self, rank: u16, file: u16) -> Bitboard {
        let rank = (rank as u64) << self.shift;
        let (south, north) = if self.north { (0, rank) } else { (rank, 0) };
        Bitboard::from_words(
            south | spread(file as u64 & 31, self.file),
            north | spread(file as u64 >> 5, self.file),
        )
    }
}

/// Both lines through a square, looked up once and read in several ways.
#[derive(Clone, Copy)]
pub(crate) struct Cross {
    place: Coordinates,
    rank: usize,
    file: usize,
}

impl Cross {
    /// The lines through `square` among the men of `occupied`.
    #[inline]
    pub(crate) fn new(square: Square, occupied: Bitboard) -> Self {
        let place = COORDINATES[square as usize];
        Self { place, rank: place.rank_pattern(occupied), file: place.file_pattern(occupied) }
    }

    fn rank_line(self) -> Line {
        RANK_LINES[self.place.file as usize][self.rank]
    }

    fn file_line(self) -> Line {
        FILE_LINES[self.place.rank as usize][self.file]
    }

    /// Free points and the first man each way.
    #[inline]
    pub(crate) fn reach(self) -> Bitboard {
        self.place.points(self.rank_line().reach, self.file_line().reach)
    }

    /// The second man each way.
    #[inline]
    pub(crate) fn second(self) -> Bitboard {
        self.place.points(self.rank_line().second, self.file_line().second)
    }

    /// The third man each way.
    #[inline]
    pub(crate) fn third(self) -> Bitboard {
        self.place.points(
            RANK_THIRDS[self.place.file as usize][self.rank],
            FILE_THIRDS[self.place.rank as usize][self.file],
        )
    }
}

/// A rook's moves and captures (车); also a cannon's moves, with the men it cannot take.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Cross::new(square, occupied).reach()
}

/// What a cannon attacks (炮): the second man each way.
#[inline]
pub fn cannon(square: Square, occupied: Bitboard) -> Bitboard {
    Cross::new(square, occupied).second()
}

/// The four points that can hobble a man, and how to number their sixteen patterns.
///
/// Multiplying a word by one power of two a point moves that point to its index bit at the top.
/// The index bits are chosen so that no other product reaches them (see `spokes`).
#[derive(Clone, Copy)]
struct Spokes {
    south: u64,
    north: u64,
    south_factor: u64,
    north_factor: u64,
}

impl Spokes {
    #[inline]
    const fn pattern(&self, occupied: Bitboard) -> usize {
        let south = (occupied.south() & self.south).wrapping_mul(self.south_factor);
        let north = (occupied.north() & self.north).wrapping_mul(self.north_factor);
        (south.wrapping_add(north) >> 60) as usize
    }
}

/// Orthogonal neighbours with their index bits: left 3, right 0, down 2, up 1.
const LEGS: [(i8, i8, u32); 4] = [(-1, 0, 3), (1, 0, 0), (0, -1, 2), (0, 1, 1)];
/// Diagonal neighbours with their index bits.
const CORNERS: [(i8, i8, u32); 4] = [(1, 1, 0), (-1, 1, 2), (1, -1, 1), (-1, -1, 3)];

const fn spokes(directions: [(i8, i8, u32); 4]) -> [Spokes; Square::NUM] {
    let mut table = [Spokes { south: 0, north: 0, south_factor: 0, north_factor: 0 }; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        let mut d = 0;
        while d < 4 {
            let (files, ranks, index) = directions[d];
            if let Some(spoke) = Square::ALL[i].offset(files, ranks) {
                let bit = spoke as u32 % 45;
                if spoke.rank() < 5 {
                    table[i].south |= 1 << bit;
                    table[i].south_factor |= 1 << (60 + index - bit);
                } else {
                    table[i].north |= 1 << bit;
                    table[i].north_factor |= 1 << (60 + index - bit);
                }
            }
            d += 1;
        }
        i += 1;
    }
    table
}

/// The points reached past each free spoke: one leap, or two for a knight.
type Leaps = [[Bitboard; 16]; Square::NUM];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leap {
    /// A knight's moves: past a leg, one diagonal step outward.
    KnightFrom,
    /// Where knights stand that attack the point: their legs are the point's corners.
    KnightTo,
    /// A bishop's moves: past an eye, one more diagonal step, on the same side of the river.
    Bishop,
}

#[expect(clippy::large_stack_arrays, reason = "the compiler's stack, not ours")]
const fn leaps(kind: Leap) -> Leaps {
    let directions = if matches!(kind, Leap::KnightFrom) { LEGS } else { CORNERS };
    let mut table = [[Bitboard::EMPTY; 16]; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        let square = Square::ALL[i];
        let mut blocked = 0;
        while blocked < 16 {
            let mut d = 0;
            while d < 4 {
                let (files, ranks, index) = directions[d];
                if blocked >> index & 1 == 0 {
                    let ends = match kind {
                        Leap::KnightFrom if ranks == 0 => [(2 * files, 1), (2 * files, -1)],
                        Leap::KnightFrom => [(1, 2 * ranks), (-1, 2 * ranks)],
                        Leap::KnightTo => [(2 * files, ranks), (files, 2 * ranks)],
                        Leap::Bishop => [(2 * files, 2 * ranks); 2],
                    };
                    let mut e = 0;
                    while e < 2 {
                        if let Some(end) = square.offset(ends[e].0, ends[e].1)
                            && !(matches!(kind, Leap::Bishop)
                                && (end.rank() < 5) != (square.rank() < 5))
                        {
                            table[i][blocked] = table[i][blocked].with(end);
                        }
                        e += 1;
                    }
                }
                d += 1;
            }
            blocked += 1;
        }
        i += 1;
    }
    table
}

static LEG_SPOKES: [Spokes; Square::NUM] = spokes(LEGS);
static CORNER_SPOKES: [Spokes; Square::NUM] = spokes(CORNERS);
static KNIGHT_FROM: Leaps = leaps(Leap::KnightFrom);
static KNIGHT_TO: Leaps = leaps(Leap::KnightTo);
static BISHOP: Leaps = leaps(Leap::Bishop);

/// A knight's moves (马), its legs checked.
#[inline]
pub fn knight(square: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_FROM[square as usize][LEG_SPOKES[square as usize].pattern(occupied)]
}

/// Where knights would have to stand to attack `square`, their legs checked.
#[inline]
pub fn knights_to(square: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_TO[square as usize][CORNER_SPOKES[square as usize].pattern(occupied)]
}

/// A bishop's moves (相/象), its eyes checked.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[square as usize][CORNER_SPOKES[square as usize].pattern(occupied)]
}

/// Whether a king or advisor may stand there: d–f, the three ranks nearest either back rank.
const fn in_palace(square: Square) -> bool {
    let (file, rank) = (square.file(), square.rank());
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

const fn steps(directions: [(i8, i8, u32); 4], palace: bool) -> [Bitboard; Square::NUM] {
    let mut table = [Bitboard::EMPTY; Square::NUM];
    let mut i = 0;
    while i < Square::NUM {
        let square = Square::ALL[i];
        let mut d = 0;
        while d < 4 {
            if let Some(end) = square.offset(directions[d].0, directions[d].1)
                && (!palace || in_palace(square) && in_palace(end))
            {
                table[i] = table[i].with(end);
            }
            d += 1;
        }
        i += 1;
    }
    table
}

static KING: [Bitboard; Square::NUM] = steps(LEGS, true);
static ADVISOR: [Bitboard; Square::NUM] = steps(CORNERS, true);
static ORTHOGONAL: [Bitboard; Square::NUM] = steps(LEGS, false);
static DIAGONAL: [Bitboard; Square::NUM] = steps(CORNERS, false);

/// A king's steps inside its palace (帅/将).
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square as usize]
}

/// An advisor's steps inside its palace (仕/士).
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISOR[square as usize]
}

/// The diagonal neighbours: the legs of knights that would attack `square`.
#[inline]
pub fn corners(square: Square) -> Bitboard {
    DIAGONAL[square as usize]
}

/// The orthogonal neighbours: the legs of a knight on `square`.
#[inline]
pub fn legs(square: Square) -> Bitboard {
    ORTHOGONAL[square as usize]
}

const fn pawn_steps(color: Color, square: Square) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    if let Some(end) = square.offset(0, forward) {
        set = set.with(end);
    }
    if !square.at_home(color) {
        if let Some(end) = square.offset(-1, 0) {
            set = set.with(end);
        }
        if let Some(end) = square.offset(1, 0) {
            set = set.with(end);
        }
    }
    set
}

static PAWN: [[Bitboard; Square::NUM]; Color::NUM] = {
    let mut table = [[Bitboard::EMPTY; Square::NUM]; Color::NUM];
    let mut i = 0;
    while i < Square::NUM {
        table[0][i] = pawn_steps(Color::Red, Square::ALL[i]);
        table[1][i] = pawn_steps(Color::Black, Square::ALL[i]);
        i += 1;
    }
    table
};

static PAWNS_TO: [[Bitboard; Square::NUM]; Color::NUM] = {
    let mut table = [[Bitboard::EMPTY; Square::NUM]; Color::NUM];
    let mut color = 0;
    while color < Color::NUM {
        let mut from = 0;
        while from < Square::NUM {
            let steps = pawn_steps(Color::ALL[color], Square::ALL[from]);
            let mut to = 0;
            while to < Square::NUM {
                if steps.meets(Bitboard::EMPTY.with(Square::ALL[to])) {
                    table[color][to] = table[color][to].with(Square::ALL[from]);
                }
                to += 1;
            }
            from += 1;
        }
        color += 1;
    }
    table
};

/// A pawn's steps (兵/卒): forward, and sideways beyond the river.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square as usize]
}

/// Where pawns of `color` would have to stand to attack `square`.
#[inline]
pub fn pawns_to(color: Color, square: Square) -> Bitboard {
    PAWNS_TO[color as usize][square as usize]
}

/// Every point a bishop of `color` can ever stand on.
pub fn bishop_points(color: Color, square: Square) -> bool {
    let square = square.relative_to(color);
    matches!((square.file(), square.rank()), (2 | 6, 0 | 4) | (0 | 4 | 8, 2))
}

/// Every point an advisor of `color` may be put on: its palace. From the start only the centre and
/// the corners are ever reached; composed positions use the edges.
pub fn advisor_points(color: Color, square: Square) -> bool {
    king_points(color, square)
}

/// Every point the king of `color` can ever stand on.
pub fn king_points(color: Color, square: Square) -> bool {
    square.at_home(color) && in_palace(square)
}

static BETWEEN: [[Bitboard; Square::NUM]; Square::NUM] = {
    let mut table = [[Bitboard::EMPTY; Square::NUM]; Square::NUM];
    let mut a = 0;
    while a < Square::NUM {
        let mut d = 0;
        while d < 4 {
            let (files, ranks, _) = LEGS[d];
            let mut between = Bitboard::EMPTY;
            let mut at = Square::ALL[a].offset(files, ranks);
            while let Some(square) = at {
                table[a][square as usize] = between;
                between = between.with(square);
                at = square.offset(files, ranks);
            }
            d += 1;
        }
        a += 1;
    }
    table
};

/// The points strictly between two squares of one rank or file; none for other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a as usize][b as usize]
}

#[cfg(test)]
mod tests;
