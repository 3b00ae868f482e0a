//! What a session has been asked to do and is doing, and how that ends. Knows no replies.

use std::time::Duration;

use super::console::Chore;
use crate::{
    engine::GoRequest,
    position::Position,
    wire::{Go, Unit},
};

/// How long is thought where the only limits could not be read: long enough for a good move, and
/// not so long that whoever waits gives up.
const SANE_TIME: Duration = Duration::from_secs(1);

/// What is being done.
pub(super) enum Task {
    Nothing,
    Search(Search),
    Chore(Chore),
}

/// What the session has to remember of a search.
pub(super) struct Search {
    pub(super) ending: Ending,
    /// It is played on a clock.
    pub(super) game: bool,
    /// The opponent wants to know whether a draw is agreed to.
    pub(super) asked: bool,
    pub(super) stopped: bool,
}

/// How a search ends unless it is stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// By a limit.
    ByItself,
    /// By a limit that counts from `ponderhit`.
    AfterHit,
    /// Not at all.
    Never,
}

impl Search {
    /// What a `go` asks the engine for, and what is to be remembered of it. Clocks count in `unit`.
    pub(super) fn asked_for(go: &Go, position: &Position, unit: Unit) -> (GoRequest, Self) {
        let clock = go.clock(position.side(), unit);
        let only = go.search_moves.iter().copied().filter(|&mv| position.is_legal(mv)).collect();
        let move_time = go.move_time.map(|time| Unit::Millisecond.times(time));
        let misread = !go.unread.is_empty() && !go.is_limited() && go.mate.is_none();
        let limited = !go.infinite && (go.is_limited() || misread);
        let ending = match (limited, go.ponder) {
            // A mate may never be found, so it is no limit.
            (false, _) => Ending::Never,
            (true, true) => Ending::AfterHit,
            (true, false) => Ending::ByItself,
        };
        let request = GoRequest {
            depth: go.depth,
            nodes: go.nodes,
            mate: go.mate.filter(|&moves| moves > 0),
            clock,
            move_time: move_time.or(misread.then_some(SANE_TIME)),
            infinite: go.infinite,
            only,
            ponder: go.ponder,
            draw: go.draw,
        };
        (request, Self { ending, game: clock.is_some(), asked: go.draw, stopped: false })
    }
}
