//! Interface of mechanisms that are planned for every level of a public profile.

use crate::certificate::verify::Description;
use crate::{ExactSum, LevelEntry, LevelSums, Loss, Randomness};

/// Mechanism with scales planned for every level of a public profile.
pub(crate) trait LevelMechanism {
    /// Exact numbers that it reads of a level.
    type Exact<'e>;
    /// Noisy result, which may be published.
    type Out;

    /// Returns the exact loss of one record of the level at this position of the profile.
    fn loss(&self, position: usize) -> Loss;

    /// Returns the description of the measurement in a certificate.
    fn description(&self) -> Description;

    /// Returns the certificate entry of a record of the level at this position.
    fn level(&self, position: usize) -> LevelEntry;

    /// Adds the noise: the only way from exact numbers to something publishable.
    fn release(&self, by_level: &[Self::Exact<'_>], randomness: &mut Randomness) -> Self::Out;
}

/// Exact sums of a level that a mechanism reads, one for each released component.
#[derive(Debug)]
pub(crate) struct ExactSums<'a> {
    /// Position of the level in the profile.
    pub(crate) position: usize,
    /// Number of records (public).
    pub(crate) count: u64,
    /// Sum of grid indices, or one count for each category.
    pub(crate) sums: &'a [ExactSum],
}

impl<'a> ExactSums<'a> {
    /// Returns the exact sums of a level at this position.
    pub(crate) fn from_level((position, level_sums): (usize, &'a LevelSums)) -> Self {
        Self { position, count: level_sums.count, sums: &level_sums.sums }
    }
}
