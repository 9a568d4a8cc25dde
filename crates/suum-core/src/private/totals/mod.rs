//! Weighted totals: sums of the answers of all records to a question, each with its own noise.

mod question;
#[cfg(test)]
mod tests;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::level_mechanism::{ExactSums, LevelMechanism};
use super::session::{Cost, Measurement};
use super::weights::{WeightTable, Weighting};
use crate::certificate::verify::Description;
use crate::{
    DiscreteLaplace, Distribution, Epsilon, Exact, LevelEntry, Loss, Neighbors, PrivacyUnits,
    Profile, Randomness, Result,
};

pub(crate) use question::Answers;
pub use question::TotalsQuestion;

/// Weighted totals with exact integer noise.
///
/// Releases A_c + K_c for every component c of a [`question`](TotalsQuestion), with
/// A_c = Σ_i W_i·v_ic over all records i, their integer weights W, and K_c independent discrete
/// Laplace noise of the scale b times the component's factor.
///
/// Weights are a [table](WeightTable) with one for each level of a public profile, and b is the
/// least integer that keeps every budget. Or they are [privacy units](PrivacyUnits), a function of
/// the record's own budget: then b is 2^k·M whoever takes part, and nothing but the noisy totals
/// depends on the records, not even on how many there are.
///
/// # Guarantee
///
/// A neighbouring dataset moves all A_c together by at most W·M, in units of their factors, where
/// M, the sensitivity, is what the [relation](Neighbors) makes of the moves that the question
/// states. So it costs the record at most W·M/b: its [`loss`](Totals::loss). Records of weight zero
/// lose nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals<W = WeightTable> {
    question: TotalsQuestion,
    neighbors: Neighbors,
    weights: W,
    sensitivity: RBig,
    scale: UBig,
}

impl Totals {
    /// Returns the totals for the levels of `profile`, with `weights` in its order, and the least
    /// noise that keeps every budget where a value is replaced.
    pub(crate) fn calibrated(
        profile: &Profile,
        weights: Vec<UBig>,
        question: TotalsQuestion,
    ) -> Self {
        let neighbors = Neighbors::ReplaceOne;
        let sensitivity = neighbors.sensitivity(question.moves());
        let weights = WeightTable::new(profile.levels(), weights);
        let scale = weights.least_scale(profile.levels(), &sensitivity);
        Self { question, neighbors, weights, sensitivity, scale }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        self.weights.weights()
    }

    /// Returns Σ W over all records, the divisor of the estimate.
    pub fn total_weight(&self) -> &UBig {
        self.weights.total()
    }
}

impl Totals<PrivacyUnits> {
    /// Returns the totals with weights in these units.
    pub(crate) fn in_units(
        units: PrivacyUnits,
        question: TotalsQuestion,
        neighbors: Neighbors,
    ) -> Self {
        let sensitivity = neighbors.sensitivity(question.moves());
        let (_, scale) = (RBig::from(units.scale()) * &sensitivity).ceil().into_parts();
        Self { question, neighbors, weights: units, sensitivity, scale }
    }

    /// Returns the privacy units of the weights.
    pub fn units(&self) -> PrivacyUnits {
        self.weights
    }
}

impl<W: Weighting> Totals<W> {
    /// Returns the question.
    pub fn question(&self) -> TotalsQuestion {
        self.question
    }

    /// Returns M, the most by which one record of weight 1 can move all totals together.
    pub fn sensitivity(&self) -> &RBig {
        &self.sensitivity
    }

    /// Returns b, the scale of the noise of the first total; zero if only public records count.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// Returns the scale of the noise of every total.
    pub fn scales(&self) -> impl Iterator<Item = UBig> + '_ {
        self.question.noise_factors().into_iter().map(|factor| &self.scale * UBig::from(factor))
    }

    /// Returns the exact loss of a record: W·M/b.
    pub fn loss(&self, key: W::Key) -> Loss {
        self.weights.loss_at(key, &self.sensitivity, &self.scale)
    }

    fn describe(&self) -> Description {
        Description {
            question: self.question.listed(),
            distribution: Distribution::DiscreteLaplace,
            sensitivity: Exact(self.sensitivity.clone()),
            scale: Some(self.scale.clone().into()),
        }
    }

    /// Returns Σ W·v of every component, which is private.
    fn exact(&self, answers: impl IntoIterator<Item = Answers<W::Key>>) -> Vec<IBig> {
        let mut totals = vec![IBig::ZERO; self.question.noise_factors().len()];
        for Answers { key, first, sums } in answers {
            let weight = IBig::from(self.weights.weight(key));
            for (total, sum) in totals.iter_mut().skip(first).zip(sums) {
                *total += sum * &weight;
            }
        }
        totals
    }

    /// Returns the noisy totals.
    fn noisy(
        &self,
        answers: impl IntoIterator<Item = Answers<W::Key>>,
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let exact = self.exact(answers).into_iter().zip(self.scales());
        exact.map(|(total, scale)| total + DiscreteLaplace::new(scale).sample(randomness)).collect()
    }
}

impl LevelMechanism for Totals {
    type Exact<'e> = ExactSums<'e>;
    type Out = Vec<IBig>;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        self.describe()
    }

    fn level(&self, position: usize) -> LevelEntry {
        self.weights.entry(position)
    }

    fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> Vec<IBig> {
        let answers = by_level
            .iter()
            .map(|level| self.question.answers(level.position, (level.count, level.sums), 0));
        self.noisy(answers, randomness)
    }
}

impl Measurement for Totals<PrivacyUnits> {
    type Exact<'e> = Vec<Answers<Epsilon>>;
    type Out = Vec<IBig>;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfLeft(self.weights))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.describe()
    }

    fn level(&self, left: Epsilon) -> LevelEntry {
        self.weights.entry(left)
    }

    fn draw(&self, answers: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Vec<IBig>> {
        Ok(self.noisy(answers, randomness))
    }
}
