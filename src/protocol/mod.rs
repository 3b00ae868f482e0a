//! The session: what a client says on standard input, carried out by the engine, and answered on
//! standard output. Knows the customs of both protocols; knows nothing of how a move is found.

mod console;
mod inbox;
mod session;
mod wording;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::channel,
    thread,
};

pub use inbox::Msg;
pub use session::{Flow, Session};

use crate::rules::Language;

/// Serves the client on standard input and output until it leaves. A person who asks for the board or
/// the score is answered in `language`; the protocols are what they are.
///
/// # Errors
/// When the output fails, as it does when the client is gone.
pub fn run(language: Language) -> io::Result<()> {
    let (sender, inbox) = channel();
    let lines = sender.clone();
    // It ends with the process: nothing can wake it from a read.
    thread::spawn(move || inbox::read_lines(io::stdin().lock(), &lines));
    let mut session = Session::new(io::stdout().lock(), sender).speaking(language);
    for msg in inbox {
        // A client that loses its engine loses the game, so a fault costs one command at most.
        match catch_unwind(AssertUnwindSafe(|| session.handle(msg))) {
            Ok(Ok(Flow::Continue)) => {}
            Ok(Ok(Flow::Exit)) => break,
            Ok(Err(error)) => return Err(error),
            Err(_) => log::error!("a command failed"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
