//! Games as PGN files have them, in the flavour of Chinese chess programs: tags, moves in any
//! notation, comments, result. Knows legal moves; leaves the result to whoever wrote it.

use std::fmt::Write;

use super::{Fault, Found, Game, GameError, Place, Played};
use crate::{
    notation::{Annotation, Digits, Format, GameResult, Style, move_text, parse, print},
    position::{Position, Unobserved},
    types::Color,
};

/// Tags that say what other parts of a [`Game`] say, too.
const DERIVED: [&str; 5] = ["Game", "Result", "Format", "SetUp", "FEN"];

impl Game {
    /// The game as a file has it, one line a round; a blank line ends it. Chinese moves have wide
    /// digits, as other programs expect them.
    pub fn write(&self, format: Format) -> String {
        let mut text = String::new();
        let (name, format) = match format {
            Format::Iccs => ("ICCS", format),
            Format::Wxf => ("WXF", format),
            Format::Chinese(style) => {
                ("Chinese", Format::Chinese(Style { digits: Digits::Wide, ..style }))
            }
        };
        tag(&mut text, "Game", "Chinese Chess");
        self.tags.iter().for_each(|(name, value)| tag(&mut text, name, value));
        tag(&mut text, "Result", self.result.token());
        tag(&mut text, "Format", name);
        if self.start != Position::start() {
            tag(&mut text, "SetUp", "1");
            tag(&mut text, "FEN", &self.start.fen());
        }
        text.push('\n');
        if !self.preface.is_empty() {
            comment(&mut text, &self.preface);
            text.push('\n');
        }
        self.write_moves(&mut text, format);
        text + self.result.token() + "\n\n"
    }

    fn write_moves(&self, text: &mut String, format: Format) {
        let mut position = self.start.clone();
        for (ply, Played { mv, note, .. }) in self.moves.iter().enumerate() {
            let black = position.side() == Color::Black;
            match (ply, black) {
                (0, true) => put(text, format_args!("{}. ... ", position.number())),
                (_, false) => put(text, format_args!("{}. ", position.number())),
                (_, true) => {}
            }
            *text += &print(&position, *mv, format);
            let note = note.to_string();
            if !note.is_empty() {
                text.push(' ');
                comment(text, &note);
            }
            text.push(if black || ply + 1 == self.moves.len() { '\n' } else { ' ' });
            position.make(*mv, &mut Unobserved);
        }
    }
}

/// The games of a text. One that is bad is told of and left out; those after it are read.
///
/// Variations are passed over, as is whatever follows a result up to the next tag.
pub fn read(text: &str) -> impl Iterator<Item = Result<Game, GameError>> {
    found(text).map(|found| found.map(|found| found.game))
}

/// As [`read`], with what there is to say of each game.
pub(super) fn found(text: &str) -> impl Iterator<Item = Result<Found, GameError>> {
    let mut reader = Reader { rest: text, line: 1, line_start: true };
    let mut number = 0;
    std::iter::from_fn(move || {
        reader.blank();
        (!reader.rest.is_empty()).then(|| {
            number += 1;
            let place = Place { game: number, line: Some(reader.line), ..Place::default() };
            let mut game = Game::new(Position::start());
            let done = reader.game(&mut game);
            reader.skip_to_tag();
            match done {
                Ok(()) => Ok(Found { place, game, remarks: Vec::new() }),
                Err((line, fault)) => {
                    let ply = fault.word().map(|_| game.moves.len() + 1);
                    let place = Place { line: Some(line), ply, ..place };
                    Err(GameError { place, fault, partial: Some(Box::new(game)) })
                }
            }
        })
    })
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("invariant: a string takes whatever is written to it");
}

fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
    put(text, format_args!("[{name} \"{value}\"]\n"));
}

fn comment(text: &mut String, comment: &str) {
    put(text, format_args!("{{{}}}", comment.replace('{', "(").replace('}', ")")));
}

/// Where in a text we are.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    line_start: bool,
}

impl<'a> Reader<'a> {
    fn game(&mut self, game: &mut Game) -> Result<(), (usize, Fault)> {
        let mut claimed = GameResult::Unknown;
        let mut comments = Vec::new();
        self.blank();
        while let Some(text) = self.comment()? {
            comments.push(text);
            self.blank();
        }
        while self.at_tag() {
            let line = self.line;
            let (name, value) = self.tag()?;
            match name {
                "FEN" => {
                    let start = Position::from_fen(&value);
                    game.start = start.map_err(|error| (line, error.into()))?;
                }
                "Result" => claimed = GameResult::from_token(&value).unwrap_or(claimed),
                name if DERIVED.contains(&name) => {}
                name => game.tags.push((name.into(), value)),
            }
            self.blank();
        }
        self.moves(game, comments)?;
        if game.result == GameResult::Unknown {
            game.result = claimed;
        }
        Ok(())
    }

    /// Reads moves up to a result or the next tag. The comments at hand are those before the first
    /// move or after the latest.
    fn moves(&mut self, game: &mut Game, mut comments: Vec<String>) -> Result<(), (usize, Fault)> {
        let mut position = game.start.clone();
        let settle = |game: &mut Game, comments: &mut Vec<String>| {
            let text = std::mem::take(comments).join(" ");
            match game.moves.last_mut() {
                Some(played) => played.note = Annotation::read(&text),
                None => game.preface = text,
            }
        };
        loop {
            self.blank();
            let line = self.line;
            if let Some(text) = self.comment()? {
                comments.push(text);
                continue;
            }
            match self.rest.chars().next() {
                None => break,
                Some('[') if self.line_start => break,
                Some('(') => {
                    self.variation().ok_or((line, Fault::Unclosed("variation")))?;
                }
                Some(_) => {
                    let word = self.word();
                    if let Some(result) = GameResult::from_token(word) {
                        game.result = result;
                        break;
                    }
                    let Some(word) = move_text(word) else { continue };
                    let mv = parse(&position, word);
                    let mv = mv.map_err(|error| (line, error.into()))?;
                    settle(game, &mut comments);
                    position.make(mv, &mut Unobserved);
                    game.moves.push(Played::new(mv));
                }
            }
        }
        settle(game, &mut comments);
        Ok(())
    }

    /// A comment of either kind, if one begins here.
    fn comment(&mut self) -> Result<Option<String>, (usize, Fault)> {
        if self.rest.starts_with(';') {
            return Ok(Some(self.rest_of_line()[1..].trim().into()));
        }
        if !self.rest.starts_with('{') {
            return Ok(None);
        }
        let unclosed = (self.line, Fault::Unclosed("comment"));
        let end = self.rest.find('}').ok_or(unclosed)?;
        let words = self.take(end + 1)[1..end].split_whitespace();
        Ok(Some(words.collect::<Vec<_>>().join(" ")))
    }

    fn at_tag(&self) -> bool {
        self.line_start && self.rest.starts_with('[')
    }

    fn tag(&mut self) -> Result<(&'a str, String), (usize, Fault)> {
        let line = self.line;
        let text = self.rest_of_line();
        let bad = || {
            let shown = text.trim().chars().take(60).collect();
            (line, Fault::Tag(shown))
        };
        let (name, quoted) = text[1..].split_once('"').ok_or_else(bad)?;
        let mut value = String::new();
        let mut chars = quoted.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if quoted[at + 1..].trim_start().starts_with(']') => {
                    return Ok((name.trim(), value));
                }
                // Programs that know no escapes write a backslash as it is.
                '\\' if quoted[at + 1..].starts_with(['"', '\\']) => {
                    value.extend(chars.next().map(|(_, escaped)| escaped));
                }
                c => value.push(c),
            }
        }
        Err(bad())
    }

    /// Passes over a variation with all in it.
    fn variation(&mut self) -> Option<()> {
        let mut depth = 0;
        for (at, c) in self.rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.take(at + 1);
                return Some(());
            }
        }
        None
    }

    fn word(&mut self) -> &'a str {
        let ends = |c: char| c.is_whitespace() || "{(;".contains(c);
        self.take(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    fn skip_to_tag(&mut self) {
        self.blank();
        while !self.rest.is_empty() && !self.at_tag() {
            self.rest_of_line();
            self.blank();
        }
    }

    /// Passes over blanks and over lines that are escaped with `%`.
    fn blank(&mut self) {
        loop {
            self.take(self.rest.find(|c| !is_blank(c)).unwrap_or(self.rest.len()));
            if !(self.line_start && self.rest.starts_with('%')) {
                break;
            }
            self.rest_of_line();
        }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        let after_break = taken.rsplit('\n').next().unwrap_or_default();
        if !taken.is_empty() {
            let fresh = taken.len() > after_break.len() || self.line_start;
            self.line_start = fresh && after_break.chars().all(is_blank);
        }
        taken
    }
}

/// A byte order mark is no text, wherever it stands.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::Eval;
    use std::time::Duration;

    fn all(text: &str) -> Vec<Result<Game, GameError>> {
        read(text).collect()
    }

    fn one(text: &str) -> Game {
        let mut games = all(text);
        assert_eq!(games.len(), 1, "{text}");
        games.remove(0).unwrap()
    }

    #[test]
    fn a_game_of_a_chinese_program_is_read() {
        let text = "[Game \"Chinese Chess\"]\r\n[Event \"C:\\杯\"]\r\n[Red \"甲 \\\"乙\\\"\"]\r\n\
                    [Result \"1-0\"]\r\n[Opening \"五七炮\"]\r\n{开局 注}\r\n\
                    \x20 1. 炮二平五 馬８進７ {好\r\n棋}\r\n  2. 马二进三 (2. 炮八平七 (略)) 车９平８ ;remark\r\n\
                    3.车一平二 $1 *\r\n=====\r\n{ no comment\r\nwww.example.org\r\n\r\n\
                    [Game \"Chinese Chess\"]\r\n1. H2-E2 1... H9-G7 0-1\r\n";
        let games: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        let game = &games[0];
        assert_eq!(game.tag("Event"), Some("C:\\杯"));
        assert_eq!(game.tag("Red"), Some("甲 \"乙\""));
        assert_eq!(game.tag("Result"), None);
        let moves: Vec<_> = game.moves.iter().map(|played| played.mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]);
        assert_eq!((game.preface.as_str(), game.result), ("开局 注", GameResult::RedWins));
        assert_eq!(game.moves[1].note.text, "好 棋");
        assert_eq!(game.moves[3].note.text, "remark");
        assert_eq!((games[1].moves.len(), games[1].result), (2, GameResult::BlackWins));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_the_rest_is_read() {
        let text = "[Event \"a\"]\n\n1. 炮二平五\n   车一平二 *\n[Event b]\n1. x\n\
                    [FEN \"9 w\"]\n\n[Event \"c\"]\n1. h2e2 {ever\n";
        let told: Vec<_> =
            all(text).into_iter().map(|game| game.unwrap_err().to_string()).collect();
        assert_eq!(
            told,
            [
                "game 1, line 4, ply 2: `车一平二` is no legal move here",
                "game 2, line 5: `[Event b]` is no tag (such as [Event \"…\"])",
                "game 3, line 7: bad FEN: board has 1 ranks, not 10",
                "game 4, line 10: a comment that begins here has no end",
            ]
        );
        assert!(all(" \n\t\n").is_empty());
    }

    #[test]
    fn black_may_begin() {
        let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 5 30").unwrap());
        for mv in ["e9e8", "d0d1", "e8e9"] {
            game.moves.push(Played::new(mv.parse().unwrap()));
        }
        let text = game.write(Format::Iccs);
        assert!(text.ends_with("\n30. ... E9-E8\n31. D0-D1 E8-E9\n*\n\n"), "{text}");
        assert_eq!(one(&text), game);
    }

    fn format() -> impl Strategy<Value = Format> {
        use crate::notation::Script;
        let script = prop_oneof![Just(Script::Simplified), Just(Script::Traditional)];
        prop_oneof![
            Just(Format::Iccs),
            Just(Format::Wxf),
            script.prop_map(|script| Format::Chinese(Style { script, digits: Digits::Narrow })),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_written_is_read_back(
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..120),
            format in format(),
            value in "[ -~棋é]{0,12}",
            note in "[a-z(棋]{0,6}",
        ) {
            let mut game = Game::new(Position::start());
            game.tags.push(("Event".into(), value));
            game.result = GameResult::Draw;
            let mut position = game.start.clone();
            for (ply, choice) in choices.iter().enumerate() {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = *choice.get(&moves);
                position.make(mv, &mut Unobserved);
                let time = Duration::from_millis(ply as u64 * 777);
                let note = Annotation {
                    eval: Some(Eval::Points(35 - ply as i32)),
                    depth: Some(9),
                    spent: Some(time),
                    clock: None,
                    text: note.clone(),
                };
                game.moves.push(Played { note, ..Played::new(mv) });
            }
            prop_assert_eq!(one(&game.write(format)), game);
        }
    }
}
