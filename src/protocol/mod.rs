//! The session: what a client says on standard input, carried out by the engine, and answered on
//! standard output. Knows the customs of both protocols; knows nothing of how a move is found.

mod console;
mod inbox;
mod manners;
mod queue;
mod session;
mod task;
mod wording;

use std::{
    io::{self, IsTerminal},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::{Receiver, channel},
    thread,
};

pub use inbox::{Line, Msg};
pub use session::{Flow, Session};

use crate::rules::Language;

/// Serves the client on standard input and output until it leaves. A person who asks for the board or
/// the score is answered in `language`; the protocols are what they are.
///
/// # Errors
/// When the output fails, as it does when the client is gone.
pub fn run(language: Language) -> io::Result<()> {
    let (sender, inbox) = channel();
    let (lines, out, typed) = (sender.clone(), io::stdout().lock(), io::stdin().is_terminal());
    // It ends with the process: nothing can wake it from a read.
    let reader = thread::Builder::new()
        .name("input".into())
        .spawn(move || inbox::read_lines(io::stdin().lock(), &lines));
    match reader {
        Ok(_) => {
            let mut session = Session::new(out, sender).speaking(language).typed(typed);
            let served = inbox.iter().try_for_each(|msg| deal(&mut session, msg));
            // The process ends with all of its threads, so no search or table is waited for.
            mem::forget(session);
            ended(served)
        }
        Err(error) => {
            log::error!("no thread for the input: {error}");
            let session = Session::unheard(out, sender).speaking(language).typed(typed);
            ended(serve_alone(session, &inbox))
        }
    }
}

/// Why nothing more is to be dealt with: the client has left, or the output has failed.
type End = Result<(), io::Error>;

/// Reads a line when all that came before is dealt with.
fn serve_alone<W: io::Write>(mut session: Session<W>, inbox: &Receiver<Msg>) -> Result<(), End> {
    let mut input = io::stdin().lock();
    loop {
        deal(&mut session, inbox::next(&mut input))?;
        // Whatever was asked for is done, and all there is to say of it is said.
        inbox.try_iter().try_for_each(|msg| deal(&mut session, msg))?;
    }
}

fn deal<W: io::Write>(session: &mut Session<W>, msg: Msg) -> Result<(), End> {
    // A client that loses its engine loses the game, so a fault costs one command at most.
    match catch_unwind(AssertUnwindSafe(|| session.handle(msg))) {
        Ok(Ok(Flow::Continue)) => Ok(()),
        Ok(Ok(Flow::Exit)) => Err(Ok(())),
        Ok(Err(error)) => Err(Err(error)),
        Err(_) => {
            log::error!("a command failed");
            Ok(())
        }
    }
}

fn ended(served: Result<(), End>) -> io::Result<()> {
    served.err().unwrap_or(Ok(()))
}

#[cfg(test)]
mod tests;
