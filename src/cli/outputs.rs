//! The files that a command is to write, looked at before its work: afterwards is too late to hear that
//! they cannot be. Knows nothing of what is written.

use std::path::Path;
#[cfg(feature = "tools")]
use std::{fs, path::PathBuf};

use anyhow::{Context, bail};

use super::name;
use crate::files;

/// Fails unless a file of this name is not there and can be made; `way_out` says what else there is.
pub(super) fn fresh(path: &Path, way_out: &str) -> anyhow::Result<()> {
    if path.exists() {
        bail!("{} is there already: {way_out}", name(path));
    }
    renewed(path)
}

/// Fails unless a file of this name can be made, or written over where it is there.
pub(super) fn renewed(path: &Path) -> anyhow::Result<()> {
    files::writable(path).with_context(|| format!("cannot write {}", name(path)))
}

/// Fails unless several files can be called by this name and an extension each.
#[cfg(feature = "tools")]
pub(super) fn stem(path: &Path) -> anyhow::Result<()> {
    let whole = path.to_string_lossy();
    if path.file_name().is_none() || whole.ends_with(std::path::is_separator) {
        bail!("--out {} is no name of files", name(path));
    }
    Ok(())
}

/// Fails if two of these files are one, so that what is written last would be all there is.
#[cfg(feature = "tools")]
pub(super) fn apart(paths: &[&Path]) -> anyhow::Result<()> {
    let places: Vec<_> = paths.iter().map(|path| place(path)).collect();
    for (at, place) in places.iter().enumerate() {
        if places[..at].contains(place) {
            bail!("{} would be two files at once: choose another name", name(paths[at]));
        }
    }
    Ok(())
}

/// A name that is the same for all names of a place, be there a file or not.
#[cfg(feature = "tools")]
fn place(path: &Path) -> PathBuf {
    if let Ok(there) = fs::canonicalize(path) {
        return there;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.into(),
    }
}

#[cfg(all(test, feature = "tools"))]
mod tests {
    use super::*;

    #[test]
    fn folders_are_no_names_of_files() {
        for name in [".", "..", "/", "src/", "src/.."] {
            assert!(stem(Path::new(name)).is_err(), "{name}");
        }
        for name in ["a", "./a", "a.b", ".a", "none/a"] {
            assert!(stem(Path::new(name)).is_ok(), "{name}");
        }
    }

    #[test]
    fn files_are_told_apart_by_where_they_are() {
        let [one, other] = ["src/none", "src/../src/none"].map(Path::new);
        assert!(apart(&[one, Path::new("none")]).is_ok());
        let told = apart(&[one, Path::new("none"), other]).unwrap_err().to_string();
        assert_eq!(told, "src/../src/none would be two files at once: choose another name");
    }
}
