//! The row operations for x86-64 processors with 512-bit registers and the instructions for
//! networks (VNNI).

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_dpwssd_epi32, _mm512_max_epi16, _mm512_min_epi16,
    _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
    _mm512_sub_epi16,
};

use super::{CLAMP, I16x32, Kernels, row_operations};

/// The table, if the processor has the instructions.
pub(super) fn kernels() -> Option<Kernels> {
    let detected = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni");
    detected.then_some(Kernels { name: "avx512", add_sub, add_sub_sub, update, screlu_dot })
}

type Wide = __m512i;

#[inline]
#[target_feature(enable = "avx512f")]
fn zero() -> Wide {
    _mm512_setzero_si512()
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn add(a: Wide, b: Wide) -> Wide {
    _mm512_add_epi16(a, b)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn sub(a: Wide, b: Wide) -> Wide {
    _mm512_sub_epi16(a, b)
}

/// `sum` + x · (x · w), pair by pair of neighbours; the inner product fits 16 bits.
#[inline]
#[target_feature(enable = "avx512bw,avx512vnni")]
fn screlu_dot_step(sum: Wide, row: Wide, weights: Wide) -> Wide {
    let x = _mm512_max_epi16(row, _mm512_setzero_si512());
    let x = _mm512_min_epi16(x, _mm512_set1_epi16(CLAMP));
    _mm512_dpwssd_epi32(sum, x, _mm512_mullo_epi16(x, weights))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn total(sum: Wide) -> i32 {
    _mm512_reduce_add_epi32(sum)
}

row_operations!("avx512f,avx512bw,avx512vnni");
