//! How long the intervals of a release will be, as far as its plan knows.

use serde::Serialize;

use crate::coverage::Coverage;
use crate::interval::half_width;
use crate::release::CLIPPED;
use crate::{
    AddRemovePartsPlan, AddRemovePlan, ExpectedError, Plan, QuantilePlan, SummaryPlan,
    UnboundedPlan, VariancePlan, WeightedPlan,
};

/// Half the length that an interval of a release is expected to have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlannedInterval {
    /// What it is of: `mean`, `sum`, `count`, `frequency`, `quantile` or `variance`.
    pub of: &'static str,
    /// Half its length, in units of the statistic; of quantiles that of the longest one, of the
    /// rank, as a share of records.
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
        let all: Vec<Option<PlannedInterval>> = match self {
            Self::Weighted(plan) => vec![of_weighted(plan)],
            Self::Quantiles(plan) => vec![of_quantiles(plan)],
            Self::Variance(plan) => vec![of_variance(plan)],
            Self::Summary(plan) => of_summary(plan),
            Self::Unbounded(plan) => {
                let inside = plan.standard().intervals();
                inside.into_iter().map(|one| Some(one).filter(is_of_rank)).collect()
            }
            Self::AddRemove(plan) => vec![of_hidden(plan)],
            Self::AddRemoveParts(plan) => {
                let parts = plan.parts().map(|(_, part)| part);
                let all = parts.flat_map(|part| {
                    let mean = plan.asks_mean().then(|| mean_of_hidden(part)).flatten();
                    [mean, of_hidden(part)]
                });
                let bounded = plan.search().is_none();
                all.map(|one| one.filter(|one| bounded || is_of_rank(one))).collect()
            }
        };
        all.into_iter().flatten().filter(|one| one.half_width.is_finite()).collect()
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
        match self {
            Self::Weighted(_) | Self::Variance(_) => None,
            Self::Quantiles(plan) => plan.no_interval(),
            Self::Summary(plan) => plan.quantile_plan().and_then(QuantilePlan::no_interval),
            Self::Unbounded(plan) => plan.no_interval(),
            Self::AddRemove(plan) => plan.no_interval(),
            Self::AddRemoveParts(plan) => plan.no_interval(),
        }
    }
}

impl UnboundedPlan {
    /// Why a release would have no interval, or of several statistics those that have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        match self.standard() {
            Plan::Quantiles(plan) => plan.no_interval(),
            _ if self.learns() => None,
            _ => Some(CLIPPED),
        }
    }
}

impl AddRemovePartsPlan {
    /// Why a release would have no interval, or of several statistics those that have none.
    pub fn no_interval(&self) -> Option<&'static str> {
        let mut parts = self.parts().map(|(_, part)| part);
        let clipped = self.search().is_some() && parts.any(|part| part.request().cells().is_none());
        match clipped {
            true => Some(CLIPPED),
            false => self.parts().find_map(|(_, part)| part.no_interval()),
        }
    }
}

/// A quantile inside a range is the same before and after values are moved to its ends.
fn is_of_rank(one: &PlannedInterval) -> bool {
    one.of == "quantile"
}

fn of_weighted(plan: &WeightedPlan) -> Option<PlannedInterval> {
    Some(PlannedInterval {
        of: plan.request().statistic().name(),
        half_width: plan.reach() * plan.unit(),
        confidence: plan.request().options().confidence,
        basis: match plan.adaptive() {
            Some(_) => WidthBasis::WorstCaseWithoutLearning,
            None => WidthBasis::WorstCase,
        },
    })
}

fn of_quantiles(plan: &QuantilePlan) -> Option<PlannedInterval> {
    Some(PlannedInterval {
        of: "quantile",
        half_width: plan.rank_half_width()?,
        confidence: plan.request().options().confidence,
        basis: WidthBasis::Approximate,
    })
}

fn of_variance(plan: &VariancePlan) -> Option<PlannedInterval> {
    let confidence = plan.request().options().confidence;
    Some(PlannedInterval {
        of: "variance",
        half_width: about(confidence, plan.error()),
        confidence,
        basis: WidthBasis::Approximate,
    })
}

fn of_summary(plan: &SummaryPlan) -> Vec<Option<PlannedInterval>> {
    let measured_with = plan.variance_plan().filter(|_| plan.statistics().mean);
    let mean = measured_with.map(|variance| PlannedInterval {
        of: "mean",
        half_width: variance.reach_of_mean(),
        confidence: variance.request().options().confidence,
        basis: WidthBasis::WorstCase,
    });
    vec![
        plan.mean_plan().and_then(of_weighted),
        mean,
        plan.variance_plan().and_then(of_variance),
        plan.quantile_plan().and_then(of_quantiles),
    ]
}

/// Of a release that hides who takes part, for people as they are assumed.
fn of_hidden(plan: &AddRemovePlan) -> Option<PlannedInterval> {
    let (request, options) = (plan.request(), plan.request().options());
    let categories = request.categories().map_or(1, |categories| categories.len());
    // Shares add up to 1, since each is divided by the sum of all.
    let coverage = Coverage::of(options.confidence, options.simultaneous, categories, true);
    let half_width = match request.cells() {
        Some(_) => plan.chosen().rank_half_width?,
        None => about(coverage.confidence, plan.chosen().error),
    };
    Some(PlannedInterval {
        of: request.statistic(),
        half_width,
        confidence: options.confidence,
        basis: WidthBasis::Approximate,
    })
}

/// Of the mean that is measured with a variance.
fn mean_of_hidden(plan: &AddRemovePlan) -> Option<PlannedInterval> {
    let confidence = plan.request().options().confidence;
    let half_width = about(confidence, plan.chosen().mean?);
    Some(PlannedInterval { of: "mean", half_width, confidence, basis: WidthBasis::Approximate })
}

/// The reach of an error, as if all noise were one number's.
fn about(confidence: f64, error: ExpectedError) -> f64 {
    half_width(confidence, error.noise_sd / std::f64::consts::SQRT_2, error.sampling_sd)
}
