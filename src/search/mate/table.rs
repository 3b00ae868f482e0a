//! What a proof search remembers of positions, in bounded memory. Knows keys and numbers alone.

use super::Proof;
use crate::simd::Zeros;

/// Bits of a proof number.
pub(super) const PROOF_BITS: u32 = 20;
/// Bits of a number of moves, and of the work spent.
const MOVES_BITS: u32 = 6;

/// Entries that share a place, a cache line.
const WAYS: usize = 4;

/// What is known of a position: in how many moves the attacker mates, in how many it does not, and
/// how far one number of moves between these is from being settled.
///
/// From the least bits up: the proof numbers for `moves`, `moves`, the least number of moves known to
/// mate (0: none), the greatest known not to (0: none), and the logarithm of the nodes spent.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry(u64);

impl Entry {
    const fn field(self, shift: u32, bits: u32) -> u32 {
        (self.0 >> shift & ((1 << bits) - 1)) as u32
    }

    fn numbers(self) -> Proof {
        Proof { mate: self.field(0, PROOF_BITS), escape: self.field(PROOF_BITS, PROOF_BITS) }
    }

    fn moves(self) -> u32 {
        self.field(2 * PROOF_BITS, MOVES_BITS)
    }

    fn mates_in(self) -> Option<u32> {
        Some(self.field(2 * PROOF_BITS + MOVES_BITS, MOVES_BITS)).filter(|&moves| moves > 0)
    }

    fn escapes(self) -> u32 {
        self.field(2 * PROOF_BITS + 2 * MOVES_BITS, MOVES_BITS)
    }

    fn work(self) -> u32 {
        self.field(2 * PROOF_BITS + 3 * MOVES_BITS, MOVES_BITS)
    }

    /// What is known with so many moves left.
    pub(super) fn proof(self, moves: u32) -> Option<Proof> {
        if self.mates_in().is_some_and(|mates_in| mates_in <= moves) {
            Some(Proof::MATE)
        } else if self.escapes() >= moves {
            Some(Proof::ESCAPE)
        } else {
            (self.moves() == moves).then(|| self.numbers())
        }
    }

    /// The same with what was found since.
    fn updated(self, moves: u32, proof: Proof, nodes: u64) -> Self {
        let (mut mates_in, mut escapes) = (self.mates_in().unwrap_or(0), self.escapes());
        let (mut numbers, mut about) = (self.numbers(), self.moves());
        if proof.mate == 0 {
            mates_in = if mates_in == 0 { moves } else { mates_in.min(moves) };
        } else if proof.escape == 0 {
            escapes = escapes.max(moves);
        } else {
            (numbers, about) = (proof, moves);
        }
        let work = self.work().max(64 - nodes.leading_zeros()).min((1 << MOVES_BITS) - 1);
        let fields = [
            (numbers.mate, PROOF_BITS),
            (numbers.escape, PROOF_BITS),
            (about, MOVES_BITS),
            (mates_in, MOVES_BITS),
            (escapes, MOVES_BITS),
            (work, MOVES_BITS),
        ];
        let packed =
            fields.iter().rev().fold(0, |packed, &(value, bits)| packed << bits | u64::from(value));
        Self(packed)
    }
}

/// Entries by key, of a fixed number.
pub(super) struct Table {
    /// Key and entry; no entry is 0.
    slots: Zeros<[[u64; 2]; WAYS]>,
}

impl Table {
    /// A table of so many megabytes; `None`: there are not as many.
    pub(super) fn new(megabytes: usize) -> Option<Self> {
        let lines = (megabytes.max(1) << 20) / size_of::<[[u64; 2]; WAYS]>();
        Zeros::new(lines).map(|slots| Self { slots })
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let ways = &self.slots[self.place(key)];
        let found = ways.iter().find(|&&[stored, entry]| stored == key && entry != 0);
        found.map(|&[_, entry]| Entry(entry))
    }

    /// Notes what was found of a position with so many moves left, in place of what took least work.
    pub(super) fn store(&mut self, key: u64, moves: u32, proof: Proof, nodes: u64) {
        let place = self.place(key);
        let ways = &mut self.slots[place];
        let same = ways.iter().position(|&[stored, entry]| stored == key && entry != 0);
        let least = || (0..WAYS).min_by_key(|&way| (Entry(ways[way][1]).work(), ways[way][1] != 0));
        let way = same.or_else(least).unwrap_or(0);
        let known = if same.is_some() { Entry(ways[way][1]) } else { Entry::default() };
        ways[way] = [key, known.updated(moves, proof, nodes).0];
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }
}
