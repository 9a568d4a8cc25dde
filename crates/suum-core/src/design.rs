//! What an estimator proposes: weights, and how noise is added.

use crate::{Risk, Setting, Weights};

/// A proposal for a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// One record's expected weight, per level. They sum to 1 unless the method is biased.
    pub weights: Weights,
    /// How noise is added.
    pub method: Method,
    /// The clip level or threshold, where there is one; a clip level may exceed every ε.
    pub tau: Option<f64>,
    /// The published objective at its minimum, in units of the range, where it is not the exact
    /// risk.
    pub objective: Option<f64>,
}

/// How a design adds noise; scales are in units of the range.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// One weighted sum with one noise of scale max w/ε.
    WeightedSum,
    /// A noisy sum for each level, at the level's own ε, combined with these weights (FGK21).
    LevelSums {
        /// β_j: the weight of each level's own mean.
        betas: Vec<f64>,
    },
    /// A sum over a random sample, at one ε for all (Jorgensen et al. 2015).
    Sample {
        /// t: the ε of the sum; ∞ for public records alone.
        threshold: f64,
        /// p_j: the probability with which a record of the level is kept.
        keep: Vec<f64>,
    },
    /// Values shrunk towards the lower bound by ε/ε_max, then a mean at ε_max (Alaggan et al.).
    /// Biased.
    Stretch,
    /// Noise added to every record alone, at its own ε (local privacy).
    Local,
}

/// The noise of a design, as its intervals and risks see it, in units of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NoiseShape {
    /// The scale of the largest Laplace variable in the noise of one released number.
    pub(crate) laplace: f64,
    /// The variance of all that is independent of it.
    pub(crate) rest: f64,
}

impl Design {
    /// Clipped weights at τ, released as one weighted sum.
    pub(crate) fn clipped(setting: &Setting, tau: f64) -> Self {
        Self { tau: Some(tau), ..Self::weighted(Weights::clipped(&setting.profile, tau)) }
    }

    /// Weights released as one weighted sum.
    pub(crate) fn weighted(weights: Weights) -> Self {
        Self { weights, method: Method::WeightedSum, tau: None, objective: None }
    }

    /// The exact risk for the setting's target.
    pub fn risk(&self, setting: &Setting) -> Risk {
        Risk::of_design(setting, self)
    }

    /// The scale η of the one noise, in units of the range; `None` where there is more than one.
    pub fn noise_scale(&self, setting: &Setting) -> Option<f64> {
        let unit = match &self.method {
            Method::WeightedSum | Method::Stretch => self.weights.noise(&setting.profile),
            Method::Sample { threshold, keep } => {
                1.0 / (threshold * expected_sample(setting, keep))
            }
            Method::LevelSums { .. } | Method::Local => return None,
        };
        Some(unit * setting.sensitivity())
    }

    /// The largest absolute bias, in units of the data; zero for unbiased designs.
    pub fn bias_bound(&self, setting: &Setting) -> f64 {
        match self.method {
            Method::Stretch => {
                (1.0 - self.weights.total(&setting.profile)).max(0.0) * setting.bounds.width()
            }
            _ => 0.0,
        }
    }

    /// The most that one record can weigh in the estimate: more than its expected weight if it is
    /// in a random sample.
    pub(crate) fn largest_step(&self, setting: &Setting) -> f64 {
        match &self.method {
            Method::Sample { keep, .. } => 1.0 / expected_sample(setting, keep),
            _ => self.weights.largest(),
        }
    }

    /// Laplace scales of the independent noises in one released number, one per level.
    pub(crate) fn level_scales(&self, setting: &Setting, betas: &[f64]) -> Vec<f64> {
        let levels = setting.profile.levels();
        betas
            .iter()
            .zip(levels)
            .filter(|(beta, level)| **beta > 0.0 && !level.epsilon.is_public())
            .map(|(beta, level)| {
                beta * setting.sensitivity() / (level.count as f64 * level.epsilon.get())
            })
            .collect()
    }

    /// The variance that local noise adds to one released number.
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

    pub(crate) fn noise_shape(&self, setting: &Setting) -> NoiseShape {
        match &self.method {
            Method::LevelSums { betas } => {
                let scales = self.level_scales(setting, betas);
                let laplace = scales.iter().copied().fold(0.0, f64::max);
                let all: f64 = scales.iter().map(|scale| 2.0 * scale * scale).sum();
                NoiseShape { laplace, rest: (all - 2.0 * laplace * laplace).max(0.0) }
            }
            Method::Local => NoiseShape { laplace: 0.0, rest: self.local_variance(setting) },
            _ => NoiseShape { laplace: self.noise_scale(setting).unwrap_or(0.0), rest: 0.0 },
        }
    }
}

/// Σ p: the expected number of records kept.
pub(crate) fn expected_sample(setting: &Setting, keep: &[f64]) -> f64 {
    keep.iter().zip(setting.profile.levels()).map(|(keep, level)| keep * level.count as f64).sum()
}
