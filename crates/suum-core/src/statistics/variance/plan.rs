//! Plans of a variance: weights and losses, fixed before a value is read.

use super::VarianceRequest;
use crate::answer::interval::half_width;
use crate::error::option;
use crate::private::part::Part;
use crate::private::session::PlannedMechanism;
use crate::strategy::weights::l2;
use crate::{
    Epsilon, Error, ExpectedError, Grid, Loss, Profile, Result, Target, Totals, TotalsQuestion,
    Weights,
};

/// Noise of a variance at the distribution whose sampling error is largest, in units of max(w/ε)².
///
/// In units where the bounds are −1 and 1, the variance of (x − μ)² is at most 1: two values at the
/// bounds, of probabilities p and 1 − p with p(1 − p) = 1/8, so that μ² = 1/2. There the noise of
/// variance 2η² in each moment makes 2η²·(1 + 4μ²) = 6η², and η = (9/4)·max(w/ε).
const WORST_NOISE: f64 = 6.0 * 81.0 / 16.0;

/// Plan of a variance, made from public facts only. Noise, certificate and report all read this
/// value.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, VarianceRequest};
///
/// let request = VarianceRequest::new(Bounds::UNIT, Options::default())?;
/// let plan = request.plan("0.1:3400,1:4300,inf:23".parse()?)?;
/// for (level, spent) in plan.profile().levels().iter().zip(plan.losses()) {
///     assert!(spent.within(level.epsilon));
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VariancePlan {
    request: VarianceRequest,
    part: Part,
    grid: Grid,
    weights: Weights,
    tau: f64,
    mechanism: Totals,
}

impl VarianceRequest {
    /// Returns the plan for a public profile, on the default grid.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records, or with a single record.
    pub fn plan(&self, profile: Profile) -> Result<VariancePlan> {
        VariancePlan::new(self, profile, Grid::new(self.bounds()))
    }
}

impl VariancePlan {
    /// Returns the plan for a public profile, on `grid`.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records, or with a single record.
    pub fn new(request: &VarianceRequest, allowed: Profile, grid: Grid) -> Result<Self> {
        let part = Part::new(allowed, request.options().share)?;
        let profile = part.profile();
        profile.check_usable()?;
        if profile.records() < 2 {
            return Err(Error::request(option::PROFILE, "one record alone has no variance")
                .with_fix("add people, or ask for a mean"));
        }
        let n = profile.records() as f64;
        let sampling = match request.options().target {
            Target::Dataset => n / (n - 1.0),
            _ => 1.0,
        };
        let tau = l2::clip_level(profile, WORST_NOISE / sampling);
        let weights = Weights::clipped(profile, tau);
        let question = TotalsQuestion::Moments(grid.points());
        let mechanism = Totals::calibrated(profile, weights.integers(), question);
        Ok(Self { request: request.clone(), part, grid, weights, tau, mechanism })
    }

    /// Returns the request.
    pub fn request(&self) -> &VarianceRequest {
        &self.request
    }

    /// Returns the privacy levels, with the share of their budgets that may be spent.
    pub fn profile(&self) -> &Profile {
        self.part.profile()
    }

    /// Returns the privacy levels, with everything that they allow.
    pub fn allowed(&self) -> &Profile {
        self.part.allowed()
    }

    /// Returns the grid on which values are summed.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the weight of one record, per level.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns τ, at which budgets are clipped; infinite if only public records count.
    pub fn tau(&self) -> f64 {
        self.tau
    }

    /// Returns the integer mechanism.
    pub fn mechanism(&self) -> &Totals {
        &self.mechanism
    }

    /// Returns the exact loss of one record of each level, in the order of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.part.losses(|position| self.mechanism.loss(position))
    }

    /// Returns the expected error of the variance at the distribution that is hardest to sample, in
    /// squared units of the data.
    pub fn error(&self) -> ExpectedError {
        let noise = WORST_NOISE.sqrt() * self.weights.noise(self.profile());
        let sampling = self.spread().sqrt();
        let unit = self.grid.bounds().width().powi(2) / 4.0;
        ExpectedError {
            noise_sd: noise * unit,
            sampling_sd: sampling * unit,
            rmse: (noise * noise + sampling * sampling).sqrt() * unit,
        }
    }

    /// Returns the expected error of the mean that is measured with the variance, in the worst case
    /// over all values inside the bounds.
    pub fn error_of_mean(&self) -> ExpectedError {
        let unit = self.grid.bounds().width() / 2.0;
        let noise = std::f64::consts::SQRT_2 * self.noise_scale() * unit;
        let sampling = self.spread().sqrt() * unit;
        ExpectedError { noise_sd: noise, sampling_sd: sampling, rmse: noise.hypot(sampling) }
    }

    /// Returns the largest half width of the interval of that mean.
    pub(crate) fn half_width_of_mean(&self) -> f64 {
        let unit = self.grid.bounds().width() / 2.0;
        let confidence = self.request.options().confidence;
        unit * half_width(confidence, self.noise_scale(), self.spread().sqrt())
    }

    /// Returns η, the scale of the noise in either moment, for bounds of −1 and 1.
    pub(crate) fn noise_scale(&self) -> f64 {
        2.25 * self.weights.noise(self.profile())
    }

    /// Returns the sampling variance of a weighted mean of records of variance 1.
    pub(super) fn spread(&self) -> f64 {
        let n = self.profile().records() as f64;
        match self.request.options().target {
            Target::Dataset => n / (n - 1.0) * self.weights.squared_distance(self.profile()),
            _ => self.weights.squared_norm(self.profile()),
        }
    }

    /// Returns the levels, and the part of their budgets that may be spent.
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// Returns the measurement that the plan is for.
    pub(crate) fn measurement(&self) -> PlannedMechanism<'_, Totals> {
        PlannedMechanism::new(&self.part, &self.mechanism)
    }

    /// Returns the position of the level in which a record of this budget is counted.
    pub fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.part.position(allowed)
    }

    /// Returns the exact loss of a record that allows this much.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.position(allowed).map_or(Loss::ZERO, |position| self.mechanism.loss(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bounds, ErrorKind, ExactSum, LevelSums, LevelTable, Measure, Numbers, Options, Randomness,
        Share,
    };

    #[test]
    fn a_mechanism_that_spends_too_much_is_not_released() {
        for share in [Share::ALL, Share::new(0.4).unwrap()] {
            let options = Options { share, ..Options::default() };
            let request = VarianceRequest::new(Bounds::UNIT, options).unwrap();
            let good = request.plan("0.5:300,1:200".parse().unwrap()).unwrap();
            let looser = request.plan("0.51:300,1.02:200".parse().unwrap()).unwrap();
            let bad = VariancePlan { mechanism: looser.mechanism, ..good.clone() };
            let release = |plan: VariancePlan| {
                // Everybody in the middle of the bounds.
                let by_level = plan.allowed().levels().iter().map(|level| {
                    let sum = i128::from(level.count) * i128::from(plan.grid.points()) / 2;
                    LevelSums {
                        label: None,
                        epsilon: level.epsilon,
                        count: level.count,
                        sums: vec![ExactSum::from_raw(sum), ExactSum::default()],
                        cells: Default::default(),
                    }
                });
                let numbers = Numbers { grid: plan.grid, squares: true, cells: None };
                let table =
                    LevelTable::new(None, Measure::Numbers(numbers), by_level.collect()).unwrap();
                plan.release(table, &mut Randomness::insecure(1))
            };
            assert!(release(good).is_ok());
            assert_eq!(release(bad).unwrap_err().kind(), ErrorKind::Internal);
        }
    }
}
