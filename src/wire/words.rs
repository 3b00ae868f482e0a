//! Cutting a line into words and reading words as numbers and moves. Knows no command.

use crate::types::Move;

/// What some editors put before the first line of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The words of a line, separated by blanks and control characters. The line may be any bytes:
/// no second byte of GBK or UTF-8 is a blank, so words come out whole in either.
#[derive(Clone)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Self { rest: line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) }
    }

    /// The next word, left where it is.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// The next word in lower case, as keywords are written.
    pub(super) fn keyword(&mut self) -> Option<String> {
        self.next().map(|word| text(word).to_ascii_lowercase())
    }

    /// Takes the next word if it is this one.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|next| is(next, word));
        if found {
            self.next();
        }
        found
    }

    /// All that is left, without the blanks around it.
    pub(super) fn rest(self) -> &'a [u8] {
        let blank = |byte: &u8| is_blank(*byte);
        let start = self.rest.iter().position(|byte| !blank(byte)).unwrap_or(self.rest.len());
        let end = self.rest.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
        &self.rest[start..end]
    }

    /// The words up to the one that `ends` tells, which stays.
    pub(super) fn until(&mut self, ends: impl Fn(&[u8]) -> bool) -> Vec<&'a [u8]> {
        let mut taken = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            taken.push(word);
            self.next();
        }
        taken
    }

    /// The next word as a number, brought into the range; left where it is when it is none.
    pub(super) fn number(&mut self, least: i128, most: i128) -> Option<i128> {
        let number = number(self.peek()?)?;
        self.next();
        Some(number.clamp(least, most))
    }

    /// The next word as a count: anything below zero is zero.
    pub(super) fn u32(&mut self) -> Option<u32> {
        self.number(0, u32::MAX.into()).map(|number| number as u32)
    }

    /// The next word as a large count: anything below zero is zero.
    pub(super) fn u64(&mut self) -> Option<u64> {
        self.number(0, u64::MAX.into()).map(|number| number as u64)
    }

    /// The next word as a number of either sign.
    pub(super) fn i32(&mut self) -> Option<i32> {
        self.number(i32::MIN.into(), i32::MAX.into()).map(|number| number as i32)
    }

    /// The next word as a move; left where it is when it is none.
    pub(super) fn a_move(&mut self) -> Option<Move> {
        let mv = read_move(self.peek()?)?;
        self.next();
        Some(mv)
    }

    /// The next words as moves, as far as they are some.
    pub(super) fn moves(&mut self) -> Vec<Move> {
        std::iter::from_fn(|| self.a_move()).collect()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let start = self.rest.iter().position(|&byte| !is_blank(byte))?;
        let word = &self.rest[start..];
        let end = word.iter().position(|&byte| is_blank(byte)).unwrap_or(word.len());
        self.rest = &word[end..];
        Some(&word[..end])
    }
}

const fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Whether a word is this keyword, in either case.
pub(super) fn is(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// Bytes as text; what is not UTF-8 is replaced.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Words as text with single blanks between them.
pub(super) fn joined(words: &[&[u8]]) -> String {
    text(&words.join(&b' '))
}

/// Text that stays on its line.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

pub(super) fn read_move(word: &[u8]) -> Option<Move> {
    str::from_utf8(word).ok()?.parse().ok()
}

/// A whole number with an optional sign. Too many digits are as good as the greatest number, and
/// a fraction, which some scripts print without meaning to, is cut off.
fn number(word: &[u8]) -> Option<i128> {
    let negative = word.first() == Some(&b'-');
    let signed = negative || word.first() == Some(&b'+');
    let digits = &word[usize::from(signed)..];
    let mut parts = digits.splitn(2, |&byte| byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or_default());
    let all_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let size = whole
        .iter()
        .fold(0u64, |size, digit| size.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    let size = i128::from(size);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate_and_garbage_is_none() {
        let huge = i128::from(u64::MAX);
        for (word, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("+7", Some(7)),
            ("-12", Some(-12)),
            ("1000.5", Some(1000)),
            ("3.", Some(3)),
            ("99999999999999999999999999999999999999999999", Some(huge)),
            ("-99999999999999999999999999999999999999999999", Some(-huge)),
            ("", None),
            ("-", None),
            (".5", None),
            ("1e3", None),
            ("1.2.3", None),
            ("0x10", None),
            ("infinite", None),
        ] {
            assert_eq!(number(word.as_bytes()), value, "{word}");
        }
    }

    #[test]
    fn words_are_cut_at_blanks_of_any_kind() {
        let words: Vec<_> = Words::new(b"\xef\xbb\xbf a\tbc \x0b\r d\r\n").collect();
        assert_eq!(words, [b"a".as_slice(), b"bc", b"d"]);
        assert_eq!(Words::new(b"  a  b \r\n").rest(), b"a  b");
        assert_eq!(Words::new(b" \t ").rest(), b"");
    }

    #[test]
    fn what_is_no_number_is_left_for_the_next_reader() {
        let mut words = Words::new(b"-5 infinite");
        assert_eq!(words.u64(), Some(0));
        assert_eq!(words.u64(), None);
        assert!(words.eat("Infinite") && words.next().is_none());
    }
}
