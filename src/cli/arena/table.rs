//! How a match stands, in words for people. Knows what to show, not how it came about.

use std::fmt::Write;

use crate::arena::{
    Score, Standings,
    elo::{Estimate, Interval},
    sprt::{Decision, Sprt},
};

/// One line for each pairing, a ranking when there are several, and the test.
pub(super) fn render(names: &[String], standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    if names.len() > 2 {
        text += &ranking(names, standings);
    }
    for (&(first, second), score) in &standings.scores {
        line(&mut text, format_args!("{} - {}: {}", names[first], names[second], verdict(score)));
    }
    if let (Some(sprt), Some(score)) = (sprt, standings.scores.values().next()) {
        line(&mut text, format_args!("{}", test(sprt, score)));
    }
    text
}

/// What ended the games, and whose faults did; nothing of no games.
pub(super) fn endings(names: &[String], standings: &Standings) -> String {
    let mut text = String::new();
    if standings.total() == 0 {
        return text;
    }
    let kinds = standings.terminations.iter();
    let kinds: Vec<_> =
        kinds.map(|(termination, count)| format!("{} {count}", termination.name())).collect();
    line(&mut text, format_args!("endings: {}", kinds.join(", ")));
    let red = 50.0 * standings.red_half_points as f64 / standings.total() as f64;
    line(&mut text, format_args!("red scored {red:.1} %"));
    for (&player, count) in &standings.faults {
        line(&mut text, format_args!("{} lost {count} by time or a fault", names[player]));
    }
    text
}

fn put(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("invariant: a string takes whatever is written to it");
}

fn line(text: &mut String, what: std::fmt::Arguments) {
    put(text, what);
    text.push('\n');
}

fn verdict(score: &Score) -> String {
    let [lost, drawn, won] = score.games;
    let mut text = format!("{won} won, {drawn} drawn, {lost} lost of {}", score.total());
    if score.pairs.iter().sum::<u64>() > 0 {
        let pairs = score.pairs.map(|count| count.to_string()).join(", ");
        put(&mut text, format_args!("; pairs [{pairs}]"));
    }
    if score.distinct() < score.total() {
        let (distinct, pairs) = (score.distinct(), score.distinct_pairs.iter().sum::<u64>());
        put(&mut text, format_args!("; {distinct} of {} games are distinct", score.total()));
        if pairs > 0 {
            put(&mut text, format_args!(", {pairs} pairs count"));
        }
    }
    match Estimate::of(&score.outcomes()) {
        Some(estimate) => {
            let (elo, nelo) = (interval(estimate.elo), interval(estimate.nelo));
            let superiority = 100.0 * estimate.superiority;
            put(&mut text, format_args!("; Elo {elo}, nElo {nelo}, LOS {superiority:.1} %"));
        }
        None => text += "; too few to tell",
    }
    text
}

fn interval(interval: Interval) -> String {
    let Interval { value, low, high } = interval;
    let half = (high - low) / 2.0;
    if half.is_finite() {
        // No lead is none of the other one.
        format!("{:+.1} ± {half:.1}", value + 0.0)
    } else if value.is_finite() {
        format!("{value:+.1} ({low:+.1} to {high:+.1})")
    } else if value < 0.0 {
        format!("below {high:+.1}")
    } else {
        format!("above {low:+.1}")
    }
}

fn test(sprt: &Sprt, score: &Score) -> String {
    let outcomes = score.outcomes();
    let (low, high) = sprt.bounds();
    let decision = match sprt.decision(&outcomes) {
        Decision::Undecided => "undecided",
        Decision::Passed => "passed",
        Decision::Failed => "failed",
    };
    let far = match sprt.far_outside(&outcomes) {
        Decision::Undecided => "",
        Decision::Passed => ", far above both",
        Decision::Failed => ", far below both",
    };
    format!("SPRT {sprt}: LLR {:.2} ({low:.2}, {high:.2}){far}, {decision}", sprt.llr(&outcomes))
}

fn ranking(names: &[String], standings: &Standings) -> String {
    let mut rows: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(player, name)| (name, standings.of_player(player)))
        .map(|(name, score)| {
            let [_, drawn, won] = score.games;
            (name, score.total(), won as f64 + drawn as f64 / 2.0)
        })
        .collect();
    rows.sort_by(|a, b| b.2.total_cmp(&a.2));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (place, (name, games, points)) in (1..).zip(rows) {
        let share = match games {
            0 => "-".to_owned(),
            _ => format!("{:.1} %", 100.0 * points / games as f64),
        };
        line(
            &mut text,
            format_args!("{place:>3}. {name:<width$} {points:>8.1} of {games} ({share})"),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_the_numbers_say() {
        let score = Score {
            games: [90, 190, 160],
            pairs: [10, 30, 100, 60, 20],
            distinct_games: [90, 190, 160],
            distinct_pairs: [10, 30, 100, 60, 20],
        };
        let text = verdict(&score);
        assert!(
            text.starts_with("160 won, 190 drawn, 90 lost of 440; pairs [10, 30, 100, 60, 20]")
        );
        assert!(text.contains("Elo +39.7 ±") && text.contains("LOS "), "{text}");
        let test = test(&Sprt::new(0.0, 5.0), &score);
        assert!(test.starts_with("SPRT [0, 5]: LLR ") && test.ends_with(", undecided"), "{test}");
    }

    #[test]
    fn copies_and_one_sided_results_are_told_as_what_they_are() {
        let score = Score {
            games: [80, 0, 0],
            pairs: [40, 0, 0, 0, 0],
            distinct_games: [30, 0, 0],
            distinct_pairs: [15, 0, 0, 0, 0],
        };
        let text = verdict(&score);
        let words =
            "; pairs [40, 0, 0, 0, 0]; 30 of 80 games are distinct, 15 pairs count; Elo below ";
        assert!(text.contains(words), "{text}");
        let test = test(&Sprt::new(0.0, 5.0), &score);
        assert!(test.ends_with(", far below both, failed"), "{test}");
    }

    #[test]
    fn nothing_is_claimed_of_no_games() {
        assert_eq!(verdict(&Score::default()), "0 won, 0 drawn, 0 lost of 0; too few to tell");
        let names = ["a", "b", "c"].map(String::from);
        let none = Standings::default();
        assert_eq!(endings(&names, &none), "");
        assert!(ranking(&names, &none).starts_with("  1. a      0.0 of 0 (-)\n"));
    }
}
