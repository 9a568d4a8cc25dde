//! Intervals of one quantile: their coverage, and their length.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Deserialize;
use suum::simulation::Dice;
use suum::{
    Bounds, Cells, Grid, Numbers, Options, QuantilePlan, QuantileRequest, Randomness, Rank, Result,
};

use super::coverage::least_coverage;
use super::people::table;
use super::quantile::quantile;
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Entry, Finding, Outcome, Panel, Role, Table};
use crate::study::Study;
use crate::sweep::{self, OURS};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    ranks: Vec<[u64; 2]>,
    people: Vec<People>,
    data: Vec<Data>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct People {
    name: String,
    levels: Vec<(f64, u64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    name: Kind,
    steps: u32,
}

/// Population, by its quantiles.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Smooth,
    Rounded,
    Heaped,
    Skewed,
    Gapped,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Smooth => "smooth",
            Kind::Rounded => "rounded",
            Kind::Heaped => "heaped",
            Kind::Skewed => "skewed",
            Kind::Gapped => "gapped",
        }
    }

    /// Value below which the share `q` of the population lies.
    fn quantile(self, q: f64) -> f64 {
        let smooth = 50.0 + 8.0 * (q / (1.0 - q)).ln();
        match self {
            Kind::Smooth => smooth,
            Kind::Rounded => smooth.round(),
            // Numbers within 2.5 of a multiple of ten are rounded to it, all others to whole
            // numbers.
            Kind::Heaped => match (smooth / 10.0).round() * 10.0 {
                ten if (smooth - ten).abs() <= 2.5 => ten,
                _ => smooth.round(),
            },
            Kind::Skewed => -12.0 * (1.0 - q).ln(),
            Kind::Gapped if q < 0.5 => 18.0 + 8.0 * q,
            Kind::Gapped => 74.0 + 8.0 * q,
        }
        .clamp(BOUNDS.0, BOUNDS.1)
    }
}

/// Declared bounds.
const BOUNDS: (f64, f64) = (0.0, 100.0);

/// Quantile of one population, for some people.
struct Cell<'a> {
    name: String,
    kind: Kind,
    bounds: Bounds,
    cells: Cells,
    rank: Rank,
    levels: &'a [(f64, u64)],
}

/// Intervals of one cell.
struct IntervalResult {
    name: String,
    /// True for each interval that held.
    held: Vec<bool>,
    /// Length of each interval, relative to the one that is needed without privacy.
    lengths: Vec<f64>,
}

impl IntervalResult {
    /// Share of intervals that held.
    fn coverage(&self) -> f64 {
        self.held.iter().filter(|held| **held).count() as f64 / self.held.len() as f64
    }

    fn median_length(&self) -> f64 {
        quantile(self.lengths.clone(), 0.5)
    }
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/quantile-intervals.toml"),
        effort,
        progress,
    )?;
    let cells = cells(&study.sheet.setting)?;
    study.expect(cells.len() as u64);
    let mut found = Vec::new();
    for (number, cell) in (0..).zip(&cells) {
        found.push(measure(cell, study.trials, study.seed(number, 0))?);
        study.did(1);
    }
    let coverage = |one: &IntervalResult| {
        let value = one.coverage();
        ValueWithError { value, error: (value * (1.0 - value) / one.held.len() as f64).sqrt() }
    };
    let panels = vec![
        table_of("coverage", "How often the 95 % interval held", &found, coverage),
        table_of(
            "lengths",
            "Median length over that which is needed without privacy",
            &found,
            |one| ValueWithError::exact(one.median_length()),
        ),
    ];
    let findings = findings(&found, study.trials);
    Ok(study.outcome("quantile-intervals", panels, findings, Contest::default()))
}

fn cells(setting: &Setting) -> Result<Vec<Cell<'_>>> {
    let mut all = Vec::new();
    for data in &setting.data {
        for [below, of] in &setting.ranks {
            for people in &setting.people {
                let rank = Rank::new(*below, *of)?;
                all.push(Cell {
                    name: format!("{}, q = {}, {}", data.name.name(), rank.get(), people.name),
                    kind: data.name,
                    bounds: Bounds::new(BOUNDS.0, BOUNDS.1)?,
                    cells: Cells::new(data.steps)?,
                    rank,
                    levels: &people.levels,
                });
            }
        }
    }
    Ok(all)
}

/// Releases the quantile of `trials` samples.
fn measure(cell: &Cell, trials: usize, seed: u64) -> Result<IntervalResult> {
    let whole = !matches!(cell.kind, Kind::Smooth | Kind::Skewed | Kind::Gapped);
    let options = Options { whole, ..Options::default() };
    let request = QuantileRequest::new(cell.bounds, cell.cells, vec![cell.rank], options)?;
    let plan = request.plan(sweep::profile(cell.levels)?)?;
    let needed = needed(cell);
    let trial = |trial: usize| release(cell, &plan, seed, trial as u64);
    let intervals = (0..trials).into_par_iter().map(trial).collect::<Result<Vec<_>>>()?;
    // All numbers between these two are quantiles of the population.
    let q = cell.rank.get();
    let (least, most) = (cell.kind.quantile(q - 1e-9), cell.kind.quantile(q + 1e-9));
    // A candidate stands for what is nearer to it than to others.
    let half_step =
        (cell.bounds.upper() - cell.bounds.lower()) / f64::from(cell.cells.steps()) / 2.0;
    let half_step = if whole { 0.0 } else { half_step };
    let held =
        |(lower, upper): &(f64, f64)| lower - half_step <= most && least <= upper + half_step;
    Ok(IntervalResult {
        name: cell.name.clone(),
        held: intervals.iter().map(held).collect(),
        lengths: intervals.iter().map(|(lower, upper)| (upper - lower) / needed).collect(),
    })
}

/// Interval of one sample; the bounds if there is none.
fn release(cell: &Cell, plan: &QuantilePlan, seed: u64, trial: u64) -> Result<(f64, f64)> {
    let mut dice = Dice::new(seed, trial);
    let of_level = |(budget, count): &(f64, u64)| vec![*budget; *count as usize];
    let budgets: Vec<f64> = cell.levels.iter().flat_map(of_level).collect();
    let values: Vec<f64> = budgets.iter().map(|_| cell.kind.quantile(dice.uniform())).collect();
    let numbers = Numbers { grid: Grid::new(cell.bounds), squares: false, cells: Some(cell.cells) };
    let mut randomness = Randomness::insecure(seed.wrapping_add(trial));
    let release = plan.clone().release(table(&budgets, &values, numbers)?, &mut randomness)?;
    let interval = release.estimates.first().and_then(|estimate| estimate.interval.as_ref());
    Ok(interval.map_or(BOUNDS, |interval| (interval.lower, interval.upper)))
}

/// Length of the interval between two order statistics that covers 95 % without privacy, by the
/// normal approximation of ranks; at least half a step between candidates.
fn needed(cell: &Cell) -> f64 {
    let people: u64 = cell.levels.iter().map(|(_, count)| count).sum();
    let q = cell.rank.get();
    let half_width = 1.96 * (q * (1.0 - q) / people as f64).sqrt();
    let length = cell.kind.quantile(q + half_width) - cell.kind.quantile(q - half_width);
    let step = (cell.bounds.upper() - cell.bounds.lower()) / f64::from(cell.cells.steps());
    length.max(step / 2.0)
}

fn table_of(
    name: &str,
    caption: &str,
    found: &[IntervalResult],
    number: impl Fn(&IntervalResult) -> ValueWithError,
) -> Panel {
    let row = |one: &IntervalResult| {
        (one.name.clone(), vec![Entry { published: None, ours: Some(number(one)) }])
    };
    Panel::Table(Table {
        name: name.to_owned(),
        caption: caption.to_owned(),
        corner: "data, rank, people".to_owned(),
        columns: vec![(OURS.to_owned(), Role::Auto)],
        rows: found.iter().map(row).collect(),
    })
}

fn findings(found: &[IntervalResult], trials: usize) -> Vec<Finding> {
    let least = least_coverage(found.len(), trials);
    let low: Vec<&str> =
        found.iter().filter(|one| one.coverage() < least).map(|one| one.name.as_str()).collect();
    let lengths: Vec<f64> = found.iter().map(IntervalResult::median_length).collect();
    vec![
        Finding::new(match low.as_slice() {
            [] => "No interval covers significantly less than 95 %.".to_owned(),
            cells => format!("Intervals cover significantly less in: {}.", cells.join("; ")),
        }),
        Finding::new(format!(
            "In the median they are {:.1} times as long as is needed without privacy, in nine of \
             ten cells at most {:.0} times.",
            quantile(lengths.clone(), 0.5),
            quantile(lengths, 0.9),
        )),
    ]
}
