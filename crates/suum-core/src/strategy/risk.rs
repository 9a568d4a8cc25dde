//! Exact risks: the worst-case mean squared error of a design.

use serde::Serialize;

use crate::strategy::design::expected_sample;
use crate::strategy::laplace_maximum::largest_square;
use crate::{Design, Method, Setting, Target, Weights};

/// Worst-case mean squared error and its two parts, in squared units of the data.
///
/// For a frequency the noise part is the expected largest squared noise over the categories, and
/// the sampling part the variance of the worst category.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Risk {
    /// Error without noise: from drawing a sample, from unequal weights, and from any bias.
    pub sampling: f64,
    /// Mean square of the noise.
    pub noise: f64,
}

impl Risk {
    /// Returns the risk of weights that are released as one sum with Laplace noise.
    ///
    /// # Formula
    ///
    /// If the means of tiers may differ by D, the squared bias D²·TV² is a part of `sampling`, with
    /// TV = ½·‖w − 1/n‖₁. For the target `dataset` it is the only part, because D is about the
    /// means of these very records.
    ///
    /// Otherwise the sampling part is, with h the width of the bounds,
    /// * `population`: σ²·‖w‖₂²;
    /// * `dataset`: (n/(n−1))·σ²·‖w − 1/n‖₂² (values in random order; zero for a single record);
    /// * `dataset-correlated`: (h/2)²·‖w − 1/n‖₁² (the worst assignment of values to budgets).
    ///
    /// With strata, of which D_d are the shares and n_d the records, D_d/n_d stands in place of
    /// 1/n, n_d/(n_d−1) in place of n/(n−1), and σ² is the variance within every stratum.
    ///
    /// The noise part is 2η² with η = h·max w/ε for a mean. For a frequency over k categories,
    /// where h is 1, it is the expected largest square of [noise that adds up to
    /// zero](crate::SumZeroLaplace) of scale η: 2η² for k = 2, 6η² for 3, 13.6η² for 5, 28.7η² for
    /// 10.
    ///
    /// Sources: CC23 equation (17), CC24 section 2, CZ26 equation (2).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Risk, Setting, Target, Weights};
    ///
    /// // CZ26 Example 1: two people with ε = 1/2 and 1; the affine risk is 37/36.
    /// let setting = Setting::new("0.5:1,1:1".parse()?, Bounds::UNIT, Target::Population);
    /// let weights = Weights::clipped(&setting.profile, 1.0);
    /// assert!((Risk::for_weights(&setting, &weights).total() - 37.0 / 36.0).abs() < 1e-12);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn for_weights(setting: &Setting, weights: &Weights) -> Self {
        let scale = setting.bounds.width() * weights.noise(&setting.profile);
        Self { sampling: sampling(setting, weights), noise: setting.noise_factor * scale * scale }
    }

    /// Returns D·TV, the largest bias of weights that add up to 1, in units of the data, if the
    /// means of tiers differ by at most D.
    pub(crate) fn bias_bound(setting: &Setting, weights: &Weights) -> f64 {
        match setting.difference.is_none() {
            true => 0.0,
            false => {
                let tv = weights.distance(&setting.profile) / 2.0;
                setting.bounds.width() * setting.difference.distance * tv
            }
        }
    }

    /// Returns the risk of any design.
    pub(crate) fn for_design(setting: &Setting, design: &Design) -> Self {
        let squared_width = setting.bounds.width() * setting.bounds.width();
        let weights = &design.weights;
        match &design.method {
            Method::WeightedSum => Self::for_weights(setting, weights),
            Method::IndependentNoise => {
                let scale = weights.noise(&setting.profile);
                Self {
                    sampling: sampling(setting, weights),
                    noise: squared_width * setting.independent_noise_factor() * scale * scale,
                }
            }
            Method::LevelLaplace { level_weights } => {
                let scales = design.level_scales(setting, level_weights);
                Self {
                    sampling: sampling(setting, weights),
                    noise: squared_width * largest_of(setting, 0.0, &scales),
                }
            }
            Method::Local => {
                let noise = largest_of(setting, design.local_variance(setting), &[]);
                Self { sampling: sampling(setting, weights), noise: squared_width * noise }
            }
            Method::Sample { threshold, sampling_probabilities } => {
                let lost = sampling_probabilities.iter().zip(setting.profile.levels());
                let lost = lost.map(|(p, level)| level.count as f64 * p * (1.0 - p));
                let sample = ExpectedSample {
                    records: expected_sample(setting, sampling_probabilities),
                    lost: lost.sum(),
                    unequal: unequal(setting, weights),
                };
                Self::for_sample(setting, *threshold, &sample)
            }
            Method::Stretch => Self {
                sampling: stretched(setting, weights),
                noise: Self::for_weights(setting, weights).noise,
            },
        }
    }

    /// Returns the risk of a random sample at this threshold.
    pub(crate) fn for_sample(setting: &Setting, threshold: f64, sample: &ExpectedSample) -> Self {
        let scale = setting.bounds.width() / (threshold * sample.records);
        Self {
            sampling: thinned(setting, sample),
            noise: setting.independent_noise_factor() * scale * scale,
        }
    }

    /// Returns the mean squared error.
    pub fn total(self) -> f64 {
        self.sampling + self.noise
    }

    /// Returns the root of the mean squared error, in units of the data.
    pub fn rmse(self) -> f64 {
        self.total().sqrt()
    }

    /// Returns the root of the sampling part, in units of the data.
    pub fn sampling_sd(self) -> f64 {
        self.sampling.sqrt()
    }

    /// Returns the standard deviation of the noise, in units of the data; for a frequency that of
    /// its largest component.
    pub fn noise_sd(self) -> f64 {
        self.noise.sqrt()
    }
}

/// Quantities that determine the risk of a random sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExpectedSample {
    /// Σp, the expected number of records kept.
    pub(crate) records: f64,
    /// Σ p(1 − p).
    pub(crate) lost: f64,
    /// Quantity of the expected weights that determines the target's sampling part: ‖w − 1/n‖₁ for
    /// correlated records, otherwise the [factor](spread) of σ².
    pub(crate) unequal: f64,
}

/// Returns the sampling part of weights that add up to 1, in squared units of the data.
fn sampling(setting: &Setting, weights: &Weights) -> f64 {
    let bias = Risk::bias_bound(setting, weights);
    match setting.target {
        Target::Dataset if bias > 0.0 => bias * bias,
        _ => sampling_of(setting, unequal(setting, weights)) + bias * bias,
    }
}

/// Returns the quantity of the weights that determines the sampling part.
fn unequal(setting: &Setting, weights: &Weights) -> f64 {
    match setting.target {
        Target::DatasetCorrelated => weights.distance(&setting.profile),
        _ => spread(setting, weights),
    }
}

fn sampling_of(setting: &Setting, unequal: f64) -> f64 {
    match setting.target {
        Target::DatasetCorrelated => (setting.bounds.width() / 2.0 * unequal).powi(2),
        _ => setting.variance * unequal,
    }
}

/// Returns the factor of σ² in the sampling part of the two targets without correlation, where σ²
/// is the variance of the values (with strata, the variance in each of them).
pub(crate) fn spread(setting: &Setting, weights: &Weights) -> f64 {
    spread_of_strata(setting, weights).iter().sum()
}

/// Returns an upper bound on the variance of the weighted mean of a sample, over the variance of
/// all values.
pub(crate) fn bound_mean_variance(setting: &Setting, weights: &Weights) -> f64 {
    largest_share(setting, weights.squares_of_strata(&setting.profile, false))
}

/// Returns an upper bound on the factor for the variance of all values together, including that
/// between strata: with the variances σ_d² in strata and their shares D_d, Σ_d
/// F_d·σ_d² ≤ max(F_d/D_d)·Σ_d D_d·σ_d².
pub(crate) fn spread_of_all(setting: &Setting, weights: &Weights) -> f64 {
    largest_share(setting, spread_of_strata(setting, weights))
}

/// Returns max(F_d/D_d); without strata the sum of the factors.
fn largest_share(setting: &Setting, factors: Vec<f64>) -> f64 {
    match setting.strata.is_empty() {
        true => factors.iter().sum(),
        false => {
            factors.iter().zip(&setting.strata).map(|(f, share)| f / share).fold(0.0, f64::max)
        }
    }
}

/// Returns F_d, the part of the factor in each stratum; all of it without strata.
fn spread_of_strata(setting: &Setting, weights: &Weights) -> Vec<f64> {
    let profile = &setting.profile;
    if setting.target == Target::Population {
        return weights.squares_of_strata(profile, false);
    }
    let squares = weights.squares_of_strata(profile, true);
    let finite = |(square, records): (f64, u64)| {
        let n = records as f64;
        if records > 1 { n / (n - 1.0) * square } else { 0.0 }
    };
    squares.into_iter().zip(profile.records_of_strata()).map(finite).collect()
}

/// Returns the expected largest square of the noise (for a mean, of its only noise).
fn largest_of(setting: &Setting, normal_variance: f64, scales: &[f64]) -> f64 {
    match setting.categories {
        None => normal_variance + scales.iter().map(|scale| 2.0 * scale * scale).sum::<f64>(),
        Some(categories) => largest_square(categories, normal_variance, scales),
    }
}

/// Returns the sampling part of a random sample: that of its expected weights, and the variance
/// from the random choice of records.
///
/// A kept record adds x − centre over Σp, a dropped one nothing, so thinning adds T = Σ p(1 − p)·(x
/// − centre)²/(Σp)². For a mean the centre is the midpoint and the worst square 1/4. For a
/// frequency the centre is 1/k; with share m of the category the worst case of m(1 − m)·S + T·E(x −
/// 1/k)² is looked for over m. For correlated frequencies the two worst cases are added, which is
/// an upper bound.
fn thinned(setting: &Setting, sample: &ExpectedSample) -> f64 {
    let subsampling = sample.lost / (sample.records * sample.records);
    let sampling = sampling_of(setting, sample.unequal);
    let squared_width = setting.bounds.width() * setting.bounds.width();
    let Some(categories) = setting.categories else {
        return sampling + squared_width * subsampling / 4.0;
    };
    let rare = 1.0 / categories as f64;
    let (low, high) = (rare * rare, (1.0 - rare) * (1.0 - rare));
    if setting.target == Target::DatasetCorrelated {
        return sampling + subsampling * high;
    }
    // Concave in m: S·m(1 − m) + T·(low + m·(high − low)).
    let spread = sample.unequal;
    let best = if spread > 0.0 {
        (0.5 + subsampling * (high - low) / (2.0 * spread)).clamp(0.0, 1.0)
    } else {
        1.0
    };
    spread * best * (1.0 - best) + subsampling * (low + best * (high - low))
}

/// Returns the sampling part of weights that sum to A < 1, bias included.
///
/// At distance m from the lower bound the bias is (1 − A)·m, and the variance of a value at most
/// min(σ², m(1 − m)) in units of the range. The worst m is the largest with m(1 − m) = σ², the end,
/// or the vertex between them.
fn stretched(setting: &Setting, weights: &Weights) -> f64 {
    let bias = (1.0 - weights.total(&setting.profile)).max(0.0);
    let squared_width = setting.bounds.width() * setting.bounds.width();
    if setting.target == Target::DatasetCorrelated {
        // No record weighs more than 1/n, so the worst data are all at the upper bound.
        return bias * bias * squared_width;
    }
    let n = setting.records();
    let spread = match setting.target {
        Target::Population => weights.squared_norm(&setting.profile),
        _ if n > 1.0 => {
            n / (n - 1.0) * weights.squared_distance_from(&setting.profile, (1.0 - bias) / n)
        }
        _ => 0.0,
    };
    let variance = setting.relative_variance();
    let error = |m: f64| bias * bias * m * m + spread * variance.min(m * (1.0 - m));
    let widest = 0.5 * (1.0 + (1.0 - 4.0 * variance).max(0.0).sqrt());
    let mut worst = error(widest).max(error(1.0));
    if spread > bias * bias {
        worst = worst.max(error((spread / (2.0 * (spread - bias * bias))).clamp(widest, 1.0)));
    }
    worst * squared_width
}
