//! What a FEN may be, what it may not be and why, and that nothing at all makes reading it panic.

use crate::common::{
    games::{after, position},
    rows::rows,
    slow::{Board, START},
};
use chuhe::{
    position::{FenError, Position},
    types::Color,
};
use proptest::prelude::*;

/// Reads, prints, reads again: the same position.
fn assert_round_trip(position: &Position, text: &str) {
    let printed = position.fen();
    let again = Position::from_fen(&printed)
        .unwrap_or_else(|error| panic!("`{printed}` printed for `{text}`: {error}"));
    assert_eq!(again, *position, "read from `{text}`");
    assert_eq!(again.fen(), printed, "read from `{text}`");
    assert_eq!(again.validate(), Ok(()), "read from `{text}`");
    // Whatever is accepted can be played: the slow rule book understands it and agrees.
    let slow: Vec<_> = Board::parse(&printed).legal().iter().map(ToString::to_string).collect();
    let mut fast: Vec<_> = again.legal_moves().iter().map(ToString::to_string).collect();
    fast.sort();
    assert_eq!(fast, sorted(slow), "read from `{text}`");
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words
}

#[test]
fn every_row_prints_what_it_read() {
    for row in rows() {
        assert_eq!(position(&row.fen).fen(), row.fen, "{}", row.id);
        assert_round_trip(&position(&row.fen), &row.fen);
    }
}

/// Reads the same position as `plain`, which is a strict FEN.
fn assert_same(text: &str, plain: &str) {
    let read = Position::from_fen(text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
    assert_eq!(read, position(plain), "`{text}`");
}

#[test]
fn the_side_may_be_any_of_the_usual_words() {
    let men = START.trim_end_matches(" w");
    for red in ["w", "r", "red"] {
        assert_eq!(position(&format!("{men} {red} - - 0 1")).side(), Color::Red, "{red}");
    }
    assert_eq!(position(&format!("{men} b - - 0 1")).side(), Color::Black);
}

#[test]
fn counters_may_be_missing_and_junk_may_follow() {
    let plain = format!("{START} - - 0 1");
    for text in [
        START.to_owned(),
        format!("{START} "),
        format!("  {START}"),
        format!("{START} -"),
        format!("{START} - -"),
        format!("{START} - - 0"),
        format!("{START} - - 0 1 and then some"),
        format!("{START} - - 0 1 ;帅五进一"),
        format!("{START}\t-\t-\t0\t1\r\n"),
    ] {
        assert_same(&text, &plain);
    }
    // A comment where the counters should be.
    assert_eq!(position(&format!("{START} ;comment - - 0 1")).legal_moves().len(), 44);
}

#[test]
fn elephants_and_horses_are_bishops_and_knights() {
    let plain = format!("{START} - - 0 1");
    let other = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";
    assert_same(other, &plain);
    assert_same("rnbakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKAEHR w", &plain);
}

#[test]
fn gaps_may_be_written_in_parts() {
    assert_same(
        "rnbakabnr/45/1c5c1/p1p1p1p1p/333/111111111/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        &format!("{START} - - 0 1"),
    );
}

#[test]
fn no_counter_is_too_large_to_live_with() {
    for counters in [
        "65535 65535",
        "65536 65536",
        "99999 0",
        "4294967296 4294967296",
        "99999999999999999999999999 99999999999999999999999999",
        "-1 -1",
        "0 0",
        "1.5 x",
    ] {
        for side in ["w", "b"] {
            let text = START.replace(" w", &format!(" {side} - - {counters}"));
            let mut position = position(&text);
            assert_round_trip(&position, &text);
            let before = position.clone();
            for mv in position.legal_moves() {
                after(&mut position, mv, |position| assert_eq!(position.validate(), Ok(())));
                assert_eq!(position, before, "{mv} taken back in {text}");
            }
        }
    }
}

#[test]
fn sparse_and_odd_but_possible_boards_are_read() {
    for text in [
        // Red pawn on the last rank, move number 0.
        "4P4/9/3k1a3/2N6/2b6/9/9/9/9/4K4 w - - 0 0",
        "4P4/3k5/5N3/9/2b6/9/9/9/9/4K4 b - - 0 4",
        "4k1rr1/9/9/9/9/9/9/9/9/5K3 w - - 0 0",
        "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b",
        "9/3Rk4/8b/9/p8/9/P1P1P1P1P/3K1A3/n8/2B5c b",
        "3k5/9/9/9/9/9/9/9/9/4K4 w",
        // Mated and stalemated.
        "R3k4/1R7/9/9/9/9/9/9/9/3K5 b",
        "3k5/9/4P4/9/9/9/9/9/9/4K4 b",
        // Composed: advisors beside their points, more guards than a game has, pawns behind
        // their line and beside their files before the river.
        "4k4/3a5/9/9/9/9/9/4A4/9/3K5 w",
        "3aka3/3a1a3/4a4/9/9/9/9/4B4/4A4/3AKA3 w",
        "2b1k1b2/9/b7b/9/2b6/9/9/9/9/3K5 w",
        "4k4/1p7/9/9/9/9/9/9/P8/1P1K5 w",
        "4k4/9/9/9/7p1/1P7/9/9/9/3K5 b",
        // Five pawns on one rank.
        "4k4/9/9/PPPPP4/9/9/9/9/9/3K5 b",
    ] {
        assert_round_trip(&position(text), text);
    }
}

/// A fault, how its error is known, texts that have it.
type Fault = (&'static str, fn(&FenError) -> bool, &'static [&'static str]);

/// Not positions, by what is wrong with them.
const BAD: &[Fault] = &[
    ("no text", |error| matches!(error, FenError::Ranks(1)), &["", " ", "\n", "\0"]),
    (
        "no board",
        |error| matches!(error, FenError::Ranks(_)),
        &["foobar", "w", "- - 0 1", "startpos", "////", "帅 w", "♔ w"],
    ),
    (
        "not ten ranks",
        |error| matches!(error, FenError::Ranks(_)),
        &[
            "4k4/9/9/9/9/9/9/9/4K4 w",
            "4k4/9/9/9/9/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/9/9/9/9/3K5/ w",
            "/4k4/9/9/9/9/9/9/9/9/3K5 w",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ],
    ),
    (
        "a rank of another width than nine",
        |error| matches!(error, FenError::Width { .. }),
        &[
            "/////////",
            "///////// w",
            "4k3/9/9/9/9/9/9/9/9/3K5 w",
            "4k5/9/9/9/9/9/9/9/9/3K5 w",
            "4k4/8/9/9/9/9/9/9/9/3K5 w",
            "4k4/91/9/9/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/99999999999999999999999999/9/9/9/9/3K5 w",
            "4k4/9/9//9/9/9/9/9/3K5 w",
            "4k4/9/9/9R/9/9/9/9/9/3K5 w",
            "4k4/9/9/RNCRNCRNCR/9/9/9/9/9/3K5 w",
        ],
    ),
    (
        "a letter that is no man",
        |error| matches!(error, FenError::Letter { .. }),
        &[
            "4k4/9/9/4x4/9/9/9/9/9/3K5 w",
            "4k4/9/9/4Q4/9/9/9/9/9/3K5 w",
            "4k4/9/9/4+4/9/9/9/9/9/3K5 w",
            "4k4/9/9/4é4/9/9/9/9/9/3K5 w",
            "4k4/9/9/4车4/9/9/9/9/9/3K5 w",
            "4k4/9/9/４p４/9/9/9/9/9/3K5 w",
            "4k4/9/9/4\u{0}4/9/9/9/9/9/3K5 w",
        ],
    ),
    (
        "a gap of no points",
        |error| matches!(error, FenError::Letter { letter: '0', .. }),
        &["4k4/09/9/9/9/9/9/9/9/3K5 w", "4k04/9/9/9/9/9/9/9/9/3K5 w"],
    ),
    (
        "no king",
        |error| matches!(error, FenError::NoKing(_)),
        &[
            "9/9/9/9/9/9/9/9/9/4K4 w",
            "4k4/9/9/9/9/9/9/9/9/9 w",
            "9/9/9/9/9/9/9/9/9/9 w",
            "rnba1abnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        ],
    ),
    (
        "too many men of a kind",
        |error| matches!(error, FenError::TooMany { .. }),
        &[
            "3kk4/9/9/9/9/9/9/9/9/5K3 w",
            "4k4/9/9/9/9/9/9/9/5K3/5K3 w",
            "4k4/9/9/RRR6/9/9/9/9/9/3K5 b",
            "4k4/9/9/nnn6/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/CCC6/9/9/9/3K5 w",
            "4k4/9/9/PPPPPP3/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/9/ppppppppp/9/9/3K5 w",
            "4k4/9/9/9/9/9/9/3AAA3/3AAA3/5K3 w",
            "2b1k1b2/9/b3b3b/9/2b3b2/9/9/9/9/3K5 w",
            "RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/\
             RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR w",
        ],
    ),
    (
        "a man where it can never stand",
        |error| matches!(error, FenError::Misplaced { .. }),
        &[
            // Kings outside their palaces, or in each other's.
            "2k6/9/9/9/9/9/9/9/9/4K4 w",
            "9/9/9/4k4/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/9/3K5/9/9/9 w",
            "4K4/9/9/9/9/9/9/9/9/3k5 w",
            // Advisors outside the palace.
            "4k4/9/3a5/2a6/9/9/9/9/9/3K5 w",
            "4k4/9/9/9/9/9/4A4/9/9/3K5 w",
            "4k4/9/9/9/a8/9/9/9/9/3K5 w",
            // Bishops over the river, and on their own side where they cannot be.
            "4k4/9/9/9/9/2b6/9/9/9/3K5 w",
            "4k4/9/9/9/2B6/9/9/9/9/3K5 b",
            "4k4/9/9/9/9/9/9/3B5/9/5K3 w",
            "1b2k4/9/9/9/9/9/9/9/9/3K5 w",
        ],
    ),
    (
        "the side that has moved stands in check",
        |error| matches!(error, FenError::KingExposed(_)),
        &[
            // Kings facing, whoever is to move.
            "4k4/9/9/9/9/9/9/9/9/4K4 w",
            "4k4/9/9/9/9/9/9/9/9/4K4 b",
            "4k4/9/9/9/4R4/9/9/9/9/3K5 w",
            "4k4/9/9/9/4r4/9/9/9/9/4K4 b",
            "4k4/9/9/4p4/4C4/9/9/9/9/3K5 w",
            "4k4/9/3N5/9/9/9/9/9/9/3K5 w",
            "4k4/4P4/9/9/9/9/9/9/9/3K5 w",
            "3k5/9/9/9/9/9/9/9/4p4/4K4 b",
            "3k5/9/9/9/9/9/9/9/9/3pK4 b",
        ],
    ),
    (
        "no such side",
        |error| matches!(error, FenError::Side(_)),
        &[
            "4k4/9/9/9/9/9/9/9/9/3K5 x",
            "4k4/9/9/9/9/9/9/9/9/3K5 -",
            "4k4/9/9/9/9/9/9/9/9/3K5 0",
            "4k4/9/9/9/9/9/9/9/9/3K5 白",
        ],
    ),
];

#[test]
fn what_cannot_be_is_refused_in_one_clear_clause() {
    for (fault, is_it, texts) in BAD {
        for text in *texts {
            let Err(error) = Position::from_fen(text) else {
                panic!("read in spite of {fault}: {text:?}");
            };
            assert!(is_it(&error), "{fault}: {error:?} said of {text:?}");
            let clause = error.to_string();
            let clear = !clause.is_empty()
                && clause.len() <= 200
                && !clause.ends_with('.')
                && !clause.contains(char::is_control);
            assert!(clear, "{fault}: {clause:?} said of {text:?}");
        }
    }
}

#[test]
fn the_same_fault_in_either_colour_is_the_same_kind_of_error() {
    for (fault, is_it, texts) in &BAD[6..10] {
        for text in *texts {
            let board = Board::parse(text);
            for twin in [board.flipped(), board.mirrored()] {
                let error = Position::from_fen(&twin.fen()).expect_err(fault);
                assert!(is_it(&error), "{fault}: {error:?} said of {}", twin.fen());
            }
        }
    }
}

#[test]
fn long_garbage_is_refused_with_a_short_answer() {
    let long = 1 << 16;
    for text in [
        "x".repeat(long),
        "9".repeat(long),
        "/".repeat(long),
        "9/".repeat(long / 2),
        "k".repeat(long),
        "é".repeat(long / 2),
        "帅".repeat(long / 3),
        format!("{} w", "R".repeat(long)),
        format!("4k4/9/9/9/9/9/9/9/9/3K5 {}", "w".repeat(long)),
    ] {
        let error = Position::from_fen(&text).expect_err("garbage");
        assert!(error.to_string().len() <= 200, "{} bytes of answer", error.to_string().len());
    }
}

/// A board, a side and anything: most are nonsense, some are positions.
fn nearly_fen() -> impl Strategy<Value = String> {
    let fens: Vec<String> = rows().into_iter().map(|row| row.fen).collect();
    let letters = "kabnrcpKABNRCPehEH0123456789/ wbr-#é".chars().collect::<Vec<_>>();
    let edit = (any::<prop::sample::Index>(), prop::sample::select(letters), 0..3);
    (prop::sample::select(fens), prop::collection::vec(edit, 0..4)).prop_map(|(fen, edits)| {
        let mut text: Vec<char> = fen.chars().collect();
        for (at, letter, kind) in edits {
            let at = at.index(text.len());
            match kind {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>()) {
        if let Ok(position) = Position::from_fen(&text) {
            assert_round_trip(&position, &text);
        }
    }

    #[test]
    fn no_text_of_the_right_letters_makes_reading_panic(text in "[kabnrcpKABNRCPeEhH0-9/ wbr-]{0,120}") {
        if let Ok(position) = Position::from_fen(&text) {
            assert_round_trip(&position, &text);
        }
    }

    #[test]
    fn what_is_accepted_of_a_damaged_fen_prints_back_to_itself(text in nearly_fen()) {
        if let Ok(position) = Position::from_fen(&text) {
            assert_round_trip(&position, &text);
        }
    }
}
