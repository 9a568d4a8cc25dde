//! Local model: discrete Laplace noise for every single record.

use dashu_int::{IBig, UBig};

use super::LevelLaplace;
use crate::certificate::verify::Description;
use crate::private::level_mechanism::ExactSums;
use crate::{DiscreteLaplace, LevelEntry, Loss, Profile, Question, Randomness};

/// Discrete Laplace noise on the grid index of every record, as in the local model of differential
/// privacy.
///
/// # Guarantee
///
/// That of [`LevelLaplace`], for a level of one record; adding up noisy records is post-processing.
/// One draw per record makes it slow: about a million records a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalLaplace(LevelLaplace);

impl LocalLaplace {
    pub(crate) fn calibrated(profile: &Profile, points: u64) -> Self {
        Self(LevelLaplace::for_sums(profile, points))
    }

    /// Returns b_j for each level, in the order of the profile; zero for public and for unused
    /// records.
    pub fn scales(&self) -> &[UBig] {
        self.0.scales()
    }

    /// Returns the exact loss of one record of the level at this position: G/b_j.
    pub fn loss(&self, position: usize) -> Loss {
        self.0.loss(position)
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        let question = Question::Values { grid: self.0.sensitivity() };
        Description { question, ..self.0.description() }
    }

    /// Returns the certificate entry of a record of the level at this position.
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
