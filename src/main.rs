//! The program: makes sure that it can run here, reads the command line, does what it says, and
//! tells how it went.

use std::process::ExitCode;

use chuhe::{cli, simd};

#[expect(clippy::print_stderr, reason = "the last word when nothing else can be done")]
fn main() -> ExitCode {
    let missing = simd::missing();
    if !missing.is_empty() {
        let missing = missing.join(", ");
        eprintln!("chuhe: this build needs a processor with {missing}; take one for any 64-bit PC");
        return ExitCode::FAILURE;
    }
    let done = cli::parse().and_then(|asked| match asked {
        Ok(cli) => cli::run(cli),
        Err(status) => Ok(status),
    });
    match done {
        Ok(status) => status,
        Err(error) => {
            eprintln!("chuhe: {}", cli::complaint(&error));
            ExitCode::FAILURE
        }
    }
}
