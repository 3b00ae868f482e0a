//! Reading moves in Chinese and in WXF, full and short: both say who moves, which way and how far,
//! in that order, so one reader serves both and every mixture of them.
//!
//! Glyphs are taken by what they mean, whoever uses them: a red 象 is a bishop, Black may count in
//! 一 to 九. A short form leaves the direction out (炮25). It then means 平 for rooks, cannons, pawns
//! and kings and 进 for the others when both would be possible.

use super::{
    MoveError,
    portrait::{self, Action, Portrait, Tandem},
    words::narrow,
};
use crate::{
    position::Position,
    types::{Bitboard, Color, Kind, Move},
};

/// A place among those of a kind on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// 前
    Front,
    /// 中
    Middle,
    /// 后
    Rear,
    /// `+`: the first, or the second of more than three.
    Plus,
    /// `-`: the last, or the last but one of more than three.
    Minus,
    /// `++`, `--`, and a number.
    Nth(Nth),
}

/// A number counted from either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nth {
    /// From the front.
    Front(u8),
    /// From the rear, 1 being the last.
    Rear(u8),
}

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// 炮二, `C2`
    OnFile(Kind, u8),
    /// 前炮, 一兵, `C+`
    Placed(Kind, Place),
    /// 前九, `3+`: a pawn of this file.
    Pawn(Place, u8),
    /// `23`: the second pawn of the third file; `33` may be the middle one of several files, too.
    Pair(u8, u8),
}

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    who: Who,
    /// Not there in the short form.
    action: Option<Action>,
    target: u8,
}

/// What a single character means.
#[derive(Clone, Copy)]
enum Glyph {
    Man(Kind),
    Digit(u8),
    Place(Place),
    Way(Action),
    /// A direction or a place, by where it stands.
    Plus,
    /// Likewise.
    Minus,
}

impl Spelling {
    /// Reads the four characters of a move, or the three of a short one.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut chars = text.chars().map(narrow);
        let chars: [Option<char>; 5] = std::array::from_fn(|_| chars.next());
        let [Some(first), Some(second), Some(third), fourth, None] = chars else { return None };
        let (action, last) = match fourth {
            Some(last) => (Some(glyph(third)?), glyph(last)?),
            None => (None, glyph(third)?),
        };
        let action = match action {
            Some(Glyph::Way(way)) => Some(way),
            Some(Glyph::Plus) => Some(Action::Forward),
            Some(Glyph::Minus) => Some(Action::Back),
            Some(_) => return None,
            None => None,
        };
        let Glyph::Digit(target) = last else { return None };
        let who = match (first, second) {
            // Pawns of crowded files in the order of their numbers.
            ('P' | 'p', 'a'..='e') => {
                let number = second as u8 - b'a' + 1;
                Who::Placed(Kind::Pawn, Place::Nth(Nth::Front(number)))
            }
            _ => who(glyph(first)?, glyph(second)?)?,
        };
        Some(Self { who, action, target })
    }

    /// The one legal move that is meant.
    pub(super) fn resolve(self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mut found = Vec::new();
        let us = position.side();
        let kind = self.kind();
        for from in position.pieces(us, kind) {
            let targets = position.targets(kind, from) & !position.color(us);
            for mv in targets.into_iter().filter_map(|to| Move::new(from, to)) {
                if self.goes(us, mv) {
                    let portrait = Portrait::of(position, mv);
                    if self.fits(&portrait) && position.is_legal(mv) {
                        found.push(portrait);
                    }
                }
            }
        }
        // A file names the man that is alone on it, then the middle one (WXF), then whoever can
        // make the move (old books drop 前 and 后 where only one can).
        if matches!(self.who, Who::OnFile(..)) {
            let named = |portrait: &Portrait| {
                portrait.is_plain() || portrait.tandem.is_some_and(Tandem::is_middle)
            };
            prefer(&mut found, named);
        }
        if self.action.is_none() {
            prefer(&mut found, |portrait| portrait.action == usual_action(portrait.kind));
        }
        match found[..] {
            [one] => Ok(one.mv),
            [] => Err(MoveError::Impossible { text: text.into(), meant: self.meant(position) }),
            _ => Err(MoveError::Ambiguous {
                text: text.into(),
                moves: found.iter().map(|portrait| portrait.mv).collect(),
            }),
        }
    }

    /// The moves that are written so, whether or not anything stands in the way.
    fn meant(self, position: &Position) -> Vec<Move> {
        let (us, kind) = (position.side(), self.kind());
        let mut meant = Vec::new();
        for from in position.pieces(us, kind) {
            let moves = Bitboard::BOARD.into_iter().filter_map(|to| Move::new(from, to));
            let mut moves = moves.filter(|&mv| self.goes(us, mv) && portrait::strides(kind, mv));
            meant.extend(moves.next().filter(|&mv| self.fits(&Portrait::of(position, mv))));
        }
        meant
    }

    fn kind(self) -> Kind {
        match self.who {
            Who::OnFile(kind, _) | Who::Placed(kind, _) => kind,
            Who::Pawn(..) | Who::Pair(..) => Kind::Pawn,
        }
    }

    /// Whether a move goes that way and that far, whoever makes it.
    fn goes(self, us: Color, mv: Move) -> bool {
        let (action, target) = portrait::way(us, mv);
        target == self.target && self.action.is_none_or(|wanted| wanted == action)
    }

    fn fits(self, portrait: &Portrait) -> bool {
        let placed = |place: Place| match (place, portrait.number) {
            (Place::Nth(Nth::Front(n)), Some(number)) => n == number,
            _ => portrait.tandem.is_some_and(|tandem| place.is(tandem)),
        };
        match self.who {
            Who::OnFile(_, file) => portrait.file == file,
            Who::Placed(_, place) => placed(place),
            Who::Pawn(place, file) => {
                portrait.file == file && portrait.tandem.is_some_and(|tandem| place.is(tandem))
            }
            Who::Pair(index, file) => {
                let alone = portrait.number.is_none();
                portrait.file == file
                    && portrait.tandem.is_some_and(|tandem| {
                        // Where several files are crowded, `33` is our own word for the middle.
                        if index == file && !alone && tandem.of % 2 == 1 {
                            tandem.is_middle()
                        } else {
                            tandem.index + 1 == index
                        }
                    })
            }
        }
    }
}

impl Place {
    fn is(self, tandem: Tandem) -> bool {
        let Tandem { index, of } = tandem;
        let inner = u8::from(of > 3);
        match self {
            Self::Front => index == 0,
            Self::Middle => tandem.is_middle(),
            Self::Rear => index + 1 == of,
            Self::Plus => index == inner,
            Self::Minus => index + inner + 1 == of,
            Self::Nth(Nth::Front(n)) => index + 1 == n,
            Self::Nth(Nth::Rear(n)) => index + n == of,
        }
    }
}

/// Leaves those that are preferred, if there are any.
fn prefer(found: &mut Vec<Portrait>, preferred: impl Fn(&Portrait) -> bool) {
    if found.iter().any(&preferred) {
        found.retain(preferred);
    }
}

/// What a short form means first.
fn usual_action(kind: Kind) -> Action {
    match kind {
        Kind::Rook | Kind::Cannon | Kind::Pawn | Kind::King => Action::Across,
        Kind::Knight | Kind::Bishop | Kind::Advisor => Action::Forward,
    }
}

fn who(first: Glyph, second: Glyph) -> Option<Who> {
    let place = |glyph| match glyph {
        Glyph::Place(place) => Some(place),
        Glyph::Plus => Some(Place::Plus),
        Glyph::Minus => Some(Place::Minus),
        // `P=.5`
        Glyph::Way(Action::Across) => Some(Place::Middle),
        _ => None,
    };
    Some(match (first, second) {
        (Glyph::Man(kind), Glyph::Digit(file)) => Who::OnFile(kind, file),
        (Glyph::Digit(n), Glyph::Man(kind)) => Who::Placed(kind, Place::Nth(Nth::Front(n))),
        (Glyph::Man(kind), sign) | (sign, Glyph::Man(kind)) => Who::Placed(kind, place(sign)?),
        (Glyph::Digit(index), Glyph::Digit(file)) => Who::Pair(index, file),
        (Glyph::Plus, Glyph::Plus) => Who::Placed(Kind::Pawn, Place::Nth(Nth::Front(1))),
        (Glyph::Minus, Glyph::Minus) => Who::Placed(Kind::Pawn, Place::Nth(Nth::Rear(1))),
        (Glyph::Digit(file), sign) | (sign, Glyph::Digit(file)) => Who::Pawn(place(sign)?, file),
        _ => return None,
    })
}

fn glyph(c: char) -> Option<Glyph> {
    Some(match c {
        'K' | 'k' | '帅' | '帥' | '将' | '將' => Glyph::Man(Kind::King),
        'A' | 'a' | 'G' | 'g' | '仕' | '士' => Glyph::Man(Kind::Advisor),
        'B' | 'b' | 'E' | 'e' | 'M' | 'm' | '相' | '象' => Glyph::Man(Kind::Bishop),
        'N' | 'n' | 'H' | 'h' | '马' | '馬' | '傌' | '碼' => Glyph::Man(Kind::Knight),
        'R' | 'r' | '车' | '車' | '俥' | '伡' | '砗' | '硨' => Glyph::Man(Kind::Rook),
        'C' | 'c' | '炮' | '砲' | '包' => Glyph::Man(Kind::Cannon),
        'P' | 'p' | 'S' | 's' | '兵' | '卒' => Glyph::Man(Kind::Pawn),
        '1'..='9' => Glyph::Digit(c as u8 - b'0'),
        '一' | '壹' => Glyph::Digit(1),
        '二' | '贰' => Glyph::Digit(2),
        '三' | '叁' => Glyph::Digit(3),
        '四' | '肆' => Glyph::Digit(4),
        '五' | '伍' => Glyph::Digit(5),
        '六' | '陆' => Glyph::Digit(6),
        '七' | '柒' => Glyph::Digit(7),
        '八' | '捌' => Glyph::Digit(8),
        '九' | '玖' => Glyph::Digit(9),
        '前' => Glyph::Place(Place::Front),
        '中' => Glyph::Place(Place::Middle),
        '后' | '後' | '底' | '低' => Glyph::Place(Place::Rear),
        '进' | '進' | '上' => Glyph::Way(Action::Forward),
        '退' | '下' => Glyph::Way(Action::Back),
        '平' | '=' | '.' => Glyph::Way(Action::Across),
        '+' => Glyph::Plus,
        '-' => Glyph::Minus,
        _ => return None,
    })
}
