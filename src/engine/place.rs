//! Where the file is that a client names: one rule for every option that takes one. Knows nothing of
//! what files hold.

use std::{
    env,
    path::{Path, PathBuf},
};

/// What to say of a name that no file has.
pub(super) const NOWHERE: &str =
    "it is neither in the folder of the program nor in the current one";

/// The file of a name: in the folder of the program, else in the current one, for a client may start
/// the engine anywhere. A name that tells the folder is taken as it is.
pub fn locate(name: &str) -> Option<PathBuf> {
    let program = env::current_exe().ok();
    let folder = program.as_deref().and_then(Path::parent);
    if Path::new(name).is_absolute() {
        return Some(within(Path::new(""), name).unwrap_or_else(|| name.into()));
    }
    folder.into_iter().chain([Path::new("")]).find_map(|folder| within(folder, name))
}

/// The file of a name in a folder, if it is there.
fn within(folder: &Path, name: &str) -> Option<PathBuf> {
    spellings(name).into_iter().map(|name| folder.join(name)).find(|path| path.exists())
}

/// What a file of this name may be called. A name in the older Chinese encoding has come here as text;
/// where names may be any bytes, the file may still be called by those.
#[cfg(unix)]
fn spellings(name: &str) -> Vec<PathBuf> {
    use crate::notation::text::{Encoding, encode};
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    vec![name.into(), OsStr::from_bytes(&encode(name, Encoding::Gb18030)).into()]
}

#[cfg(not(unix))]
fn spellings(name: &str) -> Vec<PathBuf> {
    vec![name.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_program_comes_before_the_current_one() {
        // Tests run in the folder of the project, and their program stands elsewhere.
        assert_eq!(locate("Cargo.toml"), Some("Cargo.toml".into()));
        let program = env::current_exe().unwrap();
        let name = program.file_name().unwrap().to_str().unwrap();
        assert_eq!(locate(name), Some(program.clone()));
        assert_eq!(locate("no such file"), None);
        assert_eq!(locate("/no/such file"), Some("/no/such file".into()));
    }
}
