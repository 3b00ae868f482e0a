//! Laws of the labels, on a few men.

use super::*;

fn examined(fen: &str, mv: &str) -> Finding {
    let position = Position::from_fen(fen).unwrap();
    let mv: Move = mv.parse().unwrap();
    assert!(position.is_legal(mv), "{fen} {mv}");
    let finding = examine(&position, mv, &Ruleset::default());
    assert_eq!(finding.label, classify(&position, mv, &Ruleset::default()), "{fen} {mv}");
    finding
}

fn label(fen: &str, mv: &str) -> Label {
    examined(fen, mv).label
}

impl Finding {
    /// The captures that win at once.
    fn captures(&self) -> Vec<Move> {
        let at_once = |ground: &&Ground| {
            !matches!(ground.reason, Reason::ByCheck | Reason::Mate | Reason::Check)
        };
        let mut captures: Vec<_> =
            self.grounds.iter().filter(at_once).map(|ground| ground.line[0]).collect();
        captures.dedup();
        captures
    }

    /// The check by which a mate or a gain begins.
    fn check(&self) -> Option<Move> {
        let by_check = |ground: &&Ground| matches!(ground.reason, Reason::ByCheck | Reason::Mate);
        self.grounds.iter().find(by_check).map(|ground| ground.line[0])
    }
}

/// A chase that would be carried out by these captures and no others.
fn assert_chase(fen: &str, mv: &str, captures: &[&str]) {
    let captures: Vec<Move> = captures.iter().map(|mv| mv.parse().unwrap()).collect();
    let finding = examined(fen, mv);
    let found = (finding.label, finding.captures(), finding.check());
    assert_eq!(found, (Label::Chase, captures, None), "{fen} {mv}");
}

#[test]
fn article_28_1_a_check_is_a_check_whoever_gives_it() {
    for (fen, mv) in [
        ("4k4/9/9/9/R8/9/9/9/9/3K5 w", "a5e5"),
        // Discovered by a pawn, by a cannon's new screen.
        ("4k4/9/9/4P4/9/9/9/9/4R4/3K5 w", "e6d6"),
        ("4k4/9/9/9/9/9/9/3A5/9/4CK3 w", "d2e1"),
    ] {
        assert_eq!(label(fen, mv), Label::Check, "{fen} {mv}");
    }
}

#[test]
fn article_28_2_a_threat_of_mate_is_a_kill_and_names_its_check() {
    let finding = examined("4k4/9/R8/9/9/1R7/9/9/9/3K5 w", "a7a8");
    let check = finding.check().unwrap();
    assert_eq!((finding.label, check.to_string().as_str()), (Label::Kill, "b4b9"));
}

#[test]
fn article_28_2_a_threat_of_stalemate_is_none() {
    assert_eq!(label("3k5/9/9/2P6/9/9/9/9/9/4K4 w", "c6c7"), Label::Idle);
}

#[test]
fn article_27_4_the_heaviest_of_several_purposes_counts() {
    // The rook attacks a knight, too.
    let fen = "4k4/8n/R8/9/9/1R7/9/9/9/3K5 w";
    assert_eq!(label(fen, "a7a8"), Label::Kill);
    let no_kills = Ruleset { kill_depth: 0, ..Ruleset::default() };
    let position = Position::from_fen(fen).unwrap();
    assert_eq!(classify(&position, "a7a8".parse().unwrap(), &no_kills), Label::Chase);
    // It offers itself to a pawn while attacking a cannon (捉兼献).
    assert_chase("3k5/9/9/9/2p6/R8/2c6/9/9/5K3 w", "a4c4", &["c4c3"]);
}

#[test]
fn article_29_2_a_threat_that_was_there_before_is_no_chase() {
    // Along the file it attacks already.
    assert_eq!(label("3k5/9/4n4/9/9/9/4R4/9/9/5K3 w", "e3e4"), Label::Idle);
    assert_chase("3k5/9/4n4/9/9/9/2R6/9/9/5K3 w", "c3e3", &["e3e7"]);
}

#[test]
fn article_29_2_a_threat_suspended_by_a_check_was_there_before() {
    // The king steps out of the rook's check; its own rook attacked the cannon all the time.
    assert_eq!(label("5k3/3r5/9/9/9/R3c4/9/9/9/3K5 w", "d0e0"), Label::Idle);
}

#[test]
fn article_29_1_a_line_that_opens_chases() {
    assert_chase("3k5/9/9/9/9/R1N1c4/9/9/9/5K3 w", "c4b6", &["a4e4"]);
    // A knight's leg is vacated; a cannon's screen is put up.
    assert_chase("3k5/9/9/2c6/3P5/3N5/9/9/9/5K3 w", "d5e5", &["d4c6"]);
    assert_chase("3k5/9/9/1N7/9/C3n4/9/9/9/5K3 w", "b6c4", &["a4e4"]);
}

#[test]
fn article_29_3_a_man_cut_off_from_its_root_is_chased() {
    assert_eq!(label("3k5/4r4/9/2C6/9/R3n4/9/9/9/5K3 w", "c6b6"), Label::Idle);
    assert_chase("3k5/4r4/9/2C6/9/R3n4/9/9/9/5K3 w", "c6e6", &["a4e4"]);
}

#[test]
fn article_28_3_a_man_that_falls_to_a_check_is_chased() {
    // The knight will give check and take the rook.
    let (fen, mv) = ("r3k4/9/9/9/3N5/9/9/9/9/5K3 w", "d5b6");
    let finding = examined(fen, mv);
    let check = finding.check().unwrap();
    assert_eq!((finding.label, check.to_string().as_str()), (Label::Chase, "b6c8"));
    assert!(finding.captures().is_empty());
    let off = Ruleset { check_gain: false, ..Ruleset::default() };
    let position = Position::from_fen(fen).unwrap();
    assert_eq!(classify(&position, mv.parse().unwrap(), &off), Label::Idle);
}

#[test]
fn article_28_3_a_check_that_one_reply_answers_wins_nothing() {
    // The knight is taken; what it wins costs as much.
    for fen in ["r3k4/9/2r6/9/3N5/9/9/9/9/5K3 w", "c3k4/9/9/9/r2N5/9/9/9/9/5K3 w"] {
        assert_eq!(label(fen, "d5b6"), Label::Idle, "{fen}");
    }
    assert_eq!(label("c3k4/9/9/9/3N5/9/9/9/9/5K3 w", "d5b6"), Label::Chase);
}

#[test]
fn article_27_1_a_king_alone_does_not_chase() {
    let finding = examined("5k3/9/9/9/9/9/9/4c4/3K5/9 w", "d1e1");
    assert_eq!((finding.label, finding.captures().len()), (Label::KingChase, 1));
}

#[test]
fn article_27_2_a_pawn_alone_does_not_chase() {
    let finding = examined("4k4/9/7c1/8P/9/9/9/9/9/3K5 w", "i6h6");
    assert_eq!((finding.label, finding.captures().len()), (Label::PawnChase, 1));
    // Opening another man's line it does.
    assert_chase("4k4/9/9/R1P1c4/9/9/9/9/9/3K5 w", "c6c7", &["a6e6"]);
}

#[test]
fn article_29_2_a_threat_suspended_by_a_threat_of_mate_was_there_before() {
    // The elephant parries; the rook on b3 attacked the horse all the time.
    let fen = "3ak1b2/4a4/4b4/pN7/9/4C1R2/1r7/4B4/4A4/3AK4 b";
    assert_eq!(label(fen, "g9i7"), Label::Idle);
}

#[test]
fn article_25_3_a_pawn_given_for_a_guarded_advisor_is_no_gain() {
    assert_eq!(label("4k4/2P1a4/9/9/9/9/9/9/9/3K5 w", "c8d8"), Label::Idle);
    assert_eq!(label("3k5/9/2P1b4/9/9/9/9/9/9/4K4 w", "c7d7"), Label::PawnChase);
}

#[test]
fn article_28_16_one_root_is_too_few_for_two_men() {
    let fen = "5k3/9/4b4/9/2n3n2/9/9/2P3P2/9/2CK3C1 w";
    assert_eq!(label(fen, "h0g0"), Label::Chase);
    // A second root, or a single man: nothing is won.
    assert_eq!(label(&fen.replace("5k3/9", "2r2k3/9"), "h0g0"), Label::Idle);
    assert_eq!(label(&fen.replace("2n3n2", "6n2"), "h0g0"), Label::Idle);
}
