//! How far an estimate can be from what it estimates, at the stated confidence.

use crate::{Target, WeightedPlan};

impl WeightedPlan {
    /// How far the interval reaches to each side of an estimate, in units of the data.
    ///
    /// Noise and the normal approximation of the sampling error together, plus half a step of the
    /// coarsest lattice the weighted sum can move on (a continuity correction: without it a
    /// two-valued population is covered too rarely; a whole step where a small variance is
    /// declared, whose rare values are few), plus half a step of the grid.
    ///
    /// For `dataset-correlated` nothing is approximated by a normal distribution, so the interval
    /// covers at least as often as stated, whatever the data: the weighting error is added at its
    /// worst; the tail of Laplace noises is that of their sum; flipped bits are bounded by
    /// Chernoff's inequality.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Request, Statistic};
    ///
    /// let request = Request::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let reach = request.plan("inf:10000".parse()?)?.reach();
    /// // 1.96 standard deviations of at most 1/2 over √n, and half a step of 1/n.
    /// assert!((reach - 0.00985).abs() < 1e-5);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn reach(&self) -> f64 {
        let (setting, candidate) = (self.setting(), self.chosen());
        let weights = &candidate.design.weights;
        let confidence = self.request().options().confidence;
        let width = setting.bounds.width();
        let noise = candidate.design.noise_shape(setting);
        let steps = if self.request().options().variance.is_some() { 1.0 } else { 0.5 };
        let drawn = || width * noise.half_width(confidence, candidate.risk.sampling.sqrt() / width);
        let reach = match setting.target {
            Target::Population => drawn() + steps * width * weights.largest(),
            Target::Dataset => drawn() + steps * width * (weights.largest() - weights.least()),
            Target::DatasetCorrelated => {
                width * noise.certain_half_width(confidence)
                    + width / 2.0 * weights.distance(&setting.profile)
            }
        };
        reach + width / (2.0 * self.grid().points() as f64)
    }
}
