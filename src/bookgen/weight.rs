//! How often a move is to be played, by what it loses. Knows nothing else.

/// The most a move weighs: the best one of a position.
const HEAVIEST: u32 = 100;

/// What a move weighs that loses so many points against the best: less in proportion, and nothing
/// beyond the margin.
pub(super) fn weight(loss: u32, margin: u32) -> Option<u32> {
    let left = (margin + 1).checked_sub(loss).filter(|&left| left > 0)?;
    Some((HEAVIEST * left / (margin + 1)).max(1))
}
