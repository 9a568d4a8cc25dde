//! FGK21 Figure 2: the median, PE against mixed.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Deserialize;
use suum::simulation::{Dice, Errors};
use suum::{
    Bounds, Cells, Grid, Numbers, Options, QuantileEstimator, QuantilePlan, QuantileRequest,
    Randomness, Result,
};

use super::people::table;
use crate::contest::Contest;
use crate::effort::{Effort, Progress};
use crate::outcome::{Axis, Chart, Finding, Outcome, Panel, Role, Series};
use crate::study::Study;
use crate::sweep::{self, OURS};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    people: u64,
    shares: Vec<f64>,
    bound: f64,
    steps: u32,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    name: String,
    strict: f64,
    relaxed: f64,
}

/// The lines, in this order.
const LINES: [(&str, &str, Role); 3] =
    [("PE", "pe", Role::Theirs), ("mixed", "mixed", Role::Theirs), (OURS, "auto", Role::Auto)];

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/fgk21-fig2.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    study.expect((setting.pairs.len() * setting.shares.len()) as u64);
    let mut contest = Contest::default();
    let (mut panels, mut findings) = (Vec::new(), Vec::new());
    for (number, pair) in (0..).zip(&setting.pairs) {
        let mut series =
            LINES.map(|(name, _, role)| Series { name: name.to_owned(), role, points: Vec::new() });
        for (place, share) in (0..).zip(&setting.shares) {
            let strict = (share * setting.people as f64).round() as u64;
            let levels = [(pair.strict, strict), (pair.relaxed, setting.people - strict)];
            let errors = medians(&study, &levels, study.seed(number, place << 10))?;
            for (line, errors) in series.iter_mut().zip(&errors) {
                line.points.push((*share, ValueWithError::rmse(errors)));
            }
            let cell =
                format!("{} and {}, {:.0} % strict", pair.strict, pair.relaxed, 100.0 * share);
            let [pe, mixed, auto] = &errors;
            contest.mean_squared(&cell, auto, ("PE", pe));
            contest.mean_squared(&cell, auto, ("mixed", mixed));
            study.did(1);
        }
        findings.extend(compared(pair, &series));
        panels.push(Panel::Chart(Chart {
            name: pair.name.clone(),
            caption: format!("ε = {} among ε = {}", pair.strict, pair.relaxed),
            x: Axis::linear("share of strict people"),
            y: Axis::logarithmic("RMSE of the median"),
            series: series.into(),
            marks: Vec::new(),
        }));
    }
    Ok(study.outcome("fgk21-fig2", panels, findings, contest))
}

/// Errors of the medians of normal data, of every line on the same data and from the same seeds.
fn medians(study: &Study<'_, Setting>, levels: &[(f64, u64)], seed: u64) -> Result<[Errors; 3]> {
    let setting = &study.sheet.setting;
    let (bounds, cells) = (Bounds::new(-setting.bound, setting.bound)?, Cells::new(setting.steps)?);
    let profile = sweep::profile(levels)?;
    let plan = |estimator: &str| {
        let options = Options {
            estimator: QuantileEstimator::choice(estimator)?,
            interval_share: Some(0.0),
            ..Options::default()
        };
        QuantileRequest::new(bounds, cells, vec!["0.5".parse()?], options)?.plan(profile.clone())
    };
    let plans = LINES
        .iter()
        .map(|(_, estimator, _)| plan(estimator))
        .collect::<Result<Vec<QuantilePlan>>>()?;
    let numbers = Numbers { grid: Grid::new(bounds), squares: false, cells: Some(cells) };
    let budgets: Vec<f64> =
        levels.iter().flat_map(|(epsilon, count)| vec![*epsilon; *count as usize]).collect();
    let trial = |trial: usize| {
        let mut dice = Dice::new(seed, trial as u64);
        let values: Vec<f64> = budgets.iter().map(|_| dice.normal()).collect();
        let table = table(&budgets, &values, numbers)?;
        let median = |plan: &QuantilePlan| {
            let mut randomness = Randomness::insecure(seed.wrapping_add(trial as u64));
            let release = plan.clone().release(table.clone(), &mut randomness)?;
            Ok(release.estimate())
        };
        plans.iter().map(median).collect::<Result<Vec<f64>>>()
    };
    let trials = (0..study.trials).into_par_iter().map(trial).collect::<Result<Vec<_>>>()?;
    Ok([0, 1, 2].map(|line| Errors::new(trials.iter().map(|medians| medians[line]).collect())))
}

/// Findings on the groups for which mixed has less error than PE, and `auto` than both.
fn compared(pair: &Pair, series: &[Series; 3]) -> Vec<Finding> {
    let [pe, mixed, auto] = series;
    let ratios: Vec<(f64, f64, f64)> = (pe.points.iter().zip(&mixed.points).zip(&auto.points))
        .map(|(((share, pe), (_, mixed)), (_, auto))| {
            (*share, mixed.value / pe.value, auto.value / pe.value.min(mixed.value))
        })
        .collect();
    // With people of one kind alone both are the same mechanism.
    let both: Vec<&(f64, f64, f64)> =
        ratios.iter().filter(|(share, ..)| *share > 0.0 && *share < 1.0).collect();
    let below: Vec<String> = both
        .iter()
        .filter(|(_, ratio, _)| *ratio < 1.0)
        .map(|(share, ..)| format!("{:.0}", 100.0 * share))
        .collect();
    let range = |of: fn(&(f64, f64, f64)) -> f64| {
        both.iter()
            .map(|at| of(at))
            .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)))
    };
    let ((low, high), (least, most)) = (range(|at| at.1), range(|at| at.2));
    let names = format!("ε = {} among {}", pair.strict, pair.relaxed);
    let everywhere = below.len() == both.len();
    let shares = match &below[..] {
        [] => String::new(),
        some if everywhere => format!(" (all {})", some.len()),
        some => format!(" ({} %)", some.join(", ")),
    };
    let why = if everywhere {
        "."
    } else {
        ". In the paper mixed is the better one, on bounds and candidates that it does not state."
    };
    vec![
        Finding::check(
            everywhere,
            format!(
                "{names}: mixed has {low:.2} to {high:.2} times the error of PE; less at {} of {} \
                shares{shares}{why}",
                below.len(),
                both.len(),
            ),
        ),
        Finding::new(format!(
            "{names}: `auto` has {least:.2} to {most:.2} times the error of the better of both."
        )),
    ]
}
