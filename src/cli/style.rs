//! How games are written, as the command line says it: the notation of moves and the encoding of the
//! file.

use std::borrow::Cow;

use crate::notation::{
    Digits, Format, Script, Style,
    text::{BYTE_ORDER_MARK, Encoding, encode, fitting, missing},
};

/// How moves are written.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Notation {
    /// H2-E2
    Iccs,
    /// 炮二平五
    Chinese,
    /// 炮二平五 in traditional characters.
    Traditional,
    /// C2=5
    Wxf,
}

impl Notation {
    pub(super) fn format(self) -> Format {
        let chinese = |script| Format::Chinese(Style { script, digits: Digits::Wide });
        match self {
            Self::Iccs => Format::Iccs,
            Self::Wxf => Format::Wxf,
            Self::Chinese => chinese(Script::Simplified),
            Self::Traditional => chinese(Script::Traditional),
        }
    }
}

/// Reads the name of an encoding.
pub(super) fn encoding(text: &str) -> Result<Encoding, String> {
    match text.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Ok(Encoding::Utf8),
        "gb18030" | "gbk" | "gb2312" => Ok(Encoding::Gb18030),
        "big5" | "big-5" => Ok(Encoding::Big5),
        "utf-16" | "utf16" | "utf-16le" => Ok(Encoding::Utf16Le),
        _ => Err("utf-8, gb18030, big5 and utf-16 are known".into()),
    }
}

/// What is told of games with characters that the encoding of their file lacks, if there are any.
pub(super) fn lacking(games: usize) -> Option<String> {
    let told = "characters that the encoding of the PGN lacks, with ? in their places";
    (games > 0).then(|| format!("note: {games} games have {told}"))
}

/// A game of PGN as a file of an encoding has it, `first` being the first of the file, and a character
/// that the encoding lacks, if there is any.
pub(super) fn encoded(
    text: String,
    encoding: Encoding,
    first: bool,
) -> (Cow<'static, [u8]>, Option<char>) {
    if encoding == Encoding::Utf8 {
        return (text.into_bytes().into(), None);
    }
    // Programs that read other encodings know the line ends of their own system only.
    let mut text = fitting(text.replace('\n', "\r\n"), encoding);
    let missing = missing(&text, encoding);
    if first && encoding == Encoding::Utf16Le {
        text.insert(0, BYTE_ORDER_MARK);
    }
    (encode(&text, encoding).into_owned().into(), missing)
}
