//! The release of quantiles in words.

use std::fmt::Write;

use suum_core::{Cells, ExpectedError, Loss, QuantileCandidate, QuantilePlan, QuantileRelease};

use crate::figures::{count, excess, percent, significant, trimmed};
use crate::how::{self, Person};
use crate::range;
use crate::summary::between;
use crate::table::Table;
use crate::tiers::{self, Tier};

/// The text of quantiles: the answers, how far their ranks may be off, what each tier spent, and
/// what is guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let (bounds, cells) = (Bounds::new(0.0, 10.0)?, Cells::new(10)?);
/// let numbers = Numbers { grid: Grid::new(bounds), squares: false, cells: Some(cells) };
/// let sums = vec![ExactSum::from_raw(300 * i128::from(numbers.grid.points()))];
/// let cells_of = CellCounts::from_raw(vec![(3, 1000)]);
/// let people = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     sums,
///     cells: cells_of,
///     kept: None,
/// };
/// let table = LevelTable::new(Some("rooms".into()), Measure::Numbers(numbers), vec![people])?;
/// let request =
///     QuantileRequest::new(bounds, cells, vec![Rank::MEDIAN], QuantileOptions::default())?;
/// let release = request.plan(table.profile()?)?.release(table, &mut Randomness::insecure(1))?;
/// assert!(suum_report::quantile_text(&release).contains("Private median of rooms: 3"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn quantile_text(release: &QuantileRelease) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_quantiles(&mut out, release);
    out
}

fn write_quantiles(out: &mut String, release: &QuantileRelease) -> std::fmt::Result {
    how::write_warning(out, release.private)?;
    let plan = &release.plan;
    let options = plan.request().options();
    let of = how::of_column(release.column.as_deref());
    let (confidence, whom) = (how::confidence(options.confidence), how::of_target(options.target));
    match release.quantiles.as_slice() {
        [one] => {
            let name = name(one.q.get());
            writeln!(out, "Private {name}{of}: {}", value(one.estimate))?;
            if let Some(interval) = one.interval {
                writeln!(
                    out,
                    "{confidence} confidence interval: {}, for {whom}",
                    between(value, &interval)
                )?;
            }
        }
        several => {
            writeln!(out, "Private quantiles{of}, for {whom}")?;
            write_table(out, several, &confidence);
            writeln!(out, "Each interval holds for its quantile alone.")?;
        }
    }
    write_no_interval(out, plan.no_interval())?;
    write_candidates(out, plan.request().cells().steps())?;
    write_rank_error(out, release)?;
    write_split(out, plan)?;
    how::write_spending(out, &release.privacy)?;
    let chosen = plan.chosen().estimator;
    writeln!(out, "\nEstimator: {chosen} ({})", chosen.describe())?;
    write_comparison(out, plan);
    let counts_with = counts_with(plan.request().cells().rows());
    let person = Person::new(release.person.as_ref(), &counts_with);
    how::write_guarantee(out, &release.privacy, Some("bounds"), person)
}

/// Among what the quantiles were chosen.
pub(crate) fn write_candidates(out: &mut String, steps: u32) -> std::fmt::Result {
    writeln!(
        out,
        "Chosen among {} points over the bounds{}.",
        count(u64::from(steps) + 1),
        if steps == Cells::STEPS {
            "; for data in steps, such as integers, --step 1 leaves only those"
        } else {
            ""
        },
    )
}

/// What of a person's rows counts in a quantile.
pub(crate) fn counts_with(rows: u32) -> String {
    match rows {
        1 => "the median of their rows".into(),
        _ => format!("{rows} of their rows, evenly spaced by rank"),
    }
}

/// A quantile by the name people know it by.
pub(crate) fn name(q: f64) -> String {
    if q == 0.5 { "median".into() } else { format!("{} quantile", percent_of(q)) }
}

pub(crate) fn percent_of(q: f64) -> String {
    format!("{} %", trimmed(&significant(q * 100.0, 9)))
}

/// A value of the data: a candidate, which has few digits by nature or too many by division.
pub(crate) fn value(value: f64) -> String {
    trimmed(&significant(value, 5))
}

pub(crate) fn write_table(out: &mut String, quantiles: &[suum_core::Quantile], confidence: &str) {
    let interval = format!("{confidence} interval");
    let mut table = Table::new(1, ["q", "below it lie", "value", &interval]);
    for one in quantiles {
        table.row([
            one.q.to_string(),
            percent_of(one.q.get()),
            value(one.estimate),
            interval_of(one),
        ]);
    }
    table.write(out);
}

fn write_rank_error(out: &mut String, release: &QuantileRelease) -> std::fmt::Result {
    writeln!(
        out,
        "\nHow far the rank may be off (standard deviation, in percentage points of people)"
    )?;
    let rows = error_rows(release.error).map(|(points, meaning)| (significant(points, 3), meaning));
    how::write_figures(out, &rows)
}

/// How far ranks may be off, in percentage points: the parts, and all together, each with its
/// meaning.
pub(crate) fn error_rows(error: ExpectedError) -> [(f64, &'static str); 3] {
    [
        (error.noise_sd * 100.0, "noise: what hides each person"),
        (
            error.sampling_sd * 100.0,
            "sampling: the records are a sample, weighted by their budgets",
        ),
        (error.rmse * 100.0, "together"),
    ]
}

/// The interval of a quantile in words.
pub(crate) fn interval_of(one: &suum_core::Quantile) -> String {
    one.interval.map_or_else(|| "none".to_owned(), |interval| between(value, &interval))
}

/// Why some quantile has no interval, if it is so.
pub(crate) fn write_no_interval(out: &mut String, why: Option<&str>) -> std::fmt::Result {
    match why {
        Some(_) => writeln!(out, "{}", range::no_interval(why)),
        None => Ok(()),
    }
}

pub(crate) fn write_split(out: &mut String, plan: &QuantilePlan) -> std::fmt::Result {
    let (estimates, ends) = plan
        .split()
        .fold((0.0, 0.0), |(estimates, ends), (_, one, its)| (estimates + one, ends + its));
    let quantiles = plan.request().ranks().len();
    let alike = match quantiles {
        1 => String::new(),
        _ => format!(", divided evenly among {quantiles} quantiles"),
    };
    match ends > 0.0 {
        true => writeln!(
            out,
            "\nOf what is spent, {} bought the estimates{alike}, {} the ends of their intervals.",
            percent(estimates),
            percent(ends),
        ),
        false => writeln!(
            out,
            "\nAll that is spent bought the estimates{alike}; no end of an interval was bought."
        ),
    }
}

/// Every estimator with its expected error, best first.
pub(crate) fn write_comparison(out: &mut String, plan: &QuantilePlan) {
    let mut candidates: Vec<&QuantileCandidate> = plan.candidates().iter().collect();
    candidates.sort_by(|a, b| a.risk.total_cmp(&b.risk));
    let best = candidates.first().map_or(f64::NAN, |candidate| candidate.risk.sqrt());
    let mut table = Table::new(1, ["estimator", "rank error", "τ", "vs best", ""]);
    for candidate in candidates {
        table.row([
            candidate.estimator.name().to_owned(),
            format!("{} points", significant(candidate.rank_error.rmse() * 100.0, 3)),
            candidate.tau.map_or_else(String::new, |tau| significant(tau, 4)),
            excess(candidate.risk.sqrt(), best),
            if candidate.estimator == plan.chosen().estimator {
                "chosen".into()
            } else {
                String::new()
            },
        ]);
    }
    table.write(out);
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "Compared by their error on normal data of which 16 standard deviations fill the bounds."
    );
}

/// The text of the plan of quantiles.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Cells, QuantileOptions, QuantileRequest, Rank};
/// use suum_report::{Tier, quantile_plan_text};
///
/// let options = QuantileOptions::default();
/// let request =
///     QuantileRequest::new(Bounds::UNIT, Cells::new(100)?, vec![Rank::MEDIAN], options)?;
/// let plan = request.plan("0.1:50,inf:2".parse()?)?;
/// assert!(
///     quantile_plan_text(&plan, &Tier::of_profile(plan.allowed()))
///         .contains("Plan for the median")
/// );
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn quantile_plan_text(plan: &QuantilePlan, tiers: &[Tier]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = write_plan(&mut out, plan, tiers);
    out
}

fn write_plan(out: &mut String, plan: &QuantilePlan, tiers: &[Tier]) -> std::fmt::Result {
    let (options, chosen) = (plan.request().options(), plan.chosen());
    let names: Vec<String> = plan.request().ranks().iter().map(|rank| name(rank.get())).collect();
    writeln!(
        out,
        "Plan for the {} of {} records, target {}",
        names.join(", "),
        count(plan.profile().records()),
        options.target.name(),
    )?;
    writeln!(
        out,
        "Expected rank error (root mean squared): {} percentage points of people, by {}",
        significant(chosen.rank_error.rmse() * 100.0, 3),
        chosen.estimator,
    )?;
    write_split(out, plan)?;
    writeln!(out, "\nEstimators (from public facts, no value is read)")?;
    write_comparison(out, plan);
    writeln!(out, "\nWhat each tier allows and what this release would spend")?;
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        Some((losses.get(position)?.clone(), chosen.weights.per_level().get(position).copied()))
    });
    tiers::write(out, &lines, "would spend");
    Ok(())
}
