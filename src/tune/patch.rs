//! What was found, as a patch of the table of the search's numbers. Knows the table's text.

use std::fmt::Write;

use super::spsa::Spsa;

/// Where the table is.
const FILE: &str = "src/search/params.rs";
const TABLE: &str = include_str!("../search/params.rs");
/// Lines around a change.
const CONTEXT: usize = 3;

/// A unified diff that gives the table the values found, rounded; empty when none differs.
///
/// # Panics
/// Never: whatever is tuned is in the table.
pub fn patch(spsa: &Spsa) -> String {
    let old: Vec<_> = TABLE.lines().collect();
    let mut new: Vec<String> = old.iter().map(|&line| line.into()).collect();
    for (tunable, value) in spsa.tunables().iter().zip(spsa.values()) {
        let head = format!("    {} = ", tunable.name);
        let line = new.iter_mut().find(|line| line.starts_with(&head));
        let line = line.expect("invariant: whatever is tuned is in the table");
        let rest = line[head.len()..].split_once(',').map_or("", |(_, rest)| rest);
        let value = grouped(value.round() as i32);
        // Nothing but a value that differs is written anew.
        if line[head.len()..].split(',').next() != Some(&value) {
            *line = format!("{head}{value},{rest}");
        }
    }
    let changed: Vec<_> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
    let (Some(first), Some(last)) = (changed.first(), changed.last()) else {
        return String::new();
    };
    let (from, to) = (first.saturating_sub(CONTEXT), (last + CONTEXT + 1).min(old.len()));
    let count = to - from;
    let mut text =
        format!("--- a/{FILE}\n+++ b/{FILE}\n@@ -{0},{count} +{0},{count} @@\n", from + 1);
    for at in from..to {
        let _ = if old[at] == new[at] {
            writeln!(text, " {}", old[at])
        } else {
            writeln!(text, "-{}\n+{}", old[at], new[at])
        };
    }
    text
}

/// A number as the table has it: five digits and more are parted by threes.
fn grouped(value: i32) -> String {
    if value.abs() < 10_000 {
        return value.to_string();
    }
    format!("{}_{:03}", value / 1000, (value % 1000).abs())
}
