//! Questions about an unknown number of records, and how far one record moves the answers.

use dashu_int::IBig;

use crate::{Epsilon, ExactSum, LevelSums, Neighbors, Question};

/// Question that every record answers with a few integers, which are added up with its weight.
///
/// G stands for the steps of a grid, g for the index of a value, y for g/G.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum UnitQuestion {
    /// Bucket of the record's budget, out of this many.
    Presence(usize),
    /// Category of the record, out of this many.
    Categories(usize),
    /// Distances of a value from both bounds: g and G − g.
    Ends(u64),
    /// g², 2g(G − g) and (G − g)²: in units of G² they add up to 1, and determine the spread of
    /// values.
    Moments(u64),
    /// 2g − G and G: in units of 2G the distance of a value from the middle of the bounds, and ½.
    Centred(u64),
    /// 2G(2g − G), 4g(G − g) and 2G²: in units of 4G² y − ½, y(1 − y) and ½.
    CentredMoments(u64),
    /// Distances e and f of a value below and above a range that ends this many steps inside the
    /// bounds on each side, and D − e − f, where D is the sum of both numbers of steps.
    Beyond(u64, u64),
    /// 2e − a, 2f − b and D, where a and b are the steps below and above the range, and D = a + b.
    CentredBeyond(u64, u64),
}

impl UnitQuestion {
    /// Returns the question as a certificate lists it.
    pub(super) fn listed(self) -> Question {
        match self {
            UnitQuestion::Presence(buckets) => Question::Presence { buckets },
            UnitQuestion::Categories(categories) => Question::Counts { categories, steps: 1 },
            UnitQuestion::Ends(grid) => Question::Ends { grid },
            UnitQuestion::Moments(grid) => Question::Squares { grid },
            UnitQuestion::Centred(grid) => Question::Centred { grid },
            UnitQuestion::CentredMoments(grid) => Question::CentredSquares { grid },
            UnitQuestion::Beyond(below, above) => Question::Beyond { below, above },
            UnitQuestion::CentredBeyond(below, above) => Question::CentredBeyond { below, above },
        }
    }

    /// Returns the number of integers in an answer.
    pub(crate) fn components(self) -> usize {
        match self {
            UnitQuestion::Presence(parts) | UnitQuestion::Categories(parts) => parts,
            UnitQuestion::Ends(_) | UnitQuestion::Centred(_) => 2,
            UnitQuestion::Moments(_)
            | UnitQuestion::CentredMoments(_)
            | UnitQuestion::Beyond(..)
            | UnitQuestion::CentredBeyond(..) => 3,
        }
    }

    /// Returns the most by which a record of weight 1 moves all sums together, in absolute numbers.
    ///
    /// # Guarantee
    ///
    /// Who joins or leaves moves them by what its own integers add up to: 1, 1, G and G²;
    /// |2g − G| + G ≤ 2G; and with z = |y − ½| ≤ ½ 4G²·(z + (¼ − z²) + ½) ≤ 4G². Beyond a range
    /// they add up to D; and |2e − a| + |2f − b| + D ≤ a + b + D = 2D.
    ///
    /// Another value leaves the bucket as it is, and takes a record from one category to another.
    /// It moves both distances by up to G. Of the moments, y² and (1 − y)² move by up to 1, and all
    /// three by 2 at most, since they add up to 1. With d = |y − y'| the centred value moves by d,
    /// y(1 − y) by d·|1 − y − y'| ≤ d(1 − d), so both by at most 1, in units of 4G²; the last
    /// number stays. Of a value that moves from one side of a range to the other, e falls by up to
    /// a, f rises by up to b, and the rest changes by the difference: by 2·max(a, b) together at
    /// most, which is no less than D. Twice the distances move by at most 2D.
    pub(crate) fn sensitivity(self, neighbors: Neighbors) -> u128 {
        let value = match neighbors {
            Neighbors::AddRemove => 1,
            Neighbors::ReplaceOne | Neighbors::Both => 2,
        };
        let square = |points: u64| u128::from(points) * u128::from(points);
        match self {
            UnitQuestion::Presence(_) => 1,
            UnitQuestion::Categories(_) => value,
            UnitQuestion::Ends(points) => value * u128::from(points),
            UnitQuestion::Moments(points) => value * square(points),
            UnitQuestion::Centred(points) => 2 * u128::from(points),
            UnitQuestion::CentredMoments(points) => 4 * square(points),
            UnitQuestion::Beyond(below, above) => match neighbors {
                Neighbors::AddRemove => u128::from(below) + u128::from(above),
                Neighbors::ReplaceOne | Neighbors::Both => 2 * u128::from(below.max(above)),
            },
            UnitQuestion::CentredBeyond(below, above) => {
                2 * (u128::from(below) + u128::from(above))
            }
        }
    }

    /// Returns the sums over the records of a level, with the weight of this budget. `bucket` is
    /// the bucket that they are in, for that question. For distances from a range, the sums of the
    /// level are those of the distances.
    pub(crate) fn records(
        self,
        budget: Epsilon,
        level_sums: &LevelSums,
        bucket: usize,
    ) -> UnitRecords {
        let sum = |at: usize| level_sums.sums.get(at).map_or(IBig::ZERO, ExactSum::to_big);
        let count = IBig::from(level_sums.count);
        let (first, sums) = match self {
            UnitQuestion::Presence(_) => (bucket, vec![count]),
            UnitQuestion::Categories(_) => {
                (0, level_sums.sums.iter().map(ExactSum::to_big).collect())
            }
            UnitQuestion::Ends(points) => {
                let above = sum(0);
                let below = count * IBig::from(points) - &above;
                (0, vec![above, below])
            }
            UnitQuestion::Moments(points) => {
                let points = IBig::from(points);
                let whole = count * &points * &points;
                // The table has Σ(2g − G)², and G² − (2g − G)² = 4·g·(G − g).
                let product = (&whole - sum(1)) / IBig::from(4u8);
                let high = sum(0) * points - &product;
                let twice = product * IBig::from(2u8);
                let low = whole - &high - &twice;
                (0, vec![high, twice, low])
            }
            UnitQuestion::Centred(points) => {
                let whole = count * IBig::from(points);
                (0, vec![sum(0) * IBig::from(2u8) - &whole, whole])
            }
            UnitQuestion::CentredMoments(points) => {
                let points = IBig::from(points);
                let all = count * &points;
                let middle = (sum(0) * IBig::from(2u8) - &all) * &points * IBig::from(2u8);
                let whole = all * points;
                let product = &whole - sum(1);
                (0, vec![middle, product, whole * IBig::from(2u8)])
            }
            UnitQuestion::Beyond(below, above) => {
                let whole = count * (IBig::from(below) + IBig::from(above));
                let (low, high) = (sum(0), sum(1));
                (0, vec![low.clone(), high.clone(), whole - low - high])
            }
            UnitQuestion::CentredBeyond(below, above) => {
                let [below, above] = [below, above].map(|steps| &count * IBig::from(steps));
                let twice = |sum: IBig| sum * IBig::from(2u8);
                let (low, high) = (twice(sum(0)) - &below, twice(sum(1)) - &above);
                (0, vec![low, high, below + above])
            }
        };
        UnitRecords { budget, first, sums }
    }
}

/// Records of one budget, with their sums for the components from number `first` on.
pub(crate) struct UnitRecords {
    pub(super) budget: Epsilon,
    pub(super) first: usize,
    pub(super) sums: Vec<IBig>,
}
