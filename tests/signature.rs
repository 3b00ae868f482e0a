//! A new game knows nothing of the last one, and the bench searches alike whatever it runs on.

use std::sync::{Arc, mpsc};

use chuhe::{
    engine::{Engine, Event, GoRequest, bench},
    eval::{
        Network,
        nnue::{Parameters, Shape},
    },
    search::Signals,
    simd::Kernels,
};

#[test]
fn a_new_game_repeats_the_first_to_the_node() {
    let (tell, events) = mpsc::channel();
    let mut engine = Engine::new(move |event| {
        // The engine outlives the test's interest in what it says.
        let _ = tell.send(event);
    });
    let mut game = || -> Vec<u64> {
        engine.new_game();
        let moves = ["h2e2", "h9g7", "h0g2", "i9h9"];
        (0..=moves.len())
            .map(|played| {
                engine.set_position(None, &moves[..played]).unwrap();
                engine.go(GoRequest { depth: Some(7), ..GoRequest::default() });
                let nodes = |event| if let Event::Best(o) = event { Some(o.nodes) } else { None };
                events.iter().find_map(nodes).unwrap()
            })
            .collect()
    };
    assert_eq!(game(), game());
}

#[test]
fn every_kind_of_processor_searches_alike() {
    let network = Network::new(&Parameters::made_up(Shape::by_men(64, 8, 400), 1));
    let network = network.unwrap();
    let nodes = |kernels| {
        let network = network.clone().with_kernels(kernels);
        bench::run_by(Some(Arc::new(network)), 5, &Signals::new(), |_, _| {})
            .expect("not stopped")
            .nodes
    };
    let plain = nodes(Kernels::SCALAR);
    for kernels in Kernels::available() {
        assert_eq!(nodes(kernels), plain, "{}", kernels.name());
    }
    assert_ne!(
        plain,
        bench::run_by(None, 5, &Signals::new(), |_, _| {}).expect("not stopped").nodes,
        "the network is not asked"
    );
}
