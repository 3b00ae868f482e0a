//! Laws of the method and of its files.

use std::{fs, path::PathBuf};

use super::*;
use crate::{search::Parameter, types::SplitMix64};

/// A file of its own for each test.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("chuhe-tune-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join("log.jsonl")
}

fn tunable(name: &str, start: f64, greatest: f64, step: f64) -> Tunable {
    Tunable { name: name.into(), start, least: 0.0, greatest, step }
}

/// The optimum of the function below.
const BEST: [f64; 3] = [70.0, 300.0, 12.0];

fn scattered() -> Vec<Tunable> {
    vec![
        tunable("low", 20.0, 200.0, 8.0),
        tunable("high", 450.0, 800.0, 30.0),
        tunable("near", 12.0, 40.0, 2.0),
    ]
}

/// One pair of games between two ways: each is as strong as it is near the optimum, 40 Elo a step of
/// every number squared and cut, and chance has its part in each game.
fn noisy(way: &Perturbation, tunables: &[Tunable], rng: &mut SplitMix64) -> f64 {
    let strength = |values: &[i32]| -> f64 {
        let off =
            |index: usize| (f64::from(values[index]) - BEST[index]) / (3.0 * tunables[index].step);
        -(0..3).map(|index| 40.0 * off(index).powi(2)).sum::<f64>()
    };
    let expected = 1.0 / (1.0 + 10f64.powf((strength(&way.minus) - strength(&way.plus)) / 400.0));
    let mut game = || if (rng.below(10_000) as f64) < 10_000.0 * expected { 1.0 } else { -1.0 };
    game() + game()
}

#[test]
fn the_optimum_of_a_noisy_function_is_found() {
    for seed in 0..5 {
        let schedule = Schedule { iterations: 20_000, rate: 0.006, ..Schedule::default() };
        let mut spsa = Spsa::new(scattered(), schedule);
        let mut rng = SplitMix64::new(seed);
        while spsa.iteration() < spsa.iterations() {
            let way = spsa.perturb(seed);
            let points = noisy(&way, spsa.tunables(), &mut rng);
            spsa.learn(&way, points);
        }
        for ((value, best), tunable) in spsa.values().iter().zip(BEST).zip(spsa.tunables()) {
            let off = (value - best).abs() / tunable.step;
            assert!(off < 2.0, "seed {seed}: {} is {value}, not {best}", tunable.name);
        }
    }
}

#[test]
fn both_ways_are_as_far_off_as_they_shall_be_on_the_mean() {
    let tunables = vec![tunable("tiny", 5.0, 10.0, 0.3), tunable("usual", 100.0, 200.0, 7.0)];
    let schedule = Schedule { gamma: 0.0, ..Schedule::default() };
    let spsa = Spsa::new(tunables, schedule);
    let mut sums = [0.0; 2];
    for seed in 0..20_000 {
        let way = spsa.perturb(seed);
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += f64::from((way.plus[index] - way.minus[index]).abs());
        }
    }
    let [tiny, usual] = sums.map(|sum| sum / 20_000.0);
    assert!((tiny - 0.6).abs() < 0.03 && (usual - 14.0).abs() < 0.05, "{tiny} and {usual}");
}

#[test]
fn numbers_never_leave_their_range() {
    let mut spsa = Spsa::new(scattered(), Schedule { rate: 10.0, ..Schedule::default() });
    for seed in 0..500 {
        let way = spsa.perturb(seed);
        for (tunable, values) in spsa.tunables().iter().zip(way.plus.iter().zip(&way.minus)) {
            let within = |value: i32| (tunable.least..=tunable.greatest).contains(&value.into());
            assert!(within(*values.0) && within(*values.1), "{} {values:?}", tunable.name);
        }
        spsa.learn(&way, if seed % 3 == 0 { 2.0 } else { -2.0 });
    }
}

const PLAN: &str = "version = 1\niterations = 40\nseed = 7\n\n[parameters]\nlmr_base = { start = 375 }\n\
                    rfp_margin = {}\n";

/// Tunes against a result that is known, up to some iteration.
fn go_on(spsa: &mut Spsa, log: &mut Log, until: u64) {
    while spsa.iteration() < until {
        let way = spsa.perturb(7);
        let points = f64::from(way.plus[0] - way.minus[0]).signum();
        spsa.learn(&way, points);
        log.keep(points, spsa).unwrap();
    }
}

#[test]
fn a_kill_at_any_byte_loses_at_most_one_iteration_and_changes_nothing() {
    let (plan, path) = (TunePlan::read(PLAN).unwrap(), scratch("kill"));
    let open = |spsa: &mut Spsa| Log::open(&path, &plan, "net", spsa);
    let mut whole = plan.begin();
    go_on(&mut whole, &mut open(&mut plan.begin()).unwrap(), 8);
    let bytes = fs::read(&path).unwrap();
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches('\n').count() as u64;
    for cut in (0..=bytes.len()).rev() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let mut spsa = plan.begin();
        let mut log = open(&mut spsa).unwrap();
        assert_eq!(spsa.iteration(), lines(&bytes[..cut]).saturating_sub(1), "cut at {cut}");
        go_on(&mut spsa, &mut log, 8);
        assert_eq!(log.course().len(), 9);
        assert_eq!(fs::read(&path).unwrap(), bytes, "cut at {cut}");
        assert_eq!((spsa.values(), spsa.iteration()), (whole.values(), 8));
    }
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn a_log_of_something_else_is_refused_and_left_alone() {
    let (plan, path) = (TunePlan::read(PLAN).unwrap(), scratch("foreign"));
    drop(Log::open(&path, &plan, "net", &mut plan.begin()).unwrap());
    let bytes = fs::read(&path).unwrap();
    let other = TunePlan::read(&PLAN.replace("seed = 7", "seed = 8")).unwrap();
    for (plan, network) in [(&other, "net"), (&plan, "another net")] {
        let error = Log::open(&path, plan, network, &mut plan.begin()).unwrap_err();
        assert!(matches!(error, LogError::Foreign(_)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let step = r#"{"iteration":2,"points":1.0,"values":[1.0,2.0]}"#;
    fs::write(&path, [bytes.as_slice(), step.as_bytes(), b"\n"].concat()).unwrap();
    let error = Log::open(&path, &plan, "net", &mut plan.begin()).unwrap_err().to_string();
    assert!(error.contains("line 2: iteration 2 is out of order; without the lines"), "{error}");
    fs::write(&path, "a poem without an end").unwrap();
    assert!(Log::open(&path, &plan, "net", &mut plan.begin()).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"a poem without an end");
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
}

#[test]
fn a_bad_plan_is_told_by_line_and_name() {
    for (plan, told) in [
        ("version = 2\nlucky = 1\n", "line 1: version 2; this program reads version 1"),
        (
            "version = 1\n\n[parameters]\nlmr_bass = {}\n",
            "line 4: the search has no number `lmr_bass`",
        ),
        ("version = 1\n[parameters.fly]\nstart = 1\n", "line 2: the search has no number `fly`"),
        (
            "version = 1\n[parameters]\nlmr_base = { greatest = 9999 }\n",
            "line 3: lmr_base: its range is at most 200 to 1400",
        ),
        (
            "version = 1\n[parameters]\nrfp_depth = {}\nlmr_base = { start = 100 }\n",
            "line 4: lmr_base: 100 is not 200 to 1400",
        ),
        ("version = 1\n[parameters]\nlmr_base = { step = 0 }\n", "line 3: lmr_base: a step of 0"),
        ("version = 1\niterations = 0\nall = true\n", "line 2: iterations: 0 is not 1"),
        ("version = 1\nall = true\ncontrol = \"soon\"\n", "line 3: control: "),
        ("version = 1\nall = true\nrate = nan\n", "line 3: rate: NaN is not 0 to 10"),
        ("version = 1\n", "line 1: parameters: none is named"),
    ] {
        let error = TunePlan::read(plan).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
    let error = TunePlan::read("version = 1\nluck = 1\n").unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("luck"), "{error}");
}

#[test]
fn all_numbers_can_be_tuned_at_once() {
    let plan = "version = 1\nall = true\n[parameters]\nlmr_base = { start = 375 }\n";
    let spsa = TunePlan::read(plan).unwrap().begin();
    assert_eq!(spsa.tunables().len(), Parameter::TABLE.len());
    for (tunable, parameter) in spsa.tunables().iter().zip(Parameter::TABLE) {
        let start = if parameter.name == "lmr_base" { 375 } else { parameter.value };
        assert_eq!((tunable.name.as_str(), tunable.start), (parameter.name, start.into()));
    }
}

#[test]
fn the_patch_changes_the_lines_of_what_moved_and_no_other() {
    let spsa = TunePlan::read("version = 1\nall = true\n").unwrap().begin();
    assert_eq!(patch(&spsa), "");
    let mut moved = spsa.clone();
    let values = spsa.tunables().iter().map(|tunable| match tunable.name.as_str() {
        "rfp_margin" => 91.4,
        "check_bonus" => 12_345.0,
        _ => tunable.start + 0.4,
    });
    moved.resume(1, values.collect());
    let text = patch(&moved);
    let lines = |sign: char| -> Vec<&str> {
        text.lines().filter(|line| line.starts_with(sign)).skip(1).collect()
    };
    let (old, new) = (lines('-'), lines('+'));
    assert_eq!(new.len(), 2, "{text}");
    assert!(
        new[0].starts_with("+    rfp_margin = 91, ")
            && new[1].starts_with("+    check_bonus = 12_345, ")
    );
    for (old, new) in old.iter().zip(new) {
        let rest = |line: &str| line.split_once(", ").map(|(_, rest)| rest.to_owned());
        assert_eq!(rest(old), rest(new));
    }
    // The hunk's head counts its lines.
    let head = text.lines().nth(2).unwrap();
    let count = text.lines().skip(3).filter(|line| !line.starts_with('-')).count();
    assert!(head.contains(&format!(",{count} @@")), "{head}, not {count}");
}

#[test]
fn the_picture_has_a_panel_for_each_number() {
    let tunables = scattered();
    let course: Vec<_> = (0..1000).map(|at| vec![20.0 + f64::from(at), 450.0, 12.5]).collect();
    let svg = plot(&tunables, &course);
    assert_eq!(svg.matches("<polyline").count(), 3);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("low 20 \u{2192} 1019.0") && svg.contains("near 12 \u{2192} 12.5"));
    assert!(!svg.contains("NaN") && !plot(&tunables, &[]).contains("NaN"));
}

/// What is found does not depend on how many boards it was found at.
#[cfg(feature = "tune")]
#[test]
fn games_compare_the_same_at_any_number_of_boards() {
    let plan = "version = 1\niterations = 4\npairs = 3\ncontrol = \"nodes=60\"\nall = true\n";
    let plan = TunePlan::read(plan).unwrap();
    let never = std::sync::atomic::AtomicBool::new(false);
    let results: Vec<_> = [1, 2]
        .map(|count| {
            let (boards, mut spsa) = (Boards::new(&plan, count).unwrap(), plan.begin());
            while spsa.iteration() < 2 {
                let way = spsa.perturb(plan.seed);
                let points = boards.compare(&plan, &spsa, &way, &never).unwrap().unwrap();
                spsa.learn(&way, points);
            }
            spsa.values().to_vec()
        })
        .into();
    assert_eq!(results[0], results[1]);
}
