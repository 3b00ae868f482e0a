//! The tags of a game: `[Name "value"]`, several of them on a line or one, in any case.

use super::movetext::line_length;

/// Names as PGN writes them, and what others write in their place.
const NAMES: [(&str, &str); 40] = [
    ("Event", "Event"),
    ("Site", "Site"),
    ("Date", "Date"),
    ("Round", "Round"),
    ("Red", "Red"),
    ("White", "Red"),
    ("Black", "Black"),
    ("RedTeam", "RedTeam"),
    ("WhiteTeam", "RedTeam"),
    ("BlackTeam", "BlackTeam"),
    ("RedElo", "RedElo"),
    ("WhiteElo", "RedElo"),
    ("BlackElo", "BlackElo"),
    ("RedTitle", "RedTitle"),
    ("WhiteTitle", "RedTitle"),
    ("BlackTitle", "BlackTitle"),
    ("RedTime", "RedTime"),
    ("BlackTime", "BlackTime"),
    ("Title", "Title"),
    ("Annotator", "Annotator"),
    ("Author", "Author"),
    ("Opening", "Opening"),
    ("Variation", "Variation"),
    ("Variant", "Variant"),
    ("ECCO", "ECCO"),
    ("ECO", "ECO"),
    ("TimeControl", "TimeControl"),
    ("Termination", "Termination"),
    ("PlyCount", "PlyCount"),
    ("Remark", "Remark"),
    ("Source", "Source"),
    ("Game", "Game"),
    ("Result", "Result"),
    ("Format", "Format"),
    ("SetUp", "SetUp"),
    ("FEN", "FEN"),
    ("Ruleset", "Ruleset"),
    ("Reason", "Reason"),
    ("UTCDate", "UTCDate"),
    ("UTCTime", "UTCTime"),
];

/// The name of a tag as PGN writes it.
pub(super) fn canonical(name: &str) -> &str {
    let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map_or(name, |(_, usual)| usual)
}

/// The name as PGN writes it; none, if it can have no such tag, or a game tells it otherwise.
pub(in crate::games) fn usual_name(name: &str) -> Option<&str> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let derived = ["Game", "Result", "Format", "SetUp", "FEN"];
    let usual = canonical(name);
    (plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !derived.contains(&usual))
        .then_some(usual)
}

/// Whether a text begins like a tag.
pub(in crate::games) fn begins(text: &str) -> bool {
    begins_bytes(text.as_bytes())
}

/// As [`begins`], before the encoding is known.
pub(in crate::games) fn begins_bytes(line: &[u8]) -> bool {
    let blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    let line = &line[line.iter().take_while(blank).count()..];
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let name =
        rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
    if name == 0 || !rest[0].is_ascii_alphabetic() {
        return false;
    }
    let (name, value) = rest.split_at(name);
    // A malformed one is taken for one if it has a name that is known.
    value.trim_ascii_start().first() == Some(&b'"')
        || value.first().is_some_and(u8::is_ascii_whitespace)
            && value.trim_ascii_end().ends_with(b"]")
            && NAMES.iter().any(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
}

/// The name of the tag that a line begins with.
pub(super) fn name(line: &[u8]) -> &[u8] {
    let begins = line.iter().position(u8::is_ascii_alphanumeric).unwrap_or(line.len());
    let line = &line[begins..];
    let ends = line.iter().position(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    &line[..ends.unwrap_or(line.len())]
}

/// Whether a line that begins with a tag has something else, too.
pub(super) fn has_more(line: &[u8]) -> bool {
    let closes =
        |at: &usize| line[*at] == b'"' && line[at + 1..].trim_ascii_start().first() == Some(&b']');
    let Some(quote) = (0..line.len()).rev().find(closes) else { return false };
    let after = line[quote + 1..].trim_ascii_start();
    !after[1..].trim_ascii().is_empty()
}

/// The tag that a text begins with, and its bytes; none when it is malformed.
pub(super) fn read(text: &str) -> Option<(&str, String, usize)> {
    let line = &text[..line_length(text)];
    let (name, quoted) = line.strip_prefix('[')?.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' if quoted[at + 1..].trim_start().starts_with(']') => {
                let closing = quoted[at..].find(']')?;
                let offset = line.len() - quoted.len();
                return Some((name, value, offset + at + closing + 1));
            }
            // Programs that know no escapes write a backslash as it is.
            '\\' if quoted[at + 1..].starts_with(['"', '\\']) => {
                value.extend(chars.next().map(|(_, escaped)| escaped));
            }
            c => value.push(c),
        }
    }
    None
}
