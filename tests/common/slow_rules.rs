//! The Chinese rules of repetition (第24–29条) on the slow board, each definition a plain predicate
//! in the order of the text. Slow, obvious, and using nothing of the crate, so that it can judge
//! the judge; knows no natural limit.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use super::slow::{Board, Point, Step, at_home, points};

/// A label of 25.2 by its Chinese name. A chase by way of check is told apart: 捉抽.
pub(crate) type Label = &'static str;

/// What comes of a repetition, with the labels it rests on.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ruling {
    /// Who loses; nobody when it is a draw.
    pub(crate) loser_is_red: Option<bool>,
    /// What the loser did, by its Chinese name; nothing when it is a draw.
    pub(crate) offence: Option<&'static str>,
    /// The plies before the first one that was looked at.
    pub(crate) window_start: usize,
    /// The moves looked at and what each does.
    pub(crate) labels: Vec<(Step, Label)>,
}

/// The numbers that the text leaves open, and the mates found so far.
pub(crate) struct SlowRules {
    /// The occurrence that is judged (24).
    pub(crate) occurrences: usize,
    /// Checks that a threatened mate may take (28.2).
    pub(crate) kill_depth: u32,
    /// Whether men can be won by way of a check (28.3).
    pub(crate) check_gain: bool,
    mates: RefCell<HashMap<(Trial, u32), bool>>,
}

/// What a man is worth in an exchange (25.3).
fn worth(man: char) -> i32 {
    match man.to_ascii_lowercase() {
        'r' => 4,
        'n' | 'c' => 2,
        'a' | 'b' => 1,
        _ => 0,
    }
}

fn is_pawn(man: char) -> bool {
    man.eq_ignore_ascii_case(&'p')
}

fn is_king(man: char) -> bool {
    man.eq_ignore_ascii_case(&'k')
}

/// Whether a pawn takes an advisor or an elephant, which is no gain when the pawn is lost (25.3).
fn is_pawn_for_guard(captor: char, prey: char) -> bool {
    is_pawn(captor) && "ab".contains(prey.to_ascii_lowercase())
}

/// Whether a man's own captures are a chase: neither the king's nor a pawn's are (27.1, 27.2).
fn chases(man: char) -> bool {
    !is_king(man) && !is_pawn(man)
}

/// A board to try moves on, where the check that the side to move stood in does not count: the men
/// that give it attack no king, for as long as they stand where they stand.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Trial {
    board: Board,
    excused: BTreeSet<Point>,
}

impl Trial {
    /// A board as it is.
    fn of(board: &Board) -> Self {
        Self { board: board.clone(), excused: BTreeSet::new() }
    }

    /// A board without the check that the side to move stands in.
    fn without_check(board: &Board) -> Self {
        let red = board.red_to_move;
        let king = board.king(red);
        let checkers =
            points().filter(|&from| board.owned(from, !red) && board.reaches(from, king));
        Self { board: board.clone(), excused: checkers.collect() }
    }

    fn at(&self, point: Point) -> char {
        self.board.at(point)
    }

    /// The same men, the other side to move.
    fn passed(&self) -> Self {
        let mut other = self.clone();
        other.board.red_to_move = !self.board.red_to_move;
        other
    }

    fn after(&self, step: Step) -> Self {
        let mut excused = self.excused.clone();
        excused.retain(|&point| point != step.from && point != step.to);
        Self { board: self.board.after(step), excused }
    }

    fn in_check(&self, red: bool) -> bool {
        let king = self.board.king(red);
        let attacks = |from| self.board.owned(from, !red) && self.board.reaches(from, king);
        self.board.kings_face()
            || points().any(|from| attacks(from) && !self.excused.contains(&from))
    }

    /// Whether the side to move is in check.
    fn checked(&self) -> bool {
        self.in_check(self.board.red_to_move)
    }

    fn legal(&self) -> Vec<Step> {
        let red = self.board.red_to_move;
        let mut steps = self.board.pseudo_legal();
        steps.retain(|&step| !is_king(self.at(step.to)) && !self.after(step).in_check(red));
        steps
    }

    /// The legal captures of 子力 (25.3): neither the king nor a pawn that has not crossed the
    /// river.
    fn captures(&self) -> Vec<Step> {
        let mut steps = self.legal();
        steps.retain(|step| {
            let man = self.at(step.to);
            let uncrossed = is_pawn(man) && at_home(step.to, man.is_ascii_uppercase());
            man != '.' && !uncrossed
        });
        steps
    }

    /// The legal captures on a point.
    fn captures_on(&self, target: Point) -> Vec<Step> {
        if is_king(self.at(target)) {
            return Vec::new();
        }
        let red = self.board.red_to_move;
        let reach = |&from: &Point| self.board.owned(from, red) && self.board.reaches(from, target);
        let steps = points().filter(reach).map(|from| Step { from, to: target });
        steps.filter(|&step| !self.after(step).in_check(red)).collect()
    }

    /// What the side to move gets by capturing on a point where the latest capture was made, or by
    /// leaving it: each side is free to stop.
    fn exchange(&self, target: Point) -> i32 {
        let prize = worth(self.at(target));
        let takes = self.captures_on(target).into_iter();
        takes.map(|step| prize - self.after(step).exchange(target)).fold(0, i32::max)
    }
}

impl SlowRules {
    pub(crate) fn new(occurrences: usize, kill_depth: u32, check_gain: bool) -> Self {
        Self { occurrences, kill_depth, check_gain, mates: RefCell::default() }
    }

    /// What is to be said of a game after its last move (24, 26); nothing while the position has
    /// not occurred often enough.
    pub(crate) fn ruling(&self, start: &Board, moves: &[Step]) -> Option<Ruling> {
        let mut boards = vec![start.clone()];
        for &step in moves {
            boards.push(boards[boards.len() - 1].after(step));
        }
        let last = &boards[moves.len()];
        let same: Vec<usize> = (0..=moves.len()).filter(|&ply| boards[ply] == *last).collect();
        if same.len() < self.occurrences {
            return None;
        }
        let window_start = same[same.len() - 3];

        let mut known = BTreeMap::new();
        let mut labels = Vec::new();
        for ply in window_start..moves.len() {
            let (board, step) = (&boards[ply], moves[ply]);
            let label =
                *known.entry((board.fen(), step)).or_insert_with(|| self.label(board, step));
            labels.push((step, label));
        }
        let of = |red| -> Vec<Label> {
            let plies = (window_start..moves.len()).zip(&labels);
            plies.filter(|&(ply, _)| boards[ply].red_to_move == red).map(|(_, l)| l.1).collect()
        };
        let loser_is_red = loser(&of(true), &of(false));
        let offence = loser_is_red.map(|red| offence(&of(red)));
        Some(Ruling { loser_is_red, offence, window_start, labels })
    }

    /// What a move does (28); the heaviest counts (27.4).
    pub(crate) fn label(&self, before: &Board, step: Step) -> Label {
        let after = Trial::of(&before.after(step));
        if after.checked() {
            return "将";
        }
        let again = after.passed();
        if self.mates_by_checks(&again, self.kill_depth) {
            return "杀";
        }
        // A threat that a check, or a threat of mate, suspended is old (29.2): of what could be
        // taken before it is not asked whether that would have cost the game (29.4).
        let before = Trial::without_check(before);
        let is_new =
            |by| !self.targets(&again, by, true).is_subset(&self.targets(&before, by, false));
        if is_new(chases) {
            return "捉";
        }
        if self.check_gain
            && self.gains_by_check(&again, true, &self.targets(&before, chases, false))
            && !self.gains_by_check(&before, false, &BTreeSet::new())
        {
            return "捉抽";
        }
        if is_new(is_pawn) {
            return "兵捉";
        }
        if is_new(is_king) {
            return "帅捉";
        }
        "闲"
    }

    /// Whether the side to move mates by checks alone within so many of them (28.2).
    fn mates_by_checks(&self, board: &Trial, checks: u32) -> bool {
        if checks == 0 {
            return false;
        }
        let asked = (board.clone(), checks);
        if let Some(&known) = self.mates.borrow().get(&asked) {
            return known;
        }
        let mates = board.legal().into_iter().map(|step| board.after(step)).any(|next| {
            let mated = |reply| self.mates_by_checks(&next.after(reply), checks - 1);
            next.checked() && next.legal().into_iter().all(mated)
        });
        self.mates.borrow_mut().insert(asked, mates);
        mates
    }

    /// Where the men stand that the side to move can win by a capture with a man such as `by`
    /// asks for (28.3, 28.5, 28.16, 29.1, 29.3). `safely`: and is not mated for it (29.4).
    fn targets(&self, board: &Trial, by: fn(char) -> bool, safely: bool) -> BTreeSet<Point> {
        let captures = board.captures().into_iter().filter(|&step| {
            by(board.at(step.from))
                && self.wins_exchange(board, step, safely)
                && !self.offers_exchange(board, step)
                && !(safely && self.is_fatal(board, step))
        });
        captures.map(|step| step.to).collect()
    }

    /// Whether a side is mated for a capture (29.4).
    fn is_fatal(&self, board: &Trial, capture: Step) -> bool {
        self.mates_by_checks(&board.after(capture), self.kill_depth)
    }

    /// What each recapture that is real (28.16) brings the other side. After a false one it is
    /// mated.
    fn recaptures(&self, taken: &Trial, target: Point) -> Vec<(Step, i32)> {
        let steps = taken.captures_on(target).into_iter().map(|step| (step, taken.after(step)));
        let real = steps.filter(|(_, after)| !self.mates_by_checks(after, self.kill_depth));
        let value = |after: &Trial| worth(taken.at(target)) - after.exchange(target);
        real.map(|(step, after)| (step, value(&after))).collect()
    }

    /// What the full exchange on a point brings the side that opens it (25.3, 29.1).
    fn gain(&self, board: &Trial, capture: Step) -> i32 {
        let recaptures = self.recaptures(&board.after(capture), capture.to);
        worth(board.at(capture.to)) - recaptures.into_iter().fold(0, |best, (_, v)| best.max(v))
    }

    /// Whether the full exchange wins the man. A pawn that is taken counts for nothing, nor is one a
    /// gain that is given for an advisor or an elephant (25.3), so there every recapture must cost
    /// more than it brings.
    fn wins_exchange(&self, board: &Trial, capture: Step, safely: bool) -> bool {
        let taken = board.after(capture);
        let recaptures = self.recaptures(&taken, capture.to).into_iter();
        let values: Vec<i32> = recaptures
            .map(|(step, value)| {
                // The man that recaptures leaves whom it alone had guarded (少根, 28.16).
                let lost = self.left_behind(board, &taken.after(step), step, safely);
                value.min(worth(taken.at(capture.to)) - lost)
            })
            .collect();
        let (captor, prey) = (board.at(capture.from), board.at(capture.to));
        if is_pawn(prey) || is_pawn_for_guard(captor, prey) {
            values.into_iter().all(|value| value < 0)
        } else {
            worth(prey) > values.into_iter().fold(0, i32::max)
        }
    }

    /// The most that the side to move wins of the men that it attacked in vain before, because the
    /// man that has just recaptured guarded them.
    fn left_behind(&self, before: &Trial, now: &Trial, recapture: Step, safely: bool) -> i32 {
        let allowed = |board: &Trial, step| !(safely && self.is_fatal(board, step));
        let still = now.captures();
        let others = before.captures().into_iter().filter(|&step| {
            let guard = Step { from: recapture.from, to: step.to };
            step.to != recapture.to
                && chases(before.at(step.from))
                && still.contains(&step)
                && before.after(step).captures_on(step.to).contains(&guard)
                && !(self.gain(before, step) > 0 && allowed(before, step))
        });
        let gains = others.filter(|&step| allowed(now, step)).map(|step| self.gain(now, step));
        gains.fold(0, i32::max)
    }

    /// Whether the man attacked could as well take the attacker, which is of its own kind (28.5).
    fn offers_exchange(&self, board: &Trial, capture: Step) -> bool {
        let theirs = board.passed();
        let back = Step { from: capture.to, to: capture.from };
        board.at(capture.from).eq_ignore_ascii_case(&board.at(capture.to))
            && theirs.captures_on(back.to).contains(&back)
            && !self.mates_by_checks(&theirs.after(back), self.kill_depth)
    }

    /// Whether the side to move has a check after which it wins material, whatever the reply
    /// (28.3, 29.1). A mate wins none. `safely`: and is not mated for it (29.4). A check that takes
    /// one of the men on `old` is nothing new (29.2).
    fn gains_by_check(&self, board: &Trial, safely: bool, old: &BTreeSet<Point>) -> bool {
        board.legal().into_iter().any(|check| {
            let next = board.after(check);
            let replies = next.legal();
            next.checked()
                && !old.contains(&check.to)
                && !replies.is_empty()
                && replies.into_iter().all(|reply| self.gains_after(board, check, reply, safely))
        })
    }

    /// Whether the side to move is better off for a check and its reply, and for what it may take
    /// then. The last capture is neither the king's nor a pawn's (27.1, 27.2); it may be the check
    /// itself, unless that offers an exchange (28.5).
    fn gains_after(&self, board: &Trial, check: Step, reply: Step, safely: bool) -> bool {
        let checked = board.after(check);
        let next = checked.after(reply);
        let traded =
            reply.to == check.to && is_pawn_for_guard(board.at(check.from), board.at(check.to));
        let taken = if traded { 0 } else { worth(board.at(check.to)) };
        let so_far = taken - worth(checked.at(reply.to));
        let may_stop = chases(board.at(check.from)) && !self.offers_exchange(board, check);
        let captures = next
            .captures()
            .into_iter()
            .filter(|&step| chases(next.at(step.from)) && !(safely && self.is_fatal(&next, step)));
        may_stop && so_far > 0
            || captures.into_iter().any(|step| so_far + self.gain(&next, step) > 0)
    }
}

/// Who loses by the labels of each side's moves (24, 25.2, 26, 27.2); nobody: it is a draw.
fn loser(red: &[Label], black: &[Label]) -> Option<bool> {
    let all_check = |side: &[Label]| side.iter().all(|&label| label == "将");
    let attacks = |label| ["将", "杀", "捉", "捉抽"].contains(&label);
    let all_attack = |side: &[Label]| side.iter().all(|&label| attacks(label));
    let with_pawns = |side: &[Label]| side.iter().all(|&l| attacks(l) || l == "兵捉");

    if all_check(red) != all_check(black) {
        return Some(all_check(red));
    }
    if all_check(red) && all_check(black) {
        return None;
    }
    if all_attack(red) && all_attack(black) {
        return None;
    }
    if all_attack(red) {
        return if with_pawns(black) { None } else { Some(true) };
    }
    if all_attack(black) {
        return if with_pawns(red) { None } else { Some(false) };
    }
    None
}

/// The name of what a side did that made nothing but attacks (25.2).
fn offence(labels: &[Label]) -> &'static str {
    let does = |names: &[Label]| labels.iter().any(|label| names.contains(label));
    match (does(&["将"]), does(&["杀"]), does(&["捉", "捉抽"])) {
        (true, false, false) => "长将",
        (false, true, false) => "长杀",
        (false, false, true) => "长捉",
        (true, true, false) => "一将一杀",
        (true, false, true) => "一将一捉",
        (false, true, true) => "一杀一捉",
        (true, true, true) => "将杀捉",
        (false, false, false) => unreachable!("an offender attacks"),
    }
}
