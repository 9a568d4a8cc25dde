//! What one look at the records costs, and what it draws.

use crate::certificate::verify::Description;
use crate::{Epsilon, LevelEntry, Loss, Neighbors, PrivacyUnits, Randomness, Result};

/// One look at the records that noise makes publishable.
///
/// A measurement is what public facts and earlier measurements decide: scales, weights, questions.
/// A [`Session`](super::Session) asks for its cost before it draws.
pub(crate) trait Measurement {
    /// The exact numbers it looks at, which nobody may see.
    type Exact<'e>;
    /// What everybody may see.
    type Out;

    /// What it costs a record, at most, if neighbouring datasets are these: a public function of
    /// the record's own budget. `None` if nothing is promised for such neighbours.
    fn cost(&self, neighbors: Neighbors) -> Option<Cost>;

    /// What it asks and how its answer is drawn, for these neighbours, as a certificate lists it.
    fn description(&self, neighbors: Neighbors) -> Description;

    /// What a record weighs, as a certificate lists it: one that allows this much, or of [units of
    /// what is left](Cost::OfLeft) one that has this much left.
    fn level(&self, budget: Epsilon) -> LevelEntry;

    /// Draws.
    ///
    /// # Errors
    ///
    /// Where records that are asked again cannot be read any more.
    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Self::Out>;
}

/// What a measurement costs a record, by what the record allows and what it has left.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cost {
    /// What levels allow, ascending, and the loss of each; nothing is promised to others.
    PerLevel(Vec<Epsilon>, Vec<Loss>),
    /// Units of what a record allows, whatever it has spent.
    OfAllowed(PrivacyUnits),
    /// Units of what a record has left.
    OfLeft(PrivacyUnits),
    /// Units of what a record has left, which it keeps, whatever is measured later.
    Kept(PrivacyUnits),
}

impl Cost {
    /// What a record that allows this much and has this left loses, or keeps, of that.
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
