//! The numbers of the search, each named once. Values are internal units, reductions 1/1024 ply.

use crate::types::Value;

/// Half-width of the first aspiration window.
pub(super) const ASPIRATION_WINDOW: Value = 18;
/// From this depth on the window is narrow.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// Reverse futility: what an opponent may win back a ply.
pub(super) const RFP_MARGIN: Value = 85;
pub(super) const RFP_DEPTH: i32 = 9;

/// Razoring: hopeless when this far below alpha, growing with the square of the depth.
pub(super) const RAZOR_BASE: Value = 240;
pub(super) const RAZOR_SQUARE: Value = 130;
pub(super) const RAZOR_DEPTH: i32 = 3;

/// Null move: plies saved, more with depth and with the margin over beta.
pub(super) const NULL_BASE: i32 = 3;
pub(super) const NULL_DIVISOR: i32 = 3;
pub(super) const NULL_MARGIN: Value = 210;
pub(super) const NULL_DEPTH: i32 = 3;
/// From this depth on a null-move cutoff is verified.
pub(super) const VERIFY_DEPTH: i32 = 13;

/// Probable cut: a capture that beats beta by this much at reduced depth.
pub(super) const PROBCUT_MARGIN: Value = 190;
pub(super) const PROBCUT_DEPTH: i32 = 5;

/// Internal iterative reduction where no move is known.
pub(super) const IIR_DEPTH: i32 = 4;

/// Futility of quiet moves: a base and a margin a ply.
pub(super) const FUTILITY_BASE: Value = 110;
pub(super) const FUTILITY_MARGIN: Value = 105;
pub(super) const FUTILITY_DEPTH: i32 = 8;

/// Quiet moves below this much history a ply are skipped.
pub(super) const HISTORY_PRUNING_MARGIN: i32 = 3600;
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 5;

/// What an exchange may lose: quiet moves by the square of the depth, captures by the depth.
pub(super) const SEE_QUIET: Value = 28;
pub(super) const SEE_CAPTURE: Value = 120;
pub(super) const SEE_DEPTH: i32 = 9;

/// Singular extension: how far below the table's value the rest must stay, a ply.
pub(super) const SINGULAR_DEPTH: i32 = 6;
pub(super) const SINGULAR_MARGIN: Value = 2;
pub(super) const DOUBLE_MARGIN: Value = 24;

/// Late move reductions: the constant and the weight of ln depth · ln move number.
pub(super) const LMR_BASE: f64 = 0.75;
pub(super) const LMR_SLOPE: f64 = 0.44;
pub(super) const LMR_CUT_NODE: i32 = 1500;
pub(super) const LMR_NOT_IMPROVING: i32 = 800;
pub(super) const LMR_PV: i32 = 1000;
pub(super) const LMR_TT_PV: i32 = 900;
pub(super) const LMR_TT_CAPTURE: i32 = 700;
pub(super) const LMR_CUTOFFS: i32 = 800;
/// History units that are worth one ply of reduction.
pub(super) const LMR_HISTORY: i32 = 16_000;

/// Quiescence: a capture must promise to come within this of alpha.
pub(super) const DELTA_MARGIN: Value = 180;

/// So many plies before the natural limit the table is not trusted any more.
pub(super) const LIMIT_NEAR: Value = 20;
/// So many plies before the natural limit an evaluation begins to fade, by 1/240 each.
pub(super) const FADE: u32 = 90;
pub(super) const FADE_DIVISOR: Value = 240;

/// Bonus for a move that proved best, by depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (150 * depth - 80).min(1700)
}
