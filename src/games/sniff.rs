//! Telling what a file is by its first bytes, whatever its name says.

use super::{FileFormat, OpenError, ccbridge, dhtmlxq, lines::is_wide, list, pgn, wxf, xqf};
use crate::{notation::text, records};

/// Bytes that are looked at.
pub(super) const HEAD: usize = 1 << 16;

/// What files begin with that hold no games, and what they are.
const FOREIGN: [(&[u8], &str); 15] = [
    (b"PK\x03\x04", "a ZIP archive, which is to be unpacked first"),
    (b"Rar!", "a RAR archive, which is to be unpacked first"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive, which is to be unpacked first"),
    (b"\x1F\x8B", "a gzip archive, which is to be unpacked first"),
    (b"BZh", "a bzip2 archive, which is to be unpacked first"),
    (b"\xFD7zXZ", "an xz archive, which is to be unpacked first"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xFF\xD8\xFF", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"MZ", "a program for Windows"),
    (b"\x7FELF", "a program for Linux"),
    (b"SQLite format 3", "a database, perhaps an opening book (see `chuhe book`)"),
    (b"\xD0\xCF\x11\xE0", "a document of Microsoft Office"),
    (b"{\\rtf", "a document (RTF)"),
];

/// What a file is that begins with these bytes.
pub(super) fn format(head: &[u8]) -> Result<FileFormat, OpenError> {
    if head.starts_with(xqf::MAGIC) && head.get(2).is_some_and(|version| *version < b' ') {
        return Ok(FileFormat::Xqf);
    }
    if head.starts_with(ccbridge::RECORD_MAGIC) {
        return Ok(FileFormat::Cbr);
    }
    if head.starts_with(ccbridge::LIBRARY_MAGIC) {
        return Ok(FileFormat::Cbl);
    }
    if ccbridge::is_old_library(head) {
        return Ok(FileFormat::OldCbl);
    }
    if head.starts_with(&records::MAGIC) {
        return Ok(FileFormat::Records);
    }
    if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(OpenError::Foreign(what));
    }
    text_format(head)
}

fn text_format(head: &[u8]) -> Result<FileFormat, OpenError> {
    let head = &head[..before_wide(head)];
    let (text, encoding) = text::decode(head);
    let wide = matches!(encoding, text::Encoding::Utf16Le | text::Encoding::Utf16Be);
    let control =
        |byte: &&u8| **byte < 9 || (14..32).contains(*byte) && **byte != 26 && **byte != 27;
    if !wide && head.iter().filter(control).count() * 20 > head.len() {
        return Err(OpenError::Foreign("binary data of a kind that is not known"));
    }
    let beginning = text.trim_start_matches(pgn::is_blank);
    if beginning.is_empty() {
        return Err(OpenError::Empty);
    }
    // What a comment says may look like anything.
    if pgn::begins_tag(beginning.as_bytes()) {
        return Ok(FileFormat::Pgn);
    }
    if text.contains(dhtmlxq::MARK) {
        return Ok(FileFormat::DhtmlXq);
    }
    if text.contains(ccbridge::XML_ROOT) && beginning.starts_with('<') {
        return Ok(FileFormat::Cbf);
    }
    if beginning.starts_with('{') && beginning[1..].trim_start().starts_with('"') {
        return Ok(FileFormat::Json);
    }
    let mut lines = text.split(['\n', '\r']);
    if text.contains(wxf::START) && lines.clone().any(|line| wxf::begins(line.as_bytes()))
        || beginning.starts_with(wxf::START)
    {
        return Ok(FileFormat::Wxf);
    }
    if lines.any(|line| pgn::begins_tag(line.as_bytes())) {
        return Ok(FileFormat::Pgn);
    }
    if beginning.starts_with('<') {
        // Its games may come late.
        return Ok(FileFormat::DhtmlXq);
    }
    // Of a line that goes on and on nothing is known yet, nor of those after it.
    let told = head.len() < HEAD || text.contains(['\n', '\r']);
    if told && !list::has_game(&text) {
        return Err(OpenError::Foreign("text without a game"));
    }
    Ok(FileFormat::List)
}

/// How many bytes come before UTF-16 that follows other text; its zeros are no sign of binary data.
fn before_wide(head: &[u8]) -> usize {
    if is_wide(head) {
        return head.len();
    }
    let lines = head.split_inclusive(|&byte| byte == b'\n');
    let narrow = lines.take_while(|line| !is_wide(line)).map(<[u8]>::len).sum();
    if narrow == 0 { head.len() } else { narrow }
}
