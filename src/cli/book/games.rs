//! Games for `chuhe book`, out of the files that the command line names. Knows what such files may
//! hold; what games are counted for is not known here.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::made_by::Watch;
use crate::{
    bookgen::Games,
    files,
    games::pgn,
    notation::{GameResult, text},
    records::{Archive, RecordError},
};

/// Counts the games of files, so many plies of each, and says how many there were.
pub(super) fn count(files: &[PathBuf], plies: u32, watch: &mut Watch) -> anyhow::Result<Games> {
    let mut games = Games::new(plies as usize);
    for file in files {
        read(file, &mut games, watch).with_context(|| super::failed(file))?;
    }
    if games.counted() == 0 {
        bail!("no game with a result begins at the start position");
    }
    let (counted, passed_over) = (games.counted(), games.passed_over());
    watch.keep(&format!("{counted} games counted, {passed_over} passed over"));
    Ok(games)
}

/// Counts the games of a file. What cannot be read of it is told and left out.
fn read(file: &Path, games: &mut Games, watch: &mut Watch) -> anyhow::Result<()> {
    let name = file.display();
    let archive = match Archive::open(file) {
        Err(RecordError::Magic) => None,
        opened => Some(opened?),
    };
    let Some(archive) = archive else {
        let bytes = files::read(file, files::LARGEST)?;
        let (text, _) = text::decode(&bytes);
        let mut found = false;
        for game in pgn::read(&text) {
            found = true;
            match game {
                Ok(game) if game.result == GameResult::Unknown => games.pass_over(),
                Ok(game) => {
                    let moves = game.moves.iter().map(|played| played.mv);
                    games.add(&game.start, moves, 0, game.result.winner())?;
                }
                Err(error) => {
                    games.pass_over();
                    watch.keep(&format!("left out: {name}, {error}"));
                }
            }
        }
        if !found {
            bail!("it holds no games");
        }
        return Ok(());
    };
    for damage in archive.damage() {
        watch.keep(&format!("left out: {name}, {damage}"));
    }
    for block in archive.blocks() {
        for game in archive.games(block)? {
            let thought = game.plies.iter().map(|ply| ply.mv);
            let moves = game.opening.iter().copied().chain(thought);
            games.add(&game.start, moves, game.opening.len(), game.winner)?;
        }
    }
    Ok(())
}
