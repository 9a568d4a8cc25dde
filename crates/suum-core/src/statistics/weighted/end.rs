//! End of an interval, with its errors, so that the ends of two estimates can be combined.

use crate::answer::tail::LaplaceSum;

/// Distance of one end of an interval from its estimate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    /// Distance, in units of the data.
    pub(crate) half_width: f64,
    /// Errors that the distance covers; `None` if the noise is not Laplace.
    pub(crate) errors: Option<Errors>,
}

/// Independent errors of an estimate, in its units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Errors {
    /// Scales of Laplace noises, each with the number of noises that have it.
    scales: Vec<(f64, f64)>,
    /// Standard deviation of a centred normal error.
    sd: f64,
    /// Fixed distance that is added to the reach of these errors.
    fixed: f64,
}

impl Errors {
    /// Returns the errors of Laplace noises of these scales, a normal error, and a fixed distance.
    pub(crate) fn new(scales: Vec<(f64, f64)>, sd: f64, fixed: f64) -> Self {
        Self { scales, sd, fixed }
    }

    /// Returns the errors with `distance` added to the fixed distance.
    pub(crate) fn beyond(mut self, distance: f64) -> Self {
        self.fixed += distance;
        self
    }

    /// Returns the errors of an estimate that is multiplied by `unit`.
    pub(crate) fn times(&self, unit: f64) -> Self {
        let scales = self.scales.iter().map(|(scale, count)| (scale * unit, *count));
        Self { scales: scales.collect(), sd: self.sd * unit, fixed: self.fixed * unit }
    }

    /// Returns the errors of the sum of two estimates with independent noises; `sd_of_both` returns
    /// the standard deviation of the sum of their normal errors.
    pub(crate) fn and(&self, other: &Self, sd_of_both: fn(f64, f64) -> f64) -> Self {
        Self {
            scales: self.scales.iter().chain(&other.scales).copied().collect(),
            sd: sd_of_both(self.sd, other.sd),
            fixed: self.fixed + other.fixed,
        }
    }

    /// Returns the half width of an interval of this confidence.
    pub(crate) fn half_width(&self, confidence: f64) -> f64 {
        let drawn = LaplaceSum::new(self.scales.iter().copied(), self.sd).half_width(confidence);
        (drawn + self.fixed).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::interval::half_width_of_two;

    /// Noises and normal errors reach as far as their sum does; what is certain is added.
    #[test]
    fn errors_of_both_reach_as_far_as_their_sum() {
        let errors = |scale, sd, fixed| Errors::new(vec![(scale, 1.0)], sd, fixed);
        for (one, other, sd) in [((2.0, 1.0), (0.5, 3.0), 10f64), ((1.0, 0.0), (1.0, 0.0), 0.0)] {
            let both = errors(one.0, one.1, 0.25).and(&errors(other.0, other.1, 0.5), f64::hypot);
            let half_width = half_width_of_two(0.95, (one.0, other.0), sd.sqrt());
            assert!((both.half_width(0.95) - half_width - 0.75).abs() < 1e-4, "{both:?}");
            let in_thousands = both.times(1000.0).beyond(-100.0).half_width(0.95);
            assert!((in_thousands - 1000.0 * half_width - 650.0).abs() < 0.1, "{in_thousands}");
        }
        let certain = Errors::new(Vec::new(), 0.0, 3.0);
        assert_eq!(certain.and(&certain, f64::hypot).half_width(0.95), 6.0);
        assert_eq!(certain.beyond(-4.0).half_width(0.95), 0.0);
    }

    #[test]
    fn normal_errors_of_shared_records_add_up() {
        let errors = |sd| Errors::new(Vec::new(), sd, 0.0);
        let both = errors(3.0).and(&errors(4.0), |one, other| one + other).half_width(0.95);
        assert!((both - errors(7.0).half_width(0.95)).abs() < 1e-9);
        let apart = errors(3.0).and(&errors(4.0), f64::hypot).half_width(0.95);
        assert!((apart - errors(5.0).half_width(0.95)).abs() < 1e-9);
    }
}
