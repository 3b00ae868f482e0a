//! The language of what is told to people: asked for, or that of their environment. Programs are
//! answered in their protocol, whatever it says.

use std::env;

use crate::rules::Language;

/// The variable that has the language where no argument tells it.
const VARIABLE: &str = "CHUHE_LANG";

/// A language that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Tongue {
    /// English
    En,
    /// 中文
    Zh,
}

/// The language that was asked for, or else that of the environment, or else English.
pub(super) fn chosen(asked: Option<Tongue>) -> Language {
    let environment = || env::var(VARIABLE).ok().and_then(|text| read(&text));
    match asked.or_else(environment) {
        Some(Tongue::Zh) => Language::Chinese,
        Some(Tongue::En) | None => Language::English,
    }
}

/// Reads `zh`, or a locale such as `zh_CN.UTF-8`. What is neither says nothing.
fn read(text: &str) -> Option<Tongue> {
    match text.split(['_', '-', '.']).next()?.to_ascii_lowercase().as_str() {
        "zh" => Some(Tongue::Zh),
        "en" => Some(Tongue::En),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_read_from_a_locale_and_nonsense_is_none() {
        for (text, tongue) in [
            ("zh", Some(Tongue::Zh)),
            ("zh_CN.UTF-8", Some(Tongue::Zh)),
            ("ZH-hant", Some(Tongue::Zh)),
            ("en_GB", Some(Tongue::En)),
            ("klingon", None),
            ("", None),
        ] {
            assert_eq!(read(text), tongue, "{text}");
        }
    }
}
