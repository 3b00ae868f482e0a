//! Cycles of four plies judged under the Chinese rules: every label found anew, and the search's
//! question at the end of one cycle with an empty and with a filled table of labels.

use chuhe::{
    position::Position,
    rules::{LabelCache, Line, judgement},
};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// A name, where the cycle begins, the cycle.
const CYCLES: [(&str, &str, &str); 5] = [
    ("perpetual chase", "3ak4/4a4/5rr2/9/R8/9/5nP2/5A3/4A4/4KCC2 w", "a5a3 f3g5 a3a5 g5f3"),
    ("perpetual kill", "3ak1b2/4a4/4b4/p8/9/4C2R1/9/4B4/4A4/3AK4 w", "h4g4 g9i7 g4h4 i7g9"),
    ("chase by check", "1r2kab2/4a4/4b4/4R3p/5P3/2R6/4c4/4r4/4A4/2B1KA3 w", "c4c3 e3e4 c3c4 e4e3"),
    (
        "idle opening",
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w",
        "a0a1 a9a8 a1a0 a8a9",
    ),
    (
        "idle middlegame",
        "1rbakab2/9/2n1c1n1r/p1p1p3p/6pc1/2P6/P3P1P1P/1CN1C1N2/R7R/2BAKAB2 w",
        "a1a2 i7i8 a2a1 i8i7",
    ),
];

fn line(fen: &str, cycle: &str, times: usize) -> Line {
    let mut line = Line::new(Position::from_fen(fen).expect("a legal position"));
    for _ in 0..times {
        for mv in cycle.split(' ') {
            line.play(mv.parse().expect("a move")).expect("a legal move");
        }
    }
    line
}

fn labels(c: &mut Criterion) {
    let mut group = c.benchmark_group("all labels of a cycle");
    for (name, fen, cycle) in CYCLES {
        let line = line(fen, cycle, 2);
        group.bench_function(name, |b| b.iter(|| judgement(&line)));
    }
}

fn in_tree(c: &mut Criterion) {
    let mut group = c.benchmark_group("a cycle in the tree");
    for (name, fen, cycle) in CYCLES {
        let line = line(fen, cycle, 1);
        // A table that has been in use, but knows none of these moves.
        let mut used = LabelCache::default();
        let start = self::line(Position::START_FEN, "b0c2 b9c7 c2b0 c7b9", 1);
        start.verdict_in_tree(5, &mut used);
        group.bench_function(format!("{name}, cold"), |b| {
            b.iter_batched_ref(
                || used.clone(),
                |cache| line.verdict_in_tree(5, cache),
                BatchSize::LargeInput,
            );
        });
        let mut cache = LabelCache::default();
        group.bench_function(format!("{name}, warm"), |b| {
            b.iter(|| line.verdict_in_tree(5, &mut cache));
        });
    }
}

criterion_group!(benches, labels, in_tree);
criterion_main!(benches);
