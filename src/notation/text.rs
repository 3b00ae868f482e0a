//! The encodings of text files: UTF-8; GB18030 with its older parts GBK and GB2312, and Big5, which
//! Chinese programs still write; UTF-16 of Windows. Knows no notation.

use std::borrow::Cow;

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

/// Bytes of a text that are looked at to tell its encoding.
const SAMPLE: usize = 1 << 16;

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
    let encoding = guess(bytes);
    let text = match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(bytes),
        other => codec(other).decode_without_bom_handling(bytes).0,
    };
    let text = match text {
        Cow::Borrowed(text) => text.trim_start_matches(BYTE_ORDER_MARK).into(),
        Cow::Owned(text) if text.starts_with(BYTE_ORDER_MARK) => {
            text.trim_start_matches(BYTE_ORDER_MARK).to_owned().into()
        }
        owned @ Cow::Owned(_) => owned,
    };
    (text, encoding)
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

fn guess(bytes: &[u8]) -> Encoding {
    if str::from_utf8(bytes).is_ok() && !bytes.contains(&0) {
        return Encoding::Utf8;
    }
    if let Some(encoding) = wide(bytes) {
        return encoding;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let men = |encoding: Encoding| {
        let text = codec(encoding).decode_without_bom_handling(sample).0;
        2 * COMMON * text.chars().filter(|&c| is_of_moves(c)).count() as i64
    };
    // Most files that are not UTF-8 are of the mainland: in doubt they are.
    let doubt = sample.iter().filter(|&&byte| byte >= 0x80).count() as i64 / 8;
    let candidates = [
        (Encoding::Gb18030, familiar(sample, gb_pair) + men(Encoding::Gb18030) + doubt),
        (Encoding::Big5, familiar(sample, big5_pair) + men(Encoding::Big5)),
        (Encoding::Utf8, familiar_utf8(sample) + men(Encoding::Utf8)),
    ];
    let best = candidates.iter().map(|&(_, points)| points).max();
    let best = candidates.iter().find(|&&(_, points)| Some(points) == best);
    best.map_or(Encoding::Utf8, |&(encoding, _)| encoding)
}

/// Points for a character in the part of an encoding where everyday ones are.
const COMMON: i64 = 2;
/// For a sign, a digit or a rare character.
const KNOWN: i64 = 1;
/// For what is there, but hardly ever used.
const ODD: i64 = -1;
/// For bytes that are no character.
const BROKEN: i64 = -8;

/// Whether moves are written with a character.
fn is_of_moves(c: char) -> bool {
    matches!(
        c,
        '车' | '車'
            | '俥'
            | '马'
            | '馬'
            | '傌'
            | '炮'
            | '砲'
            | '兵'
            | '卒'
            | '相'
            | '象'
            | '仕'
            | '士'
            | '帅'
            | '帥'
            | '将'
            | '將'
            | '进'
            | '進'
            | '退'
            | '平'
            | '前'
            | '后'
            | '後'
            | '一'
            | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
    )
}

/// How much some bytes look like text of two bytes a character.
fn familiar(bytes: &[u8], points: impl Fn(u8, u8) -> i64) -> i64 {
    let (mut at, mut sum) = (0, 0);
    while let Some(&lead) = bytes.get(at) {
        if lead < 0x80 {
            at += 1;
            continue;
        }
        let Some(&trail) = bytes.get(at + 1) else { break };
        let found = points(lead, trail);
        sum += found;
        at += if found == BROKEN { 1 } else { 2 };
    }
    sum
}

fn gb_pair(lead: u8, trail: u8) -> i64 {
    match (lead, trail) {
        // The first level of GB 2312, by sound.
        (0xB0..=0xD7, 0xA1..=0xFE) => COMMON,
        (0xA1..=0xA3, 0xA1..=0xFE) => KNOWN,
        (0xD8..=0xF7, 0xA1..=0xFE) => 0,
        (0x81..=0xFE, 0x30..=0x39 | 0x40..=0x7E | 0x80..=0xFE) => ODD,
        _ => BROKEN,
    }
}

fn big5_pair(lead: u8, trail: u8) -> i64 {
    match (lead, trail) {
        // The first level of Big5, by strokes.
        (0xA4..=0xC6, 0x40..=0x7E | 0xA1..=0xFE) => COMMON,
        (0xA1..=0xA2, 0x40..=0x7E | 0xA1..=0xFE) => KNOWN,
        (0xC9..=0xF9, 0x40..=0x7E | 0xA1..=0xFE) => 0,
        (0x81..=0xFE, 0x40..=0x7E | 0xA1..=0xFE) => ODD,
        _ => BROKEN,
    }
}

fn familiar_utf8(bytes: &[u8]) -> i64 {
    let point = |chunk: std::str::Utf8Chunk| {
        let wide = chunk.valid().chars().filter(|c| !c.is_ascii()).count() as i64;
        // A character cut by the end of the sample is no fault of the text.
        let broken = if chunk.invalid().is_empty() { 0 } else { BROKEN };
        // What is right in UTF-8 hardly ever is so by chance.
        2 * COMMON * wide + broken
    };
    bytes.utf8_chunks().map(point).sum()
}

fn codec(encoding: Encoding) -> &'static encoding_rs::Encoding {
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
