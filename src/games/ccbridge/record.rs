//! CBR: one game with comments and variations, its texts in UTF-16 at fixed places. Two layouts exist,
//! told apart by a byte of the head.

use crate::{
    games::{
        Fault,
        board::{Board, point},
        bytes::{Bytes, long_at, wide_text},
        tree::{Draft, ROOT},
    },
    position::Position,
    types::{Color, Kind, Piece, Square},
};

/// The first bytes.
pub(in crate::games) const MAGIC: &[u8; 16] = b"CCBridge Record\0";

/// Where things stand in a layout.
struct Layout {
    /// Names of tags, places, bytes.
    texts: &'static [(&'static str, usize, usize)],
    result: usize,
    /// The side to move, the number of the round, and the board.
    board: usize,
}

const SECOND: Layout = Layout {
    texts: &[
        ("Script", 52, 128),
        ("Title", 180, 128),
        ("Category", 308, 256),
        ("Source", 564, 64),
        ("EventType", 628, 64),
        ("Event", 692, 64),
        ("Round", 756, 64),
        ("Group", 820, 32),
        ("Table", 852, 32),
        ("Date", 884, 64),
        ("Site", 948, 64),
        ("TimeRule", 1012, 64),
        ("Red", 1076, 64),
        ("RedTeam", 1140, 64),
        ("RedTime", 1204, 64),
        ("RedElo", 1268, 32),
        ("Black", 1300, 64),
        ("BlackTeam", 1364, 64),
        ("BlackTime", 1428, 64),
        ("BlackElo", 1492, 32),
        ("Referee", 1524, 64),
        ("Recorder", 1588, 64),
        ("Annotator", 1652, 64),
        ("AnnotatorMail", 1716, 64),
        ("Author", 1780, 64),
        ("AuthorMail", 1844, 64),
        ("Created", 1908, 64),
        ("Modified", 1972, 64),
        ("Kind", 2044, 32),
        ("EndType", 2080, 32),
    ],
    result: 2076,
    board: 2112,
};

const FIRST: Layout = Layout {
    texts: &[
        ("Title", 52, 128),
        ("Category", 180, 256),
        ("Source", 436, 64),
        ("EventType", 500, 64),
        ("Event", 564, 64),
        ("Round", 628, 64),
        ("Group", 692, 32),
        ("Table", 724, 32),
        ("Date", 756, 64),
        ("Site", 820, 64),
        ("TimeRule", 884, 64),
        ("Red", 948, 64),
        ("RedTeam", 1012, 64),
        ("RedTime", 1076, 64),
        ("RedElo", 1140, 32),
        ("Black", 1172, 64),
        ("BlackTeam", 1236, 64),
        ("BlackTime", 1300, 64),
        ("BlackElo", 1364, 32),
        ("Annotator", 1396, 64),
        ("AnnotatorMail", 1460, 64),
        ("Author", 1524, 64),
        ("AuthorMail", 1588, 64),
        ("Created", 1652, 40),
        ("Modified", 1716, 40),
        ("Kind", 1788, 32),
        ("EndType", 1824, 32),
    ],
    result: 1820,
    board: 1856,
};

/// Where the second layout has the code of the opening, in letters of one byte.
const ECCO: std::ops::Range<usize> = 2036..2040;
/// Bytes of the side, the number, the board and what stands between it and the moves.
const TO_MOVES: usize = 102;
/// Flags of a move.
const NO_CHILD: u8 = 1;
const SIBLING: u8 = 2;
const COMMENT: u8 = 4;

/// The game of a record that stands at a byte of its file.
pub(in crate::games) fn read(bytes: &[u8], offset: u64) -> Draft {
    match open(bytes, offset) {
        Ok(draft) => draft,
        Err(fault) => {
            let mut draft = Draft::new(Position::start(), offset);
            draft.fault = Some((offset, fault));
            draft
        }
    }
}

fn open(bytes: &[u8], offset: u64) -> Result<Draft, Fault> {
    if !bytes.starts_with(MAGIC) {
        return Err(Fault::Damaged("no record is where one should be".into()));
    }
    let layout = match bytes.get(19).ok_or(Fault::Truncated)? {
        1 => &FIRST,
        2 => &SECOND,
        other => return Err(Fault::Damaged(format!("it has the unknown layout {other}"))),
    };
    let mut head = Bytes::new(bytes, layout.board);
    let (side, number) = (head.long()?, head.long()?);
    let side = if side == 2 { Color::Black } else { Color::Red };
    let number = if (1..=9_999).contains(&number) { number } else { 1 };
    let mut board = Board::new();
    for (index, &code) in head.take(90)?.iter().enumerate() {
        let square = square(index as u8).ok_or(Fault::Truncated)?;
        match (code, man(code)) {
            (_, Some(man)) => board.put(man, square),
            (0, None) => {}
            (code, None) => {
                return Err(Fault::Damaged(format!("the man {code:#04x} on {square} is unknown")));
            }
        }
    }
    let mut draft = Draft::new(board.position(side, number)?, offset);
    for &(name, at, width) in layout.texts {
        draft.game.add_tag(name, &wide_text(bytes.get(at..at + width).ok_or(Fault::Truncated)?));
    }
    if layout.board == SECOND.board {
        let code = &bytes[ECCO];
        let code = &code[..code.iter().position(|&byte| byte == 0).unwrap_or(code.len())];
        if code.iter().all(u8::is_ascii_alphanumeric) {
            draft.game.add_tag("ECCO", &String::from_utf8_lossy(code));
        }
    }
    let result = long_at(bytes, layout.result).unwrap_or(0) & 0xFF;
    draft.game.result = super::result(result);
    let mut moves = Bytes::new(bytes, layout.board + TO_MOVES);
    if let Err((at, fault)) = read_moves(&mut moves, &mut draft) {
        draft.fault = Some((offset + at as u64, fault));
    }
    Ok(draft)
}

fn read_moves(moves: &mut Bytes, draft: &mut Draft) -> Result<(), (usize, Fault)> {
    let start = moves.at;
    let [flags, ..] = moves.array::<4>().map_err(|fault| (start, fault))?;
    if flags & COMMENT != 0 {
        let text = comment(moves).map_err(|fault| (start, fault))?;
        draft.tree.comment(ROOT, &text);
    }
    let mut open = if flags & NO_CHILD == 0 { vec![ROOT] } else { Vec::new() };
    while let Some(parent) = open.pop() {
        let start = moves.at;
        let at = |fault| (start, fault);
        let [flags, _, from, to] = moves.array().map_err(at)?;
        let text = if flags & COMMENT != 0 { comment(moves).map_err(at)? } else { String::new() };
        if flags & SIBLING != 0 {
            open.push(parent);
        }
        let node = draft.tree.add(parent, square(from).zip(square(to))).map_err(at)?;
        draft.tree.comment(node, &text);
        if flags & NO_CHILD == 0 {
            open.push(node);
        }
    }
    Ok(())
}

fn comment(moves: &mut Bytes) -> Result<String, Fault> {
    let length = moves.long()?;
    Ok(wide_text(moves.take(length as usize)?))
}

/// The point with a number: nine files a rank, from Black's side.
fn square(number: u8) -> Option<Square> {
    point(number % 9, 9_u8.checked_sub(number / 9)?)
}

fn man(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = match code & 15 {
        1 => Kind::Rook,
        2 => Kind::Knight,
        3 => Kind::Bishop,
        4 => Kind::Advisor,
        5 => Kind::King,
        6 => Kind::Cannon,
        7 => Kind::Pawn,
        _ => return None,
    };
    Some(Piece::new(color, kind))
}
