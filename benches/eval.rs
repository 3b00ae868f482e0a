//! What the evaluation costs a node: following a move and asking for the value, by network size and
//! by kind of instructions, beside making the move alone.

use std::{hint::black_box, sync::Arc};

use chuhe::{
    eval::{
        Evaluator, Handcrafted, Network, Nnue,
        nnue::{Parameters, Shape},
    },
    position::{Observer, Position, Unobserved},
    simd::Kernels,
    types::Move,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A middlegame with captures and a king that changes its file.
const MIDDLEGAME: &str = "3ak1b2/4a4/3cb1n2/5Pp1p/2n6/2N6/P6rP/B3C4/4K4/3A1AB1R w - - 8 20";

/// Two plies deep the moves that a search tries, with each position evaluated.
fn tree(position: &Position) -> Vec<(Move, Vec<Move>)> {
    let mut position = position.clone();
    let moves = position.legal_moves();
    let replies = |mv: &Move| {
        let undo = position.make(*mv, &mut Unobserved);
        let replies = position.legal_moves().to_vec();
        position.unmake(*mv, &undo);
        (*mv, replies)
    };
    moves.iter().map(replies).collect()
}

/// Walks the tree, pushing and popping, and visits every node.
fn walk<E: Observer>(
    position: &mut Position,
    tree: &[(Move, Vec<Move>)],
    eval: &mut E,
    mut enter: impl FnMut(&mut E),
    mut visit: impl FnMut(&mut E, &Position),
    mut leave: impl FnMut(&mut E),
) {
    for (mv, replies) in tree {
        enter(eval);
        let undo = position.make(*mv, eval);
        visit(eval, position);
        for reply in replies {
            enter(eval);
            let undo = position.make(*reply, eval);
            visit(eval, position);
            position.unmake(*reply, &undo);
            leave(eval);
        }
        position.unmake(*mv, &undo);
        leave(eval);
    }
}

fn follow(position: &mut Position, tree: &[(Move, Vec<Move>)], eval: &mut impl Evaluator) {
    walk(
        position,
        tree,
        eval,
        Evaluator::push,
        |eval, position| {
            black_box(eval.evaluate(position));
        },
        Evaluator::pop,
    );
}

fn nodes(c: &mut Criterion) {
    let mut position = Position::from_fen(MIDDLEGAME).expect("a legal position");
    let tree = tree(&position);
    let count: usize = tree.iter().map(|(_, replies)| 1 + replies.len()).sum();
    let mut group = c.benchmark_group("a node");
    group.throughput(Throughput::Elements(count as u64));

    group.bench_function("move alone", |b| {
        b.iter(|| {
            let visit = |_: &mut _, position: &Position| {
                black_box(position);
            };
            walk(&mut position, &tree, &mut Unobserved, |_| {}, visit, |_| {});
        });
    });
    group.bench_function("handcrafted", |b| {
        let mut eval = Handcrafted::default();
        eval.reset(&position);
        b.iter(|| follow(&mut position, &tree, &mut eval));
    });
    for hidden in [128, 256, 384, 512] {
        let parts = Parameters::made_up(Shape::by_men(hidden, 8, 400), 1);
        let network = Network::new(&parts).expect("a sound network");
        for kernels in Kernels::available() {
            let mut eval = Nnue::new(Arc::new(network.clone().with_kernels(kernels)));
            eval.reset(&position);
            group.bench_function(format!("{hidden} {}", kernels.name()), |b| {
                b.iter(|| follow(&mut position, &tree, &mut eval));
            });
        }
    }
}

criterion_group!(benches, nodes);
criterion_main!(benches);
