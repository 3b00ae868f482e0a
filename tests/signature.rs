//! The bench signature: the recorded number, whatever was searched before.

use std::{fs, path::Path};

use chuhe::engine::bench;

/// The number that a commit changes only if it changes what the search finds.
fn recorded() -> u64 {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/signature");
    let text = fs::read_to_string(file).expect("a recorded signature");
    text.trim().parse().expect("a number and nothing else")
}

#[test]
fn the_signature_is_the_recorded_one() {
    let found = bench::run(bench::DEPTH, |_, _| {}).nodes;
    assert_eq!(found, recorded(), "record the new one if the change is meant");
}
