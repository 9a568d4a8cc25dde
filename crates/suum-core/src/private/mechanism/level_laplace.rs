//! Discrete Laplace noise for the sums of each level, scaled for the level's own ε.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::certificate::verify::Description;
use crate::private::level_mechanism::ExactSums;
use crate::private::weights::least_scale;
use crate::{
    Categories, DiscreteLaplace, Distribution, LevelEntry, Loss, Profile, Question, Randomness,
};

/// Independent noisy sums for each level, to be combined by inverse variance (FGK21).
///
/// # Guarantee
///
/// Sums are in steps: grid steps for a mean, 2^-20 of a record for a frequency. Replacing one
/// record moves its own level's sums by at most M (G, or two records) and no other, so it costs
/// that record M/b_j, with b_j the least integer that keeps this within ε_j.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelLaplace {
    scales: Vec<UBig>,
    public: Vec<bool>,
    sensitivity: u64,
    steps: u64,
    /// Number of steps in one unit of the exact sums.
    factor: u64,
    components: usize,
}

impl LevelLaplace {
    /// Returns the mechanism for sums of values on a grid of this many points.
    pub(crate) fn for_sums(profile: &Profile, points: u64) -> Self {
        Self::calibrated(profile, points, (1, 1), 1)
    }

    /// Returns the mechanism for counts of records in categories; the exact ones are in `units` of
    /// a record.
    ///
    /// Integer weights do not make the noise fine, so counts are divided into steps: a budget of
    /// several units would get noise of one or two records, distorted by rounding.
    pub(crate) fn for_counts(profile: &Profile, categories: usize, units: u64) -> Self {
        let steps = Categories::STEPS;
        Self::calibrated(profile, 2 * steps, (steps, steps / units), categories)
    }

    fn calibrated(
        profile: &Profile,
        sensitivity: u64,
        (steps, factor): (u64, u64),
        components: usize,
    ) -> Self {
        let levels = profile.levels();
        Self {
            scales: levels
                .iter()
                .map(|level| least_scale(UBig::from(sensitivity), level.epsilon))
                .collect(),
            public: levels.iter().map(|level| level.epsilon.is_public()).collect(),
            sensitivity,
            steps,
            factor,
            components,
        }
    }

    /// Returns M, the largest number of steps by which one record can move the sums of its level.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// Returns the number of steps of a record, or of the grid in one of its steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of steps in one unit of the exact sums.
    pub fn factor(&self) -> u64 {
        self.factor
    }

    /// Returns b_j for each level, in the order of the profile; zero for public and for unused
    /// records.
    pub fn scales(&self) -> &[UBig] {
        &self.scales
    }

    /// Returns the exact loss of one record of the level at this position: M/b_j.
    pub fn loss(&self, position: usize) -> Loss {
        match (self.scales.get(position), self.public.get(position)) {
            (_, Some(true)) => Loss::Unlimited,
            (Some(scale), _) if *scale != UBig::ZERO => {
                Loss::Finite(RBig::from_parts(IBig::from(self.sensitivity), scale.clone()))
            }
            _ => Loss::ZERO,
        }
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: match self.components {
                0 | 1 => Question::Sum { grid: self.sensitivity },
                categories => Question::Counts { categories, steps: self.steps },
            },
            distribution: Distribution::DiscreteLaplace,
            sensitivity: self.sensitivity.into(),
            scale: None,
        }
    }

    /// Returns the certificate entry of a record of the level at this position.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        match (self.scales.get(position), self.public.get(position)) {
            (Some(scale), Some(public)) if *public || *scale != UBig::ZERO => {
                LevelEntry::weighing(UBig::ONE).with_scale(scale.clone())
            }
            _ => LevelEntry::unused(),
        }
    }

    pub(super) fn release(
        &self,
        by_level: &[ExactSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<Vec<IBig>> {
        let mut noisy: Vec<Vec<IBig>> = self
            .scales
            .iter()
            .map(|scale| {
                let noise = DiscreteLaplace::new(scale.clone());
                (0..self.components).map(|_| noise.sample(randomness)).collect()
            })
            .collect();
        for level_sums in by_level {
            let position = level_sums.position;
            // Unused records have no noise, so they must not be read.
            if !self.public[position] && self.scales[position] == UBig::ZERO {
                continue;
            }
            for (noisy, sum) in noisy[position].iter_mut().zip(level_sums.sums) {
                *noisy += sum.to_big() * IBig::from(self.factor);
            }
        }
        noisy
    }
}
