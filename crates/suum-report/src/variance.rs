//! The release of a variance in words.

use std::fmt::Write;

use suum_core::{Caveats, ExpectedError, Loss, Protected, VariancePlan, VarianceRelease};

use crate::answer::{self, Answer};
use crate::caveats::{Facts, Said, useless};
use crate::figures::{count, significant};
use crate::how::{self, Person};
use crate::html::Shown;
use crate::tiers::{self, Tier};
use crate::{headline, prose};

/// The text of a variance: the standard deviation and the mean with it, what each tier spent, and
/// what is guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let numbers = Numbers {
///     grid: Grid::new(Bounds::new(0.0, 10.0)?),
///     squares: true,
///     cells: Some(Cells::new(10)?),
/// };
/// let points = i128::from(numbers.grid.points());
/// let people = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     // All of them at 5, the middle.
///     sums: [500 * points, 0].map(ExactSum::from_raw).to_vec(),
///     cells: CellCounts::from_raw(vec![(5, 1000)]),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(numbers), vec![people])?;
/// let plan = VarianceRequest::new(numbers.grid.bounds(), VarianceOptions::default())?
///     .plan(table.profile()?)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::variance_text(&release).contains("Private variance of score"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn variance_text(release: &VarianceRelease) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_variance(&mut out, release);
    out
}

fn write_variance(out: &mut String, release: &VarianceRelease) -> std::fmt::Result {
    how::write_warning(out, release.private)?;
    let options = release.plan.request().options();
    let figures = release.figures();
    answer::number(
        out,
        &Answer {
            name: "variance",
            column: release.column.as_deref(),
            figures: &figures,
            whom: how::of_target(options.target),
            said: &said(release),
        },
        release,
    )?;
    for (name, figure) in NAMES.into_iter().zip(figures.0.iter().skip(1)) {
        let estimate = figure.writing.text(figure.estimate);
        writeln!(out, "{name}: {estimate} ({})", figure.interval_text())?;
    }
    if let Some(sentence) = useless(&headline::useless(release, figures.0.get(1..).unwrap_or(&[])))
    {
        prose::paragraph(out, &sentence);
    }
    let whom = release.protects();
    let rows = error_rows(release.error, whom);
    let rows = rows.map(|(figure, meaning)| (significant(figure, 3), meaning));
    how::write_errors(out, how::ERRORS, ERROR_UNIT, ERROR_BASIS, &rows)?;
    how::write_spending(out, &release.privacy, whom)?;
    writeln!(out)?;
    how::estimator(
        out,
        "affine",
        "weights min(ε, τ), τ optimal for the variance that is hardest to sample",
    );
    let person = Person::new(release.person.as_ref(), "the mean of their rows");
    how::write_guarantee(out, &how::guarantee(&release.privacy, Some("bounds"), person))
}

/// What is released beside the variance.
pub(crate) const NAMES: [&str; 2] = ["Standard deviation", "Mean, measured with it"];

/// What must be known of a variance.
pub(crate) fn said(release: &VarianceRelease) -> Said {
    let facts = Facts {
        confidence: release.figures().confidence(),
        no_interval: None,
        bounds: Some(release.plan.request().bounds()),
        correlated: false,
    };
    Said::of(release, &facts)
}

/// The unit of errors.
pub(crate) const ERROR_UNIT: &str = "standard deviation";

/// For which data errors hold.
pub(crate) const ERROR_BASIS: &str =
    "at the distribution that is hardest to sample, before seeing the data";

/// The parts of the error, and all of it, each with its meaning.
pub(crate) fn error_rows(error: ExpectedError, whom: Protected) -> [(f64, &'static str); 3] {
    [
        (error.noise_sd, how::noise_of(whom)),
        (error.sampling_sd, "sampling: the records are a sample"),
        (error.rmse, "together"),
    ]
}

/// The text of the plan of a variance.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, VarianceOptions, VarianceRequest};
/// use suum_report::{Tier, variance_plan_text};
///
/// let plan = VarianceRequest::new(Bounds::UNIT, VarianceOptions::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// assert!(
///     variance_plan_text(&plan, &Tier::of_profile(plan.allowed()))
///         .contains("Plan for the variance")
/// );
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn variance_plan_text(plan: &VariancePlan, tiers: &[Tier]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_plan(&mut out, plan, tiers);
    out
}

fn write_plan(out: &mut String, plan: &VariancePlan, tiers: &[Tier]) -> std::fmt::Result {
    let (options, error) = (plan.request().options(), plan.error());
    writeln!(
        out,
        "Plan for the variance of {} records, target {}",
        count(plan.profile().records()),
        options.target.name()
    )?;
    writeln!(
        out,
        "Expected error at the distribution that is hardest to sample: {} (noise {}, sampling {})",
        significant(error.rmse, 4),
        significant(error.noise_sd, 4),
        significant(error.sampling_sd, 4),
    )?;
    writeln!(out, "\nWhat each tier allows and what this release would spend")?;
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        Some((losses.get(position)?.clone(), plan.weights().per_level().get(position).copied()))
    });
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}
