//! Noise of one released number, in the form that its interval needs.

use crate::answer::interval::half_width;
use crate::answer::tail::{self, LaplaceSum, SumZeroShare};
use crate::statistics::weighted::Errors;
use crate::{Design, Method, Setting};

/// Noise of one released number, in the form that its interval needs, in units of the range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoiseShape {
    /// Laplace variables: scales, each with the number of variables that have it.
    Laplace(Vec<(f64, f64)>),
    /// One of several noises that add up to zero, with their scale.
    SumZero(SumZeroShare, f64),
    /// Flipped bits of records.
    Bits(Vec<Bits>),
}

/// Independent centred variables with two values each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bits {
    /// Number of variables.
    pub(crate) count: f64,
    /// Distance of the two values, in units of the range.
    pub(crate) step: f64,
    /// Probability of one of the values.
    pub(crate) probability: f64,
}

impl NoiseShape {
    /// Returns the noise with additional Laplace noise of this scale.
    pub(crate) fn and(&self, scale: f64) -> Self {
        match self {
            NoiseShape::Laplace(scales) if scale > 0.0 => {
                NoiseShape::Laplace(scales.iter().copied().chain([(scale, 1.0)]).collect())
            }
            // Frequencies get no additional noise.
            shape => shape.clone(),
        }
    }

    /// Returns the sum of the noises of `some` of all categories, each of which has this noise. It
    /// is exact for independent noises, and for those that add up to zero if the law of [their
    /// sum](SumZeroShare::sum_of_some) is known. Otherwise it is no smaller than the true one:
    /// given that all add up to zero, the sum of some is nearer to zero than that of as many
    /// independent noises.
    pub(crate) fn sum_of_some(&self, some: usize, categories: usize) -> Self {
        let times = some as f64;
        match self {
            NoiseShape::Laplace(scales) => {
                NoiseShape::Laplace(scales.iter().map(|(b, count)| (*b, count * times)).collect())
            }
            NoiseShape::SumZero(_, scale) => match SumZeroShare::sum_of_some(some, categories) {
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

    /// Returns these noises as errors, with a normal error of this standard deviation and a fixed
    /// distance; `None` if they are not Laplace.
    pub(crate) fn errors(&self, sd: f64, fixed: f64) -> Option<Errors> {
        match self {
            NoiseShape::Laplace(scales) => Some(Errors::new(scales.clone(), sd, fixed)),
            NoiseShape::SumZero(..) | NoiseShape::Bits(_) => None,
        }
    }

    /// Returns t with P(|noise + N| ≤ t) = `confidence`, for a centred normal N of standard
    /// deviation `sd`; with flipped bits, of at least `confidence`.
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

    /// Returns t with P(|sum + N| ≤ t) of at least `confidence`, for a centred normal N of standard
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
    /// Returns the noise of one number that is released by this design.
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
                        NoiseShape::SumZero(SumZeroShare::new(categories), scale)
                    }
                    _ => NoiseShape::Laplace(vec![(scale, 1.0)]),
                }
            }
        }
    }
}

/// Returns the noise of a weighted bit of each of `count` records, flipped with probability 1/(1 +
/// e^{ε/2}) and debiased by coth(ε/4).
fn flipped((weight, epsilon, count): (f64, f64, f64)) -> Bits {
    let probability = 1.0 / (1.0 + (epsilon / 2.0).exp());
    Bits { count, step: weight / (epsilon / 4.0).tanh(), probability }
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
