//! Which moves of a root are searched, and in what order to begin with. Knows the limits and the rules, no values.

use std::cmp::Reverse;

use super::Limits;
use crate::{
    position::{Unobserved, see},
    rules::{LabelCache, Line, Verdict},
    types::{Color, Move},
};

/// The legal moves that the limits leave, those that win by the rules first, then the forcing ones:
/// a search that is stopped before it has judged any plays the first. Where nothing is left, bans
/// give way before choices do.
///
/// Of these, moves that lose at once by the rules are left out unless all do, and it is told whether
/// any were. Being mated soon is preferred to them: a mate may be missed.
pub(super) fn root_moves(
    line: &Line,
    limits: &Limits,
    cache: &mut LabelCache,
) -> (Vec<Move>, bool) {
    let position = line.position();
    let wanted = |mv: &Move| limits.only.is_empty() || limits.only.contains(mv);
    let allowed = |mv: &Move| !limits.never.contains(mv);
    let among = |passes: &dyn Fn(&Move) -> bool| {
        position.legal_moves().into_iter().filter(passes).collect::<Vec<_>>()
    };
    let mut moves = among(&|mv| wanted(mv) && allowed(mv));
    for fallback in [&wanted as &dyn Fn(&Move) -> bool, &allowed, &|_| true] {
        if moves.is_empty() {
            moves = among(fallback);
        }
    }
    let mut line = line.clone();
    let gain = |mv: Move| position.piece_at(mv.to()).map_or(0, |victim| see::value(victim.kind()));
    let mut ranked: Vec<_> = moves
        .into_iter()
        .map(|mv| {
            let forcing = (position.see_ge(mv, 0), position.gives_check(mv), gain(mv));
            (winner_at_once(&mut line, mv, limits, cache), forcing, mv)
        })
        .collect();
    let loser = Some(!position.side());
    let all = ranked.len();
    if ranked.iter().any(|&(winner, ..)| winner != loser) {
        ranked.retain(|&(winner, ..)| winner != loser);
    }
    ranked.sort_by_key(|&(winner, forcing, _)| Reverse((winner.is_some(), forcing)));
    let rule_losers_left_out = ranked.len() < all;
    (ranked.into_iter().map(|(.., mv)| mv).collect(), rule_losers_left_out)
}

/// Who has won by the rules as soon as this move is made, if anybody.
fn winner_at_once(
    line: &mut Line,
    mv: Move,
    limits: &Limits,
    cache: &mut LabelCache,
) -> Option<Color> {
    line.push(mv, &mut Unobserved);
    let verdict = line.verdict_in_tree(1, cache);
    line.pop();
    match verdict {
        Verdict::Ongoing => None,
        Verdict::Draw => limits.draws_won_by,
        Verdict::Forbidden { offender, .. } => Some(!offender),
    }
}
