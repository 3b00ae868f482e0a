//! Values inside the search and scores as people read them.
//!
//! A [`Value`] counts in internal units from the mover's view. Three bands, far apart:
//! evaluations, verdicts of a rule reached inside the tree, and proven mates.

/// A position's worth for the side to move, in internal units: `scale` tells what they mean.
pub type Value = i32;

/// The deepest ply of any search.
pub const MAX_PLY: usize = 240;

/// Mated right here; a mate `n` plies away is worth `MATE - n`.
pub const MATE: Value = 32_000;
/// Any mate is at least this far from zero.
pub const MATE_BAND: Value = MATE - 1_000;
/// What winning by a rule of repetition is worth inside the tree. It is a win in practice but no
/// mate: the opponent may still deviate, so it is never announced as one.
pub const RULE_WIN: Value = 30_000;
/// Any rule verdict is at least this far from zero, and no evaluation is.
pub const RULE_BAND: Value = RULE_WIN - 1_000;
/// The largest evaluation.
pub const EVAL_LIMIT: Value = RULE_BAND - 1;
/// Above every value.
pub const INFINITE: Value = 32_500;

/// The mover is mated (or stalemated, 困毙) after `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The mover mates at `ply` plies from the root.
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether the value is a proven mate for either side.
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BAND
}

/// Whether the value decides the game: a mate or a rule verdict.
pub const fn is_decisive(value: Value) -> bool {
    value.abs() >= RULE_BAND
}

/// Whether the value is a rule verdict: true on the path it was found on, not of the position.
pub const fn is_rule_verdict(value: Value) -> bool {
    is_decisive(value) && !is_mate(value)
}

/// A score as told to people and programs, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// An evaluation in internal units; each dialect scales it as its clients expect.
    Value(Value),
    /// Mate in so many plies: positive when the mover mates, zero or negative when it is mated.
    Mate(i32),
}

impl Score {
    /// The score of a root value.
    pub const fn from_value(value: Value) -> Self {
        if value >= MATE_BAND {
            Self::Mate(MATE - value)
        } else if value <= -MATE_BAND {
            Self::Mate(-MATE - value)
        } else {
            Self::Value(value)
        }
    }

    /// The root value that has this score.
    pub const fn to_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Mate(plies) if plies > 0 => MATE - plies,
            Self::Mate(plies) => -MATE - plies,
        }
    }
}

/// Which side of the true value a known one lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing is known of the value.
    None,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    /// Whether a value of this bound decides against `beta` in a null window.
    pub const fn settles(self, value: Value, beta: Value) -> bool {
        match self {
            Self::None => false,
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value < beta,
        }
    }

    /// Whether a value of this bound is nearer the truth than an estimate.
    pub const fn improves(self, value: Value, estimate: Value) -> bool {
        match self {
            Self::None => false,
            Self::Exact => true,
            Self::Lower => value > estimate,
            Self::Upper => value < estimate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_and_verdicts_are_no_mates() {
        assert_eq!(Score::from_value(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(mated_in(2)), Score::Mate(-2));
        assert_eq!(Score::from_value(RULE_WIN - 3), Score::Value(RULE_WIN - 3));
        for value in [mate_in(1), mated_in(0), mated_in(2), RULE_WIN - 3, -EVAL_LIMIT, 0] {
            assert_eq!(Score::from_value(value).to_value(), value);
        }
        assert!(is_rule_verdict(3 - RULE_WIN) && !is_rule_verdict(mated_in(MAX_PLY)));
    }
}
