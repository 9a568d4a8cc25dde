//! How a release was made: the part that all statistics share.

use std::fmt::Write;

use suum_core::{
    ExpectedError, LearnedRange, Protected, RangePlan, Release, Statistic, Target, TimeScale,
    WeightedPlan,
};

use crate::figures::{significant, trimmed};
use crate::prose::Text;
use crate::{adaptive, comparison, guarantee, prose, spending, weighted};

/// How a mean, a sum or shares were made: the error, what everybody spent, and what else could
/// have been done.
pub(crate) fn write(out: &mut Text, plan: &WeightedPlan, release: &Release) -> std::fmt::Result {
    let ranged = release.range().is_some();
    if let Some(error) = release.error {
        let basis = Basis::of(release);
        let rows = error_rows(error, plan, release.protects(), basis);
        let (unit, basis) = error_unit(plan, basis);
        let rows = rows.map(|(figure, meaning)| (significant(figure, 3), meaning));
        write_errors(out, ERRORS, unit, basis, &rows)?;
    }
    spending::write(out, release)?;
    adaptive::write_costs(out, release)?;
    writeln!(out)?;
    if ranged {
        estimator(out, RangePlan::NAME, RangePlan::ABOUT);
    } else {
        let chosen = plan.chosen();
        estimator(out, chosen.estimator.name(), chosen.estimator.describe());
        if release.learned_range().is_some() {
            prose::paragraph(out, adaptive::WEIGHTS);
        } else {
            comparison::write(out, plan, false);
            weighted::write_gain(out, plan);
        }
    }
    guarantee::write(out, &guarantee::of(release))
}

/// The estimator that was used.
pub(crate) fn estimator(out: &mut Text, name: &str, describe: &str) {
    prose::paragraph(out, &format!("Estimator: {name} ({describe})"));
}

/// The heading of the parts of the error.
pub(crate) const ERRORS: &str = "Where the error can come from";

/// What an error is that follows from public facts: no finding about the data.
pub(crate) const WORST: &str = "worst case, before seeing the data";

/// What an error is that follows from public facts, and is no worst case.
pub(crate) const BEFORE: &str = "before seeing the data";

/// For which data the error of a mean is what it is said to be.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Basis {
    /// The worst there can be.
    Worst,
    /// Data inside the range that was found.
    InRange,
    /// Data of the variance that the measured spread leaves possible.
    Measured,
    /// The same inside a range that was learned.
    Learned,
}

impl Basis {
    /// What the error of a release holds for.
    pub(crate) fn of(release: &Release) -> Self {
        match (release.range(), release.spread()) {
            (None, Some(_)) if release.learned_range().is_some_and(LearnedRange::is_narrower) => {
                Self::Learned
            }
            (Some(_), _) => Self::InRange,
            (None, Some(_)) => Self::Measured,
            (None, None) => Self::Worst,
        }
    }
}

/// The unit of errors, and for which data they hold.
pub(crate) fn error_unit(plan: &WeightedPlan, basis: Basis) -> (&'static str, &'static str) {
    if plan.setting().categories.is_some() {
        return ("root mean square, as a share of 1", WORST);
    }
    let unit = match plan.request().bounds().scale() {
        None => "standard deviation",
        Some(TimeScale::Days) => "standard deviation, in days",
        Some(_) => "standard deviation, in seconds",
    };
    let basis = match basis {
        Basis::Worst => WORST,
        Basis::InRange => "if no value lies beyond the range",
        Basis::Learned => "of values in the learned range, for the largest variance likely there",
        Basis::Measured => "for the largest variance that the measured spread leaves likely",
    };
    (unit, basis)
}

/// The parts of the error under a heading that says what they are.
pub(crate) fn write_errors(
    out: &mut Text,
    heading: &str,
    unit: &str,
    basis: &str,
    rows: &[(String, &str)],
) -> std::fmt::Result {
    writeln!(out, "\n{heading} ({unit};\n{basis})")?;
    write_figures(out, rows)
}

/// What the interval is for.
pub(crate) fn estimand(plan: &WeightedPlan) -> &'static str {
    match (plan.setting().target, plan.request().statistic()) {
        (Target::Population, Statistic::Sum) => {
            "as many records drawn anew from the same population, on average"
        }
        (target, _) => of_target(target),
    }
}

/// Whom an estimate is about.
pub(crate) fn of_target(target: Target) -> &'static str {
    match target {
        Target::Population => "the population the records come from",
        Target::Dataset => "these records, if budgets have nothing to do with values",
        Target::DatasetCorrelated => "these records, however budgets relate to values",
    }
}

/// A confidence as a percentage.
pub(crate) fn confidence(confidence: f64) -> String {
    format!("{} %", trimmed(&significant(confidence * 100.0, 6)))
}

pub(crate) fn of_column(column: Option<&str>) -> String {
    column.map_or_else(String::new, |column| format!(" of {column}"))
}

pub(crate) fn write_warning(out: &mut Text, private: bool) -> std::fmt::Result {
    if !private {
        let warning = "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.";
        prose::paragraph(out, warning);
        prose::paragraph(out, "Nothing below that is said to be guaranteed is.");
        writeln!(out)?;
    }
    Ok(())
}

/// The parts of the error, and all of it, each with its meaning.
pub(crate) fn error_rows(
    error: ExpectedError,
    plan: &WeightedPlan,
    whom: Protected,
    basis: Basis,
) -> [(f64, &'static str); 3] {
    let frequency = plan.setting().categories.is_some();
    let noise = match (whom, frequency) {
        (Protected::Record, true) => {
            "noise: what hides each record; the largest over the categories"
        }
        (Protected::Person, true) => {
            "noise: what hides each person; the largest over the categories"
        }
        (whom, false) => noise_of(whom),
    };
    let sampling = match plan.setting().target {
        Target::Population if frequency => {
            "sampling: the records are a sample; for the worst category"
        }
        Target::Population
            if basis != Basis::Worst || plan.request().options().variance.is_some() =>
        {
            "sampling: the records are a sample"
        }
        Target::Population => {
            "sampling: the records are a sample; no distribution in the bounds is worse"
        }
        Target::Dataset => "weighting: records of different tiers count differently",
        Target::DatasetCorrelated => "weighting: at its worst, if budgets go with values",
    };
    let together = match plan.shrinkage() {
        Some(_) => "together (root mean squared error), before shrinking",
        None => "together (root mean squared error)",
    };
    [(error.noise_sd, noise), (error.sampling_sd, sampling), (error.rmse, together)]
}

/// What noise is for.
pub(crate) fn noise_of(whom: Protected) -> &'static str {
    match whom {
        Protected::Record => "noise: what hides each record",
        Protected::Person => "noise: what hides each person",
    }
}

/// Figures below one another, each with its meaning.
pub(crate) fn write_figures(out: &mut Text, rows: &[(String, &str)]) -> std::fmt::Result {
    let width = rows.iter().map(|(number, _)| number.chars().count()).max().unwrap_or(0);
    for (number, meaning) in rows {
        writeln!(out, "  {number:>width$}  {meaning}")?;
    }
    Ok(())
}
