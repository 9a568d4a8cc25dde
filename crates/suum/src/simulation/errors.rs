//! Errors of all trials, and their summaries.

/// Errors of a simulation, one per trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Errors(Vec<f64>);

impl Errors {
    /// Wraps errors, one per trial.
    pub fn new(errors: Vec<f64>) -> Self {
        Self(errors)
    }

    /// Errors in the order of the trials.
    pub fn all(&self) -> &[f64] {
        &self.0
    }

    /// Mean error and its standard error: the bias, for a mean.
    pub fn mean(&self) -> (f64, f64) {
        mean_of(self.0.iter().copied())
    }

    /// Mean squared error and its standard error.
    pub fn mean_squared(&self) -> (f64, f64) {
        mean_of(self.0.iter().map(|error| error * error))
    }

    /// Error that a share `probability`, in [0, 1], of the trials does not exceed in absolute
    /// value.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::simulation::{Data, Simulation};
    /// use suum::{Bounds, Options, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let plan = request.plan("1:50".parse()?)?;
    /// let errors = Simulation { trials: 500, seed: 1, released: true }
    ///     .mean(&plan, &Data::Fixed(vec![0.3; 50]))?;
    /// assert!(errors.quantile(0.5) < errors.quantile(0.95));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn quantile(&self, probability: f64) -> f64 {
        let mut sizes: Vec<f64> = self.0.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let rank = (probability.clamp(0.0, 1.0) * sizes.len() as f64).ceil() as usize;
        sizes.get(rank.clamp(1, sizes.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
    }
}

fn mean_of(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance =
        values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}
