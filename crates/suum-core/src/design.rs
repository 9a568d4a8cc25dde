//! What an estimator proposes: weights, and how noise is added.

use crate::interval::half_width;
use crate::statistics::weighted::Errors;
use crate::tail::{self, LaplaceSum, SumZeroShare};
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
    /// One weighted sum with one noise of scale max w/ε; for a frequency weighted counts, with
    /// [noise that adds up to zero](crate::SumZeroLaplace) of that scale.
    WeightedSum,
    /// Weighted counts of categories, each with a noise of its own of scale 2·max w/ε, as
    /// frequencies are published (CC24 Algorithm 1). For study: no release adds noise like this.
    IndependentNoise,
    /// A noisy sum for each level, at the level's own ε, combined with these weights (FGK21).
    LevelLaplace {
        /// β_j: the weight of each level's own mean.
        level_weights: Vec<f64>,
    },
    /// A sum over a random sample, at one ε for all (Jorgensen et al. 2015). For study: no release
    /// adds noise like this.
    Sample {
        /// t: the ε of the sum; ∞ for public records alone.
        threshold: f64,
        /// p_j: the probability with which a record of the level is kept.
        sampling_probabilities: Vec<f64>,
    },
    /// Values shrunk towards the lower bound by ε/ε_max, then a mean at ε_max (Alaggan et al.).
    /// Biased. For study: no release adds noise like this.
    Stretch,
    /// Noise added to every record alone, at its own ε (local privacy).
    Local,
}

/// The noise of one released number, as its interval sees it, in units of the range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoiseShape {
    /// Laplace variables: scales, each with how many variables have it.
    Laplace(Vec<(f64, f64)>),
    /// One of several noises that add up to zero, with their scale.
    SumZero(SumZeroShare, f64),
    /// Flipped bits of records.
    Bits(Vec<Bits>),
}

/// Independent centred variables that take two values each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bits {
    /// How many.
    pub(crate) count: f64,
    /// The distance of the two values, in units of the range.
    pub(crate) step: f64,
    /// The probability of one of them.
    pub(crate) probability: f64,
}

impl NoiseShape {
    /// With further Laplace noise of this scale.
    pub(crate) fn and(&self, scale: f64) -> Self {
        match self {
            NoiseShape::Laplace(scales) if scale > 0.0 => {
                NoiseShape::Laplace(scales.iter().copied().chain([(scale, 1.0)]).collect())
            }
            // Nothing is added to frequencies.
            shape => shape.clone(),
        }
    }

    /// The sum of the noises of so many of all categories, each of which has this noise. It is
    /// exact where they are independent, and of those that add up to zero as far as the law of
    /// [their sum](SumZeroShare::of_some) is known; else no smaller than it can be: given that all
    /// add up to zero, the sum of some is nearer to zero than that of as many independent noises.
    pub(crate) fn of_some(&self, some: usize, categories: usize) -> Self {
        let times = some as f64;
        match self {
            NoiseShape::Laplace(scales) => {
                NoiseShape::Laplace(scales.iter().map(|(b, count)| (*b, count * times)).collect())
            }
            NoiseShape::SumZero(_, scale) => match SumZeroShare::of_some(some, categories) {
                Some(share) => NoiseShape::SumZero(share, *scale),
                None => {
                    let some = some.min(categories - some) as f64;
                    NoiseShape::Laplace(vec![(2.0 * scale, some)])
                }
            },
            NoiseShape::Bits(bits) => {
                let all = bits.iter().map(|bit| Bits { count: bit.count * times, ..*bit });
                NoiseShape::Bits(all.collect())
            }
        }
    }

    /// These noises, a normal error of this standard deviation and a fixed distance; `None` where
    /// they are not Laplace.
    pub(crate) fn errors(&self, sd: f64, fixed: f64) -> Option<Errors> {
        match self {
            NoiseShape::Laplace(scales) => Some(Errors::new(scales.clone(), sd, fixed)),
            NoiseShape::SumZero(..) | NoiseShape::Bits(_) => None,
        }
    }

    /// t with P(|noise + N| ≤ t) = `confidence`, for a centred normal N of standard deviation `sd`;
    /// with flipped bits, of at least `confidence`.
    pub(crate) fn half_width(&self, confidence: f64, sd: f64) -> f64 {
        match self {
            NoiseShape::Laplace(scales) => {
                LaplaceSum::new(scales.iter().copied(), sd).half_width(confidence)
            }
            NoiseShape::SumZero(share, scale) => share.half_width(confidence, *scale, sd),
            NoiseShape::Bits(bits) => Bits::half_width(bits, confidence, sd),
        }
    }
}

impl Bits {
    fn variance(bits: &[Bits]) -> f64 {
        let each = |bit: &Bits| {
            bit.count * bit.step * bit.step * bit.probability * (1.0 - bit.probability)
        };
        bits.iter().map(each).sum()
    }

    /// t with P(|sum + N| ≤ t) of at least `confidence`, for a centred normal N of standard
    /// deviation `sd`, whichever of the two values is the likely one (Chernoff's inequality on both
    /// sides).
    pub(crate) fn half_width(bits: &[Bits], confidence: f64, sd: f64) -> f64 {
        let flips = Self::variance(bits);
        if flips == 0.0 {
            return half_width(confidence, 0.0, sd);
        }
        let miss = (1.0 - confidence) / 2.0;
        tail::tail_bound(miss, (-2.0 * miss.ln() / (flips + sd * sd)).sqrt(), |lambda| {
            let each = |bit: &Bits| {
                let (x, p) = (lambda * bit.step, bit.probability);
                bit.count * tail::bernoulli(p, x).max(tail::bernoulli(1.0 - p, x))
            };
            bits.iter().map(each).sum::<f64>() + (lambda * sd).powi(2) / 2.0
        })
    }
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

    /// The same weighted counts with the independent noise of the published algorithm, for study.
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

    /// The exact risk for the setting's target.
    pub fn risk(&self, setting: &Setting) -> Risk {
        Risk::of_design(setting, self)
    }

    /// The scale η of the one noise, in units of the range; `None` where there is more than one.
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

    /// The largest absolute bias, in units of the data; zero for unbiased designs.
    pub fn bias_bound(&self, setting: &Setting) -> f64 {
        match self.method {
            Method::Stretch => {
                (1.0 - self.weights.total(&setting.profile)).max(0.0) * setting.bounds.width()
            }
            _ => 0.0,
        }
    }

    /// Laplace scales of the independent noises in one released number, one per level.
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
            Method::LevelLaplace { level_weights } => {
                let scales = self.level_scales(setting, level_weights);
                NoiseShape::Laplace(scales.into_iter().map(|scale| (scale, 1.0)).collect())
            }
            Method::Local => {
                let noisy = self.weights.per_level().iter().zip(setting.profile.levels());
                let noisy = noisy
                    .filter(|(weight, level)| **weight > 0.0 && !level.epsilon.is_public())
                    .map(|(weight, level)| (*weight, level.epsilon.get(), level.count as f64));
                match setting.categories {
                    None => {
                        NoiseShape::Laplace(noisy.map(|(w, e, count)| (w / e, count)).collect())
                    }
                    Some(_) => NoiseShape::Bits(noisy.map(flipped).collect()),
                }
            }
            method => {
                let scale = self.noise_scale(setting).unwrap_or(0.0);
                match (method, setting.categories) {
                    // The noise of two categories is one Laplace variable and its negative.
                    (Method::WeightedSum, Some(categories)) if categories > 2 => {
                        NoiseShape::SumZero(SumZeroShare::of(categories), scale)
                    }
                    _ => NoiseShape::Laplace(vec![(scale, 1.0)]),
                }
            }
        }
    }
}

/// A weighted bit of each of `count` records, flipped with probability 1/(1 + e^{ε/2}) and debiased
/// by coth(ε/4).
fn flipped((weight, epsilon, count): (f64, f64, f64)) -> Bits {
    let probability = 1.0 / (1.0 + (epsilon / 2.0).exp());
    Bits { count, step: weight / (epsilon / 4.0).tanh(), probability }
}

/// Σ p: the expected number of records kept.
pub(crate) fn expected_sample(setting: &Setting, sampling_probabilities: &[f64]) -> f64 {
    sampling_probabilities
        .iter()
        .zip(setting.profile.levels())
        .map(|(p, level)| p * level.count as f64)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(B ≥ least) for B binomial.
    fn binomial_tail(n: i32, p: f64, least: f64) -> f64 {
        let mut term = (1.0 - p).powi(n);
        let mut below = 0.0;
        for k in 0..n {
            if f64::from(k) >= least {
                break;
            }
            below += term;
            term *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
        }
        1.0 - below
    }

    /// A normal distribution of the same variance misses many times more often than is stated.
    #[test]
    fn flipped_bits_reach_as_far_as_they_can() {
        for (n, p, confidence) in [(40, 0.02, 0.999), (300, 0.01, 0.99), (12, 0.1, 0.99)] {
            let bits = [Bits { count: f64::from(n), step: 1.0, probability: p }];
            let miss = (1.0 - confidence) / 2.0;
            let mean = f64::from(n) * p;
            let ours = Bits::half_width(&bits, confidence, 0.0);
            assert!(binomial_tail(n, p, mean + ours) <= miss, "{n} {p}: {ours}");
            let normal = half_width(confidence, 0.0, Bits::variance(&bits).sqrt());
            assert!(binomial_tail(n, p, mean + normal) > 2.0 * miss, "{n} {p}: {normal}");
            // What is added makes it longer, and counts alone where nothing is flipped.
            assert!(Bits::half_width(&bits, confidence, 0.5) > ours);
        }
        let none = Bits::half_width(&[], 0.95, 1.0);
        assert!((none - 1.959964).abs() < 1e-6, "{none}");
    }
}
