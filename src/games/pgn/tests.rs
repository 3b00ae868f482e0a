//! PGN as people and programs write it.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{
    games::Played,
    notation::{Annotation, Digits, Eval, Format, Style},
    position::Unobserved,
};

fn all(text: &str) -> Vec<Result<Game, GameError>> {
    read(text).collect()
}

fn one(text: &str) -> Game {
    let mut games = all(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap()
}

#[test]
fn a_game_of_a_chinese_program_is_read() {
    let text = "[Game \"Chinese Chess\"]\r\n[Event \"C:\\杯\"]\r\n[Red \"甲 \\\"乙\\\"\"]\r\n\
                [Result \"1-0\"]\r\n[Opening \"五七炮\"]\r\n{开局 注}\r\n\
                \x20 1. 炮二平五 馬８進７ {好\r\n棋}\r\n  2. 马二进三 (2. 炮八平七 (略)) 车９平８ ;remark\r\n\
                3.车一平二 $1 *\r\n=====\r\n{ no comment\r\nwww.example.org\r\n\r\n\
                [Game \"Chinese Chess\"]\r\n1. H2-E2 1... H9-G7 0-1\r\n";
    let games: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
    assert_eq!(games.len(), 2);
    let game = &games[0];
    assert_eq!(game.tag("Event"), Some("C:\\杯"));
    assert_eq!(game.tag("Red"), Some("甲 \"乙\""));
    assert_eq!(game.tag("Result"), None);
    let moves: Vec<_> = game.moves.iter().map(|played| played.mv.to_string()).collect();
    assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]);
    assert_eq!((game.preface.as_str(), game.result), ("开局 注", GameResult::RedWins));
    assert_eq!(game.moves[1].note.text, "好\n棋");
    assert_eq!(game.moves[3].note.text, "remark");
    assert_eq!((games[1].moves.len(), games[1].result), (2, GameResult::BlackWins));
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_the_rest_is_read() {
    let text = "[Event \"a\"]\n\n1. 炮二平五\n   车一平二 *\n[Event b]\n1. x\n\
                [FEN \"9 w\"]\n\n[Event \"c\"]\n1. h2e2 {ever\n";
    let told: Vec<_> = all(text).into_iter().map(|game| game.unwrap_err().to_string()).collect();
    assert_eq!(
        told,
        [
            "game 1, line 4, ply 2: `车一平二` is no legal move here",
            "game 2, line 6, ply 1: `x` is a move in no notation",
            "game 3, line 7: bad FEN: board has 1 ranks, not 10",
            "game 4, line 10: a comment that begins here has no end",
        ]
    );
    assert!(all(" \n\t\n").is_empty());
}

#[test]
fn black_may_begin() {
    let mut game = Game::new(Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 5 30").unwrap());
    for mv in ["e9e8", "d0d1", "e8e9"] {
        game.moves.push(Played::new(mv.parse().unwrap()));
    }
    let text = game.write(Format::Iccs);
    assert!(text.ends_with("\n30. ... E9-E8\n31. D0-D1 E8-E9\n*\n\n"), "{text}");
    assert_eq!(one(&text), game);
}

fn format() -> impl Strategy<Value = Format> {
    use crate::notation::Script;
    let script = prop_oneof![Just(Script::Simplified), Just(Script::Traditional)];
    prop_oneof![
        Just(Format::Iccs),
        Just(Format::Wxf),
        script.prop_map(|script| Format::Chinese(Style { script, digits: Digits::Narrow })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_is_written_is_read_back(
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 0..120),
        format in format(),
        value in "[!-~棋é]{1,12}",
        note in "[a-z(棋]{0,6}",
    ) {
        let mut game = Game::new(Position::start());
        game.tags.push(("Event".into(), value));
        game.result = GameResult::Draw;
        let mut position = game.start.clone();
        for (ply, choice) in choices.iter().enumerate() {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            position.make(mv, &mut Unobserved);
            let time = Duration::from_millis(ply as u64 * 777);
            let note = Annotation {
                eval: Some(Eval::Points(35 - ply as i32)),
                depth: Some(9),
                spent: Some(time),
                clock: None,
                text: note.clone(),
            };
            game.moves.push(Played { note, ..Played::new(mv) });
        }
        prop_assert_eq!(one(&game.write(format)), game);
    }
}

#[test]
fn tags_may_share_a_line_with_anything() {
    let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
    let game = one(&format!("[Event \"x\"] [FEN \"{fen}\"]\n1. d0d1 *\n"));
    assert_eq!((game.start.fen().as_str(), game.moves.len()), (fen, 1));
    let game = one("[Result \"1-0\"] 1. 炮二平五 马8进7\n");
    assert_eq!((game.moves.len(), game.result), (2, GameResult::RedWins));
    for fen in [
        format!("[Fen \"{fen}\"]\n[RESULT \"0-1\"]\n"),
        format!("[ FEN  \"{fen}\" ]\r[result \"黑胜\"]\r"),
    ] {
        let game = one(&(fen + "d0d1"));
        assert_eq!((game.start.side(), game.result), (Color::Red, GameResult::BlackWins));
        assert_eq!(game.moves.len(), 1);
    }
    let games = all("[Event \"a\"] 1. h2e2 * [Event \"b\"] 1. b2e2 1-0\n");
    assert_eq!(games.into_iter().flatten().count(), 2);
}

#[test]
fn a_game_without_tags_is_one_wherever_it_stands() {
    let text = "[Event \"a\"]\n1. h2e2 h9g7 1-0\n\n1. 炮二平五 马8进7\n2. 马二进三 *\n\n[Event \"b\"]\n1. b2e2\n";
    let plies: Vec<_> = all(text).into_iter().map(|game| game.unwrap().moves.len()).collect();
    assert_eq!(plies, [2, 3, 1]);
    // Without a result between them, too.
    let plies: Vec<_> = all("[Event \"a\"]\n1. h2e2 h9g7\n2. h0g2\n1. b2e2 b9c7\n")
        .into_iter()
        .map(|game| game.unwrap().moves.len())
        .collect();
    assert_eq!(plies, [3, 2]);
}

#[test]
fn a_missing_brace_costs_its_own_game_only() {
    let text = "[Event \"a\"]\n1. h2e2 {no end h9g7 *\n\n[Event \"b\"]\n1. b2e2 *\n";
    let games = all(text);
    assert_eq!(games.len(), 2);
    let error = games[0].as_ref().unwrap_err();
    assert_eq!(error.to_string(), "game 1, line 2: a comment that begins here has no end");
    assert_eq!(error.partial.as_ref().unwrap().moves.len(), 1);
    assert_eq!(games[1].as_ref().unwrap().tag("Event"), Some("b"));
}

#[test]
fn variations_and_parentheses_are_told_apart() {
    let game = one(
        "1. 炮二平五 {好（见前）} (1. 炮八平五 {a) b} 马2进3 (1... 马8进7) 2. 马八进七) (见后) 马8进7 (深 (层) 注) 2. 马二进三 *",
    );
    assert_eq!(game.moves.len(), 3);
    let variation = &game.moves[0].variations[0];
    assert_eq!(variation.moves.len(), 3);
    assert_eq!(variation.moves[0].note.text, "a) b");
    assert_eq!(variation.moves[1].variations[0].moves.len(), 1);
    assert_eq!(game.moves[0].note.text, "好（见前）\n见后");
    assert_eq!(game.moves[1].note.text, "深 (层) 注");
}

#[test]
fn alternatives_of_a_variations_first_move_are_those_of_the_move_itself() {
    let game = one("1. h2e2 (1. b2e2 (1. c3c4) b9c7) *");
    let first: Vec<_> =
        game.moves[0].variations.iter().map(|inner| inner.moves[0].mv.to_string()).collect();
    assert_eq!(first, ["b2e2", "c3c4"]);
    assert_eq!(game.moves[0].variations[0].moves.len(), 2);
}

#[test]
fn a_name_that_might_be_chinese_in_another_encoding_is_read_back() {
    for name in ["Reɤ", "ƽ", "֣ΩͩD", "ж", "é", "马"] {
        let mut game = Game::new(Position::start());
        game.add_tag("Red", name);
        assert_eq!(one(&game.write(Format::Iccs)), game, "{name}");
    }
}

#[test]
fn games_of_tags_alone_are_games() {
    let tags = |event: &str| format!("[Event \"{event}\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n");
    let text =
        [tags("a"), "\n".into(), tags("b"), tags("c"), "\n1. h2e2 1-0\n\n".into(), tags("d")];
    let games: Vec<_> = all(&text.concat()).into_iter().map(Result::unwrap).collect();
    let told: Vec<_> = games
        .iter()
        .map(|game| (game.tag("Event").unwrap(), game.moves.len(), game.result))
        .collect();
    let won = GameResult::RedWins;
    assert_eq!(told, [("a", 0, won), ("b", 0, won), ("c", 1, won), ("d", 0, won)]);
    assert_eq!(one("[Event \"a\"]\n[Event \"b\"]\n1. h2e2 *").moves.len(), 1);
}

#[test]
fn marks_may_stand_apart_and_in_two_spellings() {
    let text = "1. h2e2 !? h9g7!! $3 2. h0g2 ± N b9c7 + 3. b0c2 +- $18 i9h9 # *";
    let marks: Vec<_> = one(text).moves.iter().map(|played| played.marks.clone()).collect();
    assert_eq!(marks, [vec![5], vec![3], vec![16, 146], vec![], vec![18], vec![]]);
}

#[test]
fn whoever_gives_up_has_lost() {
    use GameResult::{BlackWins, Draw, RedWins};
    for (end, result) in [
        ("认负", BlackWins),
        ("h0g2 認輸", RedWins),
        ("h0g2 resigns.", RedWins),
        ("White resigns", BlackWins),
        ("black resigns", RedWins),
        ("红方认负", BlackWins),
        ("【红胜】", RedWins),
        ("[黑胜]", BlackWins),
        ("［和棋］", Draw),
    ] {
        let game = one(&format!("[Red \"a\"]\n1. h2e2 h9g7 2. {end}\n"));
        assert_eq!((game.moves.len() & !1, game.result), (2, result), "{end}");
    }
    let inner = one("[Red \"a\"]\n1. h2e2 (1. b2e2 b9c7 resigns) h9g7 *");
    assert_eq!((inner.moves.len(), inner.result), (2, GameResult::Unknown));
}

#[test]
fn what_is_left_out_is_told() {
    let remarks = |text: &str| -> Vec<String> {
        let found = Reader::from_bytes(text.into()).unwrap().next().unwrap().unwrap();
        found.remarks.iter().map(ToString::to_string).collect()
    };
    for (text, told) in [
        ("[Event b]\n1. h2e2 *", "game 1, line 1: `[Event b]` is no tag and is left out"),
        (
            "[Red \"a\"]\n1. h2e2 (1. a0a5 b9c7) b9c7 *",
            "game 1, line 2: a variation is left out: `a0a5` is no legal move here",
        ),
        (
            "[Red \"a\"]\n1. h2e2 (1. b2e2 a0a5) b9c7 *",
            "game 1, line 2: a variation is left out from here on: `a0a5` is no legal move here",
        ),
        (
            "[Red \"a\"]\n1. h2e2 *\nwww.example.org",
            "game 1, line 3: after the result is left out: `www.example.org`",
        ),
        ("[Red \"a\"]\n1. h2e2 ) *", "game 1, line 2: a `)` without a `(` is passed over"),
        (
            "[Red \"a\"]\n[9bad \"v\"]\n1. h2e2 *",
            "game 1, line 2: the tag `9bad \"v\"` is left out",
        ),
        ("[Game \"12\"]\n1. h2e2 *", "game 1, line 1: the tag `Game \"12\"` is left out"),
        ("[Red \"a\"]\n!? 1. h2e2 *", "game 1, line 2: the mark `!?` is left out"),
        ("[Result \"won\"]\n1. h2e2 *", "game 1, line 1: the result `won` is left out"),
        (
            "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]\n1. e9e8 *",
            "game 1, line 1: the FEN says that red moves first, but black does",
        ),
    ] {
        assert_eq!(remarks(text), [told], "{text}");
    }
}

#[test]
fn spellings_of_every_kind_are_read() {
    for text in [
        "1. h2e2! h9g7?? 2. h0g2+ i9h9",
        "1. H2–E2 H9–G7 2. H0—G2 I9−H9",
        "1.炮二平五马8进72.马二进三车9平8",
        "１．炮二平五，马8进7，２．马二进三，车9平8 红胜",
        "1. Ｃ２＝５ Ｈ８＋７ 2. Ｈ２＋３ Ｒ９＝８ ½-½",
        "1、炮二平五 马８进７ 2、马二进三 车９平８ 和棋",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "1. Che2 Hhg7 2. Hhg2 Rh9",
        "[Red \"a\"]\n1. ---- ---- h2e2 h9g7 2. h0g2 …… i9h9",
    ] {
        let moves: Vec<_> = one(text).moves.iter().map(|played| played.mv.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9"], "{text}");
    }
    let game = one("1. h2e2!? h9g7 $2 2. h0g2!! *");
    let marks: Vec<_> = game.moves.iter().map(|played| played.marks.clone()).collect();
    assert_eq!(marks, [vec![5], vec![2], vec![3]]);
}

#[test]
fn deep_variations_are_read_and_deeper_ones_told() {
    let mut deep = String::from("[Red \"a\"]\n1. h2e2 ");
    let mut position = Position::start();
    position.make("h2e2".parse().unwrap(), &mut Unobserved);
    // Rooks go to and fro; each variation replaces the second move of the line around it.
    for level in 0..200 {
        let moves = position.legal_moves();
        let pick = |index: usize| moves[index % moves.len()];
        deep.extend([&pick(level).to_string(), " "]);
        let mv = pick(level + 1);
        deep.extend(["(", &mv.to_string(), " "]);
        position.make(mv, &mut Unobserved);
        if position.legal_moves().is_empty() {
            break;
        }
    }
    deep += &position.legal_moves()[0].to_string();
    deep += &")".repeat(200);
    let found = Reader::from_bytes(deep.into()).unwrap().next().unwrap().unwrap();
    assert!(
        found.remarks.iter().any(|remark| remark.what.contains("128 deep")),
        "{:?}",
        found.remarks
    );
    let mut depth = 0;
    let mut moves = &found.game.moves;
    while let Some(inner) = moves.last().and_then(|played| played.variations.last()) {
        depth += 1;
        moves = &inner.moves;
    }
    assert!(depth >= 100, "{depth}");
}

#[test]
fn the_end_mark_of_dos_is_no_text() {
    for text in ["[Event \"a\"]\r\n1. h2e2 *\r\n\u{1a}", "1. h2e2\u{1a}"] {
        let found: Vec<_> = Reader::from_bytes(text.into()).unwrap().map(Result::unwrap).collect();
        assert_eq!((found.len(), found[0].game.moves.len()), (1, 1), "{text:?}");
        assert_eq!(found[0].remarks, []);
    }
}
