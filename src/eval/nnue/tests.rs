//! Laws of the network: kept up to date it is what it is from scratch, and bad files are told.

use std::{fs, path::PathBuf};

use super::*;
use crate::{
    position::Undo,
    simd::{CLAMP, Kernels},
    types::{Kind, Move, SplitMix64, score},
};

fn parameters(hidden: usize, output_buckets: usize, seed: u64) -> Parameters {
    let bucketed_by = if output_buckets == 12 { BucketedBy::Material } else { BucketedBy::Men };
    Parameters::made_up(Shape { hidden, output_buckets, bucketed_by, scale: 400 }, seed)
}

fn network(hidden: usize, output_buckets: usize, seed: u64) -> Network {
    Network::new(&parameters(hidden, output_buckets, seed)).unwrap()
}

/// The value computed from nothing, number by number, as the format defines it.
fn slow_value(parameters: &Parameters, position: &Position) -> Value {
    let Shape { hidden, output_buckets, bucketed_by, scale } = parameters.shape;
    let count = |kinds: &[Kind]| {
        let of =
            |&at: &Square| position.piece_at(at).is_some_and(|piece| kinds.contains(&piece.kind()));
        Square::ALL.iter().filter(|&at| of(at)).count()
    };
    let output = match bucketed_by {
        BucketedBy::Men => {
            (count(&Kind::ALL).saturating_sub(2) * output_buckets / 31).min(output_buckets - 1)
        }
        BucketedBy::Material => {
            let minors = count(&[Kind::Knight, Kind::Cannon]);
            4 * [0, 1, 1, 2, 2][count(&[Kind::Rook])] + (minors / 2).min(3)
        }
    };
    let mut sum = 0_i64;
    for (half, color) in [position.side(), !position.side()].into_iter().enumerate() {
        for neuron in 0..hidden {
            let mut x = i64::from(parameters.input_bias[neuron]);
            for input in features::active(position, color) {
                x += i64::from(parameters.input_weights[usize::from(input) * hidden + neuron]);
            }
            let x = x.clamp(0, CLAMP.into());
            let weight = parameters.output_weights[(2 * output + half) * hidden + neuron];
            sum += x * x * i64::from(weight);
        }
    }
    let units = sum / 255 + i64::from(parameters.output_bias[output]);
    let value = units * i64::from(scale) / (255 * 64);
    value.clamp(i64::from(-score::EVAL_LIMIT), i64::from(score::EVAL_LIMIT)) as Value
}

/// Walks through random games, going back a few moves now and then, and shows every position.
/// Asks only now and then, so that evaluations fall behind.
fn wander(eval: &mut Nnue, steps: usize, seed: u64, mut visit: impl FnMut(&mut Nnue, &Position)) {
    const OPEN: &str = "2bakr3/3n5/b8/p3C4/9/6N2/2p5P/B8/4A4/5K3 w";
    let mut rng = SplitMix64::new(seed);
    for start in [Position::START_FEN, OPEN] {
        let mut position = Position::from_fen(start).unwrap();
        let mut path: Vec<(Move, Undo)> = Vec::new();
        eval.reset(&position);
        for _ in 0..steps {
            let moves = position.legal_moves();
            if moves.is_empty() || rng.below(4) == 0 {
                for _ in 0..=rng.below(6).min(path.len()) {
                    let Some((mv, undo)) = path.pop() else { break };
                    position.unmake(mv, &undo);
                    eval.pop();
                }
            } else {
                // Kings are made to walk: what they do is the difficult part.
                let king = |mv: &&Move| mv.from() == position.king(position.side());
                let kings: Vec<_> = moves.iter().filter(king).copied().collect();
                let choice =
                    if rng.below(3) == 0 && !kings.is_empty() { &kings } else { &moves[..] };
                let mv = choice[rng.below(choice.len())];
                eval.push();
                path.push((mv, position.make(mv, eval)));
            }
            if rng.below(3) > 0 {
                visit(eval, &position);
            }
        }
    }
}

#[test]
fn following_a_game_gives_what_each_position_gives_by_itself() {
    for (hidden, output_buckets, steps) in
        [(32, 1, 600), (64, 8, 600), (64, 12, 400), (288, 3, 100), (512, 8, 60)]
    {
        let parameters = parameters(hidden, output_buckets, 7);
        let network = Arc::new(Network::new(&parameters).unwrap());
        let mut values = std::collections::BTreeSet::new();
        wander(&mut Nnue::new(Arc::clone(&network)), steps, 3, |eval, position| {
            let value = eval.evaluate(position);
            assert_eq!(value, slow_value(&parameters, position), "{}", position.fen());
            assert_eq!(value, Nnue::value(&network, position), "{}", position.fen());
            values.insert(value);
        });
        assert!(values.len() > 50, "they hardly differ");
    }
}

#[test]
fn every_kind_of_processor_gives_the_same_value() {
    let values = |kernels| {
        let network = network(128, 8, 5).with_kernels(kernels);
        let mut values = Vec::new();
        wander(&mut Nnue::new(Arc::new(network)), 400, 9, |eval, position| {
            values.push(eval.evaluate(position));
        });
        values
    };
    for kernels in Kernels::available() {
        assert_eq!(values(kernels), values(Kernels::SCALAR), "{}", kernels.name());
    }
}

#[test]
fn left_and_right_are_worth_the_same() {
    let network = Arc::new(network(64, 8, 11));
    wander(&mut Nnue::new(Arc::clone(&network)), 400, 1, |eval, position| {
        let kings = Color::ALL.map(|side| position.king(side));
        if kings.iter().all(|king| *king == king.mirror()) {
            return;
        }
        let fen = position.fen();
        let (board, rest) = fen.split_once(' ').unwrap();
        let ranks = board.split('/').map(|rank| rank.chars().rev().collect::<String>());
        let fen = format!("{} {rest}", ranks.collect::<Vec<_>>().join("/"));
        let mirrored = Position::from_fen(&fen).unwrap();
        assert_eq!(eval.evaluate(position), Nnue::value(&network, &mirrored), "{fen}");
    });
}

#[test]
fn a_file_gives_back_what_was_written() {
    for (hidden, output_buckets) in [(32, 1), (256, 8), (32, 12)] {
        let parameters = parameters(hidden, output_buckets, 2);
        let bytes = parameters.to_bytes();
        assert_eq!(Parameters::from_bytes(&bytes).unwrap(), parameters);
        let network = Network::from_bytes(&bytes).unwrap();
        assert_eq!((network.shape(), network.description()), (parameters.shape, "made up"));
        assert!(bytes.ends_with(&network.checksum().to_le_bytes()));
    }
}

#[test]
fn no_damage_goes_unnoticed() {
    let bytes = parameters(32, 2, 4).to_bytes();
    for cut in (0..bytes.len()).step_by(997).chain([0, 1, 8, 12, 19, bytes.len() - 1]) {
        assert!(Network::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    for at in (0..bytes.len()).step_by(131).chain(0..40) {
        for flip in [1, 0x80, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            assert!(Network::from_bytes(&bytes).is_err(), "byte {at} flipped by {flip}");
        }
    }
    let longer = [&bytes[..], b"\n"].concat();
    assert!(matches!(Network::from_bytes(&longer), Err(NetworkError::Length { .. })));
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let good = parameters(32, 1, 4);
    let with = |at: usize, number: u16| {
        let mut bytes = good.to_bytes();
        bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
        bytes
    };
    let new = |outputs: u16| {
        let mut bytes = with(14, outputs);
        bytes[8..10].copy_from_slice(&2_u16.to_le_bytes());
        bytes
    };
    let mut damaged = good.to_bytes();
    damaged[4_000] ^= 4;
    let wild = Parameters { input_weights: vec![745; 32 * features::COUNT], ..good.clone() };
    for (bytes, words) in [
        (Vec::new(), "it is no network of this program"),
        (b"MZ\x90\0\x03\0\0\0\x04\0".to_vec(), "it is no network of this program"),
        (good.to_bytes()[..15].to_vec(), "it has 15 bytes, not 20"),
        (with(8, 9), "its format is version 9, not 2"),
        (with(10, 1260), "it has 1260 inputs, not 689"),
        (with(12, 48), "a hidden layer of 48 cannot be run (32 to 1024, in steps of 32)"),
        (with(12, 64), "it has 44263 bytes, not 88487"),
        (with(14, 268), "268 output buckets cannot be run (1 to 16)"),
        (new(256 + 8), "8 output buckets by material cannot be run (12)"),
        (new(2 * 256 + 12), "output buckets of kind 2 cannot be run (0 by men, 1 by material)"),
        (with(14, 0), "0 output buckets cannot be run (1 to 16)"),
        (with(16, 0), "an output scale of 0 cannot be run (1 to 10000)"),
        (damaged, "it is damaged: its checksum is "),
        (wild.to_bytes(), "its weights are too large: neuron 0 can overflow"),
    ] {
        let error = Network::from_bytes(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(words) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = std::env::temp_dir().join(format!("chuhe-network-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let missing: PathBuf = folder.join("none.nnue");
    assert!(matches!(Network::load(&missing), Err(NetworkError::File(_))));
    assert!(matches!(Network::load(&folder), Err(NetworkError::File(_))));
    let good = folder.join("good.nnue");
    fs::write(&good, parameters(32, 1, 8).to_bytes()).unwrap();
    assert_eq!(Network::load(&good).unwrap().shape().hidden, 32);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_built_in_network_is_sound() {
    if let Some(network) = Network::embedded() {
        assert!(Nnue::value(&network, &Position::start()).abs() < 300);
    }
}
