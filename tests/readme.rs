//! What the README says of the options and the modules is what there is.

use std::{fs, path::Path};

use chuhe::{
    book::Book,
    engine::{Engine, OptionKind, OptionSpec},
    search::Parameter,
};

const README: &str = include_str!("../README.md");

/// The row of an option in the README's table, up to what it does.
fn row(option: &OptionSpec) -> String {
    let name = |name: Option<&str>| name.map_or(String::new(), |name| format!("`{name}` "));
    let takes = match option.kind {
        OptionKind::Button => "button".into(),
        OptionKind::Check { default } => format!("check, {}", if default { "on" } else { "off" }),
        OptionKind::Spin { default, min, max } => format!("{min} to {max}, {default}"),
        OptionKind::Combo { default, values } => format!("{}; {default}", values.join(", ")),
        OptionKind::Text { default } => format!("text, `{default}`"),
    };
    format!("| {}| {}| {takes} | ", name(option.uci), name(option.ucci))
}

#[test]
fn every_option_is_described() {
    // Numbers of the search are options only where they are tuned.
    let tuned = |option: &&OptionSpec| {
        Parameter::TABLE.iter().any(|parameter| Some(parameter.name) == option.uci)
    };
    for option in Engine::options().iter().filter(|option| !tuned(option)) {
        if option.uci.is_some() || option.ucci.is_some() {
            let row = row(option);
            assert!(README.contains(&row), "the README has no row that begins\n{row}");
        }
        for name in option.also {
            assert!(README.contains(&format!("`{name}`")), "the README is silent on {name}");
        }
    }
}

#[test]
fn every_module_is_described() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).expect("a folder of sources") {
        let path = entry.expect("a source").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a readable name");
        let described = README.contains(&format!("\n| `{name}` | "));
        assert!(described || !path.is_dir(), "the README has no row for src/{name}");
    }
}

#[test]
fn the_book_is_as_large_as_is_said_and_made_by_the_network_that_is_named() {
    let book = Book::built_in();
    let grouped = |count: usize| match count {
        0..1_000 => count.to_string(),
        _ => format!("{},{:03}", count / 1_000, count % 1_000),
    };
    let positions = format!("{} positions", grouped(book.positions().expect("a count")));
    let moves = format!("{} moves", grouped(book.moves().expect("a count")));
    let made = include_str!("../book/README.md");
    assert!(README.contains(&format!("One of {positions} is built in")), "{positions}");
    assert!(made.contains(&positions) && made.contains(&moves), "{positions} and {moves}");
    let maker = book.description().lines().find_map(|line| line.strip_prefix("network = "));
    let maker = maker.expect("the network that made it").trim_matches('"');
    assert!(made.contains(&format!("n6 ({maker})")), "{maker}");
}
