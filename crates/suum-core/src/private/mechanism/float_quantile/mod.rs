//! Exponential mechanism for a quantile over all finite doubles.

mod search;

use search::Search;

use crate::certificate::verify::Description;
use crate::private::session::{Cost, Measurement};
use crate::{
    Distribution, Epsilon, Key, LevelEntry, Loss, Neighbors, PrivacyUnits, Question, Randomness,
    Rank, Records, Result,
};

/// Exponential mechanism over the lattice of doubles: 2^60 candidates, without listing them.
///
/// # Formula
///
/// With L(y) and E(y) the weight of the records below and at candidate y, and T that of all, the
/// distance of y from rank q is that of qT from the interval [L(y), L(y) + E(y)], as for
/// [`RankChoice`](crate::RankChoice). A candidate is drawn with probability exactly proportional to
/// exp(−distance/(2Δ·2^k)), where W(ε) steps of 2^-k are a record's weight.
///
/// # Guarantee
///
/// Replacing a record leaves T as it is and moves L and L + E by at most W, and so all distances: Δ
/// = 1. Adding or removing one moves qT − L by at most (1 − q)W or qW, depending on its side: Δ =
/// max(q, 1 − q). The choice costs the record at most W(ε)/2^k: [`PrivacyUnits::loss`].
///
/// # Method
///
/// Between two cuts the method needs only the weights below them. Each interval gets a mass that is
/// at least the mass of its candidates, and is cut finer where the difference matters. A candidate
/// drawn by these masses is kept with the probability that corrects them. So the draw is exact
/// whatever the cuts are, and takes a few passes over the data. Their number depends on the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatQuantile {
    units: PrivacyUnits,
    rank: Rank,
    neighbors: Neighbors,
}

impl FloatQuantile {
    /// Returns a choice of the double with the share `rank` of all weight below it.
    pub fn new(units: PrivacyUnits, rank: Rank, neighbors: Neighbors) -> Self {
        Self { units, rank, neighbors }
    }

    /// Returns the relation between neighbouring datasets.
    pub(crate) fn neighbors(&self) -> Neighbors {
        self.neighbors
    }

    /// Returns the privacy units: the weights of records, and the largest loss of each.
    pub fn units(&self) -> PrivacyUnits {
        self.units
    }

    /// Returns the exact loss of a record that allows this budget.
    pub fn loss(&self, budget: crate::Epsilon) -> Loss {
        self.units.loss(budget)
    }

    /// Returns the key of the double that was drawn.
    ///
    /// # Errors
    ///
    /// If the records cannot be read again.
    pub(crate) fn choose(
        &self,
        records: &mut dyn Records,
        key: Key,
        randomness: &mut Randomness,
    ) -> Result<u64> {
        Search::begin(self, records, key)?.find(records, randomness)
    }
}

impl Measurement for FloatQuantile {
    type Exact<'e> = (&'e mut dyn Records, Key);
    type Out = u64;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        (neighbors == self.neighbors).then_some(Cost::OfAllowed(self.units))
    }

    fn description(&self, _: Neighbors) -> Description {
        Description {
            question: Question::float_quantile(self.rank),
            distribution: Distribution::Exponential,
            sensitivity: 1.into(),
            scale: Some(self.units.scale().into()),
        }
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        LevelEntry::weighing(self.units.weight(allowed))
    }

    fn draw(&self, (records, key): Self::Exact<'_>, randomness: &mut Randomness) -> Result<u64> {
        self.choose(records, key, randomness)
    }
}

/// Returns the weights of the levels, in steps.
pub(crate) fn weights(units: PrivacyUnits, records: &dyn Records) -> Vec<u64> {
    records
        .budgets()
        .iter()
        .map(|budget| u64::try_from(units.weight(*budget)).unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests;
