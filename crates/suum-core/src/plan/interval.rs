//! How long the intervals of a release will be, as far as its plan knows.

use serde::Serialize;

use super::AnyPlan;
use crate::answer::interval::half_width;
use crate::{ExpectedError, Plan, Unit};

/// Half the length that an interval of a release is expected to have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlannedInterval {
    /// What it is of: `mean`, `sum`, `count`, `frequency`, `quantile` or `variance`.
    pub of: &'static str,
    /// What its length is in.
    #[serde(skip)]
    pub unit: Unit,
    /// Half its length, in units of the statistic, at most half of all that this can be; of
    /// quantiles that of the longest one, of the rank, as a share of records.
    pub half_width: f64,
    /// The confidence of the interval.
    pub confidence: f64,
    /// What the half width is.
    pub basis: WidthBasis,
}

/// What is known of the half width of an interval before the data are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidthBasis {
    /// No release has a larger one, whatever the data.
    WorstCase,
    /// No release has a larger one that does not learn first where the values lie. One that does
    /// can.
    WorstCaseWithoutLearning,
    /// It is made of the expected error, or of the ranks that are asked for: that of a release can
    /// be larger.
    Approximate,
}

impl Plan {
    /// How long the intervals of a release are expected to be, one for each statistic that has one.
    ///
    /// Without declared bounds only those of quantiles are known before
    /// ([`no_interval`](Self::no_interval) says whether a release has any).
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

    /// Whether one of these intervals can be all that its statistic can be, so that a release may
    /// say nothing at all.
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

    /// How far apart two values of the statistic of an interval can be: no interval of a release
    /// leaves what is possible. ∞ where that is private, or has no end.
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

    /// Half the length that an interval is expected to have, in units of the statistic, of
    /// quantiles in those of the rank; `None` where there is none, or where statistics have
    /// different ones.
    ///
    /// Of a mean, a sum and frequencies it is the longest that there can be before the data are
    /// seen, of a mean or sum that learns first that of one that does not. Elsewhere it is made of
    /// the expected error, as if all noise were one number's.
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

    /// Why a release would have no interval, or why some quantiles would have none; `None` if all
    /// would have one. Of several statistics it is about those that have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        self.any().facts().no_interval
    }
}

impl PlannedInterval {
    /// Of several statistics, and the mean that is measured beside one of them if it is asked for.
    pub(crate) fn of_parts<'p>(
        parts: impl Iterator<Item = &'p dyn AnyPlan>,
        asks_mean: bool,
    ) -> Vec<Self> {
        let of = |part: &dyn AnyPlan| {
            let mean = part.mean_beside().filter(|_| asks_mean);
            mean.into_iter().chain(part.intervals()).collect::<Vec<_>>()
        };
        parts.flat_map(of).collect()
    }

    /// Whether it holds also inside a range that is found: a quantile is the same before and after
    /// values are moved to its ends.
    pub(crate) fn is_of_rank(&self) -> bool {
        self.unit == Unit::Rank
    }

    /// That of an estimate with this error, as if all noise were one number's, where the intervals
    /// are said to have some confidence and are made with another one.
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
