//! Means of real columns: what learning where the values lie gains and costs.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Deserialize;
use suum::simulation::Dice;
use suum::{
    Bounds, Choice, Epsilon, Error, Estimator, Grid, Level, MemoryRecords, Numbers, Options,
    Profile, Randomness, Records, Request, Result, Statistic,
};

use super::coverage::least_coverage;
use super::quantile::quantile;
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::measured::Measured;
use crate::outcome::{Axis, Chart, Entry, Finding, Outcome, Panel, Role, Series, Table};
use crate::study::Study;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    records: u64,
    /// By how much the upper bound is multiplied.
    generous: f64,
    profiles: Vec<People>,
    columns: Vec<Column>,
}

/// Shares of people by what they allow.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct People {
    name: String,
    levels: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    name: String,
    bounds: [f64; 2],
}

/// A column, bounds and people.
struct Cell {
    name: String,
    values: Vec<f64>,
    bounds: Bounds,
    budgets: Vec<Epsilon>,
}

/// What was found in a cell by each way.
struct Found {
    name: String,
    /// The least error in hindsight.
    hindsight: f64,
    ways: Vec<Way>,
}

/// The error, the median half width, and how often the interval held the truth.
struct Way {
    rmse: f64,
    half_width: f64,
    coverage: f64,
}

/// The ways that are compared: the worst case, one for an ordinary spread that is measured, the
/// default, and a variance that is known.
const WAYS: [(&str, Role); 4] = [
    ("worst case", Role::Theirs),
    ("without learning", Role::Theirs),
    ("default", Role::Auto),
    ("known variance", Role::Bound),
];
const DEFAULT: usize = 2;
const KNOWN: usize = 3;

/// Quantiles that are clamped to, in hindsight.
const QUANTILES: [f64; 7] = [0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1];

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/real-data.toml"),
        effort,
        progress,
    )?;
    let cells = cells(&study.sheet.setting)?;
    study.expect(cells.len() as u64);
    let found = (0..).zip(&cells).map(|(number, cell)| {
        let found = cell.measure(study.trials, study.seed(number, 0));
        study.did(1);
        found
    });
    let found = found.collect::<Result<Vec<Found>>>()?;
    let panels = vec![
        curves("errors", "Error over that of the best choice in hindsight", &found, |one, way| {
            one.ways[way].rmse / one.hindsight
        }),
        curves("intervals", "Half width over that for a known variance", &found, |one, way| {
            one.ways[way].half_width / one.ways[KNOWN].half_width
        }),
        table("cells", "Error over that of the best choice in hindsight", &found, |one, way| {
            one.ways[way].rmse / one.hindsight
        }),
        table("widths", "Half width over that for a known variance", &found, |one, way| {
            one.ways[way].half_width / one.ways[KNOWN].half_width
        }),
        table("coverage", "How often the 95 % interval held the truth", &found, |one, way| {
            one.ways[way].coverage
        }),
    ];
    let findings = findings(&found, study.trials);
    Ok(study.outcome("real-data", panels, findings, Contest::default()))
}

/// Every column with both bounds, for all people.
fn cells(setting: &Setting) -> Result<Vec<Cell>> {
    let values = values()?;
    let mut cells = Vec::new();
    for column in &setting.columns {
        let Some(values) = values.get(&column.name) else {
            return Err(Error::internal("internal error: a column of the panel has no values"));
        };
        let [lower, upper] = column.bounds;
        let tight = ("tight", Bounds::new(lower, upper)?);
        let generous = ("generous", Bounds::new(0.0, setting.generous * upper)?);
        for (kind, bounds) in [tight, generous] {
            for people in &setting.profiles {
                cells.push(Cell {
                    name: format!("{}, {kind}, {}", column.name, people.name),
                    values: values.clone(),
                    bounds,
                    budgets: people.budgets(setting.records)?,
                });
            }
        }
    }
    Ok(cells)
}

/// The values of all columns.
fn values() -> Result<BTreeMap<String, Vec<f64>>> {
    let malformed = || Error::internal("internal error: the columns of the panel are malformed");
    let mut reader =
        csv::Reader::from_reader(&include_bytes!("../../../../experiments/real-data.csv")[..]);
    let mut columns: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in reader.deserialize::<(String, f64, usize)>() {
        let (name, value, count) = row.map_err(|_| malformed())?;
        columns.entry(name).or_default().extend(std::iter::repeat_n(value, count));
    }
    Ok(columns)
}

impl People {
    /// What each of so many people allows, in these shares.
    fn budgets(&self, records: u64) -> Result<Vec<Epsilon>> {
        let mut budgets = Vec::new();
        let mut share = 0.0;
        for (epsilon, part) in &self.levels {
            share += part;
            let upto = (share * records as f64).round() as usize;
            budgets.resize(upto.max(budgets.len()), epsilon.parse()?);
        }
        Ok(budgets)
    }
}

impl Cell {
    fn measure(&self, trials: usize, seed: u64) -> Result<Found> {
        let n = self.values.len() as f64;
        let truth = self.values.iter().sum::<f64>() / n;
        let variance = self.values.iter().map(|x| (x - truth) * (x - truth)).sum::<f64>() / n;
        let of = |change: &dyn Fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            Request::new(Statistic::Mean, self.bounds, options)
        };
        let worst = self.bounds.width() * self.bounds.width() / 4.0;
        let affine = Choice::Named(Estimator::Affine);
        let requests = [
            (of(&|options| options.estimator = affine)?, false),
            (of(&|_| {})?, true),
            (of(&|options| options.adapt = true)?, true),
            (
                of(&|options| {
                    options.estimator = affine;
                    options.variance = Some(variance.min(worst));
                })?,
                false,
            ),
        ];
        let trial = |trial: u64| self.trial(&requests, seed ^ trial, truth);
        let trials: Vec<[Trial; WAYS.len()]> =
            (0..trials as u64).into_par_iter().map(trial).collect::<Result<_>>()?;
        let ways = (0..WAYS.len()).map(|way| Way::of(trials.iter().map(|all| &all[way])));
        Ok(Found {
            name: self.name.clone(),
            hindsight: self.hindsight(truth)?,
            ways: ways.collect(),
        })
    }

    /// One draw of the records, and a release of each way.
    fn trial(
        &self,
        requests: &[(Request, bool); WAYS.len()],
        seed: u64,
        truth: f64,
    ) -> Result<[Trial; WAYS.len()]> {
        let mut dice = Dice::new(seed, 0);
        let mut draw = || {
            let at = (dice.uniform() * self.values.len() as f64) as usize;
            self.values[at.min(self.values.len() - 1)]
        };
        let rows = self.budgets.iter().map(|budget| (*budget, draw())).collect();
        let mut records = MemoryRecords::new(rows)?;
        let mut trials = [Trial::default(); WAYS.len()];
        for ((request, squares), trial) in requests.iter().zip(&mut trials) {
            let numbers = request.numbers(Grid::new(self.bounds));
            // The worst case knows nothing of the spread.
            let numbers = Numbers { squares: *squares, ..numbers };
            let table = records.table(numbers)?;
            let plan = suum::WeightedPlan::new(request, table.profile()?, numbers)?;
            let release = plan.release(table, &mut Randomness::insecure(seed))?;
            *trial = Trial {
                error: release.estimate() - truth,
                half_width: release
                    .interval()
                    .map_or(f64::NAN, |interval| (interval.upper - interval.lower) / 2.0),
                is_covered: release
                    .interval()
                    .is_some_and(|interval| interval.lower <= truth && truth <= interval.upper),
            };
        }
        Ok(trials)
    }

    /// The least error of clamping to two quantiles of the column, with the best weights for the
    /// variance inside.
    fn hindsight(&self, truth: f64) -> Result<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| ((share * sorted.len() as f64) as usize).min(sorted.len() - 1);
        let profile = profile(&self.budgets)?;
        let mut least = f64::INFINITY;
        for below in QUANTILES {
            for above in QUANTILES {
                let (low, high) = (sorted[at(below)], sorted[sorted.len() - 1 - at(above)]);
                let Ok(bounds) = Bounds::new(low, high) else { continue };
                let n = sorted.len() as f64;
                let mean = sorted.iter().map(|x| bounds.clamp(*x)).sum::<f64>() / n;
                let squares = sorted.iter().map(|x| (bounds.clamp(*x) - mean).powi(2));
                let variance = squares.sum::<f64>() / n;
                let largest = bounds.width() * bounds.width() / 4.0;
                let options = Options {
                    estimator: Choice::Named(Estimator::Affine),
                    variance: Some(variance.clamp(largest * 1e-9, largest)),
                    ..Options::default()
                };
                let plan = Request::new(Statistic::Mean, bounds, options)?.plan(profile.clone())?;
                least = least.min(plan.chosen().risk.total() + (mean - truth).powi(2));
            }
        }
        Ok(least.sqrt())
    }
}

/// How many people allow how much.
fn profile(budgets: &[Epsilon]) -> Result<Profile> {
    Profile::new(budgets.iter().map(|epsilon| Level { epsilon: *epsilon, count: 1 }))
}

/// One release.
#[derive(Debug, Clone, Copy, Default)]
struct Trial {
    error: f64,
    half_width: f64,
    is_covered: bool,
}

impl Way {
    fn of<'t>(trials: impl Iterator<Item = &'t Trial>) -> Self {
        let trials: Vec<&Trial> = trials.collect();
        let n = trials.len() as f64;
        let squares: f64 = trials.iter().map(|trial| trial.error * trial.error).sum();
        let covered = trials.iter().filter(|trial| trial.is_covered).count();
        let widths = trials.iter().map(|trial| trial.half_width);
        Self {
            rmse: (squares / n).sqrt(),
            half_width: quantile(widths.collect(), 0.5),
            coverage: covered as f64 / n,
        }
    }
}

/// What each way has in at most which share of the cells.
fn curves(name: &str, label: &str, found: &[Found], of: impl Fn(&Found, usize) -> f64) -> Panel {
    let series = WAYS.iter().enumerate().map(|(way, (title, role))| {
        let mut all: Vec<f64> = found.iter().map(|one| of(one, way)).collect();
        all.sort_by(f64::total_cmp);
        let share = |at: usize| 100.0 * (at as f64 + 0.5) / found.len() as f64;
        let points = all.iter().enumerate().map(|(at, y)| (share(at), Measured::exact(*y)));
        Series { name: (*title).to_owned(), role: *role, points: points.collect() }
    });
    Panel::Chart(Chart {
        name: name.to_owned(),
        caption: format!("{label}, in ascending order over all cells"),
        x: Axis::linear("cells with no more, in per cent"),
        y: Axis::logarithmic(label),
        series: series.collect(),
        marks: Vec::new(),
    })
}

fn table(name: &str, caption: &str, found: &[Found], of: impl Fn(&Found, usize) -> f64) -> Panel {
    let row = |one: &Found| {
        let entry = |way| Entry { published: None, ours: Some(Measured::exact(of(one, way))) };
        (one.name.clone(), (0..WAYS.len()).map(entry).collect())
    };
    Panel::Table(Table {
        name: name.to_owned(),
        caption: caption.to_owned(),
        corner: "column, bounds, people".to_owned(),
        columns: WAYS.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect(),
        rows: found.iter().map(row).collect(),
    })
}

fn findings(found: &[Found], trials: usize) -> Vec<Finding> {
    let ratios = |way: usize| -> Vec<f64> {
        found.iter().map(|one| one.ways[way].rmse / one.hindsight).collect()
    };
    let widths = |way: usize| -> Vec<f64> {
        found.iter().map(|one| one.ways[way].half_width / one.ways[KNOWN].half_width).collect()
    };
    let mut findings: Vec<Finding> = WAYS
        .iter()
        .enumerate()
        .map(|(way, (name, _))| {
            Finding::new(format!(
                "{name}: {:.2} times the error of the best choice in hindsight in the median, \
                 {:.2} times in nine cells of ten; intervals {:.2} and {:.2} times those for a \
                 known variance.",
                quantile(ratios(way), 0.5),
                quantile(ratios(way), 0.9),
                quantile(widths(way), 0.5),
                quantile(widths(way), 0.9),
            ))
        })
        .collect();
    let least = least_coverage(found.len(), trials);
    let missed: Vec<&str> = found
        .iter()
        .filter(|one| one.ways[DEFAULT].coverage < least)
        .map(|one| one.name.as_str())
        .collect();
    findings.push(Finding::check(
        missed.is_empty(),
        match &missed[..] {
            [] => "No interval of the default covers significantly less than 95 %.".to_owned(),
            cells => format!("The default covers significantly less in: {}.", cells.join("; ")),
        },
    ));
    let worse = found.iter().filter(|one| one.ways[DEFAULT].rmse > 1.2 * one.ways[0].rmse);
    let worse: Vec<&str> = worse.map(|one| one.name.as_str()).collect();
    findings.push(Finding::new(match &worse[..] {
        [] => "In no cell has the default more than 1.2 times the error of the worst case's way."
            .to_owned(),
        cells => format!(
            "The default has more than 1.2 times the error of the worst case's way in {} of {} \
             cells: {}.",
            cells.len(),
            found.len(),
            cells.join("; ")
        ),
    }));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_as_many_as_stated() {
        let levels = [("0.1", 0.339), ("1", 0.461), ("inf", 0.2)];
        let levels = levels.map(|(epsilon, share)| (epsilon.to_owned(), share)).into();
        let budgets = People { name: String::new(), levels }.budgets(1000).unwrap();
        assert_eq!(profile(&budgets).unwrap().to_string(), "0.1:339,1:461,inf:200");
    }

    #[test]
    fn every_column_has_values_inside_its_bounds() {
        let study: crate::sheet::Sheet<Setting> =
            crate::sheet::Sheet::read(include_str!("../../../../experiments/real-data.toml"))
                .unwrap();
        let values = values().unwrap();
        assert_eq!(values.len(), study.setting.columns.len());
        for column in &study.setting.columns {
            let bounds = Bounds::new(column.bounds[0], column.bounds[1]).unwrap();
            let values = &values[&column.name];
            assert!(values.len() > 300, "{}", column.name);
            assert!(values.iter().all(|x| bounds.clamp(*x) == *x), "{}", column.name);
        }
    }
}
