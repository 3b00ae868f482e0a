//! The chances over a game as a drawing that one can click: Red's from below, Black's from above,
//! draws between them. Each ply is a link to its move, so that it works without a script.

use std::fmt::Write;

use super::{
    escape::Text,
    remark,
    words::{self, of},
};
use crate::{
    analysis::{GameReport, expected},
    rules::Language,
    types::Color,
};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 150.0;

/// The curve of a game.
pub(super) fn curve(report: &GameReport, language: Language) -> String {
    let count = report.plies.len();
    let x = |ply: usize| WIDTH * ply as f64 / count.max(1) as f64;
    let y = |share: f64| HEIGHT * (1.0 - share);
    let label = of(
        language,
        "Chances over the game: Red's from below, Black's from above; the line is what they are \
         worth to Red, a draw counting half.",
        "全局形势曲线：下为红胜，上为黑胜，中为和棋；曲线为红方期望得分（和棋算半分）。",
    );
    let mut svg = format!(
        "<svg class=\"curve\" viewBox=\"-4 -4 {} {}\" role=\"group\" aria-label=\"{}\">\
         <rect class=\"c-b\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>",
        WIDTH + 8.0,
        HEIGHT + 8.0,
        Text(label)
    );
    let band = |share: &dyn Fn([u32; 3]) -> f64| {
        let mut path = format!("M0 {HEIGHT}");
        for ply in 0..=count {
            let share = share(report.evaluation(ply).chances);
            let _ = write!(path, "L{:.1} {:.1}", x(ply), y(share));
        }
        let _ = write!(path, "L{WIDTH} {HEIGHT}z");
        path
    };
    let not_black = band(&|[red, draw, _]| f64::from(red + draw) / 1000.0);
    let red = band(&|[red, ..]| f64::from(red) / 1000.0);
    let _ = write!(svg, "<path class=\"c-d\" d=\"{not_black}\"/><path class=\"c-r\" d=\"{red}\"/>");
    let _ = write!(svg, "<path class=\"mid\" d=\"M0 {0}H{WIDTH}\"/>", HEIGHT / 2.0);
    let worth = |ply: usize| expected(report.evaluation(ply).chances, Color::Red) / 100.0;
    let points: Vec<_> =
        (0..=count).map(|ply| format!("{:.1} {:.1}", x(ply), y(worth(ply)))).collect();
    let _ = write!(svg, "<path class=\"line\" d=\"M{}\"/>", points.join("L"));
    let _ = write!(svg, "<path class=\"now\" d=\"M0 0V{HEIGHT}\"/>");
    for (at, ply) in (1..).zip(&report.plies) {
        if let Some(mark) = ply.mark.filter(|mark| mark.is_error()) {
            let (x, y) = (x(at), y(worth(at)));
            let class = remark::class(mark);
            let _ = write!(
                svg,
                "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"
            );
        }
    }
    // The links lie above all else.
    let half = x(1) / 2.0;
    for ply in 1..=count {
        let left = x(ply) - half;
        let wide = (2.0 * half).min(WIDTH - left);
        let evaluation = report.evaluation(ply);
        let _ = write!(
            svg,
            "<a href=\"#g{0}p{ply}\" data-p=\"{ply}\" tabindex=\"-1\" aria-hidden=\"true\"><rect \
             class=\"hit\" x=\"{left:.1}\" width=\"{wide:.1}\" height=\"{HEIGHT}\"><title>{1} \
             {2} {3}%</title></rect></a>",
            report.number,
            Text(&remark::numbered(report, ply)),
            words::side(language, Color::Red),
            words::worth(evaluation, Color::Red),
        );
    }
    svg + "</svg>"
}
