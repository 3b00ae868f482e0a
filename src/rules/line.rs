//! A line of play: a start position and the plies since, with what the rules need of each. Counts
//! and compares; leaves what follows from it to the judge.

use super::{LabelCache, Ruleset, Verdict};
use crate::{
    position::{Observer, Position, Undo, Unobserved},
    types::{Color, Move, Piece, SplitMix64},
};

/// A move that the position does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {0}")]
pub struct IllegalMove(pub Move);

/// What the rules remember when a ply has been played.
#[derive(Clone, Copy, Debug)]
struct Tally {
    /// Plies since the last capture, null move or the start: how far back a repetition can lie.
    reversible: u16,
    /// Plies without capture that count towards the natural limit.
    counted: u16,
    /// Checks of each side since the last capture.
    checks: [u16; Color::NUM],
    /// How many of each side's latest moves gave check without a break.
    run: [u16; Color::NUM],
    /// Whether the side to move is in check.
    in_check: bool,
    /// Whether that check came after its side's checks had ceased to count.
    surplus: bool,
    /// Whether the men that are left can win at all.
    can_be_won: bool,
}

/// One ply of a line.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move and what it destroyed; nothing for a null move.
    made: Option<(Move, Undo)>,
    tally: Tally,
}

impl Ply {
    /// The move; `None` when the side passed.
    pub fn mv(&self) -> Option<Move> {
        self.made.map(|(mv, _)| mv)
    }

    /// The man it captured.
    pub fn captured(&self) -> Option<Piece> {
        self.made.and_then(|(_, undo)| undo.captured())
    }

    /// Whether it gave check.
    pub fn gave_check(&self) -> bool {
        self.tally.in_check
    }

    /// Takes the move back on a position it has led to, and names it.
    pub(super) fn take_back(&self, position: &mut Position) -> Option<Move> {
        let (mv, undo) = self.made.as_ref()?;
        position.unmake(*mv, undo);
        Some(*mv)
    }
}

const SLOTS: usize = 2048;

/// How often keys fall into each of a few slots: mostly enough to know that a position is new.
#[derive(Clone)]
struct Filter(Box<[u16; SLOTS]>);

impl Filter {
    #[inline]
    fn slot(&mut self, key: u64) -> &mut u16 {
        &mut self.0[key as usize % SLOTS]
    }
}

/// A start position and the plies since; clone it to search from where it stands.
#[derive(Clone)]
pub struct Line {
    ruleset: Ruleset,
    start: Position,
    position: Position,
    /// The tally before the first ply.
    first: Tally,
    plies: Vec<Ply>,
    /// The key of every position, the start's first.
    keys: Vec<u64>,
    filter: Filter,
}

impl Line {
    /// A line of no plies yet, under the rules of competition.
    pub fn new(start: Position) -> Self {
        Self::under(Ruleset::default(), start)
    }

    /// A line of no plies yet under rules of its own.
    pub fn under(ruleset: Ruleset, start: Position) -> Self {
        // A FEN tells how many plies, not which of them gave check. None ends the game at once:
        // had the limit been reached, there would be no game.
        let latest = u32::from(ruleset.natural_limit).saturating_sub(1);
        let first = Tally {
            reversible: 0,
            counted: start.clock().min(latest) as u16,
            checks: [0; Color::NUM],
            run: [0; Color::NUM],
            in_check: start.in_check(),
            surplus: false,
            can_be_won: start.can_be_won(),
        };
        let mut filter = Filter(Box::new([0; SLOTS]));
        *filter.slot(start.key()) += 1;
        let keys = vec![start.key()];
        Self { ruleset, position: start.clone(), start, first, plies: Vec::new(), keys, filter }
    }

    /// The same plies under other rules.
    #[must_use]
    pub fn judged_by(&self, ruleset: Ruleset) -> Self {
        let mut line = Self::under(ruleset, self.start.clone());
        for ply in &self.plies {
            match ply.mv() {
                Some(mv) => line.push(mv, &mut Unobserved),
                None => line.push_null(),
            }
        }
        line
    }

    /// Where it starts.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it has got to.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The rules it is judged by.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// How many plies it has, null moves included.
    #[inline]
    pub fn plies(&self) -> usize {
        self.plies.len()
    }

    /// The position after so many of its plies; the latest one, when there are not as many.
    pub fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        for ply in self.plies.iter().take(plies) {
            match ply.mv() {
                Some(mv) => drop(position.make(mv, &mut Unobserved)),
                None => position.make_null(),
            }
        }
        position
    }

    /// Its plies, the first one first.
    pub fn history(&self) -> &[Ply] {
        &self.plies
    }

    /// The latest ply.
    #[inline]
    pub fn last(&self) -> Option<&Ply> {
        self.plies.last()
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.tally().in_check
    }

    /// Plies without capture that count towards the natural limit.
    #[inline]
    pub fn counted(&self) -> u32 {
        u32::from(self.tally().counted)
    }

    /// How many more plies may count until the natural limit: 0 when it is reached, `u32::MAX`
    /// when there is none.
    #[inline]
    pub fn plies_to_limit(&self) -> u32 {
        match self.ruleset.natural_limit {
            0 => u32::MAX,
            limit => u32::from(limit.saturating_sub(self.tally().counted)),
        }
    }

    /// A digest of the positions that have occurred so often that the next time is judged; 0 while
    /// there is none. What a search finds out holds as long as it stays the same.
    pub fn spent(&self) -> u64 {
        self.spent_keys().iter().fold(0, |digest, &key| digest ^ SplitMix64::new(key).next())
    }

    /// The keys of the positions that have occurred so often that the next time is judged.
    pub fn spent_keys(&self) -> Vec<u64> {
        let window = usize::from(self.tally().reversible) + 1;
        let mut keys = self.keys[self.keys.len() - window..].to_vec();
        keys.sort_unstable();
        keys.chunk_by(u64::eq)
            .filter(|equal| equal.len() + 1 >= self.ruleset.repetition_count)
            .map(|equal| equal[0])
            .collect()
    }

    /// Plays a move from outside.
    ///
    /// # Errors
    /// When the move is not legal; the line is as before.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.push(mv, &mut Unobserved);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    #[inline]
    pub fn push(&mut self, mv: Move, observer: &mut impl Observer) {
        let before = *self.tally();
        let mover = self.position.side();
        let undo = self.position.make(mv, observer);
        let gave_check = self.position.in_check();

        let mut tally = Tally { in_check: gave_check, surplus: false, ..before };
        let run = &mut tally.run[mover as usize];
        *run = if gave_check { run.saturating_add(1) } else { 0 };
        if undo.captured().is_some() {
            tally.reversible = 0;
            tally.counted = 0;
            tally.checks = [0; Color::NUM];
            tally.can_be_won = self.position.can_be_won();
        } else {
            tally.reversible = tally.reversible.saturating_add(1);
            // A pawn that reaches its last rank may be the last man that could win.
            if matches!(mv.to().rank(), 0 | 9) && self.position.is_pawn(mv.to()) {
                tally.can_be_won = self.position.can_be_won();
            }
            if gave_check {
                let checks = &mut tally.checks[mover as usize];
                *checks = checks.saturating_add(1);
                tally.surplus = *checks > self.ruleset.check_cap
                    && self.ruleset.claimant.is_none_or(|claimant| claimant == mover);
            }
            // A surplus check does not count, and neither does the quiet answer to one (23.3).
            let idle = if gave_check { tally.surplus } else { before.surplus };
            tally.counted = tally.counted.saturating_add(u16::from(!idle));
        }
        self.add(Ply { made: Some((mv, undo)), tally });
    }

    /// Takes the latest move back.
    ///
    /// # Panics
    /// When the latest ply is no move.
    #[inline]
    pub fn pop(&mut self) {
        self.forget_key();
        let made = self.plies.last().and_then(|ply| ply.made.as_ref());
        let (mv, undo) = made.expect("invariant: a move is taken back where one was played");
        self.position.unmake(*mv, undo);
        self.plies.pop();
    }

    /// Passes. No repetition is seen across a pass, and it does not count towards the limit.
    pub fn push_null(&mut self) {
        let before = *self.tally();
        let mut tally = Tally { reversible: 0, in_check: false, surplus: false, ..before };
        tally.run[self.position.side() as usize] = 0;
        self.position.make_null();
        self.add(Ply { made: None, tally });
    }

    /// Takes the latest pass back.
    pub fn pop_null(&mut self) {
        debug_assert!(self.last().is_some_and(|ply| ply.made.is_none()), "no pass to take back");
        self.forget_key();
        self.position.unmake_null();
        self.plies.pop();
    }

    /// What the rules say in a search whose root lies `ply` plies back: [`super::judge_in_tree`].
    #[inline]
    pub fn verdict_in_tree(&self, ply: usize, cache: &mut LabelCache) -> Verdict {
        super::judge_in_tree(self, ply, cache)
    }

    /// Whether the position may have occurred before; a cheap question that is mostly denied.
    #[inline]
    pub(super) fn may_have_repeated(&self) -> bool {
        self.tally().reversible >= 4 && self.filter.0[self.position.key() as usize % SLOTS] > 1
    }

    /// How many plies back the position occurred before, the latest occurrence first.
    pub(super) fn occurrences(&self) -> impl Iterator<Item = usize> {
        let key = self.position.key();
        let window = usize::from(self.tally().reversible) + 1;
        // Two plies cannot restore a position: the first one's man would have to move twice.
        self.keys
            .iter()
            .rev()
            .enumerate()
            .take(window)
            .step_by(2)
            .skip(2)
            .filter_map(move |(plies, &earlier)| (earlier == key).then_some(plies))
    }

    /// Whether `side` gave check with every move it made among the last `plies`, an even number.
    pub(super) fn checked_all_along(&self, side: Color, plies: usize) -> bool {
        usize::from(self.tally().run[side as usize]) >= plies / 2
    }

    #[inline]
    pub(super) fn at_natural_limit(&self) -> bool {
        self.ruleset.natural_limit != 0 && self.tally().counted >= self.ruleset.natural_limit
    }

    /// Whether the limit had been reached already `ply` plies ago.
    pub(super) fn was_at_natural_limit(&self, ply: usize) -> bool {
        let then =
            self.plies.len().checked_sub(ply + 1).map_or(&self.first, |at| &self.plies[at].tally);
        self.ruleset.natural_limit != 0 && then.counted >= self.ruleset.natural_limit
    }

    #[inline]
    pub(super) fn can_be_won(&self) -> bool {
        self.tally().can_be_won
    }

    #[inline]
    fn tally(&self) -> &Tally {
        self.plies.last().map_or(&self.first, |ply| &ply.tally)
    }

    #[inline]
    fn add(&mut self, ply: Ply) {
        let key = self.position.key();
        *self.filter.slot(key) += 1;
        self.keys.push(key);
        self.plies.push(ply);
    }

    #[inline]
    fn forget_key(&mut self) {
        *self.filter.slot(self.position.key()) -= 1;
        self.keys.pop();
    }
}

#[cfg(test)]
impl Line {
    /// Everything that a move and its taking back must leave as it was.
    pub(super) fn fingerprint(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        let slots: u64 = (1..).zip(self.filter.0.iter()).map(|(i, &n)| i * u64::from(n)).sum();
        (format!("{:?} {:?}", self.position, self.tally()), self.keys.clone(), slots)
    }
}
