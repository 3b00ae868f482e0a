//! CBL of CCBridge 2: games one after the other, texts in the Chinese encoding of Windows with their
//! lengths, all of it compressed or not. Known from a description only.

use super::result;
use crate::{
    games::{
        Fault, Found, GameError, Place,
        board::{Board, man, point},
        bytes::{Bytes, long_at, narrow_encoding, narrow_text},
        lines::MOST,
        tree::{Draft, ROOT},
    },
    position::Position,
    types::{Color, Square},
};

/// The first bytes; neither a record nor a new library has a number after them.
const MAGIC: &[u8; 8] = b"CCBridge";
/// Bytes before what may be compressed.
const HEAD: usize = 20;
/// Bytes of a date and time.
const TIME: usize = 19;

/// Whether a file begins like such a library.
pub(in crate::games) fn is_old_library(head: &[u8]) -> bool {
    head.starts_with(MAGIC) && head.len() >= HEAD && !head[8].is_ascii_graphic() && head[8] != b' '
}

/// The games of such a library.
pub(in crate::games) struct OldLibrary {
    bytes: Vec<u8>,
    at: usize,
    left: u32,
    number: usize,
    name: String,
}

impl OldLibrary {
    /// Opens the library that a file is.
    pub(in crate::games) fn open(bytes: &[u8]) -> Result<Self, Fault> {
        let compressed = long_at(bytes, 12).ok_or(Fault::Truncated)? != 0;
        let body = bytes.get(HEAD..).ok_or(Fault::Truncated)?;
        let bytes = if compressed { inflate(body)? } else { body.to_vec() };
        let mut head = Bytes::new(&bytes, 0);
        let name = text(&mut head)?;
        let name = narrow_text(name, narrow_encoding([name])).replace("||", "\n");
        // Source, other, maker and mail.
        for _ in 0..4 {
            text(&mut head)?;
        }
        head.take(2 * TIME)?;
        let left = head.long()?;
        text(&mut head)?;
        let at = head.at;
        Ok(Self { bytes, at, left, number: 0, name })
    }

    pub(in crate::games) fn name(&self) -> &str {
        &self.name
    }

    /// How many games are to come.
    pub(in crate::games) fn games(&self) -> u64 {
        self.left.into()
    }
}

fn inflate(body: &[u8]) -> Result<Vec<u8>, Fault> {
    use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};
    let most = 2 * MOST;
    let inflated = decompress_to_vec_zlib_with_limit(body, most)
        .or_else(|_| decompress_to_vec_with_limit(body, most));
    inflated.map_err(|_| Fault::Damaged("it cannot be decompressed".into()))
}

impl Iterator for OldLibrary {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.number += 1;
        let offset = self.at as u64;
        let size = long_at(&self.bytes, self.at).map(|size| size as usize);
        let game = size
            .and_then(|size| self.bytes.get(self.at..)?.get(..size))
            .filter(|game| game.len() > 4);
        let Some(game) = game else {
            // Where the next one begins is not known.
            self.left = 0;
            let place = Place { game: self.number, byte: Some(offset), ..Place::default() };
            return Some(Err(GameError {
                place,
                fault: Fault::Truncated,
                partial: None,
                remarks: Vec::new(),
            }));
        };
        self.at += game.len();
        let draft = read(game, offset).unwrap_or_else(|fault| {
            let mut draft = Draft::new(Position::start(), offset);
            draft.fault = Some((offset, fault));
            draft
        });
        Some(draft.finish(self.number))
    }
}

fn read(game: &[u8], offset: u64) -> Result<Draft, Fault> {
    let mut game = Bytes::new(game, 4);
    let men = game.array::<32>()?;
    game.long()?;
    let mut tags = vec![("Event", text(&mut game)?)];
    game.long()?;
    for name in ["Title", "Source", "Other", "Site", "Date", "Red", "Black"] {
        tags.push((name, text(&mut game)?));
    }
    let outcome = result(game.long()?);
    for name in ["Annotator", "AnnotatorMail", "Author", "AuthorMail"] {
        tags.push((name, text(&mut game)?));
    }
    let preface = text(&mut game)?;
    let side = if game.byte()? == 1 { Color::Red } else { Color::Black };
    game.take(2 * TIME)?;
    let mut board = Board::new();
    for (index, &code) in men.iter().enumerate().filter(|(_, code)| **code != 0) {
        let square = corner(code).ok_or_else(|| Fault::Damaged("a man stands nowhere".into()))?;
        if let Some(man) = man(index) {
            board.put(man, square);
        }
    }
    let mut draft = Draft::new(board.position(side, 1)?, offset);
    draft.game.result = outcome;
    let mut comments = vec![(ROOT, preface.to_vec())];
    if let Err(fault) = moves(&mut game, &mut draft, &mut comments) {
        draft.fault = Some((offset + game.at as u64, fault));
    }
    let texts = tags.iter().map(|(_, text)| *text);
    let encoding = narrow_encoding(texts.chain(comments.iter().map(|(_, text)| &**text)));
    let text = |bytes: &[u8]| narrow_text(bytes, encoding).replace("||", "\n");
    for (name, value) in tags {
        draft.game.add_tag(name, &text(value));
    }
    for (node, comment) in comments {
        draft.tree.comment(node, &text(&comment));
    }
    Ok(draft)
}

fn moves(
    game: &mut Bytes,
    draft: &mut Draft,
    comments: &mut Vec<(usize, Vec<u8>)>,
) -> Result<(), Fault> {
    let count = game.long()? as usize;
    // Each takes six bytes, so that no number is believed that is too great.
    if count > game.left() / 6 {
        return Err(Fault::Truncated);
    }
    let mut nodes = Vec::new();
    // The node at each depth of the line that was written last.
    let mut path: Vec<usize> = Vec::new();
    let mut first = None;
    for _ in 0..count {
        let [low, high, from, to, ..] = game.array::<6>()?;
        let number = u16::from_le_bytes([low, high]);
        let depth = usize::from(number.wrapping_sub(*first.get_or_insert(number)));
        if depth > path.len() {
            return Err(Fault::Damaged("a variation begins where no move is".into()));
        }
        path.truncate(depth);
        let parent = path.last().copied().unwrap_or(ROOT);
        let node = draft.tree.add(parent, square(from).zip(square(to)))?;
        path.push(node);
        nodes.push(node);
    }
    for node in nodes {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            line.push(game.byte()?);
        }
        comments.push((node, line));
    }
    Ok(())
}

/// The point of a man: file and rank from Black's right, both from 1.
fn corner(code: u8) -> Option<Square> {
    point((code >> 4).checked_sub(1)?, 10_u8.checked_sub(code & 15)?)
}

/// The point of a move: likewise from 0.
fn square(code: u8) -> Option<Square> {
    point(code >> 4, 9_u8.checked_sub(code & 15)?)
}

fn text<'a>(bytes: &mut Bytes<'a>) -> Result<&'a [u8], Fault> {
    let length = bytes.long()?;
    // A negative length is none.
    let length = if length > i32::MAX as u32 { 0 } else { length as usize };
    bytes.take(length)
}
