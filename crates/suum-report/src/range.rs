//! Statistics without declared bounds: the range that was found, and the plan of the search.

use std::fmt::{Result, Write};

use suum_core::{
    Asked, FoundRange, Plan, Protected, Quantity, RangePlan, Release, Request, Share, UnboundedPlan,
};

use crate::figures::{count, percent, percent_at_least, significant, to_error};
use crate::prose::Text;
use crate::tiers::{self, Tier};
use crate::{prose, weighted};

/// The range that was found, what it cost, and what clipping can do.
pub(crate) fn write_found(out: &mut Text, release: &Release, range: &FoundRange) -> Result {
    let width = range.bounds.width() / 60.0;
    let ends = ends(range);
    let (of, what) = match release.counts_totals() {
        true => (" for the total of each person", "totals"),
        false => ("", "values"),
    };
    let mut said = String::new();
    write!(
        said,
        "No bounds were declared. {} of every budget found the range {ends}{of}; {what} outside \
         are moved to its ends. ",
        percent(range.share),
    )?;
    write!(
        said,
        "It is {} ± {} × {sd}, where {sd} is the standard deviation if the values are normally \
         distributed. ",
        to_error(range.bell.centre, width),
        significant(range.bell.reach, 3),
        sd = significant(range.bell.sd, 3),
    )?;
    said.push_str(clipped(release));
    if let Some(assumed) = release.error_assumes() {
        write!(said, " The error below assumes {assumed}.")?;
    }
    prose::paragraph(out, &said);
    Ok(())
}

/// The ends of the range that was found.
pub(crate) fn ends(range: &FoundRange) -> String {
    let width = range.bounds.width() / 60.0;
    let end = |value| to_error(value, width);
    format!("{} to {}", end(range.bounds.lower()), end(range.bounds.upper()))
}

/// What clipping does to an estimate, whatever is assumed.
fn clipped(release: &Release) -> &'static str {
    match release.estimates.first().map(|one| &one.of) {
        _ if release.learned_range().is_some() => LEARNED,
        _ if release.estimates.len() > 1 && release.statistic() == "summary" => SEVERAL,
        Some(Quantity::Quantile(_)) => RANKS,
        Some(Quantity::Variance) => SPREAD,
        Some(Quantity::Sum) => SUM,
        _ => SKEWED,
    }
}

const LEARNED: &str = "The interval allows for whatever lies inside this range. It takes for \
    granted that values beyond it move the mean by little, as with tails no heavier than that of a \
    Pareto distribution with exponent 2.5; with declared bounds (--bounds LO,HI) it needs not.";

const SKEWED: &str = "The estimate is the mean of these clipped values. If a tail is longer on \
    one side than on the other, clipping biases the mean, and the error can be many times larger. \
    With declared bounds (--bounds LO,HI) there is an interval.";

const SUM: &str = "The estimate is the sum of these clipped values. If a tail is longer on one \
    side than on the other, clipping biases the sum, and the error can be many times larger. With \
    declared bounds (--bounds LO,HI) there is an interval.";

const SPREAD: &str = "The estimates are those of these clipped values: clipping makes a variance \
    smaller, by nobody knows how much. With declared bounds (--bounds LO,HI) there are intervals.";

const RANKS: &str = "A quantile inside the range is the same before and after.";

const SEVERAL: &str = "The estimates are those of these clipped values. A quantile inside the \
    range is the same before and after; a mean or a variance is not, and its error can be many \
    times larger. With declared bounds (--bounds LO,HI) all have intervals.";

/// That declared bounds would give an interval, after the reason why there is none.
pub(crate) fn instead(release: &Release) -> &'static str {
    match release.range() {
        Some(_) => " With declared bounds (--bounds LO,HI) there is one.",
        None => "",
    }
}

/// Why there is no interval.
pub(crate) fn no_interval(why: Option<&str>) -> String {
    format!("No confidence interval: {}.", why.unwrap_or("none is known"))
}

/// The text of a plan without declared bounds: the error as far as it is known, how the budget is
/// split, what each tier would spend, and how far the best possible estimator could be.
pub(crate) fn write_plan(out: &mut Text, plan: &UnboundedPlan, tiers: &[Tier]) -> Result {
    writeln!(
        out,
        "Plan for the {} of {} records, target {}, without declared bounds",
        name(plan.request()),
        count(plan.allowed().records()),
        plan.request().target().name(),
    )?;
    writeln!(out, "{}", expected(plan))?;
    if let Some(error) = plan.expected_error() {
        let parts = [error.noise_sd, error.sampling_sd].map(|part| significant(part, 4));
        writeln!(out, "  noise {}, sampling {}", parts[0], parts[1])?;
    }
    write_split(out, plan)?;
    if let Some(bound) = bound(plan) {
        writeln!(out)?;
        prose::paragraph(out, &bound);
    }
    out.heading("What each tier allows and what this release would spend");
    let lines = tiers::lines_of(tiers, |tier| Some((plan.loss_of(tier.epsilon), None)));
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}

/// What is asked for, in words.
pub(crate) fn name(request: &Request) -> &'static str {
    match &request.asked {
        Asked::Mean | Asked::Sum | Asked::Variance | Asked::Count | Asked::Frequency(_) => {
            request.statistic()
        }
        Asked::Quantiles(asked) if asked.ranks.len() == 1 => "quantile",
        Asked::Quantiles { .. } => "quantiles",
        Asked::Summary { .. } => "several statistics",
    }
}

/// The error that is expected, as far as it is known before a range is found.
pub(crate) fn expected(plan: &UnboundedPlan) -> String {
    match (plan.standard(), plan.expected_error()) {
        (_, Some(error)) => format!(
            "Expected error (root mean squared, normal data): {} standard deviations of the\n\
             values, by {}",
            significant(error.rmse, 4),
            RangePlan::NAME,
        ),
        (Plan::Quantiles(plan), _) => format!(
            "Expected error of the rank (root mean squared): {} percentage points, by {}",
            significant(plan.chosen().rank_error.rmse() * 100.0, 3),
            plan.chosen().estimator,
        ),
        (Plan::Variance(plan), _) => format!(
            "Expected error at the distribution inside the range that is hardest to sample:\n\
             {} squared standard deviations of the values",
            significant(plan.error().rmse, 4),
        ),
        _ => "The errors depend on the range that is found.".to_owned(),
    }
}

/// How far the best possible estimator could be, where that is known.
pub(crate) fn bound(plan: &UnboundedPlan) -> Option<String> {
    Some(format!(
        "No method, known or unknown, that keeps these budgets can have a root mean squared error \
         below {} standard deviations for all normal data: {} of the error that is expected of \
         ours.",
        weighted::least(plan.lower_bound()?),
        percent_at_least(1.0 / plan.gap()?),
    ))
}

/// How the budget is split, and what the search can suffer.
fn write_split(out: &mut Text, plan: &UnboundedPlan) -> Result {
    out.heading("How every budget is split");
    for (share, what) in split(plan) {
        writeln!(out, "  {:>6}  {what}", percent(share.get()))?;
    }
    prose::paragraph(out, &decision(plan));
    Ok(())
}

/// The parts of every budget, and what each buys.
pub(crate) fn split(plan: &UnboundedPlan) -> [(Share, String); 4] {
    let (search, of) = (plan.search(), name(plan.request()));
    let shares = search.shares();
    let (rank, reach) = (percent(search.rank().get()), significant(plan.reach(), 3));
    [
        (shares.centre, "a median, the centre of the range".to_owned()),
        (shares.radius, format!("the distance from it within which {rank} of the values lie")),
        (shares.check, "the decision whether the data lie there at all".to_owned()),
        (
            shares.statistic,
            format!("the {of} of the values, moved into {reach} standard deviations around it"),
        ),
    ]
}

/// What the search can suffer, and what clipping does.
pub(crate) fn decision(plan: &UnboundedPlan) -> String {
    format!(
        "That decision is private too: with fewer than about {} such records, or with values that \
         are not bell-shaped, a release can end in a refusal, and what the search spent is spent. \
         {}",
        count(plan.search().needed()),
        clipping(plan),
    )
}

/// The same in few words.
pub(crate) fn brief_decision(plan: &UnboundedPlan) -> String {
    format!(
        "A part of every budget searches the range; with fewer than about {} records, or values \
         that are not bell-shaped, that can end in a refusal, and what it spent is spent.",
        count(plan.search().needed()),
    )
}

/// What clipping does.
pub(crate) fn clipping(plan: &UnboundedPlan) -> &'static str {
    match &plan.request().asked {
        Asked::Quantiles { .. } => {
            "Values beyond the range are moved to its ends; a quantile inside it stays the same."
        }
        Asked::Summary { .. } => {
            "Quantiles alone have intervals, because values beyond the range are moved to its ends."
        }
        Asked::Mean | Asked::Sum if plan.learns() => {
            "Inside the range a part of every budget learns first where most values lie, and the \
             mean is measured there; the expected error is about that for normal data. The \
             interval allows for whatever lies inside the range, and takes for granted that values \
             beyond it move the mean by little."
        }
        Asked::Mean | Asked::Sum | Asked::Variance | Asked::Count | Asked::Frequency(_) => {
            "A release has no confidence interval, because values beyond the range are moved to \
             its ends: if a tail is longer on one side than on the other, the error can be many \
             times larger. With declared bounds (--bounds LO,HI) there is an interval."
        }
    }
}
