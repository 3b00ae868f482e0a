//! The speed of the board: attacks, move generation, making moves, counting lines of play.

use std::hint::black_box;

use chuhe::{
    position::{Position, Unobserved, attacks, perft::perft},
    types::Square,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// An opening, a middlegame, an ending and a position in check.
const POSITIONS: [(&str, &str); 4] = [
    ("opening", Position::START_FEN),
    ("middlegame", "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1"),
    ("ending", "2bak4/4a4/4b4/9/2n6/9/4P4/4B3N/4A4/2BAK4 w - - 0 1"),
    ("check", "3ak4/4a4/9/9/4C4/9/9/4C4/9/4K4 b - - 0 1"),
];

fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.iter().map(|(name, fen)| (*name, Position::from_fen(fen).expect("a legal position")))
}

fn generation(c: &mut Criterion) {
    let mut group = c.benchmark_group("legal moves");
    for (name, position) in positions() {
        group.throughput(Throughput::Elements(position.legal_moves().len() as u64));
        group.bench_function(name, |b| b.iter(|| black_box(&position).legal_moves()));
    }
}

fn attack_sets(c: &mut Criterion) {
    let occupied = Position::start().occupied();
    let mut group = c.benchmark_group("attacks from every square");
    group.throughput(Throughput::Elements(Square::NUM as u64));
    for (name, attack) in [
        ("rook", attacks::rook as fn(_, _) -> _),
        ("cannon", attacks::cannon),
        ("knight", attacks::knight),
        ("bishop", attacks::bishop),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for square in Square::ALL {
                    black_box(attack(black_box(square), black_box(occupied)));
                }
            });
        });
    }
}

fn making(c: &mut Criterion) {
    let mut group = c.benchmark_group("make and unmake every move");
    for (name, position) in positions() {
        let moves = position.legal_moves();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || position.clone(),
                |position| {
                    for &mv in &moves {
                        let undo = position.make(black_box(mv), &mut Unobserved);
                        position.unmake(mv, &undo);
                    }
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn counting(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft 3");
    for (name, mut position) in positions() {
        group.throughput(Throughput::Elements(perft(&mut position, 3)));
        group.bench_function(name, |b| b.iter(|| perft(black_box(&mut position), 3)));
    }
}

criterion_group!(benches, generation, attack_sets, making, counting);
criterion_main!(benches);
