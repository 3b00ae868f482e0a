//! What commands write: where it cannot be written, that is told at once, with the name and nothing
//! done or left; where the disk fills, there is the whole file or what the same command goes on with.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common::folder;
use std::{
    fs,
    process::{Command, Output, Stdio},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_chuhe");

const RECIPE: &str = "
name = 'toy'
seed = 1
[data]
files = ['records']
held_out = 5
[network]
hidden = 32
[training]
epochs = 1
batch = 512
";

/// A folder with games, a recipe, and much that is in the way.
struct Folder(folder::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Self(folder::Folder::new(&format!("outputs-{name}")));
        for name in ["folder", "d.html", "d.svg", "y.verified"] {
            fs::create_dir_all(folder.0.join(name)).unwrap();
        }
        folder.0.write("games", "h2e2 h9g7\n\nb2e2 b9c7\n");
        folder.0.write("recipe.toml", RECIPE);
        for name in ["taken.html", "taken.svg", "x-2.xqf", "alien.partial"] {
            folder.0.write(name, "mine");
        }
        folder
    }

    fn command(&self, words: &str) -> Command {
        let mut command = self.0.program();
        command.args(words.split(' '));
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Names and sizes of all that is there.
    fn files(&self) -> Vec<(String, u64)> {
        let files = fs::read_dir(&self.0).unwrap().map(Result::unwrap);
        let mut files: Vec<_> = files
            .map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().len()))
            .collect();
        files.sort();
        files
    }

    /// That a command fails by one line that begins with these words, and leaves all as it was.
    fn refuses(&self, words: &str, told: &str) {
        let before = self.files();
        let output = self.run(words);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {complaint}");
        assert!(complaint.starts_with(&format!("chuhe: {told}")), "{words}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{words}: {complaint}");
        assert_eq!(self.files(), before, "{words}");
    }
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let folder = Folder::new("paths");
    for (command, told) in [
        ("net export none/x", "cannot write none/x: No such file"),
        ("net export folder", "folder is there already"),
        ("net export games", "games is there already"),
        ("book build none/x", "cannot write none/x: No such file"),
        ("book build none/x --games games", "cannot write none/x: No such file"),
        ("book build games", "games is there already"),
        ("book build x.studies", "x.studies would be two files at once"),
        ("book build x --state none/s", "none/s: No such file"),
        ("book build x --state folder", "folder: it is no plain file"),
        ("book build x --state games", "games, line 1: "),
        ("book build y --games games --verify 10", "y.verified: it is no plain file"),
        ("book weigh built-in none/x --games games", "cannot write none/x: No such file"),
        ("book weigh built-in games --games games", "games is there already"),
        ("book convert built-in none/x", "cannot write none/x: No such file"),
        ("book convert built-in folder", "folder is there already"),
        ("book verify built-in --nodes 1 --drop 1 --out none/x", "cannot write none/x: No such"),
        ("book verify built-in --nodes 1 --state folder", "folder: it is no plain file"),
        ("convert games none/x.pgn", "cannot write none/x.pgn: No such file"),
        ("convert games none/x.xqf", "cannot write none/x.xqf: No such file"),
        ("convert games folder", "folder is there already: --force writes over it"),
        ("convert games folder --force", "cannot write folder: is a directory"),
        ("convert games games", "games is there already: --force writes over it"),
        ("convert games x.xqf", "x-2.xqf is there already: --force writes over it"),
        ("analyse games --nodes 1 --out none/x", "cannot write none/x.html: No such file"),
        ("analyse games --nodes 1 --out d --force", "cannot write d.html: is a directory"),
        ("analyse games --nodes 1 --out taken", "taken.html is there already: --force"),
        (
            "analyse games --nodes 1 --out alien",
            "cannot go on with alien.partial; choose another --out, or remove it: ",
        ),
        ("train recipe.toml --out none/x", "cannot write none/x: No such file"),
        ("train recipe.toml --out games", "games is there already: choose another --out"),
        ("train recipe.toml --out taken.net", "taken.svg is there already: choose another --out"),
        ("train recipe.toml --out d.net", "d.svg is there already: choose another --out"),
        ("train recipe.toml --out x.svg", "x.svg would be two files at once"),
        ("train recipe.toml --out x --checkpoint none/c", "cannot write none/c: No such file"),
        ("train recipe.toml --out x --checkpoint folder", "cannot write folder: is a directory"),
        ("datagen none/x --games 1", "none/x: No such file"),
        ("datagen folder --games 1", "folder: it is no plain file"),
        ("--log folder perft 1", "cannot write the log folder: Is a directory"),
        ("--log none/x perft 1", "cannot write the log none/x: No such file"),
    ] {
        folder.refuses(command, told);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_is_told_before_the_work() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("locked");
    let locked = folder.0.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Who may do everything finds no folder locked.
    if fs::write(locked.join("probe"), "").is_ok() {
        return;
    }
    for (command, told) in [
        ("net export locked/x", "cannot write locked/x: Permission denied"),
        ("book build locked/x", "cannot write locked/x: Permission denied"),
        ("convert games locked/x", "cannot write locked/x: Permission denied"),
        ("analyse games --nodes 1 --out locked/x", "cannot write locked/x.html: Permission denied"),
        ("train recipe.toml --out locked/x", "cannot write locked/x: Permission denied"),
        ("datagen locked/x --games 1", "locked/x: Permission denied"),
    ] {
        folder.refuses(command, told);
    }
}

/// Runs a command within a limit on the size of files, in blocks of 512 bytes, which is told like a full
/// disk.
#[cfg(unix)]
fn run_on_a_full_disk(folder: &Folder, blocks: u32, words: &str) -> (Option<i32>, String) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &script, PROGRAM]).args(words.split(' ')).current_dir(&folder.0);
    let output = shell.stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_nothing_in_the_way() {
    let folder = Folder::new("full");
    let play = "datagen records --games 30 --nodes 40 --handcrafted";
    assert!(folder.run(play).status.success());
    let before = folder.files();
    for (blocks, command) in [
        (0, "net export x"),
        (100, "net export x"),
        (0, "book convert built-in x"),
        (8, "book convert built-in x"),
        (0, "book build x --games games --unfinished draw"),
        (0, "book build x --nodes 10"),
        (0, "book weigh built-in x --games games --unfinished draw"),
        (0, "book verify built-in --nodes 1 --state x"),
        (0, "convert games z.pgn"),
        (0, "convert games z.xqf"),
        (8, "convert records z.pgn"),
        (0, "analyse games --nodes 1 --out x"),
        (0, "train recipe.toml --out x"),
        (8, "train recipe.toml --out x"),
        (0, "datagen x --games 30 --nodes 40 --handcrafted"),
    ] {
        let (status, told) = run_on_a_full_disk(&folder, blocks, command);
        assert_eq!(status, Some(1), "{command}: {told}");
        let last = told.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("chuhe: ") && last.contains("File too large"),
            "{command}: {told}"
        );
        assert_eq!(folder.files(), before, "{blocks} {command}");
    }
    // What was thought before it was full is gone on with.
    let build = "book build x --nodes 10 --positions 20";
    let (status, told) = run_on_a_full_disk(&folder, 4, build);
    assert_eq!(status, Some(1), "{told}");
    assert!(told.lines().last().unwrap().starts_with("chuhe: x.studies: File too large"), "{told}");
    assert!(!folder.0.join("x").exists());
    assert!(folder.run(build).status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_nobody_can_take_down_is_no_success() {
    let folder = Folder::new("answers");
    let helps = [
        "analyse",
        "bench",
        "book build",
        "book convert",
        "book probe",
        "book stats",
        "book verify",
        "book weigh",
        "convert",
        "datagen",
        "judge",
        "match",
        "net compare",
        "net export",
        "net fit",
        "net inspect",
        "openings",
        "perft",
        "train",
    ];
    let answers = [
        "bench 1",
        "book probe built-in",
        "book stats built-in",
        "convert games -",
        "datagen --show-plan",
        "judge --moves h2e2",
        "judge games",
        "net inspect",
        "openings --count 1 --nodes 1",
        "perft 1",
    ];
    let helps = helps.iter().map(|command| format!("{command} --help"));
    for words in helps.chain(answers.map(str::to_owned)) {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = folder.command(&words).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {told}");
        assert!(told.contains("No space left"), "{words}: {told}");
    }
}
