//! The protocol loop, with a word of welcome for a person at the keyboard.

use std::io::{self, IsTerminal, Write};

use crate::protocol;

const WELCOME: &str = concat!(
    "chuhe ",
    env!("CARGO_PKG_VERSION"),
    ", a xiangqi engine. It is made to be loaded into a program with a board; by hand, type
  ucci                     to greet it (or uci)
  position startpos moves h2e2
  go movetime 1000         to let it think for a second
  d                        to see the board, help for more, quit to leave"
);

pub(super) fn run() -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        // Not on standard output, which belongs to the protocol; and a terminal that cannot show
        // a greeting can still be played on.
        let _ = writeln!(io::stderr(), "{WELCOME}");
    }
    protocol::run()?;
    Ok(())
}
