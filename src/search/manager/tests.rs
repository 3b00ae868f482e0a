//! Whole games of a simulated player against the clock: what it decides is real, how its searches
//! go is drawn. No time passes.

use super::*;
use crate::{
    clock::{Clock, ClockView, Habits, MoveCount, TimeControl},
    types::SplitMix64,
};

/// Every kind of control, at full length and so short that a game takes some 15 seconds.
const CONTROLS: &[&str] = &[
    "6.1",
    "6.2",
    "6.3",
    "6.4",
    "6.5:60min",
    "6.1/960",
    "6.2/480",
    "6.3/80",
    "6.4/60",
    "6.5:60min/480",
    "1+0.01",
    "5min+3s",
    "20/10s:20/5s",
    "40/4s",
    "5/1s:100/20s",
    "40/90min:30min+30s",
    "1min,countdown=10s",
    "2min,countdown=5x1min/30",
    "30min,move=1min,countdown=1min/60",
    "move=1s",
];

/// How long the player of a game takes for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// As the search goes.
    Drawn,
    /// Every search is stopped at the last moment, and every press takes what it is allowed to.
    Latest,
}

/// What the player is told of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    All,
    /// What is left and the scheme.
    Left,
    /// What is left and the moves to the control.
    MovesToGo,
}

/// A player that does not exist.
struct Player {
    rng: SplitMix64,
    habits: Habits,
    pace: Pace,
    told: Told,
    /// How often there is no choice.
    forced: f64,
    count: MoveCount,
}

/// What came of a game.
struct Game {
    clock: Clock,
    /// The number of the move that came too late.
    flag: Option<u32>,
    /// The seconds that each move took.
    moves: Vec<f64>,
    /// Of each full period, the share of its own time that was spent in it.
    periods: Vec<f64>,
}

impl Player {
    fn new(seed: u64) -> Self {
        let overhead = Duration::from_millis(30);
        Self {
            rng: SplitMix64::new(seed),
            habits: Habits { overhead, ponder: seed % 4 == 3 },
            pace: Pace::Drawn,
            told: [Told::All, Told::Left, Told::MovesToGo][seed as usize % 3],
            forced: 0.01,
            count: MoveCount::default(),
        }
    }

    /// A number in `0.0..1.0`.
    fn unit(&mut self) -> f64 {
        self.rng.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// How long a search of a level position lasts: iterations of growing length, each telling
    /// something else of how settled the choice is. The distributions are much like those of 1,300
    /// searches at 6.3/80.
    fn think(&mut self, budget: &Budget) -> Duration {
        let choices = if self.unit() < self.forced { 1 } else { 40 };
        let recapture = self.unit() < 0.08;
        let (mut passed, mut stability, mut value) = (0.000_05 * (1.0 + self.unit()), 0, 0);
        // Some positions have one good move, some have many.
        let clarity = self.unit();
        for depth in 1..100 {
            let previous_value = value;
            value += self.rng.below(17) as i32 - 8;
            stability = if self.unit() < 0.15 - 0.15 * clarity { 0 } else { stability + 1 };
            let doubt = 0.6 * (1.0 - clarity) + 0.4 * self.unit();
            let best_move_share = 1.0 - 0.9 * doubt * doubt;
            let iteration = Iteration {
                depth,
                value,
                previous_value,
                stability,
                best_move_share,
                choices,
                recapture,
            };
            let time = Duration::from_secs_f64(passed);
            if !wants_time(budget, &iteration, &Params::default(), time, time) {
                break;
            }
            passed *= 1.15 * (1.0 - self.unit()).powf(-0.42);
        }
        Duration::from_secs_f64(passed).min(budget.hard)
    }

    /// The way to the clock: short as a rule, now and then longer.
    fn press(&mut self) -> Duration {
        let spike = if self.unit() < 0.003 { 0.04 * self.unit() } else { 0.0 };
        Duration::from_secs_f64(spike - 0.003 * (1.0 - self.unit()).ln())
    }

    /// The time until the clock is pressed.
    fn spend(&mut self, budget: &Budget) -> Duration {
        match self.pace {
            Pace::Drawn => self.think(budget) + self.press(),
            Pace::Latest => budget.hard + self.habits.overhead.saturating_sub(MS),
        }
    }

    fn view(&mut self, clock: &Clock, number: u32) -> ClockView {
        let view = clock.view().expect("time counts");
        let left = ClockView { left: view.left, ..ClockView::default() };
        match self.told {
            Told::All => view,
            Told::Left => left.completed(clock.allowance(), self.count.before(number)),
            // Neither protocol tells of countdowns and limits of single moves.
            Told::MovesToGo if view.countdown.is_some() => view,
            Told::MovesToGo => {
                ClockView { moves_to_go: view.moves_to_go, increment: view.increment, ..left }
            }
        }
    }
}

const MS: Duration = Duration::from_millis(1);

/// A game of so many moves.
fn play(control: &str, moves: u32, player: &mut Player) -> Game {
    let control: TimeControl = control.parse().expect("a control");
    let mut clock = Clock::new(control.red());
    let (mut periods, mut times, mut begun, mut flag) =
        (Vec::new(), Vec::new(), Duration::ZERO, None);
    for number in 1..=moves {
        let view = player.view(&clock, number);
        let budget = Budget::for_move(&view, player.habits, number);
        let time = player.spend(&budget);
        let granted = control.red().period(periods.len()).map(|period| period.time);
        let last = clock.moves_to_go() == Some(1);
        if clock.spend(time).is_err() {
            flag = Some(number);
            break;
        }
        times.push(time.as_secs_f64());
        if last {
            let spent = clock.used().saturating_sub(begun);
            periods.push(spent.as_secs_f64() / granted.unwrap_or_default().as_secs_f64());
            begun = clock.used();
        }
    }
    Game { clock, flag, moves: times, periods }
}

/// Games of a control, short and long.
fn games(control: &str, count: u64) -> impl Iterator<Item = Game> {
    (0..count).map(move |seed| {
        // Every other game has positions without a choice, the rest are level throughout.
        let forced = 0.02 * f64::from(seed as u32 % 2);
        let mut player = Player { forced, ..Player::new(seed) };
        let moves = 30 + player.rng.below(100) as u32;
        play(control, moves, &mut player)
    })
}

#[test]
fn no_flag_falls_in_thousands_of_games() {
    for control in CONTROLS {
        for (seed, game) in games(control, 150).enumerate() {
            assert_eq!(game.flag, None, "{control}, seed {seed}");
        }
    }
}

#[test]
fn no_flag_falls_though_every_move_takes_all_it_may() {
    for control in CONTROLS {
        // Where the press costs more than a move gains every game must end some time.
        if control.starts_with("6.5") || *control == "1+0.01" {
            continue;
        }
        for seed in 0..12 {
            let mut player = Player { pace: Pace::Latest, ..Player::new(seed) };
            assert_eq!(play(control, 130, &mut player).flag, None, "{control}, seed {seed}");
        }
    }
}

#[test]
fn each_control_finds_its_time_spent() {
    // Five moves, the last of them easy, are too few to average out.
    for control in CONTROLS.iter().filter(|control| !control.starts_with("5/")) {
        for (seed, game) in games(control, 200).enumerate().step_by(2) {
            for (period, &best_move_share) in game.periods.iter().enumerate() {
                assert!(
                    best_move_share >= 0.85,
                    "{control}, seed {seed}, period {period}: {best_move_share}"
                );
            }
        }
    }
}

#[test]
fn a_period_is_spread_over_its_moves() {
    let mut quarters = [0.0; 4];
    for seed in 0..100 {
        let mut player = Player {
            habits: Habits { ponder: false, ..Player::new(0).habits },
            ..Player::new(seed)
        };
        let game = play("6.1", 40, &mut player);
        for (number, time) in game.moves.iter().enumerate() {
            quarters[number / 10] += time / (1000.0 * 135.0);
        }
    }
    assert!(
        quarters.iter().all(|best_move_share| (0.7..1.3).contains(best_move_share)),
        "{quarters:?}"
    );
}

#[test]
fn a_countdown_is_used() {
    for control in ["1min,countdown=10s", "10s,move=1s,countdown=1s", "move=1s"] {
        for game in games(control, 50) {
            let last = game.moves[game.moves.len() - 5..].iter().sum::<f64>() / 5.0;
            let free = game.clock.view().and_then(|view| view.countdown).expect("a countdown");
            assert!(last > 0.85 * free.time.as_secs_f64(), "{control}: {last} of {free:?}");
        }
    }
    // Some of what is in reserve is kept to the end.
    for game in games("2min,countdown=5x1min", 50) {
        assert!((2..5).contains(&game.clock.reserve()), "{}", game.clock.reserve());
    }
}

#[test]
fn an_increment_below_the_overhead_leaves_no_clock_idle() {
    let left = |game: Game| game.clock.left().unwrap_or_default().as_secs_f64();
    let mean = games("1+0.01", 100).map(left).sum::<f64>() / 100.0;
    assert!((0.2..0.6).contains(&mean), "{mean} of 1 s left");
}

#[test]
fn a_penalty_is_survived() {
    for seed in 0..50 {
        let mut player = Player::new(seed);
        let mut clock = Clock::new("6.3".parse::<TimeControl>().expect("a control").red());
        for number in 1..=40 {
            let left = clock.left().expect("time");
            if number == 5 + seed as u32 % 35 {
                clock.penalise(left * 9 / 10).expect("a tenth of it is left");
            }
            let view = player.view(&clock, number);
            let time = player.spend(&Budget::for_move(&view, player.habits, number));
            clock.spend(time).unwrap_or_else(|fall| panic!("seed {seed}, move {number}: {fall}"));
        }
    }
}

#[test]
fn what_was_thought_before_the_hit_counts_after_it() {
    let settled = Iteration {
        depth: 12,
        value: 5,
        previous_value: 5,
        stability: 9,
        best_move_share: 0.9,
        choices: 40,
        recapture: false,
    };
    for (time, at_once) in [
        (Budget { free: Duration::ZERO, soft: MS, hard: MS * 60_000 }, true),
        (Budget { free: Duration::ZERO, soft: MS * 30_000, hard: MS * 60_000 }, false),
        // A time for this move alone is for all of it.
        (Budget::fixed(MS * 60_000), false),
    ] {
        let (signals, limits) = (Signals::new(), Limits { time: Some(time), ..Limits::default() });
        let manager = Manager::new(&limits, &signals, true);
        std::thread::sleep(MS * 3);
        assert!(manager.wants_more(&settled, &Params::default()) && !manager.out_of_time());
        signals.ponder_hit();
        assert_eq!(manager.out_of_time(), at_once, "{time:?}");
        assert_eq!(manager.wants_more(&settled, &Params::default()), !at_once, "{time:?}");
    }
}

#[test]
fn an_obvious_recapture_is_played_sooner() {
    let iteration = |recapture, best_move_share| Iteration {
        depth: 12,
        value: 5,
        previous_value: 5,
        stability: 9,
        best_move_share,
        choices: 40,
        recapture,
    };
    assert!(
        soft_scale(&iteration(true, 0.95), &Params::default())
            < 0.6 * soft_scale(&iteration(false, 0.95), &Params::default())
    );
    assert!(
        soft_scale(&iteration(true, 0.5), &Params::default())
            >= soft_scale(&iteration(false, 0.5), &Params::default())
    );
}

#[test]
#[ignore = "prints how each control is used"]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn table() {
    println!("control, flags, seconds left and of the last move; mean and least of the periods");
    for control in CONTROLS {
        let games: Vec<_> = games(control, 2000).step_by(2).collect();
        let mean = |of: &dyn Fn(&Game) -> f64| games.iter().map(of).sum::<f64>() / 1000.0;
        let flags = games.iter().filter(|game| game.flag.is_some()).count();
        let left = mean(&|game| game.clock.left().unwrap_or_default().as_secs_f64());
        let last = mean(&|game| game.moves.last().copied().unwrap_or_default());
        print!("{control:34} {flags:2} {left:8.2} {last:7.3} ");
        for period in 0..4 {
            let shares: Vec<_> = games.iter().filter_map(|game| game.periods.get(period)).collect();
            let sum = shares.iter().copied().sum::<f64>();
            if let Some(least) = shares.iter().copied().min_by(|a, b| a.total_cmp(b)) {
                print!("  {:.3} {least:.3}", sum / shares.len() as f64);
            }
        }
        println!();
    }
}
