//! The cipher of XQF: four numbers in the head give what is added to points, lengths and all bytes of
//! the moves.

use super::{LAST_PLAIN, at};

/// Bytes that the key of the stream is cut from, as XQStudio has them.
const SEED: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// What is added to everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    /// To the men's points, and how far the men are moved round.
    pub(super) men: u8,
    /// To where moves start.
    pub(super) from: u8,
    /// To where moves end.
    pub(super) to: u8,
    /// To the lengths of comments.
    pub(super) length: u32,
    /// To the bytes of the moves, by their place in the file.
    stream: [u8; 32],
}

impl Keys {
    /// The keys of a file with this head; `None` when its numbers do not belong together.
    pub(super) fn of(head: &[u8; super::HEAD]) -> Option<Self> {
        if head[at::VERSION] <= LAST_PLAIN {
            return Some(Self::default());
        }
        let [sum, xy, from, to] = [0, 1, 2, 3].map(|index| head[at::SUM + index]);
        if [sum, xy, from, to].into_iter().fold(0_u8, u8::wrapping_add) != 0 {
            return None;
        }
        let square = |byte: u8| byte.wrapping_mul(byte).wrapping_mul(54).wrapping_add(221);
        let men = square(xy).wrapping_mul(xy);
        let from_key = square(from).wrapping_mul(men);
        let to_key = square(to).wrapping_mul(from_key);
        let length = (u32::from(sum) * 256 + u32::from(xy)) % 32_000 + 767;
        let mask = head[at::MASK];
        let cut = |index: usize| head[at::SUM + index] & mask | head[at::OR_BYTES + index];
        let cut = [0, 1, 2, 3].map(cut);
        let stream = std::array::from_fn(|index| SEED[index] & cut[index % 4]);
        Some(Self { men, from: from_key, to: to_key, length, stream })
    }

    /// What is added to the byte at a place of the file.
    pub(super) fn stream(&self, at: usize) -> u8 {
        self.stream[at % 32]
    }
}
