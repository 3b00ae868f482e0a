//! Words of a file or of an engine in a message to somebody: whatever they hold, a message stays one
//! short line, and nothing in it is obeyed by a terminal.

/// Columns of a terminal that a quoted word takes at most.
const MOST: usize = 80;
/// Columns that a whole message takes at most, whatever it is made of.
const MOST_OF_LINE: usize = 1_000;

/// A word as a message shows it: what is no plain character is escaped, and what is long is cut.
///
/// ```
/// use chuhe::notation::quote;
/// assert_eq!(quote("炮二平五"), "炮二平五");
/// assert_eq!(quote("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
/// assert_eq!(quote(&"x".repeat(1000)).chars().count(), 80);
/// assert_eq!(quote(&"炮".repeat(1000)).chars().count(), 40);
/// ```
pub fn quote(text: &str) -> String {
    within(text, MOST)
}

/// A whole message, or a name that must not be cut, by the same rule.
pub fn one_line(text: &str) -> String {
    within(text, MOST_OF_LINE)
}

/// A text of any length and any lines as a terminal obeys nothing of it.
pub fn escaped(text: &str) -> String {
    within(text, usize::MAX)
}

fn within(text: &str, most: usize) -> String {
    let (mut shown, mut columns) = (String::new(), 0);
    // What the text had when there was still room for a sign that it goes on.
    let mut cut = 0;
    for c in text.chars() {
        let before = shown.len();
        if is_odd(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
        columns += shown[before..].chars().map(width).sum::<usize>();
        if columns < most {
            cut = shown.len();
        } else if columns > most {
            shown.truncate(cut);
            shown.push('…');
            break;
        }
    }
    shown
}

/// Whether a terminal obeys it, or shows what stands beside it in another order.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The columns of a character: two for those of Chinese and their like.
fn width(c: char) -> usize {
    let wide = matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}')
        || matches!(c, '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}')
        || c >= '\u{1f300}';
    if wide { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_whole_and_what_does_not_ends_with_a_sign() {
        let x = |count| "x".repeat(count);
        assert_eq!(quote(&x(80)), x(80));
        assert_eq!(quote(&x(81)), x(79) + "…");
        // An escape is shown whole or not at all.
        assert_eq!(quote(&(x(78) + "\u{1b}")), x(78) + "…");
        assert_eq!(quote(&(x(74) + "\u{1b}")), x(74) + "\\u{1b}");
        assert_eq!(one_line(&x(2_000)).chars().count(), 1_000);
        assert_eq!(one_line("a\nb\u{9b}2J\u{202e}"), "a\\nb\\u{9b}2J\\u{202e}");
    }
}
