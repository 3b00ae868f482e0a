//! The speed of opening books: what a game loses by asking them.

use std::hint::black_box;

use chuhe::{
    book::{Book, Choice, Entry, Pages},
    position::{Position, Unobserved},
    rules::Line,
    types::SplitMix64,
};
use criterion::{Criterion, criterion_group, criterion_main};

/// About what a large book has.
const POSITIONS: usize = 20_000;

/// Random play of a few plies from the start, with three moves for each position.
fn pages() -> Pages {
    let mut rng = SplitMix64::new(1);
    let mut pages = Pages::new("made up");
    while pages.positions() < POSITIONS {
        let mut position = Position::start();
        for _ in 0..12 {
            let moves = position.legal_moves();
            for _ in 0..3 {
                let mv = moves[rng.below(moves.len())];
                let weight = rng.below(1000) as u32 + 1;
                pages.set(&position, Entry::new(mv, weight)).expect("the move is legal");
            }
            position.make(moves[rng.below(moves.len())], &mut Unobserved);
        }
    }
    pages
}

fn probing(c: &mut Criterion) {
    let pages = pages();
    let (mut own, mut xqwizard) = (Vec::new(), Vec::new());
    pages.write_own(&mut own).expect("memory takes all");
    pages.write_xqwizard(&mut xqwizard).expect("memory takes all");
    let known = Line::new(Position::start());
    let unknown = Line::new(Position::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w").expect("a position"));
    for (format, bytes) in [("own format", own), ("BOOK.DAT", xqwizard)] {
        let book = Book::from_bytes(format, bytes).expect("a sound book");
        let mut group = c.benchmark_group(format);
        let mut rng = SplitMix64::new(1);
        for (name, line) in [("hit", &known), ("miss", &unknown)] {
            group.bench_function(format!("entries, {name}"), |b| {
                b.iter(|| book.entries(black_box(line.position())));
            });
            group.bench_function(format!("a move for a game, {name}"), |b| {
                b.iter(|| book.choose(black_box(line), Choice::Weighted, &mut rng));
            });
        }
    }
}

criterion_group!(benches, probing);
criterion_main!(benches);
