//! Numbers and texts of a file in bytes, none of which may be there.

use super::Fault;
use crate::notation::text::{Decoder, Encoding, decode_as};

/// Bytes that are read one after the other.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let end = self.at.checked_add(count).ok_or(Fault::Truncated)?;
        let taken = self.bytes.get(self.at..end).ok_or(Fault::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Fault> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn long(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }
}

/// A number of four bytes at a place.
pub(super) fn long_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Text in two bytes a character, up to a zero or the end.
pub(super) fn wide_text(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair));
    char::decode_utf16(units.take_while(|&unit| unit != 0))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The encoding of the texts of one game, all of which are in the same. The programs that write such
/// files are of the mainland's Windows, so that it is GB18030 unless the texts can be no such.
pub(super) fn narrow_encoding<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Encoding {
    // Zeros do not make text of an old program wide.
    let all: Vec<_> =
        texts.into_iter().flat_map(|text| [up_to_zero(text), b"\n"].concat()).collect();
    Decoder::of(Encoding::Gb18030).encoding(&all)
}

/// Text of one or two bytes a character; one that is cut at its end is left out.
pub(super) fn narrow_text(bytes: &[u8], encoding: Encoding) -> String {
    let text = decode_as(up_to_zero(bytes), encoding);
    text.trim_end_matches(['\u{fffd}', '\0', ' ']).into()
}

fn up_to_zero(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len())]
}
