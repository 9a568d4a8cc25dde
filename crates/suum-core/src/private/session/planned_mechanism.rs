//! Measurements with scales planned for every level of a public profile.

use super::{Cost, Measurement};
use crate::certificate::verify::Description;
use crate::private::level_mechanism::LevelMechanism;
use crate::private::part::Part;
use crate::{Epsilon, LevelEntry, Loss, Neighbors, Randomness, Result};

/// Mechanism, with the levels that it was planned for.
pub(crate) struct PlannedMechanism<'p, M> {
    part: &'p Part,
    mechanism: &'p M,
}

impl<'p, M> PlannedMechanism<'p, M> {
    /// Returns the measurement of a mechanism planned for these levels.
    pub(crate) fn new(part: &'p Part, mechanism: &'p M) -> Self {
        Self { part, mechanism }
    }
}

impl<M: LevelMechanism> Measurement for PlannedMechanism<'_, M> {
    type Exact<'e> = Vec<M::Exact<'e>>;
    type Out = M::Out;

    /// Returns `None` under add-remove: weights and scales depend on who takes part, so only values
    /// are protected.
    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        if neighbors.hides_participation() {
            return None;
        }
        let most = |allowed| {
            let losses = self.part.positions(allowed).map(|at| self.mechanism.loss(at));
            losses.reduce(Loss::max).unwrap_or(Loss::Unlimited)
        };
        // Levels of equal budget are next to each other, one for each stratum.
        let levels = self.part.allowed().levels().chunk_by(|a, b| a.epsilon == b.epsilon);
        let levels: Vec<Epsilon> = levels.map(|same| same[0].epsilon).collect();
        let losses = levels.iter().map(|allowed| most(*allowed)).collect();
        Some(Cost::PerLevel(levels, losses))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    /// Returns the entry of the heaviest record with this budget, over all strata.
    fn level(&self, allowed: Epsilon) -> LevelEntry {
        let all = self.part.positions(allowed).map(|at| self.mechanism.level(at));
        all.reduce(LevelEntry::heavier).unwrap_or_else(LevelEntry::unused)
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<M::Out> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}
