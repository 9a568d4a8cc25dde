//! Designs of estimators: weights, and a method of adding noise.

use crate::{Risk, Setting, Weights};

/// Weights and method that an estimator proposes for a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Expected weight of one record, per level. All weights sum to 1 unless the method is biased.
    pub weights: Weights,
    /// Method of adding noise.
    pub method: Method,
    /// Clip level or threshold, if there is one; a clip level may exceed every ε.
    pub tau: Option<f64>,
    /// Published objective at its minimum, in units of the range, if it is not the exact risk.
    pub objective: Option<f64>,
}

/// Method of adding noise; scales are in units of the range.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// One weighted sum with one noise of scale max w/ε; for a frequency weighted counts, with
    /// [noise that adds up to zero](crate::SumZeroLaplace) of that scale.
    WeightedSum,
    /// Weighted counts of categories, each with a noise of its own of scale 2·max w/ε, as
    /// frequencies are published (CC24 Algorithm 1). For study: no release adds noise like this.
    IndependentNoise,
    /// Noisy sum for each level, at the level's own ε, combined with these weights (FGK21).
    LevelLaplace {
        /// β_j, the weight of each level's own mean.
        level_weights: Vec<f64>,
    },
    /// Sum over a random sample, at one ε for all (Jorgensen et al. 2015). For study: no release
    /// adds noise like this.
    Sample {
        /// t, the ε of the sum; ∞ for public records alone.
        threshold: f64,
        /// p_j, the probability of keeping a record of the level.
        sampling_probabilities: Vec<f64>,
    },
    /// Values shrunk towards the lower bound by ε/ε_max, then a mean at ε_max (Alaggan et al.).
    /// Biased. For study: no release adds noise like this.
    Stretch,
    /// Noise added to every record alone, at its own ε (local privacy).
    Local,
}

impl Design {
    /// Returns clipped weights at τ, released as one weighted sum.
    pub(crate) fn clipped(setting: &Setting, tau: f64) -> Self {
        Self { tau: Some(tau), ..Self::weighted(Weights::clipped(&setting.profile, tau)) }
    }

    /// Returns weights released as one weighted sum.
    pub(crate) fn weighted(weights: Weights) -> Self {
        Self { weights, method: Method::WeightedSum, tau: None, objective: None }
    }

    /// Returns the design with the independent noise of the published algorithm in place of noise
    /// that adds up to zero, for study.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Estimator, Setting, Target};
    ///
    /// let setting = Setting::frequency("0.1:100".parse()?, 5, Target::Population);
    /// let design = Estimator::Affine.design(&setting)?;
    /// let published = design.clone().with_independent_noise();
    /// assert!(published.risk(&setting).noise > 1.9 * design.risk(&setting).noise);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_independent_noise(self) -> Self {
        match self.method {
            Method::WeightedSum => Self { method: Method::IndependentNoise, ..self },
            _ => self,
        }
    }

    /// Returns the exact risk for the setting's target.
    pub fn risk(&self, setting: &Setting) -> Risk {
        Risk::for_design(setting, self)
    }

    /// Returns the scale η of the noise, in units of the range; `None` if there are several noises.
    pub fn noise_scale(&self, setting: &Setting) -> Option<f64> {
        match &self.method {
            Method::WeightedSum | Method::Stretch => Some(self.weights.noise(&setting.profile)),
            Method::IndependentNoise => {
                Some(setting.sensitivity() * self.weights.noise(&setting.profile))
            }
            Method::Sample { threshold, sampling_probabilities } => Some(
                setting.sensitivity()
                    / (threshold * expected_sample(setting, sampling_probabilities)),
            ),
            Method::LevelLaplace { .. } | Method::Local => None,
        }
    }

    /// Returns the largest absolute bias, in units of the data; zero for unbiased designs if
    /// budgets are unrelated to values.
    pub fn bias_bound(&self, setting: &Setting) -> f64 {
        match self.method {
            Method::Stretch => {
                (1.0 - self.weights.total(&setting.profile)).max(0.0) * setting.bounds.width()
            }
            _ => Risk::bias_bound(setting, &self.weights),
        }
    }

    /// Returns the Laplace scales of the independent noises in one released number, one per level.
    pub(crate) fn level_scales(&self, setting: &Setting, level_weights: &[f64]) -> Vec<f64> {
        let levels = setting.profile.levels();
        level_weights
            .iter()
            .zip(levels)
            .filter(|(level_weight, level)| **level_weight > 0.0 && !level.epsilon.is_public())
            .map(|(level_weight, level)| {
                level_weight * setting.sensitivity() / (level.count as f64 * level.epsilon.get())
            })
            .collect()
    }

    /// Returns the variance that local noise adds to one released number.
    pub(crate) fn local_variance(&self, setting: &Setting) -> f64 {
        self.weights
            .per_level()
            .iter()
            .zip(setting.profile.levels())
            .filter(|(weight, level)| **weight > 0.0 && !level.epsilon.is_public())
            .map(|(weight, level)| {
                let epsilon = level.epsilon.get();
                let one = match setting.categories {
                    None => 2.0 / (epsilon * epsilon),
                    // coth²(ε/4)·f(1 − f) with the flip probability f = 1/(1 + e^{ε/2}).
                    Some(_) => 1.0 / (4.0 * (epsilon / 4.0).sinh().powi(2)),
                };
                level.count as f64 * weight * weight * one
            })
            .sum()
    }
}

/// Returns Σ p, the expected number of records kept.
pub(crate) fn expected_sample(setting: &Setting, sampling_probabilities: &[f64]) -> f64 {
    sampling_probabilities
        .iter()
        .zip(setting.profile.levels())
        .map(|(p, level)| p * level.count as f64)
        .sum()
}
