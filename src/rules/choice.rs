//! Rules as an event or a user asks for them: a book, and the numbers that are not to be the book's.
//! Whoever offers them as options or arguments has one type to fill in, in any order.

use std::str::FromStr;

use super::{Book, Ruleset};
use crate::types::Color;

/// A rule book and what is to differ from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RulesetChoice {
    /// The book.
    pub book: Book,
    /// [`Ruleset::repetition_count`], unless as in the book.
    pub repetition_count: Option<usize>,
    /// [`Ruleset::warning`].
    pub warning: bool,
    /// [`Ruleset::natural_limit`] in rounds of two plies, unless as in the book.
    pub natural_limit: Option<u16>,
    /// [`Ruleset::check_cap`], unless as in the book.
    pub check_cap: Option<u16>,
    /// [`Ruleset::claimant`].
    pub claimant: Option<Color>,
    /// [`Ruleset::kill_depth`], unless as in the book.
    pub kill_depth: Option<u8>,
    /// [`Ruleset::check_gain`], unless as in the book.
    pub check_gain: Option<bool>,
}

impl RulesetChoice {
    /// The rules chosen.
    ///
    /// ```
    /// use chuhe::rules::{Book, Ruleset, RulesetChoice};
    /// let choice = RulesetChoice { book: Book::Simple, natural_limit: Some(60), ..Default::default() };
    /// let ruleset = Ruleset { natural_limit: 120, ..Ruleset::of(Book::Simple) };
    /// assert_eq!(choice.ruleset(), ruleset);
    /// ```
    pub fn ruleset(&self) -> Ruleset {
        let book = Ruleset::of(self.book);
        Ruleset {
            book: self.book,
            repetition_count: self.repetition_count.unwrap_or(book.repetition_count),
            warning: self.warning,
            natural_limit: self.natural_limit.map_or(book.natural_limit, |rounds| 2 * rounds),
            check_cap: self.check_cap.unwrap_or(book.check_cap),
            claimant: self.claimant,
            kill_depth: self.kill_depth.unwrap_or(book.kill_depth),
            check_gain: self.check_gain.unwrap_or(book.check_gain),
        }
    }
}

/// No rule book has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule book is called {0:?}; there are {names}", names = Book::ALL.map(Book::name).join(", "))]
pub struct UnknownBook(String);

impl Book {
    /// Every book.
    pub const ALL: [Self; 6] = [
        Self::Chinese,
        Self::Asian,
        Self::Computer,
        Self::Simple,
        Self::CheckBan,
        Self::AlwaysDraw,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chinese => "Chinese",
            Self::Asian => "Asian",
            Self::Computer => "Computer",
            Self::Simple => "Simple",
            Self::CheckBan => "CheckBan",
            Self::AlwaysDraw => "AlwaysDraw",
        }
    }
}

impl FromStr for Book {
    type Err = UnknownBook;

    /// Reads a name in any case.
    fn from_str(text: &str) -> Result<Self, UnknownBook> {
        let book = Self::ALL.into_iter().find(|book| book.name().eq_ignore_ascii_case(text));
        book.ok_or_else(|| UnknownBook(text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_found_by_its_name_alone() {
        for book in Book::ALL {
            assert_eq!(book.name().to_lowercase().parse(), Ok(book));
        }
        let error = "Korean".parse::<Book>().unwrap_err();
        assert!(error.to_string().starts_with("no rule book is called \"Korean\"; there are Chi"));
    }

    #[test]
    fn what_is_not_chosen_is_as_in_the_book() {
        for book in Book::ALL {
            let choice = RulesetChoice { book, ..RulesetChoice::default() };
            assert_eq!(choice.ruleset(), Ruleset::of(book));
        }
    }
}
