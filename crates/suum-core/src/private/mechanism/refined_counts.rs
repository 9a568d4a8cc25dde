//! Noisy weights of rows between cuts, in several looks that each decide the cuts of the next.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::ranks::Ranks;
use super::refinement::{NoisyCells, Refinement};
use crate::certificate::verify::Description;
use crate::people::Moves;
use crate::private::session::{Cost, Measurement};
use crate::private::weights::{WeightTable, Weighting};
use crate::{
    CellCounts, DiscreteLaplace, Distribution, Epsilon, Exact, LevelEntry, Loss, Neighbors,
    PrivacyUnits, Profile, Randomness, Result, SumZeroLaplace,
};

/// Histogram of the ranks that is refined where the weight is.
///
/// The first look has cells of equal width. If a look shows a cell with at least a threshold of the
/// total weight, the next look divides that cell into eight, and joins neighbours of little weight
/// into one cell. The answer is what the last look shows.
///
/// Weights are a [table](WeightTable) for the levels of a public profile: then the scale b is the
/// least integer with W_j ≤ b·ε_j for every finite level. Or they are [privacy
/// units](PrivacyUnits), and b is 2^k·M.
///
/// # Guarantee
///
/// A look releases the weight A_c + Z_c of the rows in every cell c, with Z of scale b·R·(all
/// parts)/(parts of this look), and R the rows of each record.
///
/// All A_c together are public with replace-one neighbours: Z is [noise that adds up to
/// zero](SumZeroLaplace). Replacing a record of weight W moves at most R of its rows from one cell
/// to another, so that A moves by at most 2WR in the sum of absolute values, and by nothing in sum:
/// the look costs the record at most its share of W/b, and M = 1.
///
/// Otherwise no total is public, and the Z_c are independent discrete Laplace noise. A record that
/// joins or leaves moves A by at most W·R, since each of its rows is in one cell: M = 1 for
/// add-remove neighbours. Another value takes rows from one cell to another, and moves A by at most
/// 2W·R: M = 2 where that must not be told apart either. A look costs at most its share of W·M/b.
///
/// Cells of a look depend on earlier answers only, and the weight from which a cell is divided is
/// fixed before. So all looks together cost the record at most W·M/b, as their parts add up to all
/// parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefinedCounts<W = WeightTable> {
    weights: W,
    neighbors: Neighbors,
    scale: UBig,
    heavy: UBig,
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
        let neighbors = Neighbors::ReplaceOne;
        let weights = WeightTable::new(profile.levels(), weights);
        let scale = weights.least_scale(profile.levels(), &sensitivity(neighbors));
        let heavy = heavy(weights.total() * UBig::from(rows), refinement);
        Self { weights, neighbors, scale, heavy, rows, steps, refinement }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }
}

impl RefinedCounts<PrivacyUnits> {
    /// Returns the mechanism with weights in these units, on `steps` + 1 candidates. `whole` is the
    /// assumed total weight of all records, in units of ε, which turns a share of it into a weight.
    pub(crate) fn in_units(
        units: PrivacyUnits,
        (steps, rows): (u32, u32),
        refinement: Refinement,
        whole: u128,
        neighbors: Neighbors,
    ) -> Self {
        let (_, scale) = (RBig::from(units.scale()) * sensitivity(neighbors)).ceil().into_parts();
        let heavy = heavy(UBig::from(whole) * units.scale() * UBig::from(rows), refinement);
        Self { weights: units, neighbors, scale, heavy, rows, steps, refinement }
    }
}

impl<W: Weighting> RefinedCounts<W> {
    /// Returns b, the scale of all looks together; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns the rule by which cells are divided.
    pub fn refinement(&self) -> Refinement {
        self.refinement
    }

    /// Returns an upper bound on the loss of one record: W·M/b.
    pub fn loss(&self, key: W::Key) -> Loss {
        self.weights.loss_at(key, &sensitivity(self.neighbors), &self.scale)
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: self.refinement.question(self.rows),
            distribution: match self.neighbors {
                Neighbors::ReplaceOne => Distribution::SumZeroLaplace,
                Neighbors::AddRemove | Neighbors::Both => Distribution::DiscreteLaplace,
            },
            sensitivity: Exact(sensitivity(self.neighbors)),
            scale: Some(self.scale.clone().into()),
        }
    }

    /// Returns the certificate entry of a record.
    pub(crate) fn level(&self, key: W::Key) -> LevelEntry {
        self.weights.entry(key)
    }

    /// Returns the noisy cells of the last look.
    pub(crate) fn release(
        &self,
        records: &[(W::Key, &CellCounts)],
        randomness: &mut Randomness,
    ) -> NoisyCells {
        let ranks = Ranks::weighted(self.steps, &self.weights, records);
        let noise = |scale: UBig, cells: usize| -> Vec<IBig> {
            match self.neighbors {
                Neighbors::ReplaceOne => SumZeroLaplace::new(scale, cells).sample(randomness),
                Neighbors::AddRemove | Neighbors::Both => {
                    let noise = DiscreteLaplace::new(scale);
                    (0..cells).map(|_| noise.sample(randomness)).collect()
                }
            }
        };
        self.refinement.look(&ranks, &self.heavy, (&self.scale, self.rows), noise)
    }
}

impl Measurement for RefinedCounts<PrivacyUnits> {
    type Exact<'e> = Vec<(Epsilon, &'e CellCounts)>;
    type Out = NoisyCells;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfLeft(self.weights))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.description()
    }

    fn level(&self, left: Epsilon) -> LevelEntry {
        self.level(left)
    }

    fn draw(&self, records: Self::Exact<'_>, randomness: &mut Randomness) -> Result<NoisyCells> {
        Ok(self.release(&records, randomness))
    }
}

/// Returns M, the most by which a record of weight 1 and one row moves the weights of all cells
/// together; of a known total half of it, since what leaves one cell joins another.
fn sensitivity(neighbors: Neighbors) -> RBig {
    match neighbors {
        Neighbors::ReplaceOne => RBig::ONE,
        _ => neighbors.sensitivity(Moves { presence: RBig::ONE, change: RBig::from(2u8) }),
    }
}

/// Returns the weight from which a cell is divided, as a share of this weight of all rows.
fn heavy(all: UBig, refinement: Refinement) -> UBig {
    (all * UBig::from(refinement.heavy)) >> Refinement::HEAVY_BITS
}

#[cfg(test)]
mod unit_tests;
#[cfg(test)]
mod tests {
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
