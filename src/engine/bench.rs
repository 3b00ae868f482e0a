//! The signature: how many positions a fixed suite takes at a fixed depth. Equal numbers mean that
//! nothing changed in what the search finds. Knows no output.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    eval::Network,
    position::Position,
    rules::Line,
    search::{Limits, Pool, SearchResult, Signals},
};

/// The depth of the recorded signature, low enough for a few seconds in all.
pub const DEPTH: u32 = 12;

const HASH_MB: usize = 16;

/// Openings, middlegames, endings and mates, from games of the engine against itself after a few
/// random moves.
pub const SUITE: [&str; 40] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rn1aka1nr/9/b3b3c/pc2p1P1p/1Cp6/9/P1P1P3P/6C2/9/RNBAKABNR w - - 1 6",
    "rnbakabnr/9/2c6/p1C1p1p1p/9/9/P3P1P1P/1C2B1N2/4K4/RNcA1ABR1 b - - 2 6",
    "r1bakab1r/9/2n3n1c/p1p1p1p1p/c8/2PN5/P3P1P1P/1C4NCB/9/1RBAKA2R w - - 12 7",
    "r1bakabnr/9/2n2c3/p1p1p1p1p/9/9/P1P1P1P1P/1C2B3C/9/1R1AKABNR w - - 1 4",
    "rnbakab1r/1c7/9/pCp1p3p/5np2/2P4c1/P3P1P1P/2N1B1NC1/9/R1BAKA2R b - - 11 6",
    "rnbakabn1/8r/1c2c4/p1p1p1p2/8p/6P2/P1P1P3P/1C4NC1/R8/RNBAKAB2 b - - 7 4",
    "r1bakab1r/9/1cn3nc1/p3p3p/2p3pC1/6P2/P1P1P3P/1CN3N2/9/R1BAKAB1R w - - 8 5",
    "rnbaka2r/9/6n1b/p1pP2p1p/9/9/PcP3P1P/1C2B4/9/RNBAKA1NR b - - 2 6",
    "2C1kabnr/4a4/2n1c4/p5p1p/7r1/2P6/P5P1P/2N1B1N2/4K4/c2A1ABR1 w - - 4 14",
    "2baka2r/9/b5R1c/P3p3p/9/2p2r3/R1n1P3P/2N1B3C/9/2BAKA3 w - - 2 20",
    "1r1akab1r/9/2n1b3n/p3p1p1p/1Cp6/8C/P1P1N1PR1/9/2c6/1RBAKABN1 w - - 9 11",
    "3ak1b2/4a4/3cb1n2/5Pp1p/2n6/2N6/P6rP/B3C4/4K4/3A1AB1R w - - 8 20",
    "2baka3/r6P1/1c2b4/p3pc3/2p6/9/P1n1P3r/1CN5N/4A4/R1BAK1BR1 w - - 0 16",
    "2b1k4/4a4/2n1b4/p1p5p/4r4/5Nc2/P7P/N3B4/4A4/2c1KAB1R w - - 0 20",
    "4kabr1/4a4/n3b4/p1p1C1p1p/9/9/P1P3r1P/N6c1/4RR3/2BAKABN1 w - - 0 14",
    "r2a1abnr/3nk4/4b2c1/pR2p1p1p/2p1c4/9/P1P1P1P1P/C1N1B2C1/4KN3/2BA1A2R w - - 14 8",
    "2bakab2/2r6/n8/p3N3p/2p3p2/1R3C1r1/2Pc2P1P/4B4/4A2cR/2BAK2N1 b - - 0 17",
    "r1bR5/2c1k4/2n6/p7p/4C4/2p6/P3P3P/2N3p2/4K1n2/1RBA1A3 w - - 0 19",
    "1nbak1br1/4a2C1/4cc3/p1p1p4/5n1Rp/2P6/P3P3P/2N1B1N2/6C2/3AKAB2 b - - 13 16",
    "r2a1ab2/1C1k2R2/4b4/6p2/p3N3p/2P1c4/P2r4P/4B4/R3A4/4KAB2 b - - 0 24",
    "r1bakabn1/8r/4c2c1/p3p1p1p/9/2p2NP2/P1nRP3P/1CN6/1C7/R1BAKAB2 b - - 5 9",
    "r1ba2r2/4k4/1cn1b4/p1p1p4/2c5R/4P4/P5p2/NC4N2/4K1C2/R1BA1AB2 b - - 2 13",
    "3ak1b2/4a4/4b4/3R5/6n2/2B3B2/5r3/9/4A4/4KN3 w - - 29 61",
    "2bakaR2/1C7/3n5/4r4/9/P8/9/4B4/9/3AKAB2 w - - 0 47",
    "5a3/3Nak3/b8/9/2p4c1/p5B2/P1P6/5A3/5C3/4KAB2 b - - 18 51",
    "2baka3/9/9/4P1N1p/6bn1/6B2/P8/9/8C/3AK4 b - - 0 39",
    "4C1b2/3k1N2n/2n6/6P2/p3C3p/4p4/P3c3P/9/4A4/2B1KAB2 w - - 11 42",
    "3ak4/4a4/4b4/9/4R1N1p/4P4/P7P/4BACr1/2n6/3A1KB2 b - - 0 33",
    "3ak1b2/9/3ab4/1r6p/P1n6/2N3R1P/9/9/9/3AKA3 b - - 9 37",
    "3a1ab2/5k1N1/4b4/9/9/2B6/5n3/4B4/9/3A1K3 w - - 15 79",
    "9/3ka4/CP7/9/9/9/9/2n6/3C5/5K3 w - - 35 70",
    "3akr3/4a3c/9/4R4/9/6N2/9/9/9/3AKA3 b - - 0 34",
    "2b1k4/9/4b4/9/9/9/9/4B4/R2KA4/cr4B2 b - - 14 55",
    "2b2a3/4k4/4b4/1P7/4N4/9/6n2/9/4A3C/4K4 w - - 2 61",
    "2ba1a3/4k1N2/9/4p4/5n3/r8/5n3/5K3/9/9 w - - 16 47",
    "2b1k4/4a4/4b4/5r3/8N/9/9/2n2K3/9/9 w - - 2 69",
    "4ka1R1/9/9/9/9/9/5C3/4B4/9/3AKAB2 w - - 3 74",
    "3aka3/9/9/3r5/9/9/9/2N6/5K3/4c4 w - - 24 59",
    "4k4/3P1R3/9/9/2b6/1p7/9/4B4/4A4/3AK1Cr1 b - - 4 65",
];

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions searched: the signature, if the depth was [`DEPTH`].
    pub nodes: u64,
    /// The time they took.
    pub time: Duration,
}

impl Tally {
    /// Positions in a second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches every position of the suite by one thread, each as a new game, and tells of each. None if
/// it was stopped before the end.
///
/// # Panics
/// Only if a search does.
pub fn run(depth: u32, signals: &Signals, tell: impl FnMut(&str, &SearchResult)) -> Option<Tally> {
    run_by(Network::embedded(), depth, signals, tell)
}

/// As [`run`], evaluating by another network or without any.
///
/// # Panics
/// Only if a search does.
pub fn run_by(
    network: Option<Arc<Network>>,
    depth: u32,
    signals: &Signals,
    mut tell: impl FnMut(&str, &SearchResult),
) -> Option<Tally> {
    let mut pool = Pool::new(1, HASH_MB);
    pool.set_network(network);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let started = Instant::now();
    let mut nodes = 0;
    for fen in SUITE {
        let position = Position::from_fen(fen).expect("invariant: the suite is legal");
        pool.new_game();
        let outcome = pool.think(&Line::new(position), &limits, false, 1, signals, &|_| {});
        if signals.stopped() {
            return None;
        }
        nodes += outcome.nodes;
        tell(fen, &outcome);
    }
    Some(Tally { nodes, time: started.elapsed() })
}
