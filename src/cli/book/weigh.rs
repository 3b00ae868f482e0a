//! `chuhe book weigh`: a book whose moves weigh by how they did in games.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Context;

use super::{
    super::{progress::Line, watch::Watch},
    check_output, failed, games, open, write,
};
use crate::bookgen::{self, Weighed};

/// Plies of a game that are counted.
const PLIES: u32 = 200;

/// Counts how the moves of a book did in games, such as matches of the engine with the book, and
/// writes the book anew: moves weigh by what their mover may expect, by their score where there are
/// few games. Those that do badly stay known and are not played, and what they alone led to goes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The book.
    book: PathBuf,
    /// The file to write; `.dat` makes a BOOK.DAT.
    out: PathBuf,
    /// Files of games of any kind: records of `chuhe datagen`, PGN, XQF, CBL and others.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    games: Vec<PathBuf>,
    /// What games without a result count as.
    #[arg(long, value_enum, default_value_t = games::Unfinished::Skip)]
    unfinished: games::Unfinished,
    /// Hundredths of a game that a move may expect less than the best one and still be played.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=100))]
    margin: u32,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    check_output(&args.out)?;
    let book = open(&args.book)?;
    let mut pages = bookgen::walk(&book).with_context(|| failed(&args.book))?.pages;
    let mut watch = Watch::new(Line::new())?;
    let Some(games) = games::count(&args.games, PLIES, args.unfinished, &mut watch)? else {
        return Ok(watch.stopped_with("no book is written"));
    };
    let Weighed { played, refused } = bookgen::weigh(&mut pages, &games, args.margin);
    let (counted, margin) = (games.counted(), args.margin);
    let how = format!("weighed_by_games = {counted}\nweighed_margin = {margin}\n");
    pages.description += &how;
    let written = write(&pages, &args.out, None)?;
    writeln!(out, "{played} moves were played, {refused} are not to be any more")?;
    written.tell(&args.out, out)?;
    Ok(ExitCode::SUCCESS)
}
