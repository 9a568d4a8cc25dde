//! Means without declared bounds: the range that was found, and the plan of the search.

use std::fmt::{Result, Write};

use suum_core::{FoundRange, Protected, RangePlan, Share, UnboundedMean};

use crate::figures::{count, percent, significant, to_error};
use crate::prose;
use crate::tiers::{self, Tier};

/// The range that was found, what it cost, and what clipping can do.
pub(crate) fn write_found(out: &mut String, range: &FoundRange) -> Result {
    let width = range.bounds.width() / 60.0;
    let mut said = String::new();
    write!(
        said,
        "No bounds were declared. {} of every budget found the range {} to {}; values outside are \
         moved to its ends. ",
        percent(range.share),
        to_error(range.bounds.lower(), width),
        to_error(range.bounds.upper(), width),
    )?;
    write!(
        said,
        "It is {} ± {} × {sd}, where {sd} is the standard deviation if the values are normally \
         distributed. ",
        to_error(range.bell.centre, width),
        significant(range.bell.reach, 3),
        sd = significant(range.bell.sd, 3),
    )?;
    write!(
        said,
        "The estimate is the mean of these clipped values. The error below assumes {}. {SKEWED}",
        range.error_assumes(),
    )?;
    prose::paragraph(out, &said);
    Ok(())
}

/// What clipping does to skewed data, whatever is assumed.
pub(crate) const SKEWED: &str = "\
    If a tail is longer on one side than on the other, clipping biases the mean, and the error \
    can be many times larger. With declared bounds (--bounds LO,HI) there is an interval.";

/// Why there is no interval.
pub(crate) fn no_interval(why: Option<&str>) -> String {
    format!("No confidence interval: {}.", why.unwrap_or("none is known"))
}

/// The text of a plan without declared bounds: the error in standard deviations, how the budget is
/// split, what each tier would spend, and how far the best possible estimator could be.
pub(crate) fn write_plan(out: &mut String, plan: &UnboundedMean, tiers: &[Tier]) -> Result {
    let error = plan.expected_error();
    writeln!(
        out,
        "Plan for the mean of {} records, target {}, without declared bounds",
        count(plan.allowed().records()),
        plan.options().target.name(),
    )?;
    writeln!(
        out,
        "Expected error (root mean squared, normal data): {} standard deviations of the \
        values, by {}\n  \
         noise {}, sampling {}",
        significant(error.rmse, 4),
        RangePlan::NAME,
        significant(error.noise_sd, 4),
        significant(error.sampling_sd, 4),
    )?;
    write_split(out, plan.search())?;
    let mut bound = String::new();
    write_bound(&mut bound, plan)?;
    if !bound.is_empty() {
        write!(out, "\n{bound}")?;
    }
    writeln!(out, "\nWhat each tier allows and what this release would spend")?;
    let lines = tiers::lines_of(tiers, |tier| Some((plan.loss(tier.epsilon), None)));
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}

/// How far the best possible estimator could be, where that is known.
pub(crate) fn write_bound(out: &mut String, plan: &UnboundedMean) -> Result {
    let bound = plan.lower_bound();
    if bound.is_finite() {
        writeln!(
            out,
            "Whatever the estimator, with a probability of 1/4 its error exceeds {} standard \
            deviations for some\n\
             normal data. Ours exceeds {} with that probability, {} times as much.",
            significant(bound, 3),
            significant(plan.gap() * bound, 3),
            significant(plan.gap(), 3),
        )?;
    }
    Ok(())
}

/// How the budget is split, and what the search can suffer.
fn write_split(out: &mut String, range: &RangePlan) -> Result {
    writeln!(out, "\nHow every budget is split")?;
    for (share, what) in split(range) {
        writeln!(out, "  {:>6}  {what}", percent(share.get()))?;
    }
    write_decision(out, range)
}

/// The parts of every budget, and what each buys.
pub(crate) fn split(range: &RangePlan) -> [(Share, String); 4] {
    let shares = range.shares();
    let (rank, reach) = (percent(range.rank().get()), significant(range.reach(), 3));
    [
        (shares.centre, "a median, the centre of the range".to_owned()),
        (shares.radius, format!("the distance from it within which {rank} of the values lie")),
        (shares.check, "the decision whether the data lie there at all".to_owned()),
        (
            shares.mean,
            format!(
                "the mean of the values, moved into {reach} standard deviations around the centre"
            ),
        ),
    ]
}

/// What the search can suffer.
pub(crate) fn write_decision(out: &mut String, range: &RangePlan) -> Result {
    writeln!(
        out,
        "That decision is private too: with fewer than about {} such records, or with values that \
        are not\n\
         bell-shaped, a release can end in a refusal, and what the search spent is spent. A \
         release has no\n\
         confidence interval, because values beyond the range are moved to its ends.\n\
         {SKEWED}",
        count(range.needed()),
    )
}
