//! Estimates from means of tiers, each measured with its own noise, with the best weights for every
//! difference.

use serde::{Deserialize, Serialize};

use crate::Interval;
use crate::answer::interval::{Biases, one_tail, reach_with_bias};
use crate::answer::tail::LaplaceSum;
use crate::arithmetic::least::{first_least, least_at};
use crate::statistics::weighted::Errors;

/// Measured means of tiers, in units of the statistic, with the public facts about them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TierMeans {
    /// Published interval.
    pub(crate) published: Interval,
    /// Difference that the published interval allows for.
    pub(crate) declared: f64,
    /// Least and largest possible value.
    pub(crate) possible: [f64; 2],
    /// Standard deviation of the error from the shares of tiers in a sample, for a difference of 1
    /// of the values.
    pub(crate) tiers_sd: f64,
    /// Fixed distance added to the reach of errors, for an estimate with all weight on one record.
    pub(crate) fixed: f64,
    /// Factor from a value to the statistic: for a sum the number of records.
    pub(crate) unit: f64,
    /// Tiers.
    pub(crate) tiers: Vec<MeasuredTier>,
}

/// Tier of the records.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MeasuredTier {
    /// Share of the records.
    pub(crate) share: f64,
    /// Measurement; absent for an unusable tier.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub(crate) measured: Option<TierErrors>,
}

/// Mean of a tier with its errors, in units of the statistic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TierErrors {
    /// Noisy mean.
    pub(crate) mean: f64,
    /// Scale of its noise.
    pub(crate) scale: f64,
    /// Standard deviation of its sampling error.
    pub(crate) sd: f64,
    /// Variance of both errors for which weights are made, before anything is measured.
    pub(crate) planned: f64,
    /// Largest weight of a record, if the tier has all weight.
    pub(crate) record: f64,
}

/// Estimate computed from means of tiers, with its errors.
struct Together {
    estimate: f64,
    /// Scales of Laplace noises, each with the number of noises that have it.
    scales: Vec<(f64, f64)>,
    sd: f64,
    bias: f64,
    /// Fixed distance that is added to the reach of these errors.
    fixed: f64,
}

/// Number of bisections for μ, and of points and golden sections in the search for κ.
const HALVINGS: usize = 100;
const PLACES: u32 = 48;
const SECTIONS: usize = 40;

/// Returns the weight of each tier if tiers differ by at most `difference`, from public facts:
/// their shares of the records, and the variances for which weights are made (`None` for an
/// unusable tier).
///
/// # Formula
///
/// W_j = median(p_j, (μ − κ)/v_j, μ/v_j), with μ such that they add up to 1: for some κ these have
/// the least Σ W²v of all weights with the same TV. At κ = 0 they are the weights of inverse
/// variances, and for large κ the shares of the records. κ is chosen for the shortest interval of
/// normal errors.
pub(crate) fn tier_weights(
    tiers: &[(f64, Option<f64>)],
    (difference, confidence, tiers_sd): (f64, f64, f64),
) -> Vec<f64> {
    let weights = |kappa: f64| soft_threshold(tiers, kappa);
    let length = |weights: &[f64]| {
        let variance: f64 = tiers
            .iter()
            .zip(weights)
            .map(|((_, planned), weight)| planned.map_or(0.0, |planned| weight * weight * planned))
            .sum();
        let sd = variance.sqrt().hypot(tiers_sd * difference);
        let bias = difference * total_variation(tiers, weights);
        let plain = crate::half_width(confidence, 0.0, sd);
        reach_with_bias(confidence, Biases { here: bias, there: bias }, plain, |t| {
            one_tail(t, 0.0, sd)
        })
    };
    let least = weights(0.0);
    let measured = || tiers.iter().filter_map(|(share, planned)| Some(share * (*planned)?));
    let (low, high) =
        (measured().fold(f64::INFINITY, f64::min) * 1e-6, measured().fold(0.0, f64::max) * 1e3);
    if difference <= 0.0 || low <= 0.0 || !low.is_finite() {
        return least;
    }
    let (low, high) = (low.ln(), high.ln());
    let place = |at: u32| low + (high - low) * f64::from(at) / f64::from(PLACES);
    let of = |log: f64| length(&weights(log.exp()));
    let best = first_least((0..=PLACES).map(|at| of(place(at)))) as u32;
    let (from, to) = (place(best.saturating_sub(1)), place((best + 1).min(PLACES)));
    let found = least_at(from, to, SECTIONS, of);
    let all = [least, weights(place(best).exp()), weights(found.exp())];
    let lengths = all.each_ref().map(|weights| length(weights));
    let best = first_least(lengths);
    all.into_iter().nth(best).unwrap_or_default()
}

/// Returns Σ (p_j − W_j)₊.
pub(crate) fn total_variation(tiers: &[(f64, Option<f64>)], weights: &[f64]) -> f64 {
    let each = tiers.iter().zip(weights);
    each.map(|((share, _), weight)| (share - weight).max(0.0)).sum()
}

/// Returns median(p_j, (μ − κ)/v_j, μ/v_j), with μ such that they add up to 1.
fn soft_threshold(tiers: &[(f64, Option<f64>)], kappa: f64) -> Vec<f64> {
    let at = |mu: f64| -> Vec<f64> {
        let each = tiers.iter().map(|(share, planned)| match planned {
            Some(planned) => share.max((mu - kappa) / planned).min(mu / planned).max(0.0),
            None => 0.0,
        });
        each.collect()
    };
    let precision: f64 = tiers.iter().filter_map(|(_, planned)| Some(1.0 / (*planned)?)).sum();
    let (mut low, mut high) = (0.0, kappa + 1.0 / precision);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if at(middle).iter().sum::<f64>() < 1.0 { low = middle } else { high = middle }
    }
    let weights = at(high);
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

impl TierMeans {
    fn facts(&self) -> Vec<(f64, Option<f64>)> {
        let each = self.tiers.iter();
        each.map(|tier| (tier.share, tier.measured.map(|measured| measured.planned))).collect()
    }

    /// Returns the weight of each tier in the estimate if tiers differ by at most `difference`.
    pub(crate) fn weights(&self, difference: f64) -> Vec<f64> {
        let difference = difference * self.unit;
        let tiers_sd = self.tiers_sd / self.unit;
        tier_weights(&self.facts(), (difference, self.published.confidence, tiers_sd))
    }

    /// Returns TV of the published estimate.
    pub(crate) fn tv(&self) -> f64 {
        total_variation(&self.facts(), &self.weights(self.declared))
    }

    /// Returns the estimate, with its errors, if tiers differ by at most `difference`.
    fn together(&self, difference: f64) -> Together {
        let weights = self.weights(difference);
        let bias = difference * self.unit * total_variation(&self.facts(), &weights);
        let (mut estimate, mut variance, mut record) = (0.0, 0.0, 0.0f64);
        let mut scales = Vec::new();
        for (tier, weight) in self.tiers.iter().zip(&weights) {
            let Some(measured) = tier.measured.filter(|_| *weight > 0.0) else { continue };
            estimate += weight * measured.mean;
            variance += (weight * measured.sd).powi(2);
            scales.push((weight * measured.scale, 1.0));
            record = record.max(weight * measured.record);
        }
        let sd = variance.sqrt().hypot(self.tiers_sd * difference);
        Together { estimate, scales, sd, bias, fixed: self.fixed * record }
    }

    /// Returns the errors of the estimate, to be combined with those of another one: the largest
    /// bias is part of the fixed distance.
    pub(crate) fn errors(&self, difference: f64) -> Errors {
        let Together { scales, sd, bias, fixed, .. } = self.together(difference);
        Errors::new(scales, sd, fixed + bias)
    }

    /// Returns the estimate if tiers differ by at most `difference`, and its interval.
    pub(crate) fn estimate(&self, difference: f64) -> (f64, Interval) {
        let Together { estimate, scales, sd, bias, fixed } = self.together(difference);
        let confidence = self.published.confidence;
        let reach = LaplaceSum::new(scales, sd)
            .half_width_with_bias(confidence, Biases { here: bias, there: bias });
        let reach = reach + fixed;
        let [least, most] = self.possible;
        let centre = estimate.max(least - reach / 2.0).min(most + reach / 2.0);
        let estimate = estimate.clamp(least, most);
        let inside = |end: f64| end.clamp(least, most);
        let (lower, upper) = (inside(centre - reach), inside(centre + reach));
        let (lower, upper) = (lower.min(estimate), upper.max(estimate));
        (estimate, Interval { confidence, lower, upper })
    }

    /// See [`Sensitivity::at`](super::Sensitivity::at): the interval with the best weights for the
    /// difference, extended to contain the published one.
    pub(crate) fn at(&self, difference: f64) -> [f64; 2] {
        let Interval { lower, upper, .. } = self.published;
        if difference <= self.declared {
            return [lower, upper];
        }
        let (_, interval) = self.estimate(difference);
        [interval.lower.min(lower), interval.upper.max(upper)]
    }

    /// Returns true if all of its numbers are finite and possible.
    pub(crate) fn is_possible(&self) -> bool {
        let each = self.tiers.iter().filter_map(|tier| tier.measured);
        let mut numbers = vec![self.declared, self.tiers_sd, self.fixed, self.unit];
        numbers.extend(self.possible);
        numbers.extend([self.published.lower, self.published.upper]);
        let mut sizes: Vec<f64> = self.tiers.iter().map(|tier| tier.share).collect();
        for measured in each {
            numbers.push(measured.mean);
            sizes.extend([measured.scale, measured.sd, measured.record]);
            if !(measured.planned > 0.0 && measured.planned.is_finite()) {
                return false;
            }
        }
        numbers.iter().all(|number| number.is_finite())
            && sizes.iter().all(|size| (0.0..f64::INFINITY).contains(size))
            && self.possible[0] <= self.possible[1]
            && self.unit > 0.0
            && self.tiers.iter().any(|tier| tier.measured.is_some())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_tiers() -> impl Strategy<Value = Vec<(f64, Option<f64>)>> {
        let tier = (0.05f64..1.0, prop::option::weighted(0.85, (-6.0..2.0f64).prop_map(f64::exp)));
        prop::collection::vec(tier, 2..7)
            .prop_filter("one is measured", |tiers| tiers.iter().any(|(_, one)| one.is_some()))
            .prop_map(|tiers| {
                let sum: f64 = tiers.iter().map(|(share, _)| share).sum();
                tiers.into_iter().map(|(share, planned)| (share / sum, planned)).collect()
            })
    }

    /// Σ W²v + 2λ·TV with the best λ is least: no weights near these have both less variance and
    /// less TV.
    fn variance(tiers: &[(f64, Option<f64>)], weights: &[f64]) -> f64 {
        let each = tiers.iter().zip(weights);
        each.map(|((_, planned), weight)| planned.map_or(0.0, |one| weight * weight * one)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_other_weights_have_less_variance_and_less_bias(
            tiers in any_tiers(),
            log in -8.0f64..2.0,
            parts in prop::collection::vec(prop::collection::vec(0.0f64..1.0, 7), 20),
            nearness in prop::collection::vec(-6.0f64..0.0, 20),
        ) {
            let weights = soft_threshold(&tiers, log.exp());
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let (own, tv) = (variance(&tiers, &weights), total_variation(&tiers, &weights));
            for (parts, nearness) in parts.iter().zip(nearness) {
                let far = nearness.exp();
                let each = tiers.iter().zip(&weights).zip(parts);
                let other: Vec<f64> = each
                    .map(|(((_, planned), weight), part)| match planned {
                        Some(_) => weight * (1.0 - far) + far * part,
                        None => 0.0,
                    })
                    .collect();
                let sum: f64 = other.iter().sum();
                let other: Vec<f64> = other.into_iter().map(|one| one / sum).collect();
                let is_less = total_variation(&tiers, &other) <= tv;
                prop_assert!(!is_less || variance(&tiers, &other) >= own * (1.0 - 1e-9));
            }
        }

        #[test]
        fn bias_falls_as_the_difference_grows(tiers in any_tiers()) {
            let mut last = f64::INFINITY;
            for difference in [0.0, 0.01, 0.1, 1.0, 10.0] {
                let weights = tier_weights(&tiers, (difference, 0.95, 0.0));
                let tv = total_variation(&tiers, &weights);
                prop_assert!(tv <= last + 1e-6, "{} {}", difference, tv);
                last = tv;
            }
        }
    }

    /// With all tiers measured, some difference is large enough for the shares of the records.
    #[test]
    fn weights_become_shares_of_records() {
        let tiers = [(0.5, Some(1.0)), (0.3, Some(0.1)), (0.2, Some(0.001))];
        let inverse = tier_weights(&tiers, (0.0, 0.95, 0.0));
        assert!(inverse[2] > 0.98, "{inverse:?}");
        let equal = tier_weights(&tiers, (1000.0, 0.95, 0.0));
        assert!(total_variation(&tiers, &equal) < 1e-3, "{equal:?}");
    }

    #[test]
    fn intervals_grow_and_shift_with_the_difference() {
        let tier = |share, mean, scale: f64, sd: f64| MeasuredTier {
            share,
            measured: Some(TierErrors {
                mean,
                scale,
                sd,
                planned: 2.0 * scale * scale + sd * sd,
                record: 1e-3,
            }),
        };
        let means = TierMeans {
            published: Interval { confidence: 0.95, lower: 1.9, upper: 2.1 },
            declared: 0.0,
            possible: [0.0, 10.0],
            tiers_sd: 0.0,
            fixed: 0.0,
            unit: 1.0,
            tiers: vec![tier(0.6, 4.0, 0.5, 0.0), tier(0.4, 2.0, 0.0, 0.03)],
        };
        let (estimate, _) = means.estimate(0.0);
        assert!((estimate - 2.0).abs() < 0.02, "{estimate}");
        // Assuming nothing: the shares of the records.
        let (estimate, interval) = means.estimate(9.0);
        assert!((estimate - 3.2).abs() < 0.02 && interval.lower < 3.0, "{estimate}");
        assert_eq!(means.at(0.0), [1.9, 2.1]);
        assert!(means.at(9.0)[1] > 4.0 && means.at(9.0)[0] <= 1.9);
        assert!(means.is_possible());
    }
}
