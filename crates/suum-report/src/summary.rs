//! Several statistics in words.

use std::fmt::Write;

use suum_core::{Caveats, Loss, Protected, SummaryPlan, SummaryRelease};

use crate::answer;
use crate::caveats::{Facts, Said};
use crate::figures::{count, percent, significant};
use crate::how::{self, Person};
use crate::html::figure::Figure;
use crate::html::{Figures, Shown};
use crate::quantiles::counts_with;
use crate::table::Table;
use crate::tiers::{self, Tier};
use crate::{headline, prose};

/// The text of a summary: one table of answers, the split of the budget, one certificate.
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
/// let statistics: Statistics = "mean,variance,q50".parse()?;
/// let split = Split::even(&statistics);
/// let plan =
///     SummaryPlan::new(statistics, numbers, table.profile()?, split, &SummaryOptions::default())?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::summary_text(&release).contains("median"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn summary_text(release: &SummaryRelease) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_summary(&mut out, release);
    out
}

fn write_summary(out: &mut String, release: &SummaryRelease) -> std::fmt::Result {
    how::write_warning(out, release.private)?;
    let figures = release.figures();
    writeln!(out, "Private statistics{}", how::of_column(release.column.as_deref()))?;
    prose::paragraph(out, &headline::text(&headline(&figures)));
    let mut table = Table::new(1, ["", "estimate", "interval"]);
    for figure in &figures.0 {
        let estimate = figure.writing.text(figure.estimate);
        table.row([figure.name.clone(), estimate, figure.interval_text()]);
    }
    table.write(out);
    answer::after_table(out, &figures, release, &alone(release), &said(release));
    writeln!(out, "\nHow every budget was split")?;
    for (measured, share) in &release.shares {
        writeln!(out, "  {:>6}  {measured}", percent(share.get()))?;
    }
    how::write_spending(out, &release.privacy, release.protects())?;
    let counts_with = counts_with_of(release);
    let person = Person::new(release.person.as_ref(), &counts_with);
    how::write_guarantee(out, &how::guarantee(&release.privacy, Some("bounds"), person))
}

/// The answers in a sentence: the mean and the median, or the first one that there is.
pub(crate) fn headline(figures: &Figures) -> Vec<headline::Piece> {
    let central = |figure: &&Figure| matches!(figure.name.as_str(), "mean" | "median");
    let mut named: Vec<&Figure> = figures.0.iter().filter(central).collect();
    if named.is_empty() {
        named.extend(figures.0.first());
    }
    headline::several(&named)
}

/// What must be known of several statistics.
pub(crate) fn said(release: &SummaryRelease) -> Said {
    let facts = Facts {
        confidence: release.figures().confidence(),
        no_interval: release.quantiles.as_ref().and_then(|quantiles| quantiles.plan.no_interval()),
        bounds: Some(release.bounds),
        correlated: release.variance.is_none(),
    };
    Said::of(release, &facts)
}

/// What intervals are for, and at which confidence.
pub(crate) fn alone(release: &SummaryRelease) -> String {
    let alone = release.variance.as_ref().map(|variance| {
        let options = variance.plan.request().options();
        (options.confidence, options.target)
    });
    let alone = alone.or(release.mean.as_ref().and_then(|mean| {
        let plan = mean.plan.as_ref()?;
        Some((plan.request().options().confidence, plan.setting().target))
    }));
    let alone = alone.or(release.quantiles.as_ref().map(|quantiles| {
        let options = quantiles.plan.request().options();
        (options.confidence, options.target)
    }));
    alone.map_or_else(String::new, |(confidence, target)| {
        format!(
            "Intervals have {} confidence, each alone, for {}.",
            how::confidence(confidence),
            how::of_target(target)
        )
    })
}

/// With what of their rows persons count.
pub(crate) fn counts_with_of(release: &SummaryRelease) -> String {
    let quantiles = release.quantiles.as_ref();
    let rows = quantiles.map(|quantiles| counts_with(quantiles.plan.request().cells().rows()));
    let mean = (release.mean.is_some() || release.variance.is_some())
        .then(|| "the mean of their rows".to_owned());
    mean.into_iter().chain(rows).collect::<Vec<_>>().join(" and ")
}

/// The text of the plan of a summary.
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
/// let statistics: Statistics = "mean,variance,q50".parse()?;
/// let split = Split::even(&statistics);
/// let plan =
///     SummaryPlan::new(statistics, numbers, table.profile()?, split, &SummaryOptions::default())?;
/// let tiers = suum_report::Tier::of_profile(plan.allowed());
/// assert!(suum_report::summary_plan_text(&plan, &tiers).contains("mean and variance"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn summary_plan_text(plan: &SummaryPlan, tiers: &[Tier]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_plan(&mut out, plan, tiers);
    out
}

fn write_plan(out: &mut String, plan: &SummaryPlan, tiers: &[Tier]) -> std::fmt::Result {
    writeln!(out, "Plan for several statistics of {} records", count(plan.allowed().records()))?;
    writeln!(out, "\nHow every budget would be split")?;
    for (measured, share) in plan.shares() {
        writeln!(out, "  {:>6}  {measured}", percent(share.get()))?;
    }
    writeln!(out, "\nExpected errors (root mean squared; worst case, before seeing the data)")?;
    if let Some(mean) = plan.mean_plan() {
        writeln!(
            out,
            "  mean: {}, by {}",
            significant(mean.chosen().risk.rmse(), 4),
            mean.chosen().estimator
        )?;
    }
    if let Some(variance) = plan.variance_plan() {
        let error = significant(variance.error().rmse, 4);
        writeln!(out, "  variance: {error}, at the distribution that is hardest to sample")?;
    }
    if let Some(quantiles) = plan.quantile_plan() {
        let chosen = quantiles.chosen();
        let points = significant(chosen.rank_error.rmse() * 100.0, 3);
        writeln!(out, "  quantiles: {points} percentage points of rank, by {}", chosen.estimator)?;
    }
    writeln!(out, "\nWhat each tier allows and what this release would spend")?;
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        Some((losses.get(plan.allowed().position(tier.epsilon)?)?.clone(), None))
    });
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}
