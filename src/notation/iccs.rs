//! ICCS, `H2-E2`: points of the board, whatever stands on them. Its reader is that of
//! [`Move`](crate::types::Move).

use crate::types::Move;

/// Writes a move as PGN does, in capitals and with a hyphen.
pub(super) fn print(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}
