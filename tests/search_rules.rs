//! What the search makes of the rules: no mate that is none, no repetition that loses, no draw that
//! was lost on the way. Searches are small and of one thread, so that they always find the same.

use std::sync::Mutex;

use crate::common::{
    cases::cases,
    games::{self, ruleset},
};
use chuhe::{
    position::Position,
    rules::{self, Book, Line, Ruleset, Verdict},
    search::{Info, Limits, Pool, Report, SearchResult, Signals},
    types::{Bound, Color, Move, Score, SplitMix64, score},
};

fn line(fen: &str, moves: &str) -> Line {
    let mut line = Line::new(Position::from_fen(fen).expect("a position"));
    for mv in moves.split_whitespace() {
        play(&mut line, mv.parse().expect("a move"));
    }
    line
}

fn play(line: &mut Line, mv: Move) {
    line.play(mv).unwrap_or_else(|error| panic!("{error} in {}", line.position().fen()));
}

/// What a search of so many positions finds, and what it says on the way.
fn search(line: &Line, limits: &Limits) -> (SearchResult, Vec<Info>) {
    think(&mut pool(), line, limits)
}

/// One thread that evaluates by hand, so that no network changes what the cases are.
fn pool() -> Pool {
    let mut pool = Pool::new(1, 4);
    pool.set_network(None);
    pool
}

fn think(pool: &mut Pool, line: &Line, limits: &Limits) -> (SearchResult, Vec<Info>) {
    let said = Mutex::new(Vec::new());
    let report = |report: Report| said.lock().expect("no panic").extend(report.line());
    let outcome = pool.think(line, limits, false, 1, &Signals::new(), &report);
    (outcome, said.into_inner().expect("no panic"))
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), depth: Some(30), ..Limits::default() }
}

fn mate(score: Score) -> bool {
    matches!(score, Score::Mate(_))
}

/// Whether a verdict decides, and for the mover.
fn verdict(score: Score) -> Option<bool> {
    match score {
        Score::Value(value) if score::is_rule_verdict(value) => Some(value > 0),
        _ => None,
    }
}

/// Whether a value is that of a plain draw.
fn level(score: Score) -> bool {
    matches!(score, Score::Value(value) if value.abs() <= 1)
}

fn best(outcome: &SearchResult) -> String {
    outcome.best.expect("a move").to_string()
}

/// Whether the side to move mates on the board within `moves` moves, whatever the rules cut short.
fn mates(line: &mut Line, moves: i32) -> bool {
    let answered = |line: &mut Line| {
        let replies = line.position().legal_moves();
        let over = rules::judge(line) != Verdict::Ongoing;
        replies.is_empty() || !over && moves > 1 && all(line, &replies, moves - 1)
    };
    let mut list = line.position().legal_moves().to_vec();
    list.sort_by_key(|&mv| !line.position().gives_check(mv));
    list.into_iter().any(|mv| after(line, mv, answered))
}

/// Whether the opponent of the side to move mates within `moves` moves after every one of `list`.
/// Who loses by the rules instead is not mated.
fn all(line: &mut Line, list: &[Move], moves: i32) -> bool {
    list.iter().all(|&mv| {
        after(line, mv, |line| rules::judge(line) == Verdict::Ongoing && mates(line, moves))
    })
}

fn after<T>(line: &mut Line, mv: Move, look: impl FnOnce(&mut Line) -> T) -> T {
    play(line, mv);
    let seen = look(line);
    line.pop();
    seen
}

/// Checks every mate within three moves that the search announced.
fn prove(line: &Line, said: &[Info]) -> usize {
    let mut line = line.clone();
    let mut proven = 0;
    for info in said {
        let Score::Mate(plies) = info.score else { continue };
        let moves = (plies.abs() + 1) / 2;
        if info.bound != Bound::Exact || moves > 3 {
            continue;
        }
        let list = line.position().legal_moves();
        let holds = if plies > 0 { mates(&mut line, moves) } else { all(&mut line, &list, moves) };
        assert!(holds, "mate {plies} of {} after {:?}", line.position().fen(), info.pv);
        proven += 1;
    }
    proven
}

/// Positions that programs were reported to see mates in that are none, and the moves before them.
const FALSE_MATES: [(&str, &str); 10] = [
    (
        "1rbaka3/3r5/n1c1b4/p1p1R3p/9/2c3P2/P3P3P/2NC2N2/4A4/R1BAK1B2 b - - 0 12",
        "d8d5 d2f2 d5f5 c0e2 c4c3 a3a4 b9b8 e6e4 f5f3 g2h4 b8h8 g4g5 f3g3 g5f5 g3h3 h4g6 h8h6 \
         f5f6 h3f3 g6h4 f3h3",
    ),
    ("3ak1b2/4a4/9/8p/3P5/4R3P/7n1/4B4/1Cr1A4/3AK1B2 w - - 0 1", ""),
    ("3aka1r1/9/1c1C4c/p2r4p/1R4p2/5n3/P3P1P1P/2N3N2/4A4/R1B1KAB2 w - - 0 1", ""),
    ("c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w - - 0 1", ""),
    ("3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1", ""),
    ("5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 0 1", ""),
    ("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b - - 0 1", ""),
    ("4k4/8R/9/9/9/9/9/9/9/rrEA1K3 w - - 0 1", ""),
    ("3ak4/4a4/9/9/2b6/nnrp2B2/1C1p5/B3N3C/3pA4/pp1A1K3 w - - 0 1", "b3b1 c4c0 b1b3 c0c4 b3b1"),
    ("3ak3C/4a2R1/9/4p3p/2r1rcR2/4C4/1n2P3P/B3B4/4A4/1c2KA3 w - - 0 1", "g5g9 f5f9"),
];

#[test]
fn mates_announced_on_reported_positions_are_mates() {
    for (fen, moves) in FALSE_MATES {
        let line = line(fen, moves);
        let said = search(&line, &nodes(100_000)).1;
        prove(&line, &said);
    }
}

/// Few men, so that games repeat.
fn sparse(rng: &mut SplitMix64) -> Option<Line> {
    let men = ["R", "N", "C", "P", "A", "r", "n", "c", "p", "a", "R", "c"];
    let mut board = vec![vec!["1"; 9]; 10];
    board[9][3 + rng.below(3)] = "K";
    board[0][3 + rng.below(3)] = "k";
    for _ in 0..3 + rng.below(4) {
        let (rank, file) = (rng.below(10), rng.below(9));
        if board[rank][file] == "1" {
            board[rank][file] = men[rng.below(men.len())];
        }
    }
    let ranks: Vec<_> = board.iter().map(|rank| rank.concat()).collect();
    let side = ["w", "b"][rng.below(2)];
    let clock = rng.below(120);
    let fen = format!("{} {side} - - {clock} 1", ranks.join("/"));
    let mut line = Line::new(Position::from_fen(&fen).ok()?);
    // Both step out and back where they can, and in the end somewhere else.
    for _ in 0..rng.below(14) {
        let list = line.position().legal_moves();
        let reverse = line.plies().checked_sub(2).and_then(|ply| line.history()[ply].mv());
        let back = reverse.and_then(|mv| Move::new(mv.to(), mv.from()));
        let back = back.filter(|mv| list.contains(mv) && rng.below(8) > 0);
        let mv = back.or_else(|| (!list.is_empty()).then(|| list[rng.below(list.len())]))?;
        play(&mut line, mv);
        if rules::judge(&line) != Verdict::Ongoing {
            line.pop();
            break;
        }
    }
    Some(line)
}

#[test]
fn mates_announced_on_random_repetitive_lines_are_mates() {
    let mut rng = SplitMix64::new(26);
    let (mut lines, mut proven) = (0, 0);
    while lines < 200 {
        let Some(line) = sparse(&mut rng) else { continue };
        let (_, said) = search(&line, &nodes(10_000));
        proven += prove(&line, &said);
        lines += 1;
    }
    assert!(proven > 100, "{proven} mates in {lines} lines");
}

/// Red mates in three plies and captures nothing.
const SLOW: &str = "3k5/9/R8/9/9/9/9/9/7R1/5K3 w - - 0 90";

#[test]
fn a_mate_on_the_last_ply_before_the_limit_counts_and_one_after_it_does_not() {
    let at = |clock: i32| {
        let line = line(&SLOW.replace("- 0 ", &format!("- {clock} ")), "");
        search(&line, &nodes(50_000)).0.score
    };
    let Score::Mate(plies) = at(0) else { panic!("no mate") };
    assert_eq!(at(120 - plies), Score::Mate(plies));
    assert!(level(at(121 - plies)), "{:?}", at(121 - plies));
    // A shorter limit is another rule, and the same table must not remember the old one.
    let ruleset = Ruleset { natural_limit: plies as u16 - 1, ..Ruleset::default() };
    let short = Line::under(ruleset, Position::from_fen(SLOW).unwrap());
    let mut pool = pool();
    for (line, mate) in [(line(SLOW, ""), true), (short, false), (line(SLOW, ""), true)] {
        let outcome = think(&mut pool, &line, &nodes(50_000)).0;
        assert!(if mate { outcome.score == Score::Mate(plies) } else { level(outcome.score) });
    }
}

/// Six plies before the natural limit.
const NEAR_LIMIT: &str = "3a1k3/4a4/9/9/9/9/9/9/9/R3K4 w - - 114 90";

#[test]
fn a_draw_may_count_as_a_win_of_one_side() {
    let mut pool = pool();
    // One pool for all: what it remembers of one way to count must not be taken for another.
    for winner in [None, Some(Color::Red), Some(Color::Black), None] {
        let limits = Limits { draws_won_by: winner, ..nodes(20_000) };
        let score = think(&mut pool, &line(NEAR_LIMIT, ""), &limits).0.score;
        assert_eq!(verdict(score), winner.map(|side| side == Color::Red), "{score:?}");
        assert!(winner.is_some() || level(score), "{score:?}");
    }
}

/// Positions with the moves played so far, and the one that repeats once more.
struct Repetition {
    fen: &'static str,
    moves: &'static str,
    next: &'static str,
}

impl Repetition {
    fn line(&self) -> Line {
        line(self.fen, self.moves)
    }
}

/// The side to move has attacked all along: 长将, 长捉, 长杀, 一将一杀, 一将一捉. It stands worse and
/// would like to go on, but once more, and the other side's answer makes it the third time.
const FORBIDDEN: [Repetition; 6] = [
    Repetition {
        fen: "4k4/R8/9/9/9/9/6n2/9/5r3/3K5 w - - 0 1",
        moves: "a8a9 e9e8 a9a8 e8e9 a8a9 e9e8",
        next: "a9a8 e8e9",
    },
    Repetition {
        fen: "2r1k4/9/9/9/7n1/9/9/3A5/9/3CCK3 w - - 0 1",
        moves: "d2e1 e9d9 e1d2 d9e9 d2e1 e9d9",
        next: "e1d2 d9e9",
    },
    Repetition {
        fen: "3ak4/4a4/r8/9/PP2n4/9/9/4B4/4A4/1C1AK4 w - - 0 1",
        moves: "b0a0 a7b7 a0b0 b7a7 b0a0 a7b7",
        next: "a0b0 b7a7",
    },
    Repetition {
        fen: "3ak4/1R2a4/4b4/7N1/4c2r1/9/P8/4B4/4A4/3AK1B2 b - - 0 1",
        moves: "h5g5 g0i2 g5h5 i2g0 h5g5 g0i2",
        next: "g5h5 i2g0",
    },
    Repetition {
        fen: "3ak4/4a4/4b4/p8/6r2/4CR3/2r6/4B4/4A4/3AK4 w - - 0 1",
        moves: "f4h4 e9f9 h4f4 f9e9 f4h4 e9f9",
        next: "h4f4 f9e9",
    },
    Repetition {
        fen: "5a3/4k4/R3n4/8p/1c1c5/9/9/9/4A2n1/3K1A3 w - - 0 1",
        moves: "a7a8 e8e9 a8a7 e9e8 a7a8 e8e9",
        next: "a8a7 e9e8",
    },
];

#[test]
fn a_forbidden_repetition_is_left_while_there_is_something_else() {
    for case in &FORBIDDEN {
        let mut line = case.line();
        let offender = line.position().side();
        let (outcome, said) = search(&line, &nodes(20_000));
        let (first, answer) = case.next.split_once(' ').unwrap();
        assert_ne!(best(&outcome), first, "{}", case.fen);
        assert!(matches!(outcome.score, Score::Value(value) if value.abs() < 3_000));
        prove(&line, &said);
        // What it avoided: going on loses, and the opponent knows.
        line.play(first.parse().unwrap()).unwrap();
        let (outcome, said) = search(&line, &nodes(20_000));
        assert!(verdict(outcome.score) == Some(true) || mate(outcome.score));
        prove(&line, &said);
        line.play(answer.parse().unwrap()).unwrap();
        let judged = rules::judge(&line);
        assert!(matches!(judged, Verdict::Forbidden { offender: side, .. } if side == offender));
    }
}

/// Whether the latest move loses by a repetition, at once or when the opponent so answers.
fn repeats_what_loses(line: &mut Line) -> bool {
    let mover = !line.position().side();
    let lost = |line: &Line| matches!(rules::judge(line), Verdict::Forbidden { offender, .. } if offender == mover);
    let replies = line.position().legal_moves();
    lost(line) || replies.into_iter().any(|reply| after(line, reply, |line| lost(line)))
}

#[test]
fn in_no_known_game_does_the_offender_go_round_for_the_third_time() {
    let limits = nodes(if cfg!(debug_assertions) { 2_000 } else { 20_000 });
    let mut positions = 0;
    for case in cases() {
        let mut line = Line::under(ruleset(&case), games::position(&case.start.fen()));
        let mut moves = case.moves.iter().map(|&step| games::mv(step));
        let offender = loop {
            match rules::judge(&line) {
                Verdict::Forbidden { offender, .. } => break Some(offender),
                Verdict::Draw => break None,
                Verdict::Ongoing => {}
            }
            let Some(mv) = moves.next() else { break None };
            play(&mut line, mv);
        };
        let Some(offender) = offender else { continue };
        // Back to where it could still do something else.
        line.pop();
        if line.position().side() != offender {
            line.pop();
        }
        let (outcome, _) = search(&line, &limits);
        play(&mut line, outcome.best.expect("a move"));
        // Where everything else is mated, it does not matter.
        let lost =
            verdict(outcome.score) == Some(false) || matches!(outcome.score, Score::Mate(..0));
        assert!(lost || !repeats_what_loses(&mut line), "{}: {}", case.id, best(&outcome));
        positions += usize::from(!lost);
    }
    assert!(positions >= 150, "{positions} positions");
}

/// The opponent has attacked all along and to go round once more wins.
const WINNING: [Repetition; 3] = [
    Repetition {
        fen: "4k4/9/9/9/R8/9/5n3/9/9/3K5 w - - 0 1",
        moves: "a5a3 f3g5 a3a5 g5f3 a5a3 f3g5 a3a5",
        next: "g5f3",
    },
    Repetition {
        fen: "4k4/R8/9/9/9/9/6n2/9/9/3K5 w - - 0 1",
        moves: "a8a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8",
        next: "e8e9",
    },
    Repetition {
        fen: "4k4/4a4/9/r3R4/9/9/8R/9/4A4/4K4 w - - 0 1",
        moves: "i3h3 a6b6 h3i3 b6a6 i3h3 a6b6 h3i3",
        next: "b6a6",
    },
];

#[test]
fn a_repetition_that_the_opponent_had_to_leave_wins_and_is_no_mate() {
    for case in &WINNING {
        let (outcome, said) = search(&case.line(), &nodes(20_000));
        assert_eq!(best(&outcome), case.next, "{}", case.fen);
        assert!(verdict(outcome.score) == Some(true), "{:?}", outcome.score);
        assert!(said.iter().all(|info| !mate(info.score)));
        // The first time round it is a move like others.
        let first = line(case.fen, &case.moves[..14]);
        let score = search(&first, &nodes(20_000)).0.score;
        assert!(verdict(score).is_none(), "{}: {score:?}", case.fen);
    }
}

#[test]
fn checks_without_end_do_not_save_and_cost_no_mate() {
    let line = line("4k4/8R/9/9/9/9/9/9/9/rrEA1K3 w - - 0 1", "");
    let (outcome, said) = search(&line, &nodes(300_000));
    assert!(verdict(outcome.score) == Some(false), "{:?}", outcome.score);
    prove(&line, &said);
}

#[test]
fn who_may_check_for_ever_is_not_mated_but_loses_by_the_rules() {
    let fen = "2bak4/4a4/4b4/9/9/9/9/9/3p1p3/4K1R2 w";
    let (outcome, said) = search(&line(fen, ""), &nodes(200_000));
    assert_eq!(verdict(outcome.score), Some(false), "{:?}", outcome.score);
    assert!(said.iter().all(|info| !mate(info.score)));
    // That it is by the rules alone: where they allow it, nothing forces him to be mated.
    let ruleset = Ruleset::of(Book::AlwaysDraw);
    let allowed = Line::under(ruleset, Position::from_fen(fen).expect("a position"));
    let score = search(&allowed, &nodes(200_000)).0.score;
    assert!(!mate(score) && verdict(score).is_none(), "{score:?}");
}

#[test]
fn a_win_by_the_rules_hides_no_mate() {
    let mut seen = 0;
    for (fen, moves) in [
        ("9/3k5/4b4/9/9/2r6/9/2p6/1R4p2/5K3 b", 6),
        ("9/4k4/4b4/7r1/R8/n8/9/6p2/9/3K5 b", 5),
        ("5k3/4a4/4b4/4R4/9/9/9/5rp2/5p3/4K4 b", 5),
        ("5k3/1r7/9/9/3R5/9/n8/9/2p6/4K4 b", 5),
    ] {
        let line = line(fen, "");
        let limits = Limits { depth: Some(28), ..Limits::default() };
        let (outcome, said) = search(&line, &limits);
        let Score::Mate(plies) = outcome.score else {
            panic!("{fen}: {:?}", outcome.score);
        };
        assert!(plies > 0 && (plies + 1) / 2 <= moves, "{fen}: a mate in {plies} plies");
        seen += usize::from(said.iter().any(|info| verdict(info.score) == Some(true)));
    }
    // On the way the checks that the rules forbid were what put it off.
    assert!(seen > 0);
}

/// The side to move stands worse, and nobody may complain of it going on.
const ALLOWED: [Repetition; 2] = [
    // Both check all along.
    Repetition {
        fen: "r3k4/4ac3/9/9/9/9/5C3/4R4/5K3/9 w - - 0 1",
        moves: "f3e3 e8f7 e3f3 f7e8 f3e3 e8f7",
        next: "e3f3",
    },
    // Nobody attacks.
    Repetition {
        fen: "4k4/4a4/9/r8/9/9/8R/9/4A4/N3K4 w - - 0 1",
        moves: "i3h3 a6b6 h3i3 b6a6 i3h3 a6b6 h3i3",
        next: "b6a6",
    },
];

#[test]
fn the_side_that_stands_worse_draws_where_both_may_repeat() {
    for case in &ALLOWED {
        let outcome = search(&case.line(), &nodes(60_000)).0;
        // The opponent may go on where that costs it next to nothing.
        let near = matches!(outcome.score, Score::Value(value) if value.abs() <= 20);
        assert!(near, "{}: {:?}", case.fen, outcome.score);
        assert_eq!(best(&outcome), case.next, "{}", case.fen);
        // Unless the opponent wins by a draw.
        let winner = !case.line().position().side();
        let limits = Limits { draws_won_by: Some(winner), ..nodes(60_000) };
        let outcome = search(&case.line(), &limits).0;
        assert_ne!(best(&outcome), case.next, "{}", case.fen);
    }
}

#[test]
fn where_every_move_loses_by_the_rules_one_of_them_is_played() {
    let case = &FORBIDDEN[0];
    let next: Move = case.next[..4].parse().unwrap();
    let limits = Limits { only: vec![next], ..nodes(20_000) };
    let outcome = search(&case.line(), &limits).0;
    assert_eq!(outcome.best, Some(next));
    assert!(verdict(outcome.score) == Some(false), "{:?}", outcome.score);
}

#[test]
fn being_mated_is_preferred_to_losing_at_once_by_the_rules() {
    let line = line("R3k4/9/9/9/8r/9/9/9/4r4/3K5 b - - 0 1", "e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9");
    let (outcome, said) = search(&line, &nodes(20_000));
    assert_ne!(best(&outcome), "a8a9");
    // Nobody has to be mated who may lose by the rules, so it is not announced.
    assert_eq!(verdict(outcome.score), Some(false), "{:?}", outcome.score);
    assert!(said.iter().all(|info| !mate(info.score)));
    let losing = "a8a9".parse().unwrap();
    let limits = Limits { never: vec![losing], ..nodes(20_000) };
    let (outcome, said) = search(&line, &limits);
    assert!(matches!(outcome.score, Score::Mate(..0)), "{:?}", outcome.score);
    assert!(said.iter().any(|info| mate(info.score)));
}

#[test]
fn a_search_of_one_position_takes_a_win_by_the_rules() {
    for case in &WINNING {
        assert_eq!(best(&search(&case.line(), &nodes(1)).0), case.next, "{}", case.fen);
    }
}
