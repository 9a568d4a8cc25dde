//! The text of a plan of any statistic.

use suum_core::Plan;

use crate::figures::significant;
use crate::tiers::Tier;
use crate::{add_remove, how, prose, quantiles, range, summary, variance, weighted};

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
        Plan::AddRemoveParts(plan) => add_remove::write_parts_plan(&mut out, plan),
    };
    // Writing to a string cannot fail.
    let _ = written;
    if let Some(words) = half_width(plan, in_range) {
        out += &format!("\n{INTERVAL}\n");
        prose::paragraph(&mut out, &words);
    }
    out
}

/// The heading of how long the interval would be.
pub(crate) const INTERVAL: &str = "The interval";

/// How long the interval would be, as far as that is known.
pub(crate) fn half_width(plan: &Plan, in_range: bool) -> Option<String> {
    let half = plan.half_width().filter(|half| half.is_finite())?;
    let confidence = how::confidence(plan.confidence()?);
    let (before, after) = match plan {
        Plan::Quantiles(_) => ("is about", " percentage points of rank"),
        Plan::Weighted(plan) if plan.adaptive().is_some() => (
            "is at most",
            ", whatever the data, if the mean does not learn first; if it does, that is not known",
        ),
        Plan::Weighted(plan) if plan.request().categories().is_some() => {
            match plan.request().options().simultaneous {
                true => ("is at most", " percentage points for all categories at once"),
                false => ("is at most", " percentage points"),
            }
        }
        Plan::AddRemove(plan) if plan.request().categories().is_some() => {
            match plan.request().options().simultaneous {
                true => {
                    ("is expected to be about", " percentage points for all categories at once")
                }
                false => ("is expected to be about", " percentage points"),
            }
        }
        Plan::Weighted(_) if in_range => ("is at most", " of the width of the bounds"),
        Plan::Weighted(_) => ("is at most", ", whatever the data"),
        _ => ("is expected to be about", ""),
    };
    let half = if after.starts_with(" percentage points") { half * 100.0 } else { half };
    Some(format!(
        "With {confidence} confidence half its length {before} {}{after}.",
        significant(half, 4)
    ))
}
