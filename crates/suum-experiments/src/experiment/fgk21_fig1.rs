//! FGK21 Figure 1: the mixed mean against the sampling mechanism.

use serde::Deserialize;
use suum::simulation::Data;
use suum::{
    Bounds, Epsilon, Estimator, Options, Result, SampleThreshold, Statistic, WeightedRequest,
};

use super::ratio_map::risk;
use crate::effort::{Effort, Progress};
use crate::outcome::{Axis, Chart, Finding, Outcome, Panel, Role, Series};
use crate::study::Study;
use crate::sweep::{self, Line, Point, SweepPoint};
use crate::value_with_error::ValueWithError;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    counts: Vec<u64>,
    epsilons: Vec<f64>,
    relaxed: f64,
    sizes: Vec<u64>,
    variance: f64,
    bound: f64,
    thresholds: Vec<f64>,
    /// The threshold that the paper calls optimal.
    optimal: f64,
}

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let study = Study::<Setting>::new(
        include_str!("../../../../experiments/fgk21-fig1.toml"),
        effort,
        progress,
    )?;
    let setting = &study.sheet.setting;
    let options = Options { variance: Some(setting.variance), ..Options::default() };
    let mut lines = vec![Line::theirs("mixed", "mixed", SampleThreshold::default())?];
    for threshold in &setting.thresholds {
        let at = SampleThreshold::At(Epsilon::new(*threshold)?);
        lines.push(Line::theirs(&format!("SM, t = {threshold}"), "sample", at)?);
    }
    lines.push(Line::auto());
    let strict: Vec<(f64, u64)> =
        setting.epsilons.iter().copied().zip(setting.counts.iter().copied()).collect();
    let deviation = setting.variance.sqrt();
    let point = |size: &u64| {
        let levels: Vec<(f64, u64)> =
            strict.iter().copied().chain([(setting.relaxed, *size)]).collect();
        let data = Data::independent(move |dice| deviation * dice.normal(), vec![0.0]);
        Ok(Point { x: *size as f64, profile: sweep::profile(&levels)?, data })
    };
    let points = setting.sizes.iter().map(point).collect::<Result<Vec<_>>>()?;
    let bounds = Bounds::new(-setting.bound, setting.bound)?;
    let found = sweep::sweep(&study, (bounds, &options), &lines, points)?;

    let mut series =
        sweep::series(&lines, &found, |_| 1.0, |at, line| at.exact(line, setting.variance));
    // Half the sensitivity is that of bounds half as wide.
    let half = Bounds::new(-setting.bound / 2.0, setting.bound / 2.0)?;
    let published = |at: &SweepPoint| {
        let plan = WeightedRequest::new(Statistic::Mean, half, options.clone())?
            .plan(at.plan.setting().profile.clone())?;
        Ok((at.x, ValueWithError::exact(risk(&plan, Estimator::Mixed))))
    };
    series.push(Series {
        name: "mixed as published (can spend 2ε)".to_owned(),
        role: Role::Bound,
        points: found.iter().map(published).collect::<Result<_>>()?,
    });
    let chart = Chart {
        name: "variance".to_owned(),
        caption: "Variance of the mean; dots on a line are simulated, their line exact".to_owned(),
        x: Axis::logarithmic("n, people at ε = 10"),
        y: Axis::logarithmic("variance"),
        series,
        marks: Vec::new(),
    };
    let findings = findings(setting, &found);
    let contest = sweep::contest(&lines, &found, |at| format!("n = {}", at.x));
    Ok(study.outcome("fgk21-fig1", vec![Panel::Chart(chart)], findings, contest))
}

const MIXED: usize = 0;

fn findings(setting: &Setting, found: &[SweepPoint]) -> Vec<Finding> {
    let ratio =
        |at: &SweepPoint, line: usize| at.mean_squared(line).value / at.mean_squared(MIXED).value;
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return Vec::new() };
    let auto = setting.thresholds.len() + 1;
    let mut findings = Vec::new();
    for (line, threshold) in (1..).zip(&setting.thresholds) {
        let average = found.iter().map(|at| ratio(at, line)).sum::<f64>() / found.len() as f64;
        let words = format!(
            "SM with t = {threshold} has {:.2} times the variance of mixed at n = {}, {:.2} times \
            at n = {}, {average:.2} times on average",
            ratio(first, line),
            first.x,
            ratio(last, line),
            last.x
        );
        findings.push(if *threshold == setting.optimal {
            // In a picture over several decades that is equal.
            let equal = (0.8..1.25).contains(&average);
            let why = if equal {
                ": nearly equal."
            } else {
                ", where the paper has them equal; people who are dropped at random tell nothing."
            };
            Finding::check(equal, words + why)
        } else {
            Finding::check(found.iter().all(|at| ratio(at, line) > 1.0), words + ".")
        });
    }
    findings.push(Finding::new(format!(
        "`auto` has {:.2} times the variance of mixed at n = {}, {:.2} times at n = {}.",
        ratio(first, auto),
        first.x,
        ratio(last, auto),
        last.x
    )));
    findings
}
