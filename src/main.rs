//! The program: reads the command line, does what it says, and tells how it went.

use std::process::ExitCode;

use chuhe::cli::{self, Cli};
use clap::Parser;

#[expect(clippy::print_stderr, reason = "the last word when nothing else can be done")]
fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("chuhe: {}", cli::complaint(&error));
            ExitCode::FAILURE
        }
    }
}
