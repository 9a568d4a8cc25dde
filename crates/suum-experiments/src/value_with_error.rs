//! Numbers with their standard errors.

use suum::simulation::Errors;

/// Number with its standard error; zero if it is exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValueWithError {
    /// The number.
    pub value: f64,
    /// Standard error.
    pub error: f64,
}

impl ValueWithError {
    /// Creates a number that was not measured but computed, or published.
    pub fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// Mean squared error.
    pub fn mean_squared(errors: &Errors) -> Self {
        let (value, error) = errors.mean_squared();
        Self { value, error }
    }

    /// Root of the mean squared error.
    pub fn rmse(errors: &Errors) -> Self {
        let squared = Self::mean_squared(errors);
        let value = squared.value.sqrt();
        // The derivative of a root.
        Self { value, error: squared.error / (2.0 * value).max(f64::MIN_POSITIVE) }
    }

    /// Quantile of the absolute errors; its standard error is half the distance of the quantiles
    /// that are one standard deviation of a binomial rank away.
    pub fn quantile(errors: &Errors, q: f64) -> Self {
        let width = (q * (1.0 - q) / errors.all().len() as f64).sqrt();
        let error = (errors.quantile(q + width) - errors.quantile(q - width)) / 2.0;
        Self { value: errors.quantile(q), error }
    }

    /// Converts to another unit.
    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, error: self.error * factor.abs() }
    }

    /// Natural logarithm.
    pub fn ln(self) -> Self {
        Self { value: self.value.ln(), error: self.error / self.value }
    }
}
