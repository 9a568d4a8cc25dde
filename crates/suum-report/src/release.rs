//! A release in words.

use std::fmt::Write;

use suum_core::{Interval, Plan, Release, Statistic, Target};

use crate::figures::{budget, count, significant, to_error, trimmed};
use crate::tiers::{self, Line, Tier};
use crate::{comparison, plan};

/// The text of a release: the answer first, then where its error comes from, what each tier spent, what else
/// was considered, and what is guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sum = ExactSum::from_raw(500 * i128::from(grid.points()) / 2);
/// let people = Cohort { label: Some("standard".into()), epsilon: Epsilon::new(0.5)?, count: 500, sum };
/// let table = LevelTable::new(Some("score".into()), Some(grid), vec![people])?;
/// let plan = Request::new(Statistic::Mean, grid.bounds(), Options::default())?.plan(table.profile()?)?;
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
    if !release.private {
        writeln!(out, "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.\n")?;
    }
    let Some(plan) = &release.plan else { return write_count(out, release) };
    let mean = release.statistic == Statistic::Mean;
    let n = plan.setting().profile.records();
    let factor = if mean { 1.0 } else { n as f64 };
    let rmse = release.error.rmse;
    let of = release.column.as_ref().map_or_else(String::new, |column| format!(" of {column}"));

    writeln!(out, "Private {}{of}: {}", release.statistic.name(), to_error(release.estimate, rmse))?;
    let Interval { confidence, lower, upper } = release.interval;
    writeln!(
        out,
        "{} % confidence interval: {} to {}, for {}",
        trimmed(&significant(confidence * 100.0, 6)),
        to_error(lower, rmse),
        to_error(upper, rmse),
        estimand(plan.setting().target, mean),
    )?;
    if let Some(shrinkage) = plan.shrinkage() {
        writeln!(
            out,
            "The estimate is shrunk towards the middle of the bounds (factor {}, error {}); the interval is not.",
            significant(shrinkage.factor, 3),
            significant(shrinkage.risk.sqrt() * factor, 3),
        )?;
    }

    writeln!(out, "\nWhere the error comes from (standard deviation, worst case)")?;
    write_error(out, release, plan)?;

    writeln!(out, "\nWhat each tier allowed and what was really spent")?;
    let lines: Vec<Line> = release
        .privacy
        .iter()
        .map(|spending| Line {
            tier: Tier { level: spending.level.clone(), epsilon: spending.epsilon, count: spending.count },
            loss: spending.spent.clone(),
            share: spending.weight * spending.count as f64,
        })
        .collect();
    tiers::write(out, &lines, "spent ε");

    let chosen = plan.chosen();
    writeln!(out, "\nEstimator: {} ({})", chosen.estimator, chosen.estimator.describe())?;
    comparison::write(out, plan, factor, false);
    plan::write_gain(out, plan)?;

    writeln!(out, "\nWhat is guaranteed")?;
    write_guarantee(out)
}

fn estimand(target: Target, mean: bool) -> &'static str {
    match (target, mean) {
        (Target::Population, true) => "the population the records were drawn from",
        (Target::Population, false) => "as many records drawn anew from the same population, on average",
        (Target::Dataset, _) => "these records, if budgets have nothing to do with values",
        (Target::DatasetCorrelated, _) => "these records, however budgets relate to values",
    }
}

fn write_error(out: &mut String, release: &Release, plan: &Plan) -> std::fmt::Result {
    let error = release.error;
    let figure = |value: f64| significant(value, 3);
    let sampling = match plan.setting().target {
        Target::Population if plan.request().options().variance.is_some() => {
            "sampling: the records are a sample"
        }
        Target::Population => "sampling: the records are a sample; no distribution in the bounds is worse",
        Target::Dataset => "weighting: records of different tiers count differently",
        Target::DatasetCorrelated => "weighting: at its worst, if budgets go with values",
    };
    let rows = [
        (figure(error.noise_sd), "noise: what hides each person"),
        (figure(error.sampling_sd), sampling),
        (figure(error.rmse), "together (root mean squared error)"),
    ];
    let width = rows.iter().map(|(number, _)| number.chars().count()).max().unwrap_or(0);
    for (number, meaning) in rows {
        writeln!(out, "  {number:>width$}  {meaning}")?;
    }
    Ok(())
}

fn write_guarantee(out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "  Had one person's value been anything else, the probability of any result would differ by at most\n  \
         a factor of exp(spent ε): 1.01 for ε = 0.01, 1.11 for ε = 0.1, 2.72 for ε = 1. Losses of several\n  \
         releases add up. The number of people, their tiers and the bounds are public, not protected."
    )
}

fn write_count(out: &mut String, release: &Release) -> std::fmt::Result {
    writeln!(out, "Number of records: {}", count(release.estimate as u64))?;
    writeln!(
        out,
        "Exact, and it costs nobody any privacy: under replace-one neighbours the number of records is public."
    )?;
    let mut table = crate::table::Table::new(1, ["tier", "people", "allowed ε", "spent ε"]);
    for position in crate::table::selection(release.privacy.len(), 16) {
        let row = position.and_then(|position| release.privacy.get(position));
        table.row(match row {
            Some(spending) => {
                [spending.level.clone(), count(spending.count), budget(spending.epsilon), "0".into()]
            }
            None => ["…".into(), "".into(), "".into(), "".into()],
        });
    }
    writeln!(out)?;
    table.write(out);
    Ok(())
}
