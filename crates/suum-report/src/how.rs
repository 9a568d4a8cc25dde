//! How a release was made: the part that all statistics share.

use std::fmt::Write;

use suum_core::{ExpectedError, FoundRange, Loss, Plan, Spending, Statistic, Target};

use crate::figures::{significant, trimmed};
use crate::tiers::{self, Line, Tier};
use crate::{comparison, plan};

/// What is said about a release besides its answer.
pub(crate) struct How<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) error: ExpectedError,
    pub(crate) privacy: &'a [Spending],
    pub(crate) person: Option<Person<'a>>,
    pub(crate) range: Option<&'a FoundRange>,
}

/// Whose rows belong together, and what of them counts.
#[derive(Clone, Copy)]
pub(crate) struct Person<'a> {
    pub(crate) column: &'a str,
    pub(crate) counts_with: &'a str,
}

impl<'a> Person<'a> {
    pub(crate) fn new(column: Option<&'a String>, counts_with: &'a str) -> Option<Self> {
        column.map(|column| Self { column, counts_with })
    }
}

pub(crate) fn write(out: &mut String, how: &How<'_>) -> std::fmt::Result {
    let How { plan, error, privacy, person, range } = how;
    writeln!(out, "\nWhere the error comes from ({})", error_unit(plan, range.is_some()))?;
    let rows = error_rows(*error, plan);
    write_figures(out, &rows.map(|(figure, meaning)| (significant(figure, 3), meaning)))?;

    write_spending(out, privacy)?;

    if let Some(range) = range {
        writeln!(out, "\nEstimator: {} ({})", range.estimator, range.estimator.describe())?;
        return write_guarantee(out, privacy, None, *person);
    }
    let chosen = plan.chosen();
    writeln!(out, "\nEstimator: {} ({})", chosen.estimator, chosen.estimator.describe())?;
    comparison::write(out, plan, false);
    plan::write_gain(out, plan)?;
    write_guarantee(out, privacy, Some(declared(plan)), *person)
}

/// What is declared of the values, and public.
pub(crate) fn declared(plan: &Plan) -> &'static str {
    if plan.setting().categories.is_some() { "categories" } else { "bounds" }
}

/// The unit of errors, and for which data they hold.
pub(crate) fn error_unit(plan: &Plan, in_found_range: bool) -> &'static str {
    match (plan.setting().categories, in_found_range) {
        (Some(_), _) => "root mean square, as a share of 1, worst case",
        (None, true) => "standard deviation, if no value lies beyond the range",
        (None, false) => "standard deviation, worst case",
    }
}

/// The certificate as a table.
pub(crate) fn write_spending(out: &mut String, privacy: &[Spending]) -> std::fmt::Result {
    writeln!(out, "\nWhat each tier allowed and what was really spent")?;
    let lines: Vec<Line> = privacy
        .iter()
        .map(|spending| Line {
            tier: Tier {
                level: spending.level.clone(),
                epsilon: spending.epsilon,
                count: spending.count,
            },
            loss: spending.spent.clone(),
            share: Some(spending.weight * spending.count as f64).filter(|share| share.is_finite()),
        })
        .collect();
    tiers::write(out, &lines, "spent ε");
    Ok(())
}

/// The guarantee in words; `public` names what is public besides people and tiers, if anything is.
pub(crate) fn write_guarantee(
    out: &mut String,
    privacy: &[Spending],
    public: Option<&str>,
    person: Option<Person<'_>>,
) -> std::fmt::Result {
    writeln!(out, "\nWhat is guaranteed")?;
    guarantee(out, privacy, public, person)
}

/// The words of the guarantee.
pub(crate) fn guarantee(
    out: &mut String,
    privacy: &[Spending],
    public: Option<&str>,
    person: Option<Person<'_>>,
) -> std::fmt::Result {
    if privacy.iter().any(|spending| spending.spent == Loss::Unlimited) {
        writeln!(
            out,
            "  Nothing for those whose spent ε is ∞: their data are public, and used without \
            noise. For the others:"
        )?;
    }
    match person {
        Some(Person { column, .. }) => write!(
            out,
            "  Had all rows of one person (whom {column} names) been anything else, and however \
            many, the\n  \
             probability of any result would differ by at most"
        )?,
        None => write!(
            out,
            "  Had one person's value been anything else, the probability of any result would \
            differ by at most"
        )?,
    }
    let public = match public {
        Some(public) => {
            format!("The number of people, their tiers and the {public} are public, not protected.")
        }
        None => "The number of people and their tiers are public, not protected.".to_owned(),
    };
    writeln!(
        out,
        "\n  a factor of exp(spent ε): 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1. Losses \
        of several\n  \
         releases add up. {public}",
    )?;
    match person {
        Some(Person { counts_with, .. }) => {
            writeln!(
                out,
                "  Each person counts once, with {counts_with}, at the strictest tier of their \
                rows."
            )
        }
        None => Ok(()),
    }
}

/// What the interval is for.
pub(crate) fn estimand(plan: &Plan) -> &'static str {
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
        Target::Population => "the population the records were drawn from",
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

pub(crate) fn write_warning(out: &mut String, private: bool) -> std::fmt::Result {
    if !private {
        writeln!(out, "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.\n")?;
    }
    Ok(())
}

/// The parts of the error, and all of it, each with its meaning.
pub(crate) fn error_rows(error: ExpectedError, plan: &Plan) -> [(f64, &'static str); 3] {
    let frequency = plan.setting().categories.is_some();
    let noise = if frequency {
        "noise: what hides each person; the largest over the categories"
    } else {
        "noise: what hides each person"
    };
    let sampling = match plan.setting().target {
        Target::Population if frequency => {
            "sampling: the records are a sample; for the worst category"
        }
        Target::Population if plan.request().options().variance.is_some() => {
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

/// Figures below one another, each with its meaning.
pub(crate) fn write_figures(out: &mut String, rows: &[(String, &str)]) -> std::fmt::Result {
    let width = rows.iter().map(|(number, _)| number.chars().count()).max().unwrap_or(0);
    for (number, meaning) in rows {
        writeln!(out, "  {number:>width$}  {meaning}")?;
    }
    Ok(())
}
