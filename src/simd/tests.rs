//! Every set of row operations against the plain one.

use super::*;
use crate::types::SplitMix64;

/// So many blocks of numbers within `bound` either way, the extremes among them.
fn blocks(rng: &mut SplitMix64, count: usize, bound: i32) -> Vec<I16x32> {
    let mut number = || match rng.below(8) {
        0 => (-bound) as i16,
        1 => (bound - 1) as i16,
        _ => (rng.below(2 * bound as usize) as i32 - bound) as i16,
    };
    (0..count).map(|_| I16x32(std::array::from_fn(|_| number()))).collect()
}

#[test]
fn every_kind_means_what_the_plain_one_means() {
    let mut rng = SplitMix64::new(5);
    for length in (1..=DOT_VECTORS).cycle().take(400) {
        // Whole 16 bits, so that sums wrap.
        let [from, a, b, c] = [0; 4].map(|_| blocks(&mut rng, length, 1 << 15));
        let table = blocks(&mut rng, 40 * length, 1 << 15);
        let small = blocks(&mut rng, length, 400);
        let weights = blocks(&mut rng, length, 128);
        let mut picks =
            || -> Vec<u16> { (0..rng.below(33)).map(|_| rng.below(40) as u16).collect() };
        let (adds, subs) = (picks(), picks());
        let results = |kernels: Kernels| {
            let mut rows = [from.clone(), from.clone(), from.clone()];
            kernels.add_sub(&mut rows[0], &from, &a, &b);
            kernels.add_sub_sub(&mut rows[1], &from, &a, [&b, &c]);
            kernels.update(&mut rows[2], &table, &adds, &subs);
            (rows, [kernels.screlu_dot(&from, &weights), kernels.screlu_dot(&small, &weights)])
        };
        for kernels in Kernels::available() {
            assert_eq!(results(kernels), results(Kernels::SCALAR), "{}", kernels.name());
        }
    }
}

#[test]
fn rows_are_added_and_squared_lane_by_lane() {
    let row = |start: i16| vec![I16x32(std::array::from_fn(|lane| start + lane as i16)); 2];
    for kernels in Kernels::available() {
        let mut out = row(0);
        kernels.add_sub(&mut out, &row(100), &row(30), &row(7));
        assert_eq!(out, row(123), "{}", kernels.name());
        kernels.add_sub_sub(&mut out, &row(100), &row(30), [&row(7), &[I16x32([3; 32]); 2]]);
        assert_eq!(out, row(120), "{}", kernels.name());
        kernels.update(&mut out, &[row(1), row(2)].concat(), &[0, 1], &[1]);
        let twice = vec![I16x32(std::array::from_fn(|lane| 121 + 2 * lane as i16)); 2];
        assert_eq!(out, twice, "{}", kernels.name());
        let ends = [-7, 2, 255, 300];
        let mut numbers = [I16x32::ZERO; 1];
        numbers[0].0[..4].copy_from_slice(&ends);
        let weights = [I16x32([-128; 32])];
        let sum = -128 * (2 * 2 + 255 * 255 + 255 * 255);
        assert_eq!(kernels.screlu_dot(&numbers, &weights), sum, "{}", kernels.name());
    }
}

#[test]
fn the_greatest_sum_does_not_overflow() {
    let (row, weights) = ([I16x32([i16::MAX; 32]); 8], [I16x32([-128; 32]); 8]);
    for kernels in Kernels::available() {
        let sum = i64::from(kernels.screlu_dot(&row, &weights));
        assert_eq!(sum, 256 * -128 * 255 * 255, "{}", kernels.name());
    }
}
