//! One game: asks the players in turn, keeps the clocks, and ends the game by the rules (第4条) or for
//! what happens to a player. Knows no other game.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{Adjudication, Answer, Fault, Player, Turn, adjudicate::Agreed, openings::Opening};
use crate::{
    clock::{Clock, TimeControl},
    notation::GameResult,
    position::Unobserved,
    rules::{self, Draw, Illegality, Language, Line, Offence, Outcome, Ruleset, Verdict, Win},
    types::{Color, Move},
    wire::Score,
};

/// By how much a time for each move may be overstepped.
const USUAL_MARGIN: Duration = Duration::from_millis(200);
/// How much longer than allowed a player is waited for, to see how late it is.
const GRACE: Duration = Duration::from_secs(1);

/// What a game is played under.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The rules it is judged by.
    pub ruleset: Ruleset,
    /// By how much a player may overstep its time. `None`: not at all where time is kept, a little
    /// where each move has its own, for UCI asks to think exactly so long, which nobody can do and
    /// have answered by then.
    pub margin: Option<Duration>,
    /// How long a player is waited for that has no clock.
    pub patience: Duration,
    /// When the game is cut short.
    pub adjudication: Adjudication,
    /// Whom every draw counts as a win for (贴时: 和棋黑胜).
    pub draws_won_by: Option<Color>,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// 将死, 4.1.1
    Checkmate,
    /// 困毙, 4.1.3
    Stalemate,
    /// A forbidden repetition, 4.1.7
    Forbidden,
    /// Resigned, 4.1.9
    Resignation,
    /// The flag fell, 4.1.4
    Time,
    /// An illegal move, 4.1.6
    IllegalMove,
    /// The engine is gone, 4.1.5
    Crash,
    /// The engine does not answer, and there is no clock to say when it is too late.
    Stall,
    /// The engine says what means nothing.
    Protocol,
    /// 不变作和, 4.2.3
    Repetition,
    /// 自然限着, 4.2.4
    NaturalLimit,
    /// Neither side can win, 4.2.1
    NoAttackers,
    /// Offered and accepted, 4.2.2
    Agreement,
    /// Both players thought it won.
    AdjudicatedWin,
    /// Both players thought it drawn.
    AdjudicatedDraw,
    /// It has gone on for too long.
    MoveLimit,
}

impl Termination {
    /// Whether it tells of a player's failure, not of its play.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Time | Self::IllegalMove | Self::Crash | Self::Stall | Self::Protocol)
    }

    /// As the records name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Forbidden => "forbidden",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::IllegalMove => "illegal-move",
            Self::Crash => "crash",
            Self::Stall => "stall",
            Self::Protocol => "protocol",
            Self::Repetition => "repetition",
            Self::NaturalLimit => "natural-limit",
            Self::NoAttackers => "no-attackers",
            Self::Agreement => "agreement",
            Self::AdjudicatedWin => "adjudicated-win",
            Self::AdjudicatedDraw => "adjudicated-draw",
            Self::MoveLimit => "move-limit",
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// For whom.
    pub result: GameResult,
    /// By what.
    pub termination: Termination,
    /// In words, with the articles.
    pub reason: String,
}

/// One move of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLog {
    /// The move.
    pub mv: Move,
    /// How long it took.
    pub time: Duration,
    /// What its clock showed then; `None` when no time is kept.
    pub left: Option<Duration>,
    /// What its player thought of the position, in the points of UCI.
    pub score: Option<Score>,
    /// How deep it searched.
    pub depth: Option<u32>,
    /// How many positions it searched.
    pub nodes: Option<u64>,
}

/// That the referee told a side to deviate (24.3), which loses if the position occurs once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// After how many moves, those of the opening included.
    pub ply: usize,
    /// Whom.
    pub side: String,
    /// What it repeats, by its Chinese name.
    pub offence: String,
    /// In words, with the articles.
    pub told: String,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// What the players did after the opening.
    pub moves: Vec<MoveLog>,
    /// When the referee warned.
    pub warnings: Vec<Warning>,
    /// How it ended.
    pub ending: Ending,
}

/// Plays a game to its end. `None`: it was aborted. `controls` are those of the two players, Red's
/// first, who may have been given different ones.
pub fn play<'a>(
    players: [&'a mut dyn Player; 2],
    controls: [&TimeControl; 2],
    opening: &Opening,
    conditions: &'a Conditions,
    abort: &'a AtomicBool,
) -> Option<Played> {
    let mut line = Line::under(conditions.ruleset, opening.start.clone());
    for &mv in &opening.moves {
        line.push(mv, &mut Unobserved);
    }
    let clocks = [Clock::new(controls[0].red()), Clock::new(controls[1].black())];
    let mut game = Game {
        players,
        clocks,
        line,
        conditions,
        moves: Vec::new(),
        warnings: Vec::new(),
        warned: None,
        offered: false,
        abort,
    };
    for color in Color::ALL {
        if let Err(fault) = game.players[color as usize].new_game(abort) {
            if abort.load(Ordering::Relaxed) {
                return None;
            }
            return Some(game.over(failed(color, &fault)));
        }
    }
    loop {
        if abort.load(Ordering::Relaxed) {
            return None;
        }
        let ending = game.by_rules().or_else(|| {
            game.warn();
            game.by_agreement().or_else(|| game.step())
        });
        if let Some(ending) = ending {
            // A player that was broken off has not failed.
            if abort.load(Ordering::Relaxed) {
                return None;
            }
            return Some(game.over(ending.scored(conditions)));
        }
    }
}

struct Game<'a> {
    players: [&'a mut dyn Player; 2],
    clocks: [Clock; 2],
    line: Line,
    conditions: &'a Conditions,
    moves: Vec<MoveLog>,
    warnings: Vec<Warning>,
    /// Who is being warned, and for what: who goes on is not told again with every move.
    warned: Option<(Color, Offence)>,
    /// Whether the latest move came with the offer of a draw.
    offered: bool,
    abort: &'a AtomicBool,
}

impl Game<'_> {
    fn over(self, ending: Ending) -> Played {
        Played { moves: self.moves, warnings: self.warnings, ending }
    }

    /// Tells an offender to deviate, where the rules want that first (24.3).
    fn warn(&mut self) {
        let judgement = rules::judgement(&self.line).filter(|judgement| judgement.is_warning);
        let offender = judgement.as_ref().and_then(|judgement| match judgement.verdict {
            Verdict::Forbidden { offender, offence } => Some((offender, offence)),
            Verdict::Draw | Verdict::Ongoing => None,
        });
        let again = self.warned == offender;
        self.warned = offender;
        if let (Some((offender, offence)), Some(judgement), false) = (offender, judgement, again) {
            let what = Language::English.warning(offender, offence);
            self.warnings.push(Warning {
                ply: self.line.plies(),
                side: offender.to_string(),
                offence: offence.term().into(),
                told: by_articles(&what, &judgement.clauses),
            });
        }
    }

    /// Lets the side to move make its move; the ending if it fails to.
    fn step(&mut self) -> Option<Ending> {
        let mover = self.line.position().side();
        let [red, black] = &self.clocks;
        let allowed = self.clocks[mover as usize].allowed();
        let patience = allowed
            .map_or(self.conditions.patience, |allowed| allowed + self.margin(mover) + GRACE);
        let turn = Turn {
            line: &self.line,
            clocks: [red, black],
            draw_offered: self.offered,
            patience,
            abort: self.abort,
        };
        let answer = match self.players[mover as usize].think(&turn) {
            Ok(answer) => answer,
            Err(Fault::Silence(time)) if allowed.is_some() => {
                return Some(flag_falls(mover, time, allowed));
            }
            Err(fault) => return Some(failed(mover, &fault)),
        };
        if self.spend(mover, answer.time).is_none() {
            return Some(flag_falls(mover, answer.time, allowed));
        }
        let Some(mv) = answer.choice else {
            let reason = format!("{mover} resigns (4.1.9)");
            return Some(lost(mover, Termination::Resignation, reason));
        };
        if let Some(what) = Illegality::of(self.line.position(), mv) {
            let (why, clauses) = (Language::English.illegality(what), what.clauses().join(", "));
            let reason = format!("{mover} plays {mv}, which is illegal: {why} ({clauses})");
            return Some(lost(mover, Termination::IllegalMove, reason));
        }
        self.line.push(mv, &mut Unobserved);
        let Answer { time, score, depth, nodes, draw, .. } = answer;
        let left = self.clocks[mover as usize].left();
        self.moves.push(MoveLog { mv, time, left, score, depth, nodes });
        if draw && self.offered {
            let reason = "agreed by both players (4.2.2)".into();
            return Some(drawn(Termination::Agreement, reason));
        }
        self.offered = draw;
        if draw { self.claim(mover) } else { None }
    }

    /// The draw that whoever offers one is entitled to, whatever the other side thinks of it: at the
    /// natural limit only the checks of the side that claims it are capped (23.3).
    fn claim(&self, claimant: Color) -> Option<Ending> {
        // Where the rules end the game by themselves, nothing is claimed.
        if rules::outcome(&self.line) != Outcome::Ongoing {
            return None;
        }
        let ruleset = Ruleset { claimant: Some(claimant), ..self.conditions.ruleset };
        let claimed = rules::outcome(&self.line.judged_by(ruleset));
        (claimed == Outcome::Drawn(Draw::NaturalLimit)).then(|| {
            let what = format!("natural limit, claimed by {claimant}");
            drawn(Termination::NaturalLimit, by_articles(&what, claimed.clauses()))
        })
    }

    /// Takes the time off the clock, unless the flag has fallen.
    fn spend(&mut self, mover: Color, time: Duration) -> Option<()> {
        const INSTANT: Duration = Duration::from_nanos(1);
        let margin = self.margin(mover);
        let clock = &mut self.clocks[mover as usize];
        let forgiven = match clock.allowed() {
            Some(allowed) if time >= allowed && time < allowed + margin => {
                allowed.saturating_sub(INSTANT)
            }
            _ => time,
        };
        clock.spend(forgiven).ok()
    }

    fn margin(&self, mover: Color) -> Duration {
        let kept = self.clocks[mover as usize].left().is_some();
        let usual = if kept { Duration::ZERO } else { USUAL_MARGIN };
        self.conditions.margin.unwrap_or(usual)
    }

    /// How the position ends the game, if it does.
    fn by_rules(&self) -> Option<Ending> {
        let outcome = rules::outcome(&self.line);
        let ending = |result, termination, what: &str| {
            let mut clauses = outcome.clauses().to_vec();
            if let Some(judgement) = rules::judgement(&self.line)
                && outcome.is_by_repetition()
            {
                let more = judgement.clauses.into_iter();
                clauses.extend(more.filter(|clause| *clause != clauses[0]).collect::<Vec<_>>());
            }
            Some(Ending { result, termination, reason: by_articles(what, &clauses) })
        };
        match outcome {
            Outcome::Ongoing => None,
            Outcome::Won { winner, by } => {
                let loser = !winner;
                let (termination, what) = match by {
                    Win::Checkmate => (Termination::Checkmate, format!("{loser} is checkmated")),
                    Win::Stalemate => (Termination::Stalemate, format!("{loser} is stalemated")),
                    Win::Repetition(offence) => {
                        let what = format!("{loser} repeats what is forbidden, {}", offence.term());
                        (Termination::Forbidden, what)
                    }
                    // The rest happens to players, not to positions.
                    Win::Resignation => (Termination::Resignation, format!("{loser} resigns")),
                    Win::Time => (Termination::Time, format!("{loser}'s flag falls")),
                    Win::IllegalMove(_) => (Termination::IllegalMove, format!("{loser} erred")),
                    Win::Crash => (Termination::Crash, format!("{loser} is gone")),
                };
                ending(GameResult::won_by(winner), termination, &what)
            }
            Outcome::Drawn(draw) => {
                let (termination, what) = match draw {
                    Draw::Repetition => (Termination::Repetition, "repetition that both may"),
                    Draw::NaturalLimit => (Termination::NaturalLimit, "natural limit"),
                    Draw::NoAttackers => (Termination::NoAttackers, "nobody can win"),
                    Draw::Agreement => (Termination::Agreement, "agreed"),
                };
                ending(GameResult::Draw, termination, what)
            }
        }
    }

    /// How the players' scores end the game, if they do.
    fn by_agreement(&self) -> Option<Ending> {
        let adjudication = &self.conditions.adjudication;
        if adjudication.plies.is_some_and(|plies| self.line.plies() >= plies) {
            let reason = format!("after {} plies", self.line.plies());
            return Some(drawn(Termination::MoveLimit, reason));
        }
        let scores: Vec<_> = self.moves.iter().map(|log| log.score).collect();
        let latest = !self.line.position().side();
        let number = self.line.position().number() as usize;
        Some(match adjudication.judge(&scores, latest, number)? {
            Agreed::Win(winner) => Ending {
                result: GameResult::won_by(winner),
                termination: Termination::AdjudicatedWin,
                reason: format!("both players think that {winner} wins"),
            },
            Agreed::Draw => {
                drawn(Termination::AdjudicatedDraw, "both players think it is even".into())
            }
        })
    }
}

impl Ending {
    /// The same with a draw won by whoever wins those.
    fn scored(self, conditions: &Conditions) -> Self {
        match conditions.draws_won_by {
            Some(winner) if self.result == GameResult::Draw => Self {
                result: GameResult::won_by(winner),
                reason: format!("{}, a draw that {winner} wins", self.reason),
                ..self
            },
            _ => self,
        }
    }
}

/// Something and the articles that it rests on; only the Chinese rules of repetition have such.
fn by_articles(what: &str, clauses: &[&str]) -> String {
    if clauses.is_empty() { what.into() } else { format!("{what} ({})", clauses.join(", ")) }
}

fn failed(player: Color, fault: &Fault) -> Ending {
    let termination = match fault {
        Fault::Start(_) | Fault::Crash(_) => Termination::Crash,
        Fault::Unready(_) | Fault::Silence(_) => Termination::Stall,
        Fault::Nonsense(_) => Termination::Protocol,
    };
    lost(player, termination, format!("{player} {fault}"))
}

/// The clock itself shows nothing any more, so what it `allowed` was read before.
fn flag_falls(mover: Color, time: Duration, allowed: Option<Duration>) -> Ending {
    let (time, allowed) = (time.as_millis(), allowed.unwrap_or_default().as_millis());
    let reason =
        format!("{mover}'s flag falls: {time} ms for a move that had {allowed} ms (4.1.4)");
    lost(mover, Termination::Time, reason)
}

fn lost(loser: Color, termination: Termination, reason: String) -> Ending {
    Ending { result: GameResult::won_by(!loser), termination, reason }
}

fn drawn(termination: Termination, reason: String) -> Ending {
    Ending { result: GameResult::Draw, termination, reason }
}
