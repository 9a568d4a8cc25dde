//! Sums over an unknown number of records.

use dashu_int::{IBig, UBig};

use super::unit_question::{UnitQuestion, UnitRecords};
use crate::certificate::verify::Description;
use crate::private::session::{Cost, Measurement};
use crate::{
    DiscreteLaplace, Distribution, Epsilon, LevelEntry, Loss, Neighbors, PrivacyUnits, Randomness,
    Result,
};

/// Sums in privacy units, with noise that does not depend on who is in the data.
///
/// Releases A_c + K_c for every component c, with A_c = Σ_i W(ε_i)·v_ic over all records, the
/// weights W of [`PrivacyUnits`], and K_c independent discrete Laplace noise of scale 2^k·M.
///
/// # Guarantee
///
/// The components v_ic of a record add up to at most M, in absolute numbers. So a record that joins
/// or leaves moves all A_c together by at most W(ε_i)·M, which costs it at most W(ε_i)/2^k: its
/// [`loss`](UnitSums::loss). Where another value must not be told apart either, it moves them by no
/// more than that. Nothing else here depends on the records, not even on how many there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitSums {
    units: PrivacyUnits,
    question: UnitQuestion,
    neighbors: Neighbors,
}

impl UnitSums {
    /// Returns the sums of the answers of every record to a question, for these neighbours.
    pub(crate) fn new(units: PrivacyUnits, question: UnitQuestion, neighbors: Neighbors) -> Self {
        Self { units, question, neighbors }
    }

    /// Returns the privacy units of the weights.
    pub fn units(&self) -> PrivacyUnits {
        self.units
    }

    /// Returns 2^k·M, the scale of the noise.
    pub fn scale(&self) -> UBig {
        self.units.scale() * UBig::from(self.question.sensitivity(self.neighbors))
    }

    /// Returns the exact loss of a record that allows ε.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        self.units.loss(budget)
    }

    /// Returns the noisy sums.
    pub(crate) fn release(
        &self,
        records: impl IntoIterator<Item = UnitRecords>,
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let noise = DiscreteLaplace::new(self.scale());
        let exact = self.exact(records);
        exact.into_iter().map(|sum| sum + noise.sample(randomness)).collect()
    }

    /// Returns Σ W·v of every component, which is private.
    fn exact(&self, records: impl IntoIterator<Item = UnitRecords>) -> Vec<IBig> {
        let mut sums = vec![IBig::ZERO; self.question.components()];
        for group in records {
            let weight = IBig::from(self.units.weight(group.budget));
            for (sum, added) in sums.iter_mut().skip(group.first).zip(group.sums) {
                *sum += added * &weight;
            }
        }
        sums
    }
}

impl Measurement for UnitSums {
    type Exact<'e> = Vec<UnitRecords>;
    type Out = Vec<IBig>;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfLeft(self.units))
    }

    fn description(&self, neighbors: Neighbors) -> Description {
        Description {
            question: self.question.listed(),
            distribution: Distribution::DiscreteLaplace,
            sensitivity: UBig::from(self.question.sensitivity(neighbors)).into(),
            scale: Some(self.scale().into()),
        }
    }

    fn level(&self, left: Epsilon) -> LevelEntry {
        LevelEntry::weighing(self.units.weight(left))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Vec<IBig>> {
        Ok(self.release(exact, randomness))
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::{ExactSum, LevelSums, Share};

    const POINTS: u64 = 4;
    const BUCKETS: usize = 3;

    /// One record: its budget and its value, a grid index, a category or a bucket.
    type Record = (f64, u64);

    const QUESTIONS: [UnitQuestion; 8] = [
        UnitQuestion::Ends(POINTS),
        UnitQuestion::Moments(POINTS),
        UnitQuestion::Centred(POINTS),
        UnitQuestion::CentredMoments(POINTS),
        UnitQuestion::Beyond(POINTS / 2, POINTS / 2),
        UnitQuestion::CentredBeyond(POINTS / 2, POINTS / 2),
        UnitQuestion::Categories(POINTS as usize + 1),
        UnitQuestion::Presence(BUCKETS),
    ];

    const RELATIONS: [Neighbors; 2] = [Neighbors::AddRemove, Neighbors::Both];

    /// A level for every record: sums do not care how records are grouped.
    fn records(question: UnitQuestion, records: &[Record]) -> Vec<UnitRecords> {
        let record = |(epsilon, value): &Record| {
            let budget = Epsilon::new(*epsilon).unwrap();
            let categories = (0..=POINTS).map(|category| i128::from(category == *value));
            let centred = 2 * i128::from(*value) - i128::from(POINTS);
            let sums = match question {
                UnitQuestion::Categories(_) => categories.collect(),
                UnitQuestion::Beyond(below, above) | UnitQuestion::CentredBeyond(below, above) => {
                    let distances =
                        [below.saturating_sub(*value), (value + above).saturating_sub(POINTS)];
                    distances.map(i128::from).to_vec()
                }
                _ => vec![i128::from(*value), centred * centred],
            };
            let sums = sums.into_iter().map(ExactSum::from_raw).collect();
            let cells = Default::default();
            let level_sums = LevelSums { label: None, epsilon: budget, count: 1, sums, cells };
            question.records(budget, &level_sums, *epsilon as usize % BUCKETS)
        };
        records.iter().map(record).collect()
    }

    fn units(share: f64, clip: f64) -> PrivacyUnits {
        PrivacyUnits::new(Share::new(share).unwrap(), Epsilon::new(clip).unwrap()).unwrap()
    }

    /// Below the clip, above it, public, and not to be used.
    const BUDGETS: [f64; 4] = [0.3, 2.0, f64::INFINITY, 0.0];

    /// All lists of up to two records.
    fn datasets() -> Vec<Vec<Record>> {
        let records: Vec<Record> = BUDGETS
            .iter()
            .flat_map(|epsilon| (0..=POINTS).map(move |value| (*epsilon, value)))
            .collect();
        let mut datasets = vec![vec![]];
        datasets.extend(records.iter().map(|record| vec![*record]));
        datasets.extend(
            records.iter().flat_map(|one| records.iter().map(move |other| vec![*one, *other])),
        );
        datasets
    }

    /// Returns the loss between two lists of records: Σ|A_c − A'_c|/b.
    fn revealed(sums: &UnitSums, one: &[Record], other: &[Record]) -> RBig {
        let [one, other] = [one, other].map(|list| sums.exact(records(sums.question, list)));
        let moved = one.iter().zip(&other).fold(UBig::ZERO, |moved, (one, other)| {
            let (_, difference) = (one - other).into_parts();
            moved + difference
        });
        RBig::from_parts(moved.into(), sums.scale())
    }

    fn loss(sums: &UnitSums, epsilon: f64) -> RBig {
        match sums.loss(Epsilon::new(epsilon).unwrap()) {
            Loss::Finite(loss) => loss,
            Loss::Unlimited => panic!("nobody's loss is unlimited"),
        }
    }

    /// P(x | sums A) ∝ exp(−Σ|x_c − A_c|/b), so the largest ratio of two of them is exp(Σ|A_c −
    /// A'_c|/b), reached behind both. For whoever joins, also an empty table, that is never more
    /// than the certified loss, and the loss exactly for some value.
    #[test]
    fn whoever_joins_or_leaves_loses_exactly_what_is_certified() {
        for (share, clip) in [(1.0, 1.0), (0.35, 0.1), (0.05, 0.5)] {
            for (question, neighbors) in everything() {
                let sums = UnitSums::new(units(share, clip), question, neighbors);
                for dataset in datasets() {
                    for epsilon in BUDGETS {
                        let joined = |value| [dataset.clone(), vec![(epsilon, value)]].concat();
                        let all: Vec<RBig> = (0..=POINTS)
                            .map(|value| revealed(&sums, &dataset, &joined(value)))
                            .collect();
                        let certified = loss(&sums, epsilon);
                        let place = format!("{question:?} {neighbors:?} {dataset:?} {epsilon}");
                        assert!(all.iter().all(|one| *one <= certified), "{place}");
                        // With both, another value can cost twice what joining does.
                        let twice = all.iter().any(|one| one + one == certified);
                        let exact = all.contains(&certified);
                        assert!(exact || neighbors == Neighbors::Both && twice, "{place}");
                    }
                }
            }
        }
    }

    /// With both neighbour relations another value costs no more than is certified, and for some
    /// pair of values exactly that. With add-remove neighbours it can cost twice as much.
    #[test]
    fn another_value_costs_what_is_certified_with_both() {
        let mut twice = 0;
        for (question, neighbors) in everything() {
            let sums = UnitSums::new(units(1.0, 1.0), question, neighbors);
            for (epsilon, other) in [(0.3, 0.7), (f64::INFINITY, 0.3)] {
                let values = (0..=POINTS).flat_map(|one| (0..=POINTS).map(move |two| (one, two)));
                let lost = values.map(|(one, two)| {
                    let of = |value| vec![(other, 1), (epsilon, value)];
                    revealed(&sums, &of(one), &of(two))
                });
                let most = lost.max().unwrap();
                let certified = loss(&sums, epsilon);
                if matches!(question, UnitQuestion::Presence(_)) {
                    assert_eq!(most, RBig::ZERO);
                } else if neighbors == Neighbors::Both {
                    assert_eq!(most, certified, "{question:?}");
                } else {
                    twice += u32::from(most == &certified + &certified);
                }
            }
        }
        assert_eq!(twice, 6, "of categories and of both distances");
    }

    /// All questions, for all neighbours that hide who takes part.
    fn everything() -> impl Iterator<Item = (UnitQuestion, Neighbors)> {
        QUESTIONS.into_iter().flat_map(|question| RELATIONS.map(|neighbors| (question, neighbors)))
    }

    #[test]
    fn moments_are_those_of_the_values() {
        for value in 0..=POINTS {
            let told = |question| records(question, &[(0.3, value)])[0].sums.clone();
            let rest = POINTS - value;
            let moments = [value * value, 2 * value * rest, rest * rest].map(IBig::from);
            assert_eq!(told(UnitQuestion::Moments(POINTS)), moments);
            let middle = 2 * POINTS as i64 * (2 * value as i64 - POINTS as i64);
            let (product, half) = (4 * (value * rest) as i64, 2 * (POINTS * POINTS) as i64);
            let centred = [middle, product, half].map(IBig::from);
            assert_eq!(told(UnitQuestion::CentredMoments(POINTS)), centred);
            // A range from 1 to 2.
            let (low, high) = (i64::from(value == 0), value.saturating_sub(2) as i64);
            let beyond = [low, high, 3 - low - high].map(IBig::from);
            assert_eq!(told(UnitQuestion::Beyond(1, 2)), beyond);
            let centred = [2 * low - 1, 2 * high - 2, 3].map(IBig::from);
            assert_eq!(told(UnitQuestion::CentredBeyond(1, 2)), centred);
        }
    }

    /// Σ|K|/b over many draws: a discrete Laplace of a huge scale b has mean |K| = b and variance
    /// b².
    fn spread(question: UnitQuestion, dataset: &[Record], seed: u64) -> (f64, f64) {
        let sums = UnitSums::new(units(1.0, 1.0), question, Neighbors::Both);
        let exact = sums.exact(records(question, dataset));
        let mut randomness = Randomness::insecure(seed);
        let (mut sum, mut draws) = (0.0, 0.0);
        for _ in 0..4000 {
            let noisy = sums.release(records(question, dataset), &mut randomness);
            for (noisy, exact) in noisy.into_iter().zip(&exact) {
                let (_, magnitude) = (noisy - exact).into_parts();
                let share = dashu_ratio::RBig::from_parts(magnitude.into(), sums.scale());
                sum += share.to_f64().value();
                draws += 1.0;
            }
        }
        (sum / draws, 1.0 / f64::sqrt(draws))
    }

    #[test]
    fn what_is_released_is_the_sum_and_noise_of_that_scale() {
        for (seed, question) in QUESTIONS.into_iter().enumerate() {
            for dataset in [vec![], vec![(0.3, 2), (f64::INFINITY, 4)]] {
                let (mean, sd) = spread(question, &dataset, seed as u64);
                // Five standard deviations: a false alarm in a million runs. A tenth more or less
                // would be seen.
                assert!((mean - 1.0).abs() < 5.0 * sd, "{question:?}: {mean}");
                assert!(5.0 * sd < 0.06, "{sd}");
            }
        }
    }
}
