//! What the processor can do beyond plain Rust, behind safe functions. Knows machines, no chess.

#![allow(
    unsafe_code,
    reason = "the crate's only door to processor instructions; each use says why"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod groups;
mod memory;
#[cfg(target_arch = "aarch64")]
mod neon;
mod prefetch;
mod processor;
mod scalar;
#[cfg(test)]
mod tests;

pub use groups::{processors, settle};
pub use memory::{Zeroed, Zeros, has_room};
pub use prefetch::prefetch;
pub use processor::missing;

/// Thirty-two numbers on a cache line of their own: what rows are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct I16x32(pub [i16; I16x32::LANES]);

impl I16x32 {
    /// How many numbers it holds.
    pub const LANES: usize = 32;
    /// Nothing but zeros.
    pub const ZERO: Self = Self([0; Self::LANES]);
}

const _: () = assert!(size_of::<I16x32>() == 64 && align_of::<I16x32>() == 64);

/// Accumulated numbers are clamped to 0 up to this before they are squared.
pub const CLAMP: i16 = 255;

/// Rows no longer than this have a [`Kernels::screlu_dot`] that no weights in the range of an
/// `i8` can make overflow.
pub const DOT_VECTORS: usize = 8;

const _: () = {
    let (lanes, clamp) = ((DOT_VECTORS * I16x32::LANES) as i64, CLAMP as i64);
    assert!(clamp * 128 <= i16::MAX as i64 && lanes * 128 * clamp * clamp <= i32::MAX as i64);
};

/// Operations on whole rows of numbers, in the instructions of one kind of processor.
///
/// All kinds give the same results, bit for bit; sums wrap. Rows of one call have one length.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    name: &'static str,
    add_sub: AddSub,
    add_sub_sub: AddSubSub,
    update: Update,
    screlu_dot: ScreluDot,
}

// Unsafe to call because each needs a processor that has its instructions. A table is only ever
// handed out for the processor that the program runs on, so its own methods are safe.
type Row = [I16x32];
type AddSub = unsafe fn(&mut Row, &Row, &Row, &Row);
type AddSubSub = unsafe fn(&mut Row, &Row, &Row, [&Row; 2]);
type Update = unsafe fn(&mut Row, &Row, &[u16], &[u16]);
type ScreluDot = unsafe fn(&Row, &Row) -> i32;

impl Kernels {
    /// Plain Rust, which defines what the others mean.
    pub const SCALAR: Self = scalar::KERNELS;

    /// Every kind that this processor has, the plainest first and the fastest last.
    pub fn available() -> Vec<Self> {
        let mut kinds = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            kinds.extend(avx2::kernels());
            kinds.extend(avx512::kernels());
        }
        #[cfg(target_arch = "aarch64")]
        kinds.extend(neon::kernels());
        kinds
    }

    /// The fastest kind that this processor has.
    pub fn detect() -> Self {
        Self::available().pop().unwrap_or(Self::SCALAR)
    }

    /// What the instructions are called: `scalar`, `avx2`, `avx512`, `neon`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// `out` = `from` + `add` − `sub`.
    #[inline]
    pub fn add_sub(&self, out: &mut [I16x32], from: &[I16x32], add: &[I16x32], sub: &[I16x32]) {
        debug_assert!([from.len(), add.len(), sub.len()] == [out.len(); 3]);
        // SAFETY: the processor has these instructions, see above.
        unsafe { (self.add_sub)(out, from, add, sub) }
    }

    /// `out` = `from` + `add` − both of `subs`.
    #[inline]
    pub fn add_sub_sub(
        &self,
        out: &mut [I16x32],
        from: &[I16x32],
        add: &[I16x32],
        subs: [&[I16x32]; 2],
    ) {
        debug_assert!([from.len(), add.len(), subs[0].len(), subs[1].len()] == [out.len(); 4]);
        // SAFETY: the processor has these instructions, see above.
        unsafe { (self.add_sub_sub)(out, from, add, subs) }
    }

    /// Adds some rows of a table to `row` and subtracts others. The table's rows are as long as
    /// `row`, one after the other.
    ///
    /// # Panics
    /// When the table has no such row.
    #[inline]
    pub fn update(&self, row: &mut [I16x32], table: &[I16x32], adds: &[u16], subs: &[u16]) {
        // SAFETY: the processor has these instructions, see above.
        unsafe { (self.update)(row, table, adds, subs) }
    }

    /// SCReLU and the output weights: the sum of x² · w, where x is a number of `row` clamped to 0
    /// up to [`CLAMP`] and w the weight in its place, within the range of an `i8`.
    #[inline]
    pub fn screlu_dot(&self, row: &[I16x32], weights: &[I16x32]) -> i32 {
        debug_assert!(row.len() == weights.len() && row.len() <= DOT_VECTORS);
        // SAFETY: the processor has these instructions, see above.
        unsafe { (self.screlu_dot)(row, weights) }
    }
}

/// Writes the row operations of one kind of processor, given its type `Wide` for a whole [`I16x32`]
/// and its words for it: `add`, `sub`, and for the dot product `zero`, `screlu_dot_step`, `total`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! row_operations {
    ($features:literal) => {
        #[inline]
        fn load(block: &I16x32) -> Wide {
            // SAFETY: both are 64 bytes without padding, and any bits make numbers.
            unsafe { std::mem::transmute(*block) }
        }

        #[inline]
        fn store(wide: Wide) -> I16x32 {
            // SAFETY: as in `load`.
            unsafe { std::mem::transmute(wide) }
        }

        #[target_feature(enable = $features)]
        fn add_sub(out: &mut [I16x32], from: &[I16x32], plus: &[I16x32], minus: &[I16x32]) {
            for (((out, from), plus), minus) in out.iter_mut().zip(from).zip(plus).zip(minus) {
                *out = store(sub(add(load(from), load(plus)), load(minus)));
            }
        }

        #[target_feature(enable = $features)]
        fn add_sub_sub(
            out: &mut [I16x32],
            from: &[I16x32],
            plus: &[I16x32],
            minus: [&[I16x32]; 2],
        ) {
            let minus = minus[0].iter().zip(minus[1]);
            for (((out, from), plus), minus) in out.iter_mut().zip(from).zip(plus).zip(minus) {
                let more = add(load(from), load(plus));
                *out = store(sub(sub(more, load(minus.0)), load(minus.1)));
            }
        }

        #[target_feature(enable = $features)]
        fn update(row: &mut [I16x32], table: &[I16x32], adds: &[u16], subs: &[u16]) {
            let length = row.len();
            for (at, block) in row.iter_mut().enumerate() {
                let mut sum = load(block);
                for &plus in adds {
                    sum = add(sum, load(&table[plus as usize * length + at]));
                }
                for &minus in subs {
                    sum = sub(sum, load(&table[minus as usize * length + at]));
                }
                *block = store(sum);
            }
        }

        #[target_feature(enable = $features)]
        fn screlu_dot(row: &[I16x32], weights: &[I16x32]) -> i32 {
            let mut sum = zero();
            for (row, weights) in row.iter().zip(weights) {
                sum = screlu_dot_step(sum, load(row), load(weights));
            }
            total(sum)
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use row_operations;
