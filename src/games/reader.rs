//! The one reader of game files. Finds out what a file is and leaves its games to the reader of that
//! format.

use std::{
    fmt,
    io::{self, Cursor, Read, Seek},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use super::{
    Found, GameError, OpenError,
    ccbridge::{self, Library, OldLibrary},
    dhtmlxq,
    lines::{Input, Lines, MOST},
    list, own, pgn, sniff, wxf, xqf,
};
use crate::{
    files::{self, ReadError},
    notation::text,
    records::Archive,
};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Text with tags and moves, the usual form.
    Pgn,
    /// Lines of positions or moves, EPD among them.
    List,
    /// XQStudio's.
    Xqf,
    /// A game of CCBridge.
    Cbr,
    /// A library of CCBridge.
    Cbl,
    /// A library of CCBridge 2.
    OldCbl,
    /// A game of CCBridge as XML.
    Cbf,
    /// What web pages have.
    DhtmlXq,
    /// Text of PlayOK and XieXie.
    Wxf,
    /// Lines of JSON, of a match or of `chuhe judge`.
    Json,
    /// Games of the engine against itself.
    Records,
}

/// The games of a file, in its order. A game that is bad is told of, and those after it are read.
/// Nothing is kept of a game that was handed out, so that libraries of any size are read.
pub struct Reader {
    format: FileFormat,
    name: String,
    games: Box<dyn Iterator<Item = Result<Found, GameError>> + Send>,
    progress: Progress,
}

/// How much of a file has been read: of its bytes, or of its games where its bytes are read at once.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    done: Arc<AtomicU64>,
    whole: Option<u64>,
}

impl Progress {
    /// From 0 to 1; `None` where nobody knows how long the file is.
    pub fn part(&self) -> Option<f64> {
        let whole = self.whole?.max(1);
        Some((self.done.load(Relaxed) as f64 / whole as f64).min(1.0))
    }
}

/// Tells how far it was read.
struct Counted<R> {
    input: R,
    done: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.done.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.input.seek(to)
    }
}

impl Reader {
    /// Opens a plain file.
    ///
    /// # Errors
    /// When it cannot be read, or is no file of games.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = files::open(path)?;
        let whole = file.metadata().map_err(ReadError::from)?.len();
        let progress = Progress { done: Arc::default(), whole: Some(whole) };
        let mut input = Counted { input: file, done: Arc::clone(&progress.done) };
        let head = head_of(&mut input)?;
        let format = sniff::format(&head)?;
        if format == FileFormat::Cbl {
            return Self::library(input, progress);
        }
        Self::new(format, &head, Box::new(input), progress)
    }

    /// Reads from standard input or anything else of unknown length.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_reader(input: impl Read + Send + 'static) -> Result<Self, OpenError> {
        let progress = Progress::default();
        let mut input = Counted { input, done: Arc::clone(&progress.done) };
        let head = head_of(&mut input)?;
        let format = sniff::format(&head)?;
        Self::new(format, &head, Box::new(input), progress)
    }

    /// Reads lines of JSON, each as soon as it is there.
    pub fn of_json(input: impl Read + Send + 'static) -> Self {
        let lines = Lines::new(&[], Box::new(input));
        Self {
            format: FileFormat::Json,
            name: String::new(),
            games: Box::new(own::Json::new(lines)),
            progress: Progress::default(),
        }
    }

    /// Reads what a file holds.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        Self::from_reader(Cursor::new(bytes))
    }

    fn new(
        format: FileFormat,
        head: &[u8],
        input: Input,
        progress: Progress,
    ) -> Result<Self, OpenError> {
        let input: Input = Box::new(Cursor::new(head.to_vec()).chain(input));
        let whole = |input: Input| -> Result<Vec<u8>, OpenError> {
            let mut bytes = Vec::new();
            input.take(MOST as u64 + 1).read_to_end(&mut bytes).map_err(ReadError::from)?;
            if bytes.len() > MOST {
                return Err(ReadError::TooLarge(MOST as u64).into());
            }
            Ok(bytes)
        };
        let damaged = |what: String| OpenError::Damaged { format, what };
        let lines = |input| Lines::new(head, input);
        let mut name = String::new();
        let games: Box<dyn Iterator<Item = _> + Send> = match format {
            FileFormat::Pgn => Box::new(pgn::Games::new(lines(input))),
            FileFormat::List => Box::new(list::Games::new(lines(input))),
            FileFormat::DhtmlXq => Box::new(dhtmlxq::Games::new(lines(input))),
            FileFormat::Wxf => Box::new(wxf::Games::new(lines(input))),
            FileFormat::Json => Box::new(own::Json::new(lines(input))),
            FileFormat::Xqf => Box::new([xqf::read(&whole(input)?).finish(1)].into_iter()),
            FileFormat::Cbr => {
                Box::new([ccbridge::read_record(&whole(input)?, 0).finish(1)].into_iter())
            }
            FileFormat::Cbf => {
                let bytes = whole(input)?;
                let draft = ccbridge::read_xml(&text::decode(&bytes).0);
                Box::new([draft.finish(1)].into_iter())
            }
            FileFormat::Cbl => {
                return Self::library(Cursor::new(whole_of(input)?), progress);
            }
            FileFormat::OldCbl => {
                let library = OldLibrary::open(&whole(input)?);
                let library = library.map_err(|fault| damaged(fault.to_string()))?;
                library.name().clone_into(&mut name);
                let games = library.games();
                return Ok(Self::counted(format, name, library, games));
            }
            FileFormat::Records => {
                let archive = Archive::from_bytes(whole_of(input)?);
                let archive = archive.map_err(|error| damaged(error.to_string()))?;
                let games = archive.blocks().iter().map(|block| block.games as u64).sum();
                return Ok(Self::counted(format, name, own::Archived::new(archive), games));
            }
        };
        Ok(Self { format, name, games, progress })
    }

    /// Games of a file that was read whole, of which there are so many.
    fn counted(
        format: FileFormat,
        name: String,
        games: impl Iterator<Item = Result<Found, GameError>> + Send + 'static,
        whole: u64,
    ) -> Self {
        let progress = Progress { done: Arc::default(), whole: Some(whole) };
        let done = Arc::clone(&progress.done);
        let games = games.inspect(move |_| _ = done.fetch_add(1, Relaxed));
        Self { format, name, games: Box::new(games), progress }
    }

    fn library(
        input: impl Read + Seek + Send + 'static,
        progress: Progress,
    ) -> Result<Self, OpenError> {
        let library = Library::open(input).map_err(ReadError::from)?;
        let name = library.name().to_owned();
        Ok(Self { format: FileFormat::Cbl, name, games: Box::new(library), progress })
    }

    /// What the file is.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// The name that a library gives itself; mostly empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// To be looked at while games are read.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }
}

/// The first bytes of a file.
fn head_of(input: &mut impl Read) -> Result<Vec<u8>, OpenError> {
    let mut head = Vec::new();
    input.take(sniff::HEAD as u64).read_to_end(&mut head).map_err(ReadError::from)?;
    Ok(head)
}

/// All of a file of a kind that may be large.
fn whole_of(input: Input) -> Result<Vec<u8>, OpenError> {
    let mut bytes = Vec::new();
    input.take(files::LARGEST + 1).read_to_end(&mut bytes).map_err(ReadError::from)?;
    if bytes.len() as u64 > files::LARGEST {
        return Err(ReadError::TooLarge(files::LARGEST).into());
    }
    Ok(bytes)
}

impl Iterator for Reader {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("format", &self.format).finish_non_exhaustive()
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pgn => "PGN",
            Self::List => "a list of positions or moves",
            Self::Xqf => "XQF",
            Self::Cbr => "CBR",
            Self::Cbl => "CBL",
            Self::OldCbl => "CBL of CCBridge 2",
            Self::Cbf => "CBF",
            Self::DhtmlXq => "DhtmlXQ",
            Self::Wxf => "WXF",
            Self::Json => "lines of JSON",
            Self::Records => "records of chuhe datagen",
        })
    }
}
