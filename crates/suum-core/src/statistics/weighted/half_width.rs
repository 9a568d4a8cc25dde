//! Half widths of intervals at the stated confidence.

use super::End;
use crate::answer::coverage::Coverage;
use crate::answer::noise_shape::NoiseShape;
use crate::answer::spread::{LARGEST, furthest};
use crate::strategy::risk::spread_of_all;
use crate::{Mechanism, Setting, Target, WeightedPlan, Weights};

impl WeightedPlan {
    /// Returns the half width of the interval of an estimate, in units of the data.
    ///
    /// It combines noise and the normal approximation of the sampling error, adds half a step of
    /// the coarsest lattice the weighted sum can move on (a continuity correction: without it a
    /// two-valued population is covered too rarely; a whole step for a small declared variance,
    /// whose rare values are few), and half a step of the grid.
    ///
    /// The tail of Laplace noises is that of their sum; flipped bits are bounded by Chernoff's
    /// inequality. For `dataset-correlated` nothing is approximated by a normal distribution, so
    /// the interval covers at least as often as stated, whatever the data: the weighting error is
    /// added at its worst.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let half_width = request.plan("inf:10000".parse()?)?.half_width();
    /// // 1.96 standard deviations of at most 1/2 over √n, and half a step of 1/n.
    /// assert!((half_width - 0.00985).abs() < 1e-5);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn half_width(&self) -> f64 {
        self.half_width_of(1)
    }

    /// Returns the half width for the sum of the shares of `together` categories, which is the
    /// share of the records in one of them; see [`half_width`](Self::half_width).
    pub(crate) fn half_width_of(&self, together: usize) -> f64 {
        if let Some(half_width) = self.half_width_if_tiers_differ(together) {
            return half_width;
        }
        let noise = self.noise_of(together);
        let width = self.setting().bounds.width();
        let (sd, fixed) = self.beside_noise(&noise);
        width * (noise.half_width(self.coverage().confidence, sd) + fixed)
    }

    /// Returns the [half width](Self::half_width) with the errors that it covers.
    pub(crate) fn end(&self) -> End {
        let setting = self.setting();
        let noise = self.chosen().design.noise_shape(setting);
        let width = setting.bounds.width();
        let (sd, fixed) = self.beside_noise(&noise);
        End {
            half_width: width * (noise.half_width(self.coverage().confidence, sd) + fixed),
            errors: noise.errors(sd, fixed).map(|errors| errors.times(width)),
        }
    }

    /// Returns the standard deviation of a normal error besides this noise, and a fixed distance,
    /// in units of the range. For the target `dataset` they are the shorter of its own and those of
    /// `dataset-correlated`, which assumes less.
    fn beside_noise(&self, noise: &NoiseShape) -> (f64, f64) {
        let (setting, candidate) = (self.setting(), self.chosen());
        let weights = &candidate.design.weights;
        let coverage = self.coverage();
        let rounding = 0.5 / self.grid().points() as f64;
        let declared = self.request().options().variance.is_some();
        let steps = if declared { 1.0 } else { coverage.steps };
        let drawn = || {
            let sd = candidate.risk.sampling.sqrt() / setting.bounds.width();
            (sd, steps * lattice_step(setting, weights) + rounding)
        };
        let certain = || (0.0, weights.distance(&setting.profile) / 2.0 + rounding);
        match setting.target {
            Target::Population => drawn(),
            Target::DatasetCorrelated => certain(),
            Target::Dataset => {
                let reach =
                    |(sd, fixed): (f64, f64)| noise.half_width(coverage.confidence, sd) + fixed;
                let (drawn, certain) = (drawn(), certain());
                if reach(certain) < reach(drawn) { certain } else { drawn }
            }
        }
    }

    /// Returns the noise of the sum of the shares of `together` categories.
    fn noise_of(&self, together: usize) -> NoiseShape {
        let shape = self.chosen().design.noise_shape(self.setting());
        match self.setting().categories.filter(|_| together != 1) {
            Some(categories) => shape.sum_of_some(together, categories),
            None => shape,
        }
    }

    /// Returns the coverage of the intervals.
    fn coverage(&self) -> Coverage {
        self.request().coverage(self.adds_up())
    }

    /// Returns true if noisy shares add up to 1.
    pub(super) fn adds_up(&self) -> bool {
        matches!(self.mechanism(), Mechanism::WeightedCounts(_))
    }

    /// Returns the common part of the intervals of all estimates of a release, for the targets
    /// without correlation.
    pub(crate) fn half_widths(&self) -> HalfWidths {
        self.half_widths_of(1)
    }

    /// Returns the common part of the intervals of sums of the shares of `together` categories; see
    /// [`half_widths`](Self::half_widths).
    pub(crate) fn half_widths_of(&self, together: usize) -> HalfWidths {
        let (setting, design) = (self.setting(), &self.chosen().design);
        let (width, weights) = (setting.bounds.width(), &design.weights);
        let coverage = self.coverage();
        let step = lattice_step(setting, weights);
        let certain = match setting.target {
            Target::Population => f64::INFINITY,
            Target::Dataset | Target::DatasetCorrelated => {
                weights.distance(&setting.profile) / 2.0 + 0.5 / self.grid().points() as f64
            }
        };
        HalfWidths {
            confidence: coverage.confidence,
            noise: self.noise_of(together),
            certain,
            factor: spread_of_all(setting, weights),
            width,
            rounding: width * (coverage.steps * step + 0.5 / self.grid().points() as f64),
        }
    }
}

/// Returns the step of the coarsest lattice that a weighted sum can move on. For these very
/// records, two values change places, with strata two of the same stratum.
fn lattice_step(setting: &Setting, weights: &Weights) -> f64 {
    match setting.target {
        Target::Population => weights.largest(),
        Target::Dataset | Target::DatasetCorrelated => weights.largest_swap(&setting.profile),
    }
}

/// Noise and sampling error in the intervals of a release.
pub(crate) struct HalfWidths {
    pub(super) confidence: f64,
    pub(super) noise: NoiseShape,
    /// Largest error of an estimate without noise, for any assignment of the values to records, in
    /// units of the range; infinite if the records are a sample.
    certain: f64,
    /// Ratio of the variance of the sampling error to the variance of the values.
    factor: f64,
    width: f64,
    /// Half a step of the coarsest lattice of the sum (more for simultaneous intervals), and half a
    /// step of the grid.
    rounding: f64,
}

impl HalfWidths {
    /// Returns the ends of the interval below and above an estimate, with distances in units of the
    /// data. `variance` returns the variance of the values for their mean, both in units of the
    /// range; it grows with the distance of the mean from the estimate.
    ///
    /// The interval holds every mean μ that agrees with the estimate: noise and a normal sampling
    /// error of the variance at μ together reach it. Half a step of the coarsest lattice of the
    /// sum, and half a step of the grid, are added.
    pub(crate) fn around(&self, share: f64, variance: impl Fn(f64) -> f64) -> [End; 2] {
        [-1.0, 1.0].map(|side| self.beyond(share, side, &variance, Beyond::NOTHING))
    }

    /// Returns the end of the interval below (−1) or above (1) an estimate, as in
    /// [`around`](Self::around), if a quantity with its own noise and sampling error is added to
    /// the estimate.
    pub(crate) fn beyond(
        &self,
        share: f64,
        side: f64,
        variance: &impl Fn(f64) -> f64,
        beyond: Beyond,
    ) -> End {
        let noise = self.noise.and(beyond.scale);
        let sd = |variance: f64| (variance * self.factor + beyond.variance).sqrt();
        let half_width = |variance: f64| noise.half_width(self.confidence, sd(variance));
        let share = share.clamp(0.0, 1.0);
        let distance = furthest(half_width(LARGEST), |distance| {
            half_width(variance((share + side * distance).clamp(0.0, 1.0)))
        });
        let is_alone = beyond == Beyond::NOTHING;
        let certain = noise.half_width(self.confidence, 0.0) + self.certain;
        if is_alone && self.width * certain < self.width * distance + self.rounding {
            let errors = noise.errors(0.0, self.certain);
            return End {
                half_width: self.width * certain,
                errors: errors.map(|errors| errors.times(self.width)),
            };
        }
        // The error at a mean at least as far as the end, so no smaller.
        let sd = sd(variance((share + side * distance).clamp(0.0, 1.0)));
        let errors = noise.errors(sd, self.rounding / self.width);
        End {
            half_width: self.width * distance + self.rounding,
            errors: errors.map(|errors| errors.times(self.width)),
        }
    }

    /// Returns the width of the range, in units of the data.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }
}

/// Quantity that is added to an estimate, in units of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beyond {
    /// Scale of its Laplace noise.
    pub(crate) scale: f64,
    /// Increase of the variance of the sampling error.
    pub(crate) variance: f64,
}

impl Beyond {
    const NOTHING: Self = Self { scale: 0.0, variance: 0.0 };
}

#[cfg(test)]
mod tests {
    use crate::{Choice, Estimator, Options, WeightedRequest};

    /// The intervals of two shares hold or fail together if the shares add up to 1 with their
    /// noise; those of `mixed` and `local` need not add up.
    #[test]
    fn two_shares_that_need_not_add_up_fail_apart() {
        let half_width = |estimator, simultaneous| {
            let estimator = Choice::Named(estimator);
            let options = Options { estimator, simultaneous, ..Options::default() };
            let request = WeightedRequest::frequency("a,b".parse().unwrap(), options).unwrap();
            request.plan("0.5:300,1:100".parse().unwrap()).unwrap().half_width()
        };
        for (estimator, longer) in
            [(Estimator::Affine, false), (Estimator::Mixed, true), (Estimator::Local, true)]
        {
            let (alone, together) = (half_width(estimator, false), half_width(estimator, true));
            assert_eq!(together > alone, longer, "{estimator}: {alone} {together}");
        }
    }
}
