//! Private choice of a range of cells.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::range_search::RangeSearch;
use super::ranges::CellRange;
use super::ranks::Ranks;
use crate::certificate::verify::Description;
use crate::private::level_mechanism::LevelMechanism;
use crate::private::session::{Cost, Measurement};
use crate::private::weights::{WeightTable, Weighting};
use crate::{
    CellCounts, Distribution, Epsilon, LevelEntry, Loss, Neighbors, PrivacyUnits, Profile,
    Question, Randomness, Result,
};

/// Weights, the candidate ranges, and the scale of the choice. One range is drawn by its distance.
///
/// Weights are a [table](WeightTable) for the levels of a public profile: then the scale b is the
/// least integer with W_j ≤ b·ε_j for every finite level. Or they are [privacy
/// units](PrivacyUnits), and b is 2^k: then weights, slacks and ranges depend on nothing but public
/// facts and noisy answers.
///
/// # Guarantee
///
/// No distance (of `RangeSearch`) changes by more than the weight W of a record that joins, that
/// leaves, or that has another value, so the choice costs that record W/b.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeChoice<W = WeightTable> {
    weights: W,
    scale: UBig,
    search: RangeSearch,
}

impl RangeChoice {
    /// Returns the mechanism for the levels of `profile`, with `weights` in its order.
    pub(crate) fn calibrated(profile: &Profile, weights: Vec<UBig>, search: RangeSearch) -> Self {
        let weights = WeightTable::new(profile.levels(), weights);
        let scale = weights.least_scale(profile.levels(), &RBig::ONE);
        Self { weights, scale, search }
    }
}

impl RangeChoice<PrivacyUnits> {
    /// Returns the mechanism with weights in these units.
    pub(crate) fn in_units(units: PrivacyUnits, search: RangeSearch) -> Self {
        Self { weights: units, scale: units.scale(), search }
    }
}

impl<W: Weighting> RangeChoice<W> {
    /// Returns b, the number of steps in one unit of ε.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns the exact loss of a record: W/b.
    pub fn loss(&self, key: W::Key) -> Loss {
        self.weights.loss_at(key, &RBig::ONE, &self.scale)
    }

    fn describe(&self) -> Description {
        Description {
            question: Question::Range { cells: u64::from(self.search.steps()) + 1 },
            distribution: Distribution::PermuteAndFlip,
            sensitivity: 1.into(),
            scale: Some(self.scale.clone().into()),
        }
    }

    fn drawn(&self, records: &[(W::Key, &CellCounts)], randomness: &mut Randomness) -> CellRange {
        let ranks = Ranks::weighted(self.search.steps(), &self.weights, records);
        self.search.draw(&ranks, &self.scale, randomness)
    }
}

impl LevelMechanism for RangeChoice {
    type Exact<'e> = (usize, &'e CellCounts);
    type Out = CellRange;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        self.describe()
    }

    fn level(&self, position: usize) -> LevelEntry {
        self.weights.entry(position)
    }

    fn release(&self, by_level: &[(usize, &CellCounts)], randomness: &mut Randomness) -> CellRange {
        self.drawn(by_level, randomness)
    }
}

impl Measurement for RangeChoice<PrivacyUnits> {
    type Exact<'e> = Vec<(Epsilon, &'e CellCounts)>;
    type Out = CellRange;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        neighbors.hides_participation().then_some(Cost::OfLeft(self.weights))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.describe()
    }

    fn level(&self, left: Epsilon) -> LevelEntry {
        self.weights.entry(left)
    }

    fn draw(&self, records: Self::Exact<'_>, randomness: &mut Randomness) -> Result<CellRange> {
        Ok(self.drawn(&records, randomness))
    }
}

#[cfg(test)]
mod unit_tests;
#[cfg(test)]
mod tests {
    use super::super::range_search::UNIT;
    use super::super::ranges::{POSITIONS, Ranges};
    use super::*;
    use crate::private::noise::oracle;
    use crate::{CellBlocks, Level};

    /// All ranges of so many cells.
    fn ranges(cells: u32) -> Vec<CellRange> {
        let ends = (0..cells).flat_map(|first| (first..cells).map(move |last| (first, last)));
        ends.map(|(first, last)| CellRange { first, last }).collect()
    }

    /// One record for each of `levels`, a position among these budgets and weights.
    struct Small {
        choice: RangeChoice,
        levels: Vec<usize>,
        cells: u32,
    }

    impl Small {
        fn new(
            budgets: &[f64],
            weights: &[u64],
            levels: &[usize],
            cells: u32,
            slacks: (f64, f64),
        ) -> Self {
            let level = |(position, epsilon): (usize, &f64)| Level {
                epsilon: Epsilon::new(*epsilon).unwrap(),
                count: levels.iter().filter(|level| **level == position).count() as u64,
            };
            let profile = Profile::new(budgets.iter().enumerate().map(level)).unwrap();
            let weights = weights.iter().map(|weight| UBig::from(*weight)).collect();
            let slack = |units: f64| (units * UNIT as f64) as u64;
            let slacks = (slack(slacks.0), slack(slacks.1));
            let search = RangeSearch::new(
                CellBlocks::single(cells - 1),
                Ranges::Each(ranges(cells)),
                slacks,
            );
            let choice = RangeChoice::calibrated(&profile, weights, search);
            Self { choice, levels: levels.to_vec(), cells }
        }

        /// Every dataset: the cell of each record.
        fn datasets(&self) -> Vec<Vec<u32>> {
            let longer = |datasets: Vec<Vec<u32>>, _: &usize| {
                let each = |dataset: Vec<u32>| {
                    (0..self.cells).map(move |cell| [&dataset[..], &[cell]].concat())
                };
                datasets.into_iter().flat_map(each).collect()
            };
            self.levels.iter().fold(vec![Vec::new()], longer)
        }

        /// Distances by the definition, in units of ε, by counting records.
        fn distances(&self, dataset: &[u32]) -> Vec<f64> {
            let unit = self.choice.scale.to_f64().value();
            let weight =
                |level: usize| self.choice.weights.weights()[level].to_f64().value() / unit;
            let outside = |range: CellRange| -> f64 {
                let records = self.levels.iter().zip(dataset);
                let out = records.filter(|(_, cell)| !(range.first..=range.last).contains(cell));
                out.map(|(level, _)| weight(*level)).sum()
            };
            let [t1, t2] = [self.choice.search.outside, self.choice.search.within]
                .map(|t| t as f64 / UNIT as f64);
            let distance = |range: &CellRange| {
                let parts = (0..POSITIONS).map(|position| outside(range.narrower(position)));
                let within = parts.fold(f64::INFINITY, f64::min);
                (outside(*range) - t1).max(0.0) + (t2 - within).max(0.0)
            };
            self.choice.search.ranges().iter().map(distance).collect()
        }

        /// Returns the distribution of the answer, with noise times `change`.
        fn distribution(&self, dataset: &[u32], change: f64) -> Vec<f64> {
            let distances = self.distances(dataset);
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            let accepted: Vec<f64> =
                distances.iter().map(|d| (-(d - least) / 2.0 / change).exp()).collect();
            oracle::permute_and_flip(&accepted)
        }

        /// The largest ratio of what a replacement reveals to the loss that is certified for it.
        fn worst(&self, change: f64) -> f64 {
            let mut worst = 0.0f64;
            for dataset in self.datasets() {
                let before = self.distribution(&dataset, change);
                for record in 0..dataset.len() {
                    let Loss::Finite(loss) = self.choice.loss(self.levels[record]) else {
                        continue;
                    };
                    for cell in 0..self.cells {
                        let mut changed = dataset.clone();
                        changed[record] = cell;
                        let after = self.distribution(&changed, change);
                        let ratios = before.iter().zip(&after).map(|(p, q)| (p / q).ln());
                        let revealed = ratios.fold(0.0, f64::max);
                        worst = worst.max(revealed / loss.to_f64().value());
                    }
                }
            }
            worst
        }
    }

    fn domains() -> Vec<Small> {
        vec![
            Small::new(&[0.5, 1.0], &[1, 2], &[0, 1], 4, (0.0, 0.4)),
            Small::new(&[0.5, 1.5], &[2, 5], &[0, 0, 1], 3, (0.3, 0.9)),
            Small::new(&[0.3, 1.0, 4.0], &[3, 10, 17], &[0, 1, 2], 3, (0.2, 0.5)),
            Small::new(&[0.7, 2.0], &[7, 20], &[0, 0, 1], 3, (0.0, 2.0)),
        ]
    }

    #[test]
    #[ignore = "takes seconds"]
    fn no_replacement_reveals_more_than_its_loss() {
        for (number, small) in domains().iter().enumerate() {
            let worst = small.worst(1.0);
            assert!(worst <= 1.0 + 1e-9, "{number}: {worst} times the loss");
        }
    }

    /// Half of the noise is too little in every one of these domains.
    #[test]
    #[ignore = "takes seconds"]
    fn half_the_noise_reveals_more() {
        for (number, small) in domains().iter().enumerate() {
            let worst = small.worst(0.5);
            assert!(worst > 1.0 + 1e-9, "{number}: {worst} times the loss");
        }
    }

    /// χ² of 20 000 draws against the definition with noise times `change`.
    fn chi2(small: &Small, dataset: &[u32], change: f64) -> f64 {
        let by_level: Vec<(usize, CellCounts)> = small
            .levels
            .iter()
            .zip(dataset)
            .map(|(level, cell)| (*level, CellCounts::from_raw(vec![(*cell, 1)])))
            .collect();
        let by_level: Vec<(usize, &CellCounts)> =
            by_level.iter().map(|(level, cells)| (*level, cells)).collect();
        let mut randomness = Randomness::insecure(5);
        let mut counts = vec![0.0; small.choice.search.ranges().len()];
        for _ in 0..20_000 {
            let drawn = small.choice.release(&by_level, &mut randomness);
            let at = small.choice.search.ranges().iter().position(|range| *range == drawn).unwrap();
            counts[at] += 1.0;
        }
        let expected = small.distribution(dataset, change);
        counts.iter().zip(expected).map(|(c, p)| (c - 2e4 * p).powi(2) / (2e4 * p)).sum()
    }

    #[test]
    #[ignore = "takes seconds"]
    fn draws_follow_the_definition() {
        for small in domains() {
            let dataset: Vec<u32> =
                (0..small.levels.len() as u32).map(|i| (i * 2) % small.cells).collect();
            // At most 9 degrees of freedom: P(χ² > 40) = 8e-6 for each of 4 fixed seeds.
            let value = chi2(&small, &dataset, 1.0);
            assert!(value < 40.0, "χ² = {value}");
            assert!(chi2(&small, &dataset, 0.7) > 40.0, "less noise is told apart");
        }
    }
}
