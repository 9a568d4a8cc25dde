//! Cost of a measurement as ρ.

use super::Rho;
use crate::{Distribution, LevelEntry, MeasurementEntry};

impl MeasurementEntry {
    /// Returns the cost of the measurement for a record of this level, as ρ.
    ///
    /// A choice among all doubles is the exponential mechanism, whose log-probabilities move within
    /// a range of ε. For distributions without a formula of their own only ε is used.
    pub fn rho(&self, level: &LevelEntry) -> Rho {
        let loss = self.loss(level);
        match self.distribution {
            Distribution::DiscreteLaplace => {
                let scale = level.scale.as_deref().or(self.scale.as_ref());
                match scale.and_then(|scale| scale.0.clone().into_parts().0.try_into().ok()) {
                    Some(scale) => Rho::for_laplace(&loss, &scale),
                    None => Rho::for_pure(&loss),
                }
            }
            Distribution::Exponential => Rho::for_bounded_range(&loss),
            Distribution::SumZeroLaplace
            | Distribution::TwoSlopes
            | Distribution::PermuteAndFlip
            | Distribution::Choices
            | Distribution::RandomizedResponse => Rho::for_pure(&loss),
        }
    }
}
