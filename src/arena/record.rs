//! What is kept of a match: its settings and one record a game, each a line of JSON, and the game as
//! PGN. The lines are the truth; everything else is made from them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Fixture, Played, Termination, Warning, openings::Opening};
use crate::{
    games::{Game, Played as PlayedMove},
    notation::{Annotation, Eval, Format, GameResult},
    position::{Position, Unobserved},
    types::{Color, Move},
    wire::Score,
};

/// A player as the settings tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSettings {
    /// Its name in this match.
    pub name: String,
    /// How it is started; `self`: in the process of the match.
    pub command: String,
    /// The time control, if it has one of its own.
    pub control: String,
    /// The options set by hand.
    pub options: Vec<(String, String)>,
    /// Everything else that was said of it.
    pub manners: String,
}

/// What is needed to play a match again. Two matches with the same settings are one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Of the program that runs the match.
    pub version: String,
    /// Who plays.
    pub players: Vec<PlayerSettings>,
    /// Who plays whom.
    pub format: String,
    /// Pairs of games of each pairing, at the most; without it the match goes on until it is decided.
    pub rounds: Option<usize>,
    /// Where the openings come from, and how they are ordered.
    pub openings: String,
    /// How many there are, 0: no end of them, and a number that tells them from others.
    pub opening_check: (usize, u64),
    /// The rules.
    pub ruleset: String,
    /// When games are cut short.
    pub adjudication: String,
    /// Whom a draw counts as a win for, if anybody.
    #[serde(default)]
    pub draw_wins: Option<String>,
    /// By how many milliseconds a player may be late, if that was said.
    pub margin_ms: Option<u64>,
    /// The test, if the match is one.
    pub sprt: String,
    /// Which part of the match this is.
    pub shard: String,
}

/// A line of the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The first line.
    Match(Box<Settings>),
    /// Any other.
    Game(Box<Record>),
}

/// A game. Lists that go with moves have one item for each move after the opening's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in the whole match, from 0. Both games of a pair have the same half of it.
    pub game: usize,
    /// The player of the red men, by its number in the settings.
    pub red: usize,
    /// The player of the black men.
    pub black: usize,
    /// `1-0`, `0-1`, `1/2-1/2`
    pub result: String,
    /// What ended it.
    pub termination: Termination,
    /// In words, with the articles.
    pub reason: String,
    /// The start, unless it is that of every game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The moves, in ICCS.
    pub moves: String,
    /// How many of them are the opening's.
    pub opening: usize,
    /// How long each took, in microseconds.
    pub us: Vec<u64>,
    /// What its player's clock showed then, in milliseconds.
    pub clock_ms: Vec<Option<u64>>,
    /// What its player thought of the position, in the points of UCI; `#3`: a mate.
    pub scores: Vec<Option<String>>,
    /// How deep it searched.
    pub depths: Vec<Option<u32>>,
    /// How many positions it searched.
    pub nodes: Vec<Option<u64>>,
    /// When the referee told a side to deviate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// When the game began, UTC.
    pub begun: String,
    /// How long it took altogether, the runner's own time included, in milliseconds.
    pub wall_ms: u64,
}

impl Record {
    /// The record of a game just played.
    pub fn new(
        fixture: Fixture,
        opening: &Opening,
        played: &Played,
        begun: String,
        wall: Duration,
    ) -> Self {
        let logs = &played.moves;
        let moves: Vec<_> =
            opening.moves.iter().copied().chain(logs.iter().map(|log| log.mv)).collect();
        Self {
            game: fixture.game,
            red: fixture.red,
            black: fixture.black,
            result: played.ending.result.token().into(),
            termination: played.ending.termination,
            reason: played.ending.reason.clone(),
            fen: (opening.start != Position::start()).then(|| opening.start.fen()),
            moves: moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
            opening: opening.moves.len(),
            us: logs.iter().map(|log| log.time.as_micros() as u64).collect(),
            clock_ms: logs.iter().map(|log| Some(log.left?.as_millis() as u64)).collect(),
            scores: logs.iter().map(|log| log.score.map(score_text)).collect(),
            depths: logs.iter().map(|log| log.depth).collect(),
            nodes: logs.iter().map(|log| log.nodes).collect(),
            warnings: played.warnings.clone(),
            begun,
            wall_ms: wall.as_millis() as u64,
        }
    }

    /// How it ended.
    pub fn result(&self) -> GameResult {
        GameResult::from_token(&self.result).unwrap_or_default()
    }

    /// Whose fault ended it, if a fault did.
    pub fn offender(&self) -> Option<usize> {
        let loser = match self.result() {
            GameResult::RedWins => self.black,
            GameResult::BlackWins => self.red,
            GameResult::Draw | GameResult::Unknown => return None,
        };
        self.termination.is_fault().then_some(loser)
    }

    /// Time spent by the players, as their clocks saw it.
    pub fn thinking(&self) -> Duration {
        Duration::from_micros(self.us.iter().sum())
    }

    /// The game as PGN; `None` when the record is damaged.
    pub fn pgn(&self, settings: &Settings, format: Format) -> Option<String> {
        let start = match &self.fen {
            Some(fen) => Position::from_fen(fen).ok()?,
            None => Position::start(),
        };
        let first = start.side();
        let mut game = Game::new(start);
        let name = |player: usize| settings.players.get(player).map(|player| player.name.clone());
        let date = self.begun.get(..10).unwrap_or("????.??.??").replace('-', ".");
        game.tags = vec![
            ("Event".into(), "chuhe match".into()),
            ("Date".into(), date),
            ("Round".into(), format!("{}.{}", self.game / 2 + 1, self.game % 2 + 1)),
            ("Red".into(), name(self.red)?),
            ("Black".into(), name(self.black)?),
            ("TimeControl".into(), settings.players.get(self.red)?.control.clone()),
            ("Ruleset".into(), settings.ruleset.clone()),
            ("Termination".into(), self.termination.name().into()),
            ("Reason".into(), self.reason.clone()),
        ];
        game.result = self.result();
        let mut position = game.start.clone();
        for (ply, word) in self.moves.split_whitespace().enumerate() {
            let mv = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
            position.make(mv, &mut Unobserved);
            let mover = if ply % 2 == 0 { first } else { !first };
            let mut note = match ply.checked_sub(self.opening) {
                Some(index) => self.note(index, mover),
                None => Annotation { text: "book".into(), ..Annotation::default() },
            };
            if let Some(warning) = self.warnings.iter().find(|warning| warning.ply == ply + 1) {
                note.say(&warning.told);
            }
            game.moves.push(PlayedMove { note, ..PlayedMove::new(mv) });
        }
        Some(game.write(format))
    }

    fn note(&self, index: usize, mover: Color) -> Annotation {
        let score = self.scores.get(index).and_then(|text| read_score(text.as_deref()?));
        let sign = if mover == Color::Red { 1 } else { -1 };
        Annotation {
            eval: score.map(|score| match score {
                Score::Points(points) => Eval::Points(sign * points),
                Score::Mate(moves) => Eval::Mate(sign * moves),
            }),
            depth: self.depths.get(index).copied().flatten().filter(|_| score.is_some()),
            spent: self.us.get(index).map(|&us| Duration::from_micros(us)),
            clock: self.clock_ms.get(index).and_then(|ms| ms.map(Duration::from_millis)),
            text: String::new(),
        }
    }
}

fn score_text(score: Score) -> String {
    match score {
        Score::Points(points) => points.to_string(),
        Score::Mate(moves) => format!("#{moves}"),
    }
}

fn read_score(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(moves) => moves.parse().ok().map(Score::Mate),
        None => text.parse().ok().map(Score::Points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arena::{Ending, MoveLog},
        games::pgn::read,
        notation::Style,
    };

    fn record() -> Record {
        let log = |mv: &str, score| MoveLog {
            mv: mv.parse().unwrap(),
            time: Duration::from_micros(1_234_567),
            left: Some(Duration::from_secs(8)),
            score,
            depth: Some(7),
            nodes: None,
        };
        let played = Played {
            moves: vec![
                log("h9g7", Some(Score::Points(-12))),
                log("h0g2", Some(Score::Mate(3))),
                log("i9h9", None),
            ],
            warnings: vec![Warning {
                ply: 3,
                side: "red".into(),
                offence: "长捉".into(),
                told: "red must deviate".into(),
            }],
            ending: Ending {
                result: GameResult::BlackWins,
                termination: Termination::Time,
                reason: "red's flag falls".into(),
            },
        };
        let opening = Opening { start: Position::start(), moves: vec!["h2e2".parse().unwrap()] };
        let fixture = Fixture { game: 5, red: 1, black: 0, opening: 2 };
        let begun = "2026-11-03T10:00:00Z".into();
        Record::new(fixture, &opening, &played, begun, Duration::from_secs(9))
    }

    fn settings() -> Settings {
        let player = |name: &str| PlayerSettings {
            name: name.into(),
            command: "self".into(),
            control: "6.4/60".into(),
            options: vec![("Hash".into(), "8".into())],
            manners: String::new(),
        };
        Settings {
            version: "1".into(),
            players: vec![player("甲"), player("B")],
            format: "round-robin".into(),
            rounds: Some(3),
            openings: "o.epd".into(),
            opening_check: (7, 9),
            ruleset: "Chinese".into(),
            adjudication: "none".into(),
            draw_wins: None,
            margin_ms: None,
            sprt: String::new(),
            shard: "1/1".into(),
        }
    }

    #[test]
    fn entries_are_read_back() {
        for entry in [Entry::Match(Box::new(settings())), Entry::Game(Box::new(record()))] {
            let line = serde_json::to_string(&entry).unwrap();
            assert!(!line.contains('\n'));
            assert_eq!(serde_json::from_str::<Entry>(&line).unwrap(), entry);
        }
    }

    #[test]
    fn the_game_is_told_from_red_s_side() {
        let text = record().pgn(&settings(), Format::Iccs).unwrap();
        let game = read(&text).next().unwrap().unwrap();
        assert_eq!(game.result, GameResult::BlackWins);
        assert_eq!((game.tag("Red"), game.tag("Black")), (Some("B"), Some("甲")));
        assert_eq!(game.tag("Round"), Some("3.2"));
        assert_eq!(game.tag("Termination"), Some("time"));
        let notes: Vec<_> = game.moves.iter().map(|played| &played.note).collect();
        assert_eq!(notes[0].text, "book");
        assert_eq!(notes[1].eval, Some(Eval::Points(12)));
        assert_eq!(notes[2].eval, Some(Eval::Mate(3)));
        assert_eq!(notes[3].eval, None);
        assert_eq!([1, 2, 3].map(|ply| &*notes[ply].text), ["", "red must deviate", ""]);
        assert_eq!(notes[1].spent, Some(Duration::from_millis(1234)));
        assert_eq!(notes[1].clock, Some(Duration::from_secs(8)));
    }

    #[test]
    fn a_damaged_record_is_no_game_in_any_notation() {
        let whole = record();
        for damaged in [
            Record { moves: "e5e6".into(), ..whole.clone() },
            Record { moves: "h2e2 h2e2".into(), ..whole.clone() },
            Record { moves: "h2e2 castles".into(), ..whole.clone() },
            Record { fen: Some("9 w".into()), ..whole.clone() },
            Record { black: 2, ..whole.clone() },
        ] {
            for format in [Format::Iccs, Format::Wxf, Format::Chinese(Style::default())] {
                assert_eq!(damaged.pgn(&settings(), format), None, "{damaged:?}");
                assert!(whole.pgn(&settings(), format).is_some());
            }
        }
    }

    #[test]
    fn a_fault_has_its_player() {
        assert_eq!(record().offender(), Some(1));
        let mate = Record { termination: Termination::Checkmate, ..record() };
        assert_eq!(mate.offender(), None);
    }

    #[test]
    fn every_termination_is_written_as_it_is_named() {
        for termination in [
            Termination::Checkmate,
            Termination::IllegalMove,
            Termination::NoAttackers,
            Termination::AdjudicatedDraw,
            Termination::MoveLimit,
        ] {
            let written = serde_json::to_string(&termination).unwrap();
            assert_eq!(written, format!("\"{}\"", termination.name()));
        }
    }
}
