//! Static exchange: what captures on one square are worth. Knows fixed values, no positions beyond
//! the one it looks at.

use super::{Position, attacks};
use crate::types::{Bitboard, Color, Kind, Move, Square, Value};

/// What a man counts for in an exchange.
pub const fn value(kind: Kind) -> Value {
    match kind {
        Kind::Pawn => 90,
        Kind::Advisor | Kind::Bishop => 200,
        Kind::Knight => 430,
        Kind::Cannon => 450,
        Kind::Rook => 950,
        // Never lost in an exchange: it captures only what nobody guards.
        Kind::King => 10_000,
    }
}

impl Position {
    /// Whether a pseudo-legal move wins at least `threshold` by the exchange on its target.
    ///
    /// After the move both sides capture there in turn, each with its least valuable man, and each
    /// stops when going on would not help it. Men that leave open lines, legs and eyes and take
    /// away or provide cannon screens, so attackers are found anew after every capture. A king
    /// captures last and only what is no longer guarded. Pins and checks elsewhere are ignored. A
    /// quiet move captures nothing but may lose its man.
    pub fn see_ge(&self, mv: Move, threshold: Value) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let worth = |square| self.piece_at(square).map_or(0, |piece| value(piece.kind()));

        // How far we are above the threshold if nobody goes on, and what may be captured next.
        let mut lead = worth(to) - threshold;
        let mut at_stake = worth(from);
        if lead < 0 {
            return false;
        }
        if lead >= at_stake {
            return true;
        }

        let mut occupied = self.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        let mut side = !us;
        while let Some((kind, capturer)) = self.least_attacker(to, side, occupied) {
            occupied ^= Bitboard::of(capturer);
            if kind == Kind::King && self.least_attacker(to, !side, occupied).is_some() {
                break;
            }
            lead += if side == us { at_stake } else { -at_stake };
            at_stake = value(kind);
            // The capture was not enough: the other side is content and stops.
            if (side == us) != (lead >= 0) {
                return side != us;
            }
            side = !side;
        }
        // Whoever cannot capture is the one who needed to.
        side != us
    }

    /// The least valuable man of `side` in `occupied` that can capture on `to`.
    #[inline]
    fn least_attacker(
        &self,
        to: Square,
        side: Color,
        occupied: Bitboard,
    ) -> Option<(Kind, Square)> {
        let among = |kind, points: Bitboard| {
            let men = points & occupied & self.pieces(side, kind);
            men.first().map(|square| (kind, square))
        };
        among(Kind::Pawn, attacks::pawns_to(side, to))
            .or_else(|| among(Kind::Advisor, attacks::advisor(to)))
            .or_else(|| among(Kind::Bishop, attacks::bishop(to, occupied)))
            .or_else(|| among(Kind::Knight, attacks::knights_to(to, occupied)))
            .or_else(|| {
                let cross = attacks::Cross::new(to, occupied);
                among(Kind::Cannon, cross.second()).or_else(|| among(Kind::Rook, cross.reach()))
            })
            .or_else(|| among(Kind::King, attacks::king(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact worth of the exchange, found by asking.
    fn exchange(fen: &str, mv: &str) -> Value {
        let position = Position::from_fen(fen).unwrap();
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{fen} {mv}");
        let worth = (-1000..=1000).rev().find(|&value| position.see_ge(mv, value));
        worth.expect("within the values of the men")
    }

    #[test]
    fn exchanges() {
        for (fen, mv, worth) in [
            // Unguarded, guarded, quiet, quiet into an attack.
            ("4k4/9/9/4p4/9/9/9/4R4/9/3K5 w", "e2e6", 90),
            ("3k5/9/9/4p4/4p4/9/9/4R4/9/5K3 w", "e2e5", 90 - 950),
            ("4k4/9/9/4p4/9/9/9/4R4/9/3K5 w", "e2d2", 0),
            ("4k4/9/9/4p4/9/9/9/4R4/9/3K5 w", "e2e5", -950),
            // A second rook behind the first makes the rook's recapture pointless.
            ("3k5/9/4r4/4p4/9/9/9/4R4/9/5K3 w", "e2e6", 90 - 950),
            ("3k5/9/4r4/4p4/9/9/4R4/4R4/9/5K3 w", "e3e6", 90),
            // A knight guards, unless it is hobbled.
            ("3k5/3n5/9/4p4/9/9/4R4/4R4/9/5K3 w", "e3e6", 90 - 950 + 430),
            ("3k5/3n5/3c5/4p4/9/9/4R4/4R4/9/5K3 w", "e3e6", 90),
            // The capturing rook was the cannon's screen; with another the cannon guards it.
            ("3k5/9/9/r3p4/9/4R4/9/4C4/9/5K3 w", "e4e6", 90 - 950),
            ("3k5/9/9/r3p4/9/4R4/4P4/4C4/9/5K3 w", "e4e6", 90),
            // The king recaptures only where no second attacker waits.
            ("4k4/4a4/9/9/9/9/9/4R4/9/3K5 w", "e2e8", 200 - 950),
            ("4k4/4a4/9/9/9/9/4R4/4R4/9/3K5 w", "e3e8", 200),
            // The recapturing advisor was the leg of the knight behind it.
            ("3a1k3/4n4/9/9/9/9/9/4R4/4R4/3K5 w", "e2e8", 430 - 950 + 200),
            ("2na1k3/4n4/9/9/9/9/9/4R4/4R4/3K5 w", "e2e8", 430 - 950),
        ] {
            assert_eq!(exchange(fen, mv), worth, "{fen} {mv}");
        }
    }
}
