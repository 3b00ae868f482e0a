//! DhtmlXQ, the game format of Chinese web pages: values in pairs of tags, `[DhtmlXQ_red]…[/DhtmlXQ_red]`,
//! bare or inside a page, moves as digits. Lines of play are numbered and say which line they leave
//! where. Knows nothing of HTML.

use std::collections::{BTreeMap, VecDeque};

use super::{
    Fault, Found, GameError, Place,
    board::{Board, man, point},
    fen,
    lines::{Chunk, Lines, MOST},
    text::{lines_before, unknown_characters},
    tree::{Draft, ROOT},
};
use crate::{
    notation::{GameResult, quote},
    position::Position,
    types::{Color, Square},
};

/// What tells the format from others.
pub(super) const MARK: &str = "[DhtmlXQ";
/// What begins a game.
const HEADS: [&str; 2] = ["[DhtmlXQ]", "[DhtmlXQiFrame]"];
/// Times that lines are looked through for those whose parent is known by now.
const MOST_PASSES: usize = 64;

/// Names of values and of the tags that they are.
const TAGS: [(&str, &str); 24] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("group", "Group"),
    ("table", "Table"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("redtime", "RedTime"),
    ("redname", "RedFull"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("blacktime", "BlackTime"),
    ("blackname", "BlackFull"),
    ("remark", "Annotator"),
    ("author", "Author"),
    ("open", "Opening"),
    ("class", "EventType"),
    ("type", "Kind"),
    ("timerule", "TimeRule"),
    ("owner", "Owner"),
];

/// The games of a file.
pub(super) struct Games {
    lines: Lines,
    ready: VecDeque<Result<Found, GameError>>,
    number: usize,
    done: bool,
}

impl Games {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, ready: VecDeque::new(), number: 0, done: false }
    }

    fn read_chunk(&mut self, chunk: &Chunk) {
        let text = self.lines.decoder.decode(&chunk.bytes);
        let heads = || HEADS.iter().flat_map(|head| text.match_indices(head)).map(|(at, _)| at);
        let mut starts: Vec<usize> = heads().collect();
        starts.sort_unstable();
        if starts.is_empty() {
            starts.push(0);
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let Some(mut draft) = read(&text[start..end]) else { continue };
            if let Some((_, what)) = unknown_characters(&text[start..end]) {
                draft.remarks.push(what);
            }
            if chunk.cut {
                draft.fault.get_or_insert((0, Fault::TooLong(MOST as u64)));
            }
            self.number += 1;
            let line = chunk.line + lines_before(&text, start);
            // Places are lines here.
            let settle = |place: Place| Place { line: Some(line), byte: None, ..place };
            self.ready.push_back(match draft.finish(self.number) {
                Ok(mut found) => {
                    found.place = settle(found.place);
                    found.remarks.iter_mut().for_each(|remark| remark.place = settle(remark.place));
                    Ok(found)
                }
                Err(mut error) => {
                    error.place = settle(error.place);
                    error.remarks.iter_mut().for_each(|remark| remark.place = settle(remark.place));
                    Err(error)
                }
            });
        }
    }
}

impl Iterator for Games {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done && self.ready.is_empty() {
            let begins = |line: &[u8], _| {
                HEADS
                    .iter()
                    .any(|head| line.windows(head.len()).any(|part| part == head.as_bytes()))
            };
            match self.lines.chunk(begins) {
                Ok(Some(chunk)) => self.read_chunk(&chunk),
                Ok(None) => self.done = true,
                Err(error) => {
                    self.done = true;
                    return Some(Err(self.lines.broken(self.number + 1, error)));
                }
            }
        }
        self.ready.pop_front()
    }
}

/// Which line of play a line leaves, at which ply, and its moves.
struct Branch<'a> {
    parent: Option<usize>,
    ply: usize,
    moves: &'a str,
}

/// The game of a text that begins with its head, if there is one in it.
fn read(text: &str) -> Option<Draft> {
    let values = values(text);
    let value = |wanted: &str| {
        values.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.trim())
    };
    let branches = branches(text, &values);
    if values.is_empty() && branches.is_empty() {
        return None;
    }
    let mut draft = Draft::new(Position::start(), 0);
    match start(&value) {
        Ok(Some((position, sure))) => {
            draft.game.start = position;
            draft.doubtful_side = !sure;
        }
        Ok(None) => {}
        Err(fault) => {
            draft.fault = Some((0, fault));
            return Some(draft);
        }
    }
    for (name, text) in &values {
        if let Some((_, tag)) = TAGS.iter().find(|(known, _)| known == name)
            && draft.game.tag(tag).is_none()
        {
            draft.game.add_tag(tag, &unescaped(text));
        }
    }
    let result = value("result").unwrap_or_default();
    draft.game.result = match result {
        "胜" | "W" => GameResult::RedWins,
        "负" | "L" => GameResult::BlackWins,
        "D" => GameResult::Draw,
        "" => GameResult::Unknown,
        other => GameResult::from_token(other).unwrap_or_else(|| {
            draft.remarks.push(format!("the result `{}` is left out", quote(other)));
            GameResult::Unknown
        }),
    };
    let mut comments = comments(&values, &mut draft.remarks);
    plant(&mut draft, branches, &mut comments);
    comments.retain(|_, text| !text.is_empty());
    if draft.fault.is_none() && !comments.is_empty() {
        let text = comments.values().next().map(|text| quote(text)).unwrap_or_default();
        draft.remarks.push(format!(
            "{} comments are left out, for what they stand at is not there: `{text}`",
            comments.len()
        ));
    }
    Some(draft)
}

/// The position it starts from, and whether the side to move is told.
fn start<'a>(value: &impl Fn(&str) -> Option<&'a str>) -> Result<Option<(Position, bool)>, Fault> {
    if let Some(text) = value("fen").filter(|text| !text.is_empty()) {
        return Ok(Some((fen::read(text)?, true)));
    }
    let digits: Vec<u8> = digits(value("binit").unwrap_or_default()).collect();
    if digits.len() < 64 {
        return Ok(None);
    }
    let mut board = Board::new();
    for (index, pair) in digits.as_chunks::<2>().0.iter().take(32).enumerate() {
        if let (Some(man), Some(square)) = (man(index), square(pair[0], pair[1])) {
            board.put(man, square);
        }
    }
    Ok(Some((board.position(Color::Red, 1)?, false)))
}

/// All pairs of tags. A closing tag ends whatever is open: some programs close with a wrong name.
fn values(text: &str) -> Vec<(&str, &str)> {
    let mut values = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("[DhtmlXQ_") {
        rest = &rest[at + "[DhtmlXQ_".len()..];
        let Some(close) = rest.find(']') else { break };
        let name = &rest[..close];
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let inside = &rest[close + 1..];
        let Some(end) = inside.find("[/DhtmlXQ_") else { break };
        values.push((name, &inside[..end]));
        rest = &inside[end..];
    }
    values
}

/// The lines of play by their numbers; in pages they may stand in a script, as `[0_1_0]…[/0_1_0]`.
fn branches<'a>(text: &'a str, values: &[(&'a str, &'a str)]) -> BTreeMap<usize, Branch<'a>> {
    let mut branches = BTreeMap::new();
    let numbers = |name: &str| -> Option<[usize; 3]> {
        let mut numbers = name.split('_').map(|word| word.parse().ok());
        let numbers = [numbers.next()??, numbers.next()??, numbers.next()??];
        (name.split('_').count() == 3).then_some(numbers)
    };
    let mut add = |[parent, ply, line]: [usize; 3], moves: &'a str| {
        let parent = (line > 0).then_some(parent);
        branches.entry(line).or_insert(Branch { parent, ply, moves });
    };
    for &(name, value) in values {
        if name == "movelist" {
            add([0, 1, 0], value);
        } else if let Some(numbers) = name.strip_prefix("move_").and_then(numbers) {
            add(numbers, value);
        }
    }
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        rest = &rest[at + 1..];
        let Some((name, _)) = rest.get(..40).unwrap_or(rest).split_once(']') else { continue };
        let Some(numbers) = numbers(name) else { continue };
        let inside = &rest[name.len() + 1..];
        // Moves are digits: the next bracket ends them, or nothing does.
        let closes = |end: &usize| {
            inside[*end..].strip_prefix("[/").is_some_and(|tail| tail.starts_with(name))
        };
        let Some(end) = inside.find('[').filter(closes) else { continue };
        add(numbers, &inside[..end]);
        rest = &inside[end..];
    }
    branches
}

/// What the names of comments begin with.
const COMMENT: &str = "comment";

/// What is said after which ply of which line.
fn comments(
    values: &[(&str, &str)],
    remarks: &mut Vec<String>,
) -> BTreeMap<(usize, usize), String> {
    let place = |name: &str| -> Option<(usize, usize)> {
        let numbers = name.strip_prefix(COMMENT)?;
        Some(match numbers.split_once('_') {
            Some((line, ply)) => (line.parse().ok()?, ply.parse().ok()?),
            None => (0, numbers.parse().ok()?),
        })
    };
    let mut comments = BTreeMap::new();
    for (name, value) in values.iter().filter(|(name, _)| name.starts_with(COMMENT)) {
        match place(name) {
            Some(place) => _ = comments.insert(place, unescaped(value)),
            None => remarks.push(format!("`{}` is no place of a comment", quote(name))),
        }
    }
    comments
}

/// Puts lines of play into a tree, and takes the comments that stand in them.
fn plant(
    draft: &mut Draft,
    mut branches: BTreeMap<usize, Branch>,
    comments: &mut BTreeMap<(usize, usize), String>,
) {
    /// A line that is in the tree: which it leaves, the ply of its first move, its nodes.
    struct Planted {
        parent: Option<usize>,
        ply: usize,
        nodes: Vec<usize>,
    }
    if let Some(text) = comments.remove(&(0, 0)) {
        draft.tree.comment(ROOT, &text);
    }
    let mut planted: BTreeMap<usize, Planted> = BTreeMap::new();
    for _ in 0..MOST_PASSES {
        let mut waiting = BTreeMap::new();
        let before = branches.len();
        for (number, branch) in branches {
            // The node that the line's first move comes after.
            let mut at = branch.parent;
            let mut node = if branch.ply == 1 { Some(ROOT) } else { None };
            while let (None, Some(line)) = (node, at) {
                let Some(line) = planted.get(&line) else { break };
                match branch.ply.checked_sub(1).and_then(|ply| ply.checked_sub(line.ply)) {
                    Some(index) => {
                        node = line.nodes.get(index).copied();
                        break;
                    }
                    None => at = line.parent,
                }
            }
            let known = branch.parent.is_none_or(|parent| planted.contains_key(&parent));
            let Some(mut node) = node.filter(|_| known && branch.ply > 0) else {
                waiting.insert(number, branch);
                continue;
            };
            let mut nodes = Vec::new();
            let digits: Vec<u8> = digits(branch.moves).collect();
            let (moves, left) = digits.as_chunks::<4>();
            for (index, &[a, b, c, d]) in moves.iter().enumerate() {
                node = match draft.tree.add(node, square(a, b).zip(square(c, d))) {
                    Ok(node) => node,
                    Err(fault) => {
                        draft.fault = Some((0, fault));
                        return;
                    }
                };
                nodes.push(node);
                if let Some(text) = comments.remove(&(number, branch.ply + index)) {
                    draft.tree.comment(node, &text);
                }
            }
            if !left.is_empty() {
                draft
                    .remarks
                    .push(format!("line {number} ends with half a move, which is left out"));
            }
            planted.insert(number, Planted { parent: branch.parent, ply: branch.ply, nodes });
        }
        branches = waiting;
        if branches.is_empty() || branches.len() == before {
            break;
        }
    }
    if !branches.is_empty() {
        let count = branches.len();
        draft
            .remarks
            .push(format!("{count} variations are left out: what they leave is not there"));
    }
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0')
}

/// The point of a file and a rank from Black's side.
fn square(file: u8, rank: u8) -> Option<Square> {
    point(file, 9_u8.checked_sub(rank)?)
}

/// A text with its lines; scripts write characters as `\u4e00`.
fn unescaped(text: &str) -> String {
    let text = text.replace("||", "\n");
    if !text.contains("\\u") {
        return text.trim().into();
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("\\u") {
        plain += before;
        let code = after.get(..4).and_then(|code| u32::from_str_radix(code, 16).ok());
        if let Some(c) = code.and_then(char::from_u32) {
            plain.push(c);
            rest = &after[4..];
        } else {
            plain += "\\u";
            rest = after;
        }
    }
    (plain + rest).trim().into()
}
