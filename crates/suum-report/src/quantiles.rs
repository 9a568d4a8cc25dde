//! The release of quantiles in words.

use std::fmt::Write;

use suum_core::{
    Caveats, Cells, ExpectedError, Loss, Protected, QuantileCandidate, QuantilePlan,
    QuantileRelease,
};

use crate::answer::{self, Answer};
use crate::caveats::{Facts, Said};
use crate::figures::{count, excess, percent, percent_of, quantile_name, significant};
use crate::how::{self, Person};
use crate::html::figure::Figure;
use crate::html::{Figures, Shown};
use crate::table::Table;
use crate::tiers::{self, Tier};
use crate::{headline, prose};

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
    let answer = Answer {
        name: &title(&release.figures()),
        column: release.column.as_deref(),
        figures: &release.figures(),
        whom: how::of_target(options.target),
        said: &said(release),
    };
    write_answers(out, &answer, release)?;
    prose::paragraph(out, &candidates(plan.request().cells().steps()));
    write_rank_error(out, release)?;
    write_split(out, plan)?;
    how::write_spending(out, &release.privacy, release.protects())?;
    let chosen = plan.chosen().estimator;
    writeln!(out)?;
    how::estimator(out, chosen.name(), chosen.describe());
    write_comparison(out, plan);
    let counts_with = counts_with(plan.request().cells().rows());
    let person = Person::new(release.person.as_ref(), &counts_with);
    how::write_guarantee(out, &how::guarantee(&release.privacy, Some("bounds"), person))
}

/// What the answer is called.
pub(crate) fn title(figures: &Figures) -> String {
    match figures.0.as_slice() {
        [one] => one.name.clone(),
        _ => "quantiles".to_owned(),
    }
}

/// What must be known of quantiles.
pub(crate) fn said(release: &QuantileRelease) -> Said {
    let facts = Facts {
        confidence: release.figures().confidence(),
        no_interval: release.plan.no_interval(),
        bounds: Some(release.plan.request().bounds()),
        correlated: true,
    };
    Said::of(release, &facts)
}

/// One quantile, or several in a sentence and a table.
pub(crate) fn write_answers(
    out: &mut String,
    answer: &Answer<'_>,
    release: &impl Caveats,
) -> std::fmt::Result {
    let figures = answer.figures;
    if figures.0.len() == 1 {
        return answer::number(out, answer, release);
    }
    prose::paragraph(
        out,
        &format!("Private quantiles{}, for {}", how::of_column(answer.column), answer.whom),
    );
    let all: Vec<&Figure> = figures.0.iter().collect();
    prose::paragraph(out, &headline::text(&headline::several(&all)));
    let interval = match figures.confidence() {
        Some(confidence) => format!("{} interval", how::confidence(confidence)),
        None => "interval".to_owned(),
    };
    let mut table = Table::new(1, ["q", "below it lie", "value", &interval]);
    for figure in &figures.0 {
        let q: f64 = figure.key.parse().unwrap_or(f64::NAN);
        table.row([
            figure.key.clone(),
            percent_of(q),
            figure.writing.text(figure.estimate),
            figure.interval_text(),
        ]);
    }
    table.write(out);
    answer::after_table(out, figures, release, ALONE, answer.said);
    Ok(())
}

/// What an interval of a quantile is.
pub(crate) const ALONE: &str = "Each interval holds for its quantile alone.";

/// Among what the quantiles were chosen.
pub(crate) fn candidates(steps: u32) -> String {
    format!(
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

fn write_rank_error(out: &mut String, release: &QuantileRelease) -> std::fmt::Result {
    let whom = release.protects();
    let rows = error_rows(release.error, whom);
    let rows = rows.map(|(points, meaning)| (significant(points, 3), meaning));
    how::write_errors(out, ERRORS, &unit(whom), how::BEFORE, &rows)?;
    Ok(())
}

/// The heading of the parts of the error of a rank.
pub(crate) const ERRORS: &str = "How far the rank may be off";

/// The unit of the error of a rank.
pub(crate) fn unit(whom: Protected) -> String {
    format!("standard deviation, in percentage points of {}", whom.many())
}

/// How far ranks may be off, in percentage points: the parts, and all together, each with its
/// meaning.
pub(crate) fn error_rows(error: ExpectedError, whom: Protected) -> [(f64, &'static str); 3] {
    [
        (error.noise_sd * 100.0, how::noise_of(whom)),
        (
            error.sampling_sd * 100.0,
            "sampling: the records are a sample, weighted by their budgets",
        ),
        (error.rmse * 100.0, "together"),
    ]
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
            "\nOf what is spent, {} bought the estimates{alike},\n{} the ends of their intervals.",
            percent(estimates),
            percent(ends),
        ),
        false => writeln!(
            out,
            "\nAll that is spent bought the estimates{alike};\nno end of an interval was bought."
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
    prose::paragraph(
        out,
        "Compared by their error on normal data of which 16 standard deviations fill the bounds.",
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
    let names: Vec<String> =
        plan.request().ranks().iter().map(|rank| quantile_name(rank.get())).collect();
    writeln!(
        out,
        "Plan for the {} of {} records, target {}",
        names.join(", "),
        count(plan.profile().records()),
        options.target.name(),
    )?;
    writeln!(
        out,
        "Expected rank error (root mean squared): {} percentage points of records, by {}",
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
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}
