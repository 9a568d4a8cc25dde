//! DG26: Gaussian means without known bounds.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Deserialize;
use suum::simulation::{Dice, Errors};
use suum::{
    Bounds, DeclaredBudgets, Epsilon, Estimator, Grid, MemoryRecords, Neighbors, Options, Profile,
    Randomness, Records, Request, Result, Statistic, UnboundedAddRemove, UnboundedPlan,
    WeightedPlan, WeightedRequest, gaussian_lower_bound,
};

use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Axis, Chart, Entry, Finding, Outcome, Panel, Role, Series, Table};
use crate::published::{DiffusionMean, Person, ReductionMean};
use crate::study::Study;
use crate::sweep;
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    sizes: Vec<u64>,
    mean: f64,
    deviation: f64,
    /// Smallest ε; the largest is 1.
    smallest: f64,
    /// Number of different budgets.
    steps: usize,
}

/// Estimators, in this order.
const LINES: [(&str, Role); 5] = [
    ("published, replace-one", Role::Theirs),
    ("published, add-remove", Role::Theirs),
    ("suum, replace-one", Role::Auto),
    ("suum, add-remove", Role::Auto),
    ("told", Role::Theirs),
];
const TOLD: usize = 4;
/// Least number of trials, and the largest size with all of them.
const LEAST: usize = 10;
const ALL: u64 = 10_000;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study =
        Study::<Setting>::new(include_str!("../../../../experiments/dg26.toml"), effort, progress)?;
    let setting = &study.sheet.setting;
    let trials = |size: u64| {
        let scaled = (study.trials as f64 * ALL as f64 / size as f64) as usize;
        scaled.clamp(LEAST.min(study.trials), study.trials)
    };
    study.expect(setting.sizes.iter().map(|size| size * trials(*size) as u64).sum());
    let mut series =
        LINES.map(|(name, role)| Series { name: name.to_owned(), role, points: Vec::new() });
    let mut bound =
        Series { name: "lower bound".to_owned(), role: Role::Bound, points: Vec::new() };
    let (mut contest, mut rows) = (Contest::default(), Vec::new());
    for (number, size) in (0..).zip(&setting.sizes) {
        let people = People::new(setting, *size)?;
        let errors = people.errors(trials(*size), study.seed(number, 0))?;
        study.did(size * trials(*size) as u64);
        let x = *size as f64;
        let least = setting.deviation * gaussian_lower_bound(&people.profile);
        bound.points.push((x, ValueWithError::exact(least)));
        for (line, errors) in series.iter_mut().zip(&errors) {
            if !errors.all().is_empty() {
                line.points.push((x, ValueWithError::rmse(errors)));
            }
        }
        for (ours, theirs) in [(2, 0), (3, 1)] {
            if !errors[ours].all().is_empty() && !errors[theirs].all().is_empty() {
                let [auto, rival] = [ours, theirs].map(|line| ValueWithError::rmse(&errors[line]));
                contest.apart(&format!("n = {size}"), auto, (LINES[theirs].0, rival));
            }
        }
        let refused = |errors: &Errors| trials(*size) - errors.all().len();
        let entry = |errors: &Errors| Entry {
            published: None,
            ours: Some(ValueWithError::exact(
                100.0 * refused(errors) as f64 / trials(*size) as f64,
            )),
        };
        rows.push((size.to_string(), errors[..TOLD].iter().map(entry).collect()));
    }

    let findings = findings(&series, &bound);
    let chart = Chart {
        name: "rmse".to_owned(),
        caption: format!("RMSE of the mean of N({}, {}²)", setting.mean, setting.deviation),
        x: Axis::logarithmic("n"),
        y: Axis::logarithmic("RMSE"),
        series: series.into_iter().chain([bound]).collect(),
        marks: Vec::new(),
    };
    let refusals = Table {
        name: "refused".to_owned(),
        caption: "Refused trials, in per cent: not enough people for a range at this privacy"
            .to_owned(),
        corner: "n".to_owned(),
        columns: LINES[..TOLD].iter().map(|(name, _)| ((*name).to_owned(), Role::Bound)).collect(),
        rows,
    };
    Ok(study.outcome("dg26", vec![Panel::Chart(chart), Panel::Table(refusals)], findings, contest))
}

/// Budgets, and their plans.
struct People<'a> {
    setting: &'a Setting,
    budgets: Vec<Epsilon>,
    profile: Profile,
    // Nothing where there are too few people.
    published: Option<DiffusionMean>,
    published_add_remove: ReductionMean,
    ours: Option<UnboundedPlan>,
    ours_add_remove: UnboundedAddRemove,
    told: WeightedPlan,
}

impl<'a> People<'a> {
    fn new(setting: &'a Setting, size: u64) -> Result<Self> {
        // Budgets go round, so that every size has the same shares of them.
        let budget = |step: usize| {
            Epsilon::new(
                setting.smallest.powf((step % setting.steps) as f64 / (setting.steps - 1) as f64),
            )
        };
        let budgets = (0..size as usize).map(budget).collect::<Result<Vec<_>>>()?;
        let levels: Vec<(f64, u64)> = budgets.iter().map(|budget| (budget.get(), 1)).collect();
        let profile = sweep::profile(&levels)?;
        let declared: DeclaredBudgets = format!("{},1", setting.smallest).parse()?;
        let mean = Request::mean;
        let bounds = Bounds::new(
            setting.mean - 3.0 * setting.deviation,
            setting.mean + 3.0 * setting.deviation,
        )?;
        let told = Options {
            estimator: suum::Choice::Named(Estimator::Affine),
            variance: Some(setting.deviation * setting.deviation),
            ..Options::default()
        };
        Ok(Self {
            setting,
            budgets,
            published: DiffusionMean::new(profile.clone()).ok(),
            published_add_remove: ReductionMean::new(declared.clone())?,
            ours: UnboundedPlan::new(mean(Neighbors::ReplaceOne), profile.clone()).ok(),
            ours_add_remove: UnboundedAddRemove::new(declared, mean(Neighbors::AddRemove))?,
            told: WeightedRequest::new(Statistic::Mean, bounds, told)?.plan(profile.clone())?,
            profile,
        })
    }

    /// Errors of every line in the trials that were not refused.
    fn errors(&self, trials: usize, seed: u64) -> Result<[Errors; 5]> {
        let trial = |trial: usize| self.trial(seed, trial as u64);
        let all = (0..trials).into_par_iter().map(trial).collect::<Result<Vec<_>>>()?;
        Ok(std::array::from_fn(|line| {
            Errors::new(all.iter().filter_map(|errors| errors[line]).collect())
        }))
    }

    fn trial(&self, seed: u64, trial: u64) -> Result<[Option<f64>; 5]> {
        let Setting { mean, deviation, .. } = self.setting;
        let mut dice = Dice::new(seed, trial);
        let people: Vec<Person> =
            self.budgets.iter().map(|budget| (*budget, mean + deviation * dice.normal())).collect();
        let mut records = MemoryRecords::new(people.clone())?;
        let randomness = || Randomness::insecure(seed.wrapping_add(trial));
        let table = records.table(Grid::new(self.told.setting().bounds).into())?;
        let told = self.told.clone().release(table, &mut randomness())?.estimate() - mean;
        let published = self.published.as_ref();
        let published = published.and_then(|plan| plan.release(&people, &mut randomness()).ok());
        let published_add_remove =
            self.published_add_remove.release(&people, &mut randomness()).ok();
        let ours = self.ours.as_ref();
        let ours = ours.and_then(|plan| plan.release(&mut records, &mut randomness()).ok());
        let ours_add_remove = self.ours_add_remove.release(&mut records, &mut randomness()).ok();
        let estimates = [
            published.map(|answer| answer.estimate),
            published_add_remove.map(|answer| answer.estimate),
            ours.map(|release| release.estimate()),
            ours_add_remove.map(|release| release.estimate()),
        ];
        let [published, published_add_remove, ours, ours_add_remove] =
            estimates.map(|estimate| estimate.map(|estimate| estimate - mean));
        Ok([published, published_add_remove, ours, ours_add_remove, Some(told)])
    }
}

fn findings(series: &[Series; 5], bound: &Series) -> Vec<Finding> {
    let at = |series: &Series, x: f64| {
        series.points.iter().find(|(place, _)| *place == x).map(|(_, measured)| measured.value)
    };
    // The ratio of two lines, at the smallest and at the largest n for which both have an answer.
    let ratio = |first: &Series, second: &Series| {
        let both = first.points.iter().filter_map(|(x, a)| Some((*x, a.value / at(second, *x)?)));
        let both: Vec<(f64, f64)> = both.collect();
        match (both.first(), both.last()) {
            (Some(first), Some(last)) => {
                format!(
                    "{:.2} times (n = {}) and {:.2} times (n = {})",
                    first.1, first.0, last.1, last.0
                )
            }
            _ => "at no n a known multiple of".to_owned(),
        }
    };
    let [published, add_remove_published, ours, add_remove, told] = series;
    let above = series.iter().all(|line| {
        let mut points = line.points.iter();
        // Three standard errors: with few trials a measured error can be far from the true one.
        points.all(|(x, a)| at(bound, *x).is_none_or(|least| a.value + 3.0 * a.error > least))
    });
    vec![
        Finding::check(
            above,
            format!(
                "No error is significantly below the lower bound: suum, replace-one, has {} of it.",
                ratio(ours, bound)
            ),
        ),
        Finding::new(format!(
            "Replace-one: the published pipeline has {} the error of suum.",
            ratio(published, ours)
        )),
        Finding::new(format!(
            "Add-remove: the published reduction has {} the error of suum.",
            ratio(add_remove_published, add_remove)
        )),
        Finding::new(format!(
            "Not knowing the bounds: suum, replace-one, has {} the error of who is told them.",
            ratio(ours, told)
        )),
        Finding::new(format!(
            "Hiding who takes part: suum, add-remove, has {} the error of suum, replace-one.",
            ratio(add_remove, ours)
        )),
    ]
}
