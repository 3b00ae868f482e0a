//! A page as a whole: head, style, script, an index of its games, the games. Written part by part, so
//! that a library never is in memory at once.

use std::io::{self, Write};

use super::{board, escape::Text, game, words::of};
use crate::{analysis::GameReport, rules::Language};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page that is being written.
pub struct Page<W> {
    out: W,
    language: Language,
}

impl<W: Write> Page<W> {
    /// Begins a page. An index of its games comes first, if there is any.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(mut out: W, title: &str, language: Language) -> io::Result<Self> {
        head(&mut out, title, language)?;
        Ok(Self { out, language })
    }

    /// Begins the index.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin_index(&mut self) -> io::Result<()> {
        let [games, red, black, result, moves, accuracy, errors] = match self.language {
            Language::English => {
                ["Games", "Red", "Black", "Result", "Plies", "Accuracy", "Mistakes and blunders"]
            }
            Language::Chinese => ["对局", "红方", "黑方", "结果", "着数", "准确率", "失着与败着"],
        };
        write!(
            self.out,
            "<nav class=\"index\" aria-label=\"{games}\"><table><thead><tr><th scope=\"col\">#</th>\
             <th scope=\"col\">{red}</th><th scope=\"col\">{black}</th><th scope=\"col\">{result}\
             </th><th scope=\"col\">{moves}</th><th scope=\"col\">{accuracy}</th><th \
             scope=\"col\">{errors}</th></tr></thead><tbody>"
        )
    }

    /// Adds a game to the index.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn row(&mut self, report: &GameReport) -> io::Result<()> {
        let [red, black] = game::players(report, self.language);
        let [first, second] = [0, 1].map(|side| {
            let accuracy = report.sides[side].accuracy;
            accuracy.map_or_else(|| "–".into(), |share| format!("{share:.0}"))
        });
        let errors = |side: usize| report.sides[side].mistakes + report.sides[side].blunders;
        writeln!(
            self.out,
            "<tr><td><a href=\"#g{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td>\
             <td>{first} : {second}</td><td>{5} : {6}</td></tr>",
            report.number,
            Text(&red),
            Text(&black),
            report.result.token(),
            report.plies.len(),
            errors(0),
            errors(1)
        )
    }

    /// Ends the index.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end_index(&mut self) -> io::Result<()> {
        self.out.write_all(b"</tbody></table></nav>\n")
    }

    /// Adds a game, in the order of the index.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn game(&mut self, report: &GameReport) -> io::Result<()> {
        self.out.write_all(game::game(report, self.language).as_bytes())
    }

    /// Ends the page with a word on how it was made.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self, made: &str) -> io::Result<W> {
        foot(&mut self.out, self.language, made)?;
        Ok(self.out)
    }
}

/// The beginning of any page of ours.
pub(super) fn head(out: &mut impl Write, title: &str, language: Language) -> io::Result<()> {
    let lang = of(language, "en", "zh-CN");
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" \
         content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{}\n<header class=\"top\"><h1>{}</h1><button \
         type=\"button\" class=\"theme\" data-act=\"theme\" title=\"{tone}\" aria-label=\"{tone}\">\
         ◐</button></header>\n<main>",
        Text(title),
        board::defs(),
        Text(title),
        tone = of(language, "Light or dark", "浅色或深色"),
    )
}

/// The end of any page of ours.
pub(super) fn foot(out: &mut impl Write, language: Language, made: &str) -> io::Result<()> {
    let help = of(
        language,
        "Chances count a won game 100 and a drawn one 50. Arrow keys walk through the game, F turns \
         the board, a click on the curve or on a move of a line goes there.",
        "期望分：胜局100分，和棋50分。方向键逐着浏览，F键翻转棋盘，点击曲线或变着中的着法即可跳转。",
    );
    writeln!(
        out,
        "</main>\n<footer><p>{help}</p><p>{}</p></footer>\n<script>\n{SCRIPT}</script>\n</body>\n\
         </html>",
        Text(made)
    )
}
