//! Our own files: lines of JSON, as matches write them and as `chuhe judge` takes them, and archives
//! of games of the engine against itself.

use std::{collections::VecDeque, time::Duration};

use serde::Deserialize;

use super::{
    Fault, Found, Game, GameError, Place, Played, fen,
    lines::{Lines, MOST},
    pgn::read_moves,
    text::Draft,
};
use crate::{
    notation::{Annotation, Eval, GameResult, MoveError, Ranks, quote},
    position::Position,
    records::{self, Archive},
    types::{Color, Move},
};

/// A line of JSON: what a match writes, or a game of `chuhe judge`.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "match")]
    settings: Option<Settings>,
    game: Option<Record>,
    #[serde(flatten)]
    plain: Option<Plain>,
}

/// What is needed of a match's settings.
#[derive(Clone, Default, Deserialize)]
struct Settings {
    #[serde(default)]
    players: Vec<Player>,
    #[serde(default)]
    ruleset: String,
}

#[derive(Clone, Deserialize)]
struct Player {
    name: String,
    #[serde(default)]
    control: String,
}

/// What is needed of a match's game.
#[derive(Deserialize)]
struct Record {
    game: usize,
    red: usize,
    black: usize,
    result: String,
    #[serde(default)]
    termination: String,
    #[serde(default)]
    reason: String,
    fen: Option<String>,
    moves: String,
    #[serde(default)]
    opening: usize,
    #[serde(default)]
    us: Vec<u64>,
    #[serde(default)]
    clock_ms: Vec<Option<u64>>,
    #[serde(default)]
    scores: Vec<Option<String>>,
    #[serde(default)]
    depths: Vec<Option<u32>>,
    #[serde(default)]
    warnings: Vec<Warning>,
    #[serde(default)]
    begun: String,
}

/// What is needed of a referee's warning.
#[derive(Deserialize)]
struct Warning {
    ply: usize,
    told: String,
}

/// A position and moves, as text or as a list.
#[derive(Deserialize)]
struct Plain {
    fen: String,
    moves: Moves,
    result: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Text(String),
}

/// The games of lines of JSON.
pub(super) struct Json {
    lines: Lines,
    settings: Settings,
    number: usize,
    done: bool,
}

impl Json {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, settings: Settings::default(), number: 0, done: false }
    }

    fn read(&mut self, bytes: &[u8]) -> Option<Draft> {
        let line = self.lines.number;
        let mut draft =
            Draft { game: Game::new(Position::start()), line, fault: None, remarks: Vec::new() };
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        if bytes.len() > MOST {
            draft.fault = Some((line, Fault::TooLong(MOST as u64)));
            return Some(draft);
        }
        let done = match serde_json::from_slice::<Line>(bytes.trim_ascii()) {
            Err(error) => {
                // Its place is told as a line and a column; there is but one line.
                let text = error.to_string().replace("at line 1 column", "at column");
                Err(Fault::Damaged(format!("bad JSON: {}", quote(&text))))
            }
            Ok(Line { settings: Some(settings), .. }) => {
                self.settings = settings;
                return None;
            }
            Ok(Line { game: Some(record), .. }) => self.record(&record, &mut draft.game),
            Ok(Line { plain: Some(plain), .. }) => plain.play(&mut draft.game),
            Ok(_) => {
                Err(Fault::Damaged("neither a match's game nor one with `fen` and `moves`".into()))
            }
        };
        draft.fault = done.err().map(|fault| (line, fault));
        Some(draft)
    }

    fn record(&self, record: &Record, game: &mut Game) -> Result<(), Fault> {
        if let Some(fen) = &record.fen {
            game.start = fen::read(fen)?;
        }
        let first = game.start.side();
        let player = |number: usize| self.settings.players.get(number);
        let name = |number: usize| player(number).map(|player| player.name.clone());
        game.add_tag("Event", "chuhe match");
        game.add_tag("Date", &record.begun.get(..10).unwrap_or_default().replace('-', "."));
        game.add_tag("Round", &format!("{}.{}", record.game / 2 + 1, record.game % 2 + 1));
        game.add_tag("Red", &name(record.red).unwrap_or_default());
        game.add_tag("Black", &name(record.black).unwrap_or_default());
        let control = player(record.red).map(|player| player.control.clone());
        game.add_tag("TimeControl", &control.unwrap_or_default());
        game.add_tag("Ruleset", &self.settings.ruleset);
        game.add_tag("Termination", &record.termination);
        game.add_tag("Reason", &record.reason);
        game.result = GameResult::from_token(&record.result).unwrap_or_default();
        play(game, &record.moves)?;
        for (ply, played) in game.moves.iter_mut().enumerate() {
            let mover = if ply % 2 == 0 { first } else { !first };
            played.note = match ply.checked_sub(record.opening) {
                Some(index) => record.note(index, mover),
                None => Annotation { text: "book".into(), ..Annotation::default() },
            };
            if let Some(warning) = record.warnings.iter().find(|warning| warning.ply == ply + 1) {
                played.note.say(&warning.told);
            }
        }
        Ok(())
    }
}

impl Record {
    fn note(&self, index: usize, mover: Color) -> Annotation {
        let sign = if mover == Color::Red { 1 } else { -1 };
        let score = |text: &str| match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(|moves: i32| Eval::Mate(sign * moves)),
            None => text.parse().ok().map(|points: i32| Eval::Points(sign * points)),
        };
        let eval = self.scores.get(index).and_then(|text| score(text.as_deref()?));
        Annotation {
            eval,
            depth: self.depths.get(index).copied().flatten().filter(|_| eval.is_some()),
            spent: self.us.get(index).map(|us| Duration::from_millis(us / 1000)),
            clock: self.clock_ms.get(index).and_then(|ms| ms.map(Duration::from_millis)),
            text: String::new(),
        }
    }
}

impl Plain {
    fn play(&self, game: &mut Game) -> Result<(), Fault> {
        if self.fen.trim() != "startpos" {
            game.start = fen::read(&self.fen)?;
        }
        game.result = self.result.as_deref().and_then(GameResult::from_token).unwrap_or_default();
        match &self.moves {
            Moves::List(moves) => play(game, &moves.join(" ")),
            Moves::Text(text) => play(game, text),
        }
    }
}

fn play(game: &mut Game, moves: &str) -> Result<(), Fault> {
    let read = read_moves(moves, 0, &game.start, Ranks::FromZero);
    game.moves = read.moves;
    if let Some((_, fault)) = read.fault {
        return Err(fault);
    }
    match moves[read.end..].trim() {
        "" => Ok(()),
        left => Err(MoveError::Unreadable(left.into()).into()),
    }
}

impl Iterator for Json {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            match self.lines.next() {
                Ok(Some(line)) => {
                    if let Some(draft) = self.read(&line) {
                        self.number += 1;
                        return Some(draft.finish(self.number));
                    }
                }
                Ok(None) => self.done = true,
                Err(error) => {
                    self.done = true;
                    return Some(Err(self.lines.broken(self.number + 1, error)));
                }
            }
        }
        None
    }
}

/// The games of an archive.
pub(super) struct Archived {
    archive: Archive,
    block: usize,
    ready: VecDeque<Result<Found, GameError>>,
    damage: usize,
    number: usize,
}

impl Archived {
    pub(super) fn new(archive: Archive) -> Self {
        Self { archive, block: 0, ready: VecDeque::new(), damage: 0, number: 0 }
    }

    fn error(&mut self, byte: Option<u64>, what: String) -> GameError {
        self.number += 1;
        let place = Place { game: self.number, byte, ..Place::default() };
        GameError { place, fault: Fault::Damaged(what), partial: None, remarks: Vec::new() }
    }
}

impl Iterator for Archived {
    type Item = Result<Found, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            let Some(block) = self.archive.blocks().get(self.block) else {
                let damage = self.archive.damage().get(self.damage)?.clone();
                self.damage += 1;
                return Some(Err(self.error(Some(damage.0.start as u64), damage.to_string())));
            };
            self.block += 1;
            match self.archive.games(block) {
                Ok(games) => {
                    for game in games {
                        self.number += 1;
                        let place = Place { game: self.number, ..Place::default() };
                        let found = Found { place, game: told(&game), remarks: Vec::new() };
                        self.ready.push_back(Ok(found));
                    }
                }
                Err(error) => return Some(Err(self.error(None, error.to_string()))),
            }
        }
        self.ready.pop_front()
    }
}

/// A game of the archive as others are.
fn told(record: &records::Game) -> Game {
    let mut game = Game::new(record.start.clone());
    game.result = record.winner.map_or(GameResult::Draw, GameResult::won_by);
    game.add_tag("Event", "chuhe datagen");
    let first = game.start.side();
    let book = Annotation { text: "book".into(), ..Annotation::default() };
    let opening = |&mv: &Move| Played { note: book.clone(), ..Played::new(mv) };
    game.moves.extend(record.opening.iter().map(opening));
    for ply in &record.plies {
        let mover = if game.moves.len().is_multiple_of(2) { first } else { !first };
        let sign = if mover == Color::Red { 1 } else { -1 };
        // The score is of another move.
        let (eval, text) = if ply.random {
            (None, "random".into())
        } else {
            (Some(Eval::Points(sign * i32::from(ply.score))), String::new())
        };
        let note = Annotation { eval, text, ..Annotation::default() };
        game.moves.push(Played { note, ..Played::new(ply.mv) });
    }
    game
}
