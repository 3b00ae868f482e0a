//! Games for `chuhe book`, out of the files that the command line names. Knows what such files may
//! hold; what games are counted for is not known here.

use std::{ops::ControlFlow, path::PathBuf};

use anyhow::{Context, bail};

use super::super::{name, watch::Watch};
use crate::{
    bookgen::Games,
    games::Reader,
    notation::GameResult,
    records::{Archive, RecordError},
};

/// What games without a result count as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Unfinished {
    /// Drawn.
    Draw,
    /// They do not count.
    Skip,
}

/// Lines about single games that are shown; further ones are counted only.
const MOST_TOLD: u64 = 100;

/// How many games were not counted, and why.
#[derive(Default)]
struct Left {
    unfinished: u64,
    unread: u64,
    told: u64,
}

impl Left {
    /// Says something about a game, unless that was said of many.
    fn tell(&mut self, watch: &mut Watch, what: &str) {
        self.told += 1;
        if self.told <= MOST_TOLD {
            watch.keep(what);
        }
    }
}

/// Counts the games of files, so many plies of each, and says how many there were; `None` when that was
/// called off.
pub(super) fn count(
    files: &[PathBuf],
    plies: u32,
    unfinished: Unfinished,
    watch: &mut Watch,
) -> anyhow::Result<Option<Games>> {
    let mut games = Games::new(plies as usize);
    let mut left = Left::default();
    for (number, file) in files.iter().enumerate() {
        let read = read((number, files), unfinished, &mut games, &mut left, watch);
        if read.with_context(|| super::failed(file))?.is_break() {
            return Ok(None);
        }
    }
    watch.end();
    let (counted, passed_over) = (games.counted(), games.passed_over());
    let Left { unfinished: without, unread, told } = left;
    if told > MOST_TOLD {
        watch.keep(&format!("{} more lines like these are not shown", told - MOST_TOLD));
    }
    let elsewhere = passed_over
        .saturating_sub(unread + if unfinished == Unfinished::Skip { without } else { 0 });
    let mut told = format!("{counted} games counted, {passed_over} passed over");
    for (count, why) in
        [(elsewhere, "begin elsewhere than at the start position"), (unread, "cannot be read")]
    {
        if count > 0 {
            told.extend(["; ", &count.to_string(), " ", why]);
        }
    }
    match (without, unfinished) {
        (0, _) => {}
        (_, Unfinished::Draw) => {
            told.extend(["; ", &without.to_string(), " without a result counted as drawn"]);
        }
        (_, Unfinished::Skip) => {
            let hint = " have no result (--unfinished draw counts them as drawn)";
            told.extend(["; ", &without.to_string(), hint]);
        }
    }
    if counted == 0 {
        bail!("no game with a result begins at the start position: {told}");
    }
    watch.keep(&told);
    Ok(Some(games))
}

/// Shows that so much of the file of this number is counted, and tells whether to go on.
fn see(
    watch: &mut Watch,
    (number, files): (usize, &[PathBuf]),
    part: f64,
    games: &Games,
) -> ControlFlow<()> {
    let part = (number as f64 + part) / files.len() as f64;
    watch.see("counting", Some(part), || format!("{} games", games.counted()))
}

/// Counts the games of the file of this number, until that is called off. What cannot be read of it is
/// told and left out.
fn read(
    which: (usize, &[PathBuf]),
    unfinished: Unfinished,
    games: &mut Games,
    left: &mut Left,
    watch: &mut Watch,
) -> anyhow::Result<ControlFlow<()>> {
    let file = which.1[which.0].as_path();
    let name = name(file);
    let archive = match Archive::open(file) {
        Err(RecordError::Magic) => None,
        opened => Some(opened?),
    };
    let Some(archive) = archive else {
        let mut found = false;
        let reader = Reader::open(file)?;
        let progress = reader.progress();
        for game in reader {
            if see(watch, which, progress.part().unwrap_or(0.0), games).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            found = true;
            match game {
                Ok(found) => {
                    for remark in &found.remarks {
                        left.tell(watch, &format!("note: {name}, {remark}"));
                    }
                    let game = found.game;
                    let without = game.result == GameResult::Unknown;
                    if without && unfinished == Unfinished::Skip {
                        left.unfinished += 1;
                        games.pass_over();
                        continue;
                    }
                    let counted = games.counted();
                    games.add(&game.start, game.main_line(), 0, game.result.winner())?;
                    left.unfinished += u64::from(without && games.counted() > counted);
                }
                Err(error) => {
                    games.pass_over();
                    left.unread += 1;
                    left.tell(watch, &format!("left out: {name}, {error}"));
                }
            }
        }
        if !found {
            bail!("it holds no games");
        }
        return Ok(ControlFlow::Continue(()));
    };
    for damage in archive.damage() {
        watch.keep(&format!("left out: {name}, {damage}"));
    }
    let blocks = archive.blocks();
    for (number, block) in blocks.iter().enumerate() {
        if see(watch, which, number as f64 / blocks.len() as f64, games).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        for game in archive.games(block)? {
            let thought = game.plies.iter().map(|ply| ply.mv);
            let moves = game.opening.iter().copied().chain(thought);
            games.add(&game.start, moves, game.opening.len(), game.winner)?;
        }
    }
    Ok(ControlFlow::Continue(()))
}
