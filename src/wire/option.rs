//! `option` lines: what an engine offers to have set. Knows no option by name.

use super::{
    Dialect, ParseError,
    words::{Words, is, joined, one_line},
};

/// How UCI writes an empty text.
const EMPTY: &str = "<empty>";

/// One option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name. In UCCI it is one word.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
}

/// What an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Nothing: it is a heading (UCCI).
    Label,
    /// Nothing: to set it is to do it.
    Button,
    /// `true` or `false`.
    Check {
        /// At first.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At first.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// At first.
        default: String,
        /// All of them.
        values: Vec<String>,
    },
    /// Any text.
    Text {
        /// At first.
        default: String,
    },
}

impl OptionLine {
    /// Reads what stands after `option`, in either protocol.
    pub(super) fn parse(mut words: Words) -> Result<Self, ParseError> {
        const NO_NAME: ParseError = ParseError::Lacks { word: "option", missing: "a name" };
        const NO_TYPE: ParseError = ParseError::Lacks { word: "option", missing: "a type" };
        words.eat("name");
        let name = joined(&words.until(|word| is(word, "type")));
        if name.is_empty() {
            return Err(NO_NAME);
        }
        words.next();
        let kind = words.keyword().ok_or(NO_TYPE)?;
        if kind == "string" {
            // A text may hold any word, so nothing can follow it.
            words.eat("default");
            let default = joined(&words.collect::<Vec<_>>());
            let default = if default == EMPTY { String::new() } else { default };
            return Ok(Self { name, kind: OptionKind::Text { default } });
        }
        let (mut default, mut values) = (String::new(), Vec::new());
        let (mut start, mut min, mut max) = (None, i64::MIN, i64::MAX);
        let number = |words: &mut Words| {
            words.number(i64::MIN.into(), i64::MAX.into()).map(|number| number as i64)
        };
        while let Some(word) = words.keyword() {
            match word.as_str() {
                "default" if kind == "spin" => start = number(&mut words),
                "min" if kind == "spin" => min = number(&mut words).unwrap_or(min),
                "max" if kind == "spin" => max = number(&mut words).unwrap_or(max),
                "default" => default = joined(&words.until(is_keyword)),
                "var" => values.push(joined(&words.until(is_keyword))),
                _ => {}
            }
        }
        let kind = match kind.as_str() {
            "label" => OptionKind::Label,
            "button" => OptionKind::Button,
            "check" => OptionKind::Check { default: default.eq_ignore_ascii_case("true") },
            "spin" => {
                let default = start.unwrap_or_else(|| 0.max(min).min(max));
                OptionKind::Spin { default, min, max }
            }
            "combo" => OptionKind::Combo { default, values },
            _ => return Err(NO_TYPE),
        };
        Ok(Self { name, kind })
    }

    /// The line. UCCI has no `name` in it, and puts the default last.
    pub(super) fn print(&self, dialect: Dialect) -> String {
        let uci = dialect == Dialect::Uci;
        let ordered = |default: String, range: String| match (uci, range.is_empty()) {
            (_, true) => default,
            (true, false) => format!("{default} {range}"),
            (false, false) => format!("{range} {default}"),
        };
        let (kind, rest) = match &self.kind {
            OptionKind::Label => ("label", String::new()),
            OptionKind::Button => ("button", String::new()),
            OptionKind::Check { default } => ("check", format!("default {default}")),
            OptionKind::Spin { default, min, max } => {
                ("spin", ordered(format!("default {default}"), format!("min {min} max {max}")))
            }
            OptionKind::Combo { default, values } => {
                let values: Vec<_> = values.iter().map(|value| format!("var {value}")).collect();
                ("combo", ordered(format!("default {default}"), values.join(" ")))
            }
            OptionKind::Text { default } if default.is_empty() && uci => {
                ("string", format!("default {EMPTY}"))
            }
            OptionKind::Text { default } if default.is_empty() => ("string", String::new()),
            OptionKind::Text { default } => ("string", format!("default {}", one_line(default))),
        };
        let name = if uci { format!("name {}", self.name) } else { self.name.replace(' ', "") };
        let gap = if rest.is_empty() { "" } else { " " };
        format!("option {name} type {kind}{gap}{rest}")
    }
}

fn is_keyword(word: &[u8]) -> bool {
    ["default", "min", "max", "var"].iter().any(|keyword| is(word, keyword))
}
