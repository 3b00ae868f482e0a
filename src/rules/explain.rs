//! A ruling in words, Chinese and English, for people to check: the verdict, every ply and why it
//! has its label, the articles. Decides nothing.

use std::fmt::{self, Display};

use super::{
    Draw, Ground, Label, Language, Line, Outcome, Reason, Ruling, Verdict, Win, words::man_at,
};
use crate::{
    notation::{self, Format, Style},
    position::{Position, Unobserved},
    types::{Color, Kind, Move, Piece, Square},
};

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
        writeln!(f, "  {}", self.language.ruleset(self.line.ruleset()))?;
        for &clause in &self.ruling.clauses {
            writeln!(f, "  {clause} {}", self.language.article(clause).unwrap_or_default())?;
        }
        if let Some(doubt) = self.ruling.by_27_3 {
            writeln!(f, "  {}", self.note(doubt))?;
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
        let mut findings = self.ruling.findings.iter();
        for (number, ply) in (1..).zip(self.line.history()) {
            let Some(mv) = ply.mv() else {
                position.make_null();
                continue;
            };
            let (mover, written) = (position.side(), self.language.mv(&position, mv));
            position.make(mv, &mut Unobserved);
            if number <= start {
                continue;
            }
            let Some(finding) = findings.next() else { continue };
            let label = self.language.label(finding.label, mover);
            let told = |ground| self.language.ground(&position, ground);
            let besides = |ground| self.language.besides(&told(ground));
            let mut reasons: Vec<_> = finding.grounds.iter().map(told).collect();
            reasons.extend(finding.besides.iter().map(besides));
            reasons.dedup();
            let [colon, semicolon] = match self.language {
                Language::English => [": ", "; "],
                Language::Chinese => ["：", "；"],
            };
            let side = self.language.side(mover);
            let side_width = if self.language == Language::English { 5 } else { 0 };
            write!(f, "  {number:width$}. {side:side_width$} {written} {label}")?;
            if reasons.is_empty() {
                writeln!(f)?;
            } else {
                writeln!(f, "{colon}{}", reasons.join(semicolon))?;
            }
        }
        Ok(())
    }

    /// That the verdict rests on chases which 27.3 might excuse.
    fn note(&self, doubt: Verdict) -> String {
        let verdict = match (self.language, doubt) {
            (language, Verdict::Forbidden { offender, offence }) => {
                language.outcome(Outcome::Won { winner: !offender, by: Win::Repetition(offence) })
            }
            (language, _) => language.outcome(Outcome::Drawn(Draw::Repetition)),
        };
        match self.language {
            Language::English => format!(
                "note: 27.3 is not applied. If the chases of advisors and elephants only go with \
                 moves to a key point that makes a draw certain, they are idle, and the verdict is: \
                 {verdict}"
            ),
            Language::Chinese => format!(
                "注：未计27.3。若捉士（象）之着是占据要点、必成和局时顺带而捉，则作闲着论，裁决为：{verdict}"
            ),
        }
    }
}

impl Language {
    /// A legal move as this language writes it.
    pub fn mv(self, position: &Position, mv: Move) -> String {
        match self {
            Self::English => mv.to_string(),
            Self::Chinese => notation::print(position, mv, Format::Chinese(Style::default())),
        }
    }

    /// A label, whose king and pawn are called as their side calls them.
    fn label(self, label: Label, mover: Color) -> String {
        let term = match (label, mover) {
            (Label::KingChase, Color::Black) => "将捉",
            (Label::PawnChase, Color::Black) => "卒捉",
            _ => label.term(),
        };
        match self {
            Self::English => format!("{term} {}", label.english()),
            Self::Chinese => term.into(),
        }
    }

    /// That a move also does something lighter than its label (27.4).
    fn besides(self, what: &str) -> String {
        match self {
            Self::English => format!("besides, {what}"),
            Self::Chinese => format!("兼{what}"),
        }
    }

    /// Why what is attacked by its like may not as well capture first (兑, 28.5); nothing if it is
    /// not.
    fn no_exchange(self, position: &Position, ground: &Ground) -> &'static str {
        let kind = |square| position.piece_at(square).map(Piece::kind);
        if kind(ground.attacker) == kind(ground.victim) {
            self.of((" (which cannot take first)", "（不能先吃，非兑）"))
        } else {
            ""
        }
    }

    /// Moves that may follow; `position` is the one after the move that they are about, the other
    /// side passes.
    fn line(self, position: &Position, line: &[Move]) -> String {
        let mut position = position.clone();
        position.make_null();
        let words: Vec<_> = line
            .iter()
            .map(|&mv| {
                let written = self.mv(&position, mv);
                position.make(mv, &mut Unobserved);
                written
            })
            .collect();
        words.join(" ")
    }

    /// Why a man is attacked, or why it is not; `position` is the one after the move.
    fn ground(self, position: &Position, ground: &Ground) -> String {
        let name = |square: Square| man_at(self, position, square);
        let (a, v) = (name(ground.attacker), name(ground.victim));
        let r = ground.root.map(name).unwrap_or_default();
        let line = match ground.reason {
            Reason::Block | Reason::Offer => String::new(),
            _ => self.line(position, &ground.line),
        };
        let mates = ground.line.len() > 1;
        let equal = self.no_exchange(position, ground);
        let king = position
            .piece_at(ground.attacker)
            .map_or("", |piece| self.man(Piece::new(piece.color(), Kind::King)));
        match self {
            Self::English => match ground.reason {
                Reason::Check => format!("by the {a}"),
                Reason::Mate => format!("by {line}"),
                Reason::ByCheck => format!("the {v} falls by way of a check (抽): {line}"),
                Reason::Rootless => {
                    format!("the {a} attacks the {v}{equal}, which has no root (无根)")
                }
                Reason::Uneven => {
                    format!("the {a} attacks the {v}, which is worth more than it (得子): {line}")
                }
                Reason::Pinned => format!(
                    "the {a} attacks the {v}{equal}, whose root, the {r}, may not leave the king (假根)"
                ),
                Reason::FalseRoot => format!(
                    "the {a} attacks the {v}{equal}, whose root, the {r}, is false (假根), for mate \
                     follows: {line}"
                ),
                Reason::TooFew => {
                    format!(
                        "the {a} attacks the {v}{equal}, whose roots are too few (少根): {line}"
                    )
                }
                Reason::Old => format!("the {v} could be won before, too (旧有捉)"),
                Reason::Rooted => {
                    format!("the {a} follows the {v}, which the {r} protects (有根): {line}")
                }
                Reason::Exchange => format!("the {a} and the {v} may take each other (兑)"),
                Reason::SelfCheck if mates => {
                    format!("the {a} would be mated for taking the {v} (自将): {line}")
                }
                Reason::SelfCheck => {
                    format!("the {a} would expose its king by taking the {v} (自将)")
                }
                Reason::Block => format!("stands between the {a} and the {v} (拦)"),
                Reason::Offer => format!("offers itself to the {a} (献)"),
            },
            Self::Chinese => match ground.reason {
                Reason::Check => format!("{a}将军"),
                Reason::Mate => format!("下着{line}，将死"),
                Reason::ByCheck => format!("借将抽{v}：{line}"),
                Reason::Rootless => format!("{a}捉{v}{equal}，无根"),
                Reason::Uneven => format!("{a}捉{v}，虽有根而交换得子：{line}"),
                Reason::Pinned => format!("{a}捉{v}{equal}，{r}一动即送将，是假根"),
                Reason::FalseRoot => format!("{a}捉{v}{equal}，{r}是假根，回吃则被将死：{line}"),
                Reason::TooFew => format!("{a}捉{v}{equal}，少根：{line}"),
                Reason::Old => format!("{v}此前已被捉（旧有捉）"),
                Reason::Rooted => format!("{a}跟{v}，{r}保护，有根：{line}"),
                Reason::Exchange => format!("{a}与{v}邀兑"),
                Reason::SelfCheck if mates => format!("{a}吃{v}则被将死，自将：{line}"),
                Reason::SelfCheck => format!("{a}吃{v}则送{king}，自将"),
                Reason::Block => format!("拦{a}，护{v}"),
                Reason::Offer => format!("献给{a}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Book, Ruleset, ruling};

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
        assert_eq!(
            lines[2],
            "  1. red   a5a3 捉 chase: the rook on a3 attacks the horse on f3, which has no root (无根)"
        );
        assert_eq!(lines[3], "  2. black f3g5 闲 idle");
        assert_eq!(lines.len(), 2 + 8 + 1 + 6);
        assert_eq!(
            lines[10],
            "  by the Chinese rules: occurrence 3 is judged, threats of mate by up to 3 checks, natural limit of 60 rounds"
        );
        let chinese = told(Language::Chinese);
        let lines: Vec<_> = chinese.lines().collect();
        assert_eq!(lines[0], "红方负：长捉");
        assert_eq!(lines[1], "  第1至8着循环，同一局面已出现3次");
        assert_eq!(lines[2], "  1. 红方 车九退二 捉：九路车捉6路马，无根");
    }

    /// What is said of one move in Chinese.
    fn said(fen: &str, mv: &str) -> String {
        said_by(Ruleset::default(), fen, mv)
    }

    fn said_by(ruleset: Ruleset, fen: &str, mv: &str) -> String {
        let told = explain(ruleset, fen, mv, Language::Chinese);
        let ply = told.lines().find(|line| line.starts_with("  1. ")).unwrap();
        ply.split_once("方 ").unwrap().1.into()
    }

    #[test]
    fn by_any_book_a_root_is_told_where_there_is_one() {
        for (fen, mv, told) in [
            (
                "3k5/3n5/9/4r4/9/9/2P1P4/9/9/2C2K3 w",
                "c0e0",
                "炮七平五 捉：五路炮捉5路车，虽有根而交换得子：炮五进六 马4进5",
            ),
            ("3k5/9/9/4r4/9/9/2P1P4/9/9/2C2K3 w", "c0e0", "炮七平五 捉：五路炮捉5路车，无根"),
        ] {
            for book in [Book::Chinese, Book::Asian, Book::Computer, Book::Simple] {
                assert_eq!(said_by(Ruleset::of(book), fen, mv), told, "{book:?}");
            }
        }
    }

    #[test]
    fn every_reason_is_told_as_at_the_board() {
        for (fen, mv, told) in [
            ("4k4/9/9/9/R8/9/9/9/9/3K5 w", "a5e5", "车九平五 将：五路车将军"),
            ("4k4/9/R8/9/9/1R7/9/9/9/3K5 w", "a7a8", "车九进一 杀：下着车八进五，将死"),
            (
                "r3k4/9/9/9/3N5/9/9/9/9/5K3 w",
                "d5b6",
                "马六进八 捉：借将抽1路车：马八进七 将5进1 马七进九",
            ),
            ("5k3/9/9/9/9/9/9/4c4/3K5/9 w", "d1e1", "帅六平五 帅捉：帅捉5路炮，无根"),
            ("4k4/9/7c1/8P/9/9/9/9/9/3K5 w", "i6h6", "兵一平二 兵捉：二路兵捉8路炮，无根"),
            ("3k5/9/9/9/9/8p/7C1/9/9/4K4 b", "i4h4", "卒9平8 卒捉：8路卒捉二路炮，无根"),
            ("3k5/9/4n4/9/9/9/4R4/9/9/5K3 w", "e3e4", "车五进一 闲：5路马此前已被捉（旧有捉）"),
            (
                "5k3/9/9/9/R8/9/5n2r/9/9/3K5 w",
                "a5a3",
                "车九退二 闲：九路车跟6路马，9路车保护，有根：车九平四 车9平6",
            ),
            (
                "r3k4/8R/n8/9/9/9/P8/1R7/2C6/3K5 w",
                "c1a1",
                "炮七平九 捉：九路炮捉1路马，1路车是假根，回吃则被将死：炮九进六 车1进2 车八进七",
            ),
            ("5k3/9/9/r8/9/9/8R/9/9/3K5 w", "i3a3", "车一平九 闲：九路车与1路车邀兑"),
            // Of equals that may take each other it is the exchange, be one protected or not.
            ("3ak4/4a4/r3b3c/9/9/9/9/4B4/4A4/1RRAK4 w", "b0a0", "车八平九 闲：九路车与1路车邀兑"),
            (
                "2bak1b2/4a4/9/R8/4r4/9/9/4C4/9/3K5 w",
                "a6a5",
                "车九退一 捉：九路车捉5路车（不能先吃，非兑），无根",
            ),
            ("3kr4/9/9/9/9/9/9/n8/4R4/4K4 w", "e1e2", "车五进一 闲：五路车吃1路马则送帅，自将"),
            // A move of two kinds tells both (27.4).
            (
                "3ak4/4a4/4b4/9/4c2r1/9/P8/4B4/4A4/3AK1B2 b",
                "h5g5",
                "车8平7 杀：下着车7进5，将死；兼7路车捉三路相，五路相一动即送将，是假根",
            ),
        ] {
            assert_eq!(said(fen, mv), told, "{fen} {mv}");
        }
    }
}
