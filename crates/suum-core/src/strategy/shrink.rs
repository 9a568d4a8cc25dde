//! Shrinkage of an estimate towards the middle of the bounds, for data in which noise dominates.

use crate::arithmetic::least::least_at;
use crate::strategy::risk::spread;
use crate::{Design, Risk, Setting, Target, Weights};

/// Shrinkage factor, and the worst-case risk with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shrinkage {
    /// λ in [0, 1]: the estimate becomes mid + λ·(estimate − mid).
    pub factor: f64,
    /// Worst-case mean squared error after shrinking, in squared units of the data.
    pub risk: f64,
}

impl Shrinkage {
    /// Returns the factor of least worst-case risk for unbiased weights.
    ///
    /// Shrinking is post-processing and costs no privacy. It trades variance for a bias of (1−λ)·|μ
    /// − mid|, and its risk never exceeds that of the unshrunk estimate nor h²/4, the risk of
    /// answering "the middle".
    ///
    /// # Formula
    ///
    /// With d = μ − mid, values in the bounds have variance at most min(σ², h²/4 − d²). The worst
    /// case of (1−λ)²d² + λ²(S·min(σ², h²/4 − d²) + N), S the factor of the sampling term and N the
    /// noise variance, lies at d² = h²/4 − σ² or at d² = h²/4. The two are equal at λ = 1/(1 + √S),
    /// the factor of the minimax estimator of a proportion. For `dataset-correlated` the worst case
    /// is exactly (h/2)²·‖λw − 1/n‖₁² + λ²N.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Estimator, Setting, Shrinkage, Target};
    ///
    /// let setting = Setting::new("0.01:10".parse()?, Bounds::UNIT, Target::Population);
    /// let shrinkage = Shrinkage::optimal(&setting, &Estimator::Affine.design(&setting)?);
    /// assert!(
    ///     shrinkage.factor < 0.01 && shrinkage.risk <= 0.25,
    ///     "ten such people tell next to nothing"
    /// );
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn optimal(setting: &Setting, design: &Design) -> Self {
        let weights = &design.weights;
        let h = setting.bounds.width();
        let variance = setting.relative_variance();
        let risk = design.risk(setting);
        let noise = risk.noise / (h * h);
        // The variance from random dropping cannot be avoided, like noise.
        let noise = noise
            + (risk.sampling - Risk::for_weights(setting, weights).sampling).max(0.0) / (h * h);
        if setting.target == Target::DatasetCorrelated {
            return correlated(setting, weights, noise);
        }
        let spread = spread(setting, weights);
        // In units of the range, with the estimand in the middle region, and at an end of the
        // bounds.
        let middle = |factor: f64| {
            (1.0 - factor).powi(2) * (0.25 - variance)
                + factor.powi(2) * (variance * spread + noise)
        };
        let end = |factor: f64| (1.0 - factor).powi(2) * 0.25 + factor.powi(2) * noise;
        let best_at_end = 0.25 / (0.25 + noise);
        let best_in_middle = (0.25 - variance) / (0.25 - variance + variance * spread + noise);
        let equal = 1.0 / (1.0 + spread.sqrt());
        // Below `equal` the end is the worse case, above it the middle.
        let factor = if best_at_end <= equal {
            best_at_end
        } else if best_in_middle >= equal {
            best_in_middle
        } else {
            equal
        };
        Self { factor, risk: middle(factor).max(end(factor)) * h * h }
    }
}

/// Searches the convex worst-case risk of correlated data by golden sections.
fn correlated(setting: &Setting, weights: &Weights, noise: f64) -> Shrinkage {
    let levels = setting.profile.levels();
    let equal = 1.0 / setting.records();
    let risk = |factor: f64| {
        let distance: f64 = weights
            .per_level()
            .iter()
            .zip(levels)
            .map(|(weight, level)| level.count as f64 * (factor * weight - equal).abs())
            .sum();
        distance * distance / 4.0 + factor * factor * noise
    };
    // The factor 1, no shrinkage, is a candidate that the search only approaches.
    let factor = [least_at(0.0, 1.0, 80, risk), 1.0]
        .into_iter()
        .min_by(|a, b| risk(*a).total_cmp(&risk(*b)))
        .unwrap_or(1.0);
    let h = setting.bounds.width();
    Shrinkage { factor, risk: risk(factor) * h * h }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    #[test]
    fn never_worse_than_unshrunk_or_the_middle_and_never_beaten_on_a_fine_grid() {
        for profile in
            ["0.01:10", "0.1:1000,inf:5", "1:100000", "inf:4", "inf:1", "1e-9:3,2:1", "0:5,1:20"]
        {
            for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
                for share in [1.0, 0.3, 0.01] {
                    let mut setting = Setting::new(profile.parse().unwrap(), Bounds::UNIT, target);
                    if target != Target::DatasetCorrelated {
                        setting.variance *= share;
                    }
                    let design = Design::clipped(&setting, 1.0);
                    let shrunk = Shrinkage::optimal(&setting, &design);
                    let plain = design.risk(&setting);
                    let tolerance = 1.0 + 1e-9;
                    assert!((0.0..=1.0).contains(&shrunk.factor), "{profile} {target:?}");
                    assert!(
                        shrunk.risk <= plain.total() * tolerance,
                        "{profile} {target:?} {share}"
                    );
                    assert!(shrunk.risk <= 0.25 * tolerance, "{profile} {target:?} {share}");
                    if target == Target::DatasetCorrelated {
                        continue;
                    }
                    // The worst case over d and the best λ, both on a grid.
                    let spread = plain.sampling / setting.variance;
                    let least = (0..=1000).map(|l| f64::from(l) / 1000.0).map(|factor| {
                        (0..=1000)
                            .map(|d| f64::from(d) / 4000.0)
                            .map(|d2| {
                                let variance = setting.variance.min(0.25 - d2);
                                (1.0 - factor).powi(2) * d2
                                    + factor.powi(2) * (spread * variance + plain.noise)
                            })
                            .fold(0.0, f64::max)
                    });
                    let least = least.fold(f64::INFINITY, f64::min);
                    assert!(
                        shrunk.risk <= least * 1.0001,
                        "{profile} {target:?} {share}: {} {least}",
                        shrunk.risk
                    );
                }
            }
        }
    }
}
