//! The row operations for 64-bit Arm processors, which all have them.

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vsubq_s16,
};

use super::{CLAMP, I16x32, Kernels, row_operations};

/// The table, if the processor has the instructions.
pub(super) fn kernels() -> Option<Kernels> {
    std::arch::is_aarch64_feature_detected!("neon").then_some(Kernels {
        name: "neon",
        add_sub,
        add_sub_sub,
        update,
        screlu_dot,
    })
}

type Wide = [int16x8_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> [int32x4_t; 4] {
    [vdupq_n_s32(0); 4]
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: Wide, b: Wide) -> Wide {
    [vaddq_s16(a[0], b[0]), vaddq_s16(a[1], b[1]), vaddq_s16(a[2], b[2]), vaddq_s16(a[3], b[3])]
}

#[inline]
#[target_feature(enable = "neon")]
fn sub(a: Wide, b: Wide) -> Wide {
    [vsubq_s16(a[0], b[0]), vsubq_s16(a[1], b[1]), vsubq_s16(a[2], b[2]), vsubq_s16(a[3], b[3])]
}

/// `sum` + x · (x · w); the inner product fits 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn screlu_dot_step(sum: [int32x4_t; 4], row: Wide, weights: Wide) -> [int32x4_t; 4] {
    let (least, most) = (vdupq_n_s16(0), vdupq_n_s16(CLAMP));
    let mut sum = sum;
    for quarter in 0..4 {
        let x = vminq_s16(vmaxq_s16(row[quarter], least), most);
        let product = vmulq_s16(x, weights[quarter]);
        let low = vmlal_s16(sum[quarter], vget_low_s16(x), vget_low_s16(product));
        sum[quarter] = vmlal_high_s16(low, x, product);
    }
    sum
}

#[inline]
#[target_feature(enable = "neon")]
fn total(sum: [int32x4_t; 4]) -> i32 {
    vaddvq_s32(vaddq_s32(vaddq_s32(sum[0], sum[1]), vaddq_s32(sum[2], sum[3])))
}

row_operations!("neon");
