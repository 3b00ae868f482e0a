//! `chuhe book`: opening books are made, looked into, converted and checked. What they are made of
//! and what is in them is for `bookgen` and `book` to know.

mod build;
mod games;
mod look;
mod made_by;
mod verify;
mod weigh;

use std::{
    borrow::Cow,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::Subcommand;

use super::{name, outputs};
use crate::{
    book::{Book, Pages},
    bookgen,
    files::replace,
};

/// What the book inside the program is called where the name of a file is asked for.
const BUILT_IN: &str = "built-in";

/// Makes opening books and looks into them. Where a BOOK is asked for, `built-in` is the one inside
/// the program.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(Box<build::Args>),
    Probe(look::Probe),
    Stats(look::Stats),
    /// Writes what a book of any format tells from the start position on as another.
    Convert {
        /// The book to read.
        from: PathBuf,
        /// The file to write.
        to: PathBuf,
        /// How to write it [default: `.dat` as BOOK.DAT, all else as our own].
        #[arg(long, value_enum)]
        format: Option<Format>,
    },
    Verify(Box<verify::Args>),
    Weigh(weigh::Args),
}

/// What books are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Our own, which alone keeps games, scores and depths
    Own,
    /// BOOK.DAT, as `ElephantEye` and `XQWizard` have it
    Xqwizard,
}

pub(super) fn run(args: Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let success = |()| ExitCode::SUCCESS;
    match args.command {
        Command::Build(args) => build::run(&args, out),
        Command::Probe(args) => look::probe(&args, out).map(success),
        Command::Stats(args) => look::stats(&args, out).map(success),
        Command::Convert { from, to, format } => convert(&from, &to, format, out).map(success),
        Command::Verify(args) => verify::run(&args, out),
        Command::Weigh(args) => weigh::run(&args, out),
    }
}

fn convert(
    from: &Path,
    to: &Path,
    format: Option<Format>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    check_output(to)?;
    let book = open(from)?;
    let pages = bookgen::walk(&book).with_context(|| failed(from))?.pages;
    write(&pages, to, format)?.tell(to, out)?;
    let (reached, all) = (pages.positions(), book.positions().with_context(|| failed(from))?);
    if reached < all {
        let lost = all - reached;
        writeln!(out, "left out: {lost} positions that are not reached from the start position")?;
    }
    Ok(())
}

/// Opens a book, naming the file where that fails.
fn open(file: &Path) -> anyhow::Result<Book> {
    if file.as_os_str() == BUILT_IN {
        return Ok(Book::built_in());
    }
    Book::open(file).with_context(|| failed(file))
}

fn failed(file: &Path) -> String {
    format!("cannot use {}", name(file))
}

/// Nobody's book is written over, and one that cannot be written is not begun.
fn check_output(file: &Path) -> anyhow::Result<()> {
    outputs::fresh(file, "remove it or choose another name")
}

/// What a book has that was written.
struct Written {
    positions: usize,
    moves: usize,
}

impl Written {
    fn tell(&self, file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { positions, moves } = self;
        writeln!(out, "{}: {positions} positions, {moves} moves", name(file))?;
        Ok(())
    }
}

/// Writes a book that is not there yet.
fn write(pages: &Pages, file: &Path, format: Option<Format>) -> anyhow::Result<Written> {
    let by_name = || match file.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("dat") => Format::Xqwizard,
        _ => Format::Own,
    };
    let format = format.unwrap_or_else(by_name);
    let pages = match format {
        Format::Own => Cow::Borrowed(pages),
        Format::Xqwizard => Cow::Owned(pages.played()),
    };
    let written = || -> io::Result<()> {
        replace(file, |mut out| match format {
            Format::Own => pages.write_own(&mut out),
            Format::Xqwizard => pages.write_xqwizard(&mut out),
        })
    };
    written().with_context(|| format!("cannot write {}", name(file)))?;
    // What counts is what others find in it: a file may have both of two moves that mirror each other.
    let book = open(file)?;
    let failed = || failed(file);
    Ok(Written {
        positions: book.positions().with_context(failed)?,
        moves: book.moves().with_context(failed)?,
    })
}
