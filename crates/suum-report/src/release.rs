//! The release of a number in words.

use std::fmt::Write;

use suum_core::{Interval, LearnedVariance, Plan, Release};

use crate::figures::{budget, count, percent, significant, tier, to_error};
use crate::how::{self, How, Person};
use crate::range;
use crate::table::{Table, selection};
use crate::tiers::LINES;

/// The text of a release: the answer first, then where its error comes from, what each tier spent,
/// what else was considered, and what is guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(500 * i128::from(grid.points()) / 2)];
/// let people = Cohort {
///     label: Some("standard".into()),
///     epsilon: Epsilon::new(0.5)?,
///     count: 500,
///     sums,
///     cells: Default::default(),
///     kept: None,
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(grid.into()), vec![people])?;
/// let plan =
///     Request::new(Statistic::Mean, grid.bounds(), Options::default())?.plan(table.profile()?)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::release_text(&release).contains("mean of score"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn release_text(release: &Release) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_release(&mut out, release);
    out
}

fn write_release(out: &mut String, release: &Release) -> std::fmt::Result {
    let Some(plan) = &release.plan else { return write_count(out, release) };
    how::write_warning(out, release.private)?;
    let rmse = release.error.rmse;

    let of = how::of_column(release.column.as_deref());
    writeln!(
        out,
        "Private {}{of}: {}",
        release.statistic.name(),
        to_error(release.estimate, rmse)
    )?;
    match release.interval {
        Some(Interval { confidence, lower, upper }) => writeln!(
            out,
            "{} confidence interval: {} to {}, for {}",
            how::confidence(confidence),
            to_error(lower, rmse),
            to_error(upper, rmse),
            how::estimand(plan),
        )?,
        None => writeln!(out, "{}", range::no_interval(release.no_interval()))?,
    }
    write_notes(out, release, plan)?;
    how::write(
        out,
        &How {
            plan,
            error: release.error,
            privacy: &release.privacy,
            person: Person::new(release.person.as_ref(), "the mean of their rows"),
            range: release.range.as_ref(),
        },
    )
}

/// What has to be known of an estimate and its interval: shrinkage, a range or a variance that was
/// bought first, bias.
pub(crate) fn write_notes(out: &mut String, release: &Release, plan: &Plan) -> std::fmt::Result {
    let factor = plan.unit();
    if let Some(shrinkage) = plan.shrinkage() {
        writeln!(
            out,
            "The estimate is shrunk towards the middle of the bounds: factor {}, error {}.",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * factor, 3),
        )?;
    }
    if let Some(range) = &release.range {
        range::write_found(out, range)?;
    }
    match release.learned {
        Some(LearnedVariance { share, bound: Some(bound) }) => writeln!(
            out,
            "{} of every budget bought a bound on the variance, {}; interval and weights are made \
            for it.",
            percent(share),
            significant(bound, 3),
        )?,
        Some(LearnedVariance { share, bound: None }) if share > 0.0 => writeln!(
            out,
            "{} of every budget went to a bound on the variance, which says no more than the \
            bounds do.",
            percent(share),
        )?,
        Some(_) => writeln!(
            out,
            "With these budgets no bound on the variance could help: none was bought."
        )?,
        None => {}
    }
    let bias = plan.chosen().design.bias_bound(plan.setting()) * factor;
    if bias > 0.0 {
        writeln!(
            out,
            "BIASED: {} can be too low by up to {}, however many records there are.",
            plan.chosen().estimator,
            significant(bias, 3),
        )?;
    }
    Ok(())
}

fn write_count(out: &mut String, release: &Release) -> std::fmt::Result {
    let people = if release.person.is_some() { "persons" } else { "records" };
    writeln!(out, "Number of {people}: {}", count(release.estimate as u64))?;
    writeln!(
        out,
        "Exact, and it costs nobody any privacy: under replace-one neighbours the number of \
        {people} is public.\n"
    )?;
    let mut table = Table::new(1, ["tier", "people", "allowed ε", "spent ε"]);
    for position in selection(release.privacy.len(), LINES) {
        let row = position.and_then(|position| release.privacy.get(position));
        table.row(match row {
            Some(row) => {
                [tier(&row.level, row.epsilon), count(row.count), budget(row.epsilon), "0".into()]
            }
            None => ["…".into(), String::new(), String::new(), String::new()],
        });
    }
    table.write(out);
    Ok(())
}
