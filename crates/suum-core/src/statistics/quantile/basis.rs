//! Data on which the estimators of quantiles are compared, for any division of the budget.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::QuantileRequest;
use super::reference::{Moments, Reference};
use crate::strategy::weights::{ClippedSums, ClippedWeights};
use crate::{Bounds, Error, Estimator, Level, Method, Profile, Result, Setting, Target, Weights};

/// Data on which estimators are compared, for any division of the budget.
pub(super) struct Basis<'a> {
    pub(super) request: &'a QuantileRequest,
    pub(super) setting: &'a Setting,
    /// Reference of each quantile q.
    pub(super) references: Vec<(f64, Reference)>,
    /// Weights without strata; `None` with strata, which have their own weights.
    pub(super) plain: Option<Plain>,
    /// Noise and spread of the weights of strata, by the bits of their noise level.
    known: RefCell<BTreeMap<u64, (f64, f64)>>,
}

/// Weights of estimators that do not keep shares of strata.
pub(super) struct Plain {
    pub(super) clipped: ClippedSums,
    pub(super) pe: WeightsAndNoise,
    pub(super) mixed: WeightsAndNoise,
    /// Weights of the levels of `mixed`.
    pub(super) level_weights: Vec<f64>,
}

/// Weights, with the quantities that determine the risk.
#[derive(Clone)]
pub(super) struct WeightsAndNoise {
    pub(super) weights: Weights,
    /// Scale of noise that spends all of the budget, as a share of all weight.
    pub(super) noise: f64,
    /// Sampling variance of a rank with q(1 − q) = 1. For correlated records, and for tiers that
    /// may differ, it is that of any rank, the squared bias included.
    pub(super) spread: f64,
}

impl WeightsAndNoise {
    pub(super) fn new(weights: Weights, setting: &Setting) -> Self {
        let (noise, spread) = (weights.noise(&setting.profile), spread(&weights, setting));
        Self { weights, noise, spread }
    }
}

impl<'a> Basis<'a> {
    pub(super) fn new(request: &'a QuantileRequest, setting: &'a Setting) -> Result<Self> {
        let each = request.ranks().iter();
        let references = each.map(|rank| (rank.get(), Reference::at(rank.get()))).collect();
        let plain = setting.strata.is_empty().then(|| Plain::new(setting)).transpose()?;
        Ok(Self { request, setting, references, plain, known: RefCell::default() })
    }

    /// Returns noise and spread of the weights of strata at a noise level, computed once: the
    /// searches for all divisions begin with the same levels.
    pub(super) fn once(&self, level: f64, weighed: impl FnOnce() -> WeightsAndNoise) -> (f64, f64) {
        let mut known = self.known.borrow_mut();
        *known.entry(level.to_bits()).or_insert_with(|| {
            let WeightsAndNoise { noise, spread, .. } = weighed();
            (noise, spread)
        })
    }
}

impl Plain {
    fn new(setting: &Setting) -> Result<Self> {
        let profile = &setting.profile;
        // Weights of the mixed mean at the worst-case variance, as published.
        let unit = Setting::new(profile.clone(), Bounds::UNIT, setting.target);
        let design = Estimator::Mixed.design(&unit)?;
        let Method::LevelLaplace { level_weights } = design.method else {
            return Err(Error::internal("mixed has no weights for its levels"));
        };
        Ok(Self {
            clipped: ClippedSums::new(profile),
            pe: WeightsAndNoise::new(Weights::clipped(profile, f64::INFINITY), setting),
            mixed: WeightsAndNoise::new(design.weights, setting),
            level_weights,
        })
    }
}

impl Plain {
    /// Returns the levels of `mixed` that count, each with its weight.
    pub(super) fn levels<'a>(
        &'a self,
        profile: &'a Profile,
    ) -> impl DoubleEndedIterator<Item = (f64, &'a Level)> + 'a {
        let all = self.level_weights.iter().copied().zip(profile.levels());
        all.filter(|(level_weight, _)| *level_weight > 0.0)
    }

    /// Returns the mean and the variance of each level's contribution to the error of `mixed`.
    pub(super) fn errors<'a>(
        &'a self,
        profile: &'a Profile,
        reference: &'a Reference,
        part: f64,
    ) -> impl DoubleEndedIterator<Item = [f64; 2]> + 'a {
        self.levels(profile).map(move |(level_weight, level)| {
            let Moments { mean: bias, square } = reference.choice(budget(part, level));
            [level_weight * bias, level_weight * level_weight * (square - bias * bias).max(0.0)]
        })
    }

    /// Returns the mean squared error of `mixed`: the errors of levels are independent, so their
    /// variances add up, and so do their means.
    pub(super) fn square(&self, profile: &Profile, reference: &Reference, part: f64) -> f64 {
        let (mut mean, mut variance) = (0.0, 0.0);
        for [own, of_own] in self.errors(profile, reference, part) {
            mean += own;
            variance += of_own;
        }
        mean * mean + variance
    }
}

/// Returns the size of a level's budget for its own quantile.
pub(super) fn budget(part: f64, level: &Level) -> f64 {
    part * level.count as f64 * level.epsilon.get()
}

/// Returns the [spread](WeightsAndNoise::spread) of weights.
fn spread(weights: &Weights, setting: &Setting) -> f64 {
    let profile = &setting.profile;
    let square = match setting.target {
        Target::Population | Target::Dataset if !setting.strata.is_empty() => {
            crate::strategy::risk::spread(setting, weights)
        }
        Target::Population => weights.squared_norm(profile),
        Target::Dataset => dataset_spread(setting, weights.squared_distance(profile)),
        Target::DatasetCorrelated => 0.0,
    };
    target_spread(setting, square, || weights.distance(profile) / 2.0)
}

/// Returns the [spread](WeightsAndNoise::spread) of clipped weights.
pub(super) fn spread_of_clipped(clipped: ClippedWeights<'_>, setting: &Setting) -> f64 {
    let square = match setting.target {
        Target::Population => clipped.squared_norm(),
        Target::Dataset => dataset_spread(setting, clipped.squared_distance()),
        Target::DatasetCorrelated => 0.0,
    };
    target_spread(setting, square, || clipped.distance() / 2.0)
}

/// Returns n/(n − 1)·‖w − 1/n‖², the spread of values in random order.
fn dataset_spread(setting: &Setting, squared_distance: f64) -> f64 {
    let n = setting.records();
    if n > 1.0 { n / (n - 1.0) * squared_distance } else { 0.0 }
}

/// Returns the spread of weights whose sampling variance with q(1 − q) = 1 is `square`.
fn target_spread(setting: &Setting, square: f64, tv: impl Fn() -> f64) -> f64 {
    let difference = setting.difference;
    match setting.target {
        Target::DatasetCorrelated => tv().powi(2),
        _ if difference.is_none() => square,
        Target::Population => square / 4.0 + (difference.distance * tv()).powi(2),
        // The difference is that of these very records.
        Target::Dataset => (difference.distance * tv()).powi(2),
    }
}

/// Returns the sampling variance of the rank of a q-quantile.
pub(super) fn sampling(q: f64, spread: f64, setting: &Setting) -> f64 {
    match setting.target {
        Target::Population | Target::Dataset if setting.difference.is_none() => {
            q * (1.0 - q) * spread
        }
        _ => spread,
    }
}
