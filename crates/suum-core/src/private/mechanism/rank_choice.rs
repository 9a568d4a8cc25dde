//! Quantiles: private choice of a candidate by the distance of its rank.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::ranks::Ranks;
use super::{RankQuestions, RankTree};
use crate::certificate::verify::Description;
use crate::private::session::{Cost, Measurement};
use crate::private::weights::{WeightTable, Weighting};
use crate::{
    CellCounts, Epsilon, Level, LevelEntry, Loss, Neighbors, PrivacyUnits, Randomness, Rank, Result,
};

/// Weights, the questions, and the scale of the choice.
///
/// Weights are a [table](WeightTable) for the levels of a public profile: then the scale b is the
/// least integer with W_j ≤ b·ε_j for every finite level. Or they are [privacy
/// units](PrivacyUnits), and b is 2^k: then neither weights nor noise depend on who is in the data.
///
/// # Formula
///
/// With L(y) and E(y) the weight of the rows below and at candidate y, and T that of all rows, the
/// distance of y from rank q is that of qT from the interval [L(y), L(y) + E(y)]: zero where the
/// quantile falls on y, whatever ties there are. The answer is drawn by permute-and-flip with
/// exp(−p·distance/(2bMR)), where p is the question's share of the budget, R the number of rows of
/// each record, and M = 1, but max(q, 1 − q) under add-remove.
///
/// # Guarantee
///
/// Replacing one record of weight W leaves T as it is, and moves L and L + E by at most W·R
/// everywhere, and so every distance by no more.
///
/// Adding a row of weight W at candidate z raises qT by qW. The interval of y < z stays: its
/// distance changes by at most qW. That of y > z moves up by W, by (1 − q)·W relative to qT. At z
/// itself the lower end stays and the upper end moves up by W: the distance does not grow, and
/// falls by at most max(q, 1 − q)·W. So no distance of any candidate changes by more than max(q, 1
/// − q)·W, which is less than W. There is always a candidate of distance zero, also where there are
/// no records.
///
/// So the question costs a record p·W/b. Ranks that are asked for together cost no more than their
/// share ([`RankTree`]); the shares p of all questions add up to at most 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankChoice<W = WeightTable> {
    weights: W,
    neighbors: Neighbors,
    scale: UBig,
    rows: u32,
    steps: u32,
    questions: RankQuestions,
    parts: u64,
}

impl RankChoice {
    /// Returns the mechanism for these levels, with `weights` in their order, on `steps` + 1
    /// candidates. The budget has `parts` parts, at least as many as all questions use.
    pub(crate) fn calibrated(
        levels: &[Level],
        weights: Vec<UBig>,
        (steps, rows): (u32, u32),
        questions: RankQuestions,
        parts: u64,
    ) -> Self {
        let weights = WeightTable::new(levels, weights);
        let scale = weights.least_scale(levels, &RBig::ONE);
        let parts = parts.max(questions.parts()).max(1);
        Self { weights, neighbors: Neighbors::ReplaceOne, scale, rows, steps, questions, parts }
    }

    /// Returns W_j for each level, in the order of the levels.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }
}

impl RankChoice<PrivacyUnits> {
    /// Returns the mechanism with weights in these units, on `steps` + 1 candidates. The budget has
    /// `parts` parts, at least as many as all questions use.
    pub(crate) fn in_units(
        units: PrivacyUnits,
        (steps, rows): (u32, u32),
        questions: RankQuestions,
        parts: u64,
        neighbors: Neighbors,
    ) -> Self {
        let parts = parts.max(questions.parts()).max(1);
        Self { weights: units, neighbors, scale: units.scale(), rows, steps, questions, parts }
    }
}

impl<W: Weighting> RankChoice<W> {
    /// Returns b, the scale of the choice; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns the questions.
    pub fn questions(&self) -> &RankQuestions {
        &self.questions
    }

    /// Returns the number of parts of the budget.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Returns the exact loss of a record: W/b times the share of the parts that the questions use.
    pub fn loss(&self, key: W::Key) -> Loss {
        let used = RBig::from_parts(self.questions.parts().into(), self.parts.into());
        self.weights.loss_at(key, &used, &self.scale)
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        let (asked, scale) = ((self.rows, self.parts), self.scale.clone());
        self.questions.description(asked, scale, self.cost_of_trees(), |rank| self.side(rank))
    }

    /// Returns the certificate entry of a record.
    pub(crate) fn level(&self, key: W::Key) -> LevelEntry {
        self.weights.entry(key)
    }

    /// Returns the candidate drawn for each question.
    pub(crate) fn release(
        &self,
        records: &[(W::Key, &CellCounts)],
        randomness: &mut Randomness,
    ) -> Vec<u32> {
        let ranks = Ranks::weighted(self.steps, &self.weights, records);
        // exp(−p·distance/(2bR)) with p = parts/all parts: distances are multiplied by the parts of
        // the question.
        let scale = &self.scale * UBig::from(2 * u64::from(self.rows)) * UBig::from(self.parts);
        let (cost, side) = (self.cost_of_trees(), |rank| self.side(rank));
        self.questions.draw(&ranks, &scale, cost, side, randomness)
    }

    /// Returns the function for the cost of ranks asked for together.
    fn cost_of_trees(&self) -> fn(&RankTree) -> u64 {
        match self.neighbors {
            Neighbors::AddRemove => RankTree::cost_of_presence,
            // A change of value costs at least as much as joining or leaving.
            Neighbors::ReplaceOne | Neighbors::Both => RankTree::cost,
        }
    }

    /// Returns the most by which a record of weight 1 moves the distances from a rank, in units of
    /// 1/denominator.
    fn side(&self, rank: Rank) -> u64 {
        let (numerator, denominator) = rank.fraction();
        match self.neighbors {
            Neighbors::AddRemove => numerator.max(denominator - numerator),
            Neighbors::ReplaceOne | Neighbors::Both => denominator,
        }
    }
}

impl Measurement for RankChoice<PrivacyUnits> {
    type Exact<'e> = Vec<(Epsilon, &'e CellCounts)>;
    type Out = Vec<u32>;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfLeft(self.weights))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.description()
    }

    fn level(&self, left: Epsilon) -> LevelEntry {
        self.level(left)
    }

    fn draw(&self, records: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Vec<u32>> {
        Ok(self.release(&records, randomness))
    }
}

#[cfg(test)]
mod unit_tests;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::noise::oracle;
    use crate::{Profile, RankQuery};

    /// A dataset: for each record its level and the candidates of its rows.
    type Records = Vec<(usize, Vec<u32>)>;

    /// Returns all multisets of rows that one record can have, on `steps` + 1 candidates.
    pub(super) fn row_sets(rows: u32, steps: u32) -> Vec<Vec<u32>> {
        let mut sets = vec![vec![]];
        for _ in 0..rows {
            let longer = |set: &Vec<u32>| {
                let least = set.last().copied().unwrap_or(0);
                let set = set.clone();
                (least..=steps).map(move |row| [set.clone(), vec![row]].concat())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        sets
    }

    /// A choice among few candidates, its weights as plain integers, and the level of each record.
    struct Small {
        choice: RankChoice,
        weights: Vec<u128>,
        levels: Vec<usize>,
    }

    impl Small {
        /// One record for each entry of `levels`, a position in the profile of these budgets.
        fn new(
            budgets: &[f64],
            weights: &[u64],
            levels: &[usize],
            cells: (u32, u32),
            rank: &str,
        ) -> Self {
            let level = |(position, epsilon): (usize, &f64)| crate::Level {
                epsilon: crate::Epsilon::new(*epsilon).unwrap(),
                count: levels.iter().filter(|level| **level == position).count() as u64,
            };
            let profile = Profile::new(budgets.iter().enumerate().map(level)).unwrap();
            let query = |rank: &str, parts| RankQuery { rank: rank.parse().unwrap(), parts };
            // The question that is looked at has three of seven parts, another one two.
            let queries = vec![query(rank, 3), query("0.4", 2)];
            let integers = weights.iter().map(|weight| UBig::from(*weight)).collect();
            let questions = RankQuestions::alone(queries);
            let choice = RankChoice::calibrated(profile.levels(), integers, cells, questions, 7);
            let weights = weights.iter().map(|weight| u128::from(*weight)).collect();
            Self { choice, weights, levels: levels.to_vec() }
        }

        fn candidates(&self) -> usize {
            self.choice.steps as usize + 1
        }

        /// Every dataset there is.
        fn datasets(&self) -> Vec<Records> {
            let values = row_sets(self.choice.rows, self.choice.steps);
            self.levels.iter().fold(vec![vec![]], |datasets: Vec<Records>, level| {
                let longer = |records: &Records| {
                    let records = records.clone();
                    let values = values.clone();
                    values
                        .into_iter()
                        .map(move |value| [records.clone(), vec![(*level, value)]].concat())
                };
                datasets.iter().flat_map(longer).collect()
            })
        }

        /// Distances from the definition, in units of 1/denominator of a weight: integers, but no
        /// big ones.
        fn distances(&self, records: &Records, rank: Rank) -> Vec<u128> {
            let (numerator, denominator) = rank.fraction();
            let weigh = |counts: &dyn Fn(u32) -> bool| -> u128 {
                let rows = records
                    .iter()
                    .flat_map(|(level, rows)| rows.iter().map(move |row| (*level, *row)));
                rows.filter(|(_, row)| counts(*row)).map(|(level, _)| self.weights[level]).sum()
            };
            let target = weigh(&|_| true) * u128::from(numerator);
            let distance = |candidate| {
                let below = weigh(&|row| row < candidate) * u128::from(denominator);
                let up_to = weigh(&|row| row <= candidate) * u128::from(denominator);
                below.saturating_sub(target).max(target.saturating_sub(up_to))
            };
            (0..=self.choice.steps).map(distance).collect()
        }

        /// Returns the distribution of the answer to a question, with the scale times `change`.
        fn distribution(&self, records: &Records, query: &RankQuery, change: f64) -> Vec<f64> {
            let scale: f64 = self.choice.scale.to_string().parse().unwrap();
            let (_, unit) = query.rank.fraction();
            let share = query.parts as f64 / self.choice.parts as f64;
            let acceptance: Vec<f64> = self
                .distances(records, query.rank)
                .into_iter()
                .map(|distance| {
                    let distance = distance as f64 / unit as f64;
                    if scale == 0.0 {
                        return f64::from(u8::from(distance == 0.0));
                    }
                    (-share * distance / (2.0 * scale * change * f64::from(self.choice.rows))).exp()
                })
                .collect();
            oracle::permute_and_flip(&acceptance)
        }

        /// The largest ratio of what a replacement reveals to the loss that is certified for it,
        /// over all datasets and replacements, with the scale times `change`.
        fn worst(&self, change: f64) -> f64 {
            let (datasets, values) =
                (self.datasets(), row_sets(self.choice.rows, self.choice.steps));
            let answers = |records: &Records| -> Vec<Vec<f64>> {
                let queries = self.choice.questions.alone.iter();
                queries.map(|query| self.distribution(records, query, change)).collect()
            };
            let of: std::collections::HashMap<&Records, _> =
                datasets.iter().map(|records| (records, answers(records))).collect();
            let mut worst = 0.0f64;
            for (records, before) in &of {
                for person in 0..records.len() {
                    let Loss::Finite(loss) = self.choice.loss(records[person].0) else { continue };
                    let loss = loss.to_f64().value();
                    for value in &values {
                        let mut changed = (*records).clone();
                        changed[person].1.clone_from(value);
                        // All questions together: their answers are drawn independently.
                        let ratio = |(one, other): (&Vec<f64>, &Vec<f64>)| {
                            let ratios = one.iter().zip(other).map(|(p, q)| (p / q).ln());
                            ratios.fold(0.0, f64::max)
                        };
                        let revealed: f64 = before.iter().zip(&of[&changed]).map(ratio).sum();
                        worst =
                            worst.max(if loss == 0.0 { revealed * 1e12 } else { revealed / loss });
                    }
                }
            }
            worst
        }
    }

    /// Up to four records of two or three levels on three to five candidates, one or two rows each.
    fn domains() -> Vec<(String, Small)> {
        let mut domains = Vec::new();
        for rank in ["0.5", "0.25", "0.3", "0.9"] {
            let mut domain =
                |budgets: &[f64], weights: &[u64], levels: &[usize], cells: (u32, u32)| {
                    let name =
                        format!("q {rank}, weights {weights:?} of {levels:?}, cells {cells:?}");
                    domains.push((name, Small::new(budgets, weights, levels, cells, rank)));
                };
            domain(&[0.5, 1.0], &[1, 2], &[0, 1], (2, 1));
            domain(&[0.5, 1.5], &[2, 5], &[0, 0, 1], (4, 1));
            domain(&[0.3, 1.0, 4.0], &[3, 10, 17], &[0, 0, 1, 2], (3, 1));
            // The last level could give more, and does not; the first gives nothing.
            domain(&[0.0, 0.7, 2.0], &[0, 7, 7], &[0, 1, 1, 2], (2, 1));
            domain(&[1.0, 2.0], &[1, 2], &[0, 0, 1], (2, 2));
            domain(&[1.0, f64::INFINITY], &[1, 4], &[0, 0, 1], (2, 2));
            domain(&[6.0, 9.0], &[2, 3], &[0, 0, 1], (3, 1));
        }
        domains
    }

    #[test]
    fn no_replacement_reveals_more_than_its_loss() {
        for (name, small) in domains() {
            let worst = small.worst(1.0);
            assert!(worst <= 1.0 + 1e-9, "{name}: {worst} times the loss");
        }
    }

    /// Noise for half the sensitivity is too little in every one of these domains.
    #[test]
    fn half_the_scale_reveals_more() {
        for (name, small) in domains() {
            let worst = small.worst(0.5);
            assert!(worst > 1.0 + 1e-9, "{name}: {worst} times the loss");
        }
    }

    /// χ² of 20 000 answers to each question against the probabilities with the scale times
    /// `change`.
    fn chi2(small: &Small, records: &Records, change: f64, seed: u64) -> Vec<f64> {
        let by_level: Vec<(usize, CellCounts)> = records
            .iter()
            .map(|(level, rows)| {
                (*level, CellCounts::from_raw(rows.iter().map(|row| (*row, 1)).collect()))
            })
            .collect();
        let by_level: Vec<(usize, &CellCounts)> =
            by_level.iter().map(|(level, cells)| (*level, cells)).collect();
        let mut counts = vec![vec![0.0; small.candidates()]; small.choice.questions.alone.len()];
        let mut randomness = Randomness::insecure(seed);
        let trials = 20_000;
        for _ in 0..trials {
            let answers = small.choice.release(&by_level, &mut randomness);
            answers
                .iter()
                .zip(&mut counts)
                .for_each(|(answer, counts)| counts[*answer as usize] += 1.0);
        }
        let queries = small.choice.questions.alone.iter().zip(counts);
        queries
            .map(|(query, counts)| {
                let expected = small.distribution(records, query, change);
                let cells =
                    counts.iter().zip(expected).filter(|(count, p)| **count > 0.0 || *p > 0.0);
                cells.map(|(count, p)| (count - 2e4 * p).powi(2) / (2e4 * p)).sum()
            })
            .collect()
    }

    /// Draws follow the definition in all these domains, so the mechanism has these distances.
    #[test]
    #[ignore = "takes seconds"]
    fn answers_follow_the_definition() {
        let mut told_apart = 0;
        for (number, (name, small)) in domains().into_iter().enumerate() {
            let datasets = small.datasets();
            let records = &datasets[number * 37 % datasets.len()];
            // At most 4 degrees of freedom: P(χ² > 30) = 5e-6 for each of 56 fixed seeds.
            for value in chi2(&small, records, 1.0, number as u64) {
                assert!(value < 30.0, "{name} {records:?}: χ² = {value}");
            }
            told_apart += chi2(&small, records, 0.5, number as u64)
                .iter()
                .filter(|value| **value > 30.0)
                .count();
        }
        assert!(told_apart > 25, "half the scale was told apart {told_apart} times of 56");
    }
}
