//! Which letters boards are told in: some engines know the knight as a horse and the bishop as an
//! elephant, `H` and `E`. Knows how FENs are written, nothing else.

/// The letters of knights and bishops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// `N` and `B`.
    #[default]
    Usual,
    /// `H` and `E`.
    HorseElephant,
}

impl Letters {
    /// A FEN as the engine reads it.
    pub fn print(self, fen: String) -> String {
        if self == Self::Usual {
            return fen;
        }
        // The side to move is a `b`, so only the board is spelled anew.
        let end = fen.find(' ').unwrap_or(fen.len());
        let letter = |c| match c {
            'n' => 'h',
            'N' => 'H',
            'b' => 'e',
            'B' => 'E',
            _ => c,
        };
        fen[..end].chars().map(letter).chain(fen[end..].chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn only_the_men_are_spelled_anew() {
        let fen = "2bak4/4a4/4b4/9/1n7/9/9/4B4/3N5/4K4 b - - 0 1";
        assert_eq!(Letters::Usual.print(fen.into()), fen);
        let told = Letters::HorseElephant.print(fen.into());
        assert_eq!(told, "2eak4/4a4/4e4/9/1h7/9/9/4E4/3H5/4K4 b - - 0 1");
        // It is the same board to whoever reads both.
        assert_eq!(Position::from_fen(&told), Position::from_fen(fen));
    }
}
