//! The text of a plan of any statistic.

use std::fmt::Write;

use suum_core::{Plan, PlannedInterval, WeightedPlan, WidthBasis};

use crate::brief::{self, Beside};
use crate::figures::significant;
use crate::prose::Text;
use crate::scale::OF_RANK;
use crate::tiers::Tier;
use crate::view::View;
use crate::{add_remove, how, prose, quantiles, range, summary, variance, weighted};

/// The text of a plan: the expected error, the length of the interval, and what each tier would
/// spend and keep. Where the view explains, also the estimators, and how far the best possible one
/// could be.
///
/// `tiers` names the rows of the table of spending, [`Tier::of_table`] or [`Tier::of_profile`];
/// `in_range` says that no bounds were declared, so that errors are shares of the range.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
/// use suum_report::{Beside, Tier, View, plan_text};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::of_profile(plan.allowed());
/// let (plan, view, beside) = (Plan::from(plan), View::default(), Beside::default());
/// assert!(plan_text(&plan, &tiers, true, &view, &beside).contains("expected error"));
/// assert!(plan_text(&plan, &tiers, true, &view.explained(), &beside).contains("affine"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn plan_text(
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    if !view.explain {
        // Writing to a text cannot fail.
        let _ = write_brief(&mut out, plan, tiers, in_range, beside);
        return out.finish();
    }
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
        out.heading(INTERVAL);
        prose::paragraph(&mut out, &words);
    }
    out.finish()
}

fn write_brief(
    out: &mut Text,
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    beside: &Beside,
) -> std::fmt::Result {
    // As a part of a sentence.
    let interval = half_width(plan, in_range).map(|words| words.replacen("With ", "with ", 1));
    let interval = interval.map(|words| format!("{INTERVAL}: {words}"));
    brief::write_plan(out, plan, tiers, in_range, interval.as_deref(), beside)
}

/// The text of a what-if question: what would change, and the plan for the changed people.
pub fn what_if_text(
    before: &WeightedPlan,
    after: &WeightedPlan,
    tiers: &[Tier],
    in_range: bool,
    view: &View,
    beside: &Beside,
) -> String {
    let mut out = Text::new(view);
    weighted::what_if(before, after)
        .iter()
        .for_each(|sentence| prose::paragraph(&mut out, sentence));
    // Writing to a text cannot fail.
    let _ = writeln!(out);
    let _ = match view.explain {
        true => weighted::write_plan(&mut out, after, tiers, in_range),
        false => write_brief(&mut out, &after.clone().into(), tiers, in_range, beside),
    };
    out.finish()
}

/// The heading of how long the interval would be.
pub(crate) const INTERVAL: &str = "The interval";

/// How long the interval would be, as far as that is known, or why there would be none.
pub(crate) fn half_width(plan: &Plan, in_range: bool) -> Option<String> {
    let all = plan.intervals();
    let none = match plan {
        // Said with the search.
        Plan::Unbounded(_) => None,
        _ => plan.no_interval().map(|why| format!("No interval: {why}.")),
    };
    let lengths = match all.as_slice() {
        [] => return none,
        [one] if plan.statistic() != "summary" => {
            let (before, figure, unit, whatever) = length(plan, one, in_range);
            format!("half its length is {before} {figure}{unit}{whatever}")
        }
        several => {
            let each = several.iter().map(|one| {
                let (before, figure, unit, whatever) = length(plan, one, in_range);
                format!("{before} {figure}{unit} for the {}{whatever}", one.of)
            });
            format!("half the length is {}", each.collect::<Vec<_>>().join("; "))
        }
    };
    let confidence = how::confidence(all.first()?.confidence);
    let lengths = format!("With {confidence} confidence {lengths}.");
    Some([Some(lengths), none].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// What half the length of an interval is: how surely, the figure with its unit, and for which
/// data.
fn length(
    plan: &Plan,
    one: &PlannedInterval,
    in_range: bool,
) -> (&'static str, String, &'static str, &'static str) {
    let before = match one.basis {
        WidthBasis::WorstCase | WidthBasis::WorstCaseWithoutLearning => "at most",
        WidthBasis::Approximate if one.of == "quantile" => "about",
        WidthBasis::Approximate => "expected to be about",
    };
    let simultaneous = match plan {
        Plan::Weighted(plan) => plan.request().options().simultaneous,
        Plan::AddRemove(plan) => plan.request().options().simultaneous,
        _ => false,
    };
    let found = matches!(plan, Plan::Unbounded(_))
        || matches!(plan, Plan::AddRemoveParts(plan) if plan.search().is_some());
    let (factor, unit) = match one.of {
        "quantile" if found => {
            (100.0, " percentage points of rank, if it lies in the range that is found")
        }
        "quantile" => (100.0, OF_RANK),
        "frequency" if simultaneous => (100.0, " percentage points for all categories at once"),
        "frequency" => (100.0, " percentage points"),
        "variance" if in_range => (1.0, " of the squared width of the bounds"),
        _ if in_range => (1.0, " of the width of the bounds"),
        _ => (1.0, ""),
    };
    let whatever = match one.basis {
        WidthBasis::WorstCaseWithoutLearning => {
            ", whatever the data, if the mean does not learn first; if it does, that is not known"
        }
        WidthBasis::WorstCase if unit.is_empty() => ", whatever the data",
        WidthBasis::WorstCase | WidthBasis::Approximate => "",
    };
    (before, significant(one.half_width * factor, 4), unit, whatever)
}
