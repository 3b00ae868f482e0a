//! From nothing to a network that plays: games against itself, training, and the protocol, by the
//! program as a user runs it.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use crate::common::folder::Folder;

/// Runs the program in a folder; what it prints, after it has succeeded.
fn chuhe(folder: &Folder, arguments: &[&str], input: &str) -> String {
    let mut child = folder
        .program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

const RECIPE: &str = "
name = 'toy'
seed = 1
[data]
files = ['games']
held_out = 5
[network]
hidden = 32
[training]
epochs = 2
batch = 512
";

#[test]
fn a_network_comes_from_nothing_and_plays() {
    let folder = &Folder::new("pipeline");
    folder.write("recipe.toml", RECIPE);

    let play = ["datagen", "games", "--games", "30", "--nodes", "40", "--handcrafted"];
    chuhe(folder, &play, "");
    let told = chuhe(folder, &["train", "recipe.toml", "--out", "one.nnue"], "");
    assert!(told.starts_with("one.nnue: 689 -> 32 x 2 -> 1, "), "{told}");
    assert!(!folder.join("one.checkpoint").exists());
    chuhe(folder, &["train", "recipe.toml", "--out", "other.nnue", "--threads", "1"], "");
    let [one, other] = ["one.nnue", "other.nnue"].map(|name| fs::read(folder.join(name)).unwrap());
    assert!(one == other, "the same recipe gives other bytes");

    let told = chuhe(folder, &["net", "inspect", "one.nnue"], "");
    assert!(told.contains("toy: epoch ") && told.contains("held_out = 5"), "{told}");
    let told = chuhe(folder, &["net", "compare", "one.nnue", "other.nnue"], "");
    assert!(told.contains("mean difference 0.0"), "{told}");
    let bench = |more: &[&str]| {
        let told = chuhe(folder, &[&["bench", "3"], more].concat(), "");
        told.lines().last().unwrap().split(' ').next().unwrap().to_owned()
    };
    let nodes = bench(&["--net", "one.nnue"]);
    assert_eq!(bench(&["--net", "one.nnue", "--kernel", "scalar"]), nodes);

    let talk = "uci\nsetoption name EvalFile value one.nnue\nisready\ngo depth 4\nquit\n";
    let told = chuhe(folder, &[], talk);
    assert!(told.contains("evaluating by one.nnue: 689 -> 32 x 2 -> 1"), "{told}");
    assert!(told.lines().any(|line| line.starts_with("bestmove ")), "{told}");
}

/// Within a limit on the size of files, which is told like a full disk.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_leaves_no_half_file_of_games() {
    let folder = &Folder::new("full-datagen");
    let play = ["datagen", "games", "--games", "6", "--nodes", "40", "--handcrafted"];
    let full = |arguments: &[&str]| {
        let mut shell = Command::new("/bin/sh");
        let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        shell.args(["-c", script, env!("CARGO_BIN_EXE_chuhe")]).args(arguments);
        let output = shell.current_dir(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let names = || folder.names().len();
    let told = full(&play);
    assert!(told.starts_with("chuhe: games: File too large") && names() == 0, "{told}");
    // An empty file is nobody's.
    folder.write("games", "");
    chuhe(folder, &play, "");
    // Nor does joining leave half of it.
    let merge = ["datagen", "whole", "--merge", "games"];
    let told = full(&merge);
    assert!(told.contains("File too large") && names() == 1, "{told}");
    assert_eq!(chuhe(folder, &merge, ""), "whole: 6 games\n");
    // What is there and of no use is named with the way out.
    folder.write("useless", "CHU");
    let told = full(&["datagen", "useless", "--games", "6", "--nodes", "40", "--handcrafted"]);
    let words = "chuhe: useless: it holds no records; choose another name, or remove it\n";
    assert_eq!(told, words);
}
