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

/// What the articles that a ruling may name are about.
const ARTICLES: &[(&str, &str, &str)] = &[
    ("4.1.1", "a side in check without a move has lost", "被将死者负"),
    ("4.1.3", "a side without a move has lost", "被困毙者负"),
    ("4.1.4", "a side that oversteps its time has lost", "超过时限者负"),
    ("4.1.5", "a side that is not there in time to play has lost", "超过迟到判负时限者负"),
    ("4.1.2", "a side whose move leaves the kings facing has lost", "走棋后将帅直接对面者负"),
    ("4.1.6", "a side that plays an illegal move has lost", "走子违例者负"),
    ("4.1.7", "a side that does not give up a forbidden repetition has lost", "禁止着法不变者负"),
    ("4.1.9", "a side that resigns has lost", "认输者负"),
    ("4.2.1", "drawn, as no man is left that could win", "双方均无取胜可能，和"),
    ("4.2.2", "drawn, as both agree", "双方同意，和"),
    ("4.2.3", "a repetition that nobody must give up is a draw", "不变作和"),
    ("4.2.4", "so many rounds without a capture are a draw", "自然限着，和"),
    (
        "23.3",
        "of each side's checks only so many count as moves of that limit",
        "限着内将军计数有限",
    ),
    (
        "23.2",
        "a position that has occurred three times and need not be avoided is drawn without an offer",
        "同一局面三次重复，符合不变作和者，不必提和",
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
    ("26.3", "both sides' moves are forbidden: a draw", "双方均为禁止着法，和"),
    (
        "26.4",
        "one side's moves are forbidden, the other's allowed: the first must deviate",
        "一方禁止、一方允许，前者变着",
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
