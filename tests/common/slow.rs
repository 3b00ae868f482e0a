//! The rules of xiangqi on a 10×9 array of letters, written straight from 第1–4条, one plain
//! predicate a man. Slow, obvious, and using nothing of the crate, so that it can judge the crate.

use std::fmt;

/// A file (0 is a, Red's left) and a rank (0 is Red's back rank).
pub(crate) type Point = (i32, i32);

/// The initial arrangement.
pub(crate) const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

const EMPTY: char = '.';
const OUTSIDE: char = '#';

/// Every point, rank by rank.
pub(crate) fn points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)))
}

/// From where to where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Step {
    pub(crate) from: Point,
    pub(crate) to: Point,
}

impl Step {
    /// Reads an ICCS move that is known to be good.
    pub(crate) fn parse(word: &str) -> Self {
        let point = |word: &[u8]| (i32::from(word[0] - b'a'), i32::from(word[1] - b'0'));
        let word = word.as_bytes();
        Self { from: point(&word[..2]), to: point(&word[2..]) }
    }

    /// The same step on a board that is turned somehow.
    pub(crate) fn map(self, turn: impl Fn(Point) -> Point) -> Self {
        Self { from: turn(self.from), to: turn(self.to) }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, rank) in [self.from, self.to] {
            let letter = "abcdefghi".as_bytes()[file as usize];
            write!(f, "{}{rank}", char::from(letter))?;
        }
        Ok(())
    }
}

/// The men on the board and whose turn it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    men: [[char; 9]; 10],
    pub(crate) red_to_move: bool,
}

fn is_red(man: char) -> bool {
    man.is_ascii_uppercase()
}

fn is_black(man: char) -> bool {
    man.is_ascii_lowercase()
}

/// The 3×3 points around a king's home.
pub(crate) fn in_palace((file, rank): Point, red: bool) -> bool {
    let ranks = if red { 0..=2 } else { 7..=9 };
    (3..=5).contains(&file) && ranks.contains(&rank)
}

/// The side of the river a player's men start on.
pub(crate) fn at_home((_, rank): Point, red: bool) -> bool {
    if red { rank <= 4 } else { rank >= 5 }
}

impl Board {
    /// Reads the first two fields of a FEN that is known to be good.
    pub(crate) fn parse(fen: &str) -> Self {
        let mut fields = fen.split_whitespace();
        let placement = fields.next().expect("a placement");
        let mut men = [[EMPTY; 9]; 10];
        let mut rank = 9;
        let mut file = 0;
        for letter in placement.chars() {
            if letter == '/' {
                assert_eq!(file, 9, "width of rank {rank} in {fen}");
                rank -= 1;
                file = 0;
            } else if let Some(gap) = letter.to_digit(10) {
                file += gap as usize;
            } else {
                assert!("KABNRCPkabnrcp".contains(letter), "`{letter}` in {fen}");
                men[rank][file] = letter;
                file += 1;
            }
        }
        assert_eq!((rank, file), (0, 9), "size of the board in {fen}");
        let red_to_move = match fields.next() {
            Some("w") => true,
            Some("b") => false,
            other => panic!("side {other:?} in {fen}"),
        };
        Self { men, red_to_move }
    }

    /// A board without men, Red to move.
    pub(crate) fn empty() -> Self {
        Self { men: [[EMPTY; 9]; 10], red_to_move: true }
    }

    /// The first two fields of the FEN.
    pub(crate) fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            let mut gap = 0;
            for file in 0..9 {
                if self.men[rank][file] == EMPTY {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    text += &gap.to_string();
                }
                gap = 0;
                text.push(self.men[rank][file]);
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(if self.red_to_move { 'w' } else { 'b' });
        text
    }

    /// The letter on a point, `.` when it is empty, `#` when it is not on the board.
    pub(crate) fn at(&self, (file, rank): Point) -> char {
        if (0..9).contains(&file) && (0..10).contains(&rank) {
            self.men[rank as usize][file as usize]
        } else {
            OUTSIDE
        }
    }

    /// Puts a letter on a point, or clears it with `.`.
    pub(crate) fn put(&mut self, (file, rank): Point, man: char) {
        self.men[rank as usize][file as usize] = man;
    }

    /// Whether the man on a point belongs to a side.
    pub(crate) fn owned(&self, point: Point, red: bool) -> bool {
        if red { is_red(self.at(point)) } else { is_black(self.at(point)) }
    }

    /// How many men stand strictly between two points of one rank or file.
    fn men_between(&self, from: Point, to: Point) -> usize {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let mut point = (from.0 + step.0, from.1 + step.1);
        let mut men = 0;
        while point != to {
            if self.at(point) != EMPTY {
                men += 1;
            }
            point = (point.0 + step.0, point.1 + step.1);
        }
        men
    }

    /// Whether the man on `from` could go to `to` as 第2条 lets it move, whatever of its own side
    /// may stand there and whatever becomes of the kings.
    pub(crate) fn reaches(&self, from: Point, to: Point) -> bool {
        let man = self.at(from);
        let red = is_red(man);
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let same_line = (files == 0) != (ranks == 0);
        match man.to_ascii_lowercase() {
            'k' => files.abs() + ranks.abs() == 1 && in_palace(to, red),
            'a' => files.abs() == 1 && ranks.abs() == 1 && in_palace(to, red),
            'b' => {
                let eye = (from.0 + files / 2, from.1 + ranks / 2);
                files.abs() == 2 && ranks.abs() == 2 && at_home(to, red) && self.at(eye) == EMPTY
            }
            'n' => {
                if files.abs() == 2 && ranks.abs() == 1 {
                    self.at((from.0 + files / 2, from.1)) == EMPTY
                } else if files.abs() == 1 && ranks.abs() == 2 {
                    self.at((from.0, from.1 + ranks / 2)) == EMPTY
                } else {
                    false
                }
            }
            'r' => same_line && self.men_between(from, to) == 0,
            'c' => {
                let screens = usize::from(self.at(to) != EMPTY);
                same_line && self.men_between(from, to) == screens
            }
            'p' => {
                let forward = if red { 1 } else { -1 };
                let ahead = files == 0 && ranks == forward;
                let aside = files.abs() == 1 && ranks == 0;
                ahead || aside && !at_home(from, red)
            }
            _ => false,
        }
    }

    /// Where a side's king stands.
    pub(crate) fn king(&self, red: bool) -> Point {
        let king = if red { 'K' } else { 'k' };
        points().find(|&point| self.at(point) == king).expect("both kings are on the board")
    }

    /// Whether the kings see each other along an open file.
    pub(crate) fn kings_face(&self) -> bool {
        let (red, black) = (self.king(true), self.king(false));
        red.0 == black.0 && self.men_between(red, black) == 0
    }

    /// Whether a side's king could be taken: by a man, or by the other king down an open file.
    pub(crate) fn in_check(&self, red: bool) -> bool {
        let king = self.king(red);
        self.kings_face() || points().any(|from| self.owned(from, !red) && self.reaches(from, king))
    }

    /// The moves of the side to move, its king's safety not asked.
    pub(crate) fn pseudo_legal(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in points().filter(|&from| self.owned(from, self.red_to_move)) {
            for to in points() {
                if self.reaches(from, to) && !self.owned(to, self.red_to_move) {
                    steps.push(Step { from, to });
                }
            }
        }
        steps
    }

    /// The moves of the side to move after which its king cannot be taken, in order.
    pub(crate) fn legal(&self) -> Vec<Step> {
        let mut steps = self.pseudo_legal();
        steps.retain(|&step| !self.after(step).in_check(self.red_to_move));
        steps.sort_unstable();
        steps
    }

    /// The board after a move.
    pub(crate) fn after(&self, step: Step) -> Self {
        let mut next = self.clone();
        next.put(step.to, self.at(step.from));
        next.put(step.from, EMPTY);
        next.red_to_move = !self.red_to_move;
        next
    }

    /// How many lines of so many legal moves there are.
    pub(crate) fn perft(&self, depth: usize) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal().len() as u64,
            _ => self.legal().into_iter().map(|step| self.after(step).perft(depth - 1)).sum(),
        }
    }

    /// Left and right exchanged.
    pub(crate) fn mirrored(&self) -> Self {
        let mut other = self.clone();
        for (file, rank) in points() {
            other.put((8 - file, rank), self.at((file, rank)));
        }
        other
    }

    /// The same seen from the other side of the board: men, ranks and the turn change colour.
    pub(crate) fn flipped(&self) -> Self {
        let mut other = self.clone();
        for (file, rank) in points() {
            let man = self.at((file, rank));
            let man = if is_red(man) { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() };
            other.put((file, 9 - rank), man);
        }
        other.red_to_move = !self.red_to_move;
        other
    }
}
