//! `chuhe convert`: what is written, what is told, what is left alone.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use chuhe::games::Reader;

use crate::common::folder::Folder;

fn vector(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files").join(name)
}

fn convert(args: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    command.arg("convert").args(args).output().unwrap()
}

fn games(path: &Path) -> Vec<chuhe::games::Game> {
    Reader::open(path).unwrap().map(|found| found.unwrap().game).collect()
}

#[test]
fn a_library_becomes_pgn_in_every_notation_and_encoding() {
    let folder = Folder::new("convert-library");
    let library = vector("library.cbl");
    let wanted = games(&library);
    for notation in ["iccs", "chinese", "traditional", "wxf"] {
        for encoding in ["utf-8", "gb18030", "big5", "utf-16"] {
            // Big5 has no simplified characters.
            if encoding == "big5" && notation == "chinese" {
                continue;
            }
            let out = folder.join(format!("{notation}-{encoding}"));
            let output = convert(&[
                &library,
                &out,
                Path::new("--notation"),
                Path::new(notation),
                Path::new("--encoding"),
                Path::new(encoding),
            ]);
            let told = String::from_utf8(output.stderr).unwrap();
            if encoding == "big5" {
                // Comments are lost in part, which is told.
                assert!(told.contains("are no characters of the encoding"), "{told}");
                assert_eq!(output.status.code(), Some(1));
                let moves = |games: Vec<chuhe::games::Game>| -> Vec<Vec<_>> {
                    games.iter().map(|game| game.main_line().collect()).collect()
                };
                assert_eq!(moves(games(&out)), moves(wanted.clone()));
            } else {
                assert!(output.status.success(), "{told}");
                assert_eq!(told, "4 games written\n");
                assert_eq!(games(&out), wanted, "{notation} {encoding}");
            }
        }
    }
}

#[test]
fn several_games_are_several_files_of_xqf() {
    let folder = Folder::new("convert-xqf");
    let library = vector("library21.cbl");
    let output = convert(&[&library, &folder.join("g.xqf")]);
    assert!(output.status.success());
    assert_eq!(folder.names(), ["g-2.xqf", "g.xqf"]);
    for (name, wanted) in ["g.xqf", "g-2.xqf"].iter().zip(games(&library)) {
        assert_eq!(games(&folder.join(name))[0].moves, wanted.moves);
    }
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_the_rest_is_written() {
    let folder = Folder::new("convert-broken");
    let (source, out) = (folder.join("in"), folder.join("out.pgn"));
    fs::write(
        &source,
        "[Event \"a\"]\n1. h2e2 a0a5 *\n\n[Event \"b\"]\n[FEN \"9 w\"]\n*\n\n[Event \"c\"]\n1. h2e2 (1. a0a5) *\n",
    )
    .unwrap();
    let output = convert(&[&source, &out]);
    let told = String::from_utf8(output.stderr).unwrap();
    let source = source.display();
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(
        lines,
        [
            format!(
                "cut off after 1 plies: {source}, game 1, line 2, ply 2, `a0a5` is no legal move here"
            ),
            format!("left out: {source}, game 2, line 5, bad FEN: board has 1 ranks, not 10"),
            format!(
                "note: {source}, game 3, line 9: a variation is left out: `a0a5` is no legal move here"
            ),
            "2 games written, 2 could not be read to their end, 1 notes".into(),
        ]
    );
    assert_eq!(output.status.code(), Some(1));
    let events: Vec<_> =
        games(&out).iter().map(|game| game.tag("Event").unwrap().to_owned()).collect();
    assert_eq!(events, ["a", "c"]);
}

#[test]
fn nothing_is_written_over_and_nothing_half_written_stays() {
    let folder = Folder::new("convert-force");
    let out = folder.join("out.pgn");
    fs::write(&out, "mine").unwrap();
    let source = vector("rich.cbr");
    let output = convert(&[&source, &out]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("is there already: --force writes over it"), "{told}");
    assert_eq!(
        (output.status.code(), fs::read_to_string(&out).unwrap().as_str()),
        (Some(1), "mine")
    );
    assert!(convert(&[&source, &out, Path::new("--force")]).status.success());
    assert_eq!(games(&out), games(&source));
    // A file that is written over itself.
    assert!(convert(&[&out, &out, Path::new("--force")]).status.success());
    assert_eq!(games(&out), games(&source));
    assert_eq!(folder.names(), ["out.pgn"]);
    let output = convert(&[&source, &folder.join("none/out.pgn")]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write"));
    assert_eq!(folder.names(), ["out.pgn"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "'{}' convert '{}' - > /dev/full",
            env!("CARGO_BIN_EXE_chuhe"),
            vector("rich.cbr").display()
        ))
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("No space left"));
}

/// Runs `chuhe convert` where no file may be larger than so many blocks of 512 bytes.
#[cfg(target_os = "linux")]
fn convert_within(blocks: u32, args: &[&Path]) -> Output {
    let mut command = Command::new("sh");
    // A limit kills whoever does not ignore its signal; whoever does is told of it like a full disk.
    command.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" convert \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_chuhe")).args(args).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_no_half_of_a_file() {
    let folder = Folder::new("convert-full");
    let (pgn, game) = (folder.join("out.pgn"), folder.join("out.xqf"));
    for out in [&pgn, &game] {
        let output = convert_within(1, &[&vector("library.cbl"), out]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("cannot write") && told.contains("too large"), "{told}");
        assert_eq!((output.status.code(), folder.names()), (Some(1), Vec::<String>::new()));
    }
    // What was there before stays.
    fs::write(&pgn, "mine").unwrap();
    let output = convert_within(1, &[&vector("library.cbl"), &pgn, Path::new("--force")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((fs::read_to_string(&pgn).unwrap().as_str(), folder.names().len()), ("mine", 1));
    assert!(convert(&[&vector("library.cbl"), &pgn, Path::new("--force")]).status.success());
}

#[test]
fn what_xqf_cannot_hold_is_told() {
    let folder = Folder::new("convert-xqf-lost");
    let source = folder.join("in.pgn");
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 7 31";
    fs::write(&source, format!("[Event \"a\"]\n[RedElo \"1\"]\n[FEN \"{fen}\"]\n31. a1a9! *\n"))
        .unwrap();
    let output = convert(&[&source, &folder.join("out.xqf")]);
    let told = String::from_utf8(output.stderr).unwrap();
    for lost in ["RedElo", "since the last capture", "number of its first move", "marks"] {
        assert!(told.contains(lost), "{lost}: {told}");
    }
    assert!(output.status.success());
}
