//! How far an estimate can be from what it estimates, at the stated confidence.

use crate::interval::half_width;
use crate::{Method, Plan, Target};

impl Plan {
    /// How far below and above an estimate the interval reaches, in units of the data.
    ///
    /// Noise and the normal approximation of the sampling error together, plus half a step of the
    /// coarsest lattice the weighted sum can move on (a continuity correction: without it a
    /// two-valued population is covered too rarely; a whole step where a small variance is
    /// declared, whose rare values are few), plus half a step of the grid. For `dataset-correlated`
    /// the weighting error is added at its worst instead, which is a guarantee. A biased estimator
    /// lies too low by at most its bias bound.
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
        let (laplace, rest) = (width * noise.laplace, width * width * noise.rest);
        let steps = if self.request().options().variance.is_some() { 1.0 } else { 0.5 };
        let biased = design.method == Method::Stretch;
        // The risk of a biased estimator mixes bias and variance; this bounds the variance alone.
        let sampling = match biased {
            true => setting.variance * weights.squared_norm(&setting.profile),
            false => candidate.risk.sampling,
        };
        let reach = match setting.target {
            Target::Population => {
                half_width(confidence, laplace, (sampling + rest).sqrt())
                    + steps * width * design.largest_step(setting)
            }
            Target::Dataset => {
                let step = design.largest_step(setting) - weights.least();
                half_width(confidence, laplace, (sampling + rest).sqrt()) + steps * width * step
            }
            Target::DatasetCorrelated => {
                let worst =
                    if biased { 0.0 } else { width / 2.0 * weights.distance(&setting.profile) };
                // What a random sample adds to the weighting error.
                let dropping = if biased { 0.0 } else { (sampling - worst * worst).max(0.0) };
                half_width(confidence, laplace, (rest + dropping).sqrt()) + worst
            }
        } + width / (2.0 * self.grid().points() as f64);
        (reach, reach + design.bias_bound(setting))
    }
}
