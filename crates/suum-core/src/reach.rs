//! How far an estimate can be from what it estimates, at the stated confidence.

use crate::design::Bits;
use crate::{Method, Plan, Target};

impl Plan {
    /// How far below and above an estimate the interval reaches, in units of the data.
    ///
    /// Noise and the normal approximation of the sampling error together, plus half a step of the
    /// coarsest lattice the weighted sum can move on (a continuity correction: without it a
    /// two-valued population is covered too rarely; a whole step where a small variance is
    /// declared, whose rare values are few), plus half a step of the grid. A biased estimator lies
    /// too low by at most its bias bound.
    ///
    /// For `dataset-correlated` nothing is approximated by a normal distribution, so the interval
    /// covers at least as often as stated, whatever the data: the weighting error is added at its
    /// worst; the tail of Laplace noises is that of their sum; flipped bits and a random sample are
    /// bounded by Chernoff's inequality.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Request, Statistic};
    ///
    /// let request = Request::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let (down, up) = request.plan("inf:10000".parse()?)?.reach();
    /// // 1.96 standard deviations of at most 1/2 over √n, and half a step of 1/n.
    /// assert!(down == up && (down - 0.00985).abs() < 1e-5);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn reach(&self) -> (f64, f64) {
        let (setting, candidate) = (self.setting(), self.chosen());
        let (design, weights) = (&candidate.design, &candidate.design.weights);
        let confidence = self.request().options().confidence;
        let width = setting.bounds.width();
        let noise = design.noise_shape(setting);
        let steps = if self.request().options().variance.is_some() { 1.0 } else { 0.5 };
        let biased = design.method == Method::Stretch;
        // The risk of a biased estimator mixes bias and variance; this bounds the variance alone.
        let sampling = match biased {
            true => setting.variance * weights.squared_norm(&setting.profile),
            false => candidate.risk.sampling,
        };
        let reach = match setting.target {
            Target::Population => {
                width * noise.half_width(confidence, sampling.sqrt() / width)
                    + steps * width * design.largest_step(setting)
            }
            Target::Dataset => {
                let step = design.largest_step(setting) - weights.least();
                width * noise.half_width(confidence, sampling.sqrt() / width) + steps * width * step
            }
            Target::DatasetCorrelated => {
                let worst =
                    if biased { 0.0 } else { width / 2.0 * weights.distance(&setting.profile) };
                // What a random sample adds to the weighting error shares the probability of a
                // miss with the noise.
                let dropped = design.dropped(setting);
                if dropped.is_empty() {
                    width * noise.certain_half_width(confidence) + worst
                } else {
                    let each = (1.0 + confidence) / 2.0;
                    let dropping = Bits::half_width(&dropped, each);
                    width * (noise.certain_half_width(each) + dropping) + worst
                }
            }
        } + width / (2.0 * self.grid().points() as f64);
        (reach, reach + design.bias_bound(setting))
    }
}
