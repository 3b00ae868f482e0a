//! The time to a depth, each search from an empty table.

use std::time::Duration;

use chuhe::{
    position::Position,
    rules::Line,
    search::{Limits, Pool, Signals},
};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const POSITIONS: [(&str, &str); 3] = [
    ("opening", Position::START_FEN),
    ("middlegame", "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1"),
    ("ending", "2bak4/4a4/4b4/9/2n6/9/4P4/4B3N/4A4/2BAK4 w - - 0 1"),
];

const DEPTH: u32 = 8;
const HASH_MB: usize = 16;

fn to_depth(c: &mut Criterion) {
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let mut group = c.benchmark_group(format!("search to depth {DEPTH}"));
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    for (name, fen) in POSITIONS {
        let line = Line::new(Position::from_fen(fen).expect("a legal position"));
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || Pool::new(1, HASH_MB),
                |pool| pool.think(&line, &limits, false, 1, &Signals::new(), &|_| {}),
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, to_depth);
criterion_main!(benches);
