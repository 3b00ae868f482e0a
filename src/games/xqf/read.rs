//! Reading XQF.

use super::{
    FIRST_ROTATED, FROM_OFFSET, HEAD, LAST_PLAIN, LONGEST_TITLE, TEXTS, TO_OFFSET, at, keys::Keys,
};
use crate::{
    games::{
        Fault,
        board::{Board, man, point},
        bytes::{narrow_encoding, narrow_text},
        tree::{Draft, ROOT},
    },
    notation::GameResult,
    position::Position,
    types::{Color, Square},
};

/// The game of a file.
pub(in crate::games) fn read(bytes: &[u8]) -> Draft {
    match open(bytes) {
        Ok(draft) => draft,
        Err(fault) => {
            let mut draft = Draft::new(Position::start(), 0);
            draft.fault = Some((0, fault));
            draft
        }
    }
}

fn open(bytes: &[u8]) -> Result<Draft, Fault> {
    let head: &[u8; HEAD] = bytes.first_chunk().ok_or(Fault::Truncated)?;
    let keys = Keys::of(head).ok_or_else(|| {
        Fault::Damaged("the numbers that it is enciphered by do not add up to zero".into())
    })?;
    let version = head[at::VERSION];
    let side = if head[at::MOVER] == 1 { Color::Black } else { Color::Red };
    let mut draft = Draft::new(board(head, version, &keys)?.position(side, 1)?, 0);
    draft.doubtful_side = true;
    draft.game.result = match head[at::RESULT] {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    };
    let mut tags = Vec::new();
    for (name, at, width) in TEXTS {
        let title = usize::from(head[at::TITLE]);
        let length = usize::from(head[at]);
        let length = match name {
            "Title" => length.min(LONGEST_TITLE),
            // A long title stands there.
            "Title2" if title > 63 => continue,
            _ => length.min(width - 1),
        };
        tags.push((name, &head[at + 1..=at + length]));
    }
    let mut comments = Vec::new();
    let mut moves = Moves { bytes, at: HEAD, version, keys };
    if let Err(fault) = moves.read(&mut draft, &mut comments) {
        draft.fault = Some((moves.at as u64, fault));
    }
    let texts = tags.iter().map(|(_, text)| *text);
    let encoding = narrow_encoding(texts.chain(comments.iter().map(|(_, text)| &**text)));
    for (name, text) in tags {
        draft.game.add_tag(name, &narrow_text(text, encoding));
    }
    for (node, text) in comments {
        draft.tree.comment(node, &narrow_text(&text, encoding));
    }
    Ok(draft)
}

fn board(head: &[u8; HEAD], version: u8, keys: &Keys) -> Result<Board, Fault> {
    let mut board = Board::new();
    let mut taken = [false; 90];
    for index in 0..32 {
        let slot = if version >= FIRST_ROTATED {
            // Each man stands one further than the key says.
            (index + usize::from(keys.men) + 1) % 32
        } else {
            index
        };
        let stored = head[at::MEN + index].wrapping_sub(keys.men);
        let (Some(square), Some(man)) = (square(stored), man(slot)) else { continue };
        if std::mem::replace(&mut taken[usize::from(stored)], true) {
            return Err(Fault::Damaged(format!("two men stand on {square}")));
        }
        board.put(man, square);
    }
    Ok(board)
}

/// The point with a number: ten ranks a file. Men that are not there have other numbers.
fn square(number: u8) -> Option<Square> {
    point(number / 10, number % 10)
}

struct Moves<'a> {
    bytes: &'a [u8],
    at: usize,
    version: u8,
    keys: Keys,
}

/// A move as it stands in the file.
struct Entry {
    points: Option<(Square, Square)>,
    comment: Vec<u8>,
    has_child: bool,
    has_sibling: bool,
}

impl Moves<'_> {
    /// Reads the moves, and the comments with the nodes that they belong to.
    fn read(
        &mut self,
        draft: &mut Draft,
        comments: &mut Vec<(usize, Vec<u8>)>,
    ) -> Result<(), Fault> {
        let first = self.entry()?;
        comments.push((ROOT, first.comment));
        // Nodes whose next child is to come.
        let mut open = Vec::new();
        if first.has_child {
            open.push(ROOT);
        }
        while let Some(parent) = open.pop() {
            let start = self.at;
            let entry = self.entry().inspect_err(|_| self.at = start)?;
            if entry.has_sibling {
                open.push(parent);
            }
            let node = draft.tree.add(parent, entry.points)?;
            comments.push((node, entry.comment));
            if entry.has_child {
                open.push(node);
            }
        }
        Ok(())
    }

    fn entry(&mut self) -> Result<Entry, Fault> {
        let [from, to, flags, _] = self.take::<4>()?;
        let plain = self.version <= LAST_PLAIN;
        let length = if plain {
            u32::from_le_bytes(self.take()?)
        } else if flags & 0x20 != 0 {
            let length = u32::from_le_bytes(self.take()?);
            length.checked_sub(self.keys.length).ok_or(Fault::Truncated)?
        } else {
            0
        };
        let left = self.bytes.len() - self.at;
        let length = usize::try_from(length).ok().filter(|&length| length <= left);
        let text = self.text(length.ok_or(Fault::Truncated)?);
        let from = square(from.wrapping_sub(FROM_OFFSET).wrapping_sub(self.keys.from));
        let to = square(to.wrapping_sub(TO_OFFSET).wrapping_sub(self.keys.to));
        let (child, sibling) = if plain { (0xF0, 0x0F) } else { (0x80, 0x40) };
        Ok(Entry {
            points: from.zip(to),
            comment: text,
            has_child: flags & child != 0,
            has_sibling: flags & sibling != 0,
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let taken: &[u8; N] =
            self.bytes.get(self.at..).and_then(<[u8]>::first_chunk).ok_or(Fault::Truncated)?;
        let first = self.at;
        self.at += N;
        Ok(std::array::from_fn(|index| taken[index].wrapping_sub(self.keys.stream(first + index))))
    }

    /// A text, of which there are as many bytes.
    fn text(&mut self, length: usize) -> Vec<u8> {
        let first = self.at;
        self.at += length;
        let clear =
            |(index, byte): (usize, &u8)| byte.wrapping_sub(self.keys.stream(first + index));
        self.bytes[first..self.at].iter().enumerate().map(clear).collect()
    }
}
