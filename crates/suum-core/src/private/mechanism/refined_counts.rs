//! Noisy weights of rows between cuts, in several looks that each decide the cuts of the next.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::ranks::Ranks;
use super::refinement::{NoisyCells, Refinement};
use crate::certificate::verify::Description;
use crate::private::weights::WeightTable;
use crate::{CellCounts, Distribution, LevelEntry, Loss, Profile, Randomness, SumZeroLaplace};

/// Histogram of the ranks that is refined where the weight is.
///
/// The first look has cells of equal width. If a look shows a cell with at least a threshold of the
/// total weight, the next look divides that cell into eight, and joins neighbours of little weight
/// into one cell. The answer is what the last look shows.
///
/// # Guarantee
///
/// A look releases the weight A_c + Z_c of the rows in every cell c, Z being [noise that adds up to
/// zero](SumZeroLaplace) of scale b·R·(all parts)/(parts of this look), with R the rows of each
/// record. All A_c together are public with replace-one neighbours. Replacing a record of weight W
/// moves at most R of its rows from one cell to another, so that A moves by at most 2WR in the sum
/// of absolute values, and by nothing in sum: the look costs the record at most its share of W/b.
/// Cells of a look depend on earlier answers only, not on the records. So all looks together cost
/// the record at most W/b, as their parts add up to all parts. b is the least integer with
/// W_j ≤ b·ε_j for every finite level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefinedCounts {
    weights: WeightTable,
    scale: UBig,
    rows: u32,
    steps: u32,
    refinement: Refinement,
}

impl RefinedCounts {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order, on `steps` +
    /// 1 candidates.
    pub(crate) fn calibrated(
        profile: &Profile,
        weights: Vec<UBig>,
        (steps, rows): (u32, u32),
        refinement: Refinement,
    ) -> Self {
        let weights = WeightTable::new(profile.levels(), weights);
        let scale = weights.least_scale(profile.levels(), &RBig::ONE);
        Self { weights, scale, rows, steps, refinement }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }

    /// Returns b, the scale of all looks together; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns the rule by which cells are divided.
    pub fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// Returns an upper bound on the loss of one record of the level at this position: W/b.
    pub fn loss(&self, position: usize) -> Loss {
        self.weights.loss(position, &RBig::ONE, &self.scale)
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: self.refinement.question(self.rows),
            distribution: Distribution::SumZeroLaplace,
            sensitivity: UBig::ONE.into(),
            scale: Some(self.scale.clone().into()),
        }
    }

    /// Returns the certificate entry of a record of the level at this position.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        self.weights.entry(position)
    }

    /// Returns the noisy cells of the last look. Levels are given by their position in the profile.
    pub(crate) fn release(
        &self,
        by_level: &[(usize, &CellCounts)],
        randomness: &mut Randomness,
    ) -> NoisyCells {
        let ranks = Ranks::weighted(self.steps, &self.weights, by_level);
        let rows = self.weights.total() * UBig::from(self.rows);
        let heavy = (rows * UBig::from(self.refinement.heavy)) >> Refinement::HEAVY_BITS;
        self.refinement.look(&ranks, &heavy, (&self.scale, self.rows), |scale, cells| {
            SumZeroLaplace::new(scale, cells).sample(randomness)
        })
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;

    use super::super::refinement::{FINE, scale_of_look};
    use super::*;

    fn counts(profile: &str, weights: &[u64], rows: u32, refinement: Refinement) -> RefinedCounts {
        let profile: Profile = profile.parse().unwrap();
        let weights = weights.iter().map(|weight| UBig::from(*weight)).collect();
        RefinedCounts::calibrated(&profile, weights, (99, rows), refinement)
    }

    const LEARNING: Refinement = Refinement { start: 8, looks: 2, parts: 7000, heavy: 1 << 29 };

    /// W·R/scale of every look, exactly: its share of W/b and no more, and nearly all of it.
    #[test]
    fn a_look_costs_its_part() {
        for (rows, weight) in [(1, 1 << 40), (3, 12_345), (1000, 7)] {
            let counts = counts("0.3:5,0.7:4", &[weight, 2 * weight], rows, LEARNING);
            let fraction = |numerator: UBig, denominator: UBig| {
                RBig::from_parts(IBig::from(numerator), denominator)
            };
            for parts in [1, 7000, 51_536, 65_536] {
                let scale = scale_of_look(counts.scale(), rows, parts);
                let moved = (UBig::from(weight) * UBig::from(rows)) << FINE;
                let costs = fraction(moved, scale);
                let part = fraction(UBig::from(weight * parts), counts.scale() << 16);
                assert!(costs <= part, "{rows} {weight} {parts}");
                assert!(costs > part * fraction(999_999u32.into(), 1_000_000u32.into()));
            }
        }
    }

    /// The variance of the noise in the first cell of the last look, of 20 000: a relative standard
    /// error of at most 1.8 %, so that a scale that is 10 % too small is five of them away.
    #[test]
    fn the_last_look_has_the_noise_that_is_left() {
        let refinement = Refinement { start: 4, looks: 0, parts: 0, heavy: 0 };
        let counts = counts("0.3:5,0.7:4", &[1 << 20, 1 << 20], 1, refinement);
        let mut randomness = Randomness::insecure(5);
        let unit = counts.scale().to_f64().value() * (1u64 << FINE) as f64;
        let mut squares = 0.0;
        for _ in 0..20_000 {
            let cells = counts.release(&[], &mut randomness);
            assert_eq!(cells.weights.iter().sum::<IBig>(), IBig::ZERO);
            assert_eq!(cells.cuts, [0, 25, 50, 75, 100]);
            squares += (cells.weights[0].to_f64().value() / unit).powi(2) / 20_000.0;
        }
        let expected = crate::answer::tail::prefix_variance(4, 1.0);
        assert!((squares / expected - 1.0).abs() < 0.09, "{squares} against {expected}");
    }

    /// Most of the weight is at one candidate: it is found, to the candidate.
    #[test]
    fn cells_become_fine_where_the_weight_is() {
        let counts = counts("1:1000", &[1 << 20], 1, LEARNING);
        let cells = CellCounts::from_raw(vec![(3, 100), (42, 700), (90, 200)]);
        let mut randomness = Randomness::insecure(2);
        let seen = counts.release(&[(0, &cells)], &mut randomness);
        let at = seen.cuts.iter().position(|cut| *cut == 42).unwrap();
        assert_eq!(seen.cuts[at + 1], 43);
        let total: IBig = seen.weights.iter().sum();
        let share = seen.weights[at].to_f64().value() / total.to_f64().value();
        assert!((share - 0.7).abs() < 0.05, "{share}");
        assert!(counts.loss(0).within("1".parse().unwrap()));
    }
}
