//! CBF: a game as XML, without variations. Reads the few things that such files hold, not XML at
//! large.

use crate::{
    games::{
        Fault,
        board::point,
        fen,
        tree::{self, Draft},
    },
    position::Position,
    types::Square,
};

/// The outermost element.
pub(in crate::games) const ROOT: &str = "ChineseChessRecord";

/// Names of elements and of the tags that they are; the others keep theirs.
const TAGS: [(&str, &str); 7] = [
    ("Name", "Title"),
    ("Contest", "Event"),
    ("ContestType", "EventType"),
    ("RedRating", "RedElo"),
    ("BlackRating", "BlackElo"),
    ("Commentator", "Annotator"),
    ("From", "Source"),
];

/// The game of a file.
pub(in crate::games) fn read(text: &str) -> Draft {
    let mut draft = Draft::new(Position::start(), 0);
    let mut elements = Elements { text, at: 0 };
    let mut node = tree::ROOT;
    while let Some(element) = elements.next() {
        match element.name {
            "FEN" if !element.content.trim().is_empty() => match fen::read(&element.content) {
                Ok(start) => draft.game.start = start,
                Err(error) => {
                    draft.fault = Some((element.at as u64, error.into()));
                    return draft;
                }
            },
            "RecordResult" => {
                draft.game.result = super::result(element.content.trim().parse().unwrap_or(0));
            }
            "Move" => {
                let value = element.attribute("value").unwrap_or_default();
                if value == "00-00" {
                    draft.tree.comment(tree::ROOT, &element.content);
                    continue;
                }
                let points = points(value);
                if points.is_none() {
                    let what = format!("`{}` is no move", crate::notation::quote(value));
                    draft.fault = Some((element.at as u64, Fault::Damaged(what)));
                    return draft;
                }
                node = match draft.tree.add(node, points) {
                    Ok(node) => node,
                    Err(fault) => {
                        draft.fault = Some((element.at as u64, fault));
                        return draft;
                    }
                };
                draft.tree.comment(node, &element.content);
                if element.attribute("end") == Some("1") {
                    return draft;
                }
            }
            "FEN" | "RecordType" => {}
            // Among moves nothing else stands: it was one.
            name if node != tree::ROOT => {
                let what = format!("`{}` stands among the moves", crate::notation::quote(name));
                draft.fault = Some((element.at as u64, Fault::Damaged(what)));
                return draft;
            }
            name => {
                let known = TAGS.iter().find(|(known, _)| *known == name);
                draft.game.add_tag(known.map_or(name, |(_, tag)| tag), &element.content);
            }
        }
    }
    if !text.contains(&format!("</{ROOT}>")) {
        draft.fault = Some((text.len() as u64, Fault::Truncated));
    }
    draft
}

/// `77-67`: file and rank from Black's side.
fn points(value: &str) -> Option<(Square, Square)> {
    let &[a, b, b'-', c, d] = value.as_bytes() else { return None };
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    let square = |file, rank| point(digit(file)?, 9 - digit(rank)?);
    square(a, b).zip(square(c, d))
}

/// Elements that hold no others, one after the other.
struct Elements<'a> {
    text: &'a str,
    at: usize,
}

struct Element<'a> {
    name: &'a str,
    attributes: &'a str,
    content: String,
    at: usize,
}

impl<'a> Elements<'a> {
    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let at = self.at + self.text[self.at..].find('<')?;
            let end = at + self.text[at..].find('>')?;
            let inside = &self.text[at + 1..end];
            self.at = end + 1;
            if inside.starts_with(['?', '!', '/']) {
                continue;
            }
            let (inside, empty) = match inside.strip_suffix('/') {
                Some(inside) => (inside, true),
                None => (inside, false),
            };
            let (name, attributes) =
                inside.split_at(inside.find(char::is_whitespace).unwrap_or(inside.len()));
            if empty {
                return Some(Element { name, attributes, content: String::new(), at });
            }
            let Some(content) = self.content(name) else { continue };
            return Some(Element { name, attributes, content, at });
        }
    }

    /// The text of an element that has begun, if it holds nothing but text.
    fn content(&mut self, name: &str) -> Option<String> {
        let mut content = String::new();
        let mut at = self.at;
        loop {
            let next = at + self.text[at..].find('<')?;
            content += &unescaped(&self.text[at..next]);
            let rest = &self.text[next..];
            if let Some(data) = rest.strip_prefix("<![CDATA[") {
                let length = data.find("]]>")?;
                content += &data[..length];
                at = next + "<![CDATA[".len() + length + "]]>".len();
                continue;
            }
            let close = rest.strip_prefix("</")?.strip_prefix(name)?;
            let end = close.find('>')?;
            self.at = self.text.len() - close.len() + end + 1;
            return Some(content);
        }
    }
}

impl<'a> Element<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut words = self.attributes.split_ascii_whitespace();
        words
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
            .map(|value| value.trim_matches(['"', '\'']))
    }
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
