//! A picture (SVG) of how the numbers went, a panel each. Knows nothing of what they mean.

use std::fmt::Write;

use super::spsa::Tunable;

const COLUMNS: usize = 4;
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 120.0;
const MARGIN: f64 = 24.0;
/// More points than this do not show.
const POINTS: usize = 400;

/// Draws the values at first and after each iteration. A panel is as high as the part of the range
/// that the number has been to, and a step more; its title tells from where it went and how far.
pub fn plot(tunables: &[Tunable], course: &[Vec<f64>]) -> String {
    let rows = tunables.len().div_ceil(COLUMNS).max(1);
    let (width, height) = (COLUMNS as f64 * WIDTH, rows as f64 * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, tunable) in tunables.iter().enumerate() {
        let values = || course.iter().filter_map(move |values| values.get(index).copied());
        let now = values().next_back().unwrap_or(tunable.start);
        let low = values().fold(tunable.start, f64::min) - tunable.step;
        let high = values().fold(tunable.start, f64::max) + tunable.step;
        let left = (index % COLUMNS) as f64 * WIDTH + MARGIN / 2.0;
        let top = (index / COLUMNS) as f64 * HEIGHT + MARGIN;
        let (inner_width, inner_height) = (WIDTH - MARGIN, HEIGHT - 1.5 * MARGIN);
        let y = |value: f64| top + inner_height * (high - value) / (high - low).max(1e-9);
        let every = course.len().div_ceil(POINTS).max(1);
        let last = course.len().saturating_sub(1);
        let mut line = String::new();
        for (at, value) in values().enumerate() {
            if at % every == 0 || at == last {
                let x = left + inner_width * at as f64 / last.max(1) as f64;
                let _ = write!(line, "{x:.1},{:.1} ", y(value));
            }
        }
        let (title, right) = (top - 4.0, left + inner_width);
        let (name, start, begin) = (&tunable.name, tunable.start, y(tunable.start));
        let _ = writeln!(
            svg,
            "<g><text x=\"{left}\" y=\"{title}\">{name} {start} \u{2192} {now:.1}</text>\
             <rect x=\"{left}\" y=\"{top}\" width=\"{inner_width}\" height=\"{inner_height}\" \
             fill=\"none\" stroke=\"#ccc\"/>\
             <line x1=\"{left}\" x2=\"{right}\" y1=\"{begin:.1}\" y2=\"{begin:.1}\" \
             stroke=\"#bbb\" stroke-dasharray=\"3\"/>\
             <polyline fill=\"none\" stroke=\"#06c\" points=\"{}\"/></g>",
            line.trim_end(),
        );
    }
    svg + "</svg>\n"
}
