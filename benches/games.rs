//! How fast libraries of games are read: 10,000 games in each form, on one core. A game here is one of
//! self-play with Chinese moves, the slowest to read.

use std::hint::black_box;

use chuhe::{
    games::{Game, Played, Reader, xqf},
    notation::{
        Digits, Format, Script, Style,
        text::{Encoding, encode},
    },
    position::{Position, Unobserved},
    types::SplitMix64,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const GAMES: usize = 10_000;
/// Games that the library repeats.
const DIFFERENT: usize = 200;
const PLIES: usize = 80;

/// Random games without mates in them: their moves are spread as widely as any.
fn games() -> Vec<Game> {
    let mut rng = SplitMix64::new(3);
    let mut games = Vec::new();
    while games.len() < DIFFERENT {
        let mut game = Game::new(Position::start());
        game.tags.push(("Event".into(), "test".into()));
        game.tags.push(("Red".into(), "甲".into()));
        let mut position = game.start.clone();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len())];
            position.make(mv, &mut Unobserved);
            game.moves.push(Played::new(mv));
        }
        games.push(game);
    }
    games
}

fn library(games: &[Game], format: Format, encoding: Encoding) -> Vec<u8> {
    let texts: Vec<_> = games.iter().map(|game| game.write(format)).collect();
    let all = (0..GAMES).map(|number| texts[number % texts.len()].as_str());
    encode(&all.collect::<String>(), encoding).into_owned()
}

fn bench(criterion: &mut Criterion) {
    let games = games();
    let chinese = Format::Chinese(Style { script: Script::Simplified, digits: Digits::Wide });
    let mut group = criterion.benchmark_group("games");
    group.sample_size(10).throughput(Throughput::Elements(GAMES as u64));
    for (name, format, encoding) in [
        ("iccs", Format::Iccs, Encoding::Utf8),
        ("wxf", Format::Wxf, Encoding::Utf8),
        ("chinese", chinese, Encoding::Utf8),
        ("chinese_gb18030", chinese, Encoding::Gb18030),
    ] {
        let bytes = library(&games, format, encoding);
        group.bench_function(format!("pgn_{name}"), |bencher| {
            bencher.iter(|| {
                let read = Reader::from_bytes(black_box(bytes.clone())).expect("a library");
                assert_eq!(read.flatten().count(), GAMES);
            });
        });
    }
    let files: Vec<_> =
        games.iter().map(|game| xqf::write(game).expect("short comments")).collect();
    group.bench_function("xqf", |bencher| {
        bencher.iter(|| {
            for number in 0..GAMES {
                let mut read =
                    Reader::from_bytes(files[number % files.len()].clone()).expect("a game");
                assert!(black_box(read.next()).is_some_and(|game| game.is_ok()));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
