//! The command line: what can be asked of the program, and how it ends. Nobody imports it.

#[cfg(feature = "tools")]
mod analyse;
#[cfg(feature = "tools")]
mod arena;
mod bench;
#[cfg(feature = "tools")]
mod book;
#[cfg(feature = "tools")]
mod convert;
#[cfg(feature = "tools")]
mod datagen;
#[cfg(feature = "tools")]
mod evaluator;
#[cfg(feature = "tools")]
mod fit;
#[cfg(feature = "tools")]
mod interrupt;
#[cfg(feature = "tools")]
mod judge;
mod lang;
mod log_file;
mod net;
#[cfg(feature = "tools")]
mod openings;
mod outputs;
mod perft;
#[cfg(feature = "tools")]
mod progress;
#[cfg(feature = "tools")]
mod rules;
#[cfg(feature = "tools")]
mod screen;
mod serve;
#[cfg(feature = "tools")]
mod style;
#[cfg(feature = "tools")]
mod train;
#[cfg(feature = "tune")]
mod tune;
mod version;
#[cfg(feature = "tools")]
mod watch;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand, builder::StyledStr};

use crate::notation::{escaped, one_line};

/// A xiangqi (Chinese chess) engine. Without a command it speaks UCCI or UCI on standard input
/// and output, as programs with a board expect it to.
#[derive(Debug, Parser)]
#[command(name = "chuhe", version = version::version())]
pub struct Cli {
    /// Write a log of what goes on to this file.
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The language in which `d` and `eval` answer a person; usually that of `CHUHE_LANG`.
    #[arg(long, value_enum)]
    lang: Option<lang::SpokenLanguage>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "tools")]
    Analyse(Box<analyse::Args>),
    Bench(bench::Args),
    #[cfg(feature = "tools")]
    Book(book::Args),
    #[cfg(feature = "tools")]
    Convert(convert::Args),
    #[cfg(feature = "tools")]
    Datagen(datagen::Args),
    #[cfg(feature = "tools")]
    Judge(Box<judge::Args>),
    #[cfg(feature = "tools")]
    #[command(name = "match")]
    Arena(Box<arena::Args>),
    #[cfg(feature = "tools")]
    Openings(openings::Args),
    Net(net::Args),
    Perft(Box<perft::Args>),
    #[cfg(feature = "tools")]
    Train(train::Args),
    #[cfg(feature = "tune")]
    Tune(tune::Args),
}

/// Reads the command line. What is asked for at once, as by `--help`, is answered here; then there is
/// nothing but a status to end with.
///
/// # Errors
/// When the answer cannot be written.
pub fn parse() -> anyhow::Result<Result<Cli, ExitCode>> {
    let answer = match Cli::try_parse() {
        Ok(cli) => return Ok(Ok(cli)),
        Err(answer) => answer,
    };
    let status = ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2));
    if answer.use_stderr() {
        let words: Vec<_> = std::env::args_os().collect();
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        // Where nobody listens, nothing is lost.
        let _ = match tamed(&answer.render().to_string(), &words) {
            Some(told) => io::stderr().write_all(told.as_bytes()),
            None => answer.print(),
        };
        return Ok(Err(status));
    }
    match answer.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !is_broken_pipe(&error) => Err(error.into()),
        _ => Ok(Err(status)),
    }
}

/// An answer to the words of a command line that quotes one of them which a terminal would obey, with
/// that word escaped; `None` if there is no such word.
fn tamed(answer: &str, words: &[impl AsRef<str>]) -> Option<String> {
    let words = words.iter().map(AsRef::as_ref);
    let values = words.clone().filter_map(|word| Some(word.split_once('=')?.1));
    let odd: Vec<_> = words.chain(values).filter(|word| escaped(word) != *word).collect();
    if odd.is_empty() {
        return None;
    }
    let answer = odd.iter().fold(answer.to_owned(), |told, word| {
        // What colours a text is left out of an answer as it comes.
        let plain = StyledStr::from((*word).to_owned()).to_string();
        let [plain, shown] = [plain, escaped(word)].map(|text| format!("'{text}'"));
        told.replace(word, &escaped(word)).replace(&plain, &shown)
    });
    Some(answer.lines().map(|line| escaped(line) + "\n").collect())
}

/// Does what was asked. What was asked for in part only ends with a status of failure.
///
/// # Errors
/// When the log cannot be written to, or standard input or output fails.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    log_file::install(cli.log.as_deref())?;
    let success = |()| ExitCode::SUCCESS;
    let done = match cli.command {
        None => serve::run(lang::chosen(cli.lang)).map(success),
        #[cfg(feature = "tools")]
        Some(Command::Analyse(args)) => analyse::run(&args, &mut io::stdout().lock()),
        Some(Command::Bench(args)) => bench::run(&args, &mut io::stdout().lock()).map(success),
        #[cfg(feature = "tools")]
        Some(Command::Book(args)) => book::run(args, &mut io::stdout().lock()),
        #[cfg(feature = "tools")]
        Some(Command::Convert(args)) => convert::run(&args, &mut io::stdout().lock()),
        #[cfg(feature = "tools")]
        Some(Command::Datagen(args)) => datagen::run(&args, &mut io::stdout().lock()),
        #[cfg(feature = "tools")]
        Some(Command::Judge(args)) => judge::run(&args, &mut io::stdout().lock()),
        #[cfg(feature = "tools")]
        Some(Command::Arena(args)) => arena::run(&args, &mut io::stdout().lock()),
        #[cfg(feature = "tools")]
        Some(Command::Openings(args)) => openings::run(&args, &mut io::stdout().lock()),
        Some(Command::Net(args)) => net::run(&args, &mut io::stdout().lock()).map(success),
        Some(Command::Perft(args)) => perft::run(*args, &mut io::stdout().lock()).map(success),
        #[cfg(feature = "tools")]
        Some(Command::Train(args)) => train::run(&args, &mut io::stdout().lock()),
        #[cfg(feature = "tune")]
        Some(Command::Tune(args)) => tune::run(&args, &mut io::stdout().lock()),
    };
    // What is left in the buffer may find the disk full, too.
    match done.and_then(|status| Ok(io::stdout().flush().map(|()| status)?)) {
        // Nobody reads on: a pager was left, or a client has gone. No reason to complain.
        Err(error) if error.downcast_ref().is_some_and(is_broken_pipe) => Ok(ExitCode::SUCCESS),
        done => done,
    }
}

/// What went wrong and why, in a line. What one error has said of its cause is not said again.
pub fn complaint(error: &anyhow::Error) -> String {
    let told = error.chain().map(|cause| without_picture(&cause.to_string()));
    let told = told.fold(String::new(), |said, cause| {
        if said.is_empty() {
            cause
        } else if said.ends_with(&cause) {
            said
        } else {
            format!("{said}: {cause}")
        }
    });
    one_line(&told)
}

/// An error of several lines draws a picture of the place between its first line and its last.
fn without_picture(error: &str) -> String {
    // The lines of anything else are those of a name, which are shown as they are.
    if !error.lines().any(|line| line.trim() == "|") {
        return error.to_owned();
    }
    let mut lines = error.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    lines.next_back().map_or_else(|| first.to_owned(), |last| format!("{first}: {last}"))
}

/// The name of a file as a message shows it.
fn name(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// Whether the reader of a pipe has gone.
fn is_broken_pipe(error: &io::Error) -> bool {
    /// What Windows calls it where the other end was closed as a named pipe's (`ERROR_PIPE_NOT_CONNECTED`).
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn bad_arguments_are_refused() {
        for line in ["perft", "perft x", "perft 3 --fen foobar", "bench 0", "bench 1 2", "fly"]
            .into_iter()
            .chain(["datagen x --games 0", "datagen x --nodes 0"])
            .chain(["judge", "judge a --fen b", "judge --moves h2e2 --jsonl x", "judge a b"])
            .chain([
                "judge a --ruleset korean",
                "judge a --repetition-count 2",
                "judge a --lang fr",
            ])
        {
            let words = ["chuhe"].into_iter().chain(line.split(' '));
            assert_eq!(Cli::try_parse_from(words).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn no_word_of_a_command_line_is_obeyed_by_a_terminal() {
        assert_eq!(tamed("bad `x`\n", &["chuhe", "x"]), None);
        let told = tamed("bad `a\u{1b}[2J\nb` of --to\n", &["chuhe", "--to=a\u{1b}[2J\nb"]);
        assert_eq!(told.unwrap(), "bad `a\\u{1b}[2J\\nb` of --to\n");
    }

    #[test]
    fn an_error_of_several_lines_is_its_first_and_last_only_if_it_draws_a_picture() {
        let picture = "TOML parse error at line 1, column 1\n  |\n1 | x\n  | ^\nno key\n";
        let told = |error: &str| complaint(&anyhow::anyhow!("{error}"));
        assert_eq!(told(picture), "TOML parse error at line 1, column 1: no key");
        assert_eq!(told("a\nb\nc: no such file"), "a\\nb\\nc: no such file");
    }

    #[cfg(feature = "tools")]
    #[test]
    fn no_cause_is_told_twice() {
        let cause = || io::Error::other("no such file");
        let told = |error: anyhow::Error| complaint(&error.context("cannot use x"));
        assert_eq!(told(cause().into()), "cannot use x: no such file");
        let error = crate::files::ReadError::Io(cause());
        assert_eq!(
            told(crate::eval::nnue::NetworkError::File(error).into()),
            "cannot use x: no such file"
        );
        let error = crate::train::TrainError::Shape(crate::eval::nnue::NetworkError::Hidden(0));
        assert_eq!(complaint(&error.into()).matches("a hidden layer").count(), 1);
    }

    #[test]
    fn only_a_broken_pipe_is_overlooked() {
        assert!(is_broken_pipe(&io::ErrorKind::BrokenPipe.into()));
        assert!(!is_broken_pipe(&io::ErrorKind::PermissionDenied.into()));
        assert_eq!(is_broken_pipe(&io::Error::from_raw_os_error(233)), cfg!(windows));
    }
}
