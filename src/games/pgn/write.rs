//! Writing PGN, so that other programs read it and ours gets back the very same game.

use std::fmt::Write;

use crate::{
    games::{Game, Played, Variation},
    notation::{
        Digits, Format, Style, print,
        text::{Decoder, Encoding},
    },
    position::{Position, Unobserved},
    types::Color,
};

impl Game {
    /// The game as a PGN file has it, one line a round; a blank line ends it. Chinese moves have wide
    /// digits, as other programs expect them.
    pub fn write(&self, format: Format) -> String {
        write(self, format)
    }
}

fn write(game: &Game, format: Format) -> String {
    let (name, format) = match format {
        Format::Iccs => ("ICCS", format),
        Format::Wxf => ("WXF", format),
        Format::Chinese(style) => {
            ("Chinese", Format::Chinese(Style { digits: Digits::Wide, ..style }))
        }
    };
    let mut writer = Writer { text: String::new(), format };
    writer.tag("Game", "Chinese Chess");
    game.tags.iter().for_each(|(name, value)| writer.tag(name, value));
    writer.tag("Result", game.result.token());
    writer.tag("Format", name);
    if game.start != Position::start() {
        writer.tag("SetUp", "1");
        writer.tag("FEN", &game.start.fen());
    }
    let tags = writer.text.len();
    writer.text.push('\n');
    if !game.preface.is_empty() {
        writer.comment(&game.preface);
        writer.line_end();
    }
    writer.main_line(game);
    let mut text = writer.text + game.result.token() + "\n\n";
    if !text.is_ascii()
        && Decoder::of(Encoding::Gb18030).encoding(text.as_bytes()) != Encoding::Utf8
    {
        text.insert_str(tags, EVIDENCE);
    }
    text
}

/// A remark that no reader takes for more, and whose characters tell a text in UTF-8 whose few others
/// might be Chinese ones in another encoding.
const EVIDENCE: &str = "% 象棋\n";

struct Writer {
    text: String,
    format: Format,
}

impl Writer {
    fn tag(&mut self, name: &str, value: &str) {
        let name: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let value: String = value.chars().map(plain).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        if !name.is_empty() {
            self.put(format_args!("[{name} \"{value}\"]\n"));
        }
    }

    fn main_line(&mut self, game: &Game) {
        let mut position = game.start.clone();
        let mut numbered = true;
        for (ply, played) in game.moves.iter().enumerate() {
            let black = position.side() == Color::Black;
            let before = (!played.variations.is_empty()).then(|| position.clone());
            self.ply(&mut position, played, ply == 0 || numbered);
            numbered = false;
            if let Some(before) = before {
                for variation in &played.variations {
                    self.text.push(' ');
                    self.variation(&before, variation);
                }
                numbered = true;
            }
            let ends = black || ply + 1 == game.moves.len();
            if ends { self.line_end() } else { self.space() }
        }
    }

    /// A move with what is said of it; Black's with a number where a line begins or goes on.
    fn ply(&mut self, position: &mut Position, played: &Played, numbered: bool) {
        let number = position.number();
        match position.side() {
            Color::Red => self.put(format_args!("{number}. ")),
            Color::Black if numbered => self.put(format_args!("{number}. ... ")),
            Color::Black => {}
        }
        self.text += &print(position, played.mv, self.format);
        for mark in &played.marks {
            self.put(format_args!(" ${mark}"));
        }
        let note = played.note.to_string();
        if !note.is_empty() {
            self.text.push(' ');
            self.comment(&note);
        }
        position.make(played.mv, &mut Unobserved);
    }

    fn variation(&mut self, before: &Position, variation: &Variation) {
        self.space_out();
        self.text.push('(');
        if !variation.preface.is_empty() {
            self.comment(&variation.preface);
            self.space();
        }
        let mut position = before.clone();
        let mut numbered = true;
        for (ply, played) in variation.moves.iter().enumerate() {
            if ply > 0 {
                self.space();
            }
            let here = position.clone();
            self.ply(&mut position, played, numbered);
            numbered = !played.variations.is_empty();
            for variation in &played.variations {
                self.text.push(' ');
                self.variation(&here, variation);
            }
        }
        self.text.push(')');
    }

    /// A comment in braces; where these would end it or a line of it looks like a tag, one to the end
    /// of each line.
    fn comment(&mut self, comment: &str) {
        let comment: String =
            comment.chars().filter(|&c| c == '\n' || c == '\t' || !c.is_control()).collect();
        let looks_like_tag =
            |line: &str| line.trim_start().starts_with('[') && !line.trim_start().starts_with("[%");
        let escaped = comment.lines().skip(1).any(|line| line.trim_start().starts_with('%'));
        if comment.contains(['{', '}']) || comment.lines().any(looks_like_tag) || escaped {
            for line in comment.split('\n') {
                self.put(format_args!("; {line}\n"));
            }
        } else {
            self.put(format_args!("{{{comment}}}"));
        }
    }

    /// A blank, unless a line has just ended.
    fn space(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push(' ');
        }
    }

    /// No blank at the beginning of a line.
    fn space_out(&mut self) {
        if self.text.ends_with("\n ") {
            self.text.pop();
        }
    }

    fn line_end(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn put(&mut self, what: std::fmt::Arguments) {
        self.text.write_fmt(what).expect("invariant: a string takes whatever is written to it");
    }
}
