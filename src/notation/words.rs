//! Words of a list of moves: a move with its number before it and its marks behind it, or several
//! moves without a blank between them. Knows how moves look, not what they mean.

use std::borrow::Cow;

use crate::types::Color;

/// A move at the beginning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The move alone.
    pub text: Cow<'a, str>,
    /// `!`, `?`, `!!`, `??`, `!?`, `?!`: 1 to 6, as PGN numbers them.
    pub mark: Option<u8>,
    /// What comes after it in the same word.
    pub rest: &'a str,
}

/// The first move of a word; `None` when there is none, but a number, dots or dashes.
///
/// ```
/// use chuhe::notation::first_move;
/// let word = first_move("12.炮二平五!马8进7").unwrap();
/// assert_eq!((&*word.text, word.mark, word.rest), ("炮二平五", Some(1), "马8进7"));
/// assert_eq!(first_move("1..."), None);
/// ```
pub fn first_move(word: &str) -> Option<Word<'_>> {
    let (word, before) = marks(word);
    let word = without_number(word)?;
    let (word, inner) = marks(word);
    if word.chars().all(is_filler) {
        return None;
    }
    let cut = end_of_move(word);
    let (rest, after) = marks(&word[cut..]);
    // A check mark, or the blanks that a writer forgot.
    let rest = rest.trim_start_matches(['#', '＃']);
    let rest = if rest.chars().all(|c| matches!(c, '+' | '＋')) { "" } else { rest };
    Some(Word { text: plain(&word[..cut]), mark: after.or(inner).or(before), rest })
}

/// The number in PGN of a sign that stands alone: a mark, or a word on how the position stands.
///
/// ```
/// use chuhe::notation::lone_mark;
/// assert_eq!((lone_mark("！？"), lone_mark("+-"), lone_mark("N")), (Some(5), Some(18), Some(146)));
/// assert_eq!(lone_mark("h2e2!"), None);
/// ```
pub fn lone_mark(word: &str) -> Option<u8> {
    let (rest, mark) = marks(word);
    if rest.is_empty() {
        return mark;
    }
    Some(match &*plain(word) {
        "=" => 10,
        "∞" => 13,
        "+=" | "⩲" => 14,
        "=+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" => 146,
        _ => return None,
    })
}

/// Whether a word says that somebody gives up, and perhaps who.
///
/// ```
/// use chuhe::{notation::resigns, types::Color};
/// assert_eq!(resigns("认负"), Some(None));
/// assert_eq!(resigns("Black resigns"), Some(Some(Color::Black)));
/// assert_eq!(resigns("h2e2"), None);
/// ```
pub fn resigns(text: &str) -> Option<Option<Color>> {
    let text = text.trim_end_matches(['.', '。', '!', '！']).to_lowercase();
    let (who, does) = text.rsplit_once(' ').unwrap_or(("", &text));
    if !["认负", "认输", "認負", "認輸", "投子", "resigns", "resign", "resigned"].contains(&does)
    {
        return None;
    }
    match who {
        "" => Some(None),
        "white" | "red" => Some(Some(Color::Red)),
        "black" => Some(Some(Color::Black)),
        _ => None,
    }
}

/// Without a number of a move before it; `None` when nothing else is there, or a mark's number.
fn without_number(word: &str) -> Option<&str> {
    if word.starts_with('$') {
        return None;
    }
    let digits = word.trim_start_matches(|c: char| narrow(c).is_ascii_digit());
    let rest = digits.trim_start_matches(is_dot);
    let numbered = rest.len() < digits.len() || digits.is_empty();
    // `33.4` is a pawn's move in WXF.
    let mut after = rest.chars();
    let bare_digit =
        after.next().is_some_and(|c| narrow(c).is_ascii_digit()) && after.as_str().is_empty();
    let rest = if numbered && !bare_digit { rest } else { word };
    (!rest.is_empty()).then_some(rest)
}

fn is_dot(c: char) -> bool {
    matches!(narrow(c), '.' | '…' | '、' | '。' | '·')
}

/// What stands in the place of a move that is not there.
fn is_filler(c: char) -> bool {
    is_dot(c) || matches!(narrow(c), '-' | '=' | '~' | '*' | '_')
}

/// Takes off marks of quality.
fn marks(text: &str) -> (&str, Option<u8>) {
    let rest = text.trim_start_matches(['!', '?', '！', '？']);
    let mark = match &*plain(&text[..text.len() - rest.len()]) {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    (rest, mark)
}

/// Where the first move of a word ends.
fn end_of_move(word: &str) -> usize {
    let mut ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut chars = word.chars().map(narrow);
    let head: [char; 6] = std::array::from_fn(|_| chars.next().unwrap_or('\0'));
    let point = |file: char, rank: char| {
        matches!(file.to_ascii_lowercase(), 'a'..='i') && rank.is_ascii_digit()
    };
    let length = match head {
        [a, b, c, d, next, _] if point(a, b) && point(c, d) && !next.is_ascii_digit() => 4,
        [a, b, c, d, e, next]
            if point(a, b)
                && matches!(c, '-' | 'x' | 'X' | ':')
                && point(d, e)
                && !next.is_ascii_digit() =>
        {
            5
        }
        [_, _, way, target, ..] if is_way(way) && is_count(target) => 4,
        _ => usize::MAX,
    };
    let whole = word.find(['!', '?', '！', '？', '#', '＃']).unwrap_or(word.len());
    // A plus at the end is a check mark; inside it is a direction.
    let whole = word[..whole].trim_end_matches(['+', '＋']).len();
    let cut = if length == usize::MAX { None } else { ends.nth(length - 1) };
    cut.unwrap_or(whole)
}

fn is_way(c: char) -> bool {
    matches!(c, '进' | '進' | '退' | '平' | '上' | '下' | '+' | '-' | '=' | '.')
}

fn is_count(c: char) -> bool {
    c.is_ascii_digit() || "一二三四五六七八九壹贰叁肆伍陆柒捌玖".contains(c)
}

/// With narrow letters, digits and signs and one kind of dash.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| narrow(c) == c) {
        text.into()
    } else {
        text.chars().map(narrow).collect()
    }
}

/// A character in its narrow form; every dash is `-`.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '‐'..='―' | '−' | '─' => '-',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_alone_or_before_its_move() {
        for (word, rest) in [
            ("1.", None),
            ("12", None),
            ("3...", None),
            ("1…", None),
            ("...", None),
            ("----", None),
            ("……", None),
            ("１．", None),
            ("$3", None),
            ("1.炮二平五", Some("炮二平五")),
            ("１．炮二平五", Some("炮二平五")),
            ("1、炮二平五", Some("炮二平五")),
            ("1...H9-G7", Some("H9-G7")),
            ("33.4", Some("33.4")),
            ("7.33.4", Some("33.4")),
            ("3+.4", Some("3+.4")),
            ("C2.5", Some("C2.5")),
            ("Ｃ２＝５", Some("C2=5")),
            ("h2–e2", Some("h2-e2")),
        ] {
            let found = first_move(word).map(|word| word.text.into_owned());
            assert_eq!(found.as_deref(), rest, "{word}");
        }
    }

    #[test]
    fn moves_without_blanks_are_cut_and_marks_are_taken_off() {
        let all = |mut word| {
            let mut moves = Vec::new();
            while let Some(next) = first_move(word) {
                moves.push((next.text.into_owned(), next.mark));
                word = next.rest;
            }
            moves
        };
        let plain = |words: &[&str]| -> Vec<_> {
            words.iter().map(|word| ((*word).to_owned(), None)).collect()
        };
        assert_eq!(all("炮二平五马8进7"), plain(&["炮二平五", "马8进7"]));
        assert_eq!(all("1.炮二平五马8进72.马二进三"), plain(&["炮二平五", "马8进7", "马二进三"]));
        assert_eq!(all("h2e2h9g7"), plain(&["h2e2", "h9g7"]));
        assert_eq!(all("H2-E2H9-G7"), plain(&["H2-E2", "H9-G7"]));
        assert_eq!(all("b10c8"), plain(&["b10c8"]));
        assert_eq!(all("h3h10"), plain(&["h3h10"]));
        assert_eq!(all("Rb10+"), plain(&["Rb10"]));
        assert_eq!(all("R++1"), plain(&["R++1"]));
        for (word, text, mark) in [
            ("h2e2!", "h2e2", 1),
            ("炮二平五？？", "炮二平五", 4),
            ("!!R1.2", "R1.2", 3),
            ("12.!?P3+1", "P3+1", 5),
            ("Chg2?!", "Chg2", 6),
        ] {
            assert_eq!(all(word), [(text.to_owned(), Some(mark))], "{word}");
        }
        for word in ["h2e2+", "h2e2++", "炮二平五+", "Hg8+", "Hg8#", "C2.5＋"] {
            assert_eq!(all(word).len(), 1, "{word}");
            assert!(!all(word)[0].0.ends_with('+'), "{word}");
        }
    }
}
