//! Exact risks: the worst-case mean squared error of given weights.

use serde::Serialize;

use crate::{Setting, Target, Weights};

/// A worst-case mean squared error and its two parts, in squared units of the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Risk {
    /// The error without noise: of drawing a sample, or of weighting records unequally.
    pub sampling: f64,
    /// The variance of the noise, 2η².
    pub noise: f64,
}

impl Risk {
    /// The risk of weights that are released with Laplace noise of scale h·max w/ε.
    ///
    /// # Formula
    ///
    /// The sampling part is, with h the width of the bounds,
    /// * `population`: σ²·‖w‖₂²;
    /// * `dataset`: (n/(n−1))·σ²·‖w − 1/n‖₂² (values in random order; zero for a single record);
    /// * `dataset-correlated`: (h/2)²·‖w − 1/n‖₁² (the worst assignment of values to budgets).
    ///
    /// Sources: CC23 equation (17), CC24 section 2, CZ26 equation (2).
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Risk, Setting, Target, Weights};
    ///
    /// // CZ26 Example 1: two people with ε = 1/2 and 1; the affine risk is 37/36.
    /// let setting = Setting::new("0.5:1,1:1".parse()?, Bounds::UNIT, Target::Population);
    /// let weights = Weights::clipped(&setting.profile, 1.0);
    /// assert!((Risk::of_weights(&setting, &weights).total() - 37.0 / 36.0).abs() < 1e-12);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn of_weights(setting: &Setting, weights: &Weights) -> Self {
        let profile = &setting.profile;
        let width = setting.bounds.width();
        let n = setting.records();
        let sampling = match setting.target {
            Target::Population => setting.variance * weights.squared_norm(profile),
            Target::Dataset if n > 1.0 => {
                n / (n - 1.0) * setting.variance * weights.squared_distance(profile)
            }
            Target::Dataset => 0.0,
            Target::DatasetCorrelated => (width / 2.0 * weights.distance(profile)).powi(2),
        };
        let eta = width * weights.noise(profile);
        Self { sampling, noise: 2.0 * eta * eta }
    }

    /// The mean squared error.
    pub fn total(self) -> f64 {
        self.sampling + self.noise
    }

    /// The root of the mean squared error, in units of the data.
    pub fn rmse(self) -> f64 {
        self.total().sqrt()
    }

    /// The root of the sampling part, in units of the data.
    pub fn sampling_sd(self) -> f64 {
        self.sampling.sqrt()
    }

    /// The standard deviation of the noise, in units of the data.
    pub fn noise_sd(self) -> f64 {
        self.noise.sqrt()
    }
}
