//! Files of every kind, made from games of our own by other programs, are read exactly.

#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use chuhe::{
    games::{Found, Game, GameError, Played, Reader, Variation, xqf},
    notation::{Digits, Format, Script, Style},
    position::Position,
};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/files")
}

/// What the list of a file says, in its order.
fn vectors() -> BTreeMap<String, Vec<Value>> {
    let mut files: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in fs::read_to_string(folder().join("vectors.jsonl")).unwrap().lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        files.entry(vector["file"].as_str().unwrap().to_owned()).or_default().push(vector);
    }
    files
}

fn read(name: &str) -> Vec<Result<Found, GameError>> {
    Reader::open(&folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}")).collect()
}

/// The tree as the list has it: each node's parent, move and comment, the first being the start.
fn tree(game: &Game) -> Value {
    let mut nodes = vec![Value::from(vec![Value::Null, "".into(), game.preface.clone().into()])];
    line(&mut nodes, 0, "", &game.moves);
    nodes.into()
}

fn line(nodes: &mut Vec<Value>, parent: usize, preface: &str, moves: &[Played]) {
    let Some((first, rest)) = moves.split_first() else { return };
    let number = nodes.len();
    let comment = format!("{preface}\n{}", first.note);
    let node: Vec<Value> = vec![parent.into(), first.mv.to_string().into(), comment.trim().into()];
    nodes.push(node.into());
    line(nodes, number, "", rest);
    for Variation { preface, moves } in &first.variations {
        line(nodes, parent, preface, moves);
    }
}

fn check(name: &str, wanted: &Value, game: &Game) {
    let place = format!("{name} {}", wanted["game"]);
    assert_eq!(game.start.fen(), wanted["fen"].as_str().unwrap(), "{place}");
    let moves: Vec<_> = game.main_line().map(|mv| mv.to_string()).collect();
    assert_eq!(Value::from(moves), wanted["moves"], "{place}");
    if let Some(result) = wanted["result"].as_str() {
        assert_eq!(game.result.token(), result, "{place}");
    }
    if wanted["tree_any"] != true && !wanted["tree"].is_null() {
        assert_eq!(tree(game), wanted["tree"], "{place}");
    }
    if wanted["tags_any"] == true {
        return;
    }
    for (name, value) in wanted["tags"].as_object().into_iter().flatten() {
        let name = match name.as_str() {
            // Its own words for the usual things.
            "Name" => "Title",
            "Contest" => "Event",
            other => other,
        };
        assert_eq!(game.tag(name), value.as_str(), "{place}, {name}");
    }
}

#[test]
fn every_vector_is_read_exactly() {
    let mut count = 0;
    for (name, wanted) in vectors() {
        if name == "move_lists.txt" || name == "endgames.epd" {
            continue;
        }
        let found = read(&name);
        let games = wanted[0]["games"].as_u64().unwrap_or(1) as usize;
        assert_eq!(found.len(), games, "{name}: {found:?}");
        for (wanted, found) in wanted.iter().zip(&found) {
            count += 1;
            match found {
                Ok(found) => {
                    assert!(wanted["fault"].is_null() && wanted["error"].is_null(), "{name}");
                    check(&name, wanted, &found.game);
                }
                Err(error) if wanted["error"].is_string() => {
                    assert!(error.partial.as_ref().is_none_or(|game| game.moves.is_empty()));
                }
                Err(error) => {
                    assert!(wanted["fault"].is_string(), "{name}: {error}");
                    check(&name, wanted, error.partial.as_ref().unwrap());
                }
            }
        }
    }
    assert!(count > 55, "{count}");
}

#[test]
fn what_xboard_tells_of_a_move_is_a_score_and_a_time() {
    let found = read("xboard.pgn").remove(0).unwrap();
    let notes: Vec<_> =
        found.game.moves.iter().take(3).map(|played| played.note.to_string()).collect();
    // Its scores are the mover's, ours Red's.
    assert_eq!(
        notes,
        ["", "[%eval 0.30,10] [%emt 0:00:01.000]", "[%eval -0.20,11] [%emt 0:00:02.000]"]
    );
    let last = &found.game.moves.last().unwrap().note;
    assert_eq!(last.text, "some words");
    assert!(last.eval.is_some() && last.spent.is_some(), "{last}");
}

#[test]
fn lists_of_moves_and_positions_are_read_line_by_line() {
    let vectors = vectors();
    for name in ["move_lists.txt", "endgames.epd"] {
        let found = read(name);
        assert_eq!(found.len(), vectors[name].len());
        for (wanted, found) in vectors[name].iter().zip(found) {
            let found = found.unwrap();
            assert_eq!(found.place.line, wanted["line"].as_u64().map(|line| line as usize));
            assert_eq!(found.game.start.fen(), wanted["fen"].as_str().unwrap());
            if !wanted["moves"].is_null() {
                let moves: Vec<_> = found.game.main_line().map(|mv| mv.to_string()).collect();
                assert_eq!(Value::from(moves), wanted["moves"]);
            }
            assert_eq!(found.game.tag("Title"), wanted["title"].as_str());
            assert_eq!(found.game.tag("TitleTraditional"), wanted["title_traditional"].as_str());
        }
    }
}

#[test]
fn every_text_means_its_move_and_no_other() {
    for line in fs::read_to_string(folder().join("texts.jsonl")).unwrap().lines() {
        let wanted: Value = serde_json::from_str(line).unwrap();
        let position = Position::from_fen(wanted["fen"].as_str().unwrap()).unwrap();
        let text = wanted["text"].as_str().unwrap();
        let read = chuhe::notation::parse(&position, text).ok().map(|mv| mv.to_string());
        assert_eq!(read.as_deref(), wanted["move"].as_str(), "{text}");
    }
}

#[test]
fn a_semicolon_within_quotes_ends_no_operation() {
    let line = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 bm d0d1; c0 \"a; b\"; id \"x; y\";";
    let found = Reader::from_bytes(line.into()).unwrap().next().unwrap().unwrap();
    assert_eq!(found.game.preface, "bm d0d1\nc0 \"a; b\"");
    assert_eq!(found.game.tag("Title"), Some("x; y"));
}

#[test]
fn comments_of_dhtmlxq_without_a_place_are_told() {
    let page = |list: &str| {
        let text = format!(
            "[DhtmlXQ]\n[DhtmlXQ_movelist]{list}[/DhtmlXQ_movelist]\n\
             [DhtmlXQ_comment1]甲[/DhtmlXQ_comment1]\n[DhtmlXQ_comment9]乙[/DhtmlXQ_comment9]\n\
             [DhtmlXQ_comment2_1]丙[/DhtmlXQ_comment2_1]\n[DhtmlXQ_commentx]丁[/DhtmlXQ_commentx]\n\
             [/DhtmlXQ]"
        );
        Reader::from_bytes(["\n", &*text].concat().into_bytes()).unwrap().next().unwrap()
    };
    let found = page("77477062").unwrap();
    assert_eq!(found.game.moves[0].note.text, "甲");
    let told: Vec<_> = found.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "game 1, line 2: `commentx` is no place of a comment",
            "game 1, line 2: 2 comments are left out, for what they stand at is not there: `乙`",
        ]
    );
    // As many lines in, where moves cannot be read.
    let error = page("77477777").unwrap_err();
    assert_eq!(error.place.line, Some(2));
    assert!(error.remarks.iter().all(|remark| remark.place.line == Some(2)));
}

#[test]
fn every_dialect_of_fen_is_read() {
    for line in fs::read_to_string(folder().join("fen_dialects.jsonl")).unwrap().lines() {
        let wanted: Value = serde_json::from_str(line).unwrap();
        let text = wanted["in"].as_str().unwrap();
        // The words around it belong to lists, not to tags.
        let list = Reader::from_bytes(text.into()).unwrap().next().unwrap();
        let tag = format!("[FEN \"{}\"]\n*\n", text.split(" moves").next().unwrap());
        let tagged = Reader::from_bytes(tag.into()).unwrap().next().unwrap();
        for found in [list, tagged] {
            match wanted["out"].as_str() {
                Some(fen) => assert_eq!(found.unwrap().game.start.fen(), fen, "{text}"),
                None => assert!(found.is_err(), "{text}"),
            }
        }
    }
}

/// All whole games of the vectors.
fn games() -> Vec<(String, Game)> {
    let names = vectors().into_keys();
    names
        .flat_map(|name| {
            read(&name).into_iter().flatten().map(move |found| (name.clone(), found.game))
        })
        .collect()
}

#[test]
fn every_game_survives_pgn_in_every_notation() {
    let chinese = |script| Format::Chinese(Style { script, digits: Digits::Wide });
    let formats =
        [Format::Iccs, Format::Wxf, chinese(Script::Simplified), chinese(Script::Traditional)];
    for (name, game) in games() {
        for format in formats {
            let text = game.write(format);
            let mut again = Reader::from_bytes(text.clone().into()).unwrap();
            let found =
                again.next().unwrap().unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(found.game, game, "{name}\n{text}");
            assert_eq!(found.remarks, [], "{name}");
            assert!(again.next().is_none(), "{name}");
        }
    }
}

#[test]
fn every_game_survives_xqf() {
    for (name, game) in games() {
        let bytes = xqf::write(&game).unwrap();
        let found = Reader::from_bytes(bytes).unwrap().next().unwrap();
        let again = found.unwrap_or_else(|error| panic!("{name}: {error}")).game;
        assert_eq!(tree(&again), tree(&game), "{name}");
        assert_eq!(again.result, game.result, "{name}");
        let board = |game: &Game| game.start.fen().split(" - ").next().unwrap().to_owned();
        assert_eq!(board(&again), board(&game), "{name}");
        for tag in ["Event", "Red", "Black"] {
            assert_eq!(again.tag(tag), game.tag(tag), "{name}");
        }
    }
}

#[test]
fn a_long_title_runs_over_the_next_text_of_xqf() {
    let mut game = Game::new(Position::start());
    game.tags.push(("Title".into(), "很长的标题".repeat(12)));
    game.tags.push(("Red".into(), "甲".repeat(40)));
    let bytes = xqf::write(&game).unwrap();
    let again = Reader::from_bytes(bytes).unwrap().next().unwrap().unwrap().game;
    assert_eq!(again.tag("Title"), game.tag("Title"));
    // Names are cut in whole characters, which is told.
    assert_eq!(again.tag("Red"), Some("甲".repeat(7).as_str()));
    assert_eq!(xqf::lost(&game).as_deref(), Some("the end of Red"));
}

#[test]
fn whatever_xqf_has_no_place_for_is_told() {
    let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w - - 7 31").unwrap());
    for (name, value) in [
        ("Title", "很".repeat(40)),
        ("Title2", "副题".into()),
        ("Event", "赛".into()),
        ("Event", "又一".into()),
        ("RedElo", "2500".into()),
        ("Black", "乙".repeat(8)),
    ] {
        game.tags.push((name.into(), value));
    }
    game.moves.push(Played { marks: vec![1], ..Played::new("a1a9".parse().unwrap()) });
    assert_eq!(
        xqf::lost(&game).as_deref(),
        Some(
            "Title2, Event, RedElo, the end of Black, the moves since the last capture before it \
             begins, the number of its first move, marks of moves"
        )
    );
    game.tags.truncate(1);
    game.moves[0].marks.clear();
    game.start = Position::start();
    assert_eq!(xqf::lost(&game), None);
}

#[test]
fn what_holds_no_games_is_called_by_its_name() {
    for (bytes, told) in [
        (
            &b"PK\x03\x04\x14\0"[..],
            "it is no file of games but seems to be a ZIP archive, which is to be unpacked first",
        ),
        (b"\x89PNG\r\n", "it is no file of games but seems to be a picture (PNG)"),
        (
            b"\x01\x02\x03\x04\0\0\0",
            "it is no file of games but seems to be binary data of a kind that is not known",
        ),
        (b"  \r\n", "it is empty"),
        (b"", "it is empty"),
        (
            b"CHUHEREC\x09\0\0\0",
            "it seems to be records of chuhe datagen, but its format is version 9",
        ),
    ] {
        let error = Reader::from_bytes(bytes.to_vec()).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}

#[test]
fn a_comment_of_ten_megabytes_is_read_and_written() {
    let comment = "好棋 (a) ".repeat(1 << 20);
    let text = format!("[Event \"a\"]\n1. h2e2 {{{comment}}} h9g7 *\n");
    let found = Reader::from_bytes(text.into()).unwrap().next().unwrap().unwrap();
    assert_eq!(found.game.moves[0].note.text, comment.trim());
    let again = Reader::from_bytes(found.game.write(Format::Iccs).into()).unwrap().next().unwrap();
    assert_eq!(again.unwrap().game, found.game);
}

/// Whole games of a damaged file, by their titles, and what is told of the others.
fn survivors(bytes: Vec<u8>) -> (Vec<String>, Vec<String>) {
    let (mut titles, mut told) = (Vec::new(), Vec::new());
    for found in Reader::from_bytes(bytes).unwrap() {
        match found {
            Ok(found) => titles.push(found.game.tag("Title").unwrap().to_owned()),
            Err(error) => told.push(error.to_string()),
        }
    }
    (titles, told)
}

#[test]
fn damage_to_a_library_costs_the_games_that_it_hits() {
    let bytes = fs::read(folder().join("library.cbl")).unwrap();
    let all = ["跨块", "第一局 一、变着", "空局", "第三局"];
    assert_eq!(survivors(bytes.clone()), (all.map(Into::into).into(), Vec::new()));

    // A record without its head.
    let mut damaged = bytes.clone();
    let first = 66_624 + 276 * 8;
    damaged[first..first + 16].fill(0);
    let (titles, told) = survivors(damaged);
    assert_eq!(titles.len(), 3);
    assert_eq!(told, ["game 2, byte 68832: no record is where one should be"]);

    // The end is missing.
    let (titles, told) = survivors(bytes[..bytes.len() - 9000].to_vec());
    assert!(titles.len() >= 2 && !told.is_empty(), "{titles:?} {told:?}");

    // The index is no number.
    let mut damaged = bytes.clone();
    damaged[60..64].fill(0xFF);
    let (titles, told) = survivors(damaged);
    // Deleted games are found again, in the order of the file.
    assert!(all.iter().all(|title| titles.iter().any(|found| found == title)), "{titles:?}");
    assert!(told.last().unwrap().contains("its index is damaged"), "{told:?}");
}

#[test]
fn damage_to_one_of_several_games_of_text_costs_that_one() {
    let utf8 = fs::read_to_string(folder().join("dhtmlxq_two.txt")).unwrap();
    let (titles, told) = survivors(utf8.replacen("7767", "0000", 1).into());
    assert_eq!((titles, told.len()), (vec!["b".to_owned()], 1));
    // A line that leaves another before its first ply.
    let odd = fs::read_to_string(folder().join("dhtmlxq_utf8.txt")).unwrap();
    let odd = odd.replacen("[DhtmlXQ_move_0_1_5]", "[DhtmlXQ_move_0_0_5]", 1);
    let found = Reader::from_bytes(odd.into()).unwrap().next().unwrap().unwrap();
    assert!(found.remarks[0].what.starts_with("1 variations are left out"), "{:?}", found.remarks);
    let wxf = fs::read_to_string(folder().join("playok.wxf")).unwrap();
    let three = [wxf.as_str(), &wxf.replace("E7+5", "E7+7"), &wxf].concat();
    let read: Vec<_> = Reader::from_bytes(three.into()).unwrap().collect();
    assert!(read[0].is_ok() && read[2].is_ok());
    let error = read[1].as_ref().unwrap_err();
    assert_eq!(error.to_string(), "game 2, line 23, ply 7: `E7+7` is no legal move here");
    assert_eq!(error.partial.as_ref().unwrap().moves.len(), 6);
}

/// Short names in GB18030 look like other encodings, too.
#[test]
fn short_names_are_read_as_those_of_the_mainland() {
    use chuhe::notation::text::{Encoding, encode};
    for name in ["郑惟桐", "杨官璘", "平", "李璘"] {
        let mut game = Game::new(Position::start());
        game.add_tag("Red", name);
        let found = Reader::from_bytes(xqf::write(&game).unwrap()).unwrap().next().unwrap();
        assert_eq!(found.unwrap().game.tag("Red"), Some(name));
        let text = format!(
            "[Red \"{name}\"]\n1. h2e2 *\n\n[Event \"全国象棋个人赛\"]\n[Red \"{name}\"]\n1. c3c4 *\n"
        );
        let bytes = encode(&text, Encoding::Gb18030).into_owned();
        let read: Vec<_> = Reader::from_bytes(bytes).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), 2);
        for found in &read {
            assert_eq!(found.game.tag("Red"), Some(name));
        }
    }
}

#[test]
fn each_game_has_its_own_encoding() {
    use chuhe::notation::text::{Encoding, encode};
    let text = |event: &str| format!("[Event \"{event}\"]\n1. 炮二平五 馬８進７ *\n\n");
    let mut bytes = Vec::new();
    let all =
        [Encoding::Gb18030, Encoding::Utf8, Encoding::Big5, Encoding::Gb18030, Encoding::Utf8];
    for encoding in all {
        bytes.extend_from_slice(&encode(&text("象棋棋譜"), encoding));
    }
    // A foreign byte in the last one changes that character alone.
    let at = bytes.len() - 4;
    bytes.insert(at, 0xFF);
    let read: Vec<_> = Reader::from_bytes(bytes).unwrap().collect();
    assert_eq!(read.len(), all.len());
    for found in &read[..4] {
        assert_eq!(found.as_ref().unwrap().game.tag("Event"), Some("象棋棋譜"));
    }
    let last = read[4].as_ref().unwrap_err();
    assert_eq!(last.partial.as_ref().unwrap().tag("Event"), Some("象棋棋譜"));
    assert_eq!(last.partial.as_ref().unwrap().moves.len(), 2);
}

#[test]
fn wide_text_amid_other_text_costs_itself_alone() {
    use chuhe::notation::text::{Encoding, encode};
    let tagged = "[Event \"a\"]\n[Red \"上海\"]\n\n1. 炮二平五 馬８進７ *\n\n";
    let bare = "1. 炮二平五 馬８進７\n";
    for (text, line) in [(tagged, 6), (bare, 2)] {
        for (wide, mark) in [Encoding::Utf16Le, Encoding::Utf16Be]
            .into_iter()
            .flat_map(|it| [(it, ""), (it, "\u{feff}")])
        {
            let wide_text = [mark, text, text].concat();
            let parts = [
                encode(text, Encoding::Big5),
                encode(&wide_text, wide),
                encode(text, Encoding::Gb18030),
                encode(text, Encoding::Utf8),
            ];
            let read: Vec<_> = Reader::from_bytes(parts.concat()).unwrap().collect();
            assert_eq!(read.len(), 4, "{wide:?}: {read:?}");
            for found in [&read[0], &read[2], &read[3]] {
                let game = &found.as_ref().unwrap().game;
                assert_eq!(game.moves.len(), 2);
                assert!(game.tags.is_empty() || game.tag("Red") == Some("上海"));
            }
            let told = read[1].as_ref().unwrap_err().to_string();
            let words =
                format!("game 2, line {line}: UTF-16 begins here, in a file of another encoding");
            assert!(told.starts_with(&words), "{told}");
        }
    }
}
