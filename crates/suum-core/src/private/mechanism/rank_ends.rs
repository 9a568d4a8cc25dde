//! Both ends of the interval of a quantile, found by one question around its estimate.

use dashu_int::{IBig, UBig};

use super::ranks::Ranks;
use crate::{Randomness, Rank};

/// Question for the ends of an interval around a known answer, for `parts` of all parts of the
/// budget. The ends lie as close to the answer as possible, such that less than the share of one
/// rank lies below the lower end, and more than the share of the other up to the upper end.
///
/// With y the known answer and a < b the ranks, L(c) and G(c) the weight below and above candidate
/// c and T that of all, Q(s) is the larger of L(y − s) − aT and G(y + s) − (1 − b)T; without one of
/// the ranks it is the other term. It does not grow with s. One of the widths 0, 1, …, 8, 10, 12,
/// 14, 16, 20, … up to the number of steps is drawn by permute-and-flip. The distance of width s is
/// that of 0 from the interval between Q(s) and Q of the next smaller width (for the smallest: up
/// to ∞). One width has distance zero.
///
/// With y the answer that is known and a < b the ranks, L(c) and G(c) the weight below and above
/// candidate c and T that of all, Q(s) is the larger of L(y − s) − aT and G(y + s) − (1 − b)T, of
/// which one is left out where there is no such rank. It does not grow with s. Of the widths 0, 1,
/// …, 8, 10, 12, 14, 16, 20, … up to the number of steps, one is drawn by permute-and-flip, the
/// distance of width s being that of 0 from the interval between Q(s) and Q of the next smaller
/// width (of the smallest: up to ∞). One has distance zero.
///
/// # Guarantee
///
/// T is public under replace-one neighbours. Replacing a record of weight W moves L and G by at
/// most W everywhere, hence each Q, and each distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndsQuery {
    /// Position of the known answer among the answers that come before.
    pub around: usize,
    /// Rank a of the lower end, if one is wanted.
    pub lower: Option<Rank>,
    /// Rank b of the upper end, if one is wanted.
    pub upper: Option<Rank>,
    /// Parts of the budget that both ends may cost together.
    pub parts: u64,
}

impl EndsQuery {
    /// Returns the ranks of the ends, the lower one first.
    pub fn ranks(&self) -> impl Iterator<Item = Rank> {
        self.lower.into_iter().chain(self.upper)
    }

    /// Returns the number of ends.
    pub fn count(&self) -> usize {
        self.ranks().count()
    }

    /// Returns the number of wrong widths: all candidates but one.
    pub(crate) fn others(steps: u32) -> u32 {
        Self::width_count(steps).saturating_sub(1)
    }

    /// Returns the number of widths to draw from, for this many steps between the candidates at
    /// both bounds.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::EndsQuery;
    ///
    /// assert_eq!(EndsQuery::width_count(65_536), 61);
    /// ```
    pub fn width_count(steps: u32) -> u32 {
        Self::widths(steps).len() as u32
    }

    /// Returns the widths, in ascending order.
    fn widths(steps: u32) -> Vec<u32> {
        let mut widths: Vec<u32> = (0..steps.min(4)).collect();
        let mut power = 4u32;
        while power < steps {
            let quarters = (0..4).map(|quarter| power + power / 4 * quarter);
            widths.extend(quarters.filter(|width| *width < steps));
            power = power.saturating_mul(2);
        }
        widths.push(steps);
        widths
    }

    /// Returns the factor by which weights become integers in distances, and the larger `side` of
    /// both ranks in that unit.
    fn units(&self, side: impl Fn(Rank) -> u64) -> (UBig, UBig) {
        let unit = |rank: Option<Rank>| UBig::from(rank.map_or(1, |rank| rank.fraction().1));
        let of = |rank: Option<Rank>| UBig::from(rank.map_or(0, &side));
        let (lower, upper) = (unit(self.lower), unit(self.upper));
        let sides = (of(self.lower) * &upper).max(of(self.upper) * &lower);
        (lower * upper, sides)
    }

    /// Returns Q of a width, in those units.
    fn excess(&self, ranks: &Ranks, around: u32, width: u32) -> IBig {
        let (unit, _) = self.units(|_| 1);
        let all = ranks.all();
        // Excess of a weight over the share `numerator`/`denominator` of all.
        let over = |weight: UBig, (numerator, denominator): (u64, u64)| {
            let share = &all * UBig::from(numerator) * (&unit / UBig::from(denominator));
            IBig::from(weight * &unit) - IBig::from(share)
        };
        let lower = self.lower.map(|rank| {
            let end = around.saturating_sub(width);
            over(ranks.outside(end, ranks.candidates().saturating_sub(1)), rank.fraction())
        });
        let upper = self.upper.map(|rank| {
            let (numerator, denominator) = rank.fraction();
            let end = around.saturating_add(width).min(ranks.candidates().saturating_sub(1));
            over(ranks.outside(0, end), (denominator - numerator, denominator))
        });
        lower.max(upper).unwrap_or(IBig::ZERO)
    }

    /// Returns the distance of 0 from the interval between Q of a width and Q of the next smaller
    /// one.
    fn distance(&self, ranks: &Ranks, around: u32, widths: &[u32], at: usize) -> UBig {
        let excess = |at: usize| {
            widths.get(at).map_or(IBig::ZERO, |width| self.excess(ranks, around, *width))
        };
        let short = at.checked_sub(1).map_or(IBig::ZERO, |smaller| -excess(smaller));
        UBig::try_from(excess(at).max(short).max(IBig::ZERO)).unwrap_or(UBig::ZERO)
    }

    /// Returns the ends drawn around a candidate, with exp(−parts·distance/(side·`scale`)).
    pub(super) fn draw(
        &self,
        ranks: &Ranks,
        around: u32,
        scale: &UBig,
        side: impl Fn(Rank) -> u64,
        randomness: &mut Randomness,
    ) -> impl Iterator<Item = u32> {
        let last = ranks.candidates().saturating_sub(1);
        let widths = Self::widths(last);
        let (_, sides) = self.units(side);
        let parts = UBig::from(self.parts);
        let distance = |at: u32| self.distance(ranks, around, &widths, at as usize) * &parts;
        let (count, scale) = (widths.len() as u32, scale * sides);
        let drawn = randomness.permute_and_flip(count, &UBig::ZERO, &scale, distance);
        let width = drawn.and_then(|at| widths.get(at as usize)).copied().unwrap_or(last);
        let lower = self.lower.map(|_| around.saturating_sub(width));
        let upper = self.upper.map(|_| around.saturating_add(width).min(last));
        lower.into_iter().chain(upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellCounts;
    use crate::private::noise::oracle;

    /// One record of each of these weights, at these candidates.
    fn ranks(candidates: u32, records: &[(u64, u32)]) -> Ranks {
        let cells: Vec<(UBig, CellCounts)> = records
            .iter()
            .map(|(weight, at)| (UBig::from(*weight), CellCounts::from_raw(vec![(*at, 1)])))
            .collect();
        Ranks::new(candidates - 1, cells.iter().map(|(weight, cells)| (weight, cells)))
    }

    fn query(lower: Option<&str>, upper: Option<&str>) -> EndsQuery {
        let rank = |text: &str| text.parse().unwrap();
        EndsQuery { around: 0, lower: lower.map(rank), upper: upper.map(rank), parts: 1 }
    }

    #[test]
    fn widths_go_from_nothing_to_everything() {
        assert_eq!(EndsQuery::widths(1), [0, 1]);
        assert_eq!(EndsQuery::widths(11), [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]);
        for steps in [1, 2, 3, 77, 4096, 65_536, 1 << 20] {
            let widths = EndsQuery::widths(steps);
            assert!(widths.is_sorted_by(|one, other| one < other));
            assert_eq!(widths.last(), Some(&steps));
        }
        assert_eq!(EndsQuery::others(65_536), 60);
    }

    /// Distances from the definition, in units of one weight.
    fn by_definition(
        query: &EndsQuery,
        candidates: u32,
        records: &[(u64, u32)],
        around: u32,
    ) -> Vec<f64> {
        let weigh = |counts: &dyn Fn(i64) -> bool| -> f64 {
            let counted = records.iter().filter(|(_, at)| counts(i64::from(*at)));
            counted.map(|(weight, _)| *weight as f64).sum()
        };
        let all = weigh(&|_| true);
        let excess = |width: u32| {
            let (around, width) = (i64::from(around), i64::from(width));
            let low = (around - width).max(0);
            let high = (around + width).min(i64::from(candidates) - 1);
            let lower = query.lower.map(|a| weigh(&|at| at < low) - a.get() * all);
            let upper = query.upper.map(|b| weigh(&|at| at > high) - (1.0 - b.get()) * all);
            lower.unwrap_or(f64::NEG_INFINITY).max(upper.unwrap_or(f64::NEG_INFINITY))
        };
        let widths = EndsQuery::widths(candidates - 1);
        let distance = |at: usize| {
            let short = at.checked_sub(1).map_or(0.0, |smaller| -excess(widths[smaller]));
            excess(widths[at]).max(short).max(0.0)
        };
        (0..widths.len()).map(distance).collect()
    }

    /// All datasets of three records on five candidates; of which the first changes.
    #[test]
    fn no_replacement_reveals_more_than_its_loss() {
        const WEIGHTS: [u64; 3] = [2, 1, 5];
        let candidates = 5;
        let asked = [
            query(Some("0.25"), Some("0.75")),
            query(Some("0.1"), Some("0.3")),
            query(None, Some("0.6")),
            query(Some("0.6"), None),
        ];
        let mut tight = 0.0f64;
        for (query, around) in asked.iter().flat_map(|q| [0, 2, 4].map(|around| (q, around))) {
            for scale in [0.5, 4.0] {
                let probabilities = |records: &[(u64, u32)]| {
                    let distances = by_definition(query, candidates, records, around);
                    // What the mechanism computes.
                    let (ranks, (unit, _)) = (ranks(candidates, records), query.units(|_| 1));
                    let widths = EndsQuery::widths(candidates - 1);
                    for (at, distance) in distances.iter().enumerate() {
                        let own = query.distance(&ranks, around, &widths, at);
                        let own = own.to_f64().value() / unit.to_f64().value();
                        assert!((own - distance).abs() < 1e-9, "{query:?} {records:?}");
                    }
                    assert!(distances.iter().any(|distance| *distance < 1e-12));
                    let accepted =
                        distances.iter().map(|distance| (-distance / (2.0 * scale)).exp());
                    oracle::permute_and_flip(&accepted.collect::<Vec<f64>>())
                };
                for others in 0..candidates * candidates {
                    let of = |at| {
                        let (one, other) = (others % candidates, others / candidates);
                        probabilities(&[(WEIGHTS[0], at), (WEIGHTS[1], one), (WEIGHTS[2], other)])
                    };
                    let all: Vec<Vec<f64>> = (0..candidates).map(of).collect();
                    for (one, other) in all.iter().flat_map(|p| all.iter().map(move |q| (p, q))) {
                        for (p, q) in one.iter().zip(other) {
                            let revealed = (p / q).ln().abs() / (WEIGHTS[0] as f64 / scale);
                            assert!(revealed <= 1.0 + 1e-9, "{query:?} {revealed}");
                            tight = tight.max(revealed);
                        }
                    }
                }
            }
        }
        assert!(tight > 0.8, "half of the scale would not do: {tight}");
    }
}
