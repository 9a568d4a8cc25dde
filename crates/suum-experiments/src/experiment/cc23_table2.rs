//! CC23 Table II: means with personal budgets.

use serde::Deserialize;
use suum::simulation::{Data, Dice};
use suum::{Bounds, Options, Result};

use crate::effort::{Effort, Progress};
use crate::experiment::NamedEstimator;
use crate::outcome::{Entry, Finding, Outcome, Panel, Role, Table};
use crate::study::Study;
use crate::sweep::{self, Line, Point, SweepPoint};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    people: u64,
    /// Both parameters of the Beta distribution, at most 1.
    shape: f64,
    columns: Vec<NamedEstimator>,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    from: f64,
    to: f64,
    published: Vec<f64>,
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/cc23-table2.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    let mut lines = NamedEstimator::lines(&setting.columns)?;
    lines.push(Line::auto());
    let point = |(number, row): (u64, &Row)| {
        let mut dice = Dice::new(study.sheet.seed, number);
        let budgets =
            (0..setting.people).map(|_| (row.from + (row.to - row.from) * dice.uniform(), 1));
        let shape = setting.shape;
        let data = Data::independent(move |dice| beta_variable(shape, dice) - 0.5, vec![0.0]);
        Ok(Point { x: number as f64, profile: sweep::profile(&budgets.collect::<Vec<_>>())?, data })
    };
    let points = (0..).zip(&setting.rows).map(point).collect::<Result<Vec<_>>>()?;
    let found =
        sweep::sweep(&study, (Bounds::new(-0.5, 0.5)?, &Options::default()), &lines, points)?;

    let rows = setting.rows.iter().zip(&found).map(|(row, at)| {
        let published = row.published.iter().copied().map(Some).chain(std::iter::repeat(None));
        let measured = (0..lines.len()).map(|line| Some(at.mean_squared(line).ln()));
        let bound = at.lower_bound().map(|bound| ValueWithError::exact(bound.ln()));
        let entries = published
            .zip(measured.chain([bound]))
            .map(|(published, ours)| Entry { published, ours });
        (row.name.clone(), entries.collect())
    });
    let mut columns: Vec<(String, Role)> =
        lines.iter().map(|line| (line.name.clone(), line.role)).collect();
    columns.push(("lower bound".to_owned(), Role::Bound));
    let table = Table {
        name: "logarithms".to_owned(),
        caption:
            "ln of the mean squared error: ours, and below it the published number; the least \
            in bold"
                .to_owned(),
        corner: "budgets".to_owned(),
        columns,
        rows: rows.collect(),
    };
    let findings = findings(setting, &found);
    let contest = sweep::contest(&lines, &found, |at| setting.rows[at.x as usize].name.clone());
    Ok(study.outcome("cc23-table2", vec![Panel::Table(table)], findings, contest))
}

fn findings(setting: &Setting, found: &[SweepPoint]) -> Vec<Finding> {
    setting
        .rows
        .iter()
        .zip(found)
        .map(|(row, at)| {
            let ours: Vec<f64> =
                (0..row.published.len()).map(|line| at.mean_squared(line).value.ln()).collect();
            let furthest =
                row.published.iter().zip(&ours).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Printed numbers that are equal have no order.
            let pairs = (0..ours.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
            let swapped: Vec<String> = pairs
                .filter(|(a, b)| {
                    (row.published[*a] - row.published[*b]) * (ours[*a] - ours[*b]) < 0.0
                })
                .map(|(a, b)| {
                    format!("{} and {}", setting.columns[b].name, setting.columns[a].name)
                })
                .collect();
            let order = match &swapped[..] {
                [] => "The order of the columns is the published one".to_owned(),
                pairs => format!(
                    "The order is the published one but for {}, as budgets and data are not theirs",
                    pairs.join(", ")
                ),
            };
            Finding::check(
                swapped.is_empty(),
                format!("{}: {order}; no logarithm is further off than {furthest:.1}.", row.name),
            )
        })
        .collect()
}

/// A Beta variable with equal parameters up to 1 (Jöhnk 1964).
fn beta_variable(shape: f64, dice: &mut Dice) -> f64 {
    loop {
        let (a, b) = (dice.uniform().powf(1.0 / shape), dice.uniform().powf(1.0 / shape));
        if a + b > 0.0 && a + b <= 1.0 {
            return a / (a + b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks mean ½ and variance 1/(4(2s + 1)), within five standard errors.
    #[test]
    fn beta_has_its_moments() {
        let mut dice = Dice::new(5, 0);
        let draws: Vec<f64> = (0..100_000).map(|_| beta_variable(0.9, &mut dice) - 0.5).collect();
        let mean = |of: &dyn Fn(f64) -> f64| draws.iter().map(|x| of(*x)).sum::<f64>() / 100_000.0;
        let variance = 1.0 / (4.0 * 2.8);
        assert!(mean(&|x| x).abs() < 5.0 * (variance / 100_000f64).sqrt());
        assert!((mean(&|x| x * x) - variance).abs() < 5.0 * (0.0065 / 100_000f64).sqrt());
    }
}
