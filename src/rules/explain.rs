//! A ruling in words, Chinese and English, for people to check. Decides nothing; the articles are
//! told in our own words.

use std::fmt::{self, Display, Write};

use super::{Book, Draw, Finding, Illegality, Label, Line, Offence, Outcome, Ruling, Win, examine};
use crate::{
    position::{Position, Unobserved},
    types::{Color, Kind, Move, Piece, Square},
};

/// A language to explain in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, with the Chinese terms.
    English,
    /// 中文
    Chinese,
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

    const fn english(self) -> &'static str {
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

    const fn english(self) -> &'static str {
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
            Draw::NoAttackers => ("nothing is left to attack with", "双方均无进攻子力"),
            Draw::Agreement => ("agreed", "双方同意"),
        })
    }

    fn side(self, side: Color) -> &'static str {
        self.of(match side {
            Color::Red => ("red", "红方"),
            Color::Black => ("black", "黑方"),
        })
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

    fn of(self, (english, chinese): (&'static str, &'static str)) -> &'static str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// What an article is about; nothing for one that no ruling names.
    pub fn article(self, clause: &str) -> Option<&'static str> {
        ARTICLES
            .iter()
            .find(|(number, ..)| *number == clause)
            .map(|&(_, english, chinese)| self.of((english, chinese)))
    }
}

/// What the articles that a ruling may name are about.
const ARTICLES: &[(&str, &str, &str)] = &[
    ("4.1.1", "a side in check without a move has lost", "被将死者负"),
    ("4.1.3", "a side without a move has lost", "被困毙者负"),
    ("4.1.4", "a side that oversteps its time has lost", "超过时限者负"),
    ("4.1.5", "a side that is not there in time to play has lost", "超过迟到判负时限者负"),
    ("4.1.2", "a side whose move leaves the kings facing has lost", "走棋后将帅直接对面者负"),
    ("4.1.6", "a side that plays an illegal move has lost", "走子违例者负"),
    ("4.1.7", "a side that does not give up a forbidden repetition has lost", "禁止着法不变者负"),
    ("4.1.9", "a side that resigns has lost", "认输者负"),
    ("4.2.1", "drawn, as no man is left that could win", "双方均无取胜可能，和"),
    ("4.2.2", "drawn, as both agree", "双方同意，和"),
    ("4.2.3", "a repetition that nobody must give up is a draw", "不变作和"),
    ("4.2.4", "so many rounds without a capture are a draw", "自然限着，和"),
    (
        "23.3",
        "of each side's checks only so many count as moves of that limit",
        "限着内将军计数有限",
    ),
    (
        "23.2",
        "a position that has occurred three times and need not be avoided is drawn without an offer",
        "同一局面三次重复，符合不变作和者，不必提和",
    ),
    ("24.1", "whoever alone checks perpetually loses at once", "单方长将，立即判负"),
    (
        "24.2",
        "where both are allowed, or both forbidden, it is drawn at once",
        "双方不变，立即判和",
    ),
    (
        "24.3",
        "whoever alone repeats what is forbidden is told to deviate, and loses if it does not",
        "单方禁止着法，须变着，不变判负",
    ),
    (
        "25.2",
        "forbidden is to attack with every move; one idle move makes it allowed",
        "着着皆打为禁止，有闲为允许",
    ),
    ("26.1", "perpetual check by one side is never allowed", "任何情况下不准单方长将"),
    ("26.2", "both sides' moves are allowed: a draw", "双方均为允许着法，和"),
    ("26.3", "both sides' moves are forbidden: a draw", "双方均为禁止着法，和"),
    (
        "26.4",
        "one side's moves are forbidden, the other's allowed: the first must deviate",
        "一方禁止、一方允许，前者变着",
    ),
    ("27.1", "a king that attacks by itself is idle", "帅（将）单独捉子为闲"),
    (
        "27.2",
        "a pawn that attacks by itself is idle, unless the other side attacks all along",
        "兵（卒）单独捉子为闲，对方着着皆打时作捉",
    ),
    ("28.10", "perpetual check: every move checks", "长将：着着将军"),
    ("28.11", "perpetual threat of mate: every move threatens mate", "长杀：着着叫杀"),
    (
        "28.12",
        "perpetual chase: every move threatens a man, be it always the same or not",
        "长捉：着着捉子，不论一子数子",
    ),
    ("28.14", "different attacks in turn, without an idle move", "将、杀、捉交替，无一闲着"),
    (
        "28.15",
        "perpetual attack against none: only one side attacks with every move",
        "长打对非长打：仅一方着着皆打",
    ),
];

/// A ruling, explained line by line.
pub struct Explanation<'a> {
    ruling: &'a Ruling,
    line: &'a Line,
    language: Language,
}

impl Ruling {
    /// Explains the ruling on `line`: the verdict, what is repeated, every ply and the articles.
    pub fn explain<'a>(&'a self, line: &'a Line, language: Language) -> Explanation<'a> {
        Explanation { ruling: self, line, language }
    }
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.ruling.warned {
            Some((offender, offence)) => self.language.warning(offender, offence),
            None => self.language.outcome(self.ruling.outcome),
        };
        writeln!(f, "{verdict}")?;
        if let Some(start) = self.ruling.window_start {
            self.window(f, start)?;
        }
        self.plies(f)?;
        for &clause in &self.ruling.clauses {
            writeln!(f, "  {clause} {}", self.language.article(clause).unwrap_or_default())?;
        }
        Ok(())
    }
}

impl Explanation<'_> {
    fn window(&self, f: &mut fmt::Formatter<'_>, start: usize) -> fmt::Result {
        let (first, last) = (start + 1, self.line.plies());
        let times = self.line.occurrences().count() + 1;
        match self.language {
            Language::English => writeln!(
                f,
                "  plies {first} to {last} lead back to where they began; \
                 the position has occurred {times} times"
            ),
            Language::Chinese => {
                writeln!(f, "  第{first}至{last}着循环，同一局面已出现{times}次")
            }
        }
    }

    fn plies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.ruling.window_start.unwrap_or(0);
        let mut position = self.line.start().clone();
        let width = self.line.plies().to_string().len();
        let mut labels = self.ruling.labels.iter();
        for (number, ply) in (1..).zip(self.line.history()) {
            let Some(mv) = ply.mv() else {
                position.make_null();
                continue;
            };
            if number > start
                && let Some(&(_, label)) = labels.next()
            {
                let side = self.language.side(position.side());
                let what = self.deed(&position, mv, label);
                let side_width = if self.language == Language::English { 5 } else { 0 };
                writeln!(f, "  {number:width$}. {side:side_width$} {mv} {what}")?;
            }
            position.make(mv, &mut Unobserved);
        }
        Ok(())
    }

    /// What a move does, and what it threatens.
    fn deed(&self, position: &Position, mv: Move, label: Label) -> String {
        let mut text = label.term().to_owned();
        let english = self.language == Language::English;
        if english {
            text = format!("{text} {}", label.english());
        }
        // Only these rules tell by which captures and checks a threat would be carried out.
        if self.line.ruleset().book != Book::Chinese {
            return text;
        }
        let Finding { captures, check, .. } = examine(position, mv, self.line.ruleset());
        let mut targets: Vec<Square> = captures.iter().map(|capture| capture.to()).collect();
        targets.sort_unstable_by_key(|&square| square as u8);
        targets.dedup();
        for (at, square) in targets.into_iter().enumerate() {
            let Some(man) = position.piece_at(square).map(|man| self.language.man(man)) else {
                continue;
            };
            let _ = match (english, at) {
                (true, 0) => write!(text, " of the {man} on {square}"),
                (true, _) => write!(text, " and the {man} on {square}"),
                (false, 0) => write!(text, " {square}{man}"),
                (false, _) => write!(text, "、{square}{man}"),
            };
        }
        if let Some(check) = check {
            let how = self.language.of(match label {
                Label::Kill => ("beginning with", "自"),
                _ => ("by way of the check", "借将"),
            });
            let _ = write!(text, " {how} {check}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, ruling};

    fn explain(ruleset: Ruleset, fen: &str, moves: &str, language: Language) -> String {
        let mut line = Line::under(ruleset, Position::from_fen(fen).unwrap());
        for word in moves.split_whitespace() {
            line.play(word.parse().unwrap()).unwrap();
        }
        ruling(&line).explain(&line, language).to_string()
    }

    #[test]
    fn a_chase_names_its_prey_in_either_language() {
        let fen = "4k4/9/9/9/R8/9/5n3/9/9/3K5 w";
        let moves = "a5a3 f3g5 a3a5 g5f3 ".repeat(2);
        let told = |language| explain(Ruleset::default(), fen, &moves, language);
        let english = told(Language::English);
        let lines: Vec<_> = english.lines().collect();
        assert_eq!(lines[0], "red loses: perpetual chase (长捉)");
        assert!(lines[1].ends_with("the position has occurred 3 times"), "{english}");
        assert_eq!(lines[2], "  1. red   a5a3 捉 chase of the horse on f3");
        assert_eq!(lines[3], "  2. black f3g5 闲 idle");
        assert_eq!(lines.len(), 2 + 8 + 6);
        let chinese = told(Language::Chinese);
        let lines: Vec<_> = chinese.lines().collect();
        assert_eq!(lines[0], "红方负：长捉");
        assert_eq!(lines[1], "  第1至8着循环，同一局面已出现3次");
        assert_eq!(lines[2], "  1. 红方 a5a3 捉 f3马");
    }

    #[test]
    fn every_article_that_is_named_is_told() {
        let mut outcomes: Vec<_> = [
            Win::Checkmate,
            Win::Stalemate,
            Win::Repetition(Offence::PerpetualCheck),
            Win::IllegalMove(Illegality::Screen),
            Win::IllegalMove(Illegality::KingsFace),
            Win::Time,
            Win::Resignation,
            Win::Crash,
        ]
        .map(|by| Outcome::Won { winner: Color::Red, by })
        .to_vec();
        let draws = [Draw::Repetition, Draw::NaturalLimit, Draw::NoAttackers, Draw::Agreement];
        outcomes.extend(draws.map(Outcome::Drawn));
        for outcome in outcomes {
            assert!(!outcome.clauses().is_empty(), "{outcome:?}");
            for clause in outcome.clauses() {
                for language in [Language::English, Language::Chinese] {
                    assert!(language.article(clause).is_some(), "{clause}");
                }
            }
        }
    }
}
