//! What the articles that a ruling may name are about, told in our own words. Knows no game.

use super::Language;

impl Language {
    /// What an article is about; nothing for one that no ruling names.
    pub fn article(self, clause: &str) -> Option<&'static str> {
        ARTICLES
            .iter()
            .find(|(number, ..)| *number == clause)
            .map(|&(_, english, chinese)| self.of((english, chinese)))
    }
}

/// Cites an article once, in its place among the others.
pub(super) fn cite(clauses: &mut Vec<&'static str>, clause: &'static str) {
    let place = |clause: &str| ARTICLES.iter().position(|(number, ..)| *number == clause);
    if !clauses.contains(&clause) {
        let at = clauses.partition_point(|&other| place(other) < place(clause));
        clauses.insert(at, clause);
    }
}

/// What the articles that a ruling may name are about.
const ARTICLES: &[(&str, &str, &str)] = &[
    ("4.1.1", "a side in check without a move has lost", "被将死者负"),
    ("4.1.2", "a side whose move leaves the kings facing has lost", "走棋后将帅直接对面者负"),
    ("4.1.3", "a side without a move has lost", "被困毙者负"),
    (
        "4.1.4",
        "a side that has not made the required moves in time has lost",
        "时限内未走满规定着数者负",
    ),
    ("4.1.5", "a side that is too late to play has lost", "超过迟到判负时限者负"),
    ("4.1.6", "a side that plays an illegal move has lost", "走子违例者负"),
    ("4.1.7", "a side that does not give up a forbidden repetition has lost", "禁止着法不变者负"),
    ("4.1.9", "a side that resigns has lost", "认输者负"),
    ("4.2.1", "drawn, as no man is left that could win", "双方均无取胜可能，和"),
    ("4.2.2", "drawn, as both agree", "双方同意，和"),
    (
        "4.2.3",
        "what is repeated three times and nobody must give up is a draw",
        "循环三次，符合不变作和，和",
    ),
    (
        "4.2.4",
        "so many rounds without a capture are a draw",
        "自然限着：连续若干回合双方均未吃子，和",
    ),
    (
        "23.2",
        "a position that has occurred three times and need not be avoided is drawn without an offer",
        "同一局面三次重复，符合不变作和者，不必提和",
    ),
    (
        "23.3",
        "of the checks of the side that claims only so many count towards that limit; if nobody \
         claims, of either side's",
        "限着内提和方的将军计数有限，无人提和则双方皆限",
    ),
    ("24.1", "whoever alone checks perpetually loses at once", "单方长将，立即判负"),
    (
        "24.2",
        "where both are allowed, or both forbidden, it is drawn at once",
        "双方不变，立即判和",
    ),
    (
        "24.3",
        "whoever alone repeats what is forbidden is told to deviate, and loses if it does not",
        "单方禁止着法，须变着，不变判负",
    ),
    (
        "25.2",
        "forbidden is to attack with every move; one idle move makes it allowed",
        "着着皆打为禁止，有闲为允许",
    ),
    ("26.1", "perpetual check by one side is never allowed", "任何情况下不准单方长将"),
    ("26.2", "both sides' moves are allowed: a draw", "双方均为允许着法，和"),
    (
        "26.3",
        "both sides' moves are forbidden, and no one-sided perpetual check: a draw",
        "双方均为禁止着法（单方长将除外），和",
    ),
    (
        "26.4",
        "one side's moves are forbidden, the other's allowed: the first must deviate, or it loses",
        "一方禁止、一方允许，禁止的一方变着，不变判负",
    ),
    ("27.1", "a king that attacks by itself is idle", "帅（将）单独捉子为闲"),
    (
        "27.2",
        "a pawn that attacks by itself is idle, unless the other side attacks all along",
        "兵（卒）单独捉子为闲，对方着着皆打时作捉",
    ),
    (
        "27.4",
        "a move that does several things counts as the heaviest of them",
        "一着兼有多种作用，以重者论：将、杀、捉、闲",
    ),
    ("28.10", "perpetual check: every move checks", "长将：着着将军"),
    ("28.11", "perpetual threat of mate: every move threatens mate", "长杀：着着叫杀"),
    (
        "28.12",
        "perpetual chase: every move threatens a man, be it always the same or not",
        "长捉：着着捉子，不论一子数子",
    ),
    ("28.14", "different attacks in turn, without an idle move", "将、杀、捉交替，无一闲着"),
    (
        "28.15",
        "perpetual attack against none: only one side attacks with every move",
        "长打对非长打：仅一方着着皆打",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of each article, the terms its Chinese and its English text must have.
    fn known() -> Vec<[&'static str; 3]> {
        let file = include_str!("../../tests/data/judge/articles.txt");
        let rows = file.lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| {
            let mut parts = row.split('|');
            let known = [(); 3].map(|()| parts.next().expect("three parts and the text"));
            assert!(parts.next().is_some_and(|text| !text.is_empty()), "{row}");
            known
        })
        .collect()
    }

    #[test]
    fn what_is_told_of_an_article_is_what_it_says() {
        let known = known();
        let numbers: Vec<_> = known.iter().map(|[number, ..]| *number).collect();
        let told: Vec<_> = ARTICLES.iter().map(|(number, ..)| *number).collect();
        assert_eq!(told, numbers);
        for ([number, chinese, english], (_, in_english, in_chinese)) in known.iter().zip(ARTICLES)
        {
            for term in chinese.split(' ') {
                assert!(in_chinese.contains(term), "{number}: {term} in {in_chinese}");
            }
            for term in english.split(", ") {
                assert!(in_english.contains(term), "{number}: {term} in {in_english}");
            }
        }
    }
}
