//! What a match leaves behind: records, games in every notation and encoding, pages.

use std::{fs, process::Command};

use chuhe::{
    arena::openings::{self, Opening},
    eval::nnue::{Parameters, Shape},
    games::{Reader, pgn},
    notation::{
        GameResult,
        text::{self, Encoding},
    },
    position::Position,
};

use super::{Folder, OPENINGS, quick, told};

#[test]
fn draws_that_are_wins_are_counted_and_told_of() {
    let folder = Folder::new("draw-wins");
    let output = folder.run(&quick(&["--rounds", "2", "--max-plies", "4", "--draw-wins", "black"]));
    assert!(output.status.success(), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("2 won, 0 drawn, 2 lost of 4; pairs [0, 0, 2, 0, 0]"), "{shown}");
    assert!(shown.contains("red scored 0.0 %"), "{shown}");
    let games: Vec<_> = pgn::read(&folder.text("match.pgn")).map(Result::unwrap).collect();
    assert!(games.iter().all(|game| game.result == GameResult::BlackWins));
    // Another match, for the same games have other results.
    let output = folder.run(&quick(&["--rounds", "2", "--max-plies", "4", "--resume"]));
    let words = "draw_wins was \"black\" and is null";
    assert!(told(&output).contains(words), "{}", told(&output));
}

#[test]
fn each_player_in_this_process_evaluates_by_its_own_network() {
    let folder = Folder::new("networks");
    let shape = Shape::by_men(32, 1, 400);
    for seed in [1, 2] {
        let network = Parameters::made_up(shape, seed).to_bytes();
        fs::write(folder.0.join(format!("net{seed}")), network).unwrap();
    }
    // What is played and thought in each game.
    let games = |options: [&str; 2], out: &str| -> Vec<String> {
        let [first, second] = options.map(|option| format!("self tc=depth=4 {option}"));
        let more = ["--rounds", "6", "--max-plies", "4", "--concurrency", "1", "--out", out];
        let players = ["--engine", &first, "--engine", &second, "--openings", "openings"];
        let output = folder.run(&[&players[..], &more].concat());
        assert!(output.status.success(), "{}", told(&output));
        let text = folder.text(&format!("{out}.jsonl"));
        let games = text.lines().skip(1);
        games
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].clone())
            .map(|game| format!("{} {}", game["moves"], game["scores"]))
            .collect()
    };
    let (one, two) = ("option.EvalFile=net1", "option.EvalFile=net2");
    // The games of a pair are the same if its players are, and only then.
    let alike = |games: &[String]| games.chunks(2).all(|pair| pair[0] == pair[1]);
    let (plain, both) = (games(["", ""], "plain"), games([one, one], "both"));
    assert!(alike(&plain) && alike(&both) && plain != both);
    assert!(!alike(&games([one, ""], "first")));
    assert!(!alike(&games([one, two], "different")));
}

#[test]
fn a_match_leaves_records_games_and_an_experiment() {
    let folder = Folder::new("records");
    let output = folder.run(&quick(&[
        "--rounds",
        "3",
        "--max-plies",
        "30",
        "--experiments",
        "log",
        "--notation",
        "chinese",
    ]));
    assert!(output.status.success(), "{}", told(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("self - other: ") && shown.contains(" of 6; pairs ["), "{shown}");
    assert_eq!(folder.games("match.jsonl"), [0, 1, 2, 3, 4, 5]);
    let games: Vec<_> = pgn::read(&folder.text("match.pgn")).map(Result::unwrap).collect();
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game.tag("Termination").is_some() && !game.moves.is_empty()));
    let log: serde_json::Value = serde_json::from_str(&folder.text("log")).unwrap();
    assert_eq!(log["settings"]["rounds"], 3);

    let again = folder.run(&quick(&["--rounds", "3"]));
    assert!(!again.status.success());
    assert!(told(&again).contains("match.jsonl is there already"), "{}", told(&again));
}

#[cfg(unix)]
#[test]
fn a_warning_is_in_the_records_the_games_and_the_page() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("warned");
    // Either side of the chase, whichever it has.
    let words = crate::mock::command("goes round a5a3 f3g5 a3a5 g5f3");
    let script = folder.0.join("engine");
    fs::write(&script, format!("#!/bin/sh\n{}\n", words[2])).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.0.join("chase"), "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1\n").unwrap();
    let players = ["--engine", "cmd=./engine name=one", "--engine", "cmd=./engine name=other"];
    let more = ["--tc", "move=20s", "--rounds", "1", "--openings", "chase"];
    let play = |arguments: &[&str]| {
        let output = folder.run(&[&players[..], &more, arguments].concat());
        assert!(output.status.success(), "{}", told(&output));
        let text = folder.text(&format!("{}.jsonl", arguments[1]));
        let game: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        game["game"].clone()
    };
    let game = play(&["--out", "warned", "--warn"]);
    let what = "red must deviate: perpetual chase (长捉) (24.3, 25.2, 26.4, 28.12, 28.15)";
    let warning = serde_json::json!([{"ply": 8, "side": "red", "offence": "长捉", "told": what}]);
    assert_eq!((&game["warnings"], &game["termination"]), (&warning, &"forbidden".into()));
    assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 12);
    // Read from either file, the game has it at its move.
    let games: Vec<_> = pgn::read(&folder.text("warned.pgn")).map(Result::unwrap).collect();
    let texts: Vec<_> = games[0].moves.iter().map(|played| &*played.note.text).collect();
    assert_eq!((texts[7], texts.concat().len()), (what, what.len()));
    let mut convert = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    convert.args(["convert", "warned.jsonl", "-"]).current_dir(&folder.0);
    let converted = convert.output().unwrap();
    assert!(String::from_utf8_lossy(&converted.stdout).contains(what), "{converted:?}");
    assert!(folder.text("warned.html").contains("red must deviate"));
    // Nothing is said of it where nobody is warned.
    assert_eq!(play(&["--out", "plain"])["warnings"], serde_json::Value::Null);
}

#[test]
fn games_in_every_notation_are_openings_again() {
    let folder = Folder::new("notations");
    let players = ["--engine", "self name=甲", "--engine", "self name=乙", "--tc", "nodes=50"];
    // From positions as well as from moves, and with Black to begin.
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\n";
    folder.0.write("mixed", [OPENINGS, start].concat());
    let more = ["--openings", "mixed", "--rounds", "7", "--max-plies", "30", "--concurrency", "1"];
    let output = folder.run(&[&players[..], &more].concat());
    assert!(output.status.success(), "{}", told(&output));
    // A game that is over, by a mate before its last ply, is no opening.
    let played: Vec<(Option<String>, String)> = folder
        .text("match.jsonl")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["game"].clone())
        .map(|game| (game["fen"].as_str().map(Into::into), game["moves"].as_str().unwrap().into()))
        .filter(|(_, moves): &(_, String)| moves.split(' ').count() == 30)
        .collect();
    assert!(played.len() > 7 && played.iter().any(|(fen, _)| fen.is_some()));
    for notation in ["iccs", "chinese", "traditional", "wxf"] {
        for encoding in ["utf-8", "gb18030"] {
            let out = format!("{notation}-{encoding}");
            let style = ["--notation", notation, "--encoding", encoding, "--out", &out];
            let output = folder.run(&[&["--merge", "match.jsonl"], &style[..]].concat());
            assert!(output.status.success(), "{}", told(&output));
            let bytes = fs::read(folder.0.join(format!("{out}.pgn"))).unwrap();
            let (text, found) = text::decode(&bytes);
            assert_eq!(found == Encoding::Utf8, encoding == "utf-8");
            let read: Vec<_> = openings::read(&text, usize::MAX)
                .unwrap()
                .into_iter()
                .map(|Opening { start, moves }| {
                    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
                    ((start != Position::start()).then(|| start.fen()), moves.join(" "))
                })
                .collect();
            assert_eq!(read, played, "{out}");
        }
    }
}

#[test]
fn a_byte_order_mark_begins_the_games_and_stands_nowhere_else() {
    let folder = Folder::new("mark");
    let arguments = quick(&["--rounds", "2", "--max-plies", "8", "--encoding", "utf-16"]);
    let marks = |games: usize| {
        let bytes = fs::read(folder.0.join("match.pgn")).unwrap();
        let units: Vec<_> =
            bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        assert_eq!((units[0], units.iter().filter(|&&unit| unit == 0xFEFF).count()), (0xFEFF, 1));
        assert_eq!(Reader::from_bytes(bytes).unwrap().flatten().count(), games);
    };
    assert!(folder.run(&arguments).status.success());
    marks(4);
    // As a kill leaves it, before the first game and after it.
    let whole = folder.text("match.jsonl");
    for kept in [1, 2] {
        let lines: String = whole.split_inclusive('\n').take(kept).collect();
        folder.0.write("match.jsonl", lines);
        assert!(folder.run(&[&arguments[..], &["--resume"]].concat()).status.success());
        marks(4);
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let folder = Folder::new("lacking");
    let mut arguments = quick(&["--rounds", "1", "--max-plies", "4", "--encoding", "big5"]);
    arguments[3] = "self name=简体";
    let words = "note: 2 games have characters that the encoding of the PGN lacks, with ? in their \
                 places";
    let output = folder.run(&arguments);
    assert!(output.status.success() && told(&output).ends_with(words), "{}", told(&output));
    let merge = ["--merge", "match.jsonl", "--out", "joined", "--encoding"];
    let output = folder.run(&[&merge[..], &["big5"]].concat());
    assert_eq!(told(&output), words);
    let output = folder.run(&[&merge[..3], &["again", "--encoding", "gb18030"]].concat());
    assert_eq!(told(&output), "");
}
