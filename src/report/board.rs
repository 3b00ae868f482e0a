//! Boards as drawings. The lines and the fourteen men are drawn once a page and used by each board.

use std::fmt::Write;

use super::escape::Text;
use crate::{
    position::Position,
    types::{Color, Kind, Move, Piece, Square},
};

/// The distance between two lines.
const STEP: i32 = 40;

/// What a man is called on its face.
pub(super) fn face(piece: Piece) -> char {
    let faces: [char; Kind::NUM] = match piece.color() {
        Color::Red => ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        Color::Black => ['將', '士', '象', '馬', '車', '砲', '卒'],
    };
    faces[piece.kind() as usize]
}

fn at(square: Square) -> (i32, i32) {
    (20 + STEP * i32::from(square.file()), 32 + STEP * (9 - i32::from(square.rank())))
}

/// The drawings that boards are made of, to stand once at the beginning of a page.
pub(super) fn defs() -> String {
    let mut svg = String::from(
        "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\
         <g id=\"bd\"><rect class=\"wood\" x=\"0\" y=\"0\" width=\"360\" height=\"424\" rx=\"10\"/>\
         <rect class=\"edge\" x=\"15\" y=\"27\" width=\"330\" height=\"370\"/><path class=\"ln\" d=\"",
    );
    for rank in 0..10 {
        let _ = write!(svg, "M20 {}H340", 32 + STEP * rank);
    }
    for file in 0..9 {
        let x = 20 + STEP * file;
        if file == 0 || file == 8 {
            let _ = write!(svg, "M{x} 32V392");
        } else {
            let _ = write!(svg, "M{x} 32V192M{x} 232V392");
        }
    }
    svg +=
        "M140 32L220 112M220 32L140 112M140 312L220 392M220 312L140 392\"/><path class=\"ln\" d=\"";
    // Where cannons and pawns begin.
    let cannons = [1, 7].into_iter().flat_map(|file| [2, 7].map(|rank| (file, rank)));
    let pawns = (0..9).step_by(2).flat_map(|file| [3, 6].map(|rank| (file, rank)));
    for (file, rank) in cannons.chain(pawns) {
        let (x, y) = (20 + STEP * file, 32 + STEP * rank);
        for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if (file == 0 && dx < 0) || (file == 8 && dx > 0) {
                continue;
            }
            let (near_x, near_y) = (x + 3 * dx, y + 3 * dy);
            let _ = write!(svg, "M{near_x} {}V{near_y}H{}", y + 9 * dy, x + 9 * dx);
        }
    }
    svg += "\"/><text class=\"river\" x=\"100\" y=\"221\">楚河</text>\
            <text class=\"river\" x=\"260\" y=\"221\">漢界</text></g>";
    for piece in Piece::ALL {
        let class = if piece.color() == Color::Red { "r" } else { "b" };
        let _ = write!(
            svg,
            "<g id=\"m{}\" class=\"man {class}\"><circle class=\"disc\" r=\"18\"/>",
            piece.letter()
        );
        // Red men have a second ring, so that they are told from Black's without colours.
        let rings: &[&str] =
            if piece.color() == Color::Red { &["15.6", "13.6"] } else { &["15.4"] };
        for radius in rings {
            let _ = write!(svg, "<circle class=\"ring\" r=\"{radius}\"/>");
        }
        let _ = write!(svg, "<text y=\"7\">{}</text></g>", face(piece));
    }
    svg + "<marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"3.6\" \
           markerHeight=\"3.6\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L10 5L0 10z\"/></marker>\
           <marker id=\"tip2\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"3.6\" \
           markerHeight=\"3.6\" orient=\"auto\"><path class=\"tip bad\" d=\"M0 0L10 5L0 10z\"/></marker>\
           </defs></svg>"
}

/// What a board shows beside the men.
#[derive(Clone, Copy, Default)]
pub(super) struct Show {
    /// The move that led here.
    pub(super) last: Option<Move>,
    /// A good move.
    pub(super) best: Option<Move>,
    /// A worse one.
    pub(super) worse: Option<Move>,
}

/// A board, with words for those who do not see it.
pub(super) fn board(position: &Position, show: Show, label: &str) -> String {
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 360 424\" role=\"img\" aria-label=\"{}\">\
         <use href=\"#bd\"/>{}<g class=\"under\">",
        Text(label),
        files()
    );
    if let Some(mv) = show.last {
        for square in [mv.from(), mv.to()] {
            let (x, y) = at(square);
            let _ = write!(svg, "<circle class=\"spot\" cx=\"{x}\" cy=\"{y}\" r=\"19.5\"/>");
        }
    }
    svg += "</g><g class=\"men\">";
    for square in Square::ALL {
        if let Some(piece) = position.piece_at(square) {
            let (x, y) = at(square);
            let _ = write!(svg, "<use href=\"#m{}\" x=\"{x}\" y=\"{y}\"/>", piece.letter());
        }
    }
    svg += "</g><g class=\"over\">";
    for (mv, class, tip) in [(show.worse, "arrow bad", "tip2"), (show.best, "arrow", "tip")] {
        if let Some(mv) = mv {
            let ((x1, y1), (x2, y2)) = (at(mv.from()), at(mv.to()));
            let _ = write!(
                svg,
                "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" \
                 marker-end=\"url(#{tip})\"/>"
            );
        }
    }
    svg + "</g></svg>"
}

/// The numbers of the files, as each side counts them.
fn files() -> String {
    let mut svg = String::new();
    let numerals = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
    for (class, flipped) in [("lab", false), ("lab flip", true)] {
        let _ = write!(svg, "<g class=\"{class}\" aria-hidden=\"true\">");
        for column in 0..9usize {
            let x = 20 + STEP * column as i32;
            let (black, red) = (column + 1, numerals[8 - column]);
            let (top, bottom) = if flipped {
                (numerals[column].to_owned(), (9 - column).to_string())
            } else {
                (black.to_string(), red.to_owned())
            };
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"11\">{top}</text><text x=\"{x}\" y=\"421\">{bottom}</text>"
            );
        }
        svg += "</g>";
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_is_on_the_board_and_has_a_face_of_its_own_side() {
        let svg = board(&Position::start(), Show::default(), "a \"b\"");
        assert_eq!(svg.matches("<use href=\"#m").count(), 32);
        assert!(svg.contains("aria-label=\"a &quot;b&quot;\""));
        let faces: std::collections::HashSet<_> = Piece::ALL.map(face).into_iter().collect();
        assert_eq!(faces.len(), Piece::NUM);
        let defs = defs();
        for piece in Piece::ALL {
            assert!(defs.contains(&format!("id=\"m{}\"", piece.letter())));
        }
    }

    #[test]
    fn red_counts_files_from_its_right_and_black_from_its_own() {
        let svg = board(&Position::start(), Show::default(), "");
        // h0, Red's right horse, stands on its second file: the eighth column.
        assert!(svg.contains("<text x=\"300\" y=\"421\">二</text>"));
        assert!(svg.contains("<text x=\"300\" y=\"11\">8</text>"));
    }
}
