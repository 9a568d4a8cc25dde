//! Planned intervals: their length, as far as the plan determines it.

use serde::Serialize;

use super::AnyPlan;
use crate::answer::interval::half_width;
use crate::{ExpectedError, Plan, Unit};

/// Expected half width of an interval of a release.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlannedInterval {
    /// Name of the quantity: `mean`, `sum`, `count`, `frequency`, `quantile` or `variance`.
    pub of: &'static str,
    /// Unit of the half width.
    #[serde(skip)]
    pub unit: Unit,
    /// Half width in units of the statistic, at most half of the statistic's possible range. For
    /// quantiles it is that of the longest interval, in ranks as a share of records.
    pub half_width: f64,
    /// Confidence of the interval, in (0, 1).
    pub confidence: f64,
    /// Meaning of the half width.
    pub basis: WidthBasis,
}

/// Meaning of a half width that is known before the data are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidthBasis {
    /// Upper bound: no release has a wider interval, whatever the data.
    WorstCase,
    /// Upper bound for releases that do not first learn where the values lie; others can exceed it.
    WorstCaseWithoutLearning,
    /// Approximation from the expected error, or from the ranks that are asked for: the interval of
    /// a release can be wider.
    Approximate,
}

impl Plan {
    /// Returns the planned intervals of a release, one for each statistic that has one.
    ///
    /// Without declared bounds only those of quantiles are known in advance.
    /// ([`no_interval`](Self::no_interval) tells why a release would have none.)
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Neighbors, Plan, Request, UnboundedPlan};
    ///
    /// let mean = Request::mean(Neighbors::ReplaceOne);
    /// let plan = Plan::from(UnboundedPlan::new(mean, "1:5000".parse()?)?);
    /// assert!(plan.intervals().is_empty() && plan.no_interval().is_some());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn intervals(&self) -> Vec<PlannedInterval> {
        let known = self.any().intervals().into_iter().filter(|one| one.half_width.is_finite());
        let within = |one: PlannedInterval| {
            let half_width = one.half_width.min(self.all_of(&one) / 2.0);
            PlannedInterval { half_width, ..one }
        };
        known.map(within).collect()
    }

    /// Returns true if the interval can cover all possible values of its statistic, so that a
    /// release may say nothing at all.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let plan = Plan::from(request.plan("0.01:20".parse()?)?);
    /// assert!(plan.may_say_nothing(&plan.intervals()[0]));
    /// let plan = Plan::from(request.plan("1:2000".parse()?)?);
    /// assert!(!plan.may_say_nothing(&plan.intervals()[0]));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn may_say_nothing(&self, one: &PlannedInterval) -> bool {
        one.half_width >= self.all_of(one) / 2.0
    }

    /// Returns the largest possible distance between two values of the interval's statistic, which
    /// no interval of a release exceeds. ∞ if that is private or unlimited.
    fn all_of(&self, one: &PlannedInterval) -> f64 {
        let width = self.any().facts().bounds.map_or(f64::INFINITY, |bounds| bounds.width());
        match (one.unit, self) {
            (Unit::Share | Unit::Rank, _) => 1.0,
            (Unit::Square, _) => width * width / 4.0,
            (Unit::Value, Self::Weighted(plan)) => width * plan.unit(),
            (Unit::Value, _) if one.of == "sum" => f64::INFINITY,
            (Unit::Value, _) => width,
            (Unit::Records, _) => f64::INFINITY,
        }
    }

    /// Returns the half width of the planned interval, in units of the statistic, for quantiles in
    /// those of the rank. `None` if there is no interval, or for statistics with different ones.
    ///
    /// For a mean, a sum and frequencies it is the largest possible before the data are seen,
    /// without learning first where the values lie. For other statistics it is computed from the
    /// expected error, as if all noise were that of one number.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let plan = Plan::from(request.plan("inf:10000".parse()?)?);
    /// assert!((plan.half_width().unwrap() - 0.00985).abs() < 1e-5);
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn half_width(&self) -> Option<f64> {
        match self.intervals().as_slice() {
            [only] if self.statistic() != "summary" => Some(only.half_width),
            _ => None,
        }
    }

    /// Returns the reason why a release would have no interval, or why some quantiles would have
    /// none; `None` if all would have one. For several statistics it is about those that have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        self.any().facts().no_interval
    }
}

impl PlannedInterval {
    /// Returns the intervals of several statistics, and of the mean measured along with one of them
    /// if `asks_mean`.
    pub(crate) fn from_parts<'p>(
        parts: impl Iterator<Item = &'p dyn AnyPlan>,
        asks_mean: bool,
    ) -> Vec<Self> {
        let of = |part: &dyn AnyPlan| {
            let mean = part.mean_beside().filter(|_| asks_mean);
            mean.into_iter().chain(part.intervals()).collect::<Vec<_>>()
        };
        parts.flat_map(of).collect()
    }

    /// Returns true if it is in ranks. Such an interval also holds inside a found range, because
    /// clamping values to its ends does not change ranks.
    pub(crate) fn is_of_rank(&self) -> bool {
        self.unit == Unit::Rank
    }

    /// Returns the interval of an estimate with this error, as if all noise were that of one
    /// number. The confidence that it states can differ from the one it is computed with.
    pub(crate) fn about(
        of: &'static str,
        unit: Unit,
        error: ExpectedError,
        (confidence, made_with): (f64, f64),
    ) -> Self {
        let scale = error.noise_sd / std::f64::consts::SQRT_2;
        let half_width = half_width(made_with, scale, error.sampling_sd);
        Self { of, unit, half_width, confidence, basis: WidthBasis::Approximate }
    }
}
