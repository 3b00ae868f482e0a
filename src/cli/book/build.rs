//! `chuhe book build`: a book from games, or from what the engine thinks.

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{
    super::{outputs, progress::Line, watch::Watch},
    check_output, games,
    made_by::{self, MadeBy},
    verify, write,
};
use crate::{
    book::Pages,
    bookgen::{self, BookPlan, Thoughts},
};

/// Plies of a book from games, unless others are wanted.
const PLIES_OF_GAMES: u32 = 40;
/// Plies of a book from thought.
const PLIES_OF_THOUGHT: u32 = 24;

/// Makes a book: from the games of files, or without any from the start position along the moves
/// that the engine thinks worth it. An interrupt ends the thinking at the next good moment, and the
/// same command goes on. The thoughts stay in their file, for a longer book as well.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write; `.dat` makes a BOOK.DAT.
    out: PathBuf,
    /// What to write it as, whatever its name.
    #[arg(long, value_enum)]
    format: Option<super::Format>,
    /// So many plies of a game have a move in the book [default: 40 of games, 24 of thought].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: Option<u32>,
    /// Files of games of any kind: records of `chuhe datagen`, PGN, XQF, CBL and others.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// What games without a result count as.
    #[arg(long, value_enum, default_value_t = games::Unfinished::Skip, requires = "games")]
    unfinished: games::Unfinished,
    /// Of games, only moves that were played in so many.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "games")]
    min_games: u32,
    /// Nodes that the search of a position takes.
    #[arg(long, default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with = "games")]
    nodes: u64,
    /// How many of its moves are told apart.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=128))]
    #[arg(conflicts_with = "games")]
    lines: u8,
    /// Think again about what each move of the book's owner leads to that is within the reply margin,
    /// by so many nodes, and go by that. These thoughts are kept beside the others, with `.again`.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with = "games")]
    again: Option<u64>,
    /// The most positions that the book has moves in. Those where the other side moves are thought
    /// about besides.
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(conflicts_with = "games")]
    positions: u32,
    /// Points that a move of the book may be worse by than the best; a knight is about 60.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=1_000))]
    #[arg(conflicts_with = "games")]
    margin: u32,
    /// Points that a move of the other side may be worse by and still be answered.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(..=1_000))]
    #[arg(conflicts_with = "games")]
    reply_margin: u32,
    /// Points that a ply counts for in choosing among ways: more make a broader book, fewer a deeper
    /// one.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=1_000))]
    #[arg(conflicts_with = "games")]
    ply_cost: u32,
    /// Where the thoughts are kept [default: the book's file, with `.studies`].
    #[arg(long, value_name = "FILE", conflicts_with = "games")]
    state: Option<PathBuf>,
    /// Search every move again by so many nodes, as `book verify` does.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    verify: Option<u64>,
    /// Leave out moves that lose more points then.
    #[arg(long, value_name = "POINTS", requires = "verify")]
    drop: Option<u32>,
    #[command(flatten)]
    made_by: MadeBy,
}

impl Args {
    /// Where thoughts are kept: the first, those of `--again` and those of `--verify`.
    fn states(&self) -> [PathBuf; 3] {
        let state = self.state.clone().unwrap_or_else(|| self.out.with_extension("studies"));
        let again = state.with_extension("again");
        [state, again, self.out.with_extension("verified")]
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    check_output(&args.out)?;
    let [state, again, verified] = args.states();
    outputs::apart(&[&args.out, &state, &again, &verified])?;
    // Opened before the first thought: later is too late to hear that it is of no use.
    let verify = |nodes| args.made_by.studies(nodes, 1, &verified);
    let mut verify = args.verify.map(verify).transpose()?;
    let mut watch = Watch::new(Line::new())?;
    let made =
        if args.games.is_empty() { think(args, &mut watch)? } else { count(args, &mut watch)? };
    let Some(mut pages) = made else {
        let thought = args.games.is_empty();
        return Ok(if thought {
            watch.stopped()
        } else {
            watch.stopped_with("no book is written")
        });
    };
    if let Some(studies) = &mut verify {
        let Some(mut verified) = verify::search(&pages, studies, &mut watch)? else {
            return Ok(watch.stopped());
        };
        if let Some(most) = args.drop {
            verified.drop(&mut pages, most);
        }
        verified.tell(out)?;
        pages.description += &verified.text();
    }
    write(&pages, &args.out, args.format)?.tell(&args.out, out)?;
    Ok(ExitCode::SUCCESS)
}

fn think(args: &Args, watch: &mut Watch) -> anyhow::Result<Option<Pages>> {
    let [file, file_again, _] = args.states();
    let mut first = args.made_by.studies(args.nodes, args.lines.into(), &file)?;
    let again = |nodes| args.made_by.studies(nodes, 1, &file_again);
    let mut again = args.again.map(again).transpose()?;
    let plan = BookPlan {
        plies: args.plies.unwrap_or(PLIES_OF_THOUGHT),
        positions: args.positions as usize,
        margin: args.margin,
        reply_margin: args.reply_margin.max(args.margin),
        ply_cost: args.ply_cost,
    };
    let (first, doubt) = (&mut first, plan.reply_margin);
    let mut thoughts = Thoughts { first, again: again.as_mut(), doubt };
    let pages =
        bookgen::grow(&plan, &mut thoughts, |progress| made_by::see(watch, "thinking", progress))?;
    watch.end();
    Ok(pages)
}

fn count(args: &Args, watch: &mut Watch) -> anyhow::Result<Option<Pages>> {
    let plies = args.plies.unwrap_or(PLIES_OF_GAMES);
    let games = games::count(&args.games, plies, args.unfinished, watch)?;
    Ok(games.map(|games| games.finish(args.min_games)))
}
