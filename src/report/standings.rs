//! A match as a page: how it stands, how sure that is, how games ended, and the games themselves.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write},
    time::Duration,
};

use super::{
    chart::{graph, part, whisker},
    escape::Text,
    game,
    page::{foot, head},
    recorded::recorded,
    words::{self, of},
};
use crate::{
    arena::{
        Record, Score, Settings, Standings, Termination,
        elo::{Estimate, Interval},
        sprt::{Decision, Sprt},
    },
    notation::{Format, Style, print},
    position::{Position, Unobserved},
    rules::Language,
};

/// Games whose moves are in the page. Of longer matches there are the first ones.
const SHOWN: usize = 100;
/// Points of the curve of a match.
const SAMPLES: usize = 160;
/// Openings that are told apart.
const OPENINGS: usize = 100;

/// A match and the test it was played for, if any.
pub struct MatchPage<'a> {
    /// What it was played under.
    pub settings: &'a Settings,
    /// Its games.
    pub records: &'a [Record],
    /// The test.
    pub sprt: Option<&'a Sprt>,
    /// The language.
    pub language: Language,
}

impl MatchPage<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, out: &mut impl Write, made: &str) -> io::Result<()> {
        let names: Vec<_> =
            self.settings.players.iter().map(|player| player.name.as_str()).collect();
        let title = match self.language {
            Language::English => format!("Match: {}", names.join(" – ")),
            Language::Chinese => format!("对抗赛：{}", names.join(" – ")),
        };
        head(out, &title, self.language)?;
        let mut standings = Standings::default();
        self.records.iter().for_each(|record| standings.add(record));
        out.write_all(self.lead(&standings).as_bytes())?;
        out.write_all(self.ranking(&standings).as_bytes())?;
        out.write_all(self.course().as_bytes())?;
        out.write_all(self.endings(&standings).as_bytes())?;
        out.write_all(self.times().as_bytes())?;
        out.write_all(self.openings().as_bytes())?;
        out.write_all(self.list().as_bytes())?;
        for record in self.records.iter().take(SHOWN) {
            if let Some(report) = recorded(record, self.settings) {
                out.write_all(game::game(&report, self.language).as_bytes())?;
            }
        }
        foot(out, self.language, made)
    }

    fn of<'t>(&self, english: &'t str, chinese: &'t str) -> &'t str {
        of(self.language, english, chinese)
    }

    fn name(&self, player: usize) -> &str {
        self.settings.players.get(player).map_or("?", |player| &player.name)
    }

    fn lead(&self, standings: &Standings) -> String {
        let controls: Vec<_> =
            self.settings.players.iter().map(|player| player.control.as_str()).collect();
        let mut controls = controls;
        controls.dedup();
        let games = standings.total();
        let mut html = match self.language {
            Language::English => format!("<p class=\"lead\">{games} games at "),
            Language::Chinese => format!("<p class=\"lead\">共{games}局，用时："),
        };
        let _ = write!(html, "{}", Text(&controls.join(" / ")));
        let distinct: u64 = standings.scores.values().map(Score::distinct).sum();
        if distinct < games {
            let _ = match self.language {
                Language::English => write!(
                    html,
                    "<br>{distinct} of {games} games are distinct; copies of a game count once"
                ),
                Language::Chinese => {
                    write!(html, "<br>{games}局中互不相同的有{distinct}局，重复的对局只计一次")
                }
            };
        }
        if let (Some(sprt), Some(score)) = (self.sprt, standings.scores.values().next()) {
            let outcomes = score.outcomes();
            let (low, high) = sprt.bounds();
            let word = match sprt.decision(&outcomes) {
                Decision::Undecided => self.of("undecided", "未定"),
                Decision::Passed => self.of("passed", "通过"),
                Decision::Failed => self.of("failed", "未通过"),
            };
            let llr = sprt.llr(&outcomes);
            let sprt = sprt.to_string();
            let _ = write!(
                html,
                "<br>SPRT {}: LLR {llr:.2} ({low:.2}, {high:.2}), <b>{word}</b>",
                Text(&sprt)
            );
        }
        html + "</p>\n"
    }

    fn ranking(&self, standings: &Standings) -> String {
        let mut rows: Vec<_> = (0..self.settings.players.len())
            .map(|player| (player, standings.of_player(player)))
            .collect();
        rows.sort_by(|a, b| share(&b.1).total_cmp(&share(&a.1)));
        let estimates: Vec<_> =
            rows.iter().map(|(_, score)| Estimate::of(&score.outcomes())).collect();
        let reach = estimates.iter().flatten().fold(10.0_f64, |reach, estimate| {
            [estimate.elo.low, estimate.elo.high]
                .into_iter()
                .filter(|elo| elo.is_finite())
                .fold(reach, |reach, elo| reach.max(elo.abs()))
        });
        let mut html = self.table(
            ("Standings", "战绩"),
            &[
                ("Player", "棋手"),
                ("Games", "局数"),
                ("Won", "胜"),
                ("Drawn", "和"),
                ("Lost", "负"),
                ("Score", "得分率"),
                ("Elo, 95 %", "Elo（95%）"),
                ("", ""),
            ],
        );
        for ((player, score), estimate) in rows.iter().zip(&estimates) {
            let [lost, drawn, won] = score.games;
            let elo = estimate.as_ref().map_or_else(|| "–".into(), |told| interval(told.elo));
            let drawing = estimate.as_ref().map_or(String::new(), |told| whisker(told.elo, reach));
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{won}</td><td \
                 class=\"n\">{drawn}</td><td class=\"n\">{lost}</td><td class=\"n\">{:.1}%</td><td \
                 class=\"n\">{elo}</td><td>{drawing}</td></tr>",
                Text(self.name(*player)),
                score.total(),
                100.0 * share(score)
            );
        }
        html + END
    }

    /// Elo over the games, with the range it may be in, and the test's course below it.
    fn course(&self) -> String {
        if self.settings.players.len() != 2 || self.records.len() < 4 {
            return String::new();
        }
        let step = self.records.len().div_ceil(SAMPLES);
        let (mut standings, mut elo, mut llr) = (Standings::default(), Vec::new(), Vec::new());
        for (count, record) in (1..).zip(self.records) {
            standings.add(record);
            if count % step != 0 && count != self.records.len() {
                continue;
            }
            let outcomes = standings.of_player(0).outcomes();
            if let Some(estimate) = Estimate::of(&outcomes) {
                let Interval { value, low, high } = estimate.elo;
                if low.is_finite() && high.is_finite() {
                    elo.push((count, [value, low, high]));
                }
            }
            if let Some(sprt) = self.sprt {
                llr.push((count, sprt.llr(&outcomes)));
            }
        }
        let mut html = String::new();
        let all = self.records.len();
        if elo.len() > 1 {
            // The first games scatter without bounds; the picture is for what comes after.
            let settled = &elo[elo.len() / 10..];
            let ends = settled.iter().flat_map(|&(_, [_, low, high])| [low, high]);
            let reach = ends.fold(20.0_f64, |reach, elo| reach.max(elo.abs())).min(800.0);
            let band: Vec<_> = elo
                .iter()
                .map(|&(count, [_, _, high])| (count, high))
                .chain(elo.iter().rev().map(|&(count, [_, low, _])| (count, low)))
                .collect();
            let line: Vec<_> = elo.iter().map(|&(count, [value, ..])| (count, value)).collect();
            let title = match self.language {
                Language::English => {
                    format!("Elo of {} over the games, 95 %", self.name(0))
                }
                Language::Chinese => format!("{}的Elo走势（95%）", self.name(0)),
            };
            html += &graph(&title, all, reach, &band, &line, &[0.0]);
        }
        if let Some(sprt) = self.sprt
            && llr.len() > 1
        {
            let (low, high) = sprt.bounds();
            let reach =
                llr.iter().fold(high.max(-low) * 1.1, |reach, &(_, llr)| reach.max(llr.abs()));
            let title =
                self.of("LLR over the games, with the bounds of the test", "LLR走势与检验界限");
            html += &graph(title, all, reach, &[], &llr, &[low, 0.0, high]);
        }
        html
    }

    fn endings(&self, standings: &Standings) -> String {
        let mut html = self.table(
            ("How games ended", "终局方式"),
            &[("Ending", "方式"), ("Games", "局数"), ("", "")],
        );
        let total = standings.total().max(1);
        let mut rows: Vec<_> = standings.terminations.iter().collect();
        rows.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
        for (&termination, &count) in rows {
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{count}</td><td>{}</td></tr>",
                of(self.language, termination.name(), chinese(termination)),
                part(count as f64 / total as f64)
            );
        }
        html + END
    }

    fn times(&self) -> String {
        let mut html = self.table(
            ("Time used", "用时"),
            &[
                ("Player", "棋手"),
                ("A move", "每步平均"),
                ("Longest move", "最长一步"),
                ("A game", "每局平均"),
                ("Faults", "超时与故障"),
            ],
        );
        for player in 0..self.settings.players.len() {
            let (mut moves, mut sum, mut longest, mut games, mut faults) = (0u64, 0, 0, 0u64, 0);
            for record in self.records.iter().filter(|r| r.red == player || r.black == player) {
                games += 1;
                faults += u64::from(record.offender() == Some(player));
                for (us, _) in
                    record.us.iter().zip(0..).filter(|&(_, at)| Self::moved(record, at, player))
                {
                    moves += 1;
                    sum += us;
                    longest = longest.max(*us);
                }
            }
            let time = |us: u64| duration(Duration::from_micros(us));
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td \
                 class=\"n\">{}</td><td class=\"n\">{faults}</td></tr>",
                Text(self.name(player)),
                time(sum / moves.max(1)),
                time(longest),
                time(sum / games.max(1))
            );
        }
        html + END
    }

    /// Whether a player made the move that stands at this place of a record's lists.
    fn moved(record: &Record, at: usize, player: usize) -> bool {
        let black_begins = record.fen.as_deref().and_then(|fen| fen.split(' ').nth(1)) == Some("b");
        let red = (record.opening + at).is_multiple_of(2) != black_begins;
        (if red { record.red } else { record.black }) == player
    }

    /// What Red and Black scored, over all and from each opening.
    fn openings(&self) -> String {
        let mut all = [0u64; 3];
        let mut rows: BTreeMap<(String, String), (usize, [u64; 3])> = BTreeMap::new();
        for record in self.records {
            let at = match record.result.as_str() {
                "1-0" => 0,
                "1/2-1/2" => 1,
                "0-1" => 2,
                _ => continue,
            };
            all[at] += 1;
            let moves: Vec<_> = record.moves.split_whitespace().take(record.opening).collect();
            let key = (record.fen.clone().unwrap_or_default(), moves.join(" "));
            rows.entry(key).or_insert((record.game, [0; 3])).1[at] += 1;
        }
        let mut html = self.table(
            ("Score by colour and opening", "红黑与开局得分"),
            &[
                ("Opening", "开局"),
                ("Red won", "红胜"),
                ("Drawn", "和"),
                ("Black won", "黑胜"),
                ("Red's score", "红方得分率"),
                ("", ""),
            ],
        );
        let row = |html: &mut String, name: &str, [red, drawn, black]: [u64; 3]| {
            let total = (red + drawn + black).max(1);
            let share = (red as f64 + drawn as f64 / 2.0) / total as f64;
            let _ = write!(
                html,
                "<tr><th scope=\"row\">{name}</th><td class=\"n\">{red}</td><td class=\"n\">{drawn}\
                 </td><td class=\"n\">{black}</td><td class=\"n\">{:.1}%</td><td>{}</td></tr>",
                100.0 * share,
                part(share)
            );
        };
        row(&mut html, self.of("All games", "全部对局"), all);
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, (game, _))| *game);
        for ((fen, moves), (game, score)) in rows.into_iter().take(OPENINGS) {
            let name = opening(&fen, &moves).unwrap_or_else(|| match self.language {
                Language::English => format!("opening of game {}", game + 1),
                Language::Chinese => format!("第{}局的开局", game + 1),
            });
            let link = format!("<a href=\"#g{}\">{}</a>", game + 1, Text(&name));
            row(&mut html, &link, score);
        }
        html + END
    }

    fn list(&self) -> String {
        let mut html = self.table(
            ("Games", "对局"),
            &[
                ("#", "#"),
                ("Red", "红方"),
                ("Black", "黑方"),
                ("Result", "结果"),
                ("Plies", "着数"),
                ("Ending", "终局"),
            ],
        );
        for (at, record) in self.records.iter().enumerate().take(SHOWN) {
            let number = record.game + 1;
            let class = if at == 0 { " class=\"on\"" } else { "" };
            let _ = write!(
                html,
                "<tr{class}><td><a href=\"#g{number}\">{number}</a></td><td>{}</td><td>{}</td><td>{}\
                 </td><td class=\"n\">{}</td><td>{}</td></tr>",
                Text(self.name(record.red)),
                Text(self.name(record.black)),
                Text(&record.result),
                record.moves.split_whitespace().count(),
                of(self.language, record.termination.name(), chinese(record.termination)),
            );
        }
        html = html.replacen("class=\"wide\"", "class=\"wide index\"", 1) + END;
        if self.records.len() > SHOWN {
            let _ = match self.language {
                Language::English => write!(
                    html,
                    "<p>The moves of the first {SHOWN} of {} games are in this page; all are in the \
                     PGN.</p>",
                    self.records.len()
                ),
                Language::Chinese => write!(
                    html,
                    "<p>本页收入{}局中的前{SHOWN}局，全部对局见PGN文件。</p>",
                    self.records.len()
                ),
            };
        }
        html
    }

    fn table(&self, title: (&str, &str), columns: &[(&str, &str)]) -> String {
        let mut html = format!(
            "<section><h3>{}</h3><div class=\"wide\"><table><thead><tr>",
            self.of(title.0, title.1)
        );
        for (at, (english, chinese)) in columns.iter().enumerate() {
            let class = if at == 0 { "" } else { " class=\"n\"" };
            let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", self.of(english, chinese));
        }
        html + "</tr></thead><tbody>"
    }
}

const END: &str = "</tbody></table></div></section>\n";

fn share(score: &Score) -> f64 {
    let [_, drawn, won] = score.games;
    (won as f64 + drawn as f64 / 2.0) / score.total().max(1) as f64
}

fn interval(Interval { value, low, high }: Interval) -> String {
    let half = (high - low) / 2.0;
    if half.is_finite() {
        format!("{value:+.1} ± {half:.1}")
    } else if value.is_finite() {
        format!("{value:+.1}")
    } else {
        "–".into()
    }
}

/// An opening in a few words, where it has moves.
fn opening(fen: &str, moves: &str) -> Option<String> {
    let mut position =
        if fen.is_empty() { Position::start() } else { Position::from_fen(fen).ok()? };
    let mut words = Vec::new();
    for word in moves.split_whitespace() {
        let mv = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
        words.push(print(&position, mv, Format::Chinese(Style::default())));
        position.make(mv, &mut Unobserved);
    }
    (!words.is_empty()).then(|| words.join(" "))
}

fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 60.0 => words::clock(time.as_millis() as u64),
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds => format!("{:.1} ms", 1000.0 * seconds),
    }
}

fn chinese(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "将死",
        Termination::Stalemate => "困毙",
        Termination::Forbidden => "禁止着法判负",
        Termination::Resignation => "认负",
        Termination::Time => "超时",
        Termination::IllegalMove => "违例走子",
        Termination::Crash => "引擎退出",
        Termination::Stall => "引擎无应答",
        Termination::Protocol => "协议错误",
        Termination::Repetition => "不变作和",
        Termination::NaturalLimit => "自然限着",
        Termination::NoAttackers => "双方均无取胜可能",
        Termination::Agreement => "议和",
        Termination::AdjudicatedWin => "裁定胜负",
        Termination::AdjudicatedDraw => "裁定和棋",
        Termination::MoveLimit => "着数上限",
    }
}
