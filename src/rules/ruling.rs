//! A referee's full word on a game: how it stands, by which articles, and what each move did. Says
//! it in no language.

use super::{
    Book, Finding, Ground, Illegality, Judgement, Label, Line, Offence, Outcome, Verdict, Win,
    articles::cite,
    judgement, outcome,
    repetition::{finding_by_book, verdict_of},
};
use crate::{
    position::{Position, Unobserved},
    types::{Color, Kind, Move, Piece},
};

/// How a game stands after its latest move, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// How it stands.
    pub outcome: Outcome,
    /// Who is told to deviate, and from what, where the rules warn first (24.3).
    pub warned: Option<(Color, Offence)>,
    /// The articles it rests on, such as `26.1`.
    pub clauses: Vec<&'static str>,
    /// The number of plies before the first one of the repetition; `None` where none is judged.
    pub window_start: Option<usize>,
    /// The plies of the repetition, or of the whole game where none is judged, and what each does.
    pub labels: Vec<(Move, Label)>,
    /// The same plies and why each has its label.
    pub findings: Vec<Finding>,
    /// What the verdict on the repetition would be if chases of advisors and bishops by a side with
    /// at most one rook, horse or cannon were idle, where it would be another. 27.3 excuses those
    /// that only go with taking a key point which makes a draw certain; nobody but a person can say
    /// whether they do.
    pub by_27_3: Option<Verdict>,
}

/// Rules on a game.
///
/// ```
/// use chuhe::{position::Position, rules::{self, Draw, Line, Outcome}};
/// let mut line = Line::new(Position::start());
/// for mv in ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(2) {
///     line.play(mv.parse().unwrap()).unwrap();
/// }
/// let ruling = rules::ruling(&line);
/// assert_eq!(ruling.outcome, Outcome::Drawn(Draw::Repetition));
/// assert_eq!((ruling.window_start, ruling.labels.len()), (Some(0), 8));
/// ```
pub fn ruling(line: &Line) -> Ruling {
    let outcome = outcome(line);
    // A game that is over for another reason is not judged by its repetitions.
    let repeats = outcome.is_by_repetition();
    let goes_on = outcome == Outcome::Ongoing;
    match judgement(line).filter(|judgement| repeats || goes_on && judgement.is_warning) {
        Some(Judgement { verdict, mut clauses, window_start, labels, .. }) => {
            let warned = match verdict {
                Verdict::Forbidden { offender, offence } if goes_on => Some((offender, offence)),
                _ => None,
            };
            let plies = findings(line, window_start);
            if plies.iter().any(|(_, _, finding)| !finding.besides.is_empty()) {
                cite(&mut clauses, "27.4");
            }
            let by_27_3 = (line.ruleset().book == Book::Chinese)
                .then(|| excused(line, &plies))
                .filter(|excused| *excused != verdict);
            let findings = plies.into_iter().map(|(_, _, finding)| finding).collect();
            let window_start = Some(window_start);
            Ruling { outcome, warned, clauses, window_start, labels, findings, by_27_3 }
        }
        None => Ruling::without_repetition(line, outcome),
    }
}

/// Rules on a game whose next move was illegal: whoever made it has lost (4.1.2, 4.1.6), unless the
/// game was over before it.
pub fn ruling_on_illegal(line: &Line, illegality: Illegality) -> Ruling {
    if line.position().is_lost() {
        return ruling(line);
    }
    let winner = !line.position().side();
    Ruling::without_repetition(line, Outcome::Won { winner, by: Win::IllegalMove(illegality) })
}

impl Ruling {
    fn without_repetition(line: &Line, outcome: Outcome) -> Self {
        let plies = findings(line, 0);
        Self {
            outcome,
            warned: None,
            clauses: outcome.clauses().to_vec(),
            window_start: None,
            labels: plies.iter().map(|(_, mv, finding)| (*mv, finding.label)).collect(),
            findings: plies.into_iter().map(|(_, _, finding)| finding).collect(),
            by_27_3: None,
        }
    }
}

/// The position before each ply from some ply on, its move, and what that does.
fn findings(line: &Line, start: usize) -> Vec<(Position, Move, Finding)> {
    let mut position = line.position_after(start);
    let mut findings = Vec::with_capacity(line.plies() - start);
    for ply in &line.history()[start..] {
        let Some(mv) = ply.mv() else {
            position.make_null();
            continue;
        };
        let finding = finding_by_book(line.ruleset(), &mut position, mv);
        findings.push((position.clone(), mv, finding));
        position.make(mv, &mut Unobserved);
    }
    findings
}

/// The verdict on a window whose chases 27.3 might excuse are idle.
fn excused(line: &Line, plies: &[(Position, Move, Finding)]) -> Verdict {
    let few = |side| {
        let men = [Kind::Rook, Kind::Knight, Kind::Cannon];
        men.iter().map(|&kind| line.position().pieces(side, kind).count()).sum::<u32>() <= 1
    };
    verdict_of(plies.iter().map(|(position, mv, finding)| {
        let victim = |ground: &Ground| match ground.victim {
            at if at == mv.from() => None,
            at => position.piece_at(at).map(Piece::kind),
        };
        let guards = |ground: &Ground| matches!(victim(ground), Some(Kind::Advisor | Kind::Bishop));
        let light = finding.label == Label::Chase && finding.grounds.iter().all(guards);
        let label = if light && few(position.side()) { Label::Idle } else { finding.label };
        (position.side(), label)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Draw, Language, Ruleset};

    fn after(ruleset: Ruleset, fen: &str, moves: &str) -> Ruling {
        let mut line = Line::under(ruleset, Position::from_fen(fen).unwrap());
        for word in moves.split_whitespace() {
            line.play(word.parse().unwrap()).unwrap();
        }
        ruling(&line)
    }

    const CHECKS: &str = "a8a9 e9e8 a9a8 e8e9";
    const LONE_KING: &str = "4k4/R8/9/9/9/9/9/9/9/3K5 w";

    #[test]
    fn a_repetition_is_ruled_on_by_its_window() {
        let moves = format!("a8a7 e9e8 a7a8 e8e9 {CHECKS} {CHECKS}");
        let ruling = after(Ruleset::default(), LONE_KING, &moves);
        assert_eq!(ruling.window_start, Some(4));
        assert_eq!(ruling.labels.len(), 8);
        assert!(ruling.clauses.contains(&"26.1"));
    }

    /// A lone rook chases an elephant, which 27.3 may excuse.
    const LIGHT: &str = "4k1b2/9/9/9/9/8R/9/9/9/3K5 w";
    const ELEPHANT: &str = "i4g4 g9i7 g4i4 i7g9";

    #[test]
    fn article_27_3_is_noted_where_it_may_change_the_verdict_and_nowhere_else() {
        let noted = |ruleset, fen, cycle: &str| {
            let mut line = Line::under(ruleset, Position::from_fen(fen).unwrap());
            for word in [cycle, cycle].join(" ").split(' ') {
                line.play(word.parse().unwrap()).unwrap();
            }
            let ruling = ruling(&line);
            let told = [Language::English, Language::Chinese]
                .map(|language| ruling.explain(&line, language).to_string());
            let note = ruling.by_27_3.is_some();
            assert_eq!(told.map(|text| text.contains("27.3")), [note; 2], "{fen}");
            (ruling.outcome, ruling.by_27_3)
        };
        let chinese = Ruleset::default();
        let red_loses =
            |offence| Outcome::Won { winner: Color::Black, by: Win::Repetition(offence) };
        let chase = red_loses(Offence::PerpetualChase);
        assert_eq!(noted(chinese, LIGHT, ELEPHANT), (chase, Some(Verdict::Draw)));
        let advisor = "3k1a3/9/9/9/9/4R4/9/9/9/5K3 w";
        let noted_too = noted(chinese, advisor, "e4f4 f9e8 f4e4 e8f9");
        assert_eq!(noted_too, (chase, Some(Verdict::Draw)));
        for (fen, cycle, why) in [
            ("4k1b2/9/9/9/9/8R/9/9/9/N2K5 w", ELEPHANT, "two men that could win something"),
            ("4k1n2/9/9/9/9/8R/9/9/9/3K5 w", "i4g4 g9i8 g4i4 i8g9", "no elephant"),
            ("4k4/R8/9/9/9/9/9/9/9/3K5 w", CHECKS, "checks"),
        ] {
            let (outcome, doubt) = noted(chinese, fen, cycle);
            assert!(
                matches!(outcome, Outcome::Won { .. }) && doubt.is_none(),
                "{why}: {outcome:?}"
            );
        }
        // With one idle move it is a draw anyway, and no other book has the article.
        let idle = "i4g4 g9i7 g4i4 i7g9 i4g4 g9i7 g4g3 e9e8 g3i3 e8e9 i3i4 i7g9";
        assert_eq!(noted(chinese, LIGHT, idle), (Outcome::Drawn(Draw::Repetition), None));
        assert_eq!(noted(Ruleset::of(Book::Asian), LIGHT, ELEPHANT), (chase, None));
    }

    #[test]
    fn without_one_every_ply_is_labelled() {
        let ruling = after(Ruleset::default(), LONE_KING, CHECKS);
        let labels: Vec<_> = ruling.labels.iter().map(|&(_, label)| label).collect();
        assert_eq!(labels, [Label::Check, Label::Idle, Label::Check, Label::Idle]);
        assert_eq!((ruling.clauses, ruling.window_start), (vec![], None));
        let quick = Ruleset { natural_limit: 4, ..Ruleset::default() };
        let ruling = after(quick, LONE_KING, CHECKS);
        assert_eq!((ruling.clauses, ruling.window_start), (vec!["4.2.4", "23.3"], None));
    }
    #[test]
    fn a_ply_keeps_its_label_when_it_becomes_part_of_a_repetition() {
        // On each of these the books differ.
        for (fen, cycle) in [
            ("3ak4/4a4/4b4/9/4c2r1/9/P8/4B4/4A4/3AK1B2 b", "h5g5 g0i2 g5h5 i2g0"),
            ("9/4k4/R3n4/9/9/9/9/9/9/3K5 w", "a7a8 e8e9 a8a7 e9e8"),
            ("9/3k5/4C4/9/9/9/9/9/9/5K3 b", "d8e8 e7d7 e8d8 d7e7"),
        ] {
            for book in Book::ALL {
                let third = Ruleset { repetition_count: 3, ..Ruleset::of(book) };
                let open = after(third, fen, cycle);
                let judged = after(third, fen, &format!("{cycle} {cycle}"));
                assert_eq!((open.window_start, judged.window_start), (None, Some(0)));
                assert_eq!(open.labels, judged.labels[..4], "{book:?} {fen}");
            }
        }
    }
}
