//! Moves in every notation, there and back.

use super::*;
use crate::{position::Unobserved, types::SplitMix64};

const FORMATS: [Format; 5] = [
    Format::Iccs,
    Format::Wxf,
    Format::Chinese(Style { script: Script::Simplified, digits: Digits::Narrow }),
    Format::Chinese(Style { script: Script::Simplified, digits: Digits::Wide }),
    Format::Chinese(Style { script: Script::Traditional, digits: Digits::Wide }),
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn read(position: &Position, text: &str) -> String {
    parse(position, text).map_or_else(|error| error.to_string(), |mv| mv.to_string())
}

fn check_all_moves(position: &Position) {
    for mv in position.legal_moves() {
        for format in FORMATS {
            let text = print(position, mv, format);
            assert_eq!(parse(position, &text), Ok(mv), "{text} in {}", position.fen());
        }
    }
}

#[test]
fn every_legal_move_survives_every_notation() {
    let mut rng = SplitMix64::new(7);
    let games = if cfg!(debug_assertions) { 8 } else { 60 };
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..120 {
            check_all_moves(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[rng.below(moves.len())], &mut Unobserved);
        }
    }
}

/// Random games hardly ever line pawns up, so these boards are made of little else.
#[test]
fn crowded_files_survive_every_notation() {
    let mut rng = SplitMix64::new(11);
    let mut boards = 0;
    let wanted = if cfg!(debug_assertions) { 100 } else { 2_000 };
    while boards < wanted {
        let mut board = [['1'; 9]; 10];
        board[0][4] = 'k';
        board[9][3] = 'K';
        let men = if rng.below(2) == 0 { "PPPPPNNRRCC" } else { "pppppnnrrcc" };
        for man in men.chars() {
            // Three files only.
            let (rank, file) = (rng.below(10), 2 + 2 * rng.below(3));
            if board[rank][file] == '1' {
                board[rank][file] = man;
            }
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        let side = if men.starts_with('P') { "w" } else { "b" };
        if let Ok(position) = Position::from_fen(&format!("{} {side}", ranks.join("/"))) {
            check_all_moves(&position);
            boards += 1;
        }
    }
}

#[test]
fn guards_on_one_file_are_told_apart_by_their_way() {
    let position = position("5k3/9/9/9/9/2B6/9/3A5/9/2BAK4 w");
    check_all_moves(&position);
    for (text, mv) in [
        ("仕六进五", "d0e1"),
        ("仕六退五", "d2e1"),
        ("前士退五", "d2e1"),
        ("后仕5", "d0e1"),
        ("相七退九", "c4a2"),
        ("象七进5", "c0e2"),
        ("A65", "d0e1"),
    ] {
        assert_eq!(read(&position, text), mv, "{text}");
    }
}

#[test]
fn examples_of_article_7_are_understood() {
    let start = Position::start();
    let mut after = start.clone();
    after.make("h2e2".parse().unwrap(), &mut Unobserved);
    for (position, text, mv) in [
        (&start, "炮二平五", "h2e2"),
        (&start, "炮25", "h2e2"),
        (&start, "炮2=5", "h2e2"),
        (&after, "马8进7", "h9g7"),
        (&after, "马87", "h9g7"),
        (&after, "马8+7", "h9g7"),
        (&after, "馬８進７", "h9g7"),
        (&after, "馬八進七", "h9g7"),
        (&after, "H8+7", "h9g7"),
        (&after, "n8+7", "h9g7"),
        (&after, "卒3进1", "c6c5"),
        (&after, "車1上2", "a9a7"),
        (&start, "帥五進一", "e0e1"),
        (&start, "傌八進七", "b0c2"),
        (&start, "相三进五", "g0e2"),
        (&start, "仕四進五", "f0e1"),
    ] {
        assert_eq!(read(position, text), mv, "{text}");
    }
}

#[test]
fn a_short_form_means_the_usual_way() {
    let start = Position::start();
    // 平三 and 进三 both exist.
    assert_eq!(read(&start, "炮23"), "h2g2");
    assert_eq!(read(&start, "炮27"), "h2c2");
    // A rook's steps are all that is left.
    assert_eq!(read(&start, "车11"), "i0i1");
    let knight = position("4k4/9/9/9/9/4N4/9/9/9/3K5 w");
    assert_eq!(read(&knight, "马五4"), "e4f6");
    assert_eq!(read(&knight, "马五退4"), "e4f2");
}

#[test]
fn tandems_are_told_by_their_place() {
    // Red cannons on file 五, Black's on 3.
    let mut position = position("5k3/2c6/9/4C4/2c6/9/4C4/9/9/3K5 w");
    for (text, mv) in [
        ("前炮退一", "e6e5"),
        ("後炮平四", "e3f3"),
        ("C+-1", "e6e5"),
        ("+C-1", "e6e5"),
        ("C--1", "e3e2"),
        ("-C.4", "e3f3"),
        ("炮五平四", "`炮五平四` may mean e3f3 or e6f6"),
        ("炮五退三", "e3e0"),
        ("中炮平四", "`中炮平四` is no legal move here"),
    ] {
        assert_eq!(read(&position, text), mv, "{text}");
    }
    position.make("d0d1".parse().unwrap(), &mut Unobserved);
    // 前 is the one nearer to Red.
    assert_eq!(read(&position, "前炮进1"), "c5c4");
    assert_eq!(read(&position, "后炮平4"), "c8d8");
    assert_eq!(read(&position, "底炮平4"), "c8d8");
}

#[test]
fn two_knights_on_a_file_keep_their_mark() {
    let position = position("4k4/9/9/9/9/2N6/9/2N6/9/3K5 w");
    let texts: Vec<_> = ["c4b6", "c2b4", "c4d6"]
        .map(|mv| print(&position, mv.parse().unwrap(), Format::Chinese(Style::default())))
        .into();
    assert_eq!(texts, ["前马进八", "后马进八", "前马进六"]);
    assert_eq!(read(&position, "马七进八"), "`马七进八` may mean c2b4 or c4b6");
    // Only the rear one can, for the other one's legs are tied.
    let tied = self::position("4k4/9/9/9/2p6/2N6/9/2N6/9/3K5 w");
    assert_eq!(read(&tied, "马七进八"), "c2b4");
}

#[test]
fn pawns_in_a_crowd_are_counted() {
    let chinese = |fen: &str, moves: &[&str]| -> Vec<String> {
        let position = position(fen);
        let text =
            |mv: &&str| print(&position, mv.parse().unwrap(), Format::Chinese(Style::default()));
        moves.iter().map(text).collect()
    };
    let wxf = |fen: &str, moves: &[&str]| -> Vec<String> {
        let position = position(fen);
        moves.iter().map(|mv| print(&position, mv.parse().unwrap(), Format::Wxf)).collect()
    };
    let three = "4k4/9/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let moves = ["c7d7", "c6d6", "c5d5"];
    assert_eq!(chinese(three, &moves), ["前兵平六", "中兵平六", "后兵平六"]);
    assert_eq!(wxf(three, &moves), ["P+=6", "P7=6", "P-=6"]);

    let four = "4k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w";
    let moves = ["c8d8", "c7d7", "c6d6", "c5d5"];
    assert_eq!(chinese(four, &moves), ["一兵平六", "二兵平六", "三兵平六", "四兵平六"]);
    assert_eq!(wxf(four, &moves), ["++=6", "P+=6", "P-=6", "--=6"]);
    let board = position(four);
    assert_eq!(read(&board, "前兵平六"), "c8d8");
    assert_eq!(read(&board, "后兵平六"), "c5d5");

    // Files from Red's right to left: 三 (g) before 七 (c).
    let both = "4k4/9/2P3P2/2P6/2P3P2/9/9/9/9/3K5 w";
    let moves = ["g7f7", "g5f5", "c7d7", "c6d6", "c5d5"];
    assert_eq!(chinese(both, &moves), ["一兵平四", "二兵平四", "三兵平六", "四兵平六", "五兵平六"]);
    assert_eq!(wxf(both, &moves), ["3+=4", "3-=4", "7+=6", "77=6", "7-=6"]);
    let board = position(both);
    for (text, mv) in [
        ("前七平六", "c7d7"),
        ("77.6", "c6d6"),
        ("7-.6", "c5d5"),
        ("+3.4", "g7f7"),
        ("前三平四", "g7f7"),
        ("中兵平六", "c6d6"),
        ("前兵进一", "`前兵进一` may mean c7c8 or g7g8"),
    ] {
        assert_eq!(read(&board, text), mv, "{text}");
    }
}

#[test]
fn what_is_no_move_is_told_why() {
    let start = Position::start();
    for (text, told) in [
        ("", "`` is a move in no notation"),
        ("炮二", "`炮二` is a move in no notation"),
        ("炮二平五六", "`炮二平五六` is a move in no notation"),
        ("炮二炮五", "`炮二炮五` is a move in no notation"),
        ("13.4", "`13.4` is no legal move here"),
        ("炮二平二", "`炮二平二` is no legal move here"),
        ("h2h2", "`h2h2` is no legal move here"),
        ("h2i3", "`h2i3` is no legal move here"),
        ("象五进三", "`象五进三` is no legal move here"),
    ] {
        assert_eq!(read(&start, text), told, "{text}");
    }
}

#[test]
fn pawns_of_one_crowded_file_are_numbered_by_digits() {
    let three = position("4k4/9/6P2/6P2/6P2/9/9/9/9/3K5 w");
    for (text, mv) in [
        ("13=4", "g7f7"),
        ("23=4", "g6f6"),
        ("33=4", "g5f5"),
        ("Pa=4", "g7f7"),
        ("Pc=4", "g5f5"),
        ("P==4", "g6f6"),
        ("P3=4", "g6f6"),
        ("43=4", "`43=4` is no legal move here"),
        ("37=4", "`37=4` is no legal move here"),
    ] {
        assert_eq!(read(&three, text), mv, "{text}");
    }
    let both = position("4k4/9/2P3P2/2P6/2P3P2/9/9/9/9/3K5 w");
    for (text, mv) in [("77.6", "c6d6"), ("37.6", "c5d5"), ("23.4", "g5f5"), ("Pd.6", "c6d6")] {
        assert_eq!(read(&both, text), mv, "{text}");
    }
}

#[test]
fn moves_of_chess_programs_are_read_with_ranks_from_either_number() {
    let start = Position::start();
    for (text, ranks, mv) in [
        ("Chg2", Ranks::FromZero, "h2g2"),
        ("Chg3", Ranks::FromOne, "h2g2"),
        ("Cxh9", Ranks::FromZero, "h2h9"),
        ("C2e2", Ranks::FromZero, "`C2e2` may mean b2e2 or h2e2"),
        ("Che2", Ranks::FromZero, "h2e2"),
        ("Cxh10", Ranks::FromOne, "h2h9"),
        ("i4", Ranks::FromZero, "i3i4"),
        ("Pi5", Ranks::FromOne, "i3i4"),
        ("i4i5", Ranks::FromOne, "i3i4"),
        ("h3xh10", Ranks::FromOne, "h2h9"),
        ("Afe1", Ranks::FromZero, "f0e1"),
        ("Ke5", Ranks::FromZero, "`Ke5` is no legal move here"),
    ] {
        let told = parse_ranked(&start, text, ranks);
        let told = told.map_or_else(|error| error.to_string(), |mv| mv.to_string());
        assert_eq!(told, mv, "{text}");
    }
}

#[test]
fn words_of_a_file_do_no_harm_to_a_message() {
    let told = read(&Position::start(), &format!("\u{1b}[2J{}", "x".repeat(1 << 20)));
    assert!(told.len() < 200 && told.starts_with("`\\u{1b}[2Jxxx"), "{told}");
}
