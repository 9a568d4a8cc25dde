//! How far an estimate can be from what it estimates, at the stated confidence.

use super::End;
use crate::answer::coverage::Coverage;
use crate::answer::noise_shape::NoiseShape;
use crate::answer::spread::{LARGEST, furthest};
use crate::strategy::risk::spread_of_all;
use crate::{Mechanism, Setting, Target, WeightedPlan, Weights};

impl WeightedPlan {
    /// How far the interval reaches to each side of an estimate, in units of the data.
    ///
    /// Noise and the normal approximation of the sampling error together, plus half a step of the
    /// coarsest lattice the weighted sum can move on (a continuity correction: without it a
    /// two-valued population is covered too rarely; a whole step where a small variance is
    /// declared, whose rare values are few), plus half a step of the grid.
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

    /// As [`half_width`](Self::half_width), of the sum of the shares of so many categories, which
    /// is the share of the records in one of them.
    pub(crate) fn half_width_of(&self, together: usize) -> f64 {
        if let Some(half_width) = self.half_width_if_tiers_differ(together) {
            return half_width;
        }
        let noise = self.noise_of(together);
        let width = self.setting().bounds.width();
        let (sd, fixed) = self.beside_noise(&noise);
        width * (noise.half_width(self.coverage().confidence, sd) + fixed)
    }

    /// As [`half_width`](Self::half_width), with the errors that it is made of.
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

    /// The standard deviation of a normal error beside this noise, and a fixed distance, in units
    /// of the range. A target that assumes more takes what it has in common with one that assumes
    /// less, where that reaches less far.
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

    /// The noise of the sum of the shares of so many categories.
    fn noise_of(&self, together: usize) -> NoiseShape {
        let shape = self.chosen().design.noise_shape(self.setting());
        match self.setting().categories.filter(|_| together != 1) {
            Some(categories) => shape.of_some(together, categories),
            None => shape,
        }
    }

    /// How intervals are made.
    fn coverage(&self) -> Coverage {
        self.request().coverage(self.adds_up())
    }

    /// Whether noisy shares add up to 1.
    pub(super) fn adds_up(&self) -> bool {
        matches!(self.mechanism(), Mechanism::WeightedCounts(_))
    }

    /// What the intervals of all estimates of a release have in common, for the targets without
    /// correlation.
    pub(crate) fn half_widths(&self) -> HalfWidths {
        self.half_widths_of(1)
    }

    /// As [`half_widths`](Self::half_widths), of sums of the shares of so many categories.
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

/// The step of the coarsest lattice that a weighted sum can move on: of these records one where
/// two values change places, in strata two of the same one.
fn lattice_step(setting: &Setting, weights: &Weights) -> f64 {
    match setting.target {
        Target::Population => weights.largest(),
        Target::Dataset | Target::DatasetCorrelated => weights.largest_swap(&setting.profile),
    }
}

/// Noise and sampling error, as the intervals of a release see them.
pub(crate) struct HalfWidths {
    pub(super) confidence: f64,
    pub(super) noise: NoiseShape,
    /// Largest error of an estimate without noise, whichever record has which of the values, in
    /// units of the range; infinite where the records are a sample.
    certain: f64,
    /// The part of the variance of the values that the sampling error has.
    factor: f64,
    width: f64,
    /// Half a step of the coarsest lattice of the sum (more where intervals hold all at once), and
    /// half a step of the grid.
    rounding: f64,
}

impl HalfWidths {
    /// How far the interval reaches below and above an estimate, in units of the data, where
    /// `variance` tells the variance of the values from their mean, both in units of the range. The
    /// further a mean is from the estimate, the larger it is.
    ///
    /// It holds every mean μ that agrees with the estimate: those that are no further from it than
    /// the noise and a normal sampling error of the variance at μ reach together. To that comes
    /// half a step of the coarsest lattice of the sum, and half a step of the grid.
    pub(crate) fn around(&self, share: f64, variance: impl Fn(f64) -> f64) -> [End; 2] {
        [-1.0, 1.0].map(|side| self.beyond(share, side, &variance, Beyond::NOTHING))
    }

    /// How far the interval reaches below (−1) or above (1) an estimate, as
    /// [`around`](Self::around), where something else is added that has noise and a sampling error
    /// of its own.
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
        // At a mean that is no nearer than the end, so with no smaller an error.
        let sd = sd(variance((share + side * distance).clamp(0.0, 1.0)));
        let errors = noise.errors(sd, self.rounding / self.width);
        End {
            half_width: self.width * distance + self.rounding,
            errors: errors.map(|errors| errors.times(self.width)),
        }
    }

    /// The width of the range, in units of the data.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }
}

/// What is added to an estimate besides, in units of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beyond {
    /// The scale of its Laplace noise.
    pub(crate) scale: f64,
    /// By how much it makes the variance of the sampling error larger.
    pub(crate) variance: f64,
}

impl Beyond {
    const NOTHING: Self = Self { scale: 0.0, variance: 0.0 };
}

#[cfg(test)]
mod tests {
    use crate::{Choice, Estimator, Options, WeightedRequest};

    /// Of two shares both intervals hold, or none, if they add up to 1 with their noise: those of
    /// `mixed` and `local` need not.
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
