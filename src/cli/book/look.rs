//! `chuhe book probe` and `chuhe book stats`: what a book says of one position, and what there is in
//! it.

use std::{fs, io::Write, path::PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::{
    super::lang::{self, SpokenLanguage},
    failed, open,
};
use crate::{
    arena::openings,
    book::Entry,
    bookgen,
    notation::{self, Format, Style, one_line, quote},
    position::Position,
    rules::Language,
};

/// Tells what a book says of the moves of a position.
#[derive(Debug, clap::Args)]
pub(super) struct Probe {
    /// The book.
    book: PathBuf,
    /// A FEN, `FEN moves MOVES`, or moves from the start position in any notation; none: the start
    /// position.
    position: Vec<String>,
    /// One JSON object in place of lines.
    #[arg(long, conflicts_with = "lang")]
    json: bool,
    /// The language of the lines; usually that of `CHUHE_LANG`.
    #[arg(long, value_enum)]
    lang: Option<SpokenLanguage>,
}

/// Tells what there is in a book.
#[derive(Debug, clap::Args)]
pub(super) struct Stats {
    /// The book.
    book: PathBuf,
    /// One JSON object in place of lines.
    #[arg(long)]
    json: bool,
}

/// A move as programs are told of it.
#[derive(Serialize)]
struct Told {
    r#move: String,
    weight: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: Option<i16>,
    depth: u8,
}

/// A position as programs are told of it.
#[derive(Serialize)]
struct Answer<'a> {
    book: &'a str,
    fen: String,
    moves: Vec<Told>,
}

/// A book as programs are told of it.
#[derive(Serialize)]
struct Summary<'a> {
    book: &'a str,
    description: &'a str,
    bytes: Option<u64>,
    positions: usize,
    moves: usize,
    /// Positions reached from the start position, by the ply that they first come at.
    plies: Vec<usize>,
    first: Vec<Told>,
}

impl From<&Entry> for Told {
    fn from(entry: &Entry) -> Self {
        let Entry { mv, weight, wins, draws, losses, score, depth } = *entry;
        Self { r#move: mv.to_string(), weight, wins, draws, losses, score, depth }
    }
}

pub(super) fn probe(args: &Probe, out: &mut impl Write) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    let words = args.position.join(" ");
    let position = match words.as_str() {
        "" => Position::start(),
        words => {
            let openings = openings::read(words, usize::MAX);
            let openings = openings.with_context(|| format!("bad position `{words}`"))?;
            openings[0].position()
        }
    };
    let entries = book.entries(&position).with_context(|| failed(&args.book))?;
    if args.json {
        let moves = entries.iter().map(Told::from).collect();
        let answer = Answer { book: book.name(), fen: position.fen(), moves };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else if entries.is_empty() {
        let name = quote(book.name());
        match lang::chosen(args.lang) {
            Language::English => writeln!(out, "{name} knows no move here")?,
            Language::Chinese => writeln!(out, "{name}中无此局面的着法")?,
        }
    } else {
        list(&position, &entries, lang::chosen(args.lang), out)?;
    }
    Ok(())
}

pub(super) fn stats(args: &Stats, out: &mut impl Write) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    let failed = || failed(&args.book);
    let walk = bookgen::walk(&book).with_context(failed)?;
    let (positions, moves) = (book.positions().with_context(failed)?, book.moves()?);
    // The book inside the program has no file.
    let bytes = fs::metadata(&args.book).ok().map(|data| data.len());
    let first = walk.pages.entries(&Position::start());
    if args.json {
        let summary = Summary {
            book: book.name(),
            description: book.description(),
            bytes,
            positions,
            moves,
            plies: walk.plies,
            first: first.iter().map(Told::from).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&summary)?)?;
        return Ok(());
    }
    write!(out, "{}: {positions} positions, {moves} moves", quote(book.name()))?;
    match bytes {
        Some(bytes) => writeln!(out, ", {bytes} bytes")?,
        None => writeln!(out)?,
    }
    for line in book.description().lines() {
        writeln!(out, "  {}", one_line(line))?;
    }
    let reached = walk.pages.positions();
    writeln!(out, "{reached} positions are reached from the start position, by ply:")?;
    for (ply, count) in walk.plies.iter().enumerate() {
        writeln!(out, "  {ply:>3} {count:>6}")?;
    }
    writeln!(out, "red's first moves:")?;
    list(&Position::start(), &first, Language::English, out)
}

/// A line for each move.
fn list(
    position: &Position,
    entries: &[Entry],
    language: Language,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let sum: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    for entry in entries {
        let Entry { mv, weight, wins, draws, losses, score, depth } = *entry;
        let name = notation::print(position, mv, Format::Chinese(Style::default()));
        let share = 100.0 * f64::from(weight) / (sum as f64).max(1.0);
        if language == Language::Chinese {
            write!(out, "  {mv} {name}  权重 {weight}（{share:.1}%）")?;
            if let Some(score) = score {
                write!(out, "，评分 {score:+}（深度 {depth}）")?;
            }
            if wins + draws + losses > 0 {
                write!(out, "，胜 {wins} 和 {draws} 负 {losses}")?;
            }
            writeln!(out)?;
            continue;
        }
        write!(out, "  {mv} {name}  weight {weight} ({share:.1} %)")?;
        if let Some(score) = score {
            write!(out, ", score {score:+} at depth {depth}")?;
        }
        if wins + draws + losses > 0 {
            write!(out, ", games +{wins} ={draws} -{losses}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
