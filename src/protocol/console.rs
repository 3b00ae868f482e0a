//! What a person at the keyboard may ask for: the board, the static score, counts, the bench. Knows
//! nothing of the session but its inbox, to which chores send what they have to say.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc::Sender},
    thread,
};

use super::{inbox::Msg, wording};
use crate::{
    engine::bench,
    eval::{Explanation, Network, explain},
    position::{Position, Unobserved, perft},
    rules::{self, Language, Line, Outcome},
    search::Signals,
    types::{Color, Score, scale},
    wire::Dialect,
};

/// Subtrees of so many plies are counted in one go, which takes moments.
const AT_ONCE: u32 = 3;

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
pub(super) fn board(line: &Line, language: Language) -> String {
    let position = line.position();
    let checkers = position.checkers().into_iter();
    let checkers = checkers.fold(String::new(), |text, at| format!("{text} {at}"));
    let (fen, key) = (position.fen(), position.key());
    let over = match rules::outcome(line) {
        Outcome::Ongoing => None,
        over => Some(language.outcome(over)),
    };
    match language {
        Language::English => {
            let result = over.map_or(String::new(), |over| format!("Result: {over}\n"));
            format!("{position}\n{result}Fen: {fen}\nKey: {key:016X}\nCheckers:{checkers}\n")
        }
        Language::Chinese => {
            let result = over.map_or(String::new(), |over| format!("结果：{over}\n"));
            let side = if position.side() == Color::Red { "红方" } else { "黑方" };
            format!(
                "{position}\n{result}走子：{side}\nFEN：{fen}\n键值：{key:016X}\n将军之子：{}\n",
                checkers.trim_start()
            )
        }
    }
}

/// What a position is worth at first sight.
pub(super) fn static_score(position: &Position, network: Option<&Arc<Network>>) -> Score {
    Score::Value(explain(position, network).total)
}

/// The score without a search, taken apart in the points of the protocol spoken, and what it means.
pub(super) fn explanation(
    position: &Position,
    network: Option<&Arc<Network>>,
    dialect: Dialect,
    language: Language,
) -> String {
    let mut explanation = explain(position, network);
    let chances = wording::chances(position);
    let [win, draw, loss] = chances.per_mille(Score::Value(explanation.total));
    let points = |value| match dialect {
        Dialect::Ucci => scale::ucci(value),
        Dialect::Uci => chances.uci(value),
    };
    explanation.parts.iter_mut().for_each(|(_, value)| *value = points(*value));
    explanation.total = points(explanation.total);
    if language == Language::Chinese {
        let hundred = match dialect {
            Dialect::Ucci => "多一马",
            Dialect::Uci => "千局中胜五百局",
        };
        let Explanation { parts, side, total } = explanation;
        let lines = parts.iter().map(|(name, value)| format!("  {value:>+7}  {}\n", term(name)));
        let text: String = std::iter::once("红方：\n".to_owned()).chain(lines).collect();
        let side = if side == Color::Red { "红方" } else { "黑方" };
        return text
            + &format!(
                "  {total:>+7}  合计（走子一方，{side}）\n一百分即{hundred}。此局面千局中胜{win}局，和{draw}局，\
                 负{loss}局。这是静态评估，搜索的结论可能大不相同。\n",
            );
    }
    let hundred = match dialect {
        Dialect::Ucci => "a hundred points are a knight",
        Dialect::Uci => "with a hundred points half of the games are won",
    };
    format!(
        "{explanation}\nIn points: {hundred}. Of 1000 such games {win} are won, {draw} drawn and {loss} lost. \
         That is at first sight; a search may well think differently.\n",
    )
}

/// The Chinese name of a part of the evaluation; one that has none keeps its own.
fn term(name: &str) -> &str {
    match name {
        "network" => "神经网络",
        "kings" => "将帅",
        "advisors" => "士仕",
        "bishops" => "象相",
        "knights" => "马",
        "rooks" => "车",
        "cannons" => "炮",
        "pawns" => "兵卒",
        "freedom" => "机动",
        "holes" => "缺士象",
        "crowd" => "子力拥挤",
        "hollow cannon" => "空头炮",
        "tempo" => "先手",
        name => name,
    }
}

/// Work apart from the search that is done in a thread of its own and can be called off.
pub(super) struct Chore {
    signals: Arc<Signals>,
}

impl Chore {
    /// Counts the lines of play of so many plies, by first moves. None where there is no thread.
    pub(super) fn perft(position: &Position, depth: u32, inbox: &Sender<Msg>) -> Option<Self> {
        let mut position = position.clone();
        Self::start(inbox, move |chore| {
            let mut total = 0;
            if depth == 0 {
                total = 1;
            } else {
                for mv in position.legal_moves() {
                    let undo = position.make(mv, &mut Unobserved);
                    let leaves = chore.count(&mut position, depth - 1)?;
                    position.unmake(mv, &undo);
                    total += leaves;
                    chore.say(format!("{mv}: {leaves}"));
                }
            }
            chore.say(format!("\nNodes searched: {total}"));
            Some(())
        })
    }

    /// Searches the fixed suite. None where there is no thread.
    pub(super) fn bench(depth: Option<u32>, inbox: &Sender<Msg>) -> Option<Self> {
        let depth = depth.unwrap_or(bench::DEPTH).max(1);
        Self::start(inbox, move |chore| {
            let tally = bench::run(depth, &chore.signals, |fen, outcome| {
                chore.say(format!("{:>9}  {fen}", outcome.nodes));
            });
            tally.map(|tally| chore.say(format!("{} nodes {} nps", tally.nodes, tally.nps())))
        })
    }

    /// Calls it off.
    pub(super) fn cancel(&self) {
        self.signals.stop();
    }

    /// Begins some work, which is `None` if it gave up.
    fn start(
        inbox: &Sender<Msg>,
        work: impl FnOnce(&Worker) -> Option<()> + Send + 'static,
    ) -> Option<Self> {
        let signals = Arc::new(Signals::new());
        let worker = Worker { signals: Arc::clone(&signals), inbox: inbox.clone() };
        let thread = thread::Builder::new().name("chore".into()).spawn(move || {
            // Whatever happens, the session must not wait for ever.
            match catch_unwind(AssertUnwindSafe(|| work(&worker))) {
                Ok(Some(())) => {}
                // What is called off when all has been said already was not stopped.
                Ok(None) => worker.say("stopped".into()),
                Err(_) => worker.say("failed".into()),
            }
            let _ = worker.inbox.send(Msg::Done);
        });
        thread.inspect_err(|error| log::error!("no thread: {error}")).ok()?;
        Some(Self { signals })
    }
}

/// The other end of a chore.
struct Worker {
    signals: Arc<Signals>,
    inbox: Sender<Msg>,
}

impl Worker {
    fn say(&self, text: String) {
        // A session that is gone needs no answer.
        let _ = self.inbox.send(Msg::Output(text));
    }

    /// [`perft`](perft::perft), unless it is called off.
    fn count(&self, position: &mut Position, depth: u32) -> Option<u64> {
        if self.signals.stopped() {
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn only_what_gave_up_is_said_to_be_stopped() {
        let said = |finishes: bool| {
            let (inbox, heard) = channel();
            let chore = Chore::start(&inbox, move |worker| {
                while !worker.signals.stopped() {
                    thread::yield_now();
                }
                finishes.then_some(())
            })
            .expect("a thread");
            chore.cancel();
            let text = |message| if let Msg::Output(text) = message { Some(text) } else { None };
            let before_the_end = heard.iter().take_while(|message| !matches!(message, Msg::Done));
            before_the_end.filter_map(text).collect::<Vec<_>>()
        };
        assert_eq!(said(true), Vec::<String>::new());
        assert_eq!(said(false), ["stopped"]);
    }

    #[test]
    fn every_part_of_the_evaluation_has_a_chinese_name() {
        for network in [None, Network::embedded()] {
            for (name, _) in explain(&Position::start(), network.as_ref()).parts {
                assert!(!term(&name).is_ascii(), "{name}");
            }
        }
    }

    #[test]
    fn a_score_is_taken_apart_in_the_points_of_the_protocol() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR b - - 0 1";
        let position = Position::from_fen(fen).expect("a position");
        let total = |dialect| {
            let text = explanation(&position, None, dialect, Language::English);
            let line = text.lines().find_map(|line| line.strip_prefix("total")).expect("a total");
            line.split_whitespace()
                .next()
                .and_then(|word| word.parse::<i32>().ok())
                .expect("points")
        };
        let Score::Value(value) = static_score(&position, None) else { panic!("no mate") };
        assert_eq!(total(Dialect::Ucci), scale::ucci(value));
        assert_eq!(total(Dialect::Uci), wording::chances(&position).uci(value));
        assert_ne!(total(Dialect::Uci), total(Dialect::Ucci));
    }

    #[test]
    fn a_person_is_answered_in_the_language_asked_for() {
        let line = Line::new(Position::start());
        assert!(board(&line, Language::English).contains("Fen: "));
        let told = board(&line, Language::Chinese);
        assert!(told.contains("走子：红方") && told.contains(&line.position().fen()), "{told}");
        let told = explanation(line.position(), None, Dialect::Ucci, Language::Chinese);
        assert!(told.contains("先手") && told.contains("多一马"), "{told}");
    }
}
