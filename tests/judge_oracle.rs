//! The slow rules of repetition against the known verdicts.

mod common;

use common::{cases::cases, slow_rules::SlowRules};

#[test]
fn the_slow_rules_know_every_chinese_verdict_and_label() {
    let rules = SlowRules::new(3, 3, true);
    let chinese = cases().into_iter().filter(|case| case.ruleset == "Chinese");
    for case in chinese.filter(|case| case.kind.is_none()) {
        let ruling = rules.ruling(&case.start, &case.moves).expect(&case.id);
        let verdict = match ruling.loser_is_red {
            Some(true) => "red loses",
            Some(false) => "black loses",
            None => "draw",
        };
        assert_eq!(verdict, case.verdict, "{}", case.id);
        let labels: Vec<_> =
            ruling.labels.iter().map(|(step, label)| format!("{step}:{label}")).collect();
        for label in &case.labels {
            assert!(labels.contains(label), "{}: {label} in {labels:?}", case.id);
        }
    }
}
