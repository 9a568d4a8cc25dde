//! Measurements whose scales were planned for every level of a public profile.

use super::{Cost, Measurement};
use crate::certificate::verify::Description;
use crate::private::mechanism::LevelMechanism;
use crate::private::part::Part;
use crate::{Epsilon, LevelEntry, Loss, Neighbors, Randomness, Result};

/// A mechanism, and the levels that it was planned for.
pub(crate) struct PlannedMechanism<'p, M> {
    part: &'p Part,
    mechanism: &'p M,
}

impl<'p, M> PlannedMechanism<'p, M> {
    /// This mechanism, planned for these levels.
    pub(crate) fn new(part: &'p Part, mechanism: &'p M) -> Self {
        Self { part, mechanism }
    }
}

impl<M: LevelMechanism> Measurement for PlannedMechanism<'_, M> {
    type Exact<'e> = Vec<M::Exact<'e>>;
    type Out = M::Out;

    /// Weights and scales depend on who takes part, so that only values are protected.
    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        if neighbors.hides_participation() {
            return None;
        }
        let most = |allowed| {
            let losses = self.part.positions(allowed).map(|at| self.mechanism.loss(at));
            losses.reduce(|one, other| one.max(&other)).unwrap_or(Loss::Unlimited)
        };
        // Levels of one budget are next to each other, one in each stratum.
        let levels = self.part.allowed().levels().chunk_by(|a, b| a.epsilon == b.epsilon);
        let levels: Vec<Epsilon> = levels.map(|same| same[0].epsilon).collect();
        let losses = levels.iter().map(|allowed| most(*allowed)).collect();
        Some(Cost::PerLevel(levels, losses))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    /// In strata a record weighs as in that in which it weighs most.
    fn level(&self, allowed: Epsilon) -> LevelEntry {
        let all = self.part.positions(allowed).map(|at| self.mechanism.level(at));
        all.reduce(LevelEntry::heavier).unwrap_or_else(LevelEntry::unused)
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<M::Out> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}
