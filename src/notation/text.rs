//! The encodings of text files: UTF-8, and GB18030 with its older parts GBK and GB2312, which
//! Chinese programs still write. Knows no notation.

use std::borrow::Cow;

/// How a file's characters are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// What everything new writes.
    #[default]
    Utf8,
    /// The Chinese standard; whatever is GBK or GB2312 is this, too.
    Gb18030,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of some bytes, and how they stored it. What is not UTF-8 is taken for GB18030; bytes
/// that neither knows are replaced.
///
/// ```
/// use chuhe::notation::text::{Encoding, decode};
/// assert_eq!(decode(b"\xc5\xda"), ("炮".into(), Encoding::Gb18030));
/// ```
pub fn decode(bytes: &[u8]) -> (Cow<'_, str>, Encoding) {
    match str::from_utf8(bytes) {
        Ok(text) => (text.trim_start_matches(BYTE_ORDER_MARK).into(), Encoding::Utf8),
        Err(_) => (encoding_rs::GB18030.decode(bytes).0, Encoding::Gb18030),
    }
}

/// The bytes of a text. Either encoding has every character.
pub fn encode(text: &str, encoding: Encoding) -> Cow<'_, [u8]> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().into(),
        Encoding::Gb18030 => encoding_rs::GB18030.encode(text).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_either_encoding() {
        for text in ["炮二平五 馬８進７ 砗俥傌砲 é 😀 ascii", ""] {
            for encoding in [Encoding::Utf8, Encoding::Gb18030] {
                let bytes = encode(text, encoding);
                assert_eq!(decode(&bytes).0, text, "{encoding:?}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(decode(b"\xef\xbb\xbf[Event]").0, "[Event]");
    }
}
