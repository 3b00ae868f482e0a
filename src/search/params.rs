//! The numbers of the search, each named once, in one table. Values are internal units, reductions
//! 1/1024 ply. They are constants; with the feature `tune` each worker has its own, to be set by name.

/// A number of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub value: i32,
    /// The least that it may be.
    pub least: i32,
    /// The greatest that it may be.
    pub greatest: i32,
    /// By how much it is varied to see a difference in play, a twentieth of its range or so.
    pub step: i32,
}

macro_rules! table {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal, $least:literal ..= $greatest:literal, $step:literal;)+) => {
        impl Parameter {
            /// All numbers of the search that may be tuned.
            pub const TABLE: &[Self] = &[$(Self {
                name: stringify!($name),
                value: $value,
                least: $least,
                greatest: $greatest,
                step: $step,
            }),+];
        }

        /// The numbers that a worker searches by: those of the table.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Params {}

        #[cfg(not(feature = "tune"))]
        impl Params {
            $($(#[doc = $doc])+
            #[inline]
            pub(super) const fn $name(&self) -> i32 {
                $value
            })+
        }

        /// The numbers that a worker searches by.
        #[cfg(feature = "tune")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($name: i32,)+
        }

        #[cfg(feature = "tune")]
        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $value,)+ }
            }
        }

        #[cfg(feature = "tune")]
        impl Params {
            $($(#[doc = $doc])+
            #[inline]
            pub(super) const fn $name(&self) -> i32 {
                self.$name
            })+

            /// Changes the number of a name; whether there is such a number.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)+
                    _ => return false,
                }
                true
            }
        }
    };
}

table! {
    /// Half-width of the first aspiration window.
    aspiration_window = 30, 6..=60, 3;
    /// From this depth on the window is narrow.
    aspiration_depth = 4, 2..=8, 1;
    /// By how much a window that failed grows, in 1/16 of it.
    aspiration_growth = 8, 2..=20, 1;
    /// Windows wider than this are given up for the whole range.
    aspiration_most = 600, 200..=1500, 65;

    /// Reverse futility pruning: what an opponent may win back a ply.
    rfp_margin = 83, 30..=160, 7;
    /// Up to this depth.
    rfp_depth = 9, 5..=14, 1;

    /// Razoring: hopeless when this far below alpha.
    razor_base = 220, 80..=500, 20;
    /// And so much more by the square of the depth.
    razor_square = 130, 40..=280, 12;
    /// Up to this depth.
    razor_depth = 3, 1..=6, 1;

    /// Null move pruning: plies saved.
    nmp_base = 3, 2..=6, 1;
    /// One more each so many plies of depth.
    nmp_divisor = 3, 2..=6, 1;
    /// One more each time that the evaluation is so much above beta.
    nmp_margin = 230, 80..=450, 18;
    /// At most so many for that.
    nmp_margin_most = 3, 1..=6, 1;
    /// From this depth on.
    nmp_depth = 3, 2..=6, 1;
    /// The static evaluation may be below beta by this much a ply of depth …
    nmp_eval_slope = 19, 4..=40, 2;
    /// … less this much.
    nmp_eval_base = 101, 20..=300, 14;
    /// From this depth on its cutoff is verified.
    nmp_verify_depth = 13, 8..=24, 1;

    /// Probable cut: a capture that beats beta by this much at reduced depth.
    probcut_margin = 191, 80..=350, 14;
    /// From this depth on.
    probcut_depth = 5, 3..=9, 1;
    /// How much less deep it is searched.
    probcut_reduction = 4, 2..=6, 1;

    /// Internal iterative reduction from this depth on.
    iir_depth = 4, 2..=9, 1;

    /// Late move pruning: so many moves are tried, and the square of the depth more.
    lmp_base = 8, 1..=12, 1;
    /// Futility of quiet moves: a base …
    futility_base = 103, 20..=260, 12;
    /// … and a margin a ply.
    futility_margin = 91, 40..=200, 8;
    /// Up to this LMR depth.
    futility_depth = 8, 4..=14, 1;
    /// So much history is worth a unit of evaluation.
    futility_history = 170, 40..=400, 18;
    /// Quiet moves below this much history a ply are skipped.
    history_pruning_margin = 5698, 1000..=8000, 350;
    /// Up to this depth.
    history_pruning_depth = 5, 2..=10, 1;
    /// What an exchange may lose: quiet moves by the square of the LMR depth.
    see_quiet = 33, 8..=70, 3;
    /// Captures by the depth.
    see_capture = 152, 40..=240, 10;
    /// Up to this depth.
    see_depth = 9, 5..=14, 1;

    /// Singular extensions from this depth on.
    singular_depth = 6, 4..=9, 1;
    /// How far below the table's value the rest must stay, in 1/16 a ply.
    singular_margin = 32, 8..=96, 5;
    /// How much less deep the table's value may come from.
    singular_tt_depth = 3, 2..=5, 1;
    /// Two plies where the rest stays this much further below.
    double_margin = 30, 4..=80, 4;

    /// Late move reductions: the constant, in thousandths of a ply.
    lmr_base = 750, 200..=1400, 60;
    /// And the weight of ln depth · ln move count.
    lmr_slope = 440, 200..=800, 30;
    /// More at cut nodes.
    lmr_cut_node = 1500, 500..=3000, 125;
    /// More when the evaluation does not improve.
    lmr_not_improving = 800, 0..=2000, 100;
    /// Less on the principal variation.
    lmr_pv = 1000, 0..=2500, 125;
    /// Less where it ever was.
    lmr_tt_pv = 900, 0..=2500, 125;
    /// More where the TT move is a capture.
    lmr_tt_capture = 700, 0..=2000, 100;
    /// More where the child has had many cutoffs.
    lmr_cutoffs = 800, 0..=2000, 100;
    /// That is, more than so many.
    lmr_cutoffs_many = 3, 1..=7, 1;
    /// History that is worth one ply of reduction.
    lmr_history = 16_000, 6000..=40_000, 1700;
    /// The part of it for captures, in 1/3000.
    lmr_capture = 2000, 500..=3000, 125;
    /// More once a move has raised alpha.
    lmr_raised = 194, 0..=2000, 150;
    /// A reduced search that beats the best by this much is repeated deeper …
    deeper_base = 42, 10..=120, 6;
    /// … and by this much a ply of depth.
    deeper_slope = 4, 0..=12, 1;
    /// One that beats it by less than this is repeated less deep.
    shallower_margin = 13, 0..=40, 2;

    /// The bonus of a best move a ply of depth.
    bonus_slope = 192, 50..=350, 15;
    /// Less this.
    bonus_base = 35, 0..=300, 15;
    /// At most this.
    bonus_most = 1583, 800..=3500, 135;
    /// The malus of the moves before it a ply of depth.
    malus_slope = 132, 50..=350, 15;
    /// Less this.
    malus_base = 40, 0..=300, 15;
    /// At most this.
    malus_most = 2125, 600..=3500, 135;
    /// A best move that beats beta by this much learns as if a ply deeper.
    bonus_margin = 30, 10..=200, 10;

    /// What histories weigh in the order of quiet moves, in 1/64: butterfly.
    butterfly_weight = 92, 32..=256, 11;
    /// Pawn history.
    pawn_history_weight = 123, 32..=256, 11;
    /// Continuation history of the opponent's move.
    continuation_one_weight = 76, 16..=128, 6;
    /// Of our own last move.
    continuation_two_weight = 71, 16..=128, 6;
    /// Of our own move before that.
    continuation_four_weight = 26, 0..=128, 6;

    /// What correction histories weigh, in 1/64 at their limit of 1024: pawns.
    pawn_correction = 1, 0..=12, 1;
    /// Knights and cannons.
    minor_correction = 3, 0..=12, 1;
    /// Everything but pawns, either side's.
    non_pawn_correction = 7, 0..=12, 1;
    /// The last two moves.
    continuation_correction = 7, 0..=12, 1;
    /// The most that an evaluation is corrected by.
    correction_most = 120, 40..=300, 13;
    /// What a correction learns from an error a ply of depth, in 1/64.
    correction_rate = 7, 2..=24, 1;

    /// In the order of captures: an advisor.
    victim_advisor = 1600, 600..=3000, 120;
    /// A bishop.
    victim_bishop = 1800, 600..=3000, 120;
    /// A knight.
    victim_knight = 3900, 2000..=6000, 200;
    /// A rook.
    victim_rook = 8400, 5000..=12_000, 350;
    /// A cannon.
    victim_cannon = 4000, 2000..=6000, 200;
    /// A pawn.
    victim_pawn = 1300, 400..=3000, 120;
    /// A capture is good if it loses no more than this part of its score.
    good_capture_divisor = 148, 60..=400, 16;
    /// Quiet moves that are this much below nothing come after the bad captures.
    bad_quiet = 9774, 3000..=20_000, 850;
    /// What a check is worth in the order of quiet moves.
    check_bonus = 11_217, 3000..=25_000, 1100;
    /// What it is worth to leave an attack by a lesser man: advisors and bishops.
    threat_guard = 1500, 0..=5000, 250;
    /// Knights and cannons.
    threat_minor = 5827, 1500..=14_000, 600;
    /// Rooks.
    threat_rook = 7640, 3000..=22_000, 950;

    /// Quiescence: a capture must promise to come within this of alpha.
    delta_margin = 190, 50..=400, 17;

    /// So many plies before the natural limit the table is not trusted any more.
    limit_near = 20, 6..=40, 2;
    /// So many plies before the natural limit an evaluation begins to fade …
    fade_plies = 90, 30..=120, 5;
    /// … by one part in so many each.
    fade_divisor = 240, 120..=600, 24;

    /// The soft limit of time, in thousandths: less the share of nodes of the best move.
    time_effort = 1500, 1100..=2200, 55;
    /// While the best move is new.
    time_unstable = 1250, 900..=1800, 45;
    /// Less each iteration that it stays.
    time_stable = 60, 0..=150, 8;
    /// A value that falls by this much doubles it.
    time_drop = 200, 80..=500, 21;
    /// The part that is enough for an obvious recapture.
    time_recapture = 500, 200..=1000, 40;
}

impl Params {
    /// The bonus of a move that proved best, by depth.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_slope() * depth - self.bonus_base()).min(self.bonus_most())
    }

    /// What the moves tried before it lose.
    pub(super) fn malus(&self, depth: i32) -> i32 {
        (self.malus_slope() * depth - self.malus_base()).min(self.malus_most())
    }

    /// Late move reductions by depth and move count.
    pub(super) fn reductions(&self) -> Box<[[i32; 64]; 64]> {
        let thousandths = |number: i32| f64::from(number) / 1000.0;
        let (base, slope) = (thousandths(self.lmr_base()), thousandths(self.lmr_slope()));
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (move_count, plies) in row.iter_mut().enumerate().skip(1) {
                let logs = (depth as f64).ln() * (move_count as f64).ln();
                *plies = (1024.0 * (base + slope * logs)) as i32;
            }
        }
        reductions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_lies_within_its_range_and_has_a_name_of_its_own() {
        for (index, parameter) in Parameter::TABLE.iter().enumerate() {
            let Parameter { name, value, least, greatest, step } = *parameter;
            assert!((least..=greatest).contains(&value), "{name}");
            assert!(least >= 0, "{name}: options are not negative");
            let range = greatest - least;
            assert!(step > 0 && (step == 1 || (range / 50..=range / 8).contains(&step)), "{name}");
            assert!(Parameter::TABLE[..index].iter().all(|other| other.name != name), "{name}");
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn each_can_be_set_by_its_name_alone() {
        for parameter in Parameter::TABLE {
            let mut params = Params::default();
            assert!(params.set(parameter.name, parameter.value));
            assert_eq!(params, Params::default());
            assert!(params.set(parameter.name, parameter.value + 1));
            assert_ne!(params, Params::default());
        }
        assert!(!Params::default().set("lmr_bass", 1));
    }
}
