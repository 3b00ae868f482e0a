//! Which output judges a position: by how many men there are, or by which. Knows counts, no
//! weights.

use crate::{
    position::Position,
    types::{Color, Kind},
};

/// What outputs go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "tools", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "tools", serde(rename_all = "lowercase"))]
pub enum BucketedBy {
    /// The number of men.
    #[default]
    Men,
    /// Rooks, and knights with cannons, of both sides.
    Material,
}

/// The men that outputs go by, of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All of them.
    pub men: u8,
    /// The rooks.
    pub rooks: u8,
    /// Knights and cannons.
    pub minors: u8,
}

impl Census {
    /// Counts the men of a position.
    pub fn of(position: &Position) -> Self {
        let count = |kind| {
            Color::ALL.map(|color| position.pieces(color, kind).count()).iter().sum::<u32>() as u8
        };
        Self {
            men: position.occupied().count() as u8,
            rooks: count(Kind::Rook),
            minors: count(Kind::Knight) + count(Kind::Cannon),
        }
    }
}

impl BucketedBy {
    /// How many classes of material there are.
    pub const MATERIAL: usize = 12;

    /// The output, of so many, for a position with these men.
    #[inline]
    pub fn bucket(self, outputs: usize, census: Census) -> usize {
        match self {
            Self::Men => by_men(outputs, census.men.into()),
            Self::Material => by_material(census.rooks, census.minors),
        }
    }

    /// The output, of so many, for a position.
    #[inline]
    pub fn bucket_of(self, outputs: usize, position: &Position) -> usize {
        match self {
            Self::Men => by_men(outputs, position.occupied().count() as usize),
            Self::Material => self.bucket(outputs, Census::of(position)),
        }
    }
}

fn by_men(outputs: usize, men: usize) -> usize {
    (men.saturating_sub(2) * outputs / 31).min(outputs - 1)
}

/// No rook, up to one a side, more; and two knights or cannons a class.
fn by_material(rooks: u8, minors: u8) -> usize {
    let rooks = usize::from(rooks.div_ceil(2).min(2));
    4 * rooks + usize::from(minors / 2).min(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_go_by_the_number_of_men() {
        let all = |outputs| {
            let bucket = |men| BucketedBy::Men.bucket(outputs, Census { men, ..Census::default() });
            (2..=32).map(bucket).collect::<Vec<_>>()
        };
        assert!(all(1).iter().all(|&output| output == 0));
        let eight = all(8);
        assert!(eight.is_sorted() && eight[0] == 0 && eight[30] == 7);
        assert!((0..8).all(|output| eight.contains(&output)));
        assert_eq!(by_men(8, 44), 7);
    }

    #[test]
    fn outputs_go_by_rooks_and_minors() {
        let mut used = [false; BucketedBy::MATERIAL];
        for rooks in 0..=4 {
            for minors in 0..=8 {
                let census = Census { men: 32, rooks, minors };
                used[BucketedBy::Material.bucket(BucketedBy::MATERIAL, census)] = true;
            }
        }
        assert!(used.iter().all(|&used| used));
        assert_eq!((by_material(0, 0), by_material(0, 1), by_material(0, 2)), (0, 0, 1));
        assert_eq!((by_material(1, 0), by_material(2, 3), by_material(3, 0)), (4, 5, 8));
        assert_eq!(by_material(4, 8), 11);
        let count = |fen| Census::of(&Position::from_fen(fen).unwrap());
        assert_eq!(count(Position::START_FEN), Census { men: 32, rooks: 4, minors: 8 });
        let ending = count("3k1n3/9/9/9/4C4/9/9/4C4/4K4/8R w");
        assert_eq!(ending, Census { men: 6, rooks: 1, minors: 3 });
    }

    #[test]
    fn a_position_and_its_census_have_one_bucket() {
        for fen in [Position::START_FEN, "3k1n3/9/9/9/4C4/9/9/4C4/4K4/8R w"] {
            let position = Position::from_fen(fen).unwrap();
            for (by, outputs) in [(BucketedBy::Men, 8), (BucketedBy::Material, 12)] {
                let census = by.bucket(outputs, Census::of(&position));
                assert_eq!(by.bucket_of(outputs, &position), census);
            }
        }
    }
}
