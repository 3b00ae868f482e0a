//! Where the log goes: to a file if asked, to standard error if `RUST_LOG` says what, else nowhere.
//! Never to standard output, which belongs to the protocol.

use std::{env, fs::File, io::Write, panic, path::Path, thread};

use anyhow::Context;
use env_logger::{Builder, Target};
use log::LevelFilter;

use super::name;
use crate::notation::escaped;

/// Installs the logger, and lets panics be logged.
pub(super) fn install(file: Option<&Path>) -> anyhow::Result<()> {
    let mut builder = Builder::new();
    builder.filter_level(if file.is_some() { LevelFilter::Debug } else { LevelFilter::Off });
    if let Ok(filters) = env::var(env_logger::DEFAULT_FILTER_ENV) {
        // What cannot be parsed is told as it is.
        builder.parse_filters(&escaped(&filters));
    }
    builder.target(match file {
        Some(path) => {
            let open = File::options().create(true).append(true).open(path);
            let file = open.with_context(|| format!("cannot write the log {}", name(path)))?;
            Target::Pipe(Box::new(file))
        }
        None => Target::Stderr,
    });
    // A line each, whatever a client or an engine has sent.
    builder.format(|out, record| {
        let (time, level, target) = (out.timestamp(), record.level(), record.target());
        let told = escaped(&record.args().to_string());
        writeln!(out, "[{time} {level:<5} {target}] {told}")
    });
    // Only a second logger of the same process could be refused, and the first serves as well.
    let _ = builder.try_init();

    let complain = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        log::error!("{panic}");
        // A search that panics is caught and answered for, and some clients never read standard
        // error; but the main thread's end would otherwise be silent.
        if thread::current().name() == Some("main") {
            complain(panic);
        }
    }));
    Ok(())
}
