//! Weights for tiers whose means may differ, optimised for the shortest interval.

use super::sensitivity::{squares_at_most, tiers_sd};
use crate::answer::coverage::Coverage;
use crate::answer::interval::Biases;
use crate::answer::noise_shape::NoiseShape;
use crate::answer::sensitivity::{EndErrors, NoiseLaw};
use crate::answer::spread::LARGEST;
use crate::arithmetic::least::{first_least, least_at};
use crate::private::part::Part;
use crate::steps::adaptive::MOST_BEYOND;
use crate::strategy::weights::{ClippedSums, FilledStrata};
use crate::{
    Design, Direction, Estimator, Level, Method, Result, Setting, TYPICAL_VARIANCE, Target, Weights,
};

/// Number of clip levels that are tried first, at equal distances of their logarithms, and number
/// of golden sections between the two neighbours of the best one.
const CLIP_LEVELS: u32 = 32;
const SECTIONS: usize = 40;

/// Quantities that determine the length of an interval, in units of the range.
struct Summary {
    /// Scale of the noise, max w/ε.
    noise: f64,
    /// Bias for a difference of 1: TV.
    tv: f64,
    /// Largest weight, max w.
    largest: f64,
    /// Σw².
    square: f64,
    /// Σ_d n_d·max w², with max w² of each stratum d.
    square_at_most: f64,
}

/// Variance of the values that weights are made for, in units of the squared width of the bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlannedVariance {
    /// Variance of all values, as a release will measure it.
    Measured(f64),
    /// Upper bound on the variance in every stratum, as it was declared.
    Declared(f64),
}

impl PlannedVariance {
    /// Returns the variance for which an estimator's weights are made; `None` for estimators
    /// without clipped weights.
    fn for_estimator(estimator: Estimator, setting: &Setting) -> Option<Self> {
        match estimator {
            Estimator::Typical => Some(Self::Measured(TYPICAL_VARIANCE)),
            Estimator::Affine => Some(Self::Declared(setting.relative_variance())),
            _ => None,
        }
    }
}

/// Returns the design of clipped weights for tiers that differ; `None` for other estimators.
pub(super) fn design(
    estimator: Estimator,
    setting: &Setting,
    coverage: &Coverage,
) -> Option<Design> {
    if setting.difference.is_none() {
        return None;
    }
    let variance = PlannedVariance::for_estimator(estimator, setting)?;
    Some(shortest(setting, variance, coverage))
}

/// Returns clipped weights with the shortest expected interval, for the largest difference of tiers
/// of the setting; with strata each has its own clip level.
///
/// # Formula
///
/// Of all weights with max w/ε ≤ t, min(t·ε, λ) have the least Σw², the least max w and the least
/// TV at once. So those of a clip level τ are best for anything that grows with all of these, as
/// the length of an interval does: half of it solves F(s − D·TV) + F(s + D·TV) = 1 − confidence,
/// with F the upper tail of Laplace noise of scale t and a normal sampling error.
pub(crate) fn shortest(
    setting: &Setting,
    variance: PlannedVariance,
    coverage: &Coverage,
) -> Design {
    let length = |summary: &Summary| summary.length(setting, variance, coverage);
    if !setting.strata.is_empty() {
        let strata = FilledStrata::new(&setting.profile, &setting.strata);
        let Some((low, high)) = strata.noise_levels() else {
            return Design::weighted(strata.weights(0.0));
        };
        let at = |level: f64| length(&Summary::new(setting, &strata.weights(level)));
        let found = least_on_grid(low, high, at).clamp(low, high);
        let levels = [found, strata.least_noise(), high];
        return Design::weighted(strata.weights(levels[first_least(levels.map(at))]));
    }
    let profile = &setting.profile;
    let finite = || profile.usable().iter().filter(|level| !level.epsilon.is_public());
    let public = profile.levels().iter().filter(|level| level.epsilon.is_public());
    let public = public.map(|level| level.count).sum::<u64>() as f64;
    let (Some(first), Some(last)) = (finite().next(), finite().next_back()) else {
        return Design::clipped(setting, f64::INFINITY);
    };
    let (low, most) = (first.epsilon.get(), last.epsilon.get());
    let sums = ClippedSums::new(profile);
    let at = |tau: f64| {
        let weights = sums.at(tau);
        let largest = weights.largest();
        length(&Summary {
            noise: weights.noise(),
            tv: weights.distance() / 2.0,
            largest,
            square: weights.squared_norm(),
            square_at_most: setting.records() * largest * largest,
        })
    };
    // With public records, the weights of the others decrease as the clip level grows.
    let high = match public > 0.0 {
        true => {
            let units: f64 = finite().map(|level| level.count as f64 * level.epsilon.get()).sum();
            most.max(units / public * 1e9)
        }
        false => most,
    };
    let found = least_on_grid(low, high, at).clamp(low, high);
    let tau = if at(high) <= at(found) { high } else { found };
    let clipped = Design::clipped(setting, tau);
    if public > 0.0 {
        let alone = Design::clipped(setting, f64::INFINITY);
        if length(&Summary::new(setting, &alone.weights)) <= at(tau) {
            return alone;
        }
    }
    clipped
}

/// Returns the design of a mean that measures its spread, with one noise for all tiers.
pub(super) fn planned_design(setting: &Setting, coverage: &Coverage) -> Result<Design> {
    let variance = PlannedVariance::Measured(TYPICAL_VARIANCE);
    match setting.difference.is_none() {
        true => Estimator::Typical.design(setting),
        false => Ok(shortest(setting, variance, coverage)),
    }
}

/// Returns the planned length of the interval with this design, for values of an ordinary spread,
/// in units of the range.
pub(super) fn planned_length(setting: &Setting, design: &Design, coverage: &Coverage) -> f64 {
    let summary = Summary::new(setting, &design.weights);
    let NoiseShape::Laplace(scales) = design.noise_shape(setting) else { return f64::INFINITY };
    let is_one = matches!(design.method, Method::WeightedSum) && !setting.difference.is_none();
    // If each tier is measured apart, or tiers do not differ, the sampling error depends on Σw².
    let factor = if is_one { summary.largest } else { summary.square };
    let sd = match setting.target {
        Target::Population => (TYPICAL_VARIANCE * factor).sqrt(),
        Target::Dataset | Target::DatasetCorrelated => 0.0,
    };
    let errors = EndErrors { noise: NoiseLaw::Laplace(scales), sd, fixed: 0.0, bias: summary.tv };
    let distance = setting.difference.distance;
    let biases = Biases { here: distance * summary.tv, there: distance * summary.tv };
    2.0 * errors.half_width(coverage.confidence, biases, tiers_sd(setting) * distance)
}

/// Standard deviation of values that are far from filling the bounds, and the width of a range that
/// holds nearly all of them, as shares of the width of the bounds.
const NARROW: (f64, f64) = (1.0 / 32.0, 1.0 / 8.0);

/// Returns true if learning first where the values lie is expected to make the interval of a mean
/// shorter, for values that are far from filling the bounds.
///
/// Values that are cut off are measured with the budget that the mean leaves over, and strict tiers
/// have none left. So the weights there differ from the shares of the records, and the bias on that
/// side is larger. If tiers do not differ, there is no bias.
pub(super) fn is_shorter_with_learning(
    part: &Part,
    setting: &Setting,
    coverage: &Coverage,
) -> bool {
    let distance = setting.difference.distance;
    if setting.difference.is_none() {
        return true;
    }
    let (sd, width) = NARROW;
    let length = |setting: &Setting, variance: f64| {
        let variance = PlannedVariance::Measured(variance);
        let weights = shortest(setting, variance, coverage).weights;
        let length = Summary::new(setting, &weights).length(setting, variance, coverage);
        (weights, length)
    };
    let (_, plain) = length(setting, sd * sd);
    let difference = setting.difference.rescaled(1.0, width);
    let inside = Setting { difference, ..setting.clone() };
    let (weights, learned) = length(&inside, (sd / width).powi(2));
    let profile = part.profile();
    let noise = weights.noise(profile);
    let left = |position: usize, level: &Level| {
        let spent = weights.per_level()[position] / noise.max(f64::MIN_POSITIVE);
        (level.epsilon.get() - spent).clamp(0.0, MOST_BEYOND)
    };
    let levels = || profile.levels().iter().enumerate();
    let units: f64 = levels().map(|(at, level)| level.count as f64 * left(at, level)).sum();
    if units <= 0.0 {
        return false;
    }
    let records = setting.records();
    let bias = levels().map(|(at, level)| {
        let share = 1.0 / records;
        let here = (left(at, level) / units - share).abs();
        level.count as f64 * (weights.per_level()[at] - share).abs().max(here)
    });
    let bias = distance * bias.sum::<f64>() / 2.0;
    let noise = NoiseLaw::Laplace(vec![(width * noise, 1.0), (1.0 / units, 1.0)]);
    let errors = EndErrors { noise, sd: 0.0, fixed: 0.0, bias: 1.0 };
    let cut = errors.half_width(coverage.confidence, Biases { here: bias, there: bias }, 0.0);
    cut + width * learned / 2.0 < plain
}

/// Returns the approximate minimum in a range of positive numbers, of a function that falls and
/// then rises except for small bumps.
fn least_on_grid(low: f64, high: f64, of: impl Fn(f64) -> f64) -> f64 {
    let (low, high) = (low.ln(), high.ln());
    let step = (high - low) / f64::from(CLIP_LEVELS);
    if step <= 0.0 {
        return low.exp();
    }
    let place = |at: u32| low + step * f64::from(at);
    let best = first_least((0..=CLIP_LEVELS).map(|at| of(place(at).exp()))) as u32;
    let (from, to) = (place(best.saturating_sub(1)), place((best + 1).min(CLIP_LEVELS)));
    let found = least_at(from, to, SECTIONS, |log| of(log.exp())).exp();
    let grid = place(best).exp();
    if of(found) < of(grid) { found } else { grid }
}

impl Summary {
    fn new(setting: &Setting, weights: &Weights) -> Self {
        let profile = &setting.profile;
        Self {
            noise: weights.noise(profile),
            tv: weights.distance(profile) / 2.0,
            largest: weights.largest(),
            square: weights.squared_norm(profile),
            square_at_most: squares_at_most(setting, weights),
        }
    }

    /// Returns the planned length of the interval with these weights.
    fn length(&self, setting: &Setting, variance: PlannedVariance, coverage: &Coverage) -> f64 {
        let variance = match variance {
            PlannedVariance::Measured(variance) => variance * self.largest,
            PlannedVariance::Declared(variance) => variance * self.square_at_most,
        };
        let (sd, fixed) = match setting.target {
            Target::Population => {
                let sd = variance.min(LARGEST * self.square).sqrt();
                (sd, coverage.steps.max(0.5) * self.largest)
            }
            Target::Dataset | Target::DatasetCorrelated => (0.0, 0.0),
        };
        let noise = match setting.categories {
            Some(categories) => NoiseLaw::SumZero { categories, together: 1, scale: self.noise },
            None => NoiseLaw::Laplace(vec![(self.noise, 1.0)]),
        };
        let errors = EndErrors { noise, sd, fixed, bias: self.tv };
        let (difference, bias) = (setting.difference, setting.difference.distance * self.tv);
        let tiers_sd = tiers_sd(setting) * difference.distance;
        let end = |here: f64, there: f64| {
            errors.half_width(coverage.confidence, Biases { here, there }, tiers_sd)
        };
        match difference.direction {
            Direction::Any => 2.0 * end(bias, bias),
            Direction::StricterLarger | Direction::StricterSmaller => {
                end(bias, 0.0) + end(0.0, bias)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bounds, Level, Profile, RelativeDifference};
    use suum_testing::Extent;

    fn any_level() -> impl Strategy<Value = Level> {
        let epsilon = prop_oneof![
            6 => (-5.0..2.0_f64).prop_map(f64::exp),
            1 => Just(0.0),
            1 => Just(f64::INFINITY),
        ];
        (epsilon, 1u64..400).prop_map(|(epsilon, count)| Level {
            epsilon: crate::Epsilon::new(epsilon).unwrap(),
            count,
        })
    }

    fn any_setting() -> impl Strategy<Value = Setting> {
        let targets = vec![Target::Population, Target::Dataset];
        let directions = vec![Direction::Any, Direction::StricterLarger];
        (
            prop::collection::vec(any_level(), 2..7),
            prop::sample::select(vec![0.003, 0.02, 0.1, 0.4, 1.0]),
            prop::sample::select(targets),
            prop::sample::select(directions),
        )
            .prop_filter_map(
                "somebody may be used",
                |(levels, distance, target, direction)| {
                    let profile = Profile::new(levels).ok()?;
                    let usable = profile.usable().iter().any(|level| !level.epsilon.is_public());
                    let mut setting = Setting::new(profile, Bounds::UNIT, target);
                    setting.difference = RelativeDifference { distance, direction };
                    usable.then_some(setting)
                },
            )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(100)))]

        /// No other weights that add up to 1 make the planned interval shorter: neither those of
        /// other clip levels nor those near the chosen ones, in any direction.
        #[test]
        fn no_other_weights_have_a_shorter_interval(
            setting in any_setting(),
            parts in prop::collection::vec(prop::collection::vec(0.0f64..1.0, 6), 20),
            nearness in prop::collection::vec(-4.0f64..0.0, 20),
        ) {
            let coverage = Coverage::new(0.95, false, 1, true);
            let variance = PlannedVariance::Measured(TYPICAL_VARIANCE);
            let length = |weights: &Weights| {
                Summary::new(&setting, weights).length(&setting, variance, &coverage)
            };
            let profile = &setting.profile;
            let chosen = shortest(&setting, variance, &coverage).weights;
            let least = length(&chosen);
            prop_assert!(least.is_finite() && (chosen.total(profile) - 1.0).abs() < 1e-9);
            for step in -60..=60 {
                let tau = (f64::from(step) / 10.0).exp();
                let other = Weights::clipped(profile, tau);
                prop_assert!(least <= length(&other) * (1.0 + 1e-6), "{} at {}", least, tau);
            }
            for (parts, nearness) in parts.iter().zip(nearness) {
                let far = nearness.exp();
                let levels = profile.levels().iter().zip(chosen.per_level()).zip(parts);
                let weights = levels.map(|((level, weight), part)| match level.epsilon.is_unused() {
                    true => 0.0,
                    false => weight * (1.0 - far) + far * part / setting.records(),
                });
                let weights: Vec<f64> = weights.collect();
                let sum: f64 = weights
                    .iter()
                    .zip(profile.levels())
                    .map(|(weight, level)| weight * level.count as f64)
                    .sum();
                if sum > 0.0 {
                    let weights = weights.into_iter().map(|weight| weight / sum).collect();
                    let other = Weights::from_levels(profile, weights);
                    prop_assert!(least <= length(&other) * (1.0 + 1e-6), "{} {:?}", least, other);
                }
            }
        }
    }

    /// Half widths on the profile of the example data, standard deviation 4.5, as an independent
    /// program computes them with a sampling error of Σw² in place of max w.
    #[test]
    fn weights_for_a_difference_balance_noise_and_bias() {
        let profile: Profile = "0.01:6835,0.1:8767,1:4028,inf:560".parse().unwrap();
        let coverage = Coverage::new(0.95, false, 1, true);
        let variance = PlannedVariance::Measured((4.5f64 / 77.0).powi(2));
        let mut last = 0.0;
        for (difference, least, most) in [(0.25, 0.18, 0.25), (1.0, 0.41, 0.48), (5.0, 1.05, 1.25)]
        {
            let mut setting =
                Setting::new(profile.clone(), Bounds::new(0.0, 77.0).unwrap(), Target::Population);
            let (distance, direction) = (difference / 77.0, Direction::Any);
            setting.difference = RelativeDifference { distance, direction };
            let design = shortest(&setting, variance, &coverage);
            let summary = Summary::new(&setting, &design.weights);
            let half_width = 77.0 * summary.length(&setting, variance, &coverage) / 2.0;
            assert!(half_width > least && half_width < most, "{difference}: {half_width}");
            assert!(half_width > last);
            last = half_width;
        }
    }
}
