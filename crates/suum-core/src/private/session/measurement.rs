//! Measurements: a question about the records, its cost, and the draw of its answer.

use crate::certificate::verify::Description;
use crate::{Epsilon, LevelEntry, Loss, Neighbors, PrivacyUnits, Randomness, Result};

/// Question about the records, with noise that makes its answer publishable.
///
/// A measurement is determined by public facts and earlier measurements: scales, weights,
/// questions. A [`Session`](super::Session) asks for its cost before it draws.
pub(crate) trait Measurement {
    /// Exact numbers that it reads, which are private.
    type Exact<'e>;
    /// Noisy answer, which may be published.
    type Out;

    /// Returns the most that it costs a record under these neighbours: a public function of the
    /// record's own budget. `None` if it guarantees nothing for such neighbours.
    fn cost(&self, neighbors: Neighbors) -> Option<Cost>;

    /// Returns the question and the distribution of its answer, for these neighbours, as a
    /// certificate lists it.
    fn description(&self, neighbors: Neighbors) -> Description;

    /// Returns the weight of a record with this budget, as a certificate lists it. For [units of
    /// what is left](Cost::OfLeft) the budget is what the record has left.
    fn level(&self, budget: Epsilon) -> LevelEntry;

    /// Draws the noisy answer.
    ///
    /// # Errors
    ///
    /// If records that are read again cannot be read any more.
    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Self::Out>;
}

/// Cost of a measurement for a record, by what the record allows and what it has left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cost {
    /// Budgets of levels in ascending order, and the loss of each. Other budgets have no guarantee.
    PerLevel(Vec<Epsilon>, Vec<Loss>),
    /// Units of what a record allows, whatever it has spent.
    OfAllowed(PrivacyUnits),
    /// Units of what a record has left.
    OfLeft(PrivacyUnits),
    /// Units of what a record has left that are kept in reserve, whatever is measured later.
    Kept(PrivacyUnits),
}

impl Cost {
    /// Returns what a record with this budget loses, or keeps in reserve, if it has `left`.
    pub(crate) fn loss(&self, allowed: Epsilon, left: Epsilon) -> Loss {
        match self {
            Cost::PerLevel(levels, losses) => {
                let at = levels.binary_search(&allowed).ok();
                at.and_then(|at| losses.get(at)).cloned().unwrap_or(Loss::Unlimited)
            }
            Cost::OfAllowed(units) => units.loss(allowed),
            Cost::OfLeft(units) | Cost::Kept(units) => units.loss(left),
        }
    }
}
