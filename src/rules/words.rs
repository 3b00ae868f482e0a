//! The terms of the rules in Chinese and English, for people. Decides nothing.

use super::{Book, Draw, Illegality, Label, Offence, Outcome, Reason, Ruleset, Win};
use crate::{
    position::Position,
    types::{Color, Kind, Piece, Square},
};

/// A language to explain in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, with the Chinese terms.
    English,
    /// 中文
    Chinese,
}

impl Reason {
    /// The term of the rules.
    pub const fn term(self) -> &'static str {
        match self {
            Self::Check => "将",
            Self::Mate => "杀",
            Self::ByCheck => "抽",
            Self::Rootless => "无根",
            Self::Uneven => "得子",
            Self::Pinned | Self::FalseRoot => "假根",
            Self::TooFew => "少根",
            Self::Old => "旧有捉",
            Self::Rooted => "有根",
            Self::Exchange => "兑",
            Self::SelfCheck => "自将",
            Self::Block => "拦",
            Self::Offer => "献",
        }
    }
}

impl Label {
    /// The term of the rules.
    pub const fn term(self) -> &'static str {
        match self {
            Self::Idle => "闲",
            Self::KingChase => "帅捉",
            Self::PawnChase => "兵捉",
            Self::Chase => "捉",
            Self::Kill => "杀",
            Self::Check => "将",
        }
    }

    pub(super) const fn english(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::KingChase => "the king's chase",
            Self::PawnChase => "a pawn's chase",
            Self::Chase => "chase",
            Self::Kill => "threat of mate",
            Self::Check => "check",
        }
    }
}

impl Offence {
    /// The term of the rules.
    pub const fn term(self) -> &'static str {
        match self {
            Self::PerpetualCheck => "长将",
            Self::PerpetualKill => "长杀",
            Self::PerpetualChase => "长捉",
            Self::CheckAndKill => "一将一杀",
            Self::CheckAndChase => "一将一捉",
            Self::KillAndChase => "一杀一捉",
            Self::CheckKillAndChase => "将杀捉",
        }
    }

    pub(super) const fn english(self) -> &'static str {
        match self {
            Self::PerpetualCheck => "perpetual check",
            Self::PerpetualKill => "perpetual threat of mate",
            Self::PerpetualChase => "perpetual chase",
            Self::CheckAndKill => "checks and threats of mate in turn",
            Self::CheckAndChase => "checks and chases in turn",
            Self::KillAndChase => "threats of mate and chases in turn",
            Self::CheckKillAndChase => "checks, threats of mate and chases in turn",
        }
    }
}

impl Language {
    /// How a game stands, in a few words.
    pub fn outcome(self, outcome: Outcome) -> String {
        match (self, outcome) {
            (Self::English, Outcome::Ongoing) => "none: the game goes on".into(),
            (Self::Chinese, Outcome::Ongoing) => "未分胜负".into(),
            (Self::English, Outcome::Won { winner, by }) => {
                format!("{} loses: {}", !winner, self.win(by))
            }
            (Self::Chinese, Outcome::Won { winner, by }) => {
                format!("{}负：{}", self.side(!winner), self.win(by))
            }
            (Self::English, Outcome::Drawn(draw)) => format!("draw: {}", self.draw(draw)),
            (Self::Chinese, Outcome::Drawn(draw)) => format!("和棋：{}", self.draw(draw)),
        }
    }

    /// That a side has to deviate, and from what (24.3).
    pub fn warning(self, offender: Color, offence: Offence) -> String {
        let (side, what) = (self.side(offender), self.win(Win::Repetition(offence)));
        match self {
            Self::English => format!("{side} must deviate: {what}"),
            Self::Chinese => format!("{side}必须变着：{what}"),
        }
    }

    fn win(self, by: Win) -> String {
        let words = match by {
            Win::Checkmate => ("checkmate (将死)", "将死"),
            Win::Stalemate => ("stalemate (困毙)", "困毙"),
            Win::IllegalMove(what) => {
                return match self {
                    Self::English => format!("an illegal move: {}", self.illegality(what)),
                    Self::Chinese => format!("违例走子：{}", self.illegality(what)),
                };
            }
            Win::Time => ("the time is overstepped", "超时"),
            Win::Resignation => ("resigned", "认输"),
            Win::Crash => ("not there to play on", "中断比赛"),
            Win::Repetition(offence) => {
                return match self {
                    Self::English => format!("{} ({})", offence.english(), offence.term()),
                    Self::Chinese => offence.term().into(),
                };
            }
        };
        self.of(words).into()
    }

    /// What is wrong with a move.
    pub fn illegality(self, what: Illegality) -> String {
        let man = |piece| self.man(piece);
        match self {
            Self::English => match what {
                Illegality::NobodyThere => "no man stands where it says".into(),
                Illegality::Empty(from) => format!("no man stands on {from}"),
                Illegality::NotOwn(piece) => {
                    format!("the {} is {}'s, who is not to move", man(piece), piece.color())
                }
                Illegality::OwnMan(piece) => {
                    format!("its own {} stands where it would go", man(piece))
                }
                Illegality::Way(piece) => format!("no {} moves like this", man(piece)),
                Illegality::Back(_) => "a pawn never steps back".into(),
                Illegality::Sideways(_) => "a pawn steps sideways beyond the river only".into(),
                Illegality::Palace(piece) => {
                    format!("the {} may not leave the palace", man(piece))
                }
                Illegality::River(_) => "an elephant may not cross the river".into(),
                Illegality::Leg(at) => format!("the horse's leg on {at} is hobbled (蹩马腿)"),
                Illegality::Eye(at) => format!("the elephant's eye on {at} is blocked (塞象眼)"),
                Illegality::Obstructed(at) => format!("a man on {at} is in the way"),
                Illegality::Screen => "a cannon captures over exactly one man".into(),
                Illegality::KingsFace => "the kings would face each other".into(),
                Illegality::CheckNotParried => "the check is not parried".into(),
                Illegality::IntoCheck => "the king could be captured".into(),
            },
            Self::Chinese => match what {
                Illegality::NobodyThere => "无此子".into(),
                Illegality::Empty(_) => "起点无子".into(),
                Illegality::NotOwn(piece) => {
                    format!("{}是{}的子", man(piece), self.side(piece.color()))
                }
                Illegality::OwnMan(piece) => format!("落点有己方的{}", man(piece)),
                Illegality::Way(piece) => format!("{}不能这样走", man(piece)),
                Illegality::Back(piece) => format!("{}不得后退", man(piece)),
                Illegality::Sideways(piece) => format!("{}未过河不得横走", man(piece)),
                Illegality::Palace(piece) => format!("{}不得出九宫", man(piece)),
                Illegality::River(piece) => format!("{}不得过河", man(piece)),
                Illegality::Leg(_) => "蹩马腿".into(),
                Illegality::Eye(_) => "塞象眼".into(),
                Illegality::Obstructed(_) => "路上有子阻挡".into(),
                Illegality::Screen => "炮须隔一子吃子".into(),
                Illegality::KingsFace => "将帅直接对面".into(),
                Illegality::CheckNotParried => "应将而未应将".into(),
                Illegality::IntoCheck => "自己送将".into(),
            },
        }
    }

    fn draw(self, draw: Draw) -> &'static str {
        self.of(match draw {
            Draw::Repetition => ("neither side has to deviate (不变作和)", "双方不变作和"),
            Draw::NaturalLimit => ("the natural limit (自然限着) is reached", "达到自然限着"),
            Draw::NoAttackers => ("neither side can win", "双方均无取胜可能"),
            Draw::Agreement => ("agreed", "双方同意"),
        })
    }

    pub(super) fn side(self, side: Color) -> &'static str {
        self.of(match side {
            Color::Red => ("red", "红方"),
            Color::Black => ("black", "黑方"),
        })
    }

    /// By which rules it was judged.
    pub(super) fn ruleset(self, ruleset: &Ruleset) -> String {
        let Ruleset { book, repetition_count, kill_depth, natural_limit, .. } = *ruleset;
        let rounds = natural_limit / 2;
        match self {
            Self::English => {
                let kills = match kill_depth {
                    0 => "threats of mate not looked at".into(),
                    1 => "threats of mate by 1 check".into(),
                    depth => format!("threats of mate by up to {depth} checks"),
                };
                format!(
                    "by the {} rules: occurrence {repetition_count} is judged, {kills}, natural \
                     limit of {rounds} rounds",
                    book.name()
                )
            }
            Self::Chinese => {
                let name = match book {
                    Book::Chinese => "中国棋规",
                    Book::Asian => "亚洲棋规",
                    Book::Computer => "电脑棋规",
                    Book::Simple => "简易棋规",
                    Book::CheckBan => "只禁长将",
                    Book::AlwaysDraw => "重复即和",
                };
                let kills = match kill_depth {
                    0 => "不计叫杀".into(),
                    depth => format!("叫杀以连将{depth}步为限"),
                };
                format!(
                    "规则：{name}，同一局面第{repetition_count}次出现时裁决，{kills}，自然限着{rounds}回合"
                )
            }
        }
    }

    /// A man's name.
    pub fn man(self, piece: Piece) -> &'static str {
        self.of(match (piece.kind(), piece.color()) {
            (Kind::King, Color::Red) => ("king", "帅"),
            (Kind::King, Color::Black) => ("king", "将"),
            (Kind::Advisor, Color::Red) => ("advisor", "仕"),
            (Kind::Advisor, Color::Black) => ("advisor", "士"),
            (Kind::Bishop, Color::Red) => ("elephant", "相"),
            (Kind::Bishop, Color::Black) => ("elephant", "象"),
            (Kind::Knight, _) => ("horse", "马"),
            (Kind::Rook, _) => ("rook", "车"),
            (Kind::Cannon, _) => ("cannon", "炮"),
            (Kind::Pawn, Color::Red) => ("pawn", "兵"),
            (Kind::Pawn, Color::Black) => ("pawn", "卒"),
        })
    }

    pub(super) fn of(self, (english, chinese): (&'static str, &'static str)) -> &'static str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }
}

/// A man by its name and place: `horse on f3`, 6路马, 前车.
pub(super) fn man_at(language: Language, position: &Position, square: Square) -> String {
    const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let Some(piece) = position.piece_at(square) else { return square.to_string() };
    let name = language.man(piece);
    if language == Language::English {
        return format!("{name} on {square}");
    }
    let color = piece.color();
    let file = match color {
        Color::Red => NUMERALS[usize::from(8 - square.file())],
        Color::Black => char::from(b'1' + square.file()),
    };
    let rank = |square: Square| square.relative_to(color).rank();
    let likes = position.pieces(color, piece.kind()).into_iter();
    let ahead: Vec<_> = likes
        .filter(|like| like.file() == square.file() && *like != square)
        .map(|like| rank(like) > rank(square))
        .collect();
    match (piece.kind(), &ahead[..]) {
        (Kind::King, _) => name.into(),
        (_, []) => format!("{file}路{name}"),
        (_, [true]) => format!("{file}路后{name}"),
        (_, [false]) => format!("{file}路前{name}"),
        (_, many) => {
            let place = many.iter().filter(|&&ahead| ahead).count();
            format!("{file}路第{}{name}", NUMERALS[place])
        }
    }
}
