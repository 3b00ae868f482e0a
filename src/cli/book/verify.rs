//! `chuhe book verify`: whether a book is sound, and whether its moves stand up to deeper searches.

use std::{io::Write, mem, path::PathBuf, process::ExitCode};

use anyhow::Context;
use serde::Serialize;

use super::{
    super::{outputs, progress::Line, watch::Watch},
    check_output, failed,
    made_by::{self, MadeBy},
    open, write,
};
use crate::{
    book::Pages,
    bookgen::{self, Loss, Studies},
    notation::quote,
};

/// How many of the worst moves are listed.
const LISTED: usize = 5;

/// Checks a book: the bytes of its file, that its moves are legal, and that its positions are
/// reached from the start position. With `--nodes`, each move is searched again. The exit status is
/// 1 when positions are not reached or moves are not legal.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The book.
    book: PathBuf,
    /// Search each position, and each that a move leads to, by so many nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Write the book anew without moves that lose more points than this; a knight is about 60.
    #[arg(long, value_name = "POINTS", requires_all = ["nodes", "out"])]
    drop: Option<u32>,
    /// The file to write it to.
    #[arg(long, value_name = "FILE", requires = "drop")]
    out: Option<PathBuf>,
    /// Where the thoughts are kept [default: the book's file, with `.verified`].
    #[arg(long, value_name = "FILE", requires = "nodes")]
    state: Option<PathBuf>,
    /// One JSON object in place of lines.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    made_by: MadeBy,
}

/// What deeper searches made of a book.
pub(super) struct Verified {
    nodes: u64,
    /// The worst first.
    losses: Vec<Loss>,
    /// How many were struck out, and for losing more than what.
    dropped: Option<(usize, u32)>,
}

/// A move as programs are told of it.
#[derive(Serialize)]
struct ToldLoss {
    fen: String,
    r#move: String,
    points: u32,
}

/// The result as programs are told of it.
#[derive(Serialize)]
struct Answer {
    positions: usize,
    reached: usize,
    moves: usize,
    legal: usize,
    #[serde(flatten)]
    verified: Option<ToldVerified>,
}

#[derive(Serialize)]
struct ToldVerified {
    nodes: u64,
    worst: u32,
    mean: f64,
    dropped: usize,
    losses: Vec<ToldLoss>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    args.out.as_deref().map_or(Ok(()), check_output)?;
    let file = args.state.clone().unwrap_or_else(|| args.book.with_extension("verified"));
    let written = args.out.iter().chain(args.nodes.is_some().then_some(&file));
    outputs::apart(
        &[&args.book].into_iter().chain(written).map(AsRef::as_ref).collect::<Vec<_>>(),
    )?;
    let book = open(&args.book)?;
    let failed = || failed(&args.book);
    let mut pages = bookgen::walk(&book).with_context(failed)?.pages;
    let positions = book.positions().with_context(failed)?;
    let reached = pages.positions();
    let moves = book.moves().with_context(failed)?;
    // Some formats have both of two moves that mirror each other.
    let all: usize = pages.iter().map(|(_, entries)| entries.len()).sum();
    let legal = if moves > pages.moves() { moves.min(all) } else { moves };
    let sound = reached >= positions && legal == moves;
    if !args.json {
        write!(out, "{}: from the start position, {reached} of {positions} ", quote(book.name()))?;
        writeln!(out, "positions are reached, and {legal} of {moves} moves are legal there")?;
    }
    let mut verified = None;
    if let Some(nodes) = args.nodes {
        let mut watch = Watch::new(Line::new())?;
        let mut studies = args.made_by.studies(nodes, 1, &file)?;
        let Some(mut found) = search(&pages, &mut studies, &mut watch)? else {
            return Ok(watch.stopped());
        };
        if let (Some(most), Some(file)) = (args.drop, &args.out) {
            found.drop(&mut pages, most);
            pages.description += &found.text();
            write(&pages, file, None)?;
        }
        if !args.json {
            found.tell(out)?;
        }
        verified = Some(found);
    }
    if args.json {
        let verified = verified.as_ref().map(Verified::told);
        let answer = Answer { positions, reached, moves, legal, verified };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Searches every move; `None` when that was called off.
pub(super) fn search(
    pages: &Pages,
    studies: &mut Studies,
    watch: &mut Watch,
) -> anyhow::Result<Option<Verified>> {
    let nodes = studies.settings().nodes;
    let losses =
        bookgen::verify(pages, studies, |progress| made_by::see(watch, "verifying", progress))?;
    watch.end();
    Ok(losses.map(|losses| Verified { nodes, losses, dropped: None }))
}

impl Verified {
    /// Strikes out the moves that lose more points, and what they alone led to.
    pub(super) fn drop(&mut self, pages: &mut Pages, most: u32) {
        let all = self.losses.len();
        self.losses = bookgen::strike(pages, mem::take(&mut self.losses), most);
        self.dropped = Some((all - self.losses.len(), most));
    }

    fn worst(&self) -> u32 {
        self.losses.first().map_or(0, |loss| loss.points)
    }

    fn mean(&self) -> f64 {
        let sum: u64 = self.losses.iter().map(|loss| u64::from(loss.points)).sum();
        sum as f64 / self.losses.len().max(1) as f64
    }

    /// A line for the whole, and one for each of the worst moves.
    pub(super) fn tell(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { nodes, losses, .. } = self;
        if let Some((count, most)) = self.dropped {
            writeln!(
                out,
                "left out: {count} moves that lose more than {most} points or lead nowhere"
            )?;
        }
        let (count, worst, mean) = (losses.len(), self.worst(), self.mean());
        writeln!(
            out,
            "{count} moves by {nodes} nodes: the worst loses {worst} points, the mean {mean:.1}"
        )?;
        for Loss { position, mv, points, .. } in losses.iter().take(LISTED) {
            writeln!(out, "  {points:>4}  {mv}  {}", position.fen())?;
        }
        Ok(())
    }

    /// What a book's description says of it.
    pub(super) fn text(&self) -> String {
        let (nodes, worst, mean) = (self.nodes, self.worst(), self.mean());
        let dropped = self.dropped.map(|(_, most)| format!("verified_margin = {most}\n"));
        let dropped = dropped.unwrap_or_default();
        format!(
            "verified_nodes = {nodes}\n{dropped}verified_worst = {worst}\nverified_mean = {mean:.1}\n"
        )
    }

    fn told(&self) -> ToldVerified {
        let loss = |loss: &Loss| ToldLoss {
            fen: loss.position.fen(),
            r#move: loss.mv.to_string(),
            points: loss.points,
        };
        ToldVerified {
            nodes: self.nodes,
            worst: self.worst(),
            mean: self.mean(),
            dropped: self.dropped.map_or(0, |(count, _)| count),
            losses: self.losses.iter().map(loss).collect(),
        }
    }
}
