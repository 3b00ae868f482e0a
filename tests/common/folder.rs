//! A folder of a test's own, and the program run there. Knows nothing of what is put there.

use std::{
    fs,
    ops::Deref,
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

/// An empty folder, on the disk that the program is on; it is gone at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{name}-{}-{count}", process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).expect("a file of text")
    }

    /// What is there, by name.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self).expect("a folder").map(|entry| entry.expect("a file"));
        let names =
            entries.map(|entry| entry.file_name().into_string().expect("a name of letters"));
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    /// The program, to be run here; it hears nothing, and nothing of whoever runs the tests.
    pub(crate) fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.current_dir(self).env_remove("RUST_LOG").env_remove("CHUHE_LANG");
        command.stdin(Stdio::null());
        command
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
