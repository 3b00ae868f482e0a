//! How games are played: everything that they depend on but the program and its network.

use serde::{Deserialize, Serialize};

/// How games are played. Values are in units of evaluations, shares between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplayPlan {
    /// What chance starts from. Each game has its own sequence, so that game 7 is the same whoever
    /// plays it and whatever is played beside it.
    pub seed: u64,
    /// Positions searched for a move, no more and no less unless the search is done before.
    pub nodes: u64,
    /// Megabytes of the table of each player.
    pub hash_mb: usize,
    /// Random plies before the game begins, or one more.
    pub opening_plies: usize,
    /// No game begins where one side is better by more than this.
    pub band: i32,
    /// The share of games that begin with few men: those of a quick game, most of them taken off.
    pub few_men: f64,
    /// The share of random moves among the first plies, so that both sides see what they avoid.
    pub stray: f64,
    /// How many plies these are.
    pub stray_plies: usize,
    /// The share of games that are played to their end, however clear they are.
    pub to_end: f64,
    /// A game is won where both sides think for so many plies that one is better by so much.
    pub win_value: i32,
    /// See [`Self::win_value`].
    pub win_plies: usize,
    /// A game is drawn where for so many plies neither side is better by more than this.
    pub draw_value: i32,
    /// See [`Self::draw_value`].
    pub draw_plies: usize,
    /// No game is drawn so before this ply.
    pub draw_after: usize,
    /// No game is longer.
    pub most_plies: usize,
}

impl Default for SelfplayPlan {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 100,
            hash_mb: 1,
            opening_plies: 8,
            band: 300,
            few_men: 0.1,
            stray: 0.05,
            stray_plies: 20,
            to_end: 0.1,
            win_value: 2_000,
            win_plies: 6,
            draw_value: 5,
            draw_plies: 24,
            draw_after: 160,
            most_plies: 400,
        }
    }
}

impl SelfplayPlan {
    /// The plan as text.
    ///
    /// # Panics
    /// Never: every plan can be written.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("invariant: a plan is plain values")
    }
}
