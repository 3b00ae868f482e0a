//! What is found out about a game, as plain data. Chances and scores are Red's, losses the mover's.

use serde::{Deserialize, Serialize};

use crate::{notation::GameResult, types::Move};

/// A game and what was found out about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What the file tells about it, by the names of PGN.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub fen: String,
    /// What the file says before the first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub preface: String,
    /// How it ended by the file: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(with = "token")]
    pub result: GameResult,
    /// Its moves.
    pub plies: Vec<PlyReport>,
    /// The position after the last move.
    pub last: Evaluation,
    /// How Red and Black played.
    pub sides: [SideReport; 2],
    /// The plies, from 1, that changed the game most, three at most.
    pub turning_points: Vec<usize>,
    /// How many of its first plies the opening book knows.
    pub book_plies: usize,
    /// When it was decided, if it was.
    pub decided: Option<Decided>,
    /// Where the rules decide it: the first time each verdict was due.
    pub judged: Vec<Judged>,
}

/// A move and what was found out about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyReport {
    /// The move.
    #[serde(rename = "move", with = "text")]
    pub mv: Move,
    /// The move in Chinese.
    pub written: String,
    /// The position before it; its first line begins with the best move.
    pub before: Evaluation,
    /// What the move cost its side, in points of 100, a won game being worth 100 and a drawn one 50.
    pub loss: f64,
    /// How good it was, if that is worth a word.
    pub mark: Option<Mark>,
    /// There was a mate in so many moves, and it was let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_mate: Option<u32>,
    /// From here on its side mates, in so many more moves; said once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_mate: Option<u32>,
    /// What the move does as the rules of repetition see it: 将 杀 捉 兵捉 帅捉 闲; only where a
    /// repetition was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The opening book knows the move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// What its mover's clock showed after it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// Its mover was short of time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub time_trouble: bool,
    /// What the file says of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The move alone as a game of PGN, with the marks and the variations that the file has; empty
    /// where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub original: String,
}

/// What a position is worth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Per mille of games that Red wins, that are drawn, and that Black wins from here.
    pub chances: [u32; 3],
    /// In hundredths as UCI counts them; none with a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// Mate in so many moves; below zero, by Black. 0: the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// How deep it was searched, in plies.
    pub depth: u32,
    /// How many nodes that took.
    pub nodes: u64,
    /// The best lines, the best one first; none where the game is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Variation>,
}

/// A line of play and what it leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// Its moves.
    #[serde(with = "words")]
    pub moves: Vec<Move>,
    /// As [`Evaluation::chances`].
    pub chances: [u32; 3],
    /// As [`Evaluation::points`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
    /// As [`Evaluation::mate`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
}

/// What is worth saying of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// `!`: the only good move, and it seems to give a man away.
    Good,
    /// `□`: every other move would have been worse by a mistake.
    Only,
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// How a side played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReport {
    /// 0 to 100: how near its moves came to the best ones, those of the book left out; none without
    /// a move.
    pub accuracy: Option<f64>,
    /// How many moves that is about.
    pub moves: usize,
    /// Inaccuracies.
    pub inaccuracies: usize,
    /// Mistakes.
    pub mistakes: usize,
    /// Blunders.
    pub blunders: usize,
}

/// When a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The ply, from 1, from which on the winner was clearly better.
    pub ply: usize,
    /// The phase that was.
    pub phase: Phase,
}

/// A phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// 开局
    Opening,
    /// 中局
    Middlegame,
    /// 残局
    Endgame,
}

/// A verdict of the rules within a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// After this ply, from 1.
    pub ply: usize,
    /// The verdict in English, such as `draw: neither side has to deviate (不变作和)`.
    pub verdict: String,
    /// 中文
    pub verdict_zh: String,
    /// Whether it draws the game, which went on all the same.
    pub draw_claimable: bool,
    /// The first ply of the repetition, from 1; none for other verdicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The articles.
    pub clauses: Vec<String>,
}

impl Mark {
    /// The sign after a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Only => "□",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Its number in PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Good => 1,
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
            Self::Only => 7,
        }
    }

    /// Whether the move was worse than another.
    pub fn is_error(self) -> bool {
        self >= Self::Inaccuracy
    }
}

impl GameReport {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The evaluation after so many plies.
    pub fn evaluation(&self, plies: usize) -> &Evaluation {
        self.plies.get(plies).map_or(&self.last, |ply| &ply.before)
    }
}

mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::types::Move;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(mv: &Move, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(mv)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Move, D::Error> {
        let word = String::deserialize(from)?;
        word.parse().map_err(|_| D::Error::custom("not a move"))
    }
}

mod words {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::types::Move;

    pub(super) fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
        let words = String::deserialize(from)?;
        let moves = words.split_whitespace().map(str::parse);
        moves.collect::<Result<_, _>>().map_err(|_| D::Error::custom("not a move"))
    }
}

mod token {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::notation::GameResult;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(result.token())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
        let word = String::deserialize(from)?;
        GameResult::from_token(&word).ok_or_else(|| D::Error::custom("not a result"))
    }
}
