//! Telling how a text is stored by what it looks like. A name of two characters may be text in three
//! encodings; the guess says how sure it is. Knows no files.

use super::text::{self, Encoding, UNKNOWN};

/// Bytes of a text that are looked at.
const SAMPLE: usize = 1 << 16;

/// What bytes look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) encoding: Encoding,
    /// Whether they can hardly be anything else.
    pub(super) sure: bool,
}

/// How some bytes are stored. In doubt they are GB18030: most files that are not UTF-8 are of the
/// mainland.
pub(super) fn guess(bytes: &[u8]) -> Guess {
    if bytes.is_ascii() && !bytes.contains(&0) {
        return Guess { encoding: Encoding::Utf8, sure: false };
    }
    if let Some(encoding) = text::wide(bytes) {
        return Guess { encoding, sure: true };
    }
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let utf8 = unicode(sample);
    if let Some(guess) = utf8 {
        return guess;
    }
    let men = |encoding: Encoding| {
        let text = text::codec(encoding).decode_without_bom_handling(sample).0;
        2 * COMMON * text.chars().filter(|&c| is_of_moves(c)).count() as i64
    };
    let gb = familiar(sample, gb_pair) + men(Encoding::Gb18030);
    let big5 = familiar(sample, big5_pair) + men(Encoding::Big5);
    let utf8 = familiar_utf8(sample) + men(Encoding::Utf8);
    if utf8 > gb.max(big5) {
        return Guess { encoding: Encoding::Utf8, sure: true };
    }
    // One rare character of GBK among everyday ones looks like Big5 by as much.
    let doubt = (sample.iter().filter(|&&byte| byte >= 0x80).count() as i64 / 2).max(3);
    match big5 - gb {
        lead if lead > doubt => Guess { encoding: Encoding::Big5, sure: true },
        lead => Guess { encoding: Encoding::Gb18030, sure: lead < -3 },
    }
}

/// What a text is that may be UTF-8 as a whole. Text in other encodings can be so by chance, but then
/// hardly has characters of three bytes, and its letters do not go together.
fn unicode(sample: &[u8]) -> Option<Guess> {
    let text = match str::from_utf8(sample) {
        Ok(text) => text,
        // A character may be cut by the end of the sample.
        Err(error) if error.error_len().is_none() && sample.len() == SAMPLE => {
            str::from_utf8(&sample[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return None,
    };
    if text.contains('\0') {
        return None;
    }
    if text.chars().any(|c| c > '\u{7ff}') {
        return Some(Guess { encoding: Encoding::Utf8, sure: true });
    }
    let mut sure = false;
    for word in text.split(|c: char| c.is_ascii() && !c.is_ascii_alphabetic()) {
        let wide = word.chars().filter(|c| !c.is_ascii() && !is_sign(*c)).count();
        if wide == 0 {
            continue;
        }
        let plain = word.chars().any(|c| c.is_ascii_alphabetic());
        let mut letters = word.chars().filter(|c| !is_sign(*c));
        if letters.clone().all(|c| matches!(c, 'a'..='z' | 'A'..='Z' | 'À'..='ſ')) {
            sure |= plain;
        } else if letters.clone().all(|c| ('Ѐ'..='џ').contains(&c))
            || letters.all(|c| ('Ά'..='ώ').contains(&c))
        {
            sure |= wide > 2;
        } else {
            return None;
        }
    }
    Some(Guess { encoding: Encoding::Utf8, sure })
}

/// Whether a character stands between words in any language of letters: « » · ½.
fn is_sign(c: char) -> bool {
    ('\u{a0}'..='¿').contains(&c)
}

/// Points for a character in the part of an encoding where everyday ones are.
const COMMON: i64 = 2;
/// For a sign, a digit or a rare character.
const KNOWN: i64 = 1;
/// For what is there, but hardly ever used.
const ODD: i64 = -1;
/// For what does not belong into a Chinese text.
const FOREIGN: i64 = -3;
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
        // Letters of other languages, and what is left to the user.
        (0xA4..=0xAF | 0xF8..=0xFE, 0xA1..=0xFE) => FOREIGN,
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

/// Points for text in UTF-8 with foreign bytes in it.
fn familiar_utf8(bytes: &[u8]) -> i64 {
    let point = |chunk: std::str::Utf8Chunk| {
        // What is right in three bytes hardly ever is so by chance.
        let wide = chunk.valid().chars().filter(|&c| c > '\u{7ff}' && c != UNKNOWN).count() as i64;
        // A character cut by the end of the sample is no fault of the text.
        let broken = if chunk.invalid().is_empty() { 0 } else { BROKEN };
        2 * COMMON * wide + broken
    };
    bytes.utf8_chunks().map(point).sum()
}

#[cfg(test)]
mod tests {
    use super::{
        text::{Decoder, decode, decode_as, encode},
        *,
    };

    /// Players of the mainland, in simplified characters.
    const SIMPLIFIED: &str = "郑惟桐 杨官璘 平 胡荣华 王天一 吕钦 许银川 赵国荣 柳大华 徐天红 李来群 陶汉明 于幼华 洪智 赵鑫鑫 蒋川 孙勇征 谢靖 徐超 汪洋 孟辰 王斌 金波 卜凤波 苗永鹏 谢岿 聂铁文 申鹏 程鸣 黄竹风 武俊强 许国义 李少庚 张强 王跃飞 党斐 万春林 程吉俊 赵玮 曹岩磊 陆伟韬 郭凤达 孙浩宇 唐丹 王琳娜 尤颖钦 郭莉萍 胡明 单霞丽 党国蕾 陈丽淳 金海英 张国凤 伍霞 谢小军 黎德志 陈孝堃 廖二平 宿少峰 李翰林";
    /// Others, in traditional ones.
    const TRADITIONAL: &str = "胡榮華 許銀川 呂欽 趙國榮 楊官璘 柳大華 徐天紅 李來群 陶漢明 于幼華 洪智 趙鑫鑫 蔣川 孫勇征 謝靖 陳振國 林世偉 吳貴臨 馬仲威 高懿屏 江中豪 葛振衣 莫偉明 趙汝權 陳志文 黃學謙 趙冠芳 張亞明 周世傑 王斌";

    fn names(names: &str) -> impl Iterator<Item = &str> {
        names.split_whitespace()
    }

    #[test]
    fn a_single_name_of_the_mainland_is_read_as_it_was_written() {
        for name in names(SIMPLIFIED) {
            for encoding in [Encoding::Gb18030, Encoding::Utf8] {
                let tag = format!("[Red \"{name}\"]");
                for text in [name, &tag] {
                    assert_eq!(decode(&encode(text, encoding)), (text.into(), encoding));
                }
            }
        }
    }

    #[test]
    fn names_in_big5_are_told_by_two_of_them_or_by_the_other_games() {
        let big5 = |text: &str| encode(text, Encoding::Big5).into_owned();
        let alone = names(TRADITIONAL).filter(|name| decode(&big5(name)).0 == *name).count();
        assert!(2 * alone > names(TRADITIONAL).count(), "{alone}");
        let mut decoder = Decoder::new(&big5("[Event \"象棋\"]\n1. 炮二平五 馬8進7"));
        for name in names(TRADITIONAL) {
            assert_eq!(decoder.decode(&big5(name)), name);
        }
        let both = "[Red \"許銀川\"]\n[Black \"呂欽\"]\n[Site \"臺北\"]";
        assert_eq!(decode(&big5(both)), (both.into(), Encoding::Big5));
    }

    #[test]
    fn names_in_other_languages_are_no_chinese_ones() {
        for name in ["André", "Jürgen Müller", "Đặng Hữu Trang", "Иванов И.", "«Ход»", "½-½"]
        {
            let bytes = name.as_bytes();
            assert_eq!(decode(bytes), (name.into(), Encoding::Utf8));
            // Not even among Chinese ones.
            let mut decoder = Decoder::of(Encoding::Gb18030);
            let sure = guess(bytes).sure;
            assert!(!sure || decoder.decode(bytes) == name, "{name}");
            assert!(sure || !name.contains(char::is_alphabetic), "{name}");
        }
    }

    #[test]
    fn a_game_that_is_sure_is_read_as_such_among_others() {
        let mut decoder = Decoder::of(Encoding::Utf8);
        for (text, encoding) in [
            ("炮二平五 马8进7", Encoding::Gb18030),
            ("平", Encoding::Gb18030),
            ("炮二平五 馬8進7", Encoding::Big5),
            ("炮二平五 马8进7", Encoding::Utf8),
        ] {
            let bytes = encode(text, encoding);
            assert_eq!(decoder.decode(&bytes), text);
            assert_eq!(decode_as(&bytes, encoding), text);
        }
    }
}
