//! Laplace noise for every record alone.

use dashu_int::{IBig, UBig};

use super::{ExactSums, LevelLaplace};
use crate::certificate::verify::Description;
use crate::{DiscreteLaplace, LevelEntry, Loss, Profile, Question, Randomness};

/// Every record's grid index gets its own discrete Laplace noise, as if it had been added before
/// anybody saw it.
///
/// # Guarantee
///
/// As [`LevelLaplace`], for a level of one record; adding noisy records up is post-processing. One
/// draw per record makes it slow: about a million records a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalLaplace(LevelLaplace);

impl LocalLaplace {
    pub(crate) fn calibrated(profile: &Profile, points: u64) -> Self {
        Self(LevelLaplace::calibrated(profile, points, 1, 1))
    }

    /// b_j per level, in the order of the profile; zero for public and for unused records.
    pub fn scales(&self) -> &[UBig] {
        self.0.scales()
    }

    /// The exact loss of one record of the level at this position: G/b_j.
    pub fn loss(&self, position: usize) -> Loss {
        self.0.loss(position)
    }

    /// What it asks, as a certificate lists it.
    pub(crate) fn description(&self) -> Description {
        let question = Question::Values { grid: self.0.sensitivity() };
        Description { question, ..self.0.description() }
    }

    /// What a record of the level at this position weighs, as a certificate lists it.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        self.0.level(position)
    }

    pub(super) fn release(
        &self,
        by_level: &[ExactSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<Vec<IBig>> {
        let mut noisy = vec![vec![IBig::ZERO]; self.scales().len()];
        for level_sums in by_level {
            let (Some(scale), Some(sum)) =
                (self.scales().get(level_sums.position), level_sums.sums.first())
            else {
                continue;
            };
            // Unused records must not be read.
            if self.loss(level_sums.position) == Loss::ZERO {
                continue;
            }
            let noise = DiscreteLaplace::new(scale.clone());
            let total = &mut noisy[level_sums.position][0];
            *total += sum.to_big();
            for _ in 0..level_sums.count {
                *total += noise.sample(randomness);
            }
        }
        noisy
    }
}
