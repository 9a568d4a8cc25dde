//! How a release was made: the part that all statistics share.

use std::fmt::Write;

use suum_core::{
    ExpectedError, LearnedRange, Loss, Procedure, Protected, RangePlan, Release, Spending,
    Statistic, Target, WeightedPlan,
};

use crate::figures::{significant, trimmed};
use crate::tiers::{self, Line};
use crate::{adaptive, comparison, prose, weighted};

/// How a mean, a sum or shares were made: the error, what everybody spent, and what else could
/// have been done.
pub(crate) fn write(out: &mut String, plan: &WeightedPlan, release: &Release) -> std::fmt::Result {
    let ranged = release.range().is_some();
    if let Some(error) = release.error {
        let basis = Basis::of(release);
        let rows = error_rows(error, plan, release.protects(), basis);
        let (unit, basis) = error_unit(plan, basis);
        let rows = rows.map(|(figure, meaning)| (significant(figure, 3), meaning));
        write_errors(out, ERRORS, unit, basis, &rows)?;
    }
    write_spending(out, release)?;
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
    write_guarantee(out, &guarantee_of(release))
}

/// The estimator that was used.
pub(crate) fn estimator(out: &mut String, name: &str, describe: &str) {
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
    let basis = match basis {
        Basis::Worst => WORST,
        Basis::InRange => "if no value lies beyond the range",
        Basis::Learned => "of values in the learned range, for the largest variance likely there",
        Basis::Measured => "for the largest variance that the measured spread leaves likely",
    };
    ("standard deviation", basis)
}

/// The parts of the error under a heading that says what they are.
pub(crate) fn write_errors(
    out: &mut String,
    heading: &str,
    unit: &str,
    basis: &str,
    rows: &[(String, &str)],
) -> std::fmt::Result {
    writeln!(out, "\n{heading} ({unit};\n{basis})")?;
    write_figures(out, rows)
}

/// The certificate as a table.
pub(crate) fn write_spending(out: &mut String, release: &Release) -> std::fmt::Result {
    writeln!(out, "\nWhat each tier allowed and what was really spent")?;
    let lines: Vec<Line> = release.privacy.iter().map(Line::of_release).collect();
    tiers::write(out, &lines, "spent ε", release.protects());
    Ok(())
}

/// The section on the guarantee.
pub(crate) fn write_guarantee(out: &mut String, words: &str) -> std::fmt::Result {
    writeln!(out, "\nWhat is guaranteed")?;
    prose::indented(out, words);
    Ok(())
}

/// The words of the guarantee of a release of which it is public who takes part.
pub(crate) fn guarantee_of(release: &Release) -> String {
    let declared = release.range().is_none().then_some("bounds");
    let (public, counts_with) = match &release.procedure {
        Procedure::Weighted(plan) => match plan.setting().categories {
            Some(_) => (Some("categories"), "their most frequent category".to_owned()),
            None => (declared, MEAN_OF_ROWS.to_owned()),
        },
        Procedure::Quantiles(plan) => (declared, counts_with(plan.request().cells().rows())),
        Procedure::Variance(_) => (declared, MEAN_OF_ROWS.to_owned()),
        Procedure::Summary { parts, .. } => {
            let each = parts.iter().map(|part| match &part.release.procedure {
                Procedure::Quantiles(plan) => counts_with(plan.request().cells().rows()),
                _ => MEAN_OF_ROWS.to_owned(),
            });
            (declared, each.collect::<Vec<_>>().join(" and "))
        }
        Procedure::Exact | Procedure::AddRemove(_) => (None, String::new()),
    };
    let column = release.person.as_deref();
    guarantee(&release.privacy, public, column, &counts_with)
}

/// What of a person's rows counts in a quantile.
pub(crate) fn counts_with(rows: u32) -> String {
    match rows {
        1 => "the median of their rows".into(),
        _ => format!("{rows} of their rows, evenly spaced by rank"),
    }
}

const MEAN_OF_ROWS: &str = "the mean of their rows";

/// The words of the guarantee; `public` names what is public besides numbers and tiers, if anything
/// is, and `column` the column that names persons, who count with `counts_with`.
pub(crate) fn guarantee(
    privacy: &[Spending],
    public: Option<&str>,
    column: Option<&str>,
    counts_with: &str,
) -> String {
    let whom = Protected::by(column);
    let unlimited = privacy.iter().any(|spending| spending.spent == Loss::Unlimited);
    let nothing = match unlimited {
        false => String::new(),
        true => format!(
            "Nothing for {} whose spent ε is ∞: their data are public, and used without noise. For \
             the others: ",
            whom.many()
        ),
    };
    let different = match column {
        Some(column) => format!(
            "Had all rows of one person (whom {column} names) been anything else, and however many"
        ),
        None => "Had the value of one record been anything else".to_owned(),
    };
    let public = public.map_or_else(
        || format!("The number of {} and their tiers are", whom.many()),
        |public| format!("The number of {}, their tiers and the {public} are", whom.many()),
    );
    let counts = match whom {
        Protected::Record => String::new(),
        Protected::Person => format!(
            " Each person counts once, with {counts_with}, at the strictest tier of their rows."
        ),
    };
    format!(
        "{nothing}{different}, the probability of any result would differ by at most a factor of \
         exp(spent ε): {FACTORS}. {ADD_UP} {public} public, not protected.{counts}"
    )
}

/// exp(ε) for some ε.
pub(crate) const FACTORS: &str = "about 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1";

/// That releases compose.
pub(crate) const ADD_UP: &str = "Losses of several releases add up.";

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
        writeln!(out, "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.")?;
        writeln!(out, "Nothing below that is said to be guaranteed is.\n")?;
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
pub(crate) fn write_figures(out: &mut String, rows: &[(String, &str)]) -> std::fmt::Result {
    let width = rows.iter().map(|(number, _)| number.chars().count()).max().unwrap_or(0);
    for (number, meaning) in rows {
        writeln!(out, "  {number:>width$}  {meaning}")?;
    }
    Ok(())
}
