//! What a person at the keyboard may ask for: the board, the static score, counts, the bench. Knows
//! nothing of the session but its inbox, to which chores send what they have to say.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
};

use super::{inbox::Msg, wording};
use crate::{
    engine::bench,
    eval::{Network, explain},
    position::{Position, Unobserved, perft},
    rules::{self, Language, Line, Outcome},
    types::Score,
    wire::Dialect,
};

/// Subtrees of so many plies are counted in one go, which takes moments.
const AT_ONCE: u32 = 3;
/// Lines of so many plies are counted within seconds.
const BRIEF_PERFT: u32 = 5;

pub(super) const HELP: &str = "\
chuhe speaks UCCI and UCI; say `ucci` or `uci` to see the options. By hand, too:
  position startpos [moves h2e2 ...]    set the board
  position fen FEN [moves ...]
  d                                     show the board
  eval                                  the score without a search
  go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [searchmoves h2e2 ...]
  go time MS [increment MS | movestogo N], go wtime MS btime MS [winc MS] [binc MS]
  stop                                  end the search
  banmoves h2e2 ...                     not to be played from this position
  setoption name NAME value VALUE       or: setoption NAME VALUE
  probe [startpos | fen FEN] [moves ...]  what is stored of a position
  go perft N                            count the lines of N plies
  bench [DEPTH]                         search a fixed suite
  isready, newgame, quit
";

/// The board and what it is known by, and the result when the game is over.
pub(super) fn board(line: &Line) -> String {
    let position = line.position();
    let checkers = position.checkers().into_iter();
    let checkers = checkers.fold(String::new(), |text, at| format!("{text} {at}"));
    let (fen, key) = (position.fen(), position.key());
    let result = match rules::outcome(line) {
        Outcome::Ongoing => String::new(),
        over => format!("Result: {}\n", Language::English.outcome(over)),
    };
    format!("{position}\n{result}Fen: {fen}\nKey: {key:016X}\nCheckers:{checkers}\n")
}

/// What a position is worth at first sight.
pub(super) fn static_score(position: &Position, network: Option<&Arc<Network>>) -> Score {
    Score::Value(explain(position, network).total)
}

/// The score without a search, taken apart, and what it means.
pub(super) fn explanation(position: &Position, network: Option<&Arc<Network>>) -> String {
    let score = static_score(position, network);
    let points = |dialect| wording::score(dialect, score).to_ucci();
    format!(
        "{}\nThis is {} points in UCI and {} in UCCI, at first sight; a search may well think \
         differently.\n",
        explain(position, network),
        points(Dialect::Uci),
        points(Dialect::Ucci),
    )
}

/// Work apart from the search that is done in a thread of its own and can be called off.
pub(super) struct Chore {
    cancelled: Arc<AtomicBool>,
    is_brief: bool,
}

impl Chore {
    /// Counts the lines of play of so many plies, by first moves.
    pub(super) fn perft(position: &Position, depth: u32, inbox: &Sender<Msg>) -> Self {
        let mut position = position.clone();
        Self::start(inbox, depth <= BRIEF_PERFT, move |chore| {
            let mut total = 0;
            if depth == 0 {
                total = 1;
            } else {
                for mv in position.legal_moves() {
                    let undo = position.make(mv, &mut Unobserved);
                    let Some(leaves) = chore.count(&mut position, depth - 1) else { return };
                    position.unmake(mv, &undo);
                    total += leaves;
                    chore.say(format!("{mv}: {leaves}"));
                }
            }
            chore.say(format!("\nNodes searched: {total}"));
        })
    }

    /// Searches the fixed suite. It cannot be called off, only left alone.
    pub(super) fn bench(depth: Option<u32>, inbox: &Sender<Msg>) -> Self {
        let depth = depth.unwrap_or(bench::DEPTH).max(1);
        Self::start(inbox, depth <= bench::DEPTH, move |chore| {
            let tally = bench::run(depth, |fen, outcome| {
                chore.say(format!("{:>9}  {fen}", outcome.nodes));
            });
            chore.say(format!("{} nodes {} nps", tally.nodes, tally.nps()));
        })
    }

    /// Whether it is done soon, so that whoever leaves can wait for it.
    pub(super) fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// Calls it off.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    fn start(
        inbox: &Sender<Msg>,
        is_brief: bool,
        work: impl FnOnce(&Worker) + Send + 'static,
    ) -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let worker = Worker { cancelled: Arc::clone(&cancelled), inbox: inbox.clone() };
        thread::spawn(move || {
            // Whatever happens, the session must not wait for ever.
            if catch_unwind(AssertUnwindSafe(|| work(&worker))).is_err() {
                worker.say("failed".into());
            }
            let _ = worker.inbox.send(Msg::Done);
        });
        Self { cancelled, is_brief }
    }
}

/// The other end of a chore.
struct Worker {
    cancelled: Arc<AtomicBool>,
    inbox: Sender<Msg>,
}

impl Worker {
    fn say(&self, text: String) {
        // A session that is gone needs no answer.
        let _ = self.inbox.send(Msg::Output(text));
    }

    /// [`perft`](perft::perft), unless it is called off.
    fn count(&self, position: &mut Position, depth: u32) -> Option<u64> {
        if self.cancelled.load(Ordering::Relaxed) {
            return None;
        }
        if depth <= AT_ONCE {
            return Some(perft::perft(position, depth));
        }
        let mut total = 0u64;
        for mv in position.legal_moves() {
            let undo = position.make(mv, &mut Unobserved);
            let leaves = self.count(position, depth - 1);
            position.unmake(mv, &undo);
            total = total.saturating_add(leaves?);
        }
        Some(total)
    }
}
