//! Text of any origin as part of a page: whatever it holds, it stays text.

use std::fmt::{self, Display, Write};

use serde::Serialize;

/// A text within markup, or within the quotes of an attribute.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\n' | '\t' => f.write_char(c),
            c if is_odd(c) => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}

/// Control characters, and those that turn around or hide what stands beside them.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fdd0}'..='\u{fdef}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Data within a script element. What could end the element is written in another way.
pub(super) fn data(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("invariant: pages hold plain data");
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", u32::from(c));
            }
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_a_text() {
        let text = "<script>alert('1')</script> & \"x\" \u{0}\u{1b}\u{202e}\n甲";
        let safe = Text(text).to_string();
        assert_eq!(
            safe,
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot; \
             \u{fffd}\u{fffd}\u{fffd}\n甲"
        );
    }

    #[test]
    fn data_never_ends_its_element_and_means_the_same() {
        let text = "</script><!-- \u{2028} & 甲";
        let safe = data(&text);
        assert!(!safe.contains('<') && !safe.contains('\u{2028}'), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }
}
