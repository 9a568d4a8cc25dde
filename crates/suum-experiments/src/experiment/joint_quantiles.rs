//! Several quantiles, measured together or with an even split of the budget.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Deserialize;
use suum::simulation::{Dice, Errors};
use suum::{
    Bounds, Cells, Grid, Numbers, Options, QuantileMethod, QuantilePlan, QuantileRequest, Quantity,
    Randomness, Rank, Release, Result,
};

use super::people::table;
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Entry, Finding, Outcome, Panel, Role, Table};
use crate::study::Study;
use crate::sweep::{self, OURS};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    people: u64,
    counts: Vec<u64>,
    budgets: Vec<f64>,
    data: Vec<Data>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    name: Kind,
    steps: u32,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Smooth,
    Rounded,
    Clustered,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Smooth => "smooth",
            Kind::Rounded => "rounded",
            Kind::Clustered => "clustered",
        }
    }

    fn draw(self, dice: &mut Dice) -> f64 {
        match self {
            Kind::Smooth => 50.0 + 10.0 * dice.normal(),
            Kind::Rounded => (50.0 + 10.0 * dice.normal()).round(),
            Kind::Clustered => 10.0 * dice.below(10) as f64 + 5.0 + 0.1 * dice.uniform(),
        }
    }
}

/// Methods, in this order.
const WAYS: [(&str, Option<QuantileMethod>, Role); 2] =
    [("even split", Some(QuantileMethod::Even), Role::Theirs), (OURS, None, Role::Auto)];

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/joint-quantiles.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    study.expect((setting.data.len() * setting.counts.len() * setting.budgets.len()) as u64);
    let mut contest = Contest::default();
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    let mut cell = 0;
    for count in &setting.counts {
        let mut ratios = Vec::new();
        for data in &setting.data {
            for budget in &setting.budgets {
                let errors = errors(&study, data, *count, *budget, study.seed(cell, 0))?;
                cell += 1;
                let name = format!("{}, m = {count}, ε = {budget}", data.name.name());
                let [even, auto] = &errors;
                contest.mean_squared(&name, auto, (WAYS[0].0, even));
                ratios.push(auto.mean().0 / even.mean().0);
                let entry = |errors: &Errors| {
                    let (value, error) = errors.mean();
                    Entry { published: None, ours: Some(ValueWithError { value, error }) }
                };
                rows.push((name, errors.iter().map(entry).collect()));
                study.did(1);
            }
        }
        ratios.sort_by(f64::total_cmp);
        findings.push(Finding::new(format!(
            "{count} quantiles together have {:.2} to {:.2} times the rank error of an even split, \
             {:.2} times in the median.",
            ratios[0],
            ratios[ratios.len() - 1],
            (ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2]) / 2.0,
        )));
    }
    let table = Table {
        name: "rank-error".to_owned(),
        caption: format!("Mean rank error of {} people, as a share of them", setting.people),
        corner: "data".to_owned(),
        columns: WAYS.map(|(name, _, role)| (name.to_owned(), role)).into(),
        rows,
    };
    Ok(study.outcome("joint-quantiles", vec![Panel::Table(table)], findings, contest))
}

/// Mean rank errors of both methods, on the same data.
fn errors(
    study: &Study<'_, Setting>,
    data: &Data,
    count: u64,
    budget: f64,
    seed: u64,
) -> Result<[Errors; 2]> {
    let people = study.sheet.setting.people;
    let (bounds, cells) = (Bounds::new(0.0, 100.0)?, Cells::new(data.steps)?);
    let ranks: Vec<Rank> =
        (1..=count).map(|below| Rank::new(below, count + 1)).collect::<Result<_>>()?;
    let profile = sweep::profile(&[(budget, people)])?;
    let plan = |method: Option<QuantileMethod>| {
        let options =
            Options { method, interval_share: Some(0.0), whole: true, ..Options::default() };
        QuantileRequest::new(bounds, cells, ranks.clone(), options)?.plan(profile.clone())
    };
    let plans =
        WAYS.iter().map(|(_, method, _)| plan(*method)).collect::<Result<Vec<QuantilePlan>>>()?;
    let numbers = Numbers { grid: Grid::new(bounds), squares: false, cells: Some(cells) };
    let budgets = vec![budget; people as usize];
    let trial = |trial: usize| {
        let mut dice = Dice::new(seed, trial as u64);
        let values: Vec<f64> = budgets.iter().map(|_| data.name.draw(&mut dice)).collect();
        let table = table(&budgets, &values, numbers)?;
        let mut sorted: Vec<f64> =
            values.iter().map(|value| nearest(*value, bounds, cells)).collect();
        sorted.sort_by(f64::total_cmp);
        let error = |plan: &QuantilePlan| {
            let mut randomness = Randomness::insecure(seed.wrapping_add(trial as u64));
            let release = plan.clone().release(table.clone(), &mut randomness)?;
            Ok(rank_error(&release, &sorted, bounds, cells))
        };
        plans.iter().map(error).collect::<Result<Vec<f64>>>()
    };
    let trials = (0..study.trials).into_par_iter().map(trial).collect::<Result<Vec<_>>>()?;
    Ok([0, 1].map(|way| Errors::new(trials.iter().map(|errors| errors[way]).collect())))
}

/// Candidate at which a value counts.
fn nearest(value: f64, bounds: Bounds, cells: Cells) -> f64 {
    let share = (bounds.clamp(value) - bounds.lower()) / bounds.width();
    (share * f64::from(cells.steps())).round()
}

/// Mean over the quantiles of the distance of q from the ranks of an answer.
fn rank_error(release: &Release, sorted: &[f64], bounds: Bounds, cells: Cells) -> f64 {
    let errors = release.estimates.iter().map(|estimate| {
        let Quantity::Quantile(rank) = estimate.of else { return 0.0 };
        let candidate = nearest(estimate.estimate, bounds, cells);
        let share = |count: usize| count as f64 / sorted.len() as f64;
        let below = share(sorted.partition_point(|value| *value < candidate));
        let up_to = share(sorted.partition_point(|value| *value <= candidate));
        (below - rank.get()).max(rank.get() - up_to).max(0.0)
    });
    errors.sum::<f64>() / release.estimates.len() as f64
}
