//! Where the games of a match begin, as its command line says. Plays nothing.

use std::{collections::HashSet, fs, path::Path};

use anyhow::Context;

use super::Args;
use crate::{
    arena::{
        Judge,
        openings::{self, Openings, RandomOpenings},
    },
    cli::{name, progress},
    games::{Reader, Remark},
};

/// Random openings, where none are given: as many plies, judged by so many positions, within so
/// many points.
const RANDOM: (usize, u64, u32) = (8, 1_000, 40);

/// The openings and where they come from.
pub(super) fn openings(args: &Args) -> anyhow::Result<(Openings, String)> {
    let Some(path) = &args.openings else {
        let (plies, nodes, band) = RANDOM;
        let seed = args.seed.unwrap_or(1);
        let source = format!("random {plies} plies, {nodes} nodes, ±{band} points, seed {seed}");
        return Ok((Openings::Random(RandomOpenings { seed, plies, band, nodes }), source));
    };
    let read = |path: &Path| {
        // They may come through a pipe.
        let games = if fs::metadata(path)?.is_file() {
            Reader::open(path)?
        } else {
            Reader::from_reader(fs::File::open(path)?)?
        };
        let tell = |remark: &Remark| progress::write(&format!("note: {}, {remark}", name(path)));
        Ok::<_, anyhow::Error>(openings::from_games(games, args.opening_plies, tell)?)
    };
    let mut openings = read(path).with_context(|| name(path))?;
    let mut source = path.display().to_string();
    if let Some(seed) = args.seed {
        openings::shuffle(&mut openings, seed);
        source = format!("{source}, shuffled by seed {seed}");
    }
    Ok((Openings::Listed(openings), source))
}

/// A number that tells these openings from others. Random ones differ from the first on, if another
/// version judges them.
pub(super) fn openings_check(openings: &Openings) -> u64 {
    const FIRST: usize = 4;
    match openings {
        Openings::Listed(openings) => openings::checksum(openings),
        Openings::Random(random) => {
            let mut judge = Judge::new(random.nodes);
            let mut make = |number| random.make(number, |line| judge.points(line));
            openings::checksum(&(0..FIRST).map(&mut make).collect::<Vec<_>>())
        }
    }
}

/// Tells of openings that come more than once: what is played from them may be played again.
pub(super) fn warn_of_copies(openings: &Openings, rounds: Option<usize>) {
    let Openings::Listed(openings) = openings else { return };
    let count = openings.len();
    let distinct: HashSet<_> =
        openings.iter().map(|opening| (opening.start.key(), &opening.moves)).collect();
    let twins = count - distinct.len();
    if twins > 0 {
        progress::write(&format!("warning: {twins} of the {count} openings repeat others"));
    }
    match rounds {
        Some(rounds) if rounds > count => progress::write(&format!(
            "warning: {count} openings for {rounds} rounds: they are played again and again, and \
             copies of a game count once"
        )),
        None => progress::write(&format!(
            "note: after {count} rounds the openings are played again, and copies of a game count \
             once"
        )),
        Some(_) => {}
    }
}
