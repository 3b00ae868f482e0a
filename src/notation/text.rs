//! The encodings of text files: UTF-8; GB18030 with its older parts GBK and GB2312, and Big5, which
//! Chinese programs still write; UTF-16 of Windows. Knows no notation.

use std::borrow::Cow;

use super::guess;

/// How a file's characters are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// What everything new writes.
    #[default]
    Utf8,
    /// The Chinese standard; whatever is GBK or GB2312 is this, too.
    Gb18030,
    /// Traditional characters, as in Taiwan and Hong Kong. Has no simplified ones.
    Big5,
    /// Two bytes a character, the lower one first.
    Utf16Le,
    /// Two bytes a character, the higher one first.
    Utf16Be,
}

/// Stands in the place of what no encoding knows.
pub const UNKNOWN: char = '\u{fffd}';
/// Tells which encoding follows, and is no text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of some bytes, and how they stored it. What is not UTF-8 is whatever it most looks like;
/// bytes that are no character are replaced by [`UNKNOWN`].
///
/// ```
/// use chuhe::notation::text::{Encoding, decode};
/// assert_eq!(decode(b"\xc5\xda"), ("炮".into(), Encoding::Gb18030));
/// assert_eq!(decode(b"\xac\xb6\xa4\x47\xa5\xad\xa4\xad"), ("炮二平五".into(), Encoding::Big5));
/// assert_eq!(decode(b"\xff\xfeH\x002\x00"), ("H2".into(), Encoding::Utf16Le));
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Encoding) {
    let encoding = guess::guess(bytes).encoding;
    (decode_as(bytes, encoding), encoding)
}

/// The text of some bytes that are stored in this way.
pub fn decode_as(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    let text = match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes),
        other => codec(other).decode_without_bom_handling(bytes).0,
    };
    match text {
        Cow::Borrowed(text) => text.trim_start_matches(BYTE_ORDER_MARK).into(),
        Cow::Owned(text) if text.starts_with(BYTE_ORDER_MARK) => {
            text.trim_start_matches(BYTE_ORDER_MARK).to_owned().into()
        }
        owned @ Cow::Owned(_) => owned,
    }
}

/// The texts of one file, game by game. Each game is in whatever encoding it looks like; where it is
/// too short to tell, it is in that of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    usual: Option<Encoding>,
}

impl Decoder {
    /// For a file that begins with these bytes.
    pub fn new(head: &[u8]) -> Self {
        let found = guess::guess(head);
        Self { usual: found.sure.then_some(found.encoding) }
    }

    /// For a file of a program that writes this encoding.
    pub fn of(usual: Encoding) -> Self {
        Self { usual: Some(usual) }
    }

    /// The encoding of bytes that belong together.
    pub fn encoding(&mut self, bytes: &[u8]) -> Encoding {
        let found = guess::guess(bytes);
        if found.sure {
            self.usual = Some(found.encoding);
        }
        let fits = |usual: &Encoding| !decode_as(bytes, *usual).contains(UNKNOWN);
        self.usual.filter(fits).unwrap_or(found.encoding)
    }

    /// The text of bytes that belong together.
    pub fn decode<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        decode_as(bytes, self.encoding(bytes))
    }
}

/// The encoding of UTF-16 text by its first bytes, if it is that: by its byte order mark, or since
/// every other byte is zero.
pub fn wide(head: &[u8]) -> Option<Encoding> {
    match head {
        [0xFF, 0xFE, ..] => return Some(Encoding::Utf16Le),
        [0xFE, 0xFF, ..] => return Some(Encoding::Utf16Be),
        _ => {}
    }
    // Zeros that come later only belong to what another text is followed by.
    if !head.iter().take_while(|&&byte| byte != b'\n').any(|&byte| byte == 0) {
        return None;
    }
    let pairs = head.as_chunks::<2>().0;
    let pairs = &pairs[..pairs.len().min(256)];
    let zeros = |which: usize| pairs.iter().filter(|pair| pair[which] == 0).count();
    let (low, high) = (zeros(0), zeros(1));
    let plain = |which: usize| pairs.iter().filter(|pair| (9..127).contains(&pair[which])).count();
    // Tags and numbers are plain letters in any language.
    let enough = pairs.len() >= 2 && 4 * low.max(high) > pairs.len();
    match low < high {
        // 一 has a zero in the other place.
        true if enough && 3 * low < high && plain(0) >= high => Some(Encoding::Utf16Le),
        false if enough && 3 * high < low && plain(1) >= low => Some(Encoding::Utf16Be),
        _ => None,
    }
}

pub(super) fn codec(encoding: Encoding) -> &'static encoding_rs::Encoding {
    match encoding {
        Encoding::Utf8 => encoding_rs::UTF_8,
        Encoding::Gb18030 => encoding_rs::GB18030,
        Encoding::Big5 => encoding_rs::BIG5,
        Encoding::Utf16Le => encoding_rs::UTF_16LE,
        Encoding::Utf16Be => encoding_rs::UTF_16BE,
    }
}

#[cfg(feature = "tools")]
/// A decoder of UTF-16, for text that comes bit by bit.
pub(crate) fn wide_decoder(encoding: Encoding) -> encoding_rs::Decoder {
    codec(encoding).new_decoder_with_bom_removal()
}

/// The bytes of a text. Big5 lacks most characters; `?` stands for each of those.
pub fn encode(text: &str, encoding: Encoding) -> Cow<'_, [u8]> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().into(),
        Encoding::Gb18030 => encoding_rs::GB18030.encode(text).0,
        Encoding::Big5 => {
            let (bytes, _, replaced) = encoding_rs::BIG5.encode(text);
            if !replaced {
                return bytes;
            }
            let mut bytes = Vec::new();
            for c in text.chars() {
                let mut buffer = [0; 4];
                let (encoded, _, replaced) = encoding_rs::BIG5.encode(c.encode_utf8(&mut buffer));
                if replaced { bytes.push(b'?') } else { bytes.extend_from_slice(&encoded) }
            }
            bytes.into()
        }
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

/// A text with other characters for the same men where an encoding lacks those of it: Big5 has no 俥.
pub fn fitting(text: String, encoding: Encoding) -> String {
    let lacks = |from: &str| missing(from, encoding).is_some() && text.contains(from);
    let pairs = [("俥", "車"), ("傌", "馬")].into_iter().filter(|(from, _)| lacks(from));
    let pairs: Vec<_> = pairs.collect();
    pairs.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// The first character of a text that an encoding does not have.
pub fn missing(text: &str, encoding: Encoding) -> Option<char> {
    if encoding != Encoding::Big5 || !encoding_rs::BIG5.encode(text).2 {
        return None;
    }
    text.chars().find(|c| encoding_rs::BIG5.encode(c.encode_utf8(&mut [0; 4])).2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 5] =
        [Encoding::Utf8, Encoding::Gb18030, Encoding::Big5, Encoding::Utf16Le, Encoding::Utf16Be];

    #[test]
    fn text_survives_every_encoding_that_has_its_characters() {
        for text in ["炮二平五 馬８進７ 砗俥傌砲 é 😀 ascii", "", "1. 炮二平五 馬８進７ {好棋}"]
        {
            for encoding in ALL {
                let bytes = encode(text, encoding);
                if let Some(c) = missing(text, encoding) {
                    assert!(encoding == Encoding::Big5 && "砗é😀".contains(c), "{c}");
                } else {
                    let marked = encode("\u{feff}", encoding);
                    let wide = [Encoding::Utf16Le, Encoding::Utf16Be].contains(&encoding);
                    let bytes = if wide { [&*marked, &*bytes].concat() } else { bytes.to_vec() };
                    assert_eq!(decode(&bytes).0, text, "{encoding:?}");
                }
            }
        }
        assert_eq!(encode("é马", Encoding::Big5), &b"??"[..]);
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(decode(b"\xef\xbb\xbf[Event]").0, "[Event]");
    }

    #[test]
    fn a_foreign_byte_changes_no_other_character() {
        let mut bytes = "1. 炮二平五 {好棋} 马8进7 2. 马二进三".as_bytes().to_vec();
        bytes.insert(3, 0x92);
        let (text, encoding) = decode(&bytes);
        assert_eq!(encoding, Encoding::Utf8);
        assert_eq!(text, "1. \u{fffd}炮二平五 {好棋} 马8进7 2. 马二进三");
    }

    #[test]
    fn wide_text_after_other_text_does_not_make_that_wide() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let bytes = [b"1. h2e2 *\n", &*encode("[Event \"甲\"]\n1. h2e2 *", encoding)].concat();
            assert_eq!(wide(&bytes), None);
        }
    }

    #[test]
    fn wide_text_is_known_without_a_mark() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let text = "[Event \"甲\"]\n1. 炮二平五 *";
            assert_eq!(decode(&encode(text, encoding)), (text.into(), encoding));
        }
    }
}
