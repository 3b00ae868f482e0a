//! The program: makes sure that it can run here, reads the command line, does what it says, and
//! tells how it went.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use chuhe::{cli, simd};

fn main() -> ExitCode {
    let missing = simd::missing();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return failed(&format!(
            "this build needs a processor with {missing}; one built on this machine runs on it"
        ));
    }
    let done = cli::parse().and_then(|asked| match asked {
        Ok(cli) => cli::run(cli),
        Err(status) => Ok(status),
    });
    match done {
        Ok(status) => status,
        Err(error) => failed(&cli::complaint(&error)),
    }
}

/// The last word. Where it cannot be written, the status says enough.
fn failed(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "chuhe: {why}");
    ExitCode::FAILURE
}
