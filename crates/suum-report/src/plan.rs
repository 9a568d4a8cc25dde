//! The text of a plan of any statistic.

use suum_core::Plan;

use crate::tiers::Tier;
use crate::{add_remove, quantiles, range, summary, variance, weighted};

/// The text of a plan: the expected error, the estimators, what each tier would spend and keep, and
/// how far the best possible estimator could be.
///
/// `tiers` names the rows of the table of spending, [`Tier::of_table`] or [`Tier::of_profile`];
/// `in_range` says that no bounds were declared, so that errors are shares of the range.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Request, Statistic};
/// use suum_report::{Tier, plan_text};
///
/// let plan = Request::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::of_profile(plan.allowed());
/// assert!(plan_text(&Plan::from(plan), &tiers, true).contains("affine"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn plan_text(plan: &Plan, tiers: &[Tier], in_range: bool) -> String {
    let mut out = String::new();
    let written = match plan {
        Plan::Weighted(plan) => weighted::write_plan(&mut out, plan, tiers, in_range),
        Plan::Quantiles(plan) => quantiles::write_plan(&mut out, plan, tiers),
        Plan::Variance(plan) => variance::write_plan(&mut out, plan, tiers),
        Plan::Summary(plan) => summary::write_plan(&mut out, plan, tiers),
        Plan::Unbounded(plan) => range::write_plan(&mut out, plan, tiers),
        Plan::AddRemove(plan) => add_remove::write_plan(&mut out, plan),
    };
    // Writing to a string cannot fail.
    let _ = written;
    out
}
