//! What a line of play comes to: repetition, perpetual check, the natural limit.

use crate::common::{
    games::{mv, position},
    rows::rows,
    slow::{Board, START},
};
use chuhe::{
    rules::{Line, Offence, Verdict, judge},
    types::{Color, SplitMix64},
};

fn play(line: &mut Line, moves: &str) {
    for word in moves.split_whitespace() {
        let fen = line.position().fen();
        let mv = word.parse().unwrap_or_else(|error| panic!("{error}"));
        line.play(mv).unwrap_or_else(|error| panic!("{error} in {fen}"));
    }
}

fn line(fen: &str, moves: &str) -> Line {
    let mut line = Line::new(position(fen));
    play(&mut line, moves);
    line
}

/// Plays `cycle` twice: nothing may be said before its very last move.
fn verdict_of_cycle(fen: &str, lead: &str, cycle: &str) -> Verdict {
    let mut line = line(fen, lead);
    let moves: Vec<_> = cycle.split_whitespace().chain(cycle.split_whitespace()).collect();
    for word in &moves[..moves.len() - 1] {
        play(&mut line, word);
        assert_eq!(judge(&line), Verdict::Ongoing, "{fen} {lead} {cycle}: too early at {word}");
    }
    play(&mut line, moves[moves.len() - 1]);
    judge(&line)
}

/// A position, the moves that lead into a cycle, the cycle.
type Cycle = (&'static str, &'static str, &'static str);

const IDLE: [Cycle; 4] = [
    (START, "", "a0a1 a9a8 a1a0 a8a9"),
    (START, "", "b0c2 b9c7 c2b0 c7b9"),
    // Not by the way it came: three moves a side.
    (START, "", "a0a1 a9a8 a1a2 a8a7 a2a0 a7a9"),
    // A check among other moves is no perpetual check.
    ("4k4/9/R8/9/9/9/9/9/9/3K5 w", "", "a7a9 e9e8 a9a7 e8e9"),
];

const RED_CHECKS: [Cycle; 5] = [
    ("4k4/R8/9/9/9/9/9/9/9/3K5 w", "", "a8a9 e9e8 a9a8 e8e9"),
    ("4k4/9/9/9/9/9/9/3A5/4A4/3C1K3 w", "", "d0e0 e9d9 e0d0 d9e9"),
    ("4k4/9/9/3N5/9/9/9/9/9/5K3 w", "", "d6c8 e9e8 c8d6 e8e9"),
    // A pawn may chase for ever, not check for ever.
    ("4k4/R2P5/9/9/9/9/9/9/9/5K3 w", "", "d8e8 e9d9 e8d8 d9e9"),
    // The checks come from men that did not move.
    ("4k4/9/9/9/9/9/9/3A5/9/3CCK3 w", "", "d2e1 e9d9 e1d2 d9e9"),
];

/// Every move of either side is a check, discovered or by the man that moves.
const BOTH_CHECK: [Cycle; 4] = [
    ("3k5/4R4/5rR2/3c5/5N3/9/9/9/9/C4K3 w", "a0d0", "d6f6 f5d4 f6d6 d4f5"),
    ("5k3/9/4r4/4c4/9/R8/r2N1C3/9/4K4/9 w", "a4f4", "e6f6 f4e4 f6e6 e4f4"),
    ("4r4/9/3k5/4c4/9/5N3/9/9/4K4/R2C5 w", "f4d3", "e6d6 d3e5 d6e6 e5d3"),
    ("4kr3/9/3nc4/9/9/9/9/9/5R3/1C3K3 w", "b0e0", "e7f7 f1e1 f7e7 e1f1"),
];

/// The cycle as the other side of the board sees it.
fn flipped((fen, lead, cycle): Cycle) -> (String, String, String) {
    let flip = |moves: &str| {
        let rank = |letter: char| letter.to_digit(10).map_or(letter, |r| digit(9 - r));
        moves.chars().map(rank).collect()
    };
    (Board::parse(fen).flipped().fen(), flip(lead), flip(cycle))
}

fn digit(number: u32) -> char {
    char::from_digit(number, 10).expect("a rank")
}

/// Every cycle comes to `red`, and its colour-flipped twin to `black`.
fn assert_verdicts(cycles: &[Cycle], red: Verdict, black: Verdict) {
    for &(fen, lead, cycle) in cycles {
        assert_eq!(verdict_of_cycle(fen, lead, cycle), red, "{fen} {lead} {cycle}");
        let (fen, lead, cycle) = flipped((fen, lead, cycle));
        assert_eq!(verdict_of_cycle(&fen, &lead, &cycle), black, "{fen} {lead} {cycle}");
    }
}

#[test]
fn article_4_2_3_the_third_occurrence_of_an_idle_cycle_is_a_draw() {
    assert_verdicts(&IDLE, Verdict::Draw, Verdict::Draw);
}

#[test]
fn article_26_1_one_sided_perpetual_check_loses_for_the_checker() {
    assert_verdicts(
        &RED_CHECKS,
        Verdict::Forbidden { offender: Color::Red, offence: Offence::PerpetualCheck },
        Verdict::Forbidden { offender: Color::Black, offence: Offence::PerpetualCheck },
    );
}

#[test]
fn article_26_3_perpetual_check_by_both_sides_is_a_draw() {
    assert_verdicts(&BOTH_CHECK, Verdict::Draw, Verdict::Draw);
}

#[test]
fn a_check_before_the_cycle_does_not_belong_to_it() {
    // Quiet cycle after a check.
    let fen = "4k4/9/R8/9/9/9/9/9/9/3K5 w";
    assert_eq!(verdict_of_cycle(fen, "a7a9 e9e8", "a9b9 e8e7 b9a9 e7e8"), Verdict::Draw);
    // A perpetual check after quiet moves.
    let fen = "4k4/9/R8/9/p8/9/9/9/9/3K5 w";
    assert_eq!(
        verdict_of_cycle(fen, "a7b7 a5a4 b7b8 a4a3 b8a8 a3b3", "a8a9 e9e8 a9a8 e8e9"),
        Verdict::Forbidden { offender: Color::Red, offence: Offence::PerpetualCheck }
    );
}

#[test]
fn the_same_men_with_the_other_side_to_move_are_another_position() {
    // Red loses a move: the board recurs, the turn does not.
    let mut line = line("4k4/4a4/9/9/9/9/9/9/R8/5K3 w", "");
    for moves in ["a1a2 e9d9 a2a3 d9e9 a3a1", "e9d9 a1a2 d9e9 a2a3 e9d9 a3a1 d9e9"] {
        play(&mut line, moves);
        assert_eq!(judge(&line), Verdict::Ongoing, "{moves}");
    }
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let mut line = line(START, "h2e2");
    let before = line.position().fen();
    for word in ["h2e2", "a0a1", "e9e7", "a9a5", "e4e5"] {
        let error = line.play(word.parse().expect(word)).expect_err(word);
        assert_eq!(error.to_string(), format!("illegal move {word}"));
        assert_eq!(line.position().fen(), before, "{word}");
    }
    play(&mut line, "h9g7");
}

/// 第4.2.4 and 23.3条, counted ply by ply: of each side's checks since the last capture ten count,
/// and the answer to a check that does not count does not count.
#[derive(Default)]
struct Audit {
    counted: u32,
    checks: [u32; 2],
    uncounted_check: bool,
}

impl Audit {
    fn note(&mut self, before: &Board, after: &Board, capture: bool) {
        if capture {
            *self = Self::default();
            return;
        }
        let check = after.in_check(after.red_to_move);
        let counts = if check {
            let checks = &mut self.checks[usize::from(before.red_to_move)];
            *checks += 1;
            *checks <= 10
        } else {
            !self.uncounted_check
        };
        self.uncounted_check = check && !counts;
        self.counted += u32::from(counts);
    }
}

/// Of the known positions one in so many starts a game; unoptimised code must be content with few.
const STRIDE: usize = if cfg!(debug_assertions) { 12 } else { 1 };
const SEEDS: u64 = if cfg!(debug_assertions) { 1 } else { 4 };

/// Games that shun captures and no position of which occurs three times; returns how many reached
/// the natural limit with a side above the cap of ten checks.
fn shuffle(seed: u64, keen_on_checks: bool) -> (u32, u32) {
    let mut rng = SplitMix64::new(seed);
    let (mut limits, mut capped) = (0, 0);
    let fens = rows().into_iter().map(|row| row.fen).step_by(STRIDE);
    for fen in fens.chain([START.to_owned()]) {
        let mut line = Line::new(position(&fen));
        let mut board = Board::parse(&fen);
        let mut audit = Audit::default();
        let mut seen = std::collections::BTreeMap::from([(board.fen(), 1)]);
        for ply in 0..400 {
            let mut choice = board.legal();
            if choice.is_empty() {
                break;
            }
            choice.retain(|&step| seen.get(&board.after(step).fen()) != Some(&2));
            let capture = |step: crate::common::slow::Step| board.at(step.to) != '.';
            if choice.iter().any(|&step| !capture(step)) && rng.below(200) > 0 {
                choice.retain(|&step| !capture(step));
            }
            let check = |step| {
                let after = board.after(step);
                after.in_check(after.red_to_move)
            };
            if keen_on_checks && choice.iter().copied().any(check) && rng.below(4) > 0 {
                choice.retain(|&step| check(step));
            }
            if choice.is_empty() {
                break;
            }
            let step = choice[rng.below(choice.len())];
            let after = board.after(step);
            line.play(mv(step)).unwrap_or_else(|error| panic!("{error} in {}", board.fen()));
            audit.note(&board, &after, capture(step));
            if capture(step) {
                seen.clear();
            }
            *seen.entry(after.fen()).or_insert(0) += 1;
            board = after;
            if board.legal().is_empty() {
                break;
            }
            // Which endings are dead is what `tests/dead.rs` goes through.
            let dead = !line.position().can_be_won();
            let over = dead || audit.counted >= 120;
            let expected = if over { Verdict::Draw } else { Verdict::Ongoing };
            let about = format!(
                "ply {ply}, {} counted, checks {:?}, from {fen}: {}",
                audit.counted,
                audit.checks,
                board.fen()
            );
            assert_eq!(judge(&line), expected, "{about}");
            if over {
                limits += 1;
                capped += u32::from(audit.checks.iter().any(|&checks| checks > 10));
                break;
            }
        }
    }
    (limits, capped)
}

#[test]
fn article_4_2_4_sixty_rounds_without_a_capture_are_a_draw_and_a_capture_starts_anew() {
    let reached: u32 = (0..SEEDS).map(|seed| shuffle(seed, false).0).sum();
    assert!(reached > 10 || STRIDE > 1, "only {reached} games reached the limit");
}

#[test]
fn article_23_3_of_each_sides_checks_ten_count_towards_the_limit() {
    let reached: u32 = (0..SEEDS).map(|seed| shuffle(10 + seed, true).1).sum();
    assert!(reached > 10 || STRIDE > 1, "only {reached} games got there with eleven checks");
}

#[test]
fn the_counter_of_the_fen_counts_towards_the_limit() {
    let start = START.replace(" w", " w - - 118 60");
    let mut line = line(&start, "a0a1");
    assert_eq!(judge(&line), Verdict::Ongoing);
    play(&mut line, "a9a8");
    assert_eq!(judge(&line), Verdict::Draw);
    let mut line = self::line(&start, "b2b9");
    play(&mut line, "a9b9");
    assert_eq!(judge(&line), Verdict::Ongoing);
}

#[test]
fn article_4_2_1_without_a_man_that_can_cross_the_river_it_is_a_draw() {
    let bare = "3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK4 w";
    assert_eq!(judge(&Line::new(position(bare))), Verdict::Draw);
    let one_pawn = "3ak4/4a4/4b4/9/9/P8/9/4B4/4A4/3AK4 w";
    assert_eq!(judge(&Line::new(position(one_pawn))), Verdict::Ongoing);
}
