//! Play below full strength, or not the same game twice: which of the moves that a search found is
//! played in place of the best. Knows levels and chance, no options by name.

use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

use super::searcher::Job;
use crate::{
    position::{Position, Unobserved, see},
    search::{Info, Limits, Pool, Report, SearchResult, Signals},
    types::{Bound, Move, Score, SplitMix64, Value, scale, score},
};

/// The Elo of the weakest level.
pub(super) const WEAKEST: u32 = 1_000;
/// The Elo of the strongest level; whatever is above is full strength.
pub(super) const STRONGEST: u32 = 2_800;
/// The skill that is full strength. Those below are spread evenly over the levels.
pub(super) const FULL_SKILL: u32 = 20;

/// Levels are given every so many Elo; what lies between is interpolated.
const STEP: u32 = 200;
/// Positions searched for a move at each level, and how freely it is chosen.
const LEVELS: [Level; 10] = [
    level(1_178.0, 14.0, 51.7, 181.0),
    level(1_409.0, 13.0, 38.8, 150.0),
    level(1_736.0, 12.0, 27.7, 120.0),
    level(2_099.0, 11.0, 20.5, 98.0),
    level(2_611.0, 10.0, 14.4, 78.0),
    level(3_455.0, 8.9, 9.2, 58.2),
    level(4_315.0, 7.2, 6.5, 46.5),
    level(5_950.0, 5.5, 3.85, 32.5),
    level(7_074.0, 4.0, 2.9, 27.0),
    level(9_019.0, 3.0, 2.0, 21.0),
];

/// The share of its time that a level lets pass before it answers, at least and at most: a move at
/// once is no company.
const PAUSE: [f64; 2] = [0.1, 0.35];
/// No pause is longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a pause looks whether it shall end.
const PAUSE_STEP: Duration = Duration::from_millis(5);

/// How well a level plays.
#[derive(Clone, Copy, Debug)]
struct Level {
    nodes: f64,
    lines: f64,
    /// In hundredths of a knight, as the margin is.
    temperature: f64,
    margin: f64,
}

const fn level(nodes: f64, lines: f64, temperature: f64, margin: f64) -> Level {
    Level { nodes, lines, temperature, margin }
}

/// How freely the move is chosen at full strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Randomness {
    /// The best one.
    #[default]
    None,
    /// Next to none.
    Tiny,
    /// A little.
    Small,
    /// Some.
    Medium,
    /// Much.
    Large,
    /// As much as goes without giving anything away.
    Huge,
}

impl Randomness {
    /// All of them, from the least to the most.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Tiny, Self::Small, Self::Medium, Self::Large, Self::Huge];
    /// Their names.
    pub const NAMES: [&str; 6] = ["none", "tiny", "small", "medium", "large", "huge"];

    /// The one of a name, none for any other.
    pub(super) fn named(name: &str) -> Self {
        let at = Self::NAMES.iter().position(|known| *known == name);
        at.map_or(Self::None, |at| Self::ALL[at])
    }
}

/// The Elo of a skill; full strength has none.
pub(super) fn elo_of_skill(skill: u32) -> Option<u32> {
    let above = (STRONGEST - WEAKEST) * skill;
    (skill < FULL_SKILL).then(|| WEAKEST + (above + (FULL_SKILL - 1) / 2) / (FULL_SKILL - 1))
}

/// A way of playing that is not the best one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handicap {
    /// Positions searched at most.
    nodes: Option<u64>,
    /// How many of the best moves are looked at.
    lines: usize,
    /// A move that is worse by this is played e times less often.
    temperature: f64,
    /// No move is played that is worse than the best by more than this.
    margin: Value,
    /// Nor one that lets the opponent win a man, unless it is the best.
    careful: bool,
    /// Whether a part of the clock is to pass.
    pauses: bool,
    seed: u64,
}

impl Handicap {
    /// The level of an Elo; above the strongest one there is nothing to hold back.
    pub(super) fn of_elo(elo: u32, seed: u64) -> Option<Self> {
        if elo > STRONGEST {
            return None;
        }
        let above = elo.saturating_sub(WEAKEST);
        let low = (above / STEP) as usize;
        let part = f64::from(above % STEP) / f64::from(STEP);
        let (low, high) = (LEVELS[low], LEVELS[(low + 1).min(LEVELS.len() - 1)]);
        let between = |of: fn(&Level) -> f64| of(&low) + (of(&high) - of(&low)) * part;
        Some(Self {
            nodes: Some(between(|level| level.nodes.ln()).exp().round() as u64),
            lines: between(|level| level.lines).round() as usize,
            temperature: of_points(between(|level| level.temperature)),
            margin: of_points(between(|level| level.margin)) as Value,
            careful: false,
            pauses: true,
            seed,
        })
    }

    /// Full strength, with some choice.
    pub(super) fn of_randomness(randomness: Randomness, seed: u64) -> Option<Self> {
        // Moves to look at, and hundredths of a knight that one of them may be worse by.
        let (lines, points) = match randomness {
            Randomness::None => return None,
            Randomness::Tiny => (2, 3.0),
            Randomness::Small => (3, 6.0),
            Randomness::Medium => (4, 10.0),
            Randomness::Large => (5, 14.0),
            Randomness::Huge => (6, 20.0),
        };
        let margin = of_points(points);
        Some(Self {
            nodes: None,
            lines,
            temperature: margin,
            margin: margin as Value,
            careful: true,
            pauses: false,
            seed,
        })
    }

    /// Searches and answers with the move that is chosen. The last first line that `report` is told
    /// is that of this move.
    pub(super) fn think(
        &self,
        pool: &mut Pool,
        job: &Job,
        report: &(dyn Fn(Report) + Sync),
    ) -> SearchResult {
        let nodes = match (self.nodes, job.limits.nodes) {
            (Some(own), Some(asked)) => Some(own.min(asked)),
            (own, asked) => own.or(asked),
        };
        let limits = Limits { nodes, ..job.limits.clone() };
        // The few positions of a level are searched without a break, so that the signals are free to
        // end the pause. Its end is signalled by every search.
        let undisturbed = Signals::new();
        let (signals, ponder) =
            if self.pauses { (&undisturbed, false) } else { (&*job.signals, job.ponder) };
        let lines = Mutex::new(Vec::<Info>::new());
        let collect = |told: Report| {
            let Report::Line(info) = told else { return };
            if info.bound == Bound::Exact && !info.pv.is_empty() {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                match lines.get_mut(info.multipv - 1) {
                    Some(line) => *line = info.clone(),
                    None => lines.push(info.clone()),
                }
            }
            if info.multipv <= job.multipv {
                report(Report::Line(info));
            }
        };
        let found = self.lines.max(job.multipv);
        let result = pool.think(&job.line, &limits, ponder, found, signals, &collect);
        let mut lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut rng = SplitMix64::new(self.seed);
        let chosen = self.choose(job.line.position(), &lines, &mut rng);
        if self.pauses {
            job.wait_for_leave();
            pause(job, &mut rng);
        }
        if chosen > 0 {
            lines[..=chosen].rotate_right(1);
            for (info, multipv) in lines.iter_mut().zip(1..=job.multipv) {
                info.multipv = multipv;
                (info.nodes, info.time) = (result.nodes, result.time);
                report(Report::Line(info.clone()));
            }
        }
        // What was told last is played, not what a search that was cut short has found since.
        let Some(Info { score, depth, pv, .. }) = lines.first() else { return result };
        SearchResult {
            best: pv.first().copied(),
            ponder: pv.get(1).copied(),
            score: *score,
            depth: *depth,
            ..result
        }
    }

    /// The index of the line to play: the best one, or by chance one that is not much worse. What
    /// wins for certain is played, and what loses for certain never unless everything does.
    fn choose(&self, position: &Position, lines: &[Info], rng: &mut SplitMix64) -> usize {
        let value = |info: &Info| match info.score {
            Score::Value(value) if !score::is_decisive(value) => Some(value),
            _ => None,
        };
        let Some(best) = lines.first().and_then(value) else { return 0 };
        let odds: Vec<_> = lines
            .iter()
            .enumerate()
            .map(|(rank, info)| {
                let behind = value(info).map(|value| (best - value).max(0));
                match behind.filter(|&behind| behind <= self.margin) {
                    Some(_) if rank > 0 && self.careful && gives_a_man(position, info) => 0.0,
                    Some(behind) => (-f64::from(behind) / self.temperature).exp(),
                    None => 0.0,
                }
            })
            .collect();
        let mut left = unit(rng) * odds.iter().sum::<f64>();
        let reached = odds.iter().position(|odds| {
            left -= odds;
            left < 0.0
        });
        reached.unwrap_or(0)
    }
}

/// Hundredths of a knight in the units of a search.
fn of_points(points: f64) -> f64 {
    points * f64::from(scale::KNIGHT) / 100.0
}

/// A number from 0 up to 1.
fn unit(rng: &mut SplitMix64) -> f64 {
    (rng.next() >> 11) as f64 / (1u64 << 53) as f64
}

/// Whether the opponent wins more by some exchange after the first move of a line than that move
/// took.
fn gives_a_man(position: &Position, info: &Info) -> bool {
    let Some(&mv) = info.pv.first() else { return true };
    let taken = position.piece_at(mv.to()).map_or(0, |man| see::value(man.kind()));
    let mut after = position.clone();
    after.make(mv, &mut Unobserved);
    let takes = |reply: &Move| after.piece_at(reply.to()).is_some();
    after.legal_moves().into_iter().filter(takes).any(|reply| after.see_ge(reply, taken + 1))
}

/// Lets a part of the time for the move pass, unless a signal ends it.
fn pause(job: &Job, rng: &mut SplitMix64) {
    let Some(budget) = job.limits.time else { return };
    let share = PAUSE[0] + (PAUSE[1] - PAUSE[0]) * unit(rng);
    let until = budget.soft.mul_f64(share).min(LONGEST_PAUSE);
    while !job.signals.stopped() && job.signals.on_clock() < until {
        thread::sleep(PAUSE_STEP.min(until.saturating_sub(job.signals.on_clock())));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{clock::Budget, engine::searcher::Resources, eval::Network, rules::Line};

    fn job(fen: &str, limits: Limits) -> Job {
        let position = Position::from_fen(fen).unwrap();
        Job {
            line: Line::new(position),
            limits,
            ponder: false,
            multipv: 1,
            signals: Arc::new(Signals::new()),
            resources: Resources {
                threads: 1,
                hash_mb: Some(1),
                network: Network::embedded(),
                #[cfg(feature = "tune")]
                params: crate::search::Params::default(),
            },
            handicap: None,
        }
    }

    /// What is played and the last first line before it.
    fn play(handicap: &Handicap, pool: &mut Pool, job: &Job) -> (SearchResult, Info) {
        let last = Mutex::new(None);
        let result = handicap.think(pool, job, &|told| {
            let Report::Line(info) = told else { return };
            if info.multipv == 1 {
                *last.lock().unwrap() = Some(info);
            }
        });
        (result, last.into_inner().unwrap().unwrap())
    }

    const MIDDLE_GAME: &str =
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1";

    #[test]
    fn levels_grow_with_elo_and_the_strongest_is_the_last() {
        let handicap = |elo| Handicap::of_elo(elo, 1).unwrap();
        for elo in (WEAKEST..STRONGEST).step_by(20) {
            let (low, high) = (handicap(elo), handicap(elo + 20));
            assert!(low.nodes <= high.nodes, "{elo}");
            assert!(low.temperature >= high.temperature && low.margin >= high.margin, "{elo}");
        }
        assert_eq!(Handicap::of_elo(STRONGEST + 1, 1), None);
        assert_eq!(handicap(0), handicap(WEAKEST));
    }

    #[test]
    fn skills_are_spread_evenly_over_the_levels() {
        assert_eq!([0, 10, 19, 20].map(elo_of_skill), [Some(1000), Some(1947), Some(2800), None]);
    }

    #[test]
    fn a_level_plays_what_it_says_last_and_not_always_the_same() {
        let mut pool = Pool::new(1, 1);
        for elo in [1_000, 1_500, 2_000] {
            let mut played = Vec::new();
            for seed in 0..12 {
                let job = job(Position::START_FEN, Limits::default());
                let handicap = Handicap::of_elo(elo, seed).unwrap();
                let (result, last) = play(&handicap, &mut pool, &job);
                assert_eq!(result.best, last.pv.first().copied(), "{elo}");
                assert!(last.pv.len() < 2 || result.ponder == Some(last.pv[1]));
                assert_eq!((result.score, result.depth), (last.score, last.depth));
                played.push(result.best);
            }
            played.sort_by_key(|&mv| Move::to_bits(mv));
            played.dedup();
            assert!(played.len() > 1, "{elo}");
        }
    }

    /// What the opponent can win at once by an exchange.
    fn at_stake(position: &Position, mv: Move) -> Value {
        let mut after = position.clone();
        after.make(mv, &mut Unobserved);
        let wins = |reply: &Move, worth| {
            after.piece_at(reply.to()).is_some() && after.see_ge(*reply, worth)
        };
        let replies = after.legal_moves();
        [950, 450, 90]
            .into_iter()
            .find(|&worth| replies.iter().any(|reply| wins(reply, worth)))
            .unwrap_or(0)
    }

    #[test]
    fn no_level_from_1500_on_gives_a_rook_away() {
        let mut pool = Pool::new(1, 1);
        // Rooks are attacked, or free to go where they would be lost.
        for fen in [
            MIDDLE_GAME,
            "2bakab2/9/2n1c1n2/p1p1p1p1p/7r1/2P6/P3P1P1P/1CN1C1N2/9/1RBAKABR1 w - - 0 1",
            "3akab2/9/4b1n2/p3p1p1p/9/2r3P2/P3P3P/2N1C1N2/4A4/2BAK2R1 w - - 0 1",
        ] {
            let job = job(fen, Limits::default());
            for elo in [1_500, 1_800, 2_400] {
                for seed in 0..40 {
                    let (result, _) = play(&Handicap::of_elo(elo, seed).unwrap(), &mut pool, &job);
                    let lost = at_stake(job.line.position(), result.best.unwrap());
                    assert!(lost < 950, "{elo}: {:?} at {fen}", result.best);
                }
            }
        }
    }

    #[test]
    fn a_win_is_played_and_no_mate_walked_into() {
        let start = Position::start();
        let weak = Handicap::of_elo(WEAKEST, 1).unwrap();
        for seed in 0..100 {
            let mut rng = SplitMix64::new(seed);
            let mate = [line("h2e2", Score::Mate(3)), line("h2e2", Score::Value(2_000))];
            assert_eq!(weak.choose(&start, &mate, &mut rng), 0);
            let fate = [line("h2e2", Score::Value(-2_000)), line("h2e2", Score::Mate(-2))];
            assert_eq!(weak.choose(&start, &fate, &mut rng), 0);
        }
        assert_eq!(weak.choose(&start, &[], &mut SplitMix64::new(1)), 0);
    }

    /// A line of this value that begins with a move.
    fn line(mv: &str, score: Score) -> Info {
        Info {
            depth: 3,
            seldepth: 3,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 1,
            nps: 1,
            hashfull: 0,
            time: Duration::ZERO,
            pv: vec![mv.parse().unwrap()],
        }
    }

    #[test]
    fn more_randomness_is_more_choice() {
        let moves = ["h2e2", "b2e2", "h0g2", "b0c2", "g3g4", "c3c4"];
        let ladder = moves
            .iter()
            .zip(0..)
            .map(|(mv, rank)| line(mv, Score::Value(-rank * of_points(2.5) as Value)));
        let ladder = ladder.collect::<Vec<_>>();
        assert_eq!(Handicap::of_randomness(Randomness::None, 1), None);
        let mut before = 1;
        for randomness in &Randomness::ALL[1..] {
            let handicap = Handicap::of_randomness(*randomness, 1).unwrap();
            let mut chosen = [false; 6];
            for seed in 0..200 {
                let found = &ladder[..handicap.lines];
                let rank = handicap.choose(&Position::start(), found, &mut SplitMix64::new(seed));
                chosen[rank] = true;
            }
            let choice = chosen.iter().filter(|&&chosen| chosen).count();
            assert!(choice > before, "{randomness:?}: {chosen:?}");
            before = choice;
        }
    }

    /// One position may have a move so good that there is no choice: those of three are added up.
    #[test]
    fn randomness_varies_the_games_and_never_gives_a_man() {
        let positions = [
            Position::START_FEN,
            MIDDLE_GAME,
            "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1",
        ];
        let mut pool = Pool::new(1, 1);
        let mut played = Vec::new();
        for randomness in &Randomness::ALL[1..] {
            played.clear();
            for (fen, seed) in positions.iter().flat_map(|fen| (0..40).map(move |seed| (fen, seed)))
            {
                let job = job(fen, Limits { depth: Some(4), ..Limits::default() });
                let handicap = Handicap::of_randomness(*randomness, seed).unwrap();
                pool.new_game();
                let (result, last) = play(&handicap, &mut pool, &job);
                assert_eq!(result.best, last.pv.first().copied());
                let mv = result.best.unwrap();
                assert_eq!(at_stake(job.line.position(), mv), 0, "{randomness:?}: {mv} at {fen}");
                played.push((fen, Move::to_bits(Some(mv))));
            }
            played.sort();
            played.dedup();
        }
        assert!(played.len() > 2 * positions.len(), "{played:?}");
    }

    #[test]
    fn a_level_lets_a_part_of_its_time_pass_but_a_stop_ends_it() {
        let mut pool = Pool::new(1, 1);
        let whole = Duration::from_secs(2);
        let time = Some(Budget::fixed(whole));
        let handicap = Handicap::of_elo(WEAKEST, 3).unwrap();
        let waiting = job(Position::START_FEN, Limits { time, ..Limits::default() });
        play(&handicap, &mut pool, &waiting);
        let passed = waiting.signals.on_clock();
        assert!(passed >= whole.mul_f64(PAUSE[0]), "{passed:?}");
        let stopped = job(Position::START_FEN, Limits { time, ..Limits::default() });
        stopped.signals.stop();
        handicap.think(&mut pool, &stopped, &|_| {});
        assert!(stopped.signals.on_clock() < whole.mul_f64(PAUSE[0]));
    }
}
