//! The row operations in plain Rust: what every other kind must agree with.

use super::{CLAMP, I16x32, Kernels};

pub(super) const KERNELS: Kernels =
    Kernels { name: "scalar", add_sub, add_sub_sub, update, screlu_dot };

fn add_sub(out: &mut [I16x32], from: &[I16x32], add: &[I16x32], sub: &[I16x32]) {
    for (((out, from), add), sub) in out.iter_mut().zip(from).zip(add).zip(sub) {
        for lane in 0..I16x32::LANES {
            out.0[lane] = from.0[lane].wrapping_add(add.0[lane]).wrapping_sub(sub.0[lane]);
        }
    }
}

fn add_sub_sub(out: &mut [I16x32], from: &[I16x32], add: &[I16x32], subs: [&[I16x32]; 2]) {
    add_sub(out, from, add, subs[0]);
    for (out, sub) in out.iter_mut().zip(subs[1]) {
        for lane in 0..I16x32::LANES {
            out.0[lane] = out.0[lane].wrapping_sub(sub.0[lane]);
        }
    }
}

fn update(row: &mut [I16x32], table: &[I16x32], adds: &[u16], subs: &[u16]) {
    let length = row.len();
    let of_table = |index: u16| &table[usize::from(index) * length..][..length];
    for &index in adds {
        for (block, add) in row.iter_mut().zip(of_table(index)) {
            for lane in 0..I16x32::LANES {
                block.0[lane] = block.0[lane].wrapping_add(add.0[lane]);
            }
        }
    }
    for &index in subs {
        for (block, sub) in row.iter_mut().zip(of_table(index)) {
            for lane in 0..I16x32::LANES {
                block.0[lane] = block.0[lane].wrapping_sub(sub.0[lane]);
            }
        }
    }
}

fn screlu_dot(row: &[I16x32], weights: &[I16x32]) -> i32 {
    let mut sum = 0_i32;
    for (row, weights) in row.iter().zip(weights) {
        for lane in 0..I16x32::LANES {
            let x = i32::from(row.0[lane].clamp(0, CLAMP));
            sum = sum.wrapping_add(x * x * i32::from(weights.0[lane]));
        }
    }
    sum
}
