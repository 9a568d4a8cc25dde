//! Sums whose number of records is private.

use dashu_int::{IBig, UBig};

use crate::session::{Cost, Measurement};
use crate::{
    Cohort, DiscreteLaplace, Epsilon, ExactSum, Loss, Neighbors, PrivacyUnits, Randomness, Result,
};

/// Sums in privacy units, with noise that does not depend on who is in the data.
///
/// Releases A_c + K_c for every component c, with A_c = Σ_i W(ε_i)·v_ic over all records, the
/// weights W of [`PrivacyUnits`], and K_c independent discrete Laplace noise of scale 2^k·M.
///
/// # Guarantee
///
/// The components v_ic of a record are not negative and add up to at most M. So a record that joins
/// or leaves moves all A_c together by at most W(ε_i)·M, which costs it at most W(ε_i)/2^k: its
/// [`loss`](UnitSums::loss). Nothing else here depends on the records, not even on how many there
/// are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitSums {
    units: PrivacyUnits,
    moves: u64,
    components: usize,
}

/// Records of one budget, and what they add to the components from number `first` on.
pub(crate) struct UnitRecords {
    budget: Epsilon,
    first: usize,
    sums: Vec<IBig>,
}

impl UnitRecords {
    /// A value's distances from both bounds: Σg and Σ(G − g), which together move by exactly G a
    /// record.
    pub(crate) fn ends(budget: Epsilon, cohort: &Cohort, points: u64) -> Self {
        let above = cohort.sums.first().map_or(IBig::ZERO, ExactSum::to_big);
        let below = IBig::from(cohort.count) * IBig::from(points) - &above;
        Self { budget, first: 0, sums: vec![above, below] }
    }

    /// How many records are in each category; each is in one.
    pub(crate) fn categories(budget: Epsilon, cohort: &Cohort) -> Self {
        Self { budget, first: 0, sums: cohort.sums.iter().map(ExactSum::to_big).collect() }
    }

    /// How many records there are, counted in one component.
    pub(crate) fn presence(budget: Epsilon, cohort: &Cohort, component: usize) -> Self {
        Self { budget, first: component, sums: vec![IBig::from(cohort.count)] }
    }
}

impl UnitSums {
    /// Sums of `components` numbers a record, which add up to at most `moves` = M.
    pub(crate) fn new(units: PrivacyUnits, moves: u64, components: usize) -> Self {
        Self { units, moves, components }
    }

    /// The weights.
    pub fn units(&self) -> PrivacyUnits {
        self.units
    }

    /// 2^k·M: the scale of the noise.
    pub fn scale(&self) -> UBig {
        self.units.scale() * UBig::from(self.moves)
    }

    /// The exact loss of a record that allows ε, for joining or leaving.
    pub fn loss(&self, budget: Epsilon) -> Loss {
        self.units.loss(budget)
    }

    /// The noisy sums.
    pub(crate) fn release(
        &self,
        records: impl IntoIterator<Item = UnitRecords>,
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let noise = DiscreteLaplace::new(self.scale());
        let exact = self.exact(records);
        exact.into_iter().map(|sum| sum + noise.sample(randomness)).collect()
    }

    /// Σ W·v of every component: private.
    fn exact(&self, records: impl IntoIterator<Item = UnitRecords>) -> Vec<IBig> {
        let mut sums = vec![IBig::ZERO; self.components];
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
        (neighbors == Neighbors::AddRemove).then_some(Cost::OfLeft(self.units))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Vec<IBig>> {
        Ok(self.release(exact, randomness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Share;

    const POINTS: u64 = 4;
    const BUCKETS: usize = 3;

    /// One record: its budget and its value, a grid index, a category or a bucket.
    type Record = (f64, u64);

    /// What is asked of the records.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Question {
        Ends,
        Categories,
        Presence,
    }

    impl Question {
        fn sums(self, units: PrivacyUnits) -> UnitSums {
            match self {
                Question::Ends => UnitSums::new(units, POINTS, 2),
                Question::Categories => UnitSums::new(units, 1, POINTS as usize + 1),
                Question::Presence => UnitSums::new(units, 1, BUCKETS),
            }
        }

        /// A cohort for every record: sums do not care how records are grouped.
        fn records(self, records: &[Record]) -> Vec<UnitRecords> {
            let record = |(epsilon, value): &Record| {
                let budget = Epsilon::new(*epsilon).unwrap();
                let categories = (0..=POINTS).map(|category| i128::from(category == *value));
                let sums = match self {
                    Question::Ends => vec![i128::from(*value)],
                    _ => categories.collect(),
                };
                let sums = sums.into_iter().map(ExactSum::from_raw).collect();
                let cells = Default::default();
                let cohort = Cohort { label: None, epsilon: budget, count: 1, sums, cells };
                match self {
                    Question::Ends => UnitRecords::ends(budget, &cohort, POINTS),
                    Question::Categories => UnitRecords::categories(budget, &cohort),
                    Question::Presence => {
                        UnitRecords::presence(budget, &cohort, *value as usize % BUCKETS)
                    }
                }
            };
            records.iter().map(record).collect()
        }
    }

    const QUESTIONS: [Question; 3] = [Question::Ends, Question::Categories, Question::Presence];

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

    /// P(x | sums A) ∝ exp(−Σ|x_c − A_c|/b), so the largest ratio of two of them is exp(Σ|A_c −
    /// A'_c|/b), reached behind both. That is the certified loss, exactly, for whoever joins, also
    /// an empty table.
    #[test]
    fn whoever_joins_or_leaves_loses_exactly_what_is_certified() {
        for (share, clip) in [(1.0, 1.0), (0.35, 0.1), (0.05, 0.5)] {
            let units = units(share, clip);
            for question in QUESTIONS {
                let sums = question.sums(units);
                for dataset in datasets() {
                    let before = sums.exact(question.records(&dataset));
                    for epsilon in BUDGETS {
                        for value in 0..=POINTS {
                            let joined = [dataset.clone(), vec![(epsilon, value)]].concat();
                            let after = sums.exact(question.records(&joined));
                            let moved = before.iter().zip(&after).fold(
                                UBig::ZERO,
                                |moved, (one, other)| {
                                    let (_, difference) = (one - other).into_parts();
                                    moved + difference
                                },
                            );
                            let revealed =
                                dashu_ratio::RBig::from_parts(moved.into(), sums.scale());
                            let loss = sums.loss(Epsilon::new(epsilon).unwrap());
                            assert_eq!(
                                loss,
                                Loss::Finite(revealed),
                                "{question:?} {dataset:?} {epsilon}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// Σ|K|/b over many draws: a discrete Laplace of a huge scale b has mean |K| = b and variance
    /// b².
    fn spread(question: Question, dataset: &[Record], seed: u64) -> (f64, f64) {
        let sums = question.sums(units(1.0, 1.0));
        let exact = sums.exact(question.records(dataset));
        let mut randomness = Randomness::insecure(seed);
        let (mut sum, mut draws) = (0.0, 0.0);
        for _ in 0..4000 {
            let noisy = sums.release(question.records(dataset), &mut randomness);
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
