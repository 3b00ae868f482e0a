//! Laws of the options.

use super::*;
use crate::rules::Ruleset;

#[test]
fn names_are_the_same_in_every_spelling() {
    for name in ["Hash", "hash", "HASHSIZE", "hashsize", "hash_size", "Hash Size"] {
        let mut settings = Settings::default();
        settings.set(name, Some("128")).unwrap();
        assert_eq!(settings.hash_mb, Some(128), "{name}");
    }
    for name in ["Move Overhead", "move_overhead", "moveoverhead", "MoveOverhead"] {
        let mut settings = Settings::default();
        settings.set(name, Some("77")).unwrap();
        assert_eq!(settings.overhead, Duration::from_millis(77), "{name}");
    }
}

#[test]
fn no_two_options_share_a_name() {
    let names = options().iter().flat_map(|option| {
        let names = option.uci.iter().chain(&option.ucci).chain(option.also);
        names.map(move |name| (option, name))
    });
    for (option, name) in names {
        assert!(std::ptr::eq(find(name).unwrap(), option), "{name}");
    }
}

#[test]
fn ucci_names_are_single_lower_case_words() {
    for name in options().iter().filter_map(|option| option.ucci) {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name}");
    }
}

#[test]
fn defaults_lie_in_their_range() {
    for option in options() {
        match option.kind {
            OptionKind::Spin { default, min, max } => {
                assert!((min..=max).contains(&default), "{option:?}");
            }
            OptionKind::Combo { default, values } => {
                assert!(values.contains(&default), "{option:?}");
            }
            _ => {}
        }
    }
    let settings = Settings::default();
    assert_eq!((settings.threads, settings.multipv), (Some(1), 1));
    assert!(settings.milliseconds && !settings.ponder);
}

#[test]
fn numbers_out_of_range_are_clamped_with_a_remark() {
    for (value, threads) in [
        ("-1", Some(1)),
        ("0", None),
        ("7", Some(7)),
        ("512", Some(MAX_THREADS)),
        ("9999", Some(simd::processors())),
        ("99999999999999999999999999999999999999999", Some(simd::processors())),
    ] {
        let mut settings = Settings::default();
        let (consequence, remark) = settings.set("Threads", Some(value)).unwrap();
        assert_eq!(settings.threads, threads);
        assert_eq!(consequence, Consequence::Resources);
        let is_in_range = ["0", "7", "512"].contains(&value);
        assert_eq!(remark.is_none(), is_in_range, "{value}");
    }
    let hash = |value: &str| set(&[("Hash", value)]).hash_mb;
    assert_eq!((hash("-3"), hash("0"), hash("99999999999")), (Some(1), None, Some(1 << 20)));
}

#[test]
fn bad_values_change_nothing_and_say_what_is_taken() {
    for (name, value) in [
        ("Threads", Some("many")),
        ("Threads", None),
        ("Hash", Some("1.5")),
        ("ponder", Some("maybe")),
        ("idle", Some("huge")),
        ("Ruleset", Some("Korean")),
        ("CheckGain", Some("2")),
    ] {
        let mut settings = Settings::default();
        let error = settings.set(name, value).unwrap_err();
        assert!(matches!(error, OptionError::BadValue { .. }), "{name}");
        assert_eq!(format!("{settings:?}"), format!("{:?}", Settings::default()), "{name}");
    }
    let error = Settings::default().set("idle", Some("huge")).unwrap_err();
    assert_eq!(error.to_string(), "option idle takes none, small, medium, large, not `huge`");
}

#[test]
fn a_time_scheme_is_read_forgotten_and_refused() {
    let mut settings = Settings::default();
    settings.set("timescheme", Some("6.3/60")).unwrap();
    assert_eq!(settings.scheme, Some("6.3/60".parse().unwrap()));
    let error = settings.set("TimeScheme", Some("40/ninety")).unwrap_err().to_string();
    assert!(error.contains("`ninety`") && error.contains("6.1"), "{error}");
    assert!(settings.scheme.is_some());
    for nothing in [None, Some(""), Some("<empty>")] {
        settings.set("Time Scheme", nothing).unwrap();
        assert_eq!(settings.scheme, None);
    }
}

#[test]
fn options_without_effect_take_anything() {
    for name in ["promotion", "useegtb", "egtbpaths", "style", "selectivity", "guiname"] {
        for value in [None, Some(""), Some("true"), Some("c:\\象棋\\BOOK.DAT;x")] {
            let (consequence, remark) = Settings::default().set(name, value).unwrap();
            assert_eq!((consequence, remark), (Consequence::Nothing, None), "{name}");
        }
    }
    assert!(Settings::default().set("No Such", Some("1")).is_err());
}

fn set(options: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in options {
        settings.set(name, Some(value)).unwrap();
    }
    settings
}

#[test]
fn the_rules_at_first_are_those_advertised() {
    let advertised = set(&[
        ("Ruleset", "Chinese"),
        ("RepetitionCount", "3"),
        ("RepetitionWarning", "false"),
        ("KillDepth", "3"),
        ("CheckGain", "true"),
        ("NaturalLimit", "60"),
        ("CheckCap", "10"),
    ]);
    assert_eq!(advertised.rules.ruleset(), Settings::default().rules.ruleset());
    for option in OPTIONS.iter().filter(|option| option.id.is_of_the_rules()) {
        let default = match option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.into(),
            _ => unreachable!("{option:?}"),
        };
        let name = option.uci.unwrap_or_else(|| option.also[0]);
        assert_eq!(set(&[(name, &default)]).rules.ruleset(), Ruleset::default(), "{name}");
    }
}

#[test]
fn a_number_once_set_outlives_the_book() {
    let book = ("ruleset", "simple");
    assert_eq!(set(&[book]).rules.ruleset(), Ruleset::of(Book::Simple));
    let own = Ruleset { natural_limit: 80, kill_depth: 2, ..Ruleset::of(Book::Simple) };
    let [limit, depth] = [("naturallimit", "40"), ("killdepth", "2")];
    for order in [[book, limit, depth], [limit, book, depth], [limit, depth, book]] {
        assert_eq!(set(&order).rules.ruleset(), own, "{order:?}");
    }
}

#[test]
fn older_names_of_the_rules_are_understood() {
    for (word, book) in [
        ("alwaysdraw", Book::AlwaysDraw),
        ("checkban", Book::CheckBan),
        ("asianrule", Book::Asian),
        ("ChineseRule", Book::Chinese),
    ] {
        assert_eq!(set(&[("repetition", word)]).rules.book, book);
    }
    assert_eq!(set(&[("drawmoves", "50")]).rules.ruleset().natural_limit, 100);
}

#[test]
fn names_that_other_programs_send_are_understood() {
    for (word, book) in [
        ("AsianRule", Book::Asian),
        ("chineserule", Book::Chinese),
        ("ComputerRule", Book::Computer),
        ("AllowChase", Book::CheckBan),
        ("NoJudgement", Book::AlwaysDraw),
        ("SkyRule", Book::Asian),
        ("YitianRule", Book::Asian),
    ] {
        for name in ["Repetition Rule", "repetitionrule", "Ruleset"] {
            let mut settings = Settings::default();
            let (consequence, remark) = settings.set(name, Some(word)).unwrap();
            assert_eq!((settings.rules.book, consequence), (book, Consequence::Rules), "{word}");
            assert_eq!(remark.is_some(), ["SkyRule", "YitianRule"].contains(&word), "{word}");
        }
    }
    for (word, winner) in [
        ("None", None),
        ("DrawAsBlackWin", Some(Color::Black)),
        ("drawasredwin", Some(Color::Red)),
        ("DrawRepAsBlackWin", Some(Color::Black)),
        ("DrawRepAsRedWin", Some(Color::Red)),
    ] {
        let mut settings = Settings::default();
        let (_, remark) = settings.set("Draw Rule", Some(word)).unwrap();
        assert_eq!((settings.draws_won_by, remark.is_some()), (winner, word.contains("Rep")));
    }
    let limit = |options: &[_]| set(options).rules.ruleset().natural_limit;
    assert_eq!(limit(&[("Sixty Move Rule", "false")]), 0);
    assert_eq!(limit(&[("Sixty Move Rule", "false"), ("sixtymoverule", "true")]), 120);
    assert_eq!(limit(&[("Rule60MaxPly", "80")]), 80);
    assert_eq!(set(&[("MaxCheckCount", "7")]).rules.ruleset().check_cap, 7);
    assert_eq!(set(&[("Mate Threat Depth", "10")]).rules.ruleset().kill_depth, 6);
    for name in ["ScoreType", "LU_Output", "NumaPolicy", "nodestime", "Debug Log File"] {
        assert_eq!(Settings::default().set(name, Some("x")), Ok((Consequence::Nothing, None)));
    }
    assert!(Settings::default().set("UCI_Variant", Some("xiangqi")).is_ok());
    assert!(Settings::default().set("Repetition Rule", Some("MyRule")).is_err());
}

#[test]
fn draws_count_for_whom_they_are_said_to() {
    let winner = |word| set(&[("DrawWins", word)]).draws_won_by;
    assert_eq!(winner("Black"), Some(Color::Black));
    assert_eq!((winner("red"), winner("none")), (Some(Color::Red), None));
}

#[test]
fn books_are_set_by_the_names_of_either_dialect() {
    let default = Settings::default();
    assert!(!default.own_book && default.book_choice == Choice::Weighted && !default.analyse);
    assert_eq!((default.book_files, default.book_depth), (None, None));
    for names in [
        ["usebook", "bookfiles", "bookdepth", "bookchoice"],
        ["OwnBook", "BookFiles", "BookDepth", "BookChoice"],
    ] {
        let [own, files, depth, choice] = names;
        assert!(set(&[(own, "true")]).own_book);
        let mut set =
            set(&[(own, "true"), (own, "false"), (files, "a;b"), (depth, "12"), (choice, "Best")]);
        assert!(!set.own_book && set.book_choice == Choice::Best);
        assert_eq!((set.book_files.as_deref(), set.book_depth), (Some("a;b"), Some(12)));
        assert_eq!(set.set(files, Some("<empty>")), Ok((Consequence::Books, None)));
        assert_eq!((set.book_files, set.eval_file), (None, None));
    }
    assert!(set(&[("UCI_AnalyseMode", "true")]).analyse);
}

#[test]
fn idle_rests_a_share_of_the_threads() {
    let mut settings = Settings::default();
    settings.set("threads", Some("0")).unwrap();
    for (word, threads) in [("none", 8), ("small", 6), ("medium", 4), ("large", 2)] {
        settings.set("idle", Some(word)).unwrap();
        assert_eq!(settings.working_threads(8), threads);
        assert!(settings.working_threads(1) == 1);
    }
}
