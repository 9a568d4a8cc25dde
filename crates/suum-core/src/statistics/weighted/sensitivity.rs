//! Dependence of means, sums and shares on the assumption that budgets are unrelated to values.

use std::collections::BTreeMap;

use super::HalfWidths;
use crate::answer::interval::{Biases, Interval};
use crate::answer::noise_shape::NoiseShape;
use crate::answer::sensitivity::{EQUAL, EndErrors, Ends, NoiseLaw};
use crate::answer::spread::{LARGEST, furthest, largest_variance};
use crate::strategy::risk;
use crate::{
    Bounds, Direction, MeasuredSpread, Sensitivity, Setting, Target, WeightedPlan, Weights,
};

/// Largest number of shares that are each published with their sensitivity: more would fill pages
/// with nearly equal numbers.
pub(crate) const MOST_SHARES: usize = 100;

/// Errors of the distances beyond a range on one side, as far as the end there depends on them, in
/// units of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CutOffErrors {
    /// Noisy mean of the distances from the range.
    pub(crate) mean: f64,
    /// Scale of its noise.
    pub(crate) scale: f64,
    /// Sampling variance that it adds.
    pub(crate) variance: f64,
    /// Bias for a difference of 1.
    pub(crate) bias: f64,
}

/// State of the values on one side of a range.
pub(crate) enum Side {
    /// Uncut: no values lie beyond the range on this side.
    Whole,
    /// Cut off, and measured.
    CutOff(CutOffErrors),
    /// Cut off, with nothing known about them.
    Unknown,
}

impl WeightedPlan {
    /// Returns the TV distance between the weights of tiers and their shares of the records; with
    /// strata that in each stratum, weighted by its share of the estimate.
    pub(crate) fn total_variation(&self) -> f64 {
        let weights = &self.chosen().design.weights;
        weights.distance(&self.setting().profile) / 2.0
    }

    /// Returns the sensitivity of a mean or a sum with this noisy mean, as a share of the range,
    /// and with this published estimate and interval.
    pub(crate) fn sensitivity(
        &self,
        share: f64,
        (estimate, published): (f64, Interval),
        spread: Option<&MeasuredSpread>,
        sides: [Side; 2],
    ) -> Option<Box<Sensitivity>> {
        let (setting, inner) = (self.setting(), self.setting().bounds);
        let share = share.clamp(0.0, 1.0);
        let variance = self.variance_if_tiers_differ(share, spread);
        let (width, unit) = (inner.width(), self.unit());
        let bounds = self.request().bounds();
        let errors = [-1.0, 1.0].into_iter().zip(sides);
        let errors = errors.map(|(direction, side)| {
            self.end_if_tiers_differ((share, direction), &variance, 1, side, bounds)
        });
        let errors: Vec<EndErrors> = errors.collect();
        let errors: [EndErrors; 2] = errors.try_into().ok()?;
        let errors = errors.map(|end| {
            let bias = end.bias * unit;
            EndErrors { bias, ..end.times(width * unit) }
        });
        let ends = Ends {
            published,
            centre: inner.clamp(inner.lower() + width * share) * unit,
            possible: Some([bounds.lower() * unit, bounds.upper() * unit]),
            tiers_sd: tiers_sd(setting) * unit,
            errors,
            confidence: self.half_widths().confidence,
            // The whole difference, even if values are cut off inside the bounds.
            declared: self.request().difference_in_values(),
        };
        self.sensitivity_of(bounds.width(), ends, estimate)
    }

    /// Returns the interval to publish: if tiers may differ, the one that allows for it, or the
    /// whole range if there is none.
    pub(crate) fn interval_of(
        &self,
        interval: Interval,
        sensitivity: Option<&Sensitivity>,
    ) -> Interval {
        if self.setting().difference.is_none() {
            return interval;
        }
        let bounds = self.request().bounds();
        sensitivity.and_then(Sensitivity::published).unwrap_or(Interval {
            lower: bounds.lower() * self.unit(),
            upper: bounds.upper() * self.unit(),
            ..interval
        })
    }

    /// Returns the sensitivity of the share of `together` categories, with this published estimate
    /// and interval.
    pub(crate) fn sensitivity_of_share(
        &self,
        noisy: f64,
        (estimate, published): (f64, Interval),
        together: usize,
    ) -> Option<Box<Sensitivity>> {
        let share = noisy.clamp(0.0, 1.0);
        let (weights, profile) = (&self.chosen().design.weights, &self.setting().profile);
        let (largest, most) = (weights.largest(), LARGEST * weights.squared_norm(profile));
        // Σ W·p(1 − p) is at most the variance of all shares together.
        let variance = |other: f64| (largest * largest_variance(share, other)).min(most);
        let end = |direction| {
            let side = Side::Whole;
            self.end_if_tiers_differ((share, direction), &variance, together, side, Bounds::UNIT)
        };
        let ends = Ends {
            published,
            centre: noisy,
            possible: Some([0.0, 1.0]),
            tiers_sd: tiers_sd(self.setting()),
            errors: [end(-1.0), end(1.0)],
            confidence: self.half_widths().confidence,
            declared: self.setting().difference.distance,
        };
        self.sensitivity_of(1.0, ends, estimate)
    }

    /// Returns true if the mean of all records can lie on this side (−1 below, 1 above) of the
    /// estimate: on both sides, unless the order of the means of tiers is known, and no tier weighs
    /// less than a stricter one. Means of values that are cut off may have any order.
    fn bias_is_towards(&self, direction: f64) -> bool {
        if self.is_cut_off() {
            return true;
        }
        match self.setting().difference.direction {
            Direction::StricterLarger => direction > 0.0 || !self.weights_rise(),
            Direction::StricterSmaller => direction < 0.0 || !self.weights_rise(),
            Direction::Any => true,
        }
    }

    /// Returns true if within each stratum no level weighs less than one that allows less.
    fn weights_rise(&self) -> bool {
        let weights = self.chosen().design.weights.per_level();
        let allowed = self.allowed();
        let mut last: BTreeMap<usize, f64> = BTreeMap::new();
        allowed.levels().iter().enumerate().all(|(level, one)| {
            let stratum = allowed.stratum(level);
            let mut positions = self.part().positions(one.epsilon);
            let profile = &self.setting().profile;
            let position = positions.find(|position| profile.stratum(*position) == stratum);
            let weight = position.and_then(|position| weights.get(position)).copied();
            let weight = weight.unwrap_or(0.0);
            last.insert(stratum, weight).is_none_or(|before| before <= weight * (1.0 + 1e-12))
        })
    }

    fn sensitivity_of(&self, most: f64, mut ends: Ends, estimate: f64) -> Option<Box<Sensitivity>> {
        ends.allow_for_declared(estimate);
        let weights = &self.chosen().design.weights;
        // The formula does not hold for weights of a biased estimator.
        let is_whole = (weights.total(&self.setting().profile) - 1.0).abs() < EQUAL;
        let sensitivity = Sensitivity::from_ends(self.total_variation(), most, ends);
        sensitivity.filter(|_| is_whole).map(Box::new)
    }

    /// Returns the planned half width of an interval that allows for tiers that differ, for the sum
    /// of `together` shares, in units of the data; `None` if no difference was declared. If one
    /// side is longer, it is that side.
    pub(super) fn half_width_if_tiers_differ(&self, together: usize) -> Option<f64> {
        let (setting, difference) = (self.setting(), self.setting().difference);
        if difference.is_none() {
            return None;
        }
        let variance = self.variance_if_tiers_differ(0.5, None);
        let errors = [-1.0, 1.0].map(|direction| {
            self.end_if_tiers_differ(
                (0.5, direction),
                &variance,
                together,
                Side::Whole,
                setting.bounds,
            )
        });
        let biases = errors.each_ref().map(|end| end.bias * difference.distance);
        let sd = tiers_sd(setting) * difference.distance;
        let confidence = self.half_widths_of(together).confidence;
        let half_width = |end: usize| {
            let biases = Biases { here: biases[end], there: biases[1 - end] };
            errors[end].half_width(confidence, biases, sd)
        };
        Some(setting.bounds.width() * half_width(0).max(half_width(1)))
    }

    /// Returns the variance of the sampling error around the mean of all values, in units of the
    /// range, if tiers may have different variances.
    ///
    /// # Formula
    ///
    /// Σ W_j·w_j·σ_j² is at most max w times Σ W_j·σ_j², which the measured spread bounds; its own
    /// correction has max w in place of Σw², too. A declared variance is at least that of every
    /// stratum, Σ_j (n_j/n_d)·σ_j², so Σ_d n_d·max w² replaces it. No σ_j² exceeds a quarter.
    fn variance_if_tiers_differ(
        &self,
        share: f64,
        spread: Option<&MeasuredSpread>,
    ) -> impl Fn(f64) -> f64 + use<> {
        let (setting, weights) = (self.setting(), &self.chosen().design.weights);
        let profile = &setting.profile;
        let most = LARGEST * weights.squared_norm(profile);
        let largest = weights.largest();
        let shown = 1.0 - risk::bound_mean_variance(setting, weights);
        let factor = if largest < 1.0 { largest * shown / (1.0 - largest) } else { f64::INFINITY };
        let measured = spread.map(|spread| spread.at(share, setting.bounds.width()));
        let declared = setting.relative_variance() * squares_at_most(setting, weights);
        move |other| match measured {
            Some(measured) => (factor * measured(other)).min(most),
            None => declared.min(most),
        }
    }

    /// Returns the errors below (−1) or above (1) an estimate for differences above 0, in units of
    /// the range. The bias is that for a difference of 1.
    fn end_if_tiers_differ(
        &self,
        (share, direction): (f64, f64),
        variance: &impl Fn(f64) -> f64,
        together: usize,
        side: Side,
        bounds: Bounds,
    ) -> EndErrors {
        let setting = self.setting();
        let tv = self.total_variation();
        let HalfWidths { confidence, noise, .. } = self.half_widths_of(together);
        let rounding = 0.5 / self.grid().points() as f64;
        let is_correlated = setting.target == Target::DatasetCorrelated;
        let tv = if is_correlated || tv < EQUAL { 0.0 } else { tv };
        let cut_off = match side {
            Side::Whole => CutOffErrors { mean: 0.0, scale: 0.0, variance: 0.0, bias: tv },
            Side::CutOff(cut_off) => cut_off,
            Side::Unknown => {
                let fixed = bounds.width() / setting.bounds.width();
                return EndErrors { noise: NoiseLaw::none(), sd: 0.0, fixed, bias: tv };
            }
        };
        let bias = match self.bias_is_towards(direction) {
            _ if is_correlated => 0.0,
            true => cut_off.bias.max(tv),
            false => 0.0,
        };
        let noise = noise.and(cut_off.scale);
        let (sd, fixed) = match setting.target {
            // The means are those of these very records, so bias and noise are the only errors.
            Target::Dataset | Target::DatasetCorrelated => (0.0, rounding),
            Target::Population => {
                let sd = |distance: f64| {
                    let other = (share + direction * distance).clamp(0.0, 1.0);
                    (variance(other) + cut_off.variance).sqrt()
                };
                let reach = |sd: f64| noise.half_width(confidence, sd);
                let most = (LARGEST + cut_off.variance).sqrt();
                let distance = furthest(reach(most), |distance| reach(sd(distance)));
                let steps = self.request().coverage(self.adds_up()).steps;
                let weights = &self.chosen().design.weights;
                (sd(distance), steps.max(0.5) * weights.largest() + rounding)
            }
        };
        let fixed = fixed + cut_off.mean.max(0.0);
        match NoiseLaw::from_shape(&noise, setting.categories, together) {
            Some(law) => EndErrors { noise: law, sd, fixed, bias },
            // A fixed distance: the reach of the law's bounds.
            None => {
                let fixed = noise.half_width(confidence, sd) + fixed;
                EndErrors { noise: NoiseLaw::none(), sd: 0.0, fixed, bias }
            }
        }
    }
}

impl NoiseLaw {
    fn none() -> Self {
        Self::Laplace(Vec::new())
    }

    /// Returns the law of this noise; `None` for flipped bits.
    fn from_shape(noise: &NoiseShape, categories: Option<usize>, together: usize) -> Option<Self> {
        match noise {
            NoiseShape::Laplace(scales) => {
                let some = scales.iter().copied().filter(|(scale, count)| scale * count > 0.0);
                Some(Self::Laplace(some.collect()))
            }
            NoiseShape::SumZero(_, scale) => {
                let categories = categories?;
                Some(Self::SumZero { categories, together, scale: *scale })
            }
            NoiseShape::Bits(_) => None,
        }
    }
}

/// Returns √(Σ D_d²/(4·n_d)) if the records are a sample. For a difference D of the means of tiers,
/// D times this bounds the standard deviation caused by shares of tiers that differ between the
/// sample and the population.
pub(crate) fn tiers_sd(setting: &Setting) -> f64 {
    if setting.target != Target::Population {
        return 0.0;
    }
    let records = setting.profile.records_of_strata();
    let whole = [1.0];
    let shares = if setting.strata.is_empty() { &whole[..] } else { &setting.strata };
    let records: Vec<f64> = match setting.strata.is_empty() {
        true => vec![setting.records()],
        false => records.into_iter().map(|n| n as f64).collect(),
    };
    let each = shares.iter().zip(records).map(|(share, n)| share * share / (4.0 * n));
    each.sum::<f64>().sqrt()
}

/// Returns Σ_d n_d·max w², with max w² of each stratum d.
pub(super) fn squares_at_most(setting: &Setting, weights: &Weights) -> f64 {
    let profile = &setting.profile;
    if setting.strata.is_empty() {
        return setting.records() * weights.largest() * weights.largest();
    }
    let mut largest = vec![0.0f64; profile.records_of_strata().len()];
    for (position, weight) in weights.per_level().iter().enumerate() {
        if let Some(largest) = largest.get_mut(profile.stratum(position)) {
            *largest = largest.max(*weight);
        }
    }
    let each = largest.iter().zip(profile.records_of_strata());
    each.map(|(weight, n)| n as f64 * weight * weight).sum()
}
