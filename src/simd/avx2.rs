//! The row operations for x86-64 processors since about 2013.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_sub_epi16,
};

use super::{CLAMP, I16x32, Kernels, row_operations};

/// The table, if the processor has the instructions.
pub(super) fn kernels() -> Option<Kernels> {
    is_x86_feature_detected!("avx2").then_some(Kernels {
        name: "avx2",
        add_sub,
        add_sub_sub,
        update,
        screlu_dot,
    })
}

type Wide = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2")]
fn zero() -> Wide {
    [_mm256_setzero_si256(); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Wide, b: Wide) -> Wide {
    [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: Wide, b: Wide) -> Wide {
    [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
}

/// `sum` + x · (x · w), pair by pair of neighbours; the inner product fits 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn screlu_dot_step(sum: Wide, row: Wide, weights: Wide) -> Wide {
    let (least, most) = (_mm256_setzero_si256(), _mm256_set1_epi16(CLAMP));
    let mut sum = sum;
    for half in 0..2 {
        let x = _mm256_min_epi16(_mm256_max_epi16(row[half], least), most);
        let pairs = _mm256_madd_epi16(x, _mm256_mullo_epi16(x, weights[half]));
        sum[half] = _mm256_add_epi32(sum[half], pairs);
    }
    sum
}

#[inline]
#[target_feature(enable = "avx2")]
fn total(sum: Wide) -> i32 {
    let eight = _mm256_add_epi32(sum[0], sum[1]);
    let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}

row_operations!("avx2");
