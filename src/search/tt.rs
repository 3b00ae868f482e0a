//! What earlier searches found out about a position, shared by all threads without locks. Knows
//! keys, values and moves as numbers; a collided entry may hold any move, so users check legality.
//!
//! A cluster is four words, half a cache line: three entries and a word of their keys. A key is
//! kept mixed with its entry, so that two threads writing at once leave a miss, not a lie.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::{
    simd::{self, Zeros},
    types::{
        Bound, Move, Value,
        score::{self, MATE, MATE_BAND},
    },
};

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TtEntry {
    /// The best or refuting move; legal or not.
    pub(super) mv: Option<Move>,
    /// The value, mates counted from the root of the search that asks.
    pub(super) value: Value,
    /// The static evaluation.
    pub(super) eval: Option<Value>,
    /// How deep the search behind the value was.
    pub(super) depth: i32,
    /// What the value says.
    pub(super) bound: Bound,
    /// Whether the position was ever on a principal variation.
    pub(super) tt_pv: bool,
}

/// Memory for a table could not be had.
#[derive(Debug, thiserror::Error)]
#[error("no memory for a hash table of {mb} MB")]
pub struct HashError {
    mb: usize,
}

/// The table.
pub(super) struct Table {
    /// Clusters, none of which straddles two cache lines.
    words: Zeros<AtomicU64>,
    clusters: usize,
    mb: usize,
    age: AtomicU8,
    /// What keys are mixed with, so that nothing is found that was stored with another salt.
    salt: AtomicU64,
}

const ENTRIES: usize = 3;
const WORDS: usize = ENTRIES + 1;
const CLUSTER_BYTES: usize = WORDS * size_of::<u64>();
const KEY_BITS: u32 = 64 / ENTRIES as u32;
const KEY_MASK: u64 = (1 << KEY_BITS) - 1;

/// Up to so many megabytes a table is given its memory at once, so that no clock runs while the
/// system finds it, and is wiped in place. Larger ones grow as they fill and are exchanged for
/// blank ones: touching every page of them takes seconds.
const LARGE: usize = 256;
/// Words of what the system hands out at a time.
const PAGE: usize = 4096 / size_of::<u64>();

/// Depths are stored from here up, so that no entry is all zero; quiescence has depths below 0.
const DEPTH_BELOW: i32 = -8;
const AGES: u8 = 32;
/// How many plies of depth an entry is worth less for every search it is old.
const AGE_WEIGHT: i32 = 5;
/// A shallower result replaces a deeper one of the same position up to this many plies.
const SHALLOWER: i32 = 4;
const NO_EVAL: i16 = i16::MIN;

/// An entry as stored: move, value, evaluation 16 bits each, depth 8, age 5, was-PV 1, bound 2.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: &TtEntry, age: u8) -> Self {
        let value = entry.value.clamp(-MATE, MATE) as u16;
        let eval = entry
            .eval
            .map_or(NO_EVAL, |eval| eval.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16);
        let depth = (entry.depth - DEPTH_BELOW).clamp(1, 255) as u64;
        Self(
            u64::from(Move::to_bits(entry.mv))
                | u64::from(value) << 16
                | u64::from(eval as u16) << 32
                | depth << 48
                | u64::from(age) << 56
                | u64::from(entry.tt_pv) << 61
                | (entry.bound as u64) << 62,
        )
    }

    fn entry(self) -> TtEntry {
        let eval = (self.0 >> 32) as i16;
        TtEntry {
            mv: Move::from_bits(self.0 as u16),
            value: i32::from((self.0 >> 16) as i16),
            eval: (eval != NO_EVAL).then_some(i32::from(eval)),
            depth: self.depth(),
            bound: self.bound(),
            tt_pv: self.0 >> 61 & 1 == 1,
        }
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) + DEPTH_BELOW
    }

    fn bound(self) -> Bound {
        match self.0 >> 62 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    fn is_empty(self) -> bool {
        (self.0 >> 48) as u8 == 0
    }

    fn age(self) -> u8 {
        (self.0 >> 56) as u8 % AGES
    }

    /// What it is worth to keep.
    fn worth(self, now: u8) -> i32 {
        let searches = i32::from(now.wrapping_sub(self.age()) % AGES);
        if self.is_empty() { i32::MIN } else { self.depth() - AGE_WEIGHT * searches }
    }

    /// Bits that change with every part of the entry, to be mixed into its key.
    fn blend(self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KEY_BITS)
    }
}

/// One cluster, read at once.
struct Snapshot {
    entries: [Packed; ENTRIES],
    keys: u64,
}

impl Snapshot {
    #[inline]
    fn read(words: &[AtomicU64; WORDS]) -> Self {
        let [a, b, c, keys] = words.each_ref().map(|word| word.load(Relaxed));
        Self { entries: [Packed(a), Packed(b), Packed(c)], keys }
    }

    /// Which entry is of this key.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        (0..ENTRIES).find(|&slot| {
            let stored = self.keys >> (KEY_BITS * slot as u32);
            let entry = self.entries[slot];
            (stored ^ entry.blend() ^ key) & KEY_MASK == 0 && !entry.is_empty()
        })
    }

    fn write(&self, words: &[AtomicU64; WORDS], slot: usize, key: u64, entry: Packed) {
        let shift = KEY_BITS * slot as u32;
        let mixed = (key ^ entry.blend()) & KEY_MASK;
        words[slot].store(entry.0, Relaxed);
        words[ENTRIES].store(self.keys & !(KEY_MASK << shift) | mixed << shift, Relaxed);
    }
}

impl Table {
    /// A blank table of so many megabytes, at least one, made on the threads of the rayon pool it
    /// is called in.
    ///
    /// # Errors
    /// When the system refuses that much memory.
    pub(super) fn new(mb: usize) -> Result<Self, HashError> {
        let mb = mb.max(1);
        let clusters = mb.checked_mul((1 << 20) / CLUSTER_BYTES);
        let words = clusters.and_then(|clusters| clusters.checked_mul(WORDS));
        let (Some(clusters), Some(len)) = (clusters, words) else {
            return Err(HashError { mb });
        };
        let words = Zeros::<AtomicU64>::new(len).ok_or(HashError { mb })?;
        if mb <= LARGE {
            words.par_chunks(PAGE).with_min_len(1 << 6).for_each(|page| page[0].store(0, Relaxed));
        }
        Ok(Self { words, clusters, mb, age: AtomicU8::new(0), salt: AtomicU64::new(0) })
    }

    /// Forgets everything, on the threads of the rayon pool it is called in.
    pub(super) fn clear(&mut self) {
        *self.age.get_mut() = 0;
        if self.mb <= LARGE {
            self.words
                .par_chunks_mut(PAGE)
                .with_min_len(1 << 6)
                .for_each(|page| page.fill_with(AtomicU64::default));
        } else if let Some(words) = Zeros::new(self.words.len()) {
            self.words = words;
        } else {
            self.words.fill_with(AtomicU64::default);
        }
    }

    /// A new search begins: what is stored so far may be replaced sooner. Positions are worth the
    /// same in searches with the same `salt`; only what those stored is found.
    pub(super) fn begin(&self, salt: u64) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
        self.salt.store(salt, Relaxed);
    }

    /// What is known of the position with this key, `ply` plies from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let key = self.salted(key);
        let cluster = Snapshot::read(self.cluster(key)?);
        let mut entry = cluster.entries[cluster.find(key)?].entry();
        entry.value = from_node(entry.value, ply);
        Some(entry)
    }

    /// Remembers what was found out about a position, if it is worth more than what it replaces.
    ///
    /// Without a move, the known one is kept. A rule's verdict is true of a path and not of the
    /// position, so such a value is not kept, only move and evaluation are.
    #[expect(clippy::too_many_arguments, reason = "an entry's parts, each of another type")]
    pub(super) fn store(
        &self,
        key: u64,
        ply: usize,
        mv: Option<Move>,
        value: Value,
        eval: Option<Value>,
        depth: i32,
        bound: Bound,
        tt_pv: bool,
    ) {
        let key = self.salted(key);
        let Some(words) = self.cluster(key) else { return };
        let now = self.age.load(Relaxed);
        let cluster = Snapshot::read(words);
        let verdict = score::is_rule_verdict(value);
        let (value, bound) =
            if verdict || bound == Bound::None { (0, Bound::None) } else { (value, bound) };
        let mut new = TtEntry { mv, value: to_node(value, ply), eval, depth, bound, tt_pv };

        if let Some(slot) = cluster.find(key) {
            let old = cluster.entries[slot];
            let known = old.entry();
            new.mv = mv.or(known.mv);
            new.eval = eval.or(known.eval);
            let deeper = depth + SHALLOWER > known.depth || bound == Bound::Exact;
            let stale = old.age() != now;
            let says_less = bound == Bound::None && known.bound != Bound::None;
            if says_less || !deeper && !stale {
                // What was known stays. A decided but inexact value yields a ply each time, or
                // it would keep better ones out for ever.
                let tired = score::is_decisive(known.value) && known.bound != Bound::Exact;
                new.value = known.value;
                new.bound = known.bound;
                new.depth = known.depth - i32::from(tired);
                new.tt_pv |= known.tt_pv;
            }
            cluster.write(words, slot, key, Packed::new(&new, now));
        } else {
            let worth = |slot: &usize| cluster.entries[*slot].worth(now);
            let slot = (0..ENTRIES).min_by_key(worth).unwrap_or_default();
            cluster.write(words, slot, key, Packed::new(&new, now));
        }
    }

    /// Fetches what [`Self::probe`] will look at.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(words) = self.cluster(self.salted(key)) {
            simd::prefetch(words);
        }
    }

    /// How full the table is with entries of the present search, per mille of a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let now = self.age.load(Relaxed);
        let sample = self.clusters.min(250);
        let full: usize = (self.words[..sample * WORDS].chunks_exact(WORDS))
            .flat_map(|words| &words[..ENTRIES])
            .map(|word| Packed(word.load(Relaxed)))
            .filter(|entry| !entry.is_empty() && entry.age() == now)
            .count();
        (full * 1000 / (sample * ENTRIES)) as u32
    }

    #[inline]
    fn salted(&self, key: u64) -> u64 {
        key ^ self.salt.load(Relaxed)
    }

    /// Where a key belongs; the high bits choose, so any number of clusters will do.
    #[inline]
    fn cluster(&self, key: u64) -> Option<&[AtomicU64; WORDS]> {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        self.words.get(index * WORDS..)?.first_chunk()
    }
}

/// Mates as stored count from the node, for it is reached along lines of different length.
fn to_node(value: Value, ply: usize) -> Value {
    match value {
        MATE_BAND.. => value + ply as Value,
        _ if value <= -MATE_BAND => value - ply as Value,
        _ => value,
    }
}

fn from_node(value: Value, ply: usize) -> Value {
    match value {
        MATE_BAND.. => value - ply as Value,
        _ if value <= -MATE_BAND => value + ply as Value,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{
        SplitMix64, Square,
        score::{RULE_WIN, mate_in, mated_in},
    };

    const MV: Option<Move> = Move::new(Square::H2, Square::E2);
    const OTHER: Option<Move> = Move::new(Square::B0, Square::C2);

    fn table() -> Table {
        Table::new(1).unwrap()
    }

    #[test]
    fn finds_what_was_stored() {
        let table = table();
        let mut rng = SplitMix64::new(1);
        for n in 0..2000 {
            let key = rng.next();
            let (value, depth, tt_pv) = (n - 1000, n % 200, n % 2 == 0);
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][n as usize % 3];
            let eval = (n % 4 != 0).then_some(500 - n);
            table.store(key, 3, MV, value, eval, depth, bound, tt_pv);
            let want = TtEntry { mv: MV, value, eval, depth, bound, tt_pv };
            assert_eq!(table.probe(key, 5), Some(want));
            assert_eq!(table.probe(rng.next(), 0), None);
        }
    }

    #[test]
    fn mates_move_with_the_ply() {
        let table = table();
        table.store(7, 10, MV, mate_in(15), None, 9, Bound::Lower, false);
        assert_eq!(table.probe(7, 2).unwrap().value, mate_in(7));
        table.store(7, 4, MV, mated_in(8), None, 20, Bound::Exact, false);
        assert_eq!(table.probe(7, 240).unwrap().value, mated_in(244));
    }

    #[test]
    fn verdicts_of_a_path_are_not_kept() {
        let table = table();
        table.store(7, 10, MV, RULE_WIN - 12, Some(33), 9, Bound::Lower, false);
        let entry = table.probe(7, 10).unwrap();
        assert_eq!((entry.bound, entry.mv, entry.eval), (Bound::None, MV, Some(33)));
        table.store(7, 10, OTHER, 55, None, 9, Bound::Lower, true);
        table.store(7, 10, None, 12 - RULE_WIN, None, 12, Bound::Upper, false);
        let entry = table.probe(7, 10).unwrap();
        assert_eq!((entry.bound, entry.value, entry.mv), (Bound::Lower, 55, OTHER));
        assert_eq!((entry.eval, entry.tt_pv), (Some(33), true));
    }

    #[test]
    fn replaces_the_shallow_and_the_old() {
        let table = table();
        table.store(7, 0, MV, 1, None, 20, Bound::Lower, false);
        table.store(7, 0, OTHER, 2, None, 10, Bound::Upper, false);
        let entry = table.probe(7, 0).unwrap();
        assert_eq!((entry.value, entry.mv), (1, OTHER), "deeper value kept, newer move taken");
        table.store(7, 0, None, 3, None, 10, Bound::Exact, false);
        let entry = table.probe(7, 0).unwrap();
        assert_eq!((entry.value, entry.mv), (3, OTHER), "exact replaces, move kept");

        // Keys this close share a cluster: the shallowest of four goes.
        for (key, depth) in [(1, 9), (2, 5), (3, 8)] {
            table.store(key, 0, MV, 0, None, depth, Bound::Exact, false);
        }
        let left = [7, 1, 2, 3].map(|key| table.probe(key, 0).is_some());
        assert_eq!(left, [true, true, false, true]);
        table.begin(0);
        table.begin(0);
        table.store(4, 0, MV, 0, None, 1, Bound::Upper, false);
        table.store(5, 0, MV, 0, None, 1, Bound::Upper, false);
        let left = [7, 1, 3, 4, 5].map(|key| table.probe(key, 0).is_some());
        assert_eq!(left, [true, false, false, true, true]);
    }

    #[test]
    fn each_salt_has_entries_of_its_own() {
        let table = table();
        table.begin(99);
        table.store(7, 0, MV, 1, None, 20, Bound::Exact, false);
        table.begin(0);
        assert_eq!(table.probe(7, 0), None);
        table.begin(99);
        assert_eq!(table.probe(7, 0).unwrap().value, 1);
    }

    #[test]
    fn a_torn_entry_is_missed() {
        let table = table();
        table.store(7, 0, MV, 1, None, 20, Bound::Lower, false);
        let words = table.cluster(7).unwrap();
        let slot = Snapshot::read(words).find(7).unwrap();
        let whole = words[slot].load(Relaxed);
        for bit in 0..64 {
            words[slot].store(whole ^ 1 << bit, Relaxed);
            assert_eq!(table.probe(7, 0), None, "bit {bit}");
        }
    }

    #[test]
    fn threads_that_write_at_once_leave_no_lies() {
        let table = table();
        let work = |seed| {
            let mut rng = SplitMix64::new(seed);
            let mut lies = 0;
            for _ in 0..200_000 {
                // Low keys all fall into the first cluster.
                let key = rng.next() % 64;
                let value = key as Value * 100;
                table.store(key, 0, MV, value, Some(value), 9, Bound::Exact, false);
                let found = table.probe(key, 0);
                lies += u32::from(found.is_some_and(|entry| entry.value != value));
            }
            lies
        };
        let (one, two) = rayon::join(|| work(1), || work(2));
        assert!(one + two < 10, "{one} and {two}");
    }

    #[test]
    fn every_size_works_and_clusters_are_aligned() {
        let mut rng = SplitMix64::new(3);
        for mb in [0, 1, 3, 7, LARGE + 1] {
            let mut table = Table::new(mb).unwrap();
            assert_eq!(table.clusters, mb.max(1) << 15);
            for key in [0, u64::MAX, rng.next()] {
                let at = table.cluster(key).unwrap().as_ptr().addr();
                assert!(at.is_multiple_of(CLUSTER_BYTES));
                table.store(key, 0, MV, 5, None, 1, Bound::Exact, false);
                assert!(table.probe(key, 0).is_some());
            }
            table.clear();
            assert_eq!(table.probe(u64::MAX, 0), None);
        }
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 20).is_err());
    }

    #[test]
    fn fills_up_and_ages() {
        let table = table();
        let mut rng = SplitMix64::new(4);
        assert_eq!(table.hashfull(), 0);
        for _ in 0..1_000_000 {
            table.store(rng.next(), 0, MV, 5, None, 1, Bound::Exact, false);
        }
        assert!(table.hashfull() > 990);
        table.begin(0);
        assert_eq!(table.hashfull(), 0);
    }
}
