//! The language of what is told to people: asked for, or that of their environment. Programs are
//! answered in their protocol, whatever it says.

use std::env;

use crate::rules::Language;

/// The variable that has the language where no argument tells it.
const VARIABLE: &str = "CHUHE_LANG";

/// A language that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SpokenLanguage {
    /// English
    En,
    /// 中文
    Zh,
}

/// The language that was asked for, or else that of the environment, or else English.
pub(super) fn chosen(asked: Option<SpokenLanguage>) -> Language {
    let environment = || env::var(VARIABLE).ok().and_then(|text| read(&text));
    match asked.or_else(environment) {
        Some(SpokenLanguage::Zh) => Language::Chinese,
        Some(SpokenLanguage::En) | None => Language::English,
    }
}

/// Reads `zh`, or a locale such as `zh_CN.UTF-8`. What is neither says nothing.
fn read(text: &str) -> Option<SpokenLanguage> {
    match text.split(['_', '-', '.']).next()?.to_ascii_lowercase().as_str() {
        "zh" => Some(SpokenLanguage::Zh),
        "en" => Some(SpokenLanguage::En),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_read_from_a_locale_and_nonsense_is_none() {
        for (text, spoken) in [
            ("zh", Some(SpokenLanguage::Zh)),
            ("zh_CN.UTF-8", Some(SpokenLanguage::Zh)),
            ("ZH-hant", Some(SpokenLanguage::Zh)),
            ("en_GB", Some(SpokenLanguage::En)),
            ("klingon", None),
            ("", None),
        ] {
            assert_eq!(read(text), spoken, "{text}");
        }
    }
}
