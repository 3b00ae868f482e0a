//! Writing moves in Chinese, 炮二平五 (第7条). Knows the glyphs; [`super::spelling`] reads them.
//!
//! Two men of a kind on one file are 前 and 后, three pawns 前 中 后, four or five 一 二 三 四 五 from the
//! front. When two files hold several pawns, all of those are numbered through, files from the
//! owner's right to its left. Advisors and bishops are told apart by their direction.

use super::portrait::{Action, Portrait, Tandem};
use crate::{
    position::Position,
    types::{Color, Kind, Move},
};

/// Which characters are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// 车马炮, 进
    #[default]
    Simplified,
    /// 俥傌炮 and 車馬砲, 進
    Traditional,
}

/// How Black's numbers are written; Red's are 一 to 九.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// 马8进7
    #[default]
    Narrow,
    /// 马８进７: each character as wide as the others, which many programs count on in files.
    Wide,
}

/// How Chinese moves look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which characters are used.
    pub script: Script,
    /// How Black's numbers are written.
    pub digits: Digits,
}

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Writes a move of the side to move.
pub(super) fn print(position: &Position, mv: Move, style: Style) -> String {
    let portrait = Portrait::of(position, mv);
    let us = position.side();
    let name = name(us, portrait.kind, style.script);
    let digit = |n: u8| match (us, style.digits) {
        (Color::Red, _) => numeral(n),
        (Color::Black, Digits::Narrow) => char::from(b'0' + n),
        (Color::Black, Digits::Wide) => char::from_u32('０' as u32 + u32::from(n)).unwrap_or('０'),
    };
    let who = match (portrait.number, portrait.tandem) {
        (Some(number), _) => [numeral(number), name],
        (None, Some(tandem)) if !portrait.is_plain() => [place(tandem, style.script), name],
        _ => [name, digit(portrait.file)],
    };
    let action = match (portrait.action, style.script) {
        (Action::Forward, Script::Simplified) => '进',
        (Action::Forward, Script::Traditional) => '進',
        (Action::Back, _) => '退',
        (Action::Across, _) => '平',
    };
    who.into_iter().chain([action, digit(portrait.target)]).collect()
}

fn place(Tandem { index, of }: Tandem, script: Script) -> char {
    match (index, of) {
        (0, 2 | 3) => '前',
        (1, 3) => '中',
        (1, 2) | (2, 3) if script == Script::Simplified => '后',
        (1, 2) | (2, 3) => '後',
        _ => numeral(index + 1),
    }
}

fn numeral(n: u8) -> char {
    NUMERALS[usize::from(n) - 1]
}

fn name(us: Color, kind: Kind, script: Script) -> char {
    let names: [char; Kind::NUM] = match (us, script) {
        (Color::Red, Script::Simplified) => ['帅', '仕', '相', '马', '车', '炮', '兵'],
        (Color::Black, Script::Simplified) => ['将', '士', '象', '马', '车', '炮', '卒'],
        (Color::Red, Script::Traditional) => ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        (Color::Black, Script::Traditional) => ['將', '士', '象', '馬', '車', '砲', '卒'],
    };
    names[kind as usize]
}
