//! Quantiles in words.

use std::fmt::Write;

use suum_core::{
    Cells, ExpectedError, Protected, QuantileCandidate, QuantileMethod, QuantilePlan,
    QuantilesTogether, Rank, Release,
};

use crate::figures::{count, excess, percent, percent_of, quantile_name, significant};
use crate::html::figure::Figure;
use crate::prose;
use crate::prose::Text;
use crate::table::Table;
use crate::tiers::{self, Line, Tier};
use crate::{frequencies, guarantee, how, spending, strata};

/// How quantiles were made: their error, how the budget was divided, what everybody spent.
pub(crate) fn write_how(
    out: &mut Text,
    plan: &QuantilePlan,
    release: &Release,
) -> std::fmt::Result {
    prose::paragraph(out, &candidates(plan.request().cells().steps(), release.range().is_some()));
    if let Some(error) = release.error {
        let whom = release.protects();
        let rows = error_rows(error, whom);
        let rows = rows.map(|(points, meaning)| (significant(points, 3), meaning));
        how::write_errors(out, ERRORS, &unit(whom), how::BEFORE, &rows)?;
    }
    write_split(out, plan)?;
    spending::write(out, release)?;
    let chosen = plan.chosen().estimator;
    writeln!(out)?;
    how::estimator(out, chosen.name(), chosen.describe());
    write_comparison(out, plan);
    guarantee::write(out, &guarantee::of(release))
}

/// The quantiles with their intervals.
pub(crate) fn write_table(out: &mut Text, figures: &[Figure], interval: &str) {
    let mut table = Table::new(1, ["q", "below it lie", "value", interval]);
    for figure in figures {
        let q: f64 = figure.key.parse().unwrap_or(f64::NAN);
        table.row([
            figure.key.clone(),
            percent_of(q),
            figure.writing.text(figure.estimate),
            figure.interval_text(),
        ]);
    }
    out.table(&table);
}

/// What an interval of a quantile is.
pub(crate) fn alone(release: &Release) -> &'static str {
    match release.is_simultaneous() {
        true => frequencies::TOGETHER,
        false => "Each interval holds for its quantile alone.",
    }
}

/// Among what the quantiles were chosen.
pub(crate) fn candidates(steps: u32, in_range: bool) -> String {
    format!(
        "Chosen among {} points over the {}{}.",
        count(u64::from(steps) + 1),
        if in_range { "range" } else { "bounds" },
        if steps == Cells::STEPS && !in_range {
            "; for data in steps, such as integers, --step 1 leaves only those"
        } else {
            ""
        },
    )
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

pub(crate) fn write_split(out: &mut Text, plan: &QuantilePlan) -> std::fmt::Result {
    let ends = plan.split().fold(0.0, |ends, one| ends + one.interval);
    writeln!(out)?;
    if let Some(together) = plan.together() {
        let what = of_together(&together);
        let bought = match ends > 0.0 {
            true => format!(
                "Of what is spent, {} bought the estimates, {what}; {} the ends of their \
                 intervals.",
                percent(1.0 - ends),
                percent(ends),
            ),
            // The histogram tells of intervals, too.
            false if together.method == QuantileMethod::Histogram => {
                format!("All that is spent bought the estimates and their intervals, {what}.")
            }
            false => format!(
                "All that is spent bought the estimates, {what}. No end of an interval was bought."
            ),
        };
        prose::paragraph(out, &bought);
        return Ok(());
    }
    let alike = match plan.request().ranks().len() {
        1 => String::new(),
        quantiles => format!(", divided evenly among {quantiles} quantiles"),
    };
    match ends > 0.0 {
        true => writeln!(
            out,
            "Of what is spent, {} bought the estimates{alike},\n{} the ends of their intervals.",
            percent(1.0 - ends),
            percent(ends),
        ),
        false => writeln!(
            out,
            "All that is spent bought the estimates{alike};\nno end of an interval was bought."
        ),
    }
}

/// How several estimates were asked for together.
pub(crate) fn of_together(together: &QuantilesTogether) -> String {
    match together.cost {
        Some(cost) => format!(
            "asked for together by recursion on the middle one: the {} of them cost as much as {} \
             questions",
            together.quantiles,
            significant(cost, 3),
        ),
        None => "read off one histogram, which was made finer where most records are".to_owned(),
    }
}

/// Every estimator with its expected error, best first.
pub(crate) fn write_comparison(out: &mut Text, plan: &QuantilePlan) {
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
    out.table(&table);
    prose::paragraph(
        out,
        "Compared by their error on normal data of which 16 standard deviations fill the bounds.",
    );
}

/// Which quantiles, in words: by their names, or how many between which.
pub(crate) fn which(ranks: &[Rank]) -> String {
    let names = || ranks.iter().map(|rank| quantile_name(rank.get())).collect::<Vec<_>>();
    let ends = ranks.iter().map(|rank| rank.get()).fold(None, |ends, q| match ends {
        None => Some((q, q)),
        Some((least, most)) => Some((q.min(least), q.max(most))),
    });
    match ends {
        Some((least, most)) if ranks.len() > 3 => {
            format!("{} quantiles ({} to {})", ranks.len(), percent_of(least), percent_of(most))
        }
        _ => format!("the {}", names().join(", ")),
    }
}

/// The text of the plan of quantiles.
pub(crate) fn write_plan(out: &mut Text, plan: &QuantilePlan, tiers: &[Tier]) -> std::fmt::Result {
    let (options, chosen) = (plan.request().options(), plan.chosen());
    let title = format!(
        "Plan for {} of {} records, target {}",
        which(plan.request().ranks()),
        count(plan.profile().records()),
        options.target.name(),
    );
    prose::paragraph(out, &title);
    for sentence in strata::of_quantiles(plan) {
        prose::paragraph(out, &sentence);
    }
    writeln!(
        out,
        "Expected rank error (root mean squared): {} percentage points of records, by {}",
        significant(chosen.rank_error.rmse() * 100.0, 3),
        chosen.estimator,
    )?;
    write_split(out, plan)?;
    out.heading("Estimators (from public facts, no value is read)");
    write_comparison(out, plan);
    out.heading("What each tier allows and what this release would spend");
    tiers::write(out, &lines(plan, tiers), "would spend", Protected::Record);
    Ok(())
}

/// Tiers of a plan, before the release.
pub(crate) fn lines(plan: &QuantilePlan, tiers: &[Tier]) -> Vec<Line> {
    let weights = plan.chosen().weights.per_level();
    tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        // In strata it differs.
        let has_one = !plan.profile().is_stratified();
        let weight = weights.get(position).copied().filter(|_| has_one);
        Some((plan.loss_of(tier.epsilon), weight))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_quantiles_are_counted_and_few_are_named() {
        let which = |percents: &[u64]| {
            let ranks: Vec<Rank> = percents.iter().map(|&p| Rank::new(p, 100).unwrap()).collect();
            which(&ranks)
        };
        assert_eq!(which(&[50]), "the median");
        assert_eq!(which(&[25, 50, 75]), "the 25 % quantile, median, 75 % quantile");
        assert_eq!(which(&[90, 1, 50, 70]), "4 quantiles (1 % to 90 %)");
    }
}
