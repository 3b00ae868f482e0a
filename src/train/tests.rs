//! Laws of training: gradients, the same bytes from the same seed, networks that learn.

use std::{
    fs,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use super::{
    data::{Part, Run},
    gradient::{Objective, Power, Scratch, learn, loss},
    optimiser::AdamW,
    packed::Unpacked,
    *,
};
use crate::{
    eval::{
        Evaluator, Handcrafted, Network, Nnue,
        nnue::{BucketedBy, Parameters, buckets::Census},
    },
    position::{Position, Unobserved},
    records::{Archive, EndReason, Game, Ply, Writer, stored},
    types::{Color, SplitMix64},
};

/// A random game whose scores are the handcrafted evaluation's.
fn game(rng: &mut SplitMix64) -> Game {
    let mut position = Position::start();
    let mut next = |rng: &mut SplitMix64| -> Option<Ply> {
        let mut eval = Handcrafted::default();
        eval.reset(&position);
        let score = stored(eval.evaluate(&position));
        let moves = position.legal_moves();
        let mv = *moves.get(rng.below(moves.len().max(1)))?;
        position.make(mv, &mut Unobserved);
        Some(Ply { mv, score, random: false })
    };
    let opening = (0..rng.below(10)).map_while(|_| next(rng)).map(|ply| ply.mv).collect();
    let plies: Vec<_> = (0..20 + rng.below(80)).map_while(|_| next(rng)).collect();
    let winner = [Some(Color::Red), Some(Color::Black), None][rng.below(3)];
    Game { start: Position::start(), opening, plies, winner, end: EndReason::Agreed }
}

fn games(seed: u64, count: usize) -> Vec<Game> {
    let mut rng = SplitMix64::new(seed);
    (0..count).map(|_| game(&mut rng)).collect()
}

const OBJECTIVE: Objective = Objective { wdl: 0.3, scale: 400.0, power: Power::Two };

fn shape(hidden: usize, output_buckets: usize) -> NetworkRecipe {
    let bucketed_by = if output_buckets == 12 { BucketedBy::Material } else { BucketedBy::Men };
    NetworkRecipe {
        hidden,
        output_buckets,
        bucketed_by,
        scale: 400,
        spread_like: None,
        start_from: None,
    }
}

fn dataset(games: &[Game], run: usize) -> Dataset {
    let mut part = Part::default();
    for game in games {
        part.add(game, &PositionFilter::default(), run, 0);
    }
    packed(part)
}

fn packed(part: Part) -> Dataset {
    let mut set = Dataset::default();
    set.append(part);
    set
}

fn for_runs(set: &Dataset, mut visit: impl FnMut(Run<'_>)) {
    let mut room = Unpacked::default();
    (0..set.runs()).for_each(|index| visit(set.run(index, &mut room)));
}

fn total_loss(model: &Model, set: &Dataset, objective: Objective) -> f64 {
    let mut scratch = Scratch::default();
    let mut sum = 0.0;
    for_runs(set, |run| sum += loss(model, run, objective, &mut scratch));
    sum
}

fn gradient(model: &Model, set: &Dataset, shape: &NetworkRecipe, objective: Objective) -> Model {
    let (mut gradient, mut scratch) = (Model::zero(shape), Scratch::default());
    for_runs(set, |run| _ = learn(model, run, objective, &mut gradient, &mut scratch));
    gradient
}

#[test]
fn gradients_are_what_small_changes_do() {
    for power in [Power::Two, Power::TwoAndHalf, Power::Three] {
        compare_gradients(Objective { power, ..OBJECTIVE });
    }
}

fn compare_gradients(objective: Objective) {
    const STEP: f32 = 4e-3;
    let shape = shape(32, 2);
    let set = dataset(&games(1, 2), 16);
    let mut model = Model::random(&shape, 3);
    // Near the upper clamp slopes jump: some neurons stay well below it and some well above.
    let parts = model.parts_mut();
    parts.input.iter_mut().for_each(|weight| *weight *= 0.3);
    parts.bias[..4].fill(5.0);
    let gradient = gradient(&model, &set, &shape, objective);
    assert!(gradient.parts().bias[..4].iter().all(|&slope| slope == 0.0));
    let mut rng = SplitMix64::new(4);
    let mut compared = 0;
    let last = model.numbers.len();
    // The last numbers are the outputs'; the others mostly belong to inputs that are off.
    let picks: Vec<_> = (0..2_000).map(|_| rng.below(last)).chain(last - 200..last).collect();
    for at in picks {
        let slope = f64::from(gradient.numbers[at]);
        if slope == 0.0 {
            continue;
        }
        let number = model.numbers[at];
        let mut moved = |by: f32| {
            model.numbers[at] = number + by;
            let loss = total_loss(&model, &set, objective);
            model.numbers[at] = number;
            loss
        };
        let measured = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
        assert!((measured - slope).abs() < 1e-3 + 0.02 * slope.abs(), "{at}: {measured} {slope}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn a_run_teaches_what_its_positions_teach_alone() {
    let shape = shape(64, 12);
    let games = games(2, 4);
    let model = Model::random(&shape, 5);
    let (alone, together) = (dataset(&games, 1), dataset(&games, 16));
    assert_eq!(alone.positions(), together.positions());
    assert!(together.runs() * 8 < alone.runs());
    let (one, other) =
        (total_loss(&model, &alone, OBJECTIVE), total_loss(&model, &together, OBJECTIVE));
    assert!((one - other).abs() < 1e-4 * one);
    let [one, other] = [&alone, &together].map(|set| gradient(&model, set, &shape, OBJECTIVE));
    let size = one.numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
    let apart = one.numbers.iter().zip(&other.numbers).map(|(a, b)| (a - b) * (a - b));
    assert!(apart.sum::<f32>().sqrt() < 1e-4 * size);
}

#[test]
fn a_few_positions_can_be_learned_by_heart() {
    let shape = shape(32, 1);
    let set = dataset(&games(3, 2), 16);
    let mut model = Model::random(&shape, 1);
    let mut adam = AdamW::new(model.numbers.len());
    let (mut gradient, mut scratch) = (Model::zero(&shape), Scratch::default());
    let before = total_loss(&model, &set, OBJECTIVE);
    for _ in 0..400 {
        for_runs(&set, |run| _ = learn(&model, run, OBJECTIVE, &mut gradient, &mut scratch));
        let mut gradients = [std::mem::take(&mut gradient.numbers)];
        let training = recipe("weight_decay = 0").training;
        adam.step(&mut model.numbers, &mut gradients, set.positions(), 3e-3, &training, 1);
        [gradient.numbers] = gradients;
    }
    let after = total_loss(&model, &set, OBJECTIVE);
    assert!(after < before / 200.0, "{before} {after}");
}

#[test]
fn whole_numbers_say_nearly_what_floating_ones_do() {
    let games = games(4, 6);
    for (hidden, outputs) in [(32, 1), (128, 8)] {
        let model = Model::random(&shape(hidden, outputs), 9);
        let parts = quantise(&model, 400, "").unwrap();
        let network = Arc::new(Network::new(&parts).unwrap());
        let (mut accumulators, mut outputs) = (Vec::new(), Vec::new());
        let (mut squares, mut most, mut count) = (0.0, 0.0_f32, 0);
        for game in &games {
            let mut part = Part::default();
            let all = PositionFilter {
                checks: false,
                captures: false,
                repeated: false,
                max_score: i16::MAX,
                skip_plies: 0,
            };
            part.add(game, &all, usize::MAX, 0);
            let (set, mut room) = (packed(part), Unpacked::default());
            model.forward(set.run(0, &mut room), &mut accumulators, &mut outputs);
            let mut outputs = outputs.iter();
            game.replay(|position, _| {
                let say = 400.0 * outputs.next().unwrap();
                let apart = (Nnue::value(&network, position) as f32 - say).abs();
                most = most.max(apart);
                squares += apart * apart;
                count += 1;
            });
        }
        // In units of scores, where a pawn is about a hundred.
        let usual = (squares / count as f32).sqrt();
        assert!(usual < 12.0 && most < 40.0, "{hidden}: {usual} usually, {most} at most");
    }
}

#[test]
fn what_no_network_holds_is_said() {
    let mut model = Model::random(&shape(32, 1), 9);
    model.numbers[7] = f32::NAN;
    assert!(matches!(quantise(&model, 400, ""), Err(QuantisationError::Number { index: 7, .. })));
    model.numbers[7] = 100.0;
    assert!(matches!(quantise(&model, 400, ""), Err(QuantisationError::Network(_))));
}

struct Folder(PathBuf);

impl Folder {
    /// A folder with records of some games.
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-train-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let mut writer = Writer::create(&path.join("games"), "toy").unwrap();
        games(8, 60).chunks(25).for_each(|games| writer.write(games).unwrap());
        Self(path)
    }

    fn train(
        &self,
        recipe: &Recipe,
        checkpoint: bool,
        tell: impl FnMut(TrainEvent) -> ControlFlow<()>,
    ) -> Result<Trained, TrainError> {
        let checkpoint = checkpoint.then(|| self.0.join("checkpoint"));
        let files = Files { folder: Some(&self.0), checkpoint: checkpoint.as_deref() };
        run(recipe, files, tell)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn recipe(more: &str) -> Recipe {
    let text = format!(
        "name = 'toy'\nseed = 5\n[data]\nfiles = ['games']\nheld_out = 4\n\
         [network]\nhidden = 32\noutput_buckets = 2\n\
         [training]\nepochs = 3\nbatch = 256\nwdl = 0.2\n{more}"
    );
    Recipe::parse(&text).unwrap()
}

fn network(trained: Trained) -> TrainedNetwork {
    match trained {
        Trained::Network(network) => *network,
        Trained::Interrupted => panic!("called off"),
    }
}

fn bytes(trained: Trained) -> Vec<u8> {
    network(trained).parameters.to_bytes()
}

fn go_on(_: TrainEvent) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn the_same_recipe_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new("same");
    let train = |threads, recipe: &Recipe| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        bytes(pool.install(|| folder.train(recipe, false, go_on)).unwrap())
    };
    let one = train(1, &recipe(""));
    assert_eq!(train(3, &recipe("")), one);
    assert_ne!(train(1, &Recipe { seed: 6, ..recipe("") }), one);
}

#[test]
fn training_goes_on_exactly_where_it_was_called_off() {
    let folder = Folder::new("resume");
    let whole = bytes(folder.train(&recipe(""), false, go_on).unwrap());
    let calls = AtomicU32::new(0);
    let mut called_off = 0;
    let resumed = loop {
        // A little further each time, within epochs and between them.
        calls.store(0, Ordering::Relaxed);
        let tell = |_| match calls.fetch_add(1, Ordering::Relaxed) {
            4 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        match folder.train(&recipe(""), true, tell).unwrap() {
            Trained::Interrupted => called_off += 1,
            outcome @ Trained::Network(_) => break bytes(outcome),
        }
    };
    assert!(called_off > 3 && resumed == whole, "{called_off}");

    let other = folder.train(&recipe("learning_rate = 0.01"), true, go_on);
    assert!(matches!(other, Err(TrainError::Checkpoint { error: CheckpointError::Foreign, .. })));
    let path = folder.0.join("checkpoint");
    let mut damaged = fs::read(&path).unwrap();
    damaged[1000] ^= 1;
    fs::write(&path, damaged).unwrap();
    let error = folder.train(&recipe(""), true, go_on).unwrap_err().to_string();
    assert!(
        error.ends_with("it is no checkpoint, or damaged; choose another name, or remove it"),
        "{error}"
    );
}

#[test]
fn a_checkpoint_has_one_training() {
    let folder = Folder::new("claim");
    let mut told = String::new();
    let outcome = folder.train(&recipe(""), true, |_| {
        let second = folder.train(&recipe(""), true, go_on);
        told = second.unwrap_err().to_string();
        ControlFlow::Continue(())
    });
    assert!(outcome.is_ok());
    assert!(told.ends_with("checkpoint: somebody else is writing to it at this time"), "{told}");
    assert!(folder.train(&recipe(""), true, go_on).is_ok());
}

#[test]
fn training_stops_when_the_games_held_out_are_understood_no_better() {
    let folder = Folder::new("patience");
    // By a rate this high nothing is learned but noise.
    let mut recipe = recipe("learning_rate = 0.3\npatience = 1\naverage = 0");
    (recipe.training.epochs, recipe.training.batch) = (40, 32);
    let mut losses = Vec::new();
    let outcome = folder.train(&recipe, false, |progress| {
        if let TrainEvent::Epoch(epoch) = progress {
            losses.push(epoch.losses.held_out);
        }
        ControlFlow::Continue(())
    });
    let TrainedNetwork { epoch, held_out, .. } = network(outcome.unwrap());
    assert!(losses.len() < 40);
    assert_eq!(epoch as usize + 1, losses.len());
    assert_eq!(held_out.to_bits(), losses.iter().copied().fold(f64::INFINITY, f64::min).to_bits());
}

#[test]
fn bad_recipes_and_data_are_named() {
    let folder = Folder::new("bad");
    let error = |recipe: &Recipe| folder.train(recipe, false, go_on).unwrap_err().to_string();
    assert_eq!(error(&recipe("run_length = 0")), "the recipe's run_length must be 1 to 4096");
    assert_eq!(
        error(&recipe("final_learning_rate = 0.5")),
        "the recipe's final_learning_rate must be 0 up to the learning rate"
    );
    let mut other = recipe("");
    other.network.hidden = 33;
    assert!(error(&other).starts_with("bad network: a hidden layer of 33"));
    other = recipe("");
    other.data.files.push("none".into());
    assert!(error(&other).contains("none: "), "{}", error(&other));
    other = recipe("");
    other.data.filter.skip_plies = 1_000;
    assert_eq!(
        error(&other),
        "0 positions to learn from and 0 held out: there must be some of both"
    );
    assert!(Recipe::parse("name = 'x'\nspeed = 3").is_err());
}

#[test]
fn damage_in_the_records_is_told_and_left_out() {
    let folder = Folder::new("damage");
    let path = folder.0.join("games");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 30;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let mut seen = None;
    let tell = |progress| {
        if let TrainEvent::Data(counts, damage) = progress {
            seen = Some((counts.games, damage));
        }
        ControlFlow::Continue(())
    };
    folder.train(&recipe(""), false, tell).unwrap();
    let (games, damage) = seen.unwrap();
    assert_eq!((games, damage.len()), (50, 1));
    assert!(damage[0].starts_with("games: bytes "), "{damage:?}");
}

#[test]
fn quiet_and_new_positions_alone_teach() {
    let games = games(5, 10);
    let set = dataset(&games, 16);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mut kept = 0;
    for game in &games {
        let mut seen = std::collections::HashSet::new();
        game.replay(|position, ply| {
            let quiet = !position.in_check() && position.piece_at(ply.mv.to()).is_none();
            let new = seen.insert(position.fen().split(" - ").next().unwrap().to_owned());
            kept += usize::from(quiet && new && ply.score.abs() <= 2_500);
        });
    }
    assert_eq!(set.positions(), kept);
    assert!(kept < plies);
}

#[test]
fn older_recipes_mean_what_they_meant() {
    let old = "name = 'x'\nseed = 1\n[data]\nfiles = ['g']\nfilter = { most = 900, first = 3 }\n\
               [network]\nhidden = 64\noutputs = 8\n\
               [training]\nepochs = 2\nrate = 0.002\nfinal_rate = 0.0001\nlambda = 0.3\nrun = 8";
    let new = "name = 'x'\nseed = 1\n[data]\nfiles = ['g']\n\
               filter = { max_score = 900, skip_plies = 3 }\n\
               [network]\nhidden = 64\noutput_buckets = 8\n\
               [training]\nepochs = 2\nlearning_rate = 0.002\nfinal_learning_rate = 0.0001\n\
               wdl = 0.3\nrun_length = 8";
    assert_eq!(Recipe::parse(old).unwrap(), Recipe::parse(new).unwrap());
    let both = Recipe::parse(&new.replace("wdl = 0.3", "wdl = 0.3\nlambda = 0.3"));
    assert!(both.unwrap_err().to_string().contains("duplicate field `wdl`"));
}

#[test]
fn games_in_two_files_are_refused() {
    let folder = Folder::new("doubled");
    fs::copy(folder.0.join("games"), folder.0.join("copy")).unwrap();
    let mut doubled = recipe("");
    doubled.data.files.push("copy".into());
    let error = folder.train(&doubled, false, go_on).unwrap_err().to_string();
    assert!(error.ends_with("copy: the games are also in games"), "{error}");

    // Made in another way, or of other numbers, they are others.
    for (name, description, skip) in [("other", "toys", 0), ("further", "toy", 60)] {
        let mut writer = Writer::create(&folder.0.join(name), description).unwrap();
        writer.begin_at(skip);
        writer.write(&games(9, 5)).unwrap();
        let mut both = recipe("");
        both.data.files.push(name.into());
        assert!(folder.train(&both, false, go_on).is_ok(), "{name}");
    }
}

#[test]
fn values_spread_as_widely_as_those_of_the_network_to_match() {
    let folder = Folder::new("spread");
    let mean_size = |parameters: &Parameters| {
        let network = Arc::new(Network::new(parameters).unwrap());
        let (mut sum, mut count) = (0.0, 0);
        for game in games(8, 60) {
            game.replay(|position, ply| {
                let captures = position.piece_at(ply.mv.to()).is_some();
                if ply.score.abs() <= 600 && !position.in_check() && !captures {
                    sum += f64::from(Nnue::value(&network, position).abs());
                    count += 1;
                }
            });
        }
        sum / f64::from(count)
    };
    let first = network(folder.train(&recipe(""), false, go_on).unwrap());
    assert!((first.report.spread_factor - 1.0).abs() < f64::EPSILON);
    let mut wide = first.parameters.clone();
    wide.shape.scale *= 3;
    fs::write(folder.0.join("wide"), wide.to_bytes()).unwrap();
    let mut like = recipe("");
    (like.seed, like.data.held_out) = (6, 2);
    like.network.spread_like = Some("wide".into());
    let second = network(folder.train(&like, false, go_on).unwrap());
    assert!(second.report.spread_factor > 1.5);
    let (one, other) = (mean_size(&wide), mean_size(&second.parameters));
    assert!((one / other - 1.0).abs() < 0.15, "{one} {other}");
    like.network.spread_like = Some("none".into());
    let error = folder.train(&like, false, go_on).unwrap_err().to_string();
    assert!(error.starts_with("spread_like: "), "{error}");
}

#[test]
fn what_a_network_to_start_from_knows_is_known_from_the_first_step() {
    let folder = Folder::new("start");
    let first = network(folder.train(&recipe(""), false, go_on).unwrap());
    fs::write(folder.0.join("known"), first.parameters.to_bytes()).unwrap();
    let losses = |recipe: &Recipe| network(folder.train(recipe, false, go_on).unwrap()).history[0];
    let mut on = recipe("");
    on.training.epochs = 1;
    // The same values are other outputs then.
    on.network.scale /= 2;
    let anew = losses(&on);
    on.network.start_from = Some("known".into());
    let onward = losses(&on);
    assert!(onward.learned < 0.9 * anew.learned, "{onward:?} {anew:?}");
    let error = |recipe: &Recipe| folder.train(recipe, false, go_on).unwrap_err().to_string();
    on.network.hidden *= 2;
    assert!(error(&on).contains("known: it is 689 -> "), "{}", error(&on));
    on.network.start_from = Some("none".into());
    assert!(error(&on).starts_with("start_from: "), "{}", error(&on));
}

#[test]
fn the_last_epochs_are_of_the_last_file_alone() {
    let folder = Folder::new("newest");
    let mut writer = Writer::create(&folder.0.join("newest"), "another").unwrap();
    writer.write(&games(11, 10)).unwrap();
    let mut both = recipe("newest_epochs = 1");
    both.training.batch = 64;
    both.data.files.push("newest".into());
    let batches = |recipe: &Recipe| {
        let mut batches = [0; 3];
        let tell = |event| {
            if let TrainEvent::Batch { epoch, .. } = event {
                batches[epoch as usize - 1] += 1;
            }
            ControlFlow::Continue(())
        };
        folder.train(recipe, false, tell).unwrap();
        batches
    };
    let [first, second, last] = batches(&both);
    assert!(first == second && last * 4 < first, "{first} {second} {last}");
}

#[test]
fn averaged_weights_are_the_mean_of_those_passed_through() {
    let mut state = checkpoint::Checkpoint::begin(model::Model::random(&shape(32, 1), 1));
    for number in [1.0, 2.0, 6.0] {
        state.model.numbers.fill(number);
        state.count_for_average();
    }
    assert!(state.average.numbers.iter().all(|number| (number - 3.0).abs() < 1e-6));
}

#[test]
fn a_report_has_every_position_held_out_once() {
    let folder = Folder::new("report");
    let report = network(folder.train(&recipe(""), false, go_on).unwrap()).report;
    let men: Vec<_> = report.phases.iter().map(|phase| (phase.least, phase.most)).collect();
    assert_eq!(men, [(2, 8), (9, 14), (15, 20), (21, 26), (27, 255)]);
    let (mut sets, archive) =
        (<[Dataset; 2]>::default(), Archive::open(&folder.0.join("games")).unwrap());
    let go_on = &mut |_| ControlFlow::Continue(());
    assert!(Dataset::split(&mut sets, (0, &archive), &recipe(""), go_on).unwrap().is_continue());
    let positions: u64 = report.phases.iter().map(|phase| phase.positions).sum();
    assert_eq!(positions, sets[1].positions() as u64);
    assert!(report.phases.iter().all(|phase| (0.0..=1.0).contains(&phase.off_scores)));
}

#[test]
fn results_count_after_the_last_random_move_alone() {
    let labels = |random: &[usize], unmarked| {
        let mut game = games(12, 1).remove(0);
        game.winner = Some(Color::Red);
        for &ply in random {
            game.plies[ply].random = true;
        }
        let all = PositionFilter {
            checks: false,
            captures: false,
            repeated: false,
            max_score: i16::MAX,
            skip_plies: 0,
        };
        let (mut part, mut results) = (Part::default(), Vec::new());
        part.add(&game, &all, 16, unmarked);
        for_runs(&packed(part), |run| {
            results.extend(run.labels.iter().map(|label| label.result()));
        });
        results
    };
    let without = |labels: Vec<Option<f32>>| labels.iter().filter(|label| label.is_none()).count();
    assert_eq!(without(labels(&[], 0)), 0);
    assert_eq!(without(labels(&[3], 0)), 4);
    assert_eq!(without(labels(&[3, 9], 0)), 10);
    assert_eq!(without(labels(&[], 8)), 8);
    assert!(labels(&[3, 9], 0)[..10].iter().all(Option::is_none));
    let results: Vec<_> = labels(&[], 0).into_iter().flatten().collect();
    let alternate = |pair: &[f32]| (pair[0] + pair[1] - 1.0).abs() < 1e-6;
    assert!(results.windows(2).all(alternate));
}

#[test]
fn a_position_left_at_random_is_none_whose_best_move_is_known() {
    let mut game = games(13, 1).remove(0);
    let mut part = Part::default();
    let all = part.add(&game, &PositionFilter::default(), 16, 0);
    game.plies.iter_mut().for_each(|ply| ply.random = true);
    assert!(all > 10 && part.add(&game, &PositionFilter::default(), 16, 0) == 0);
}

/// Games in which kings cross the central file and composed men stand where none could.
fn odd_games() -> Vec<Game> {
    let mut rng = SplitMix64::new(21);
    let starts = [
        "4k4/9/9/9/4c4/9/9/8C/4A4/3K5 w",
        "3k5/3a5/9/9/2n6/9/4P4/9/P3A4/4K2R1 w",
        "2bakr3/3n5/b8/p3C4/9/6N2/2p5P/B8/4A4/5K3 w",
    ];
    let mut game = |fen: &str| {
        let start = Position::from_fen(fen).unwrap();
        let (mut position, mut plies) = (start.clone(), Vec::new());
        for _ in 0..120 {
            let moves = position.legal_moves();
            let kings: Vec<_> =
                moves.iter().filter(|mv| mv.from() == position.king(position.side())).collect();
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            let walk = rng.below(3) > 0 && !kings.is_empty();
            let mv = if walk { *kings[rng.below(kings.len())] } else { mv };
            position.make(mv, &mut Unobserved);
            let (score, random) = (rng.below(4_000) as i16 - 2_000, rng.below(8) == 0);
            plies.push(Ply { mv, score, random });
        }
        Game { start, opening: Vec::new(), plies, winner: None, end: EndReason::Rule }
    };
    starts.iter().map(|fen| game(fen)).collect()
}

#[test]
fn packed_runs_give_back_every_position() {
    use crate::eval::nnue::features::active;
    for run in [1, 3, 16, 4_096] {
        for game in odd_games().iter().chain(&games(14, 8)) {
            for filter in [
                PositionFilter::default(),
                PositionFilter {
                    checks: false,
                    captures: false,
                    repeated: false,
                    max_score: i16::MAX,
                    skip_plies: 5,
                },
            ] {
                let mut part = Part::default();
                let kept = part.add(game, &filter, run, 0);
                let mut wanted = Vec::new();
                let (mut seen, mut ply_number) = (Vec::new(), 0);
                game.replay(|position, ply| {
                    ply_number += 1;
                    let repeated = filter.repeated && seen.contains(&position.key());
                    seen.push(position.key());
                    let noisy =
                        filter.captures && (ply.random || position.piece_at(ply.mv.to()).is_some());
                    let check = filter.checks && position.in_check();
                    if ply_number > filter.skip_plies
                        && !repeated
                        && !noisy
                        && !check
                        && ply.score.abs() <= filter.max_score
                    {
                        let inputs = Color::ALL.map(|color| {
                            let mut inputs = active(position, color).to_vec();
                            inputs.sort_unstable();
                            inputs
                        });
                        wanted.push((inputs, ply.score, Census::of(position), position.side()));
                    }
                });
                assert_eq!(kept, wanted.len());
                let mut found = Vec::new();
                for_runs(&packed(part), |run| {
                    let mut on: [Vec<u16>; 2] = Default::default();
                    for (changes, label) in run.changes().zip(run.labels) {
                        for (on, [ons, offs]) in on.iter_mut().zip(changes) {
                            for off in offs {
                                on.swap_remove(on.iter().position(|one| one == off).unwrap());
                            }
                            on.extend(ons);
                            on.sort_unstable();
                        }
                        found.push((on.clone(), label.score, label.census, label.side()));
                    }
                });
                assert!(found == wanted, "runs of {run}: {}", game.start.fen());
            }
        }
    }
}

#[test]
fn a_position_takes_about_seven_bytes() {
    // Games as they are: quiet moves mostly, few gaps.
    let games = games(15, 40);
    let set = dataset(&games, 16);
    assert!(set.bytes() < 9 * set.positions(), "{} {}", set.bytes(), set.positions());
}
