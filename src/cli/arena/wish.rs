//! The wish that a match ends: what Ctrl-C does before, in and after its games. Knows no games.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::live::Display;
use crate::{
    arena::Brake,
    cli::{interrupt, progress},
};

/// The match is not played, for somebody does not want it any more.
#[derive(Debug, thiserror::Error)]
#[error("interrupted before the first game; the same command begins anew")]
pub(super) struct Interrupted;

/// Who has asked for the end of a match, and how far it is.
#[derive(Default)]
pub(super) struct Wish {
    pub(super) brake: Brake,
    asked: AtomicBool,
    pub(super) playing: AtomicBool,
}

impl Wish {
    /// Heeds Ctrl-C from now on.
    pub(super) fn listen(display: &Display) -> anyhow::Result<Arc<Self>> {
        let wish = Arc::new(Self::default());
        let (handle, display) = (Arc::clone(&wish), display.clone());
        interrupt::listen(move || {
            let again = handle.asked.swap(true, Ordering::Relaxed);
            match (again, handle.playing.load(Ordering::Relaxed)) {
                (false, true) => {
                    handle.brake.finish();
                    let told = "the games in play are finished first; Ctrl-C again breaks them off";
                    display.say(told);
                }
                (false, false) | (true, true) => handle.brake.abort(),
                // Something that is waited for may never come.
                (true, false) => {
                    display.say(&format!("chuhe: {Interrupted}"));
                    process::exit(progress::INTERRUPTED.into());
                }
            }
        })?;
        Ok(wish)
    }

    pub(super) fn is_uttered(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether there is to be a game at all.
    pub(super) fn go_on(&self) -> Result<(), Interrupted> {
        if self.is_uttered() { Err(Interrupted) } else { Ok(()) }
    }
}
