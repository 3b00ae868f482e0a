//! The course of training as a picture (SVG). Knows losses, nothing of where they come from.

use std::fmt::Write;

use super::checkpoint::Losses;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Room for the numbers beside the axes.
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 45.0;

/// Both losses by epochs, on a logarithmic scale.
pub fn svg(title: &str, history: &[Losses]) -> String {
    let losses = || history.iter().flat_map(|epoch| [epoch.learned, epoch.held_out]);
    let known = |loss: &f64| *loss > 0.0 && loss.is_finite();
    let least = losses().filter(known).fold(f64::MAX, f64::min).min(1.0).ln();
    let most = losses().filter(known).fold(f64::MIN_POSITIVE, f64::max).ln().max(least + 0.01);
    let epochs = history.len().max(2) - 1;
    let x = |epoch: usize| LEFT + (WIDTH - LEFT - RIGHT) * epoch as f64 / epochs as f64;
    let y = |log: f64| TOP + (HEIGHT - TOP - BOTTOM) * (most - log) / (most - least);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    let mut write = |text: String| svg.push_str(&text);
    for step in 0..=4 {
        let log = least + (most - least) * f64::from(step) / 4.0;
        let (at, right) = (y(log), WIDTH - RIGHT);
        write(format!(
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{:.6}</text>\n",
            LEFT - 6.0,
            at + 4.0,
            log.exp()
        ));
    }
    let every = history.len().div_ceil(12).max(1);
    for epoch in (0..history.len()).step_by(every) {
        write(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
            x(epoch),
            HEIGHT - BOTTOM + 18.0,
            epoch + 1
        ));
    }
    for (at, (name, color)) in
        [("learned from", "#1f77b4"), ("held out", "#d62728")].into_iter().enumerate()
    {
        let loss = |losses: &Losses| [losses.learned, losses.held_out][at];
        let mut points = String::new();
        for (epoch, losses) in history.iter().enumerate().filter(|(_, one)| known(&loss(one))) {
            let _ = write!(points, "{:.1},{:.1} ", x(epoch), y(loss(losses).ln()));
        }
        write(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{color}\">{name}</text>\n",
            points.trim_end(),
            WIDTH - 110.0,
            TOP + 14.0 + 16.0 * at as f64
        ));
    }
    let (middle, low) = (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 8.0);
    write(format!(
        "<text x=\"{middle}\" y=\"{low}\" text-anchor=\"middle\">epoch</text>\n</svg>\n"
    ));
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(count: usize) -> Vec<Losses> {
        let at = |epoch| 0.01 / f64::from(epoch as u32 + 1);
        (0..count).map(|epoch| Losses { learned: at(epoch), held_out: 1.1 * at(epoch) }).collect()
    }

    #[test]
    fn every_epoch_is_a_point_of_both_curves_inside_the_picture() {
        for count in [1, 2, 40] {
            let svg = svg("a & b", &history(count));
            let curves: Vec<_> = svg.split("points=\"").skip(1).collect();
            assert_eq!(curves.len(), 2);
            for curve in curves {
                let points: Vec<_> = curve.split('"').next().unwrap().split(' ').collect();
                assert_eq!(points.len(), count);
                for point in points {
                    let (x, y) = point.split_once(',').unwrap();
                    let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                    assert!((LEFT..=WIDTH).contains(&x) && (TOP..=HEIGHT).contains(&y), "{point}");
                }
            }
            assert!(svg.contains("a &amp; b") && svg.ends_with("</svg>\n"));
        }
    }

    #[test]
    fn what_is_no_number_is_no_point() {
        let svg = svg("", &[Losses { learned: f64::NAN, held_out: f64::INFINITY }]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(!super::svg("", &[]).contains("NaN"));
    }
}
