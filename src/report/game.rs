//! A game as a part of a page: board, curve, moves, what is to be said of it. Whole without a script.

use std::fmt::Write;

use super::{
    board::{Show, board},
    curve::curve,
    escape::Text,
    remark::{self, mover, numbered, remarks, round},
    viewer,
    words::{self, of},
};
use crate::{
    analysis::{GameReport, SideReport},
    position::Position,
    rules::Language,
    types::Color,
};

/// The names of the players, as far as they are known.
pub(super) fn players(report: &GameReport, language: Language) -> [String; 2] {
    let name = |tag: &str, side| {
        let known = report.tag(tag).map(str::trim).filter(|name| !name.is_empty() && *name != "?");
        known.map_or_else(|| words::side(language, side).to_owned(), str::to_owned)
    };
    [name("Red", Color::Red), name("Black", Color::Black)]
}

/// A game.
pub(super) fn game(report: &GameReport, language: Language) -> String {
    let positions = remark::positions(report);
    let number = report.number;
    let [red, black] = players(report, language);
    let mut html = format!(
        "<section class=\"game\" id=\"g{number}\" aria-labelledby=\"h{number}\">\n<header><h2 \
         id=\"h{number}\"><span class=\"side r\">{}</span> <span class=\"vs\">{}</span> <span \
         class=\"side b\">{}</span></h2>{}</header>\n<div class=\"cols\"><div class=\"left\">",
        Text(&red),
        report.result.token().replace('*', "–").replace("1/2", "½"),
        Text(&black),
        meta(report, language),
    );
    html += &stage(report, &positions, language);
    html += "</div><div class=\"right\">";
    html += &summary(report, language);
    html += &moves(report, language);
    html += "</div></div>";
    html += &turning_points(report, &positions, language);
    html += &notes(report, &positions, language);
    let data = viewer::data(report, &positions, language);
    let _ = writeln!(
        html,
        "<script type=\"application/json\" class=\"data\">{data}</script>\n</section>"
    );
    html
}

fn meta(report: &GameReport, language: Language) -> String {
    let known = |tag: &&str| !matches!(report.tag(tag), None | Some("" | "?" | "????.??.??"));
    let tags = ["Event", "Site", "Round", "Date", "Opening", "ECCO", "TimeControl"];
    let mut told: Vec<_> = tags
        .iter()
        .filter(|tag| known(tag))
        .filter_map(|tag| report.tag(tag))
        .map(|value| Text(value).to_string())
        .collect();
    told.push(words::result(language, report.result).into());
    let mut html = format!("<p class=\"meta\">{}</p>", told.join(" · "));
    if !report.preface.is_empty() {
        let _ = write!(html, "<p class=\"preface\">{}</p>", Text(&report.preface));
    }
    html
}

/// The board that can be moved, what it is worth, and the curve below it.
fn stage(report: &GameReport, positions: &[Position], language: Language) -> String {
    let at = viewer::opening_view(report).min(positions.len() - 1);
    let last = at.checked_sub(1).map(|ply| report.plies[ply].mv);
    let label = match at {
        0 => of(language, "The start", "开始局面").to_owned(),
        ply => format!("{} {}", of(language, "After", "局面："), numbered(report, ply)),
    };
    let red = words::worth(report.evaluation(at), Color::Red);
    let mut html = format!(
        "<div class=\"stage\"><div class=\"bar\" aria-hidden=\"true\"><i style=\"height:{red}%\">\
         </i></div>{}</div>",
        board(&positions[at], Show { last, ..Show::default() }, &label)
    );
    let button = |act: &str, sign: &str, name: &str| {
        format!(
            "<button type=\"button\" data-act=\"{act}\" aria-label=\"{name}\" title=\"{name}\">\
             {sign}</button>"
        )
    };
    html += "<div class=\"controls\">";
    for (act, sign, english, chinese) in [
        ("first", "«", "To the start (Home)", "回到开局（Home）"),
        ("back", "‹", "One move back (←)", "后退一步（←）"),
        ("next", "›", "One move on (→)", "前进一步（→）"),
        ("last", "»", "To the end (End)", "到终局（End）"),
        ("flip", "⇅", "Turn the board (F)", "翻转棋盘（F）"),
    ] {
        html += &button(act, sign, of(language, english, chinese));
    }
    html += "</div><div class=\"now\" aria-live=\"polite\"></div>";
    html += &curve(report, language);
    let _ = write!(
        html,
        "<p class=\"key\"><span class=\"sw c-r\"></span>{} <span class=\"sw c-d\"></span>{} <span \
         class=\"sw c-b\"></span>{}</p>",
        of(language, "Red wins", "红胜"),
        of(language, "draw", "和"),
        of(language, "Black wins", "黑胜")
    );
    html
}

fn summary(report: &GameReport, language: Language) -> String {
    let mut html = String::new();
    if report.sides.iter().any(|side| side.accuracy.is_some()) {
        html += &accuracies(report, language);
    }
    html + &facts(report, language)
}

fn accuracies(report: &GameReport, language: Language) -> String {
    let mut html = format!(
        "<table class=\"sum\"><thead><tr><th scope=\"col\"></th><th scope=\"col\">{}</th><th \
         scope=\"col\">?!</th><th scope=\"col\">?</th><th scope=\"col\">??</th></tr></thead><tbody>",
        of(language, "Accuracy", "准确率")
    );
    for side in [Color::Red, Color::Black] {
        let SideReport { accuracy, inaccuracies, mistakes, blunders, .. } =
            report.sides[side as usize];
        let accuracy = accuracy.map_or_else(|| "–".into(), |share| format!("{share:.1}%"));
        let class = if side == Color::Red { "r" } else { "b" };
        let _ = write!(
            html,
            "<tr><th scope=\"row\" class=\"side {class}\">{}</th><td><b>{accuracy}</b></td><td>\
             {inaccuracies}</td><td>{mistakes}</td><td>{blunders}</td></tr>",
            words::side(language, side)
        );
    }
    html + "</tbody></table>"
}

/// What there is to say of the game as a whole.
fn facts(report: &GameReport, language: Language) -> String {
    let mut facts = Vec::new();
    if report.book_plies > 0 {
        let (plies, left) = (report.book_plies, report.plies.get(report.book_plies));
        facts.push(match (language, left) {
            (Language::English, Some(_)) => {
                format!("In the book for {plies} plies; left it with {}", leaving(report, plies))
            }
            (Language::English, None) => format!("In the book throughout ({plies} plies)"),
            (Language::Chinese, Some(_)) => {
                format!("前{plies}着在开局库中，{}脱谱", leaving(report, plies))
            }
            (Language::Chinese, None) => format!("全部{plies}着均在开局库中"),
        });
    }
    if let Some(decided) = report.decided {
        let phase = words::phase(language, decided.phase);
        facts.push(match language {
            Language::English => {
                format!("Decided in the {phase}, by {}", numbered(report, decided.ply))
            }
            Language::Chinese => format!("胜负决于{phase}：{}", numbered(report, decided.ply)),
        });
    }
    for judged in &report.judged {
        let verdict = of(language, &judged.verdict, &judged.verdict_zh);
        let articles = judged.clauses.join("、");
        let claim = if judged.draw_claimable {
            of(language, "; a draw could be claimed", "，可提和")
        } else {
            ""
        };
        facts.push(match language {
            Language::English => format!(
                "After {}: {verdict}{claim} (articles {})",
                numbered(report, judged.ply),
                judged.clauses.join(", ")
            ),
            Language::Chinese => {
                format!("{}后：{verdict}{claim}（{articles}）", numbered(report, judged.ply))
            }
        });
    }
    let mut html = String::new();
    if !facts.is_empty() {
        html += "<ul class=\"facts\">";
        for fact in facts {
            let _ = write!(html, "<li>{}</li>", Text(&fact));
        }
        html += "</ul>";
    }
    html
}

fn leaving(report: &GameReport, plies: usize) -> String {
    numbered(report, plies + 1)
}

fn moves(report: &GameReport, language: Language) -> String {
    let mut html = format!(
        "<div class=\"moves\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><tbody>",
        of(language, "Moves", "着法")
    );
    let count = report.plies.len();
    let mut ply = 1;
    while ply <= count {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", round(report, ply));
        for side in [Color::Red, Color::Black] {
            if ply <= count && mover(report, ply) == side {
                html += &cell(report, ply);
                ply += 1;
            } else if ply <= count {
                html += "<td>…</td>";
            } else {
                html += "<td></td>";
            }
        }
        html += "</tr>";
    }
    html += "</tbody></table>";
    if count == 0 {
        let _ = write!(html, "<p>{}</p>", of(language, "No moves.", "无着法。"));
    }
    html + "</div>"
}

fn cell(report: &GameReport, ply: usize) -> String {
    let told = &report.plies[ply - 1];
    let sign = told.mark.map_or(String::new(), |mark| {
        format!("<b class=\"{}\">{}</b>", remark::class(mark), mark.sign())
    });
    let label = told
        .label
        .as_ref()
        .map_or(String::new(), |label| format!(" <small class=\"lb\">{}</small>", Text(label)));
    let book = if told.book { " book" } else { "" };
    let number = report.number;
    format!(
        "<td><a class=\"mv{book}\" id=\"g{number}p{ply}\" href=\"#g{number}p{ply}\" \
         data-p=\"{ply}\" title=\"{}\">{}{sign}</a>{label}</td>",
        told.mv,
        Text(&told.written),
    )
}

fn turning_points(report: &GameReport, positions: &[Position], language: Language) -> String {
    let turns: Vec<_> =
        report.turning_points.iter().copied().filter(|&ply| ply < positions.len()).collect();
    if turns.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<section class=\"turns\"><h3>{}</h3><div class=\"grid\">",
        of(language, "Turning points", "转折点")
    );
    for ply in turns {
        let told = &report.plies[ply - 1];
        let before = &positions[ply - 1];
        let best = told.before.lines.first().and_then(|line| line.moves.first().copied());
        let label = format!("{} {}", of(language, "Before", "着前局面："), numbered(report, ply));
        let show = Show { last: None, best, worse: Some(told.mv) };
        let _ = write!(
            html,
            "<article><h4><a class=\"go\" href=\"#g{}p{ply}\" data-p=\"{ply}\">{}</a></h4>{}<p>{}\
             </p></article>",
            report.number,
            Text(&numbered(report, ply)),
            board(before, show, &label),
            Text(&remarks(report, ply, before, language).join(" "))
        );
    }
    let _ = write!(
        html,
        "</div><p class=\"key\"><span class=\"ar\"></span>{} <span class=\"ar bad\"></span>{}</p>\
         </section>",
        of(language, "better", "宜走"),
        of(language, "played", "实战")
    );
    html
}

/// All that is said of moves, for those without a script and for paper.
fn notes(report: &GameReport, positions: &[Position], language: Language) -> String {
    let mut items = String::new();
    for ply in (1..=report.plies.len()).filter(|&ply| ply < positions.len()) {
        let mut said = remarks(report, ply, &positions[ply - 1], language);
        let comment = &report.plies[ply - 1].comment;
        if !comment.is_empty() {
            said.push(comment.clone());
        }
        if !said.is_empty() {
            let _ = write!(
                items,
                "<li><a class=\"go\" href=\"#g{}p{ply}\" data-p=\"{ply}\">{}</a> {}</li>",
                report.number,
                Text(&numbered(report, ply)),
                Text(&said.join(" "))
            );
        }
    }
    if items.is_empty() {
        return items;
    }
    let title = of(language, "Notes", "评注");
    format!("<details class=\"notes\" open><summary>{title}</summary><ul>{items}</ul></details>")
}
