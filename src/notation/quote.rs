//! Words of a file in a message to somebody: whatever they hold, a message stays one short line.

/// Characters that a message shows of a word.
const MOST: usize = 40;

/// A text as a message shows it: what is no plain character is escaped, and what is long is cut.
///
/// ```
/// use chuhe::notation::quote;
/// assert_eq!(quote("炮二平五"), "炮二平五");
/// assert_eq!(quote("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
/// assert_eq!(quote(&"x".repeat(1000)).chars().count(), 41);
/// ```
pub fn quote(text: &str) -> String {
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == MOST {
            shown.push('…');
            break;
        }
        // Direction marks and their like turn around what stands beside them.
        let odd = c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}');
        if odd { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}
