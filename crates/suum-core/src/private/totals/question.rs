//! Questions whose answers are added up, and how far one record moves the sums.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::people::Moves;
use crate::{ExactSum, Question};

/// Question that every record answers with a few integers, which are added up with its weight.
///
/// G stands for the steps of a grid, g for the index of a value, y for g/G.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalsQuestion {
    /// Bucket of the record's budget, out of this many.
    Presence(usize),
    /// Category of the record, out of this many; or its shares in them, in as many steps.
    Counts(usize, u64),
    /// g.
    Sum(u64),
    /// g, and g(G − g) with G times the noise.
    SumAndSpread(u64),
    /// c = 2g − G, and c² with G times the noise.
    Moments(u64),
    /// Distances of a value from both bounds: g and G − g.
    Ends(u64),
    /// g², 2g(G − g) and (G − g)²: in units of G² they add up to 1, and determine the spread of
    /// values.
    Squares(u64),
    /// 2g − G and G: in units of 2G the distance of a value from the middle of the bounds, and ½.
    Centred(u64),
    /// 2G(2g − G), 4g(G − g) and 2G²: in units of 4G² y − ½, y(1 − y) and ½.
    CentredSquares(u64),
    /// Distances e and f of a value below and above a range that ends this many steps inside the
    /// bounds on each side, and D − e − f, where D is the sum of both numbers of steps.
    Beyond(u64, u64),
    /// 2e − a, 2f − b and D, where a and b are the steps below and above the range, and D = a + b.
    CentredBeyond(u64, u64),
}

impl TotalsQuestion {
    /// Returns the question as a certificate lists it.
    pub(super) fn listed(self) -> Question {
        match self {
            Self::Presence(buckets) => Question::Presence { buckets },
            Self::Counts(categories, steps) => Question::Counts { categories, steps },
            Self::Sum(grid) => Question::Sum { grid },
            Self::SumAndSpread(grid) => Question::SumAndSpread { grid },
            Self::Moments(grid) => Question::Moments { grid },
            Self::Ends(grid) => Question::Ends { grid },
            Self::Squares(grid) => Question::Squares { grid },
            Self::Centred(grid) => Question::Centred { grid },
            Self::CentredSquares(grid) => Question::CentredSquares { grid },
            Self::Beyond(below, above) => Question::Beyond { below, above },
            Self::CentredBeyond(below, above) => Question::CentredBeyond { below, above },
        }
    }

    /// Returns the factor of each component's noise, in units of the scale of the measurement.
    pub fn noise_factors(self) -> Vec<u64> {
        match self {
            Self::Presence(parts) | Self::Counts(parts, _) => vec![1; parts],
            Self::Sum(_) => vec![1],
            Self::SumAndSpread(points) | Self::Moments(points) => vec![1, points],
            Self::Ends(_) | Self::Centred(_) => vec![1; 2],
            Self::Squares(_)
            | Self::CentredSquares(_)
            | Self::Beyond(..)
            | Self::CentredBeyond(..) => vec![1; 3],
        }
    }

    /// Returns the most by which a record of weight 1 moves all sums together, in absolute numbers
    /// over the factors of their noise.
    ///
    /// # Guarantee
    ///
    /// With u = c/G in \[−1, 1\], z = |y − ½|, and D = a + b for ranges:
    ///
    /// | question | presence | change |
    /// |---|---|---|
    /// | bucket | 1 | none; counts as 1, so that there is noise in every relation |
    /// | category, in s steps | s | 2s: from one to another |
    /// | sum | G·y ≤ G | G |
    /// | sum and spread | G(y + y(1 − y)) ≤ G | G |
    /// | moments | G(\|u\| + u²) ≤ 2G | 9G/4 |
    /// | ends | G | 2G: both by up to G |
    /// | squares | G² | 2G²: y² and (1 − y)² by up to 1, and all add up to 1 |
    /// | centred | \|2g − G\| + G ≤ 2G | 2G |
    /// | centred squares | 4G²(z + (¼ − z²) + ½) ≤ 4G² | 4G² |
    /// | beyond a range | D | 2·max(a, b): e by up to a, f by up to b, the rest by both together |
    /// | centred beyond | \|2e − a\| + \|2f − b\| + D ≤ 2D | 2D: twice the distances |
    ///
    /// With d = |y − y'| a change moves y by d, and y(1 − y) by d·|1 − y − y'| ≤ d(1 − d): both by
    /// at most 1 together. |u − v| + |u² − v²| is largest at u = 1, v = −½. Two separate releases
    /// would cost 3: the two sums cannot both move as far as they could alone.
    pub(crate) fn moves(self) -> Moves {
        let whole = |number: u64| RBig::from(number);
        let times = |times: u8, number: &RBig| RBig::from(times) * number;
        let twice = |presence: RBig| Moves { change: times(2, &presence), presence };
        let alike = |both: RBig| Moves { presence: both.clone(), change: both };
        match self {
            Self::Presence(_) => alike(RBig::ONE),
            Self::Counts(_, steps) => twice(whole(steps)),
            Self::Sum(points) | Self::SumAndSpread(points) => alike(whole(points)),
            Self::Moments(points) => Moves {
                presence: times(2, &whole(points)),
                change: times(9, &whole(points)) / RBig::from(4u8),
            },
            Self::Ends(points) => twice(whole(points)),
            Self::Squares(points) => twice(whole(points) * whole(points)),
            Self::Centred(points) => alike(times(2, &whole(points))),
            Self::CentredSquares(points) => alike(times(4, &(whole(points) * whole(points)))),
            Self::Beyond(below, above) => Moves {
                presence: whole(below) + whole(above),
                change: times(2, &whole(below.max(above))),
            },
            Self::CentredBeyond(below, above) => alike(times(2, &(whole(below) + whole(above)))),
        }
    }

    /// Returns true if the spread of the values is asked for along with their sum.
    pub fn has_spread(self) -> bool {
        matches!(self, Self::SumAndSpread(_))
    }

    /// Returns the sums of the answers of this many records, from the sums of a level table. For
    /// distances from a range, those are sums of distances.
    ///
    /// `bucket` is the bucket that the records are in, for the question that asks for it.
    pub(crate) fn answers<K>(
        self,
        key: K,
        (count, sums): (u64, &[ExactSum]),
        bucket: usize,
    ) -> Answers<K> {
        let sum = |at: usize| sums.get(at).map_or(IBig::ZERO, ExactSum::to_big);
        let count = IBig::from(count);
        let twice = |sum: IBig| sum * IBig::from(2u8);
        let (first, sums) = match self {
            Self::Presence(_) => (bucket, vec![count]),
            Self::Counts(..) => (0, sums.iter().map(ExactSum::to_big).collect()),
            Self::Sum(_) => (0, vec![sum(0)]),
            Self::SumAndSpread(points) => {
                let whole = count * IBig::from(points) * IBig::from(points);
                (0, vec![sum(0), product(&whole, sum(1))])
            }
            Self::Moments(points) => (0, vec![twice(sum(0)) - count * IBig::from(points), sum(1)]),
            Self::Ends(points) => {
                let above = sum(0);
                let below = count * IBig::from(points) - &above;
                (0, vec![above, below])
            }
            Self::Squares(points) => {
                let points = IBig::from(points);
                let whole = count * &points * &points;
                let product = product(&whole, sum(1));
                let high = sum(0) * points - &product;
                let twice = twice(product);
                let low = whole - &high - &twice;
                (0, vec![high, twice, low])
            }
            Self::Centred(points) => {
                let whole = count * IBig::from(points);
                (0, vec![twice(sum(0)) - &whole, whole])
            }
            Self::CentredSquares(points) => {
                let points = IBig::from(points);
                let all = count * &points;
                let middle = twice((twice(sum(0)) - &all) * &points);
                let whole = all * points;
                (0, vec![middle, &whole - sum(1), twice(whole)])
            }
            Self::Beyond(below, above) => {
                let whole = count * (IBig::from(below) + IBig::from(above));
                let (low, high) = (sum(0), sum(1));
                (0, vec![low.clone(), high.clone(), whole - low - high])
            }
            Self::CentredBeyond(below, above) => {
                let [below, above] = [below, above].map(|steps| &count * IBig::from(steps));
                let (low, high) = (twice(sum(0)) - &below, twice(sum(1)) - &above);
                (0, vec![low, high, below + above])
            }
        };
        Answers { key, first, sums }
    }
}

/// Returns Σ g(G − g), from n·G² and the table's Σ (2g − G)²: G² − (2g − G)² = 4·g·(G − g).
fn product(whole: &IBig, squares: IBig) -> IBig {
    (whole - squares) / IBig::from(4u8)
}

/// Answers of records of equal weight, added up: for the components from number `first` on. They
/// are private.
pub(crate) struct Answers<K> {
    pub(super) key: K,
    pub(super) first: usize,
    pub(super) sums: Vec<IBig>,
}
