//! Measurements whose scales were planned for every level of a public profile.

use super::{Cost, Measurement};
use crate::mechanism::{CohortSums, Noisy, NoisyMoments, QuantileAnswers};
use crate::part::Part;
use crate::verify::Description;
use crate::{
    CellCounts, CellRange, Epsilon, LevelEntry, Loss, Mechanism, MomentSums, Neighbors,
    QuantileMechanism, Randomness, RangeChoice, Result,
};

/// A mechanism, and the levels that it was planned for.
pub(crate) struct Planned<'p, M> {
    part: &'p Part,
    mechanism: &'p M,
}

impl<'p, M> Planned<'p, M> {
    /// This mechanism, planned for these levels.
    pub(crate) fn new(part: &'p Part, mechanism: &'p M) -> Self {
        Self { part, mechanism }
    }

    /// Weights and scales depend on who takes part, so that only values are protected.
    fn per_level(&self, neighbors: Neighbors, loss: impl Fn(usize) -> Loss) -> Option<Cost> {
        if neighbors.hides_participation() {
            return None;
        }
        let allowed = self.part.allowed().levels().iter().map(|level| level.epsilon);
        let most = |allowed| {
            let losses = self.part.positions(allowed).map(&loss);
            losses.reduce(|one, other| one.max(&other)).unwrap_or(Loss::Unlimited)
        };
        Some(Cost::PerLevel(allowed.map(|allowed| (allowed, most(allowed))).collect()))
    }

    /// What a record weighs, by the position of its level; in strata in that in which it weighs
    /// most.
    fn of_level(&self, allowed: Epsilon, level: impl Fn(usize) -> LevelEntry) -> LevelEntry {
        let all = self.part.positions(allowed).map(level);
        all.reduce(LevelEntry::heavier).unwrap_or_else(LevelEntry::unused)
    }
}

impl Measurement for Planned<'_, Mechanism> {
    type Exact<'e> = Vec<CohortSums<'e>>;
    type Out = Noisy;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        self.per_level(neighbors, |position| self.mechanism.loss(position))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        self.of_level(allowed, |position| self.mechanism.level(position))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<Noisy> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}

impl Measurement for Planned<'_, MomentSums> {
    type Exact<'e> = Vec<CohortSums<'e>>;
    type Out = NoisyMoments;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        self.per_level(neighbors, |position| self.mechanism.loss(position))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        self.of_level(allowed, |position| self.mechanism.level(position))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<NoisyMoments> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}

impl Measurement for Planned<'_, RangeChoice> {
    type Exact<'e> = Vec<(usize, &'e CellCounts)>;
    type Out = CellRange;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        self.per_level(neighbors, |position| self.mechanism.loss(position))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        self.of_level(allowed, |position| self.mechanism.level(position))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<CellRange> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}

impl Measurement for Planned<'_, QuantileMechanism> {
    type Exact<'e> = Vec<(usize, &'e CellCounts)>;
    type Out = QuantileAnswers;

    fn cost(&self, neighbors: Neighbors) -> Option<Cost> {
        self.per_level(neighbors, |position| self.mechanism.loss(position))
    }

    fn description(&self, _: Neighbors) -> Description {
        self.mechanism.description()
    }

    fn level(&self, allowed: Epsilon) -> LevelEntry {
        self.of_level(allowed, |position| self.mechanism.level(position))
    }

    fn draw(&self, exact: Self::Exact<'_>, randomness: &mut Randomness) -> Result<QuantileAnswers> {
        Ok(self.mechanism.release(&exact, randomness))
    }
}
