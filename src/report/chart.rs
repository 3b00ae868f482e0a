//! Small drawings of numbers. Knows no match.

use std::fmt::Write;

use super::escape::Text;
use crate::arena::elo::Interval;

/// An estimate with its range, on an axis that reaches so far to both sides.
pub(super) fn whisker(Interval { value, low, high }: Interval, reach: f64) -> String {
    let x = |elo: f64| 100.0 + 96.0 * (elo / reach).clamp(-1.0, 1.0);
    format!(
        "<svg viewBox=\"0 0 200 22\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path \
         class=\"ax\" d=\"M100 1V21\"/><path class=\"rng\" d=\"M{:.1} 11H{:.1}\"/><rect \
         class=\"mean\" x=\"{:.1}\" y=\"5\" width=\"3\" height=\"12\"/></svg>",
        x(low),
        x(high),
        x(value) - 1.5
    )
}

/// A part of the whole as a bar.
pub(super) fn part(share: f64) -> String {
    format!(
        "<svg viewBox=\"0 0 200 22\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect \
         class=\"mean\" y=\"7\" width=\"{:.1}\" height=\"8\" rx=\"2\"/></svg>",
        200.0 * share
    )
}

/// A line over the games of a match, between `-reach` and `reach`, with a range and level lines.
pub(super) fn graph(
    title: &str,
    games: usize,
    reach: f64,
    band: &[(usize, f64)],
    line: &[(usize, f64)],
    levels: &[f64],
) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 150.0;
    let x = |count: usize| 44.0 + (WIDTH - 48.0) * count as f64 / games.max(1) as f64;
    let y = |value: f64| HEIGHT * (0.5 - 0.46 * (value / reach).clamp(-1.0, 1.0));
    let path = |points: &[(usize, f64)]| {
        let points: Vec<_> = points
            .iter()
            .map(|&(count, value)| format!("{:.1} {:.1}", x(count), y(value)))
            .collect();
        points.join("L")
    };
    let mut svg = format!(
        "<section><h3>{0}</h3><svg class=\"curve graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"{0}\">",
        Text(title)
    );
    if !band.is_empty() {
        let _ = write!(svg, "<path class=\"c-d\" d=\"M{}z\"/>", path(band));
    }
    for &level in levels {
        let at = y(level);
        let _ = write!(
            svg,
            "<path class=\"mid\" d=\"M44 {at:.1}H{WIDTH}\"/><text class=\"tick\" x=\"40\" \
             y=\"{:.1}\">{level:.1}</text>",
            at + 4.0
        );
    }
    let _ = write!(svg, "<path class=\"line\" d=\"M{}\"/>", path(line));
    if let Some(&(_, value)) = line.last() {
        let _ = write!(
            svg,
            "<text class=\"tick end\" x=\"{WIDTH}\" y=\"{:.1}\">{:+.1}</text>",
            (y(value) - 8.0).max(11.0),
            // No sign before nothing.
            if value.abs() < 0.05 { 0.0 } else { value }
        );
    }
    svg + "</svg></section>\n"
}
